/* What a comparison draws: which panels of the plan, those with a title for it; their data, matrices and tables as text; and
 * run.gp with their sizes and the ranges that all runs share. */
#include "reports/compare/compare_page.h"
#include "reports/plot/script.h"
#include "sim/base/quantile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    WIDEST_MAP = 400,      /* blocks across a map of pixels */
    NARROWER_MAP = 280,    /* of three runs and more */
    MOST_PIXELS = 1 << 26, /* a damaged table.csv, not a frame */
};

/* ---- what of the plan is compared ---- */

static bool is(const char *text, const char *word) {
    return strcmp(text, word) == 0;
}

/* Letters, digits and _ of a column's name: a variable of gnuplot and a file. */
static const char *id_of(fs_arena *arena, const char *name) {
    char *id = fs_arena_printf(arena, "%.20s", name);
    for (char *at = id; *at != '\0'; at++)
        if (!((*at >= 'a' && *at <= 'z') || (*at >= '0' && *at <= '9' && at > id) || *at == '_'))
            *at = '_';
    return id;
}

static void add(fs_comparison_page *p, fs_measure *list, size_t *count, size_t most,
                const fs_plan_panel *panel, const fs_plan_column *column, const char *id) {
    if (*count == most || is(column->form, "told"))
        return;
    for (size_t i = 0; i < *count; i++)
        if (strcmp(list[i].id, id_of(p->c->arena, id)) == 0)
            return;
    list[(*count)++] = (fs_measure){.id = id_of(p->c->arena, id),
                                    .column = column,
                                    .panel = panel,
                                    .label = column->label,
                                    .unit = column->unit,
                                    .from_zero = panel->key != NULL,
                                    .logarithmic = !is(panel->form, "linear")};
}

static void add_series(fs_comparison_page *p, const fs_plan_section *s, size_t panel) {
    if (p->serieses == FS_SERIES)
        return;
    fs_compared_series *one = &p->series[p->serieses++];
    *one = (fs_compared_series){.section = s,
                                .panel = panel,
                                .id = id_of(p->c->arena, s->panels[panel].name),
                                .stacked = is(s->panels[panel].form, "stacked")};
}

void fs_compare_choose(fs_comparison_page *p) {
    for (size_t i = 0; i < p->plan->section_count; i++) {
        const fs_plan_section *s = p->plan->sections[i];
        for (size_t k = 0; k < s->panel_count; k++) {
            const fs_plan_panel *panel = &s->panels[k];
            if (panel->compared == NULL || panel->column_count == 0)
                continue;
            const char *file = panel->file == NULL ? s->file : panel->file;
            if (is(s->kind, "series"))
                add_series(p, s, k);
            if (is(s->kind, "matrix") && p->held == NULL) {
                p->held = panel;
                p->held_file = file;
            }
            if (is(s->kind, "chip"))
                add(p, p->chip, &p->chips, FS_CHIP_MEASURES, panel, &panel->columns[0], panel->name);
            for (size_t c = 0; c < panel->column_count; c++) {
                const size_t before = p->tails;
                if (is(s->kind, "pixels")) {
                    add(p, p->map, &p->maps, FS_MEASURES, panel, &panel->columns[c],
                        panel->columns[c].column);
                    p->map_file = file;
                }
                if (is(s->kind, "counts") || is(s->kind, "distribution"))
                    add(p, p->tail, &p->tails, FS_TAILS, panel, &panel->columns[c], panel->columns[c].column);
                if (p->tails > before)
                    p->tail_section[before] = s;
            }
        }
    }
}

/* ---- data ---- */

/* A matrix as gnuplot reads it; cells without a value are NaN. An image needs two rows: a single one stands
 * twice. */
fs_status fs_compare_save_map(fs_comparison_page *p, const char *name, const double *value, size_t width,
                              size_t height, fs_error *err) {
    for (size_t y = 0; y < height || (height == 1 && y < 2); y++) {
        const double *row = value + (y < height ? y : 0) * width;
        for (size_t x = 0; x < width; x++) {
            const char *end = x + 1 < width ? " " : "\n";
            if (isnan(row[x]))
                fs_page_text_print(&p->data, "NaN%s", end);
            else if (row[x] == floor(row[x]) && fabs(row[x]) < 1e9)
                fs_page_text_print(&p->data, "%d%s", (int)row[x], end);
            else
                fs_page_text_print(&p->data, "%.6g%s", row[x], end);
        }
    }
    return fs_page_text_save(&p->data, p->folder, name, "map", err);
}

