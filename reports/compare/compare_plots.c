/* The sections of a comparison's page that hold plots, with the values under them. */
#include "reports/compare/compare_page.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NO_U16 = 65535, NO_I32 = 2147483647 };

/* ---- values ---- */

/* How the values of one kind of map are packed: v * scale, rounded. */
typedef struct packing {
    fs_page_kind kind;
    double scale;
    long none;
} packing;

static void put_values(fs_comparison_page *p, const char *id, const packing *how, const double *value,
                       size_t count) {
    uint16_t *narrow = how->kind == FS_PAGE_U16 ? fs_malloc((count + 1) * sizeof *narrow) : NULL;
    int32_t *wide = how->kind == FS_PAGE_U16 ? NULL : fs_malloc((count + 1) * sizeof *wide);
    for (size_t i = 0; i < count; i++) {
        double v = isnan(value[i]) ? (double)how->none : floor(value[i] * how->scale + 0.5);
        if (narrow != NULL)
            narrow[i] = (uint16_t)v;
        else if (wide != NULL)
            wide[i] = (int32_t)v;
    }
    fs_page_values(p->page, id, how->kind, narrow != NULL ? (const void *)narrow : wide, count);
    free(narrow);
    free(wide);
}

static packing packing_of(double most, double scale) {
    return most * scale < NO_U16 ? (packing){FS_PAGE_U16, scale, NO_U16}
                                 : (packing){FS_PAGE_I32, scale, NO_I32};
}

static double most_of(const double *value, size_t count, double most) {
    for (size_t i = 0; i < count; i++)
        most = value[i] > most ? value[i] : most;
    return most;
}

static const char *label_of(const fs_comparison_page *p, size_t at) {
    return p->c->runs[p->run[at].run].label;
}

/* ---- hovers ---- */

/* Which run a panel of a plot shows: "run-1" or "less-1" (and "run-1-3": its group 3). */
static bool panel_run(const fs_plot_panel *panel, size_t *at, size_t *group) {
    const char *digits = strchr(panel->name, '-');
    char *end = NULL;
    if (digits == NULL)
        return false;
    *at = strtoul(digits + 1, &end, 10);
    *group = *end == '-' ? strtoul(end + 1, NULL, 10) : 0;
    return *at < FS_SHOWN;
}

typedef json_t *show_function(const fs_comparison_page *p, size_t at, size_t group, const char *id);

typedef struct hover {
    fs_comparison_page *p;
    const char *id;
    show_function *show;
} hover;

static json_t *show_panel(const fs_plot_panel *panel, void *self) {
    const hover *h = self;
    size_t at = 0, group = 0;
    return panel_run(panel, &at, &group) ? h->show(h->p, at, group, h->id) : NULL;
}

static void put_hover(fs_comparison_page *p, const fs_plot *plot, const char *id, show_function *show) {
    fs_plot_hover(p->page, id, plot, 9, show_panel, &(hover){p, id, show});
}

/* The plot "compare-ID", NULL when nothing was drawn. */
static const fs_plot *plot_of(const fs_comparison_page *p, const char *id) {
    for (size_t i = 0; i < p->plot_count; i++)
        if (strcmp(p->plots[i].name + strlen("compare-"), id) == 0)
            return &p->plots[i];
    return NULL;
}

/* A plot as a figure of the page. */
static fs_status put_plot(fs_comparison_page *p, const fs_plot *plot, const char *id, fs_error *err) {
    const char *path = fs_arena_printf(p->c->arena, "%s/%s.svg", p->folder, plot->name);
    fs_page_figure(p->page, fs_arena_printf(p->c->arena, "figure-%s", id), plot->title, true);
    fs_status status = fs_page_svg(p->page, path, id, plot->title, err);
    fs_page_figure_end(p->page, "%s", plot->caption);
    return status;
}

/* ---- pixels ---- */

static size_t measure_of(const fs_comparison_page *p, const char *id) {
    size_t m = 0;
    while (m + 1 < p->maps && strcmp(p->map[m].id, id + strlen("map-")) != 0)
        m++;
    return m;
}

static json_t *layer(const char *what, const char *unit, const char *values, const packing *how) {
    return json_pack("{s:s, s:s, s:s, s:f, s:i}", "what", what, "unit", unit, "values", values, "scale",
                     1 / how->scale, "none", (int)how->none);
}

static double most_in(const fs_comparison_page *p, size_t m) {
    double most = 0;
    for (size_t i = 0; i < p->shown; i++)
        most = most_of(p->run[i].measure[m].value, p->run[i].measure[m].width * p->run[i].measure[m].height,
                       most);
    return most;
}

