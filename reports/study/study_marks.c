/* What the charts of a sweep share: scales of objectives, colours of values, dots of points, bars and the baseline. */
#include "reports/study/study_page.h"

#include <math.h>
#include <string.h>

double fs_study_shown(const fs_study_page *p, size_t goal, size_t point) {
    return p->s->goal[goal].value[point] * p->scale[goal].factor;
}

const char *fs_study_goal_name(const fs_study_page *p, size_t goal) {
    const char *unit = p->scale[goal].unit;
    return fs_arena_printf(p->arena, "%s%s%s", p->s->goal[goal].label, unit[0] == '\0' ? "" : ", ", unit);
}

/* ---- ranges ---- */

/* Of a goal over its points: logarithmic from a factor of 20 on; from 0 where the least is near it, unless `tight`: these
 * are dots, and what tells them apart is what one looks for. */
fs_axis fs_study_goal_axis(const fs_study_page *p, size_t goal, bool tight) {
    const fs_study_goal *g = &p->s->goal[goal];
    fs_axis r = {.label = fs_study_goal_name(p, goal), .low = INFINITY, .high = -INFINITY};
    for (size_t i = 0; i < p->s->sweep->point_count; i++)
        if (!isnan(g->value[i])) {
            r.low = fmin(r.low, fs_study_shown(p, goal, i));
            r.high = fmax(r.high, fs_study_shown(p, goal, i));
        }
    for (size_t i = 0; i < g->feasible && !tight; i++) { /* room for bars */
        double ends[2];
        if (!fs_study_ends(p, goal, g->order[i], ends))
            continue;
        r.low = fmin(r.low, ends[0] * p->scale[goal].factor);
        r.high = fmax(r.high, ends[1] * p->scale[goal].factor);
    }
    double all = r.high - r.low;
    r.log = r.low > 0 && r.high > 20 * r.low;
    if (!(all > 0))
        all = fabs(r.high) > 0 ? fabs(r.high) : 1;
    if (r.log) {
        r.low /= 1.25;
        r.high *= 1.25;
    } else {
        r.low = !tight && r.low >= 0 && r.low < 0.3 * r.high ? 0 : r.low - 0.08 * all;
        r.high += 0.06 * all;
    }
    return r;
}

const fs_values *fs_study_names_of(const fs_study_page *p, const fs_study_axis *axis) {
    const char **name = FS_NEW(p->arena, const char *, axis->levels);
    for (size_t k = 0; k < axis->levels; k++)
        name[k] = axis->level[k].value;
    return fs_values_words(p->sheet, name, axis->levels);
}

/* ---- colours ---- */

/* The axis that colours plots against `a`: the one that changes most of the others; FS_STUDY_NONE: none, or too many
 * values. */
size_t fs_study_colour_of(const fs_study *s, size_t goal, size_t a) {
    for (size_t i = 0; i < s->axes; i++) {
        size_t b = s->goal[goal].rank[i];
        if (b != a && s->axis[b].levels <= FS_STUDY_COLOURS)
            return b;
    }
    return FS_STUDY_NONE;
}

size_t fs_study_colours_of(const fs_study *s, size_t colour) {
    return colour == FS_STUDY_NONE ? 1 : s->axis[colour].levels;
}

bool fs_study_has_colour(const fs_study *s, size_t colour, size_t k, size_t point) {
    return colour == FS_STUDY_NONE || s->axis[colour].at[point] == k;
}

/* A number needs its axis: "per_batch 2". NULL: one colour needs no name. */
const char *fs_study_colour_name(const fs_study *s, size_t colour, size_t k) {
    if (colour == FS_STUDY_NONE)
        return NULL;
    const fs_study_axis *axis = &s->axis[colour];
    const char *dot = strrchr(axis->label, '.'), *value = axis->level[k].value;
    return axis->numeric ? fs_arena_printf(s->arena, "%s %s", dot == NULL ? axis->label : dot + 1, value)
                         : value;
}

fs_chart_series *fs_study_series(fs_study_page *p, fs_panel *panel, fs_draw as, const char *label, size_t k) {
    fs_chart_series *q = fs_panel_series(p->sheet, panel, as, label, NULL);
    q->colour = fs_arena_printf(p->arena, "series-%zu", k);
    return q;
}

/* ---- dots of points ---- */

void fs_study_put_dots(fs_study_page *p, fs_panel *panel, const double *x, const double *y, size_t colour,
                       bool named) {
    const fs_study *s = p->s;
    const size_t points = s->sweep->point_count;
    for (size_t k = 0; k < fs_study_colours_of(s, colour); k++) {
        double *dx = FS_NEW(p->arena, double, points), *dy = FS_NEW(p->arena, double, points);
        int64_t *at = FS_NEW(p->arena, int64_t, points), *hollow = FS_NEW(p->arena, int64_t, points);
        size_t n = 0;
        for (size_t i = 0; i < points; i++) {
            if (isnan(x[i]) || isnan(y[i]) || !fs_study_has_colour(s, colour, k, i))
                continue;
            dx[n] = x[i];
            dy[n] = y[i];
            hollow[n] = !s->sweep->points[i].feasible;
            at[n++] = (int64_t)i;
        }
        if (n == 0)
            continue;
        fs_chart_series *q =
            fs_study_series(p, panel, FS_DRAW_DOTS, named ? fs_study_colour_name(p->s, colour, k) : NULL, k);
        q->form = (unsigned)k % 4;
        q->x = fs_values_reals(p->sheet, dx, n);
        q->y = fs_values_reals(p->sheet, dy, n);
        q->hollow = fs_values_whole(p->sheet, hollow, n, 1);
        q->points = p->points;
        q->at = fs_values_whole(p->sheet, at, n, 1);
    }
}

void fs_study_put_ranges(fs_study_page *p, fs_panel *panel, size_t goal, const size_t *point, size_t count,
                         const double *at, bool lying) {
    double *place = FS_NEW(p->arena, double, count + 1), *low = FS_NEW(p->arena, double, count + 1),
           *high = FS_NEW(p->arena, double, count + 1), ends[2];
    size_t n = 0;
    for (size_t i = 0; i < count; i++) {
        if (!fs_study_ends(p, goal, point[i], ends))
            continue;
        place[n] = at[point[i]];
        low[n] = ends[0] * p->scale[goal].factor;
        high[n++] = ends[1] * p->scale[goal].factor;
    }
    if (n == 0)
        return;
    fs_chart_series *q = fs_panel_series(p->sheet, panel, FS_DRAW_RANGE, NULL, NULL);
    q->colour = "faint";
    q->width = 1;
    *(lying ? &q->y : &q->x) = fs_values_reals(p->sheet, place, n);
    q->low = fs_values_reals(p->sheet, low, n);
    q->high = fs_values_reals(p->sheet, high, n);
}

/* The baseline as a dotted line, across or upright. */
void fs_study_mark_baseline(fs_study_page *p, fs_panel *panel, size_t goal, bool upright) {
    const fs_study *s = p->s;
    const double at = s->baseline == FS_STUDY_NONE ? (double)NAN : fs_study_shown(p, goal, s->baseline);
    if (!isnan(at))
        fs_panel_mark(p->sheet, panel,
                      (fs_chart_mark){.kind = upright ? FS_MARK_UP : FS_MARK_ACROSS,
                                      .x = at,
                                      .y = at,
                                      .text = "baseline",
                                      .dash = 2});
}
