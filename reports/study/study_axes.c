/* An objective against an axis: every point, means, the knee. */
#include "reports/study/study_page.h"
#include "sim/base/detmath.h"

#include <math.h>

/* Numbers where they are, of which twelve are named at most; words side by side. even: on even steps, though far apart. */
static fs_axis level_axis(const fs_study_page *p, const fs_study_axis *axis, bool even) {
    fs_axis r = {.label = axis->label, .low = -0.5, .high = (double)axis->levels - 0.5};
    if (!axis->numeric) {
        r.names = fs_study_names_of(p, axis);
        return r;
    }
    const size_t step = (axis->levels + 11) / 12;
    const char **name = FS_NEW(p->arena, const char *, axis->levels);
    double *at = FS_NEW(p->arena, double, axis->levels);
    size_t tics = 0;
    for (size_t k = 0; k < axis->levels; k += step, tics++) {
        name[tics] = axis->level[k].value;
        at[tics] = axis->level[k].number;
    }
    r.names = fs_values_words(p->sheet, name, tics);
    r.tics = fs_values_reals(p->sheet, at, tics);
    r.log = axis->wide && !even;
    r.low = axis->level[0].number;
    r.high = axis->level[axis->levels - 1].number;
    const double space = 0.05 * (r.high - r.low);
    r.low = r.log ? r.low / 1.15 : r.low - space;
    r.high = r.log ? r.high * 1.15 : r.high + space;
    return r;
}

/* Where a point stands on an axis: words side by side, shifted by colour. */
static double place(const fs_study_axis *axis, size_t level, size_t colour, size_t colours) {
    if (axis->numeric)
        return axis->level[level].number;
    return (double)level + (colours < 2 ? 0 : 0.6 * ((double)colour / (double)(colours - 1) - 0.5));
}

/* Where its dot stands: on numbers a little beside its place, so that colours do not hide each other. */
static double dot_place(const fs_study_axis *axis, size_t level, size_t colour, size_t colours) {
    double at = place(axis, level, colour, colours);
    double low = axis->level[0].number, high = axis->level[axis->levels - 1].number;
    double part = 0.008 * ((double)colour - 0.5 * (double)(colours - 1)); /* of the axis */
    if (!axis->numeric)
        return at;
    return axis->wide ? at * fs_pow(high / low, part) : at + part * (high - low);
}

/* Means of the compared points of a colour: a line on numbers, dashes beside words. */
static void put_means(fs_study_page *p, fs_panel *panel, size_t goal, size_t a, size_t colour, size_t k) {
    const fs_study *s = p->s;
    const fs_study_axis *axis = &s->axis[a];
    const size_t colours = fs_study_colours_of(s, colour);
    const double tick = colours > 1 ? 0.27 / (double)colours : 0.2;
    double *sum = FS_NEW(p->arena, double, axis->levels), *count = FS_NEW(p->arena, double, axis->levels),
           *x = FS_NEW(p->arena, double, axis->levels), *y = FS_NEW(p->arena, double, axis->levels),
           *low = FS_NEW(p->arena, double, axis->levels), *high = FS_NEW(p->arena, double, axis->levels);
    size_t n = 0;
    for (size_t i = 0; i < s->sweep->point_count; i++)
        if (s->goal[goal].effect[a].compared[i] && fs_study_has_colour(s, colour, k, i)) {
            sum[axis->at[i]] += fs_study_shown(p, goal, i);
            count[axis->at[i]] += 1;
        }
    for (size_t level = 0; level < axis->levels; level++)
        if (count[level] > 0) {
            x[n] = place(axis, level, k, colours);
            low[n] = x[n] - tick;
            high[n] = x[n] + tick;
            y[n++] = sum[level] / count[level];
        }
    if (n == 0)
        return;
    fs_chart_series *q = fs_study_series(p, panel, axis->numeric ? FS_DRAW_LINE : FS_DRAW_RANGE,
                                         axis->numeric ? fs_study_colour_name(p->s, colour, k) : NULL, k);
    q->y = fs_values_reals(p->sheet, y, n);
    q->ends = axis->numeric;
    q->width = axis->numeric ? 1.8 : 2.6;
    if (axis->numeric)
        q->x = fs_values_reals(p->sheet, x, n);
    else {
        q->low = fs_values_reals(p->sheet, low, n);
        q->high = fs_values_reals(p->sheet, high, n);
    }
}

