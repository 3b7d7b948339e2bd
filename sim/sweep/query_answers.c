/* What `foamsim query` answers about one sweep. */
#include "sim/base/numbers.h"
#include "sim/host/voice.h"
#include "sim/sweep/query.h"
#include "sim/yaml/words.h"

#include <math.h>
#include <string.h>

enum { SHORT_KEY = 12 };

static const char *short_key(fs_arena *arena, const fs_store_point *p) {
    return fs_arena_printf(arena, "%.*s", SHORT_KEY, p->key);
}

static void put_figure(fs_query_table *t, const fs_store_figure *f) {
    fs_stat row;
    if (f != NULL && f->text != NULL)
        fs_query_text(t, f->text);
    else if (f != NULL && !isnan(f->number) && fs_stats_find_in(t->known, f->name, &row) &&
             row.type == FS_STAT_BOOL)
        fs_query_flag(t, f->number > 0);
    else
        fs_query_number(t, f == NULL ? (double)NAN : f->number);
}

/* ---- best ---- */

enum { MOST_NAMED = 3 };

/* Takes all that are as good; the labels of some of the others. */
static const char *take_equal(const fs_query_table *t, const fs_store_sweep *s, const fs_store_objective *o,
                              const fs_store_point *best, bool *taken, size_t *equal) {
    const double value = fs_store_number_of(best, o->figure);
    const char *also = "";
    *equal = 0;
    for (size_t i = 0; i < s->point_count; i++) {
        const fs_store_point *p = &s->points[i];
        const double other = fs_store_number_of(p, o->figure);
        if (taken[i] || !(other >= value && other <= value))
            continue;
        taken[i] = true;
        if (p == best)
            continue;
        ++*equal;
        if (*equal <= MOST_NAMED)
            also = fs_arena_append(t->arena, also, "; ", "%s", p->label);
    }
    return *equal > MOST_NAMED ? fs_arena_printf(t->arena, "%s; ...", also) : also;
}

static void put_best(fs_query_table *t, const fs_store_sweep *s, const fs_store_objective *o, size_t top) {
    bool *taken = FS_NEW(t->arena, bool, s->point_count + 1);
    for (size_t i = 0; i < s->point_count; i++)
        taken[i] = !s->points[i].feasible || !fs_query_keeps(t, s, &s->points[i]);
    for (size_t n = 0; n < top; n++) {
        const size_t place = fs_store_best(s, o, taken);
        size_t equal = 0;
        if (place == SIZE_MAX)
            return;
        const fs_store_point *best = &s->points[place];
        const fs_store_figure *f = fs_store_figure_of(best, o->figure);
        const char *also = take_equal(t, s, o, best, taken, &equal);
        fs_query_row(t);
        fs_query_text(t, o->figure);
        fs_query_number(t, (double)(n + 1));
        fs_query_number(t, f->number);
        fs_query_text(t, f->unit);
        fs_query_text(t, short_key(t->arena, best));
        fs_query_number(t, (double)equal);
        fs_query_text(t, best->label);
        fs_query_text(t, also);
    }
}

static bool is_done(const fs_query_table *t, const fs_store_sweep *s, const fs_store_point *p) {
    return strcmp(p->status, "done") == 0 && fs_query_keeps(t, s, p);
}

/* "2 break rays.dropped <= 0 (at the best of them 4,711)" of the finished points that break a constraint; NULL: none. */
static const char *broken(const fs_query_table *t, const fs_store_sweep *s, const fs_store_constraint *c) {
    static const char *const ops[] = {
        [FS_STORE_EQUALS] = "=", [FS_STORE_AT_LEAST] = ">=", [FS_STORE_AT_MOST] = "<="};
    const fs_store_figure *nearest = NULL;
    size_t count = 0;
    for (size_t i = 0; i < s->point_count; i++) {
        const fs_store_figure *f = fs_store_figure_of(&s->points[i], c->figure);
        if (!is_done(t, s, &s->points[i]) || fs_store_keeps(&s->points[i], c))
            continue;
        count++;
        if (f != NULL && !isnan(f->number) &&
            (nearest == NULL || fabs(f->number - c->number) < fabs(nearest->number - c->number)))
            nearest = f;
    }
    const char *at =
        nearest == NULL ? "" : fs_arena_printf(t->arena, ", at best %s", fs_number_short(nearest->number, 3));
    return count == 0 ? NULL
                      : fs_arena_printf(t->arena, "%zu %s %s %s %s%s", count, count == 1 ? "breaks" : "break",
                                        c->figure, ops[c->op],
                                        c->text != NULL ? c->text : fs_number_short(c->number, 4), at);
}

