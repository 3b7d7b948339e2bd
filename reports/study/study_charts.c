/* The charts of a sweep's page: the best of each two values, what trades against what, and which stands where. */
#include "reports/study/study_page.h"
#include "sim/base/numbers.h"

#include <math.h>
#include <string.h>

/* ---- pairs of axes ---- */

static const char *pair_caption(const fs_study_page *p, size_t goal, const fs_study_pair *pair) {
    return fs_arena_printf(
        p->arena,
        "In each cell the best of the feasible points (%s), whatever the other axes are. Grey: none.%s",
        fs_study_goal_name(p, goal),
        pair->interaction > 0.03 ? fs_arena_printf(p->arena, " Their combination alone explains %s.",
                                                   fs_study_share(p->s, pair->interaction))
                                 : "");
}

static void put_pair(fs_study_page *p, size_t goal, const fs_study_pair *pair) {
    const fs_study *s = p->s;
    /* More columns than rows: cells are wider than tall. */
    const bool turned = s->axis[pair->a].levels > s->axis[pair->b].levels;
    const size_t a = turned ? pair->b : pair->a, b = turned ? pair->a : pair->b; /* rows, columns */
    const fs_study_axis *rows = &s->axis[a], *cols = &s->axis[b];
    const size_t cells = rows->levels * cols->levels;
    double *x = FS_NEW(p->arena, double, cells), *y = FS_NEW(p->arena, double, cells),
           *value = FS_NEW(p->arena, double, cells), low = INFINITY, high = -INFINITY;
    const char **text = FS_NEW(p->arena, const char *, cells), **name = FS_NEW(p->arena, const char *, cells);
    for (size_t i = 0; i < cells; i++) {
        const size_t r = i / cols->levels, c = i % cols->levels,
                     point = fs_study_best_at(s, goal, a, r, b, c);
        const bool any = point != FS_STUDY_NONE;
        x[i] = (double)c;
        y[i] = (double)r;
        value[i] = any ? fs_study_shown(p, goal, point) : (double)NAN;
        low = fmin(low, value[i]);
        high = fmax(high, value[i]);
        text[i] = any && cols->levels <= 9 ? fs_arena_strdup(p->arena, fs_number_short(value[i], 3)) : NULL;
        name[i] = any ? fs_study_settings(s, point)
                      : fs_arena_printf(p->arena, "%s = %s, %s = %s: no feasible point", rows->label,
                                        rows->level[r].value, cols->label, cols->level[c].value);
    }
    fs_chart *chart = fs_sheet_chart(
        p->sheet, fs_arena_printf(p->arena, "pair-%zu-%zu-%zu", goal, pair->a, pair->b),
        s->axis[pair->a].condition || s->axis[pair->b].condition
            ? fs_arena_printf(p->arena, "%s and %s", s->axis[pair->a].label, s->axis[pair->b].label)
            : fs_arena_printf(p->arena, "%s and %s: together %s of the spread", s->axis[pair->a].label,
                              s->axis[pair->b].label, fs_study_share(s, pair->share)),
        pair_caption(p, goal, pair));
    chart->half = true;
    fs_panel *panel = fs_chart_panel(p->sheet, chart, NULL);
    panel->x = (fs_axis){.label = cols->label,
                         .low = -0.5,
                         .high = (double)cols->levels - 0.5,
                         .names = fs_study_names_of(p, cols)};
    panel->y = (fs_axis){.label = rows->label,
                         .low = -0.5,
                         .high = (double)rows->levels - 0.5,
                         .names = fs_study_names_of(p, rows),
                         .down = true};
    panel->colour = (fs_axis){.label = fs_study_goal_name(p, goal),
                              .low = low,
                              .high = high > low ? high : low + 1,
                              .log = low > 0 && high > 20 * low};
    panel->colours = s->goal[goal].larger ? FS_COLOURS_VALUE : FS_COLOURS_REVERSE;
    panel->tall = (double)rows->levels * (rows->levels > 8 ? 28 : 36);
    fs_chart_series *q =
        fs_panel_series(p->sheet, panel, FS_DRAW_CELLS, s->goal[goal].label, p->scale[goal].unit);
    q->x = fs_values_reals(p->sheet, x, cells);
    q->y = fs_values_reals(p->sheet, y, cells);
    q->value = fs_values_reals(p->sheet, value, cells);
    q->texts = fs_values_words(p->sheet, text, cells);
    q->names = fs_values_words(p->sheet, name, cells);
}

/* Those pairs that explain most; not one whose other axis adds nothing, as it would show the first again. */
static size_t pairs_of(const fs_study_page *p, size_t goal, const fs_study_pair **drawn) {
    enum { MOST_LEVELS = 40 };
    const fs_study *s = p->s;
    size_t pairs = 0, count = 0;
    const fs_study_pair *pair = fs_study_pairs(s, goal, &pairs);
    for (size_t i = 0; i < pairs && count < FS_STUDY_PAIRS && s->goal[goal].feasible > 0; i++) {
        bool tells = pair[i].share - s->goal[goal].effect[pair[i].a].share > 0.002;
        if ((tells || pairs == 1) && s->axis[pair[i].a].levels <= MOST_LEVELS &&
            s->axis[pair[i].b].levels <= MOST_LEVELS)
            drawn[count++] = &pair[i];
    }
    return count;
}