static packing pixel_packing(const fs_comparison_page *p, size_t m) {
    return packing_of(most_in(p, m), (double)(p->block * p->block));
}

static json_t *show_pixels(const fs_comparison_page *p, size_t at, size_t group, const char *id) {
    (void)group;
    size_t m = measure_of(p, id);
    packing how = pixel_packing(p, m);
    const fs_shown_run *r = &p->run[at];
    json_t *layers = json_array();
    const char *base = fs_arena_printf(p->c->arena, "%s-values-0", id);
    for (size_t i = 0; i < p->shown; i++) {
        bool listed = i == at || (r->same_pixels && p->run[i].same_pixels);
        if (!listed || !p->run[i].pixels)
            continue;
        const char *values = fs_arena_printf(p->c->arena, "%s-values-%zu", id, i);
        json_array_append_new(layers, layer(label_of(p, i), p->map[m].unit, values, &how));
        if (i > 0 && r->same_pixels && (i == at || at == 0)) {
            json_t *less = layer("difference", p->map[m].unit, values, &how);
            json_object_set_new(less, "minus", json_string(base));
            json_array_append_new(layers, less);
        }
    }
    return json_pack("{s:s, s:i, s:i, s:i, s:i, s:s, s:s, s:o}", "kind", "matrix", "cols",
                     (int)r->measure[m].width, "rows", (int)r->measure[m].height, "step", (int)p->block,
                     "down", (int)p->block, "x", "pixel x", "y", "y", "layers", layers);
}

static fs_status put_pixels(fs_comparison_page *p, fs_error *err) {
    fs_page_folded(p->page, "pixels", "Pixel by pixel",
                   "what each pixel went through, and where that differs");
    if (!p->run[0].pixels) {
        fs_page_note(p->page, "%s has no %s: there are no maps to compare with.", label_of(p, 0),
                     p->map_file);
        return FS_OK;
    }
    for (size_t i = 1; i < p->shown; i++)
        if (p->run[i].pixels && !p->run[i].same_pixels)
            fs_page_note(p->page, "%s renders %zu x %zu pixels and %s %zu x %zu: no difference can be drawn.",
                         label_of(p, i), p->run[i].image_width, p->run[i].image_height, label_of(p, 0),
                         p->run[0].image_width, p->run[0].image_height);
        else if (!p->run[i].pixels)
            fs_page_note(p->page, "%s has no %s.", label_of(p, i), p->map_file);
    for (size_t m = 0; m < p->maps; m++) {
        const char *id = fs_arena_printf(p->c->arena, "map-%s", p->map[m].id);
        packing how = pixel_packing(p, m);
        if (most_in(p, m) == 0) {
            fs_page_note(p->page, "%s: 0 for every pixel in every run.", p->map[m].label);
            continue;
        }
        if (put_plot(p, plot_of(p, p->map[m].id), id, err))
            return err->status;
        for (size_t i = 0; i < p->shown; i++)
            if (p->run[i].pixels)
                put_values(p, fs_arena_printf(p->c->arena, "%s-values-%zu", id, i), &how,
                           p->run[i].measure[m].value,
                           p->run[i].measure[m].width * p->run[i].measure[m].height);
        put_hover(p, plot_of(p, p->map[m].id), id, show_pixels);
    }
    return FS_OK;
}

/* ---- chip ---- */

static const char *job_of(const fs_comparison_page *p, const fs_chip_map *map, size_t tile) {
    if (!fs_roles_levelled(p->roles, map->role[tile]))
        return map->role[tile];
    return fs_arena_printf(p->c->arena, "%s, level %lld", map->role[tile], (long long)map->level[tile]);
}