/* That no point can be the best, and what is wrong with those that are done. */
static void say_none(const fs_query_table *t, const fs_store_sweep *s) {
    size_t done = 0;
    const char *text = "";
    for (size_t i = 0; i < s->point_count; i++)
        done += is_done(t, s, &s->points[i]);
    for (size_t c = 0; c < s->constraint_count; c++) {
        const char *one = broken(t, s, &s->constraints[c]);
        text =
            one == NULL ? text : fs_arena_printf(t->arena, "%s%s %s", text, text[0] == '\0' ? ":" : ";", one);
    }
    if (done == 0)
        fs_say("no point of the sweep %s%s is finished", s->name,
               t->term_count > 0 ? " that --where leaves" : "");
    else
        fs_say("none of the %zu finished points of the sweep %s%s is feasible%s", done, s->name,
               t->term_count > 0 ? " that --where leaves" : "", text);
}

static bool is_number_somewhere(const fs_store_sweep *s, const char *figure) {
    for (size_t i = 0; i < s->point_count; i++)
        if (!isnan(fs_store_number_of(&s->points[i], figure)))
            return true;
    return false;
}

fs_status fs_query_best(fs_query_table *t, const fs_store_sweep *s, const char *by, size_t top,
                        fs_error *err) {
    static const char *const columns[] = {"objective", "rank",  "value", "unit",
                                          "key",       "equal", "point", "as good"};
    size_t found = 0;
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        fs_query_column(t, columns[i]);
    for (size_t i = 0; i < s->objective_count; i++) {
        if (by != NULL && strcmp(by, s->objectives[i].figure) != 0)
            continue;
        found++;
        put_best(t, s, &s->objectives[i], top);
    }
    size_t feasible = 0;
    for (size_t i = 0; i < s->point_count; i++)
        feasible += s->points[i].feasible && fs_query_keeps(t, s, &s->points[i]);
    if (feasible == 0)
        say_none(t, s);
    if (found > 0)
        return FS_OK;
    if (by == NULL || !is_number_somewhere(s, by))
        return fs_fail(err, FS_INPUT, "--by: no point of the sweep %s has a number \"%s\"", s->name,
                       by == NULL ? "" : by);
    fs_stat row;
    const bool known = fs_stats_find_in(t->known, by, &row);
    put_best(t, s, &(fs_store_objective){.figure = by, .larger = known && row.better == FS_BETTER_MORE}, top);
    return FS_OK;
}

/* ---- table ---- */

/* The figures of the columns, each once. */
static size_t list_figures(fs_arena *arena, const fs_store_sweep *s, const char *names, const char ***list) {
    size_t count = 0,
           most = s->objective_count + s->constraint_count + (names == NULL ? 0 : strlen(names)) + 1;
    *list = FS_NEW(arena, const char *, most);
    for (const char *at = names; at != NULL && *at != '\0';) {
        size_t length = strcspn(at, ",");
        if (length > 0)
            (*list)[count++] = fs_arena_printf(arena, "%.*s", (int)length, at);
        at += length + (at[length] == ',');
    }
    for (size_t i = 0; names == NULL && i < s->objective_count + s->constraint_count; i++) {
        const char *name = fs_store_wanted(s, i);
        if (FS_WORD_PLACE(*list, count, name) == count)
            (*list)[count++] = name;
    }
    return count;
}

static const char *unit_in(const fs_store_sweep *s, const char *figure) {
    for (size_t i = 0; i < s->point_count; i++) {
        const fs_store_figure *f = fs_store_figure_of(&s->points[i], figure);
        if (f != NULL)
            return f->unit;
    }
    return "";
}

/* The base unit of an axis' values; of several keys, "". A terminal shows values as they were written. */
static const char *axis_unit(const fs_store_sweep *s, size_t axis) {
    for (size_t i = 0; i < s->point_count; i++) {
        const fs_store_parameter *q = fs_store_parameter_of(&s->points[i], s->axes[axis]);
        if (q != NULL)
            return q->unit;
    }
    return "";
}