/* ---- fronts ---- */

static const char *front_id(const fs_study_page *p, size_t a, size_t b) {
    return fs_arena_printf(p->arena, "front-%zu-%zu", a, b);
}

/* Between two members one gets what the first gives in b. */
static void put_edge(fs_study_page *p, fs_panel *panel, const double *x, const double *y, const size_t *front,
                     size_t count) {
    double *ex = FS_NEW(p->arena, double, 2 * count), *ey = FS_NEW(p->arena, double, 2 * count),
           *mx = FS_NEW(p->arena, double, count), *my = FS_NEW(p->arena, double, count);
    size_t n = 0;
    for (size_t i = 0; i < count; i++) {
        mx[i] = ex[n] = x[front[i]];
        my[i] = y[front[i]];
        if (i > 0)
            ey[n++] = y[front[i - 1]];
        ex[n] = mx[i];
        ey[n++] = my[i];
    }
    fs_chart_series *edge = fs_panel_series(p->sheet, panel, FS_DRAW_LINE, "the front", NULL);
    edge->colour = "ink";
    edge->x = fs_values_reals(p->sheet, ex, n);
    edge->y = fs_values_reals(p->sheet, ey, n);
    fs_chart_series *members = fs_panel_series(p->sheet, panel, FS_DRAW_DOTS, NULL, NULL);
    members->colour = "ink";
    members->size = 5.5;
    members->x = fs_values_reals(p->sheet, mx, count);
    members->y = fs_values_reals(p->sheet, my, count);
    members->hollow = fs_values_steps(p->sheet, 1, 0, count);
}

static void draw_front(fs_study_page *p, size_t a, size_t b) {
    const fs_study *s = p->s;
    const size_t points = s->sweep->point_count, colour = fs_study_colour_of(s, a, FS_STUDY_NONE);
    size_t count = 0, *front = fs_study_front(s, a, b, &count);
    fs_chart *chart = fs_sheet_chart(
        p->sheet, front_id(p, a, b),
        fs_arena_printf(p->arena, "%s (%s is better) against %s (%s is better)", s->goal[a].label,
                        s->goal[a].larger ? "larger" : "smaller", s->goal[b].label,
                        s->goal[b].larger ? "larger" : "smaller"),
        fs_arena_printf(
            p->arena,
            "All finished points%s%s; hollow ones are infeasible. The line: the trade-off for what "
            "one gives of the other.%s",
            colour == FS_STUDY_NONE ? "" : ", coloured by ",
            colour == FS_STUDY_NONE ? "" : s->axis[colour].label,
            s->robust == NULL ? "" : " Bars: the range over what is uncertain."));
    fs_panel *panel = fs_chart_panel(p->sheet, chart, NULL);
    panel->x = fs_study_goal_axis(p, a, true);
    panel->y = fs_study_goal_axis(p, b, true);
    panel->tall = 330;
    double *x = FS_NEW(p->arena, double, points + 1), *y = FS_NEW(p->arena, double, points + 1);
    for (size_t i = 0; i < points; i++) {
        x[i] = fs_study_shown(p, a, i);
        y[i] = fs_study_shown(p, b, i);
    }
    fs_study_put_ranges(p, panel, b, front, count, x, false);
    fs_study_put_ranges(p, panel, a, front, count, y, true);
    put_edge(p, panel, x, y, front, count);
    fs_study_put_dots(p, panel, x, y, colour, true);
    fs_study_mark_baseline(p, panel, a, true);
    fs_study_mark_baseline(p, panel, b, false);
}

/* Whether values of both goals differ over the front. */
static bool trades(const fs_study_page *p, size_t a, size_t b) {
    const fs_study_goal *g = &p->s->goal[a];
    size_t count = 0, *front = fs_study_front(p->s, a, b, &count);
    return count > 1 && fabs(g->value[front[0]] - g->value[front[count - 1]]) > 0;
}

/* A front of one place: there is nothing to draw. */
static void say_best_in_both(fs_study_page *p, size_t a, size_t b) {
    const fs_study *s = p->s;
    size_t count = 0, *front = fs_study_front(s, a, b, &count);
    const size_t first = front[0];
    fs_sheet_say(
        p->sheet,
        "%s and %s do not compete: %s is best in both, with %s and %s%s; its run page: <code>%s</code>",
        s->goal[a].label, s->goal[b].label, fs_study_settings(s, first), fs_study_value(s, a, first),
        fs_study_value(s, b, first),
        count == 1 ? "" : fs_arena_printf(p->arena, " (and %zu more points with the same)", count - 1),
        fs_study_command(p, first));
}