/* The tiles of run `at`, with the values of every run whose tiles stand where these do. */
static void put_chip_data(fs_comparison_page *p, size_t at) {
    const fs_chip_map *map = &p->run[at].chip_map;
    json_t *x = json_array(), *y = json_array(), *labels = json_array(), *layers = json_array();
    for (size_t k = 0; k < map->width * map->height; k++) {
        if (map->tile[k] == 0)
            continue;
        const char *label =
            fs_arena_printf(p->c->arena, "tile %zu: %s", map->tile[k] - 1, job_of(p, map, map->tile[k] - 1));
        for (size_t i = at + 1; i < p->shown && p->run[at].same_chip; i++)
            if (p->run[i].same_chip && p->run[i].chip_map.tile[k] != 0) {
                const char *other = job_of(p, &p->run[i].chip_map, p->run[i].chip_map.tile[k] - 1);
                if (strcmp(other, job_of(p, map, map->tile[k] - 1)) != 0)
                    label = fs_arena_printf(p->c->arena, "%s (%s in %s)", label, other, label_of(p, i));
            }
        json_array_append_new(x, json_integer((json_int_t)(k % map->width)));
        json_array_append_new(y, json_integer((json_int_t)(k / map->width)));
        json_array_append_new(labels, json_string(label));
    }
    for (size_t m = 0; m < p->chips; m++)
        for (size_t i = 0; i < p->shown; i++) {
            if (!p->run[i].chip || !p->chip_has[m] ||
                (i != at && !(p->run[at].same_chip && p->run[i].same_chip)))
                continue;
            json_t *values = json_array();
            for (size_t k = 0; k < map->width * map->height; k++)
                if (map->tile[k] != 0) {
                    double v = p->run[i].chip_map.value[m][k];
                    json_array_append_new(values, isnan(v) ? json_integer(-1)
                                                           : json_real(floor(100 * v + 0.5) / 100));
                }
            json_array_append_new(layers, json_pack("{s:s, s:s, s:o, s:i}", "what", label_of(p, i), "unit",
                                                    p->chip[m].unit, "values", values, "none", -1));
        }
    fs_page_json(p->page, fs_arena_printf(p->c->arena, "chip-data-%zu", at), 9,
                 json_pack("{s:o, s:o, s:o, s:o}", "x", x, "y", y, "labels", labels, "layers", layers));
}

static json_t *show_chip(const fs_comparison_page *p, size_t at, size_t group, const char *id) {
    (void)group, (void)id;
    return json_pack("{s:s, s:[f,f], s:s}", "kind", "points", "half", 0.5, 0.5, "data",
                     fs_arena_printf(p->c->arena, "chip-data-%zu", p->run[at].same_chip ? 0 : at));
}

static fs_status put_chip(fs_comparison_page *p, fs_error *err) {
    fs_page_folded(p->page, "chip", "The chip, tile by tile", "the same measure of each tile, run by run");
    for (size_t i = 0; i < p->shown; i++)
        if (!p->run[i].chip)
            fs_page_note(p->page, "%s has no tiles that can be placed on a chip.", label_of(p, i));
        else if (!p->run[i].same_chip)
            fs_page_note(p->page,
                         "The tiles of %s stand otherwise than those of %s: no difference can be drawn.",
                         label_of(p, i), label_of(p, 0));
    for (size_t m = 0; m < p->chips; m++) {
        if (!p->chip_has[m])
            continue;
        fs_page_cells(p->page, p->chip[m].id);
        if (put_plot(p, plot_of(p, p->chip[m].id), p->chip[m].id, err))
            return err->status;
        put_hover(p, plot_of(p, p->chip[m].id), p->chip[m].id, show_chip);
    }
    for (size_t i = 0; i < p->shown; i++)
        if (p->run[i].chip && (i == 0 || !p->run[i].same_chip))
            put_chip_data(p, i);
    return FS_OK;
}

/* ---- tile by iteration ---- */

static packing rows_packing(const fs_comparison_page *p) {
    double most = 0;
    for (size_t i = 0; i < p->shown; i++)
        most = most_of(p->run[i].rows.value, p->run[i].rows.all_rows * p->run[i].rows.columns, most);
    return packing_of(most, 1);
}

static json_t *show_rows(const fs_comparison_page *p, size_t at, size_t group, const char *id) {
    const fs_tile_rows *rows = &p->run[at].rows;
    packing how = rows_packing(p);
    if (group >= p->groups || !p->run[at].tiles)
        return NULL;
    json_t *held = layer(label_of(p, at), p->held->columns[0].unit,
                         fs_arena_printf(p->c->arena, "%s-values-%zu", id, at), &how);
    return json_pack("{s:s, s:i, s:i, s:i, s:i, s:s, s:s, s:[o]}", "kind", "matrix", "cols",
                     (int)rows->columns, "rows", (int)rows->rows[group], "row", (int)rows->first[group],
                     "step", (int)p->pool, "x", "iteration", "y",
                     fs_arena_printf(p->c->arena, "%s, row", p->group_name[group]), "layers", held);
}

