/* The experiment and its pinned points as one page that needs no server. */
#include "explore/private.h"

#include "reports/sheet/sheet.h"
#include "sim/base/alloc.h"
#include "sim/base/arith.h"
#include "sim/base/numbers.h"

#include <math.h>
#include <string.h>

enum { MOST_FIGURES = 128 };

static json_t *figure(const json_t *answer, const char *name) {
    return json_object_get(json_object_get(json_object_get(answer, "figures"), name), "value");
}

static double value_of(const json_t *answer, const char *name) {
    const json_t *v = figure(answer, name);
    return json_is_number(v) ? json_number_value(v) : (double)NAN;
}

static const char *settings(fs_arena *arena, const fs_explore_sets *sets) {
    const char *said = "";
    for (size_t i = 0; i < sets->count; i++)
        said = fs_arena_printf(arena, "%s%s%s", said, i == 0 ? "" : ", ", sets->set[i]);
    return said[0] == '\0' ? "–" : said;
}

/* A point: the experiment as it is (NULL), or a pin. */
typedef struct point {
    const char *name;
    const fs_explore_sets *sets;
    const json_t *answer;
} point;

static void put_settings(fs_rows *t, fs_arena *arena, const point *points, size_t count) {
    fs_rows_add(t);
    fs_cell_head(t, "settings");
    for (size_t i = 0; i < count; i++) {
        const json_t *wrong = json_object_get(points[i].answer, "wrong");
        fs_cell(t, settings(arena, points[i].sets));
        fs_cell_add(t, (fs_cell_more){.look = "words"});
        for (size_t k = 0; k < json_array_size(wrong); k++)
            fs_cell_chip(t, "worse", NULL,
                         json_string_value(json_object_get(json_array_get(wrong, k), "text")), NULL);
    }
}

/* A figure of every point, and what it differs from the first by. */
static void put_figure(fs_rows *t, fs_arena *arena, const fs_stat *row, const point *points, size_t count) {
    const double first = value_of(points[0].answer, row->name);
    fs_rows_add(t);
    const bool sized = row->unit == NULL || strlen(row->unit) == 1; /* its unit stands with the number */
    fs_cell_head(t, "%s%s%s", row->label == NULL ? row->name : row->label, sized ? "" : ", ",
                 sized ? "" : row->unit);
    for (size_t i = 0; i < count; i++) {
        const double value = value_of(points[i].answer, row->name), gap = (value - first) / first;
        const char *text = fs_arena_strdup(arena, fs_number_in(value, row->unit == NULL ? "" : row->unit, 4));
        const bool differs = i > 0 && isfinite(gap) && gap != 0;
        if (differs)
            text = fs_arena_printf(arena, "%s (%s)", text, fs_number_change(gap));
        fs_cell_number(t, text, value);
        if (differs && row->better != FS_BETTER_NEITHER)
            fs_cell_add(
                t, (fs_cell_more){.look = (gap < 0) == (row->better == FS_BETTER_LESS) ? "better" : "worse",
                                  .shade = 0.25});
    }
}

static size_t main_figures(const fs_explore *x, fs_stat *row) {
    const fs_stat_table *table = x->workload->stats;
    size_t count = 0;
    for (size_t i = 0; table != NULL && i < fs_stats_count(table) && count < MOST_FIGURES; i++) {
        const fs_stat of = fs_stats_row(table, i);
        if (of.place == 0 || (of.type != FS_STAT_REAL && of.type != FS_STAT_U64))
            continue;
        size_t at = count++;
        for (; at > 0 && row[at - 1].place > of.place; at--)
            row[at] = row[at - 1];
        row[at] = of;
    }
    return count;
}

/* Time against energy, or whatever two figures stand first: a dot a point. */
static void put_chart(fs_sheet *s, const fs_stat *across, const fs_stat *up, const double *x, const double *y,
                      const char *const *names, size_t count) {
    fs_chart *chart = fs_sheet_chart(s, "points-plot", "The pinned points",
                                     "A dot is a point; the nearer to the corner of both, the better.");
    fs_panel *panel = fs_chart_panel(s, chart, NULL);
    fs_chart_series *dots = fs_panel_series(s, panel, FS_DRAW_DOTS, "point", NULL);
    fs_arena *arena = fs_sheet_arena(s);
    panel->x.label = fs_arena_printf(arena, "%s, %s", across->label == NULL ? across->name : across->label,
                                     across->unit == NULL ? "" : across->unit);
    panel->y.label = fs_arena_printf(arena, "%s, %s", up->label == NULL ? up->name : up->label,
                                     up->unit == NULL ? "" : up->unit);
    dots->x = fs_values_reals(s, x, count);
    dots->y = fs_values_reals(s, y, count);
    dots->names = fs_values_words(s, names, count);
    dots->texts = dots->names;
}

static const fs_stat *named(const fs_stat *row, size_t rows, const char *name, const fs_stat *otherwise) {
    const fs_stat *found = name == NULL ? NULL : FS_FOUND(row, rows, name, name);
    return found == NULL ? otherwise : found;
}

static void put_sheet(const fs_explore *x, fs_sheet *s, const json_t *base) {
    fs_arena *arena = fs_sheet_arena(s);
    fs_stat *row = FS_NEW(arena, fs_stat, MOST_FIGURES + 1);
    const size_t rows = main_figures(x, row), count = x->pins + 1;
    point *points = FS_NEW(arena, point, count);
    double *across = FS_NEW(arena, double, count), *up = FS_NEW(arena, double, count);
    const char **names = FS_NEW(arena, const char *, count);
    const fs_stat *time = named(row, rows, x->workload->time, row),
                  *joules = named(row, rows, "energy.joules", row + (rows > 1));
    static const fs_explore_sets none = {.count = 0};
    fs_sheet_section(s, "points", "Points", NULL);
    fs_sheet_say(s, "<b>%zu</b> pinned %s of %s beside it as it is.", x->pins,
                 x->pins == 1 ? "point" : "points", fs_config_name(x->config));
    fs_rows *t = fs_sheet_table(s, "What each point sets, and what it comes to.", "figure", NULL);
    for (size_t i = 0; i < count; i++) {
        const fs_explore_pin *pin = i == 0 ? NULL : x->pin[i - 1];
        points[i] = pin == NULL ? (point){"as it is", &none, base}
                                : (point){fs_arena_strdup(arena, pin->name), &pin->sets, pin->answer};
        names[i] = points[i].name;
        fs_rows_head(t, names[i], true, NULL);
        across[i] = rows > 0 ? value_of(points[i].answer, time->name) : (double)NAN;
        up[i] = rows > 0 ? value_of(points[i].answer, joules->name) : (double)NAN;
    }
    put_settings(t, arena, points, count);
    for (size_t i = 0; i < rows; i++)
        if (!isnan(value_of(base, row[i].name)))
            put_figure(t, arena, &row[i], points, count);
    if (rows > 1)
        put_chart(s, time, joules, across, up, names, count);
}

fs_status fs_explore_export(fs_explore *x, fs_error *err) {
    fs_explored known;
    bool knows;
    if (x->export == NULL || fs_explore_price(x, &(fs_explore_sets){.count = 0}, true, &known, &knows, err))
        return err->status;
    json_t *base = fs_explore_answer(x, &known, NULL);
    fs_sheet *s = fs_sheet_create(fs_arena_printf(x->arena, "%s explored", fs_config_name(x->config)));
    put_sheet(x, s, base);
    fs_sheet_write(s, x->export, err);
    fs_sheet_free(s);
    json_decref(base);
    fs_explored_free(&known);
    return err->status;
}