/* ---- ranges ---- */

/* The greatest size of a difference that a picture tells apart: 99 % of those that are no 0 are smaller. */
double fs_compare_reach(const double *a, const double *b, size_t count) {
    double *gap = fs_malloc((count + 1) * sizeof *gap);
    for (size_t i = 0; i < count; i++)
        gap[i] = a[i] == b[i] ? NAN : fabs(a[i] - b[i]);
    double reach = fs_quantile_nearest(gap, count, 0.99);
    free(gap);
    return reach;
}

/* ---- pixels ---- */

static fs_status size_of_image(const fs_comparison_page *p, fs_shown_run *r, const fs_csv *table,
                               fs_error *err) {
    const int64_t *x = fs_csv_ints(table, "x", err), *y = x == NULL ? NULL : fs_csv_ints(table, "y", err);
    if (y == NULL)
        return FS_INPUT;
    int64_t right = -1, bottom = -1;
    for (size_t i = 0; i < fs_csv_rows(table); i++) {
        right = x[i] > right ? x[i] : right;
        bottom = y[i] > bottom ? y[i] : bottom;
        if (x[i] < 0 || y[i] < 0)
            return fs_fail(err, FS_INPUT, "%s: row %zu: a negative pixel", p->map_file, i + 2);
    }
    if (right < 0 || bottom < 0 || right >= MOST_PIXELS || bottom >= MOST_PIXELS ||
        (right + 1) * (bottom + 1) > MOST_PIXELS)
        return fs_fail(err, FS_INPUT, "%s: %lld x %lld pixels are no frame", p->map_file,
                       (long long)right + 1, (long long)bottom + 1);
    r->image_width = (size_t)right + 1;
    r->image_height = (size_t)bottom + 1;
    return FS_OK;
}

/* Means over blocks of pixels. Unwritten pixels (-1) are left out. */
static fs_status fill_map(const fs_comparison_page *p, fs_shown_run *r, size_t measure, const fs_csv *table,
                          fs_error *err) {
    const int64_t *x = fs_csv_ints(table, "x", err), *y = fs_csv_ints(table, "y", err);
    const int64_t *v = fs_csv_ints(table, p->map[measure].column->column, err);
    if (v == NULL)
        return FS_INPUT;
    fs_pixel_map *map = &r->measure[measure];
    map->width = (r->image_width + p->block - 1) / p->block;
    map->height = (r->image_height + p->block - 1) / p->block;
    map->value = FS_NEW(p->c->arena, double, map->width * map->height);
    uint32_t *count = fs_calloc(map->width * map->height, sizeof *count);
    for (size_t i = 0; i < fs_csv_rows(table); i++) {
        size_t at = (size_t)y[i] / p->block * map->width + (size_t)x[i] / p->block;
        if (v[i] < 0)
            continue;
        map->value[at] += (double)v[i];
        count[at]++;
    }
    for (size_t i = 0; i < map->width * map->height; i++)
        map->value[i] = count[i] == 0 ? NAN : map->value[i] / count[i];
    free(count);
    return FS_OK;
}

static fs_status read_pixels(fs_comparison_page *p, fs_error *err) {
    size_t widest = 0;
    const fs_csv *table[FS_SHOWN] = {NULL};
    for (size_t i = 0; i < p->shown; i++) {
        fs_folder *folder = p->run[i].folder;
        if (p->maps == 0 || !fs_folder_has(folder, p->map_file))
            continue;
        table[i] = fs_folder_table(folder, p->map_file, err);
        if (table[i] == NULL || size_of_image(p, &p->run[i], table[i], err))
            return err->status;
        p->run[i].pixels = true;
        widest = p->run[i].image_width > widest ? p->run[i].image_width : widest;
    }
    size_t across = p->shown > 2 ? NARROWER_MAP : WIDEST_MAP;
    p->block = widest == 0 ? 1 : (widest + across - 1) / across;
    for (size_t i = 0; i < p->shown; i++) {
        fs_shown_run *r = &p->run[i];
        r->same_pixels = r->pixels && p->run[0].pixels && r->image_width == p->run[0].image_width &&
                         r->image_height == p->run[0].image_height;
        for (size_t m = 0; m < p->maps && r->pixels; m++)
            if (fill_map(p, r, m, table[i], err))
                return err->status;
    }
    return FS_OK;
}