/* ---- the first screen, and the sections ---- */

/* How many axes are drawn against each goal: all, unless a sweep has so many points that the page would grow out of hand. */
static size_t drawn_axes(const fs_study_page *p) {
    enum { MOST_DOTS = 16000 }; /* of all plots */
    size_t most = MOST_DOTS / (p->s->sweep->point_count * p->goals + 1);
    most = most < 2 ? 2 : most > FS_STUDY_AXES ? FS_STUDY_AXES : most;
    return most < p->s->axes ? most : p->s->axes;
}

/* The pairs of objectives that have a front, in their order; false: there are no more. */
static bool next_front(const fs_study_page *p, size_t *a, size_t *b) {
    size_t count = 0;
    for (++*a; *b < p->goals && *b < 3; ++*a) {
        if (*a >= *b) {
            ++*b;
            *a = SIZE_MAX;
            continue;
        }
        fs_study_front(p->s, *a, *b, &count);
        if (count > 0)
            return true;
    }
    return false;
}

void fs_study_put_sight(fs_study_page *p) {
    const fs_study *s = p->s;
    for (size_t a = 0; a < s->axes && p->goals > 0; a++) /* what is asked of it, first of all */
        if (s->axis[a].condition && s->axis[a].numeric && s->goal[0].count > 0) {
            p->sight = fs_study_axis_id(p, 0, a);
            fs_study_put_axis(p, 0, a);
            return;
        }
    for (size_t a = SIZE_MAX, b = 1; next_front(p, &a, &b);)
        if (trades(p, a, b)) {
            p->sight = front_id(p, a, b);
            draw_front(p, a, b);
            return;
        }
    if (p->goals > 0 && s->axes > 0 && s->goal[0].count > 0) {
        p->sight = fs_study_axis_id(p, 0, s->goal[0].rank[0]);
        fs_study_put_axis(p, 0, s->goal[0].rank[0]);
    }
}

static bool on_top(const fs_study_page *p, const char *id) {
    return p->sight != NULL && strcmp(p->sight, id) == 0;
}

static bool has_values(const fs_study_page *p, size_t goal) {
    return p->s->goal[goal].count > 0;
}

static void put_axes(fs_study_page *p, size_t goal) {
    fs_sheet_box(p->sheet, "figures-2 small", NULL);
    for (size_t i = 0; i < drawn_axes(p); i++) {
        const size_t a = p->s->goal[goal].rank[i];
        if (on_top(p, fs_study_axis_id(p, goal, a)))
            fs_sheet_note(p->sheet, "%s: <a href=\"#%s\">on the first screen</a>.", p->s->axis[a].label,
                          p->sight);
        else
            fs_study_put_axis(p, goal, a);
    }
    fs_sheet_end(p->sheet);
}

static bool has_pairs(const fs_study_page *p, size_t goal) {
    const fs_study_pair *pair[FS_STUDY_PAIRS];
    return pairs_of(p, goal, pair) > 0;
}

static void put_pairs(fs_study_page *p, size_t goal) {
    const fs_study_pair *pair[FS_STUDY_PAIRS];
    const size_t count = pairs_of(p, goal, pair);
    fs_sheet_box(p->sheet, "figures-2 small", NULL);
    for (size_t i = 0; i < count; i++)
        put_pair(p, goal, pair[i]);
    fs_sheet_end(p->sheet);
}

static void put_fronts(fs_study_page *p) {
    size_t fronts = 0;
    fs_sheet_section(p->sheet, "front", "What trades against what",
                     "objectives against each other, and the points that no other point dominates");
    for (size_t a = SIZE_MAX, b = 1; next_front(p, &a, &b); fronts++) {
        if (!trades(p, a, b)) {
            say_best_in_both(p, a, b);
            continue;
        }
        if (!on_top(p, front_id(p, a, b)))
            draw_front(p, a, b);
        fs_study_put_front(p, a, b);
    }
    if (fronts == 0)
        fs_sheet_note(p->sheet, p->goals < 2 ? "A front needs two objectives; this sweep has one."
                                             : "No feasible point has two of the objectives.");
}

void fs_study_put_charts(fs_study_page *p) {
    fs_study_put_search(p);
    fs_sheet_section(p->sheet, "axes", "Each axis", "every objective against every axis");
    if (p->s->axes > drawn_axes(p))
        fs_sheet_note(p->sheet, "The %zu axes of %zu that change most are drawn.", drawn_axes(p), p->s->axes);
    fs_study_by_goal(p, "axes-choice", has_values, put_axes);
    if (p->s->axes > 1 && p->s->search == NULL) {
        fs_sheet_section(p->sheet, "pairs", "Two axes at a time", "the best of each two values");
        fs_study_by_goal(p, "pairs-choice", has_pairs, put_pairs);
    }
    put_fronts(p);
}