static fs_status put_rows(fs_comparison_page *p, fs_error *err) {
    if (p->held == NULL)
        return FS_OK;
    fs_page_folded(p->page, "queues", "Tile by tile, iteration by iteration",
                   "what each tile held in each iteration");
    for (size_t i = 0; i < p->shown; i++)
        if (!p->run[i].tiles)
            fs_page_note(p->page, "%s has no %s.", label_of(p, i), p->held_file);
    if (p->groups == 0)
        return FS_OK;
    fs_page_cells(p->page, "held");
    if (put_plot(p, plot_of(p, "held"), "held", err))
        return err->status;
    packing how = rows_packing(p);
    for (size_t i = 0; i < p->shown; i++)
        if (p->run[i].tiles)
            put_values(p, fs_arena_printf(p->c->arena, "held-values-%zu", i), &how, p->run[i].rows.value,
                       p->run[i].rows.all_rows * p->run[i].rows.columns);
    put_hover(p, plot_of(p, "held"), "held", show_rows);
    return FS_OK;
}

/* ---- series ---- */

static json_t *show_series(const fs_comparison_page *p, size_t at, size_t group, const char *id) {
    (void)group;
    json_t *layers = json_array();
    for (size_t n = 0; n < p->serieses; n++) {
        const fs_compared_series *s = &p->series[n];
        if (strcmp(s->id, id) != 0 || !p->run[at].series[n])
            continue;
        for (size_t k = s->lines; k-- > 0;)
            if (fs_lines_first(s->line, k)) /* the columns behind the lines, each once */
                json_array_append_new(
                    layers, json_pack("{s:s, s:s, s:s}", "what",
                                      s->line[k].by == NULL ? s->line[k].label : s->line[k].column, "unit",
                                      s->timed ? s->unit : "", "values",
                                      fs_arena_printf(p->c->arena, "%s-%s-%zu", id, s->line[k].column, at)));
    }
    return json_pack("{s:s, s:s, s:o}", "kind", "series", "x", "iteration", "layers", layers);
}

static fs_status put_series_values(fs_comparison_page *p, const fs_compared_series *s, size_t i,
                                   fs_error *err) {
    const fs_csv *t = fs_folder_table(p->run[i].folder, s->section->file, err);
    const double scale = fs_compare_series_scale(p, s, i);
    for (size_t k = 0; t != NULL && k < s->lines; k++) {
        if (!fs_lines_first(s->line, k))
            continue;
        const int64_t *v = fs_csv_has(t, s->line[k].column) ? fs_csv_ints(t, s->line[k].column, err) : NULL;
        float *values = fs_calloc(fs_csv_rows(t) + 1, sizeof *values);
        for (size_t row = 0; v != NULL && row < fs_csv_rows(t); row++)
            values[row] = (float)(scale * (double)v[row]);
        fs_page_values(p->page, fs_arena_printf(p->c->arena, "%s-%s-%zu", s->id, s->line[k].column, i),
                       FS_PAGE_F32, values, fs_csv_rows(t));
        free(values);
    }
    return err->status;
}

static fs_status put_series(fs_comparison_page *p, const fs_plan_section *section, fs_error *err) {
    for (size_t n = 0; n < p->serieses; n++) {
        const fs_compared_series *s = &p->series[n];
        if (s->section != section || plot_of(p, s->id) == NULL)
            continue;
        if (put_plot(p, plot_of(p, s->id), s->id, err))
            return err->status;
        for (size_t i = 0; i < p->shown; i++)
            if (p->run[i].series[n] && put_series_values(p, s, i, err))
                return err->status;
        put_hover(p, plot_of(p, s->id), s->id, show_series);
    }
    return FS_OK;
}

/* ---- a section of the plan ---- */

fs_status fs_compare_put_section(fs_comparison_page *p, const fs_plan_section *s, fs_error *err) {
    const char *kind = s->kind;
    if (strcmp(kind, "series") == 0)
        return put_series(p, s, err);
    if (strcmp(kind, "matrix") == 0)
        return put_rows(p, err);
    if (strcmp(kind, "chip") == 0 && p->chips > 0 && s->panel_count > 0 &&
        s->panels[0].compared == p->chip[0].panel->compared)
        return put_chip(p, err); /* all maps of the chip stand where the first does */
    if (strcmp(kind, "pixels") == 0 && p->maps > 0)
        return put_pixels(p, err);
    const char *id = fs_arena_printf(p->c->arena, "tails-%.20s", s->id);
    if (plot_of(p, id) == NULL)
        return FS_OK;
    fs_page_folded(p->page, s->id, s->title, "the runs on one axis");
    return put_plot(p, plot_of(p, id), id, err);
}