static fs_status write_measure(fs_comparison_page *p, size_t m, fs_error *err) {
    size_t room = 0;
    for (size_t i = 0; i < p->shown; i++)
        room += p->run[i].measure[m].width * p->run[i].measure[m].height;
    double *all = fs_malloc((room + 1) * sizeof *all), reach = 0;
    size_t count = 0;
    fs_status status = FS_OK;
    for (size_t i = 0; i < p->shown && status == FS_OK; i++) {
        const fs_pixel_map *map = &p->run[i].measure[m], *base = &p->run[0].measure[m];
        size_t n = map->width * map->height;
        if (n == 0)
            continue;
        memcpy(all + count, map->value, n * sizeof *all);
        count += n;
        status = fs_compare_save_map(p, fs_arena_printf(p->c->arena, "%s-%zu", p->map[m].id, i), map->value,
                                     map->width, map->height, err);
        if (i == 0 || !p->run[i].same_pixels || status)
            continue;
        double *gap = fs_malloc(n * sizeof *gap), here = fs_compare_reach(map->value, base->value, n);
        reach = here > reach ? here : reach;
        for (size_t k = 0; k < n; k++)
            gap[k] = map->value[k] - base->value[k];
        status = fs_compare_save_map(p, fs_arena_printf(p->c->arena, "%s-%zu-less", p->map[m].id, i), gap,
                                     map->width, map->height, err);
        free(gap);
    }
    double low = fs_quantile_nearest(all, count, 0), high = fs_quantile_nearest(all, count, 0.995);
    low = isnan(low) ? 0 : low;
    high = high > low ? high : low + 1;
    if (p->map[m].from_zero)
        low = 0;
    fs_page_text_print(&p->settings, "%s_low = %.9g; %s_high = %.9g; %s_reach = %.9g\n", p->map[m].id, low,
                       p->map[m].id, high, p->map[m].id, reach);
    free(all);
    return status;
}

fs_status fs_compare_write_data(fs_comparison_page *p, fs_error *err) {
    fs_page_text_print(
        &p->settings,
        "# Sizes, and the ranges that all runs share. Change them and draw again.\nruns = %zu\narray "
        "label[%zu]\n",
        p->shown, p->shown);
    for (size_t i = 0; i < p->shown; i++)
        fs_page_text_print(&p->settings, "label[%zu] = %s\n", i + 1,
                           fs_plot_quoted(p->c->arena, p->c->runs[p->run[i].run].label));

    fs_status status = read_pixels(p, err);
    for (size_t m = 0; m < p->maps && status == FS_OK; m++)
        status = write_measure(p, m, err);
    if (status == FS_OK)
        status = fs_compare_write_chip(p, err);
    if (status == FS_OK)
        status = fs_compare_write_tiles(p, err);
    if (status == FS_OK)
        status = fs_compare_write_tails(p, err);
    if (status == FS_OK)
        status = fs_compare_write_series(p, err);
    fs_page_text_print(&p->settings, "block = %zu\n", p->block);
    for (size_t i = 0; i < p->shown; i++) {
        const fs_shown_run *r = &p->run[i];
        fs_page_text_print(
            &p->settings,
            "pixels_%zu = %d; same_pixels_%zu = %d; map_width_%zu = %zu; map_height_%zu = %zu; chip_%zu "
            "= %d; "
            "same_chip_%zu = %d; chip_width_%zu = %zu; chip_height_%zu = %zu; held_%zu = %d\n",
            i, r->pixels, i, r->same_pixels, i, r->measure[0].width, i, r->measure[0].height, i, r->chip, i,
            r->same_chip, i, r->chip_map.width, i, r->chip_map.height, i, r->tiles);
    }
    if (status == FS_OK)
        status = fs_page_text_save(&p->settings, p->folder, "run", "gp", err);
    free(p->settings.text);
    free(p->data.text);
    return status;
}