/* Of each level the best feasible point of a colour whose range over what is uncertain is known: it gets a bar. */
static void put_bars(fs_study_page *p, fs_panel *panel, size_t goal, size_t a, size_t colour, size_t k,
                     const double *x) {
    const fs_study *s = p->s;
    const fs_study_goal *g = &s->goal[goal];
    size_t *point = FS_NEW(p->arena, size_t, s->axis[a].levels + 1), count = 0;
    bool *has = FS_NEW(p->arena, bool, s->axis[a].levels + 1);
    double ends[2];
    for (size_t i = 0; i < g->feasible; i++) { /* the best first */
        const size_t q = g->order[i], level = s->axis[a].at[q];
        if (level == FS_STUDY_NONE || has[level] || !fs_study_has_colour(s, colour, k, q) ||
            !fs_study_ends(p, goal, q, ends))
            continue;
        has[level] = true;
        point[count++] = q;
    }
    fs_study_put_ranges(p, panel, goal, point, count, x, false);
}

static const char *axis_caption(const fs_study_page *p, size_t goal, size_t colour,
                                const fs_study_knees *knees) {
    const fs_study *s = p->s;
    return fs_arena_printf(p->arena, "%s%s; lines: means of those compared. Hollow: infeasible.%s%s",
                           colour == FS_STUDY_NONE ? "Dots: points" : "Dots: points, coloured by ",
                           colour == FS_STUDY_NONE ? "" : s->axis[colour].label,
                           s->robust == NULL ? "" : " Bars: the best of each over what is uncertain.",
                           knees->count == 0
                               ? ""
                               : fs_arena_printf(p->arena,
                                                 " Rings: the knee, %g times the %s with nothing in the way.",
                                                 knees->times, s->goal[goal].label));
}

static const char *axis_title(const fs_study_page *p, size_t goal, size_t a, size_t colour,
                              const fs_study_knees *knees) {
    const fs_study *s = p->s;
    const char *alone = fs_study_alone(s, &s->goal[goal].effect[a]);
    if (knees->count > 0)
        return fs_study_knee_says(s, knees, a, colour);
    return s->search != NULL || alone == NULL || s->axis[a].condition
               ? s->axis[a].label
               : fs_arena_printf(p->arena, "%s: all else equal %s", s->axis[a].label, alone);
}

const char *fs_study_axis_id(const fs_study_page *p, size_t goal, size_t a) {
    return fs_arena_printf(p->arena, "axis-%zu-%zu", goal, a);
}

void fs_study_put_axis(fs_study_page *p, size_t goal, size_t a) {
    const fs_study *s = p->s;
    const fs_study_axis *axis = &s->axis[a];
    const size_t points = s->sweep->point_count, colour = fs_study_colour_of(s, goal, a);
    const fs_study_knees knees = fs_study_knees_of(s, goal, a, colour);
    fs_chart *chart =
        fs_sheet_chart(p->sheet, fs_study_axis_id(p, goal, a), axis_title(p, goal, a, colour, &knees),
                       axis_caption(p, goal, colour, &knees));
    chart->half = true;
    fs_panel *panel = fs_chart_panel(p->sheet, chart, NULL);
    panel->x = level_axis(p, axis, knees.count > 0); /* a knee is where a curve turns: seen on even steps */
    panel->y = fs_study_goal_axis(p, goal, false);
    panel->tall = 272;
    double *x = FS_NEW(p->arena, double, points + 1), *y = FS_NEW(p->arena, double, points + 1);
    for (size_t i = 0; i < points; i++) {
        const size_t k = colour == FS_STUDY_NONE ? 0 : s->axis[colour].at[i];
        y[i] = fs_study_shown(p, goal, i);
        x[i] = axis->at[i] == FS_STUDY_NONE || k == FS_STUDY_NONE
                   ? (double)NAN
                   : (knees.count == 0 ? dot_place : place)(axis, axis->at[i], k,
                                                            fs_study_colours_of(s, colour));
    }
    for (size_t k = 0; k < fs_study_colours_of(s, colour); k++)
        put_bars(p, panel, goal, a, colour, k, x);
    fs_study_put_dots(p, panel, x, y, colour, !axis->numeric);
    for (size_t k = 0; k < fs_study_colours_of(s, colour); k++) {
        put_means(p, panel, goal, a, colour, k);
        if (knees.count > 0 && !isnan(knees.at[k]))
            fs_panel_mark(p->sheet, panel,
                          (fs_chart_mark){.kind = FS_MARK_RING,
                                          .x = knees.at[k],
                                          .y = knees.level[k] * p->scale[goal].factor,
                                          .colour = fs_arena_printf(p->arena, "series-%zu", k)});
    }
    if (knees.count > 0)
        fs_panel_mark(p->sheet, panel,
                      (fs_chart_mark){.kind = FS_MARK_ACROSS,
                                      .y = knees.alone * p->scale[goal].factor,
                                      .text = "with nothing in the way",
                                      .dash = 1});
    if (!axis->condition) /* what was asked at the baseline is at one place of it */
        fs_study_mark_baseline(p, panel, goal, false);
}
