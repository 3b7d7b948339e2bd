/* What gnuplot draws for a sweep's page: data and a script for each picture, which loads sweep-axis.gp,
 * sweep-pair.gp or sweep-front.gp. */
#include "reports/study/study_pictures.h"
#include "sim/base/detmath.h"
#include "sim/base/numbers.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void put(fs_study_drawing *d, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void put(fs_study_drawing *d, const char *format, ...) {
    va_list args;
    va_start(args, format);
    fs_page_text_vprint(&d->text, format, args);
    va_end(args);
}

/* NAME = 'text' */
static void set(fs_study_drawing *d, const char *name, const char *text) {
    fs_plot_put_text(&d->text, d->p->arena, name, text);
}

/* Ends the file being written as FOLDER/NAME.ending. */
static fs_status save(fs_study_drawing *d, const char *name, const char *ending, fs_error *err) {
    return fs_page_text_save(&d->text, d->p->folder, name, ending, err);
}

double fs_study_shown(const fs_study_drawing *d, size_t goal, size_t point) {
    return d->p->s->goal[goal].value[point] * d->p->scale[goal].factor;
}

static const char *goal_name(const fs_study_drawing *d, size_t goal) {
    const char *unit = d->p->scale[goal].unit;
    return fs_arena_printf(d->p->arena, "%s%s%s", d->p->s->goal[goal].label, unit[0] == '\0' ? "" : ", ",
                           unit);
}

/* ---- ranges ---- */

typedef struct range {
    double low, high;
    bool log;
} range;

/* Of a goal over its points: logarithmic from a factor of 20 on; from 0 where the least is near it, unless
 * `tight`: these are dots, and what tells them apart is what one looks for. */
static range range_of(const fs_study_drawing *d, size_t goal, bool tight) {
    const fs_study_goal *g = &d->p->s->goal[goal];
    range r = {INFINITY, -INFINITY, false};
    for (size_t i = 0; i < d->p->s->sweep->point_count; i++)
        if (!isnan(g->value[i])) {
            double v = fs_study_shown(d, goal, i);
            r.low = v < r.low ? v : r.low;
            r.high = v > r.high ? v : r.high;
        }
    for (size_t i = 0; i < g->feasible && !tight; i++) { /* room for bars */
        double ends[2];
        if (!fs_study_ends(d->p, goal, g->order[i], ends))
            continue;
        const double low = ends[0] * d->p->scale[goal].factor, high = ends[1] * d->p->scale[goal].factor;
        r.low = low < r.low ? low : r.low;
        r.high = high > r.high ? high : r.high;
    }
    double all = r.high - r.low;
    r.log = r.low > 0 && r.high > 20 * r.low;
    if (r.log)
        return (range){r.low / 1.25, r.high * 1.25, true};
    if (!(all > 0))
        all = fabs(r.high) > 0 ? fabs(r.high) : 1;
    r.low = !tight && r.low >= 0 && r.low < 0.3 * r.high ? 0 : r.low - 0.08 * all;
    r.high += 0.06 * all;
    return r;
}

static void put_range(fs_study_drawing *d, char axis, range r) {
    put(d, "low_%c = %.9g\nhigh_%c = %.9g\nlog_%c = %d\n", axis, r.low, axis, r.high, axis, r.log);
}

/* ---- an objective against an axis ---- */

/* The axis that colours plots against `a`: the one with the largest share of the others; FS_STUDY_NONE: none,
 * or too many values. */
static size_t colour_of(const fs_study *s, size_t goal, size_t a) {
    for (size_t i = 0; i < s->axes; i++) {
        size_t b = s->goal[goal].rank[i];
        if (b != a && s->axis[b].levels <= FS_STUDY_COLOURS)
            return b;
    }
    return FS_STUDY_NONE;
}

static size_t colours_of(const fs_study *s, size_t colour) {
    return colour == FS_STUDY_NONE ? 1 : s->axis[colour].levels;
}

/* A number needs its axis: "per_batch 2". */
static const char *colour_name(const fs_study_drawing *d, const fs_study_axis *axis, size_t level) {
    const char *dot = strrchr(axis->label, '.'), *value = axis->level[level].value;
    if (axis->numeric)
        value = fs_arena_printf(d->p->arena, "%s %s", dot == NULL ? axis->label : dot + 1, value);
    return fs_plot_cut(d->p->arena, value, 22);
}