/* A figure of no point and no table is a slip of the pen, not a column without values. */
static fs_status know_figure(const fs_query_table *t, const fs_store_sweep *s, const char *name,
                             fs_error *err) {
    fs_stat row;
    const fs_store_point *full = NULL;
    for (size_t i = 0; i < s->point_count; i++) {
        const fs_store_point *p = &s->points[i];
        if (fs_store_figure_of(p, name) != NULL)
            return FS_OK;
        full = full == NULL || p->figure_count > full->figure_count ? p : full;
    }
    if (fs_stats_find_in(t->known, name, &row))
        return FS_OK;
    const size_t count = full == NULL ? 0 : full->figure_count;
    const char **names = FS_NEW(t->arena, const char *, count + 1);
    for (size_t i = 0; i < count; i++)
        names[i] = full->figures[i].name;
    return fs_fail(err, FS_INPUT, "--figures: no point of the sweep %s has a figure \"%s\"%s", s->name, name,
                   FS_MEANT(name, names));
}

/* What a point is: its place, its key, and its values of the axes. */
static void put_heads(fs_query_table *t, const fs_store_sweep *s) {
    fs_query_column(t, "number");
    fs_query_column(t, "key");
    for (size_t a = 0; a < s->axis_count; a++)
        fs_query_column_of_values(t, s->axes[a], axis_unit(s, a));
}

static void put_point(fs_query_table *t, const fs_store_sweep *s, size_t i) {
    fs_query_row(t);
    fs_query_number(t, (double)i);
    fs_query_text(t, short_key(t->arena, &s->points[i]));
    for (size_t a = 0; a < s->axis_count; a++)
        fs_query_value(t, s->points[i].settings[a].value, s->points[i].settings[a].number);
}

fs_status fs_query_table_of(fs_query_table *t, const fs_store_sweep *s, const char *figures, fs_error *err) {
    const char **list;
    size_t count = list_figures(t->arena, s, figures, &list);
    for (size_t f = 0; f < count && figures != NULL; f++)
        if (know_figure(t, s, list[f], err))
            return err->status;
    put_heads(t, s);
    fs_query_column(t, "status");
    fs_query_column(t, "feasible");
    for (size_t f = 0; f < count; f++)
        fs_query_column_in(t, list[f], unit_in(s, list[f]));
    for (size_t i = 0; i < s->point_count; i++) {
        const fs_store_point *p = &s->points[i];
        if (!fs_query_keeps(t, s, p))
            continue;
        put_point(t, s, i);
        fs_query_text(t, p->status);
        if (strcmp(p->status, "done") == 0)
            fs_query_flag(t, p->feasible);
        else
            fs_query_text(t, NULL);
        for (size_t f = 0; f < count; f++)
            put_figure(t, fs_store_figure_of(p, list[f]));
    }
    return FS_OK;
}

/* ---- front ---- */

/* An objective of the sweep of that figure, else the figure by what its row calls better. */
static fs_store_objective objective_of(const fs_query_table *t, const fs_store_sweep *s, const char *figure) {
    fs_stat row;
    const fs_store_objective *own = FS_FOUND(s->objectives, s->objective_count, figure, figure);
    return own != NULL ? *own
                       : (fs_store_objective){figure, fs_stats_find_in(t->known, figure, &row) &&
                                                          row.better == FS_BETTER_MORE};
}

fs_status fs_query_front(fs_query_table *t, const fs_store_sweep *s, const char *by, fs_error *err) {
    const char **list;
    const size_t two = list_figures(t->arena, s, by, &list);
    bool *over = FS_NEW(t->arena, bool, s->point_count + 1);
    size_t count = 0;
    if (by == NULL ? s->objective_count < 2 : two != 2)
        return fs_fail(err, FS_INPUT, "query front: expected %s",
                       by == NULL ? "--by A,B with two figures, as the sweep has no two objectives"
                                  : "two figures after --by, such as device.seconds,area.mm2");
    for (size_t f = 0; f < 2; f++)
        if (!is_number_somewhere(s, list[f]))
            return fs_fail(err, FS_INPUT, "--by: no point of the sweep %s has a number \"%s\"", s->name,
                           list[f]);
    const fs_store_objective a = objective_of(t, s, list[0]), b = objective_of(t, s, list[1]);
    for (size_t i = 0; i < s->point_count; i++)
        over[i] = !fs_query_keeps(t, s, &s->points[i]);
    const size_t *front = fs_store_front(t->arena, s, &a, &b, over, &count);
    put_heads(t, s);
    for (size_t f = 0; f < 2; f++)
        fs_query_column_in(t, list[f], unit_in(s, list[f]));
    fs_query_column(t, "point");
    for (size_t i = 0; i < count; i++) {
        put_point(t, s, front[i]);
        for (size_t f = 0; f < 2; f++)
            put_figure(t, fs_store_figure_of(&s->points[front[i]], list[f]));
        fs_query_text(t, s->points[front[i]].label);
    }
    if (count == 0)
        say_none(t, s);
    return FS_OK;
}

