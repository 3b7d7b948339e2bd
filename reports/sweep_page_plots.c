/* The sections of a sweep's page that hold plots: what gnuplot draws, and what lies under the pointer. */
#include "reports/page_file.h"
#include "reports/sweep_page.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME = 32 };

typedef struct dots {
    json_t *x, *y, *at; /* a dot of point at[i] */
} dots;

typedef struct picture {
    char name[NAME];
    dots dots;    /* of axes and fronts */
    json_t *data; /* of pairs */
    size_t goal, a, b;
} picture;

typedef struct drawing {
    fs_sweep_page *p;
    picture *picture;
    size_t count;
    fs_text text; /* of the file being written */
} drawing;

static void put(drawing *d, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void put(drawing *d, const char *format, ...) {
    char line[1024];
    va_list args;
    va_start(args, format);
    int length = vsnprintf(line, sizeof line, format, args);
    va_end(args);
    fs_text_add(&d->text, line, length < (int)sizeof line ? (size_t)length : sizeof line - 1);
}

/* Ends the file being written as FOLDER/NAME.ending. */
static fs_status save(drawing *d, const char *name, const char *ending, fs_error *err) {
    const char *path = fs_arena_printf(d->p->arena, "%s/%s.%s", d->p->folder, name, ending);
    fs_status status = fs_page_save(path, d->text.text == NULL ? "" : d->text.text, d->text.used, err);
    d->text.used = 0;
    return status;
}

/* A text between single quotes of gnuplot, in which a quote is doubled. */
static const char *quoted(fs_arena *arena, const char *text) {
    size_t n = 0;
    char *out = FS_NEW(arena, char, 2 * strlen(text) + 3);
    out[n++] = '\'';
    for (; *text != '\0'; text++) {
        if (*text == '\'')
            out[n++] = '\'';
        out[n++] = *text == '\n' || *text == '\t' ? ' ' : *text;
    }
    out[n++] = '\'';
    return out;
}

static const char *cut(fs_arena *arena, const char *text, size_t most) {
    size_t length = strlen(text), bytes = most;
    if (length <= most)
        return text;
    while (bytes > 0 && ((unsigned char)text[bytes] & 0xc0) == 0x80) /* no character in halves */
        bytes--;
    return fs_arena_printf(arena, "%.*s\xe2\x80\xa6", (int)bytes, text);
}

static double shown(const drawing *d, size_t goal, size_t point) {
    return d->p->s->goal[goal].value[point] * d->p->scale[goal].factor;
}

static const char *goal_name(const drawing *d, size_t goal) {
    const char *unit = d->p->scale[goal].unit;
    return fs_arena_printf(d->p->arena, "%s%s%s", d->p->s->goal[goal].figure, unit[0] == '\0' ? "" : ", ",
                           unit);
}

/* ---- ranges ---- */

typedef struct range {
    double low, high;
    bool log;
} range;

/* Of a goal over its points: logarithmic from a factor of 20 on; from 0 unless all lie close together, or
 * `tight`. */
static range range_of(const drawing *d, size_t goal, bool tight) {
    const fs_sweep_goal *g = &d->p->s->goal[goal];
    range r = {INFINITY, -INFINITY, false};
    for (size_t i = 0; i < d->p->s->sweep->point_count; i++)
        if (!isnan(g->value[i])) {
            double v = shown(d, goal, i);
            r.low = v < r.low ? v : r.low;
            r.high = v > r.high ? v : r.high;
        }
    double all = r.high - r.low;
    r.log = r.low > 0 && r.high > 20 * r.low;
    if (r.log)
        return (range){r.low / 1.25, r.high * 1.25, true};
    if (!(all > 0))
        all = fabs(r.high) > 0 ? fabs(r.high) : 1;
    r.low = !tight && r.low >= 0 && r.low < 0.6 * r.high ? 0 : r.low - 0.08 * all;
    r.high += 0.06 * all;
    return r;
}

static void put_range(drawing *d, char axis, range r) {
    put(d, "low_%c = %.9g\nhigh_%c = %.9g\nlog_%c = %d\n", axis, r.low, axis, r.high, axis, r.log);
}

/* ---- an objective against an axis ---- */

/* The axis that colours plots against `a`: the one with the largest share of the others; FS_SWEEP_NONE: none,
 * or too many values. */
static size_t colour_of(const fs_sweep *s, size_t goal, size_t a) {
    for (size_t i = 0; i < s->axes; i++) {
        size_t b = s->goal[goal].rank[i];
        if (b != a && s->axis[b].levels <= FS_SWEEP_COLOURS)
            return b;
    }
    return FS_SWEEP_NONE;
}

static size_t colours_of(const fs_sweep *s, size_t colour) {
    return colour == FS_SWEEP_NONE ? 1 : s->axis[colour].levels;
}

static void put_colours(drawing *d, size_t colour) {
    size_t colours = colours_of(d->p->s, colour);
    put(d, "colours = %zu\narray colour_name[%zu] = [", colours, colours);
    for (size_t k = 0; k < colours; k++)
        put(d, "%s%s", k > 0 ? ", " : "",
            colour == FS_SWEEP_NONE
                ? "'points'"
                : quoted(d->p->arena, cut(d->p->arena, d->p->s->axis[colour].level[k].value, 22)));
    put(d, "]\n");
}

/* Where a point stands on an axis: words side by side, shifted by colour. */
static double place(const fs_sweep_axis *axis, size_t level, size_t colour, size_t colours) {
    if (axis->numeric)
        return axis->level[level].number;
    return (double)level + (colours < 2 ? 0 : 0.6 * ((double)colour / (double)(colours - 1) - 0.5));
}

static void add_dot(dots *d, double x, double y, size_t point) {
    json_array_append_new(d->x, json_real(x));
    json_array_append_new(d->y, json_real(y));
    json_array_append_new(d->at, json_integer((json_int_t)point));
}

static dots no_dots(void) {
    return (dots){json_array(), json_array(), json_array()};
}

static void put_axis_data(drawing *d, picture *q, size_t colour) {
    const fs_sweep *s = d->p->s;
    const fs_sweep_axis *axis = &s->axis[q->a];
    size_t colours = colours_of(s, colour);
    double *sum = FS_NEW(d->p->arena, double, axis->levels),
           *count = FS_NEW(d->p->arena, double, axis->levels);
    for (size_t k = 0; k < colours; k++) {
        memset(sum, 0, axis->levels * sizeof *sum);
        memset(count, 0, axis->levels * sizeof *count);
        put(d, "nan nan 1\n"); /* gnuplot counts blocks that hold something */
        for (size_t i = 0; i < s->sweep->point_count; i++) {
            size_t level = axis->at[i];
            double y = shown(d, q->goal, i);
            if (level == FS_SWEEP_NONE || isnan(y) || (colour != FS_SWEEP_NONE && s->axis[colour].at[i] != k))
                continue;
            double x = place(axis, level, k, colours);
            put(d, "%.9g %.9g %d\n", x, y, s->sweep->points[i].feasible);
            add_dot(&q->dots, x, y, i);
            sum[level] += y;
            count[level] += 1;
        }
        put(d, "\n\nnan nan\n");
        for (size_t level = 0; level < axis->levels; level++)
            if (count[level] > 0)
                put(d, "%.9g %.9g\n", place(axis, level, k, colours), sum[level] / count[level]);
        put(d, "\n\n");
    }
}

/* "set xtics ('quadtree' 0, ...)". */
static void put_tics(drawing *d, const char *variable, char direction, const fs_sweep_axis *axis,
                     bool numbers, size_t most) {
    put(d, "%s = \"set %ctics %s(", variable, direction,
        direction == 'x' && !numbers && axis->levels > 5 ? "rotate by -25 " : "");
    size_t step = numbers ? (axis->levels + 11) / 12 : 1;
    for (size_t k = 0; k < axis->levels; k += step) {
        const char *word = quoted(d->p->arena, cut(d->p->arena, axis->level[k].value, most));
        put(d, "%s", k > 0 ? ", " : "");
        for (const char *c = word; *c != '\0'; c++) /* inside double quotes */
            put(d, *c == '"' || *c == '\\' ? "\\%c" : "%c", *c);
        put(d, " %.9g", numbers ? axis->level[k].number : (double)k);
    }
    put(d, ") noenhanced\"\n");
}

static fs_status write_axis(drawing *d, size_t goal, size_t a, fs_error *err) {
    const fs_sweep *s = d->p->s;
    const fs_sweep_axis *axis = &s->axis[a];
    const fs_sweep_goal *g = &s->goal[goal];
    const fs_sweep_effect *e = &g->effect[a];
    size_t colour = colour_of(s, goal, a);
    picture *q = &d->picture[d->count++];
    *q = (picture){.goal = goal, .a = a, .b = colour, .dots = no_dots()};
    snprintf(q->name, sizeof q->name, "axis-%zu-%zu", goal, a);
    put_axis_data(d, q, colour);
    if (save(d, q->name, "dat", err))
        return err->status;
    double low = -0.5, high = (double)axis->levels - 0.5;
    if (axis->numeric) {
        low = axis->level[0].number;
        high = axis->level[axis->levels - 1].number;
        double space = 0.05 * (high - low);
        low = axis->wide ? low / 1.15 : low - space;
        high = axis->wide ? high * 1.15 : high + space;
    }
    put(d, "load 'style.gp'\nfile = '%s'\ndata = '%s.dat'\n", q->name, q->name);
    put(d, "words = %s\nmore = %s\n",
        quoted(d->p->arena, fs_arena_printf(d->p->arena, "%s: %s of the spread", axis->label,
                                            fs_sweep_share(s, e->share))),
        quoted(
            d->p->arena,
            colour == FS_SWEEP_NONE
                ? "Dots: points; line: their means. Rings are infeasible."
                : fs_arena_printf(d->p->arena,
                                  "Dots: points, coloured by %s; lines: their means. Rings are infeasible.",
                                  s->axis[colour].label)));
    put(d, "x_name = %s\ny_name = %s\n", quoted(d->p->arena, cut(d->p->arena, axis->label, 70)),
        quoted(d->p->arena, goal_name(d, goal)));
    put_range(d, 'x', (range){low, high, axis->wide});
    put_range(d, 'y', range_of(d, goal, false));
    put_colours(d, colour);
    put(d, "joined = %d\n", axis->numeric);
    put_tics(d, "tics", 'x', axis, axis->numeric, axis->levels > 6 ? 12 : 16);
    put(d, "load 'sweep-axis.gp'\n");
    return save(d, q->name, "gp", err);
}

/* ---- pairs of axes ---- */

static fs_status write_pair(drawing *d, size_t goal, const fs_sweep_pair *pair, fs_error *err) {
    const fs_sweep *s = d->p->s;
    /* More columns than rows: cells are wider than tall. */
    bool turned = s->axis[pair->a].levels > s->axis[pair->b].levels;
    size_t a = turned ? pair->b : pair->a, b = turned ? pair->a : pair->b; /* rows, columns */
    const fs_sweep_axis *rows = &s->axis[a], *cols = &s->axis[b];
    const fs_sweep_goal *g = &s->goal[goal];
    double low = INFINITY, high = -INFINITY;
    picture *q = &d->picture[d->count++];
    *q = (picture){.goal = goal, .a = a, .b = b};
    json_t *x = json_array(), *y = json_array(), *labels = json_array(), *best = json_array();
    snprintf(q->name, sizeof q->name, "pair-%zu-%zu-%zu", goal, pair->a, pair->b);
    put(d, "nan nan nan -\n");
    for (size_t r = 0; r < rows->levels; r++)
        for (size_t c = 0; c < cols->levels; c++) {
            size_t point = fs_sweep_best_at(s, goal, a, r, b, c);
            double v = point == FS_SWEEP_NONE ? (double)NAN : shown(d, goal, point);
            if (point != FS_SWEEP_NONE) {
                low = v < low ? v : low;
                high = v > high ? v : high;
                put(d, "%zu %zu %.9g %s\n", c, r, v, fs_number_short(v, 3));
            }
            json_array_append_new(x, json_integer((json_int_t)c));
            json_array_append_new(y, json_integer((json_int_t)r));
            json_array_append_new(best, isnan(v) ? json_string("none") : json_real(v));
            json_array_append_new(
                labels, json_string(point == FS_SWEEP_NONE
                                        ? fs_arena_printf(d->p->arena, "%s = %s, %s = %s: no feasible point",
                                                          rows->label, rows->level[r].value, cols->label,
                                                          cols->level[c].value)
                                        : fs_sweep_settings(s, point)));
        }
    q->data =
        json_pack("{s:o, s:o, s:o, s:[{s:s, s:s, s:o, s:s}]}", "x", x, "y", y, "labels", labels, "layers",
                  "what", g->figure, "unit", d->p->scale[goal].unit, "values", best, "none", "none");
    if (save(d, q->name, "dat", err))
        return err->status;
    bool log = low > 0 && high > 20 * low;
    put(d, "load 'style.gp'\nfile = '%s'\ndata = '%s.dat'\ncols = %zu\nrows = %zu\n", q->name, q->name,
        cols->levels, rows->levels);
    put(d, "words = %s\n",
        quoted(d->p->arena,
               fs_arena_printf(d->p->arena, "%s and %s: together %s of the spread", s->axis[pair->a].label,
                               s->axis[pair->b].label, fs_sweep_share(s, pair->share))));
    put(d, "more = %s\n",
        quoted(
            d->p->arena,
            fs_arena_printf(d->p->arena,
                            "In each cell the best of the feasible points (%s), whatever the other axes are. "
                            "Grey: none.%s",
                            goal_name(d, goal),
                            pair->interaction > 0.03
                                ? fs_arena_printf(d->p->arena, " Their combination alone explains %s.",
                                                  fs_sweep_share(s, pair->interaction))
                                : "")));
    put(d, "x_name = %s\ny_name = %s\nunit = %s\n", quoted(d->p->arena, cut(d->p->arena, cols->label, 60)),
        quoted(d->p->arena, cut(d->p->arena, rows->label, 60)), quoted(d->p->arena, d->p->scale[goal].unit));
    put(d, "low = %.9g\nhigh = %.9g\nlog_c = %d\nreverse = %d\nwritten = %d\n", low,
        high > low ? high : low + 1, log, g->larger, cols->levels <= 9);
    put_tics(d, "x_tics", 'x', cols, false, 12);
    put_tics(d, "y_tics", 'y', rows, false, 19);
    put(d, "load 'sweep-pair.gp'\n");
    return save(d, q->name, "gp", err);
}

/* ---- fronts ---- */

static fs_status write_front(drawing *d, size_t a, size_t b, fs_error *err) {
    const fs_sweep *s = d->p->s;
    size_t count = 0, *front = fs_sweep_front(s, a, b, &count), colour = colour_of(s, a, FS_SWEEP_NONE);
    picture *q = &d->picture[d->count++];
    *q = (picture){.goal = a, .a = a, .b = b, .dots = no_dots()};
    snprintf(q->name, sizeof q->name, "front-%zu-%zu", a, b);
    for (size_t k = 0; k < colours_of(s, colour); k++) {
        put(d, "nan nan 1\n");
        for (size_t i = 0; i < s->sweep->point_count; i++) {
            double x = shown(d, a, i), y = shown(d, b, i);
            if (isnan(x) || isnan(y) || (colour != FS_SWEEP_NONE && s->axis[colour].at[i] != k))
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
        put(d, "%.9g %.9g\n", shown(d, a, front[i]), shown(d, b, front[i]));
    if (save(d, q->name, "members", err))
        return err->status;
    put(d, "nan nan\n");
    for (size_t i = 0; i < count; i++) { /* between two points one gets what the first gives in b */
        if (i > 0)
            put(d, "%.9g %.9g\n", shown(d, a, front[i]), shown(d, b, front[i - 1]));
        put(d, "%.9g %.9g\n", shown(d, a, front[i]), shown(d, b, front[i]));
    }
    if (save(d, q->name, "edge", err))
        return err->status;
    put(d, "load 'style.gp'\nfile = '%s'\ndata = '%s.dat'\nedge = '%s.edge'\nmembers = '%s.members'\n",
        q->name, q->name, q->name, q->name);
    put(d, "words = %s\nmore = %s\n",
        quoted(d->p->arena, fs_arena_printf(d->p->arena, "%s (%s is better) against %s (%s is better)",
                                            s->goal[a].figure, s->goal[a].larger ? "larger" : "smaller",
                                            s->goal[b].figure, s->goal[b].larger ? "larger" : "smaller")),
        quoted(
            d->p->arena,
            fs_arena_printf(d->p->arena,
                            "All finished points%s%s; rings are infeasible. The line: what can be had of one "
                            "for what one gives of the other.",
                            colour == FS_SWEEP_NONE ? "" : ", coloured by ",
                            colour == FS_SWEEP_NONE ? "" : s->axis[colour].label)));
    put(d, "x_name = %s\ny_name = %s\n", quoted(d->p->arena, goal_name(d, a)),
        quoted(d->p->arena, goal_name(d, b)));
    put_range(d, 'x', range_of(d, a, true));
    put_range(d, 'y', range_of(d, b, true));
    put_colours(d, colour);
    put(d, "load 'sweep-front.gp'\n");
    return save(d, q->name, "gp", err);
}

/* ---- into the page ---- */

static void put_json(fs_sweep_page *p, const char *id, json_t *value) {
    char *text = json_dumps(value, JSON_COMPACT | JSON_REAL_PRECISION(9));
    fs_page_json(p->page, id, text);
    free(text);
    json_decref(value);
}

/* Settings and figures of every point, once for all plots of dots. */
static void put_point_data(drawing *d) {
    const fs_sweep *s = d->p->s;
    json_t *labels = json_array(), *layers = json_array();
    for (size_t i = 0; i < s->sweep->point_count; i++)
        json_array_append_new(
            labels, json_string(fs_arena_printf(d->p->arena, "%s%s", fs_sweep_settings(s, i),
                                                s->sweep->points[i].feasible ? "" : " (infeasible)")));
    for (size_t g = 0; g < d->p->goals; g++) {
        json_t *values = json_array();
        for (size_t i = 0; i < s->sweep->point_count; i++)
            json_array_append_new(values,
                                  isnan(shown(d, g, i)) ? json_string("none") : json_real(shown(d, g, i)));
        json_array_append_new(layers, json_pack("{s:s, s:s, s:o, s:s}", "what", s->goal[g].figure, "unit",
                                                d->p->scale[g].unit, "values", values, "none", "none"));
    }
    put_json(d->p, "sweep-points", json_pack("{s:o, s:o}", "labels", labels, "layers", layers));
}

static fs_status put_picture(drawing *d, picture *q, const fs_plot *plot, bool wide, fs_error *err) {
    fs_sweep_page *p = d->p;
    const char *path = fs_arena_printf(p->arena, "%s/%s.svg", p->folder, q->name);
    const char *id = fs_arena_printf(p->arena, "plot-%s", q->name);
    fs_page_figure(p->page, q->name, plot->title, wide);
    if (fs_page_svg(p->page, path, id, plot->title, err))
        return err->status;
    fs_page_figure_end(p->page, "%s", plot->caption);
    if (plot->panels == 0)
        return FS_OK;
    const fs_plot_panel *panel = &plot->panel[0];
    json_t *show = NULL;
    if (q->data != NULL) {
        const char *data = fs_arena_printf(p->arena, "%s-data", q->name);
        put_json(p, data, q->data);
        show = json_pack("{s:s, s:[f,f], s:s}", "kind", "points", "half", 0.5, 0.5, "data", data);
    } else
        show = json_pack("{s:s, s:s, s:o, s:o, s:o}", "kind", "dots", "data", "sweep-points", "x", q->dots.x,
                         "y", q->dots.y, "at", q->dots.at);
    put_json(p, fs_arena_printf(p->arena, "%s-hover", id),
             json_pack("{s:[{s:[f,f,f,f], s:[f,f], s:[f,f], s:b, s:b, s:o}]}", "panels", "box", panel->left,
                       panel->top, panel->right, panel->bottom, "x", panel->x_left, panel->x_right, "y",
                       panel->y_top, panel->y_bottom, "logx", panel->log_x, "logy", panel->log_y, "show",
                       show));
    return FS_OK;
}

/* The pictures whose name begins so, in a choice by goal where there are several. */
static fs_status put_by_goal(drawing *d, const fs_plot *plots, const char *begin, const char *id,
                             fs_error *err) {
    fs_sweep_page *p = d->p;
    const char *label[FS_SWEEP_GOALS];
    size_t goal[FS_SWEEP_GOALS], goals = 0;
    for (size_t g = 0; g < p->goals; g++)
        for (size_t i = 0; i < d->count; i++)
            if (d->picture[i].goal == g && strncmp(d->picture[i].name, begin, strlen(begin)) == 0) {
                label[goals] = p->s->goal[g].figure;
                goal[goals++] = g;
                break;
            }
    if (goals == 0)
        fs_page_note(p->page, "There is nothing to draw: no axis moves an objective.");
    if (goals > 1)
        fs_page_choice(p->page, id, "objective", label, goals);
    for (size_t g = 0; g < goals; g++) {
        if (goals > 1)
            fs_page_panel(p->page, label[g]);
        fs_page_put(p->page, "<div class=\"figures-2\">\n");
        for (size_t i = 0; i < d->count; i++)
            if (d->picture[i].goal == goal[g] && strncmp(d->picture[i].name, begin, strlen(begin)) == 0 &&
                put_picture(d, &d->picture[i], &plots[i], false, err))
                return err->status;
        fs_page_put(p->page, "</div>\n");
    }
    if (goals > 1)
        fs_page_choice_end(p->page);
    return FS_OK;
}

static fs_status put_fronts(drawing *d, const fs_plot *plots, fs_error *err) {
    fs_sweep_page *p = d->p;
    size_t fronts = 0;
    fs_page_section(p->page, "front", "What trades against what");
    for (size_t i = 0; i < d->count; i++) {
        picture *q = &d->picture[i];
        if (strncmp(q->name, "front-", 6) != 0)
            continue;
        if (put_picture(d, q, &plots[i], true, err))
            return err->status;
        fs_sweep_put_front(p, q->a, q->b);
        fronts++;
    }
    if (fronts == 0)
        fs_page_note(p->page, p->goals < 2 ? "A front needs two objectives; this sweep has one."
                                           : "No feasible point has two of the objectives.");
    return FS_OK;
}

/* Those pairs that explain most; not one whose other axis adds nothing, as it would show the first again. */
static fs_status write_pairs(drawing *d, size_t goal, fs_error *err) {
    enum { MOST_LEVELS = 40 };
    const fs_sweep *s = d->p->s;
    size_t pairs = 0, drawn = 0;
    const fs_sweep_pair *pair = fs_sweep_pairs(s, goal, &pairs);
    for (size_t i = 0; i < pairs && drawn < FS_SWEEP_PAIRS && s->goal[goal].feasible > 0; i++) {
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

/* Everything that is drawn, as scripts and data in the folder. */
static fs_status write_all(drawing *d, fs_error *err) {
    const fs_sweep *s = d->p->s;
    for (size_t g = 0; g < d->p->goals; g++) {
        for (size_t i = 0; i < s->axes && i < FS_SWEEP_AXES; i++)
            if (s->goal[g].count > 0 && write_axis(d, g, s->goal[g].rank[i], err))
                return err->status;
        if (write_pairs(d, g, err))
            return err->status;
    }
    for (size_t b = 1; b < d->p->goals && b < 3; b++)
        for (size_t a = 0; a < b; a++) {
            size_t count = 0;
            fs_sweep_front(s, a, b, &count);
            if (count > 0 && write_front(d, a, b, err))
                return err->status;
        }
    return FS_OK;
}

fs_status fs_sweep_put_pictures(fs_sweep_page *p, fs_error *err) {
    enum { MOST = FS_SWEEP_GOALS * (FS_SWEEP_AXES + FS_SWEEP_PAIRS) + 3 };
    drawing d = {.p = p, .picture = FS_NEW(p->arena, picture, MOST)};
    const char **name = FS_NEW(p->arena, const char *, MOST);
    fs_plot *plots = FS_NEW(p->arena, fs_plot, MOST);
    fs_status status = fs_plot_scripts(p->folder, err);
    if (status == FS_OK)
        status = write_all(&d, err);
    free(d.text.text);
    for (size_t i = 0; i < d.count; i++)
        name[i] = d.picture[i].name;
    if (status == FS_OK)
        status = fs_plot_draw(p->folder, name, d.count, FS_PLOT_SVG, plots, err);
    if (status == FS_OK) {
        put_point_data(&d);
        fs_page_section(p->page, "axes", "Each axis");
        if (p->s->axes > FS_SWEEP_AXES)
            fs_page_note(p->page, "The %d axes of %zu that explain most are drawn.", FS_SWEEP_AXES,
                         p->s->axes);
        status = put_by_goal(&d, plots, "axis-", "axes-choice", err);
    }
    if (status == FS_OK && p->s->axes > 1) {
        fs_page_section(p->page, "pairs", "Two axes at a time");
        status = put_by_goal(&d, plots, "pair-", "pairs-choice", err);
    }
    if (status == FS_OK)
        status = put_fronts(&d, plots, err);
    return status;
}