static void put_colours(fs_study_drawing *d, size_t colour) {
    size_t colours = colours_of(d->p->s, colour);
    put(d, "colours = %zu\narray colour_name[%zu] = [", colours, colours);
    for (size_t k = 0; k < colours; k++)
        put(d, "%s%s", k > 0 ? ", " : "",
            fs_plot_quoted(d->p->arena,
                           colour == FS_STUDY_NONE ? "points" : colour_name(d, &d->p->s->axis[colour], k)));
    put(d, "]\n");
}

/* Names beside the panel: each where its line ends, pushed apart where they would stand on each other. */
static void put_ends(fs_study_drawing *d, size_t colours, range y) {
    static const double APART = 0.065; /* of the panel's height: a line of letters */
    size_t order[FS_STUDY_COLOURS];
    double at[FS_STUDY_COLOURS];
    for (size_t k = 0; k < colours; k++) {
        const double v = isnan(d->end[k]) ? y.low : d->end[k];
        at[k] = y.log ? fs_log(v / y.low) / fs_log(y.high / y.low) : (v - y.low) / (y.high - y.low);
        size_t i = k;
        for (; i > 0 && at[order[i - 1]] > at[k]; i--)
            order[i] = order[i - 1];
        order[i] = k;
    }
    for (size_t i = 1; i < colours; i++)
        at[order[i]] = fmax(at[order[i]], at[order[i - 1]] + APART);
    double most = 1;
    for (size_t i = colours; i-- > 0; most = at[order[i]] - APART)
        at[order[i]] = fmin(at[order[i]], most);
    put(d, "array end_at[%zu] = [", colours);
    for (size_t k = 0; k < colours; k++)
        put(d, "%s%.4f", k > 0 ? ", " : "", at[k]);
    put(d, "]\n");
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

static void add_dot(fs_study_dots *d, double x, double y, size_t point) {
    json_array_append_new(d->x, json_real(x));
    json_array_append_new(d->y, json_real(y));
    json_array_append_new(d->at, json_integer((json_int_t)point));
}

static fs_study_dots no_dots(void) {
    return (fs_study_dots){json_array(), json_array(), json_array()};
}

/* Of each level the best feasible point of a colour whose range over what is uncertain is known: it gets a
 * bar. */
static size_t *barred(const fs_study_drawing *d, const fs_study_picture *q, size_t colour, size_t k) {
    const fs_study *s = d->p->s;
    const fs_study_axis *axis = &s->axis[q->a];
    const fs_study_goal *g = &s->goal[q->goal];
    size_t *point = FS_NEW(d->p->arena, size_t, axis->levels + 1);
    double ends[2];
    for (size_t level = 0; level < axis->levels; level++)
        point[level] = SIZE_MAX;
    for (size_t i = 0; i < g->feasible; i++) { /* the best first */
        const size_t p = g->order[i], level = axis->at[p];
        if (level != FS_STUDY_NONE && point[level] == SIZE_MAX &&
            (colour == FS_STUDY_NONE || s->axis[colour].at[p] == k) && fs_study_ends(d->p, q->goal, p, ends))
            point[level] = p;
    }
    return point;
}

/* The ends of a bar; none. */
static void put_bar(fs_study_drawing *d, size_t goal, size_t point, bool wanted) {
    double ends[2];
    if (wanted && fs_study_ends(d->p, goal, point, ends))
        put(d, "%.9g %.9g\n", ends[0] * d->p->scale[goal].factor, ends[1] * d->p->scale[goal].factor);
    else
        put(d, "nan nan\n");
}

static void put_axis_data(fs_study_drawing *d, fs_study_picture *q, size_t colour, bool aside) {
    const fs_study *s = d->p->s;
    const fs_study_axis *axis = &s->axis[q->a];
    size_t colours = colours_of(s, colour);
    double *sum = FS_NEW(d->p->arena, double, axis->levels),
           *count = FS_NEW(d->p->arena, double, axis->levels);
    for (size_t k = 0; k < colours; k++) {
        memset(sum, 0, axis->levels * sizeof *sum);
        memset(count, 0, axis->levels * sizeof *count);
        d->end[k] = NAN;
        const size_t *bar = barred(d, q, colour, k);
        put(d, "nan nan 1 nan nan\n"); /* gnuplot counts blocks that hold something */
        for (size_t i = 0; i < s->sweep->point_count; i++) {
            size_t level = axis->at[i];
            double y = fs_study_shown(d, q->goal, i);
            if (level == FS_STUDY_NONE || isnan(y) || (colour != FS_STUDY_NONE && s->axis[colour].at[i] != k))
                continue;
            double x = (aside ? dot_place : place)(axis, level, k, colours);
            put(d, "%.9g %.9g %d ", x, y, s->sweep->points[i].feasible);
            put_bar(d, q->goal, i, bar[level] == i);
            add_dot(&q->dots, x, y, i);
            if (!s->goal[q->goal].effect[q->a].compared[i])
                continue;
            sum[level] += y;
            count[level] += 1;
        }
        put(d, "\n\nnan nan\n");
        for (size_t level = 0; level < axis->levels; level++)
            if (count[level] > 0) {
                put(d, "%.9g %.9g\n", place(axis, level, k, colours), sum[level] / count[level]);
                d->end[k] = sum[level] / count[level];
            }
        put(d, "\n\n");
    }
}

/* set xtics ('quadtree' 0, ...). A tic's label is a format. */
static void put_tics(fs_study_drawing *d, char direction, const fs_study_axis *axis, bool numbers,
                     size_t most) {
    put(d, "set %ctics noenhanced %s(", direction,
        direction == 'x' && !numbers && axis->levels > 5 ? "rotate by -25 " : "");
    size_t step = numbers ? (axis->levels + 11) / 12 : 1;
    for (size_t k = 0; k < axis->levels; k += step)
        put(d, "%s%s %.9g", k > 0 ? ", " : "",
            fs_plot_quoted_format(d->p->arena, fs_plot_cut(d->p->arena, axis->level[k].value, most)),
            numbers ? axis->level[k].number : (double)k);
    put(d, ")\n");
}

/* "The knee lies at load 0.41 (buffer 4), 0.42 (buffer 8)". */
static const char *knee_words(const fs_study_drawing *d, const fs_study_knees *knees,
                              const fs_study_axis *axis, size_t colour) {
    const char *words = fs_arena_printf(d->p->arena, "The knee lies at %s", axis->label), *between = " ";
    for (size_t k = 0; k < colours_of(d->p->s, colour); k++) {
        if (isnan(knees->at[k]))
            continue;
        words = fs_arena_printf(d->p->arena, "%s%s%s", words, between, fs_number_short(knees->at[k], 3));
        if (colour != FS_STUDY_NONE)
            words = fs_arena_printf(d->p->arena, "%s (%s)", words, colour_name(d, &d->p->s->axis[colour], k));
        between = ", ";
    }
    return words;
}

static fs_status write_axis(fs_study_drawing *d, size_t goal, size_t a, fs_error *err) {
    const fs_study *s = d->p->s;
    const fs_study_axis *axis = &s->axis[a];
    const fs_study_goal *g = &s->goal[goal];
    const char *alone = fs_study_alone(s, &g->effect[a]);
    size_t colour = colour_of(s, goal, a);
    fs_study_picture *q = &d->picture[d->count++];
    *q = (fs_study_picture){.goal = goal, .a = a, .b = colour, .dots = no_dots()};
    snprintf(q->name, sizeof q->name, "axis-%zu-%zu", goal, a);
    fs_study_knees knees;
    if (fs_study_write_knees(d, q->name, goal, a, colour, &knees, err))
        return err->status;
    put_axis_data(d, q, colour, knees.count == 0);
    if (save(d, q->name, "dat", err))
        return err->status;
    const bool wide = axis->wide && knees.count == 0; /* a knee is where a curve turns: seen on even steps */
    double low = -0.5, high = (double)axis->levels - 0.5;
    if (axis->numeric) {
        low = axis->level[0].number;
        high = axis->level[axis->levels - 1].number;
        double space = 0.05 * (high - low);
        low = wide ? low / 1.15 : low - space;
        high = wide ? high * 1.15 : high + space;
    }
    put(d, "load 'style.gp'\nfile = '%s'\ndata = '%s.dat'\n", q->name, q->name);
    set(d, "words",
        knees.count > 0 ? knee_words(d, &knees, axis, colour)
        : s->search != NULL || alone == NULL
            ? axis->label
            : fs_arena_printf(d->p->arena, "%s: all else equal %s", axis->label, alone));
    set(d, "more",
        fs_arena_printf(d->p->arena, "%s%s; lines: means of those compared. Hollow: infeasible.%s%s",
                        colour == FS_STUDY_NONE ? "Dots: points" : "Dots: points, coloured by ",
                        colour == FS_STUDY_NONE ? "" : s->axis[colour].label,
                        s->robust == NULL ? "" : " Bars: the best of each over what is uncertain.",
                        knees.count == 0
                            ? ""
                            : fs_arena_printf(d->p->arena,
                                              " Rings: the knee, %g times the %s with nothing in the way.",
                                              knees.times, g->label)));
    set(d, "x_name", fs_plot_cut(d->p->arena, axis->label, 70));
    set(d, "y_name", goal_name(d, goal));
    put_range(d, 'x', (range){low, high, wide});
    const range y = range_of(d, goal, false);
    put_range(d, 'y', y);
    put_colours(d, colour);
    put_ends(d, colours_of(s, colour), y);
    put(d, "joined = %d\nknees = %zu\n", axis->numeric, knees.count);
    if (knees.count == 0)
        put_tics(d, 'x', axis, axis->numeric, axis->levels > 6 ? 12 : 16);
    fs_study_put_baseline(d, 'y', goal);
    put(d, "load 'sweep-axis.gp'\n");
    return save(d, q->name, "gp", err);
}

/* ---- pairs of axes ---- */

static fs_status write_pair(fs_study_drawing *d, size_t goal, const fs_study_pair *pair, fs_error *err) {
    const fs_study *s = d->p->s;
    /* More columns than rows: cells are wider than tall. */
    bool turned = s->axis[pair->a].levels > s->axis[pair->b].levels;
    size_t a = turned ? pair->b : pair->a, b = turned ? pair->a : pair->b; /* rows, columns */
    const fs_study_axis *rows = &s->axis[a], *cols = &s->axis[b];
    const fs_study_goal *g = &s->goal[goal];
    double low = INFINITY, high = -INFINITY;
    fs_study_picture *q = &d->picture[d->count++];
    *q = (fs_study_picture){.goal = goal, .a = a, .b = b};
    json_t *x = json_array(), *y = json_array(), *labels = json_array(), *best = json_array();
    snprintf(q->name, sizeof q->name, "pair-%zu-%zu-%zu", goal, pair->a, pair->b);
    put(d, "nan nan nan -\n");
    for (size_t r = 0; r < rows->levels; r++)
        for (size_t c = 0; c < cols->levels; c++) {
            size_t point = fs_study_best_at(s, goal, a, r, b, c);
            double v = point == FS_STUDY_NONE ? (double)NAN : fs_study_shown(d, goal, point);
            if (point != FS_STUDY_NONE) {
                low = v < low ? v : low;
                high = v > high ? v : high;
                put(d, "%zu %zu %.9g %s\n", c, r, v, fs_number_short(v, 3));
            }
            json_array_append_new(x, json_integer((json_int_t)c));
            json_array_append_new(y, json_integer((json_int_t)r));
            json_array_append_new(best, isnan(v) ? json_string("none") : json_real(v));
            json_array_append_new(
                labels, json_string(point == FS_STUDY_NONE
                                        ? fs_arena_printf(d->p->arena, "%s = %s, %s = %s: no feasible point",
                                                          rows->label, rows->level[r].value, cols->label,
                                                          cols->level[c].value)
                                        : fs_study_settings(s, point)));
        }
    q->data =
        json_pack("{s:o, s:o, s:o, s:[{s:s, s:s, s:o, s:s}]}", "x", x, "y", y, "labels", labels, "layers",
                  "what", g->label, "unit", d->p->scale[goal].unit, "values", best, "none", "none");
    if (save(d, q->name, "dat", err))
        return err->status;
    bool log = low > 0 && high > 20 * low;
    put(d, "load 'style.gp'\nfile = '%s'\ndata = '%s.dat'\ncols = %zu\nrows = %zu\n", q->name, q->name,
        cols->levels, rows->levels);
    set(d, "words",
        fs_arena_printf(d->p->arena, "%s and %s: together %s of the spread", s->axis[pair->a].label,
                        s->axis[pair->b].label, fs_study_share(s, pair->share)));
    set(d, "more",
        fs_arena_printf(d->p->arena,
                        "In each cell the best of the feasible points (%s), whatever the other axes are. "
                        "Grey: none.%s",
                        goal_name(d, goal),
                        pair->interaction > 0.03
                            ? fs_arena_printf(d->p->arena, " Their combination alone explains %s.",
                                              fs_study_share(s, pair->interaction))
                            : ""));
    set(d, "x_name", fs_plot_cut(d->p->arena, cols->label, 60));
    set(d, "y_name", fs_plot_cut(d->p->arena, rows->label, 60));
    set(d, "unit", d->p->scale[goal].unit);
    put(d, "low = %.9g\nhigh = %.9g\nlog_c = %d\nreverse = %d\nwritten = %d\n", low,
        high > low ? high : low + 1, log, g->larger, cols->levels <= 9);
    put_tics(d, 'x', cols, false, 12);
    put_tics(d, 'y', rows, false, 19);
    put(d, "load 'sweep-pair.gp'\n");
    return save(d, q->name, "gp", err);
}

/* ---- fronts ---- */

/* The range of each member of the front over what is uncertain, where that was asked: x, y, and the ends of
 * both. */
static fs_status write_bars(fs_study_drawing *d, const char *name, size_t a, size_t b, const size_t *front,
                            size_t count, fs_error *err) {
    put(d, "nan nan nan nan nan nan\n");
    for (size_t i = 0; i < count; i++) {
        double x[2], y[2];
        if (fs_study_ends(d->p, a, front[i], x) && fs_study_ends(d->p, b, front[i], y))
            put(d, "%.9g %.9g %.9g %.9g %.9g %.9g\n", fs_study_shown(d, a, front[i]),
                fs_study_shown(d, b, front[i]), x[0] * d->p->scale[a].factor, x[1] * d->p->scale[a].factor,
                y[0] * d->p->scale[b].factor, y[1] * d->p->scale[b].factor);
    }
    return save(d, name, "bars", err);
}

static fs_status write_front(fs_study_drawing *d, size_t a, size_t b, fs_error *err) {
    const fs_study *s = d->p->s;
    size_t count = 0, *front = fs_study_front(s, a, b, &count), colour = colour_of(s, a, FS_STUDY_NONE);
    fs_study_picture *q = &d->picture[d->count++];
    *q = (fs_study_picture){.goal = a, .a = a, .b = b, .dots = no_dots()};
    snprintf(q->name, sizeof q->name, "front-%zu-%zu", a, b);
    for (size_t k = 0; k < colours_of(s, colour); k++) {
        put(d, "nan nan 1\n");
        for (size_t i = 0; i < s->sweep->point_count; i++) {
            double x = fs_study_shown(d, a, i), y = fs_study_shown(d, b, i);
            if (isnan(x) || isnan(y) || (colour != FS_STUDY_NONE && s->axis[colour].at[i] != k))
                continue;
            put(d, "%.9g %.9g %d\n", x, y, s->sweep->points[i].feasible);
            add_dot(&q->dots, x, y, i);
        }
        put(d, "\n\n");
    }
    if (save(d, q->name, "dat", err))
        return err->status;
    put(d, "nan nan\n");
    for (size_t i = 0; i < count; i++)
        put(d, "%.9g %.9g\n", fs_study_shown(d, a, front[i]), fs_study_shown(d, b, front[i]));
    if (save(d, q->name, "members", err))
        return err->status;
    put(d, "nan nan\n");
    for (size_t i = 0; i < count; i++) { /* between two points one gets what the first gives in b */
        if (i > 0)
            put(d, "%.9g %.9g\n", fs_study_shown(d, a, front[i]), fs_study_shown(d, b, front[i - 1]));
        put(d, "%.9g %.9g\n", fs_study_shown(d, a, front[i]), fs_study_shown(d, b, front[i]));
    }
    if (save(d, q->name, "edge", err))
        return err->status;
    if (write_bars(d, q->name, a, b, front, count, err))
        return err->status;
    put(d,
        "load 'style.gp'\nfile = '%s'\ndata = '%s.dat'\nedge = '%s.edge'\nmembers = '%s.members'\nbars = "
        "'%s.bars'\n",
        q->name, q->name, q->name, q->name, q->name);
    set(d, "words",
        fs_arena_printf(d->p->arena, "%s (%s is better) against %s (%s is better)", s->goal[a].label,
                        s->goal[a].larger ? "larger" : "smaller", s->goal[b].label,
                        s->goal[b].larger ? "larger" : "smaller"));
    set(d, "more",
        fs_arena_printf(d->p->arena,
                        "All finished points%s%s; hollow ones are infeasible. The line: the trade-off "
                        "for what one gives of the other.%s",
                        colour == FS_STUDY_NONE ? "" : ", coloured by ",
                        colour == FS_STUDY_NONE ? "" : s->axis[colour].label,
                        s->robust == NULL ? "" : " Bars: the range over what is uncertain."));
    fs_study_put_baseline(d, 'x', a);
    fs_study_put_baseline(d, 'y', b);
    set(d, "x_name", goal_name(d, a));
    set(d, "y_name", goal_name(d, b));
    put_range(d, 'x', range_of(d, a, true));
    put_range(d, 'y', range_of(d, b, true));
    put_colours(d, colour);
    put(d, "load 'sweep-front.gp'\n");
    return save(d, q->name, "gp", err);
}

/* ---- all of them ---- */

/* Those pairs that explain most; not one whose other axis adds nothing, as it would show the first again. */
static fs_status write_pairs(fs_study_drawing *d, size_t goal, fs_error *err) {
    enum { MOST_LEVELS = 40 };
    const fs_study *s = d->p->s;
    size_t pairs = 0, drawn = 0;
    const fs_study_pair *pair = fs_study_pairs(s, goal, &pairs);
    for (size_t i = 0; i < pairs && drawn < FS_STUDY_PAIRS && s->goal[goal].feasible > 0; i++) {
        bool tells = pair[i].share - s->goal[goal].effect[pair[i].a].share > 0.002;
        if ((!tells && pairs > 1) || s->axis[pair[i].a].levels > MOST_LEVELS ||
            s->axis[pair[i].b].levels > MOST_LEVELS)
            continue;
        if (write_pair(d, goal, &pair[i], err))
            return err->status;
        drawn++;
    }
    return FS_OK;
}

size_t fs_study_drawn_axes(const fs_study_page *p) {
    enum { MOST_DOTS = 16000 }; /* of all plots; about 110 bytes of the page each */
    size_t most = MOST_DOTS / (p->s->sweep->point_count * p->goals + 1);
    most = most < 2 ? 2 : most > FS_STUDY_AXES ? FS_STUDY_AXES : most;
    return most < p->s->axes ? most : p->s->axes;
}

fs_status fs_study_write_pictures(fs_study_drawing *d, fs_error *err) {
    const fs_study *s = d->p->s;
    for (size_t g = 0; g < d->p->goals; g++) {
        for (size_t i = 0; i < fs_study_drawn_axes(d->p); i++)
            if (s->goal[g].count > 0 && write_axis(d, g, s->goal[g].rank[i], err))
                return err->status;
        if (s->search == NULL && write_pairs(d, g, err))
            return err->status;
    }
    for (size_t b = 1; b < d->p->goals && b < 3; b++)
        for (size_t a = 0; a < b; a++) {
            size_t count = 0;
            fs_study_front(s, a, b, &count);
            if (count > 0 && write_front(d, a, b, err))
                return err->status;
        }
    return fs_study_write_search(d, err);
}