/* ---- points ---- */

void fs_query_points(fs_query_table *t, const fs_store_sweep *s, bool failed_only) {
    static const char *const columns[] = {"number", "key", "status", "layer", "seconds", "point", "error"};
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        fs_query_column(t, columns[i]);
    for (size_t i = 0; i < s->point_count; i++) {
        const fs_store_point *p = &s->points[i];
        if ((failed_only && strcmp(p->status, "failed") != 0) || !fs_query_keeps(t, s, p))
            continue;
        fs_query_row(t);
        fs_query_number(t, (double)i);
        fs_query_text(t, short_key(t->arena, p));
        fs_query_text(t, p->status);
        fs_query_text(t, p->layer);
        fs_query_number(t, p->wall_seconds);
        fs_query_text(t, p->label);
        fs_query_text(t, p->error);
    }
}

/* ---- diff ---- */

static void put_difference(fs_query_table *t, const char *what, const char *name, const char *unit) {
    fs_query_row(t);
    fs_query_text(t, what);
    fs_query_text(t, name);
    fs_query_text(t, unit);
}

static void diff_parameters(fs_query_table *t, const fs_store_point *a, const fs_store_point *b) {
    for (size_t i = 0, k = 0; i < a->parameter_count || k < b->parameter_count;) {
        const fs_store_parameter *x = i < a->parameter_count ? &a->parameters[i] : NULL;
        const fs_store_parameter *y = k < b->parameter_count ? &b->parameters[k] : NULL;
        int order = x == NULL ? 1 : y == NULL ? -1 : strcmp(x->name, y->name);
        i += order <= 0;
        k += order >= 0;
        const fs_store_parameter *left = order <= 0 ? x : NULL, *right = order >= 0 ? y : NULL;
        const fs_store_parameter *named = left != NULL ? left : right;
        if (named == NULL || (left != NULL && right != NULL && strcmp(left->value, right->value) == 0))
            continue;
        put_difference(t, "set", named->name, named->unit);
        fs_query_value(t, left != NULL ? left->value : NULL, left != NULL ? left->number : (double)NAN);
        fs_query_value(t, right != NULL ? right->value : NULL, right != NULL ? right->number : (double)NAN);
        fs_query_text(t, NULL);
    }
}

static void diff_figures(fs_query_table *t, const fs_store_point *a, const fs_store_point *b) {
    const double percent = 100;
    for (size_t i = 0; i < a->figure_count; i++) {
        const fs_store_figure *x = &a->figures[i], *y = fs_store_figure_of(b, x->name);
        if (y == NULL || (x->text != NULL && y->text != NULL && strcmp(x->text, y->text) == 0) ||
            (x->text == NULL && y->text == NULL &&
             (x->number == y->number || (isnan(x->number) && isnan(y->number)))))
            continue;
        put_difference(t, "figure", x->name, x->unit);
        put_figure(t, x);
        put_figure(t, y);
        fs_query_number(t,
                        x->number != 0 ? percent * (y->number - x->number) / fabs(x->number) : (double)NAN);
    }
}

void fs_query_diff(fs_query_table *t, const fs_store_point *a, const fs_store_point *b) {
    static const char *const columns[] = {"what", "name", "unit"};
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        fs_query_column(t, columns[i]);
    fs_query_column(t, a->label);
    fs_query_column(t, b->label);
    fs_query_column_in(t, "change", "%");
    diff_parameters(t, a, b);
    diff_figures(t, a, b);
}
