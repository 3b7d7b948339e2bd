/* Maps of pixels: a column of a table with a row for each pixel, x and y in order; of several runs side by
 * side on one scale, with their differences from the base. */
#include "reports/sections/sections_private.h"
#include "sim/base/numbers.h"
#include "sim/base/quantile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAPS = 12,
    ACROSS = 400,          /* blocks of pixels across a map of one of two runs */
    ACROSS_OF_MORE = 280,  /* of three and more */
    MOST_PIXELS = 1 << 26, /* a damaged table, not a frame */
};

typedef struct map {
    const fs_plan_panel *panel;
    const fs_plan_column *column;
    const int64_t *pixel[FS_SHOW_RUNS]; /* [height][width] */
    double *dot[FS_SHOW_RUNS];          /* [rows][cols], of several runs; NAN: no pixel of it was written */
    fs_value_spread spread;             /* of the first run */
    const fs_values *values[FS_SHOW_RUNS];
} map;

typedef struct pixels {
    fs_show *s;
    const fs_plan_section *section;
    const fs_csv *table[FS_SHOW_RUNS];
    size_t width[FS_SHOW_RUNS], height[FS_SHOW_RUNS];
    size_t block; /* a dot stands for block x block pixels */
    size_t count;
    map map[MAPS];
    const char *unwritten; /* " Grey: 12 pixels never written." */
    const map *shown;      /* of several runs, the one that is being added, and its range */
    fs_axis range;
} pixels;

/* ---- data ---- */

static fs_status read_size(pixels *p, size_t run, fs_error *err) {
    const fs_csv *t = p->table[run];
    const int64_t *x = fs_csv_ints(t, "x", err), *y = x == NULL ? NULL : fs_csv_ints(t, "y", err);
    const size_t rows = fs_csv_rows(t);
    if (y == NULL || rows == 0)
        return err->status;
    p->width[run] = (size_t)(x[rows - 1] < 0 ? 0 : x[rows - 1]) + 1;
    p->height[run] = rows / p->width[run];
    for (size_t i = 0; i < rows; i++)
        if (x[i] != (int64_t)(i % p->width[run]) || y[i] != (int64_t)(i / p->width[run]))
            return fs_fail(err, FS_INPUT, "%s/%s:%zu: pixels out of order", fs_folder_path(p->s->run[run]),
                           p->section->file, i + 2);
    return rows > MOST_PIXELS
               ? fs_fail(err, FS_INPUT, "%s/%s: %zu x %zu pixels are no frame",
                         fs_folder_path(p->s->run[run]), p->section->file, p->width[run], p->height[run])
               : FS_OK;
}

/* A column that several panels show is read once. */
static fs_status read_map(pixels *p, const fs_plan_panel *panel, const fs_plan_column *column,
                          fs_error *err) {
    map *m = &p->map[p->count];
    for (size_t i = 0; i < p->count; i++)
        if (strcmp(p->map[i].column->column, column->column) == 0)
            return FS_OK;
    *m = (map){.panel = panel, .column = column};
    for (size_t i = 0; i < p->s->count; i++) {
        if (p->width[i] == 0 || (p->s->count > 1 && !fs_csv_has(p->table[i], column->column)))
            continue;
        m->pixel[i] = fs_csv_ints(p->table[i], column->column, err);
        if (m->pixel[i] == NULL)
            return err->status;
    }
    if (m->pixel[0] != NULL)
        fs_spread_take(&m->spread, m->pixel[0], fs_csv_rows(p->table[0]));
    p->count++;
    return FS_OK;
}

static fs_status read_maps(pixels *p, fs_error *err) {
    size_t widest = 0;
    for (size_t i = 0; i < p->s->count; i++) {
        p->table[i] = fs_show_table_of(p->s, i, p->section->file, err);
        if (err->status != FS_OK || (p->table[i] != NULL && read_size(p, i, err)))
            return err->status;
        widest = p->width[i] > widest ? p->width[i] : widest;
    }
    const size_t across = p->s->count > 2 ? ACROSS_OF_MORE : ACROSS;
    p->block = p->s->count == 1 || widest == 0 ? 1 : (widest + across - 1) / across;
    for (size_t k = 0; k < p->section->panel_count; k++) {
        const fs_plan_panel *panel = &p->section->panels[k];
        for (size_t c = 0; c < panel->column_count && p->count < MAPS; c++)
            if (fs_show_shown(p->s, panel) &&
                !(p->s->count > 1 && strcmp(panel->columns[c].form, "told") == 0) &&
                read_map(p, panel, &panel->columns[c], err))
                return err->status;
    }
    return FS_OK;
}

static size_t blocks(const pixels *p, size_t pixels_across) {
    return (pixels_across + p->block - 1) / p->block;
}

/* Means over blocks of pixels; pixels that were not written are left out. */
static void fill_dots(pixels *p, map *m, size_t run) {
    const size_t cols = blocks(p, p->width[run]), rows = blocks(p, p->height[run]);
    double *sum = FS_NEW(p->s->arena, double, cols *rows + 1);
    uint32_t *count = fs_calloc(cols * rows + 1, sizeof *count);
    for (size_t i = 0; i < p->width[run] * p->height[run]; i++) {
        const size_t at = i / p->width[run] / p->block * cols + i % p->width[run] / p->block;
        if (m->pixel[run][i] < 0)
            continue;
        sum[at] += (double)m->pixel[run][i];
        count[at]++;
    }
    for (size_t i = 0; i < cols * rows; i++)
        sum[i] = count[i] == 0 ? NAN : sum[i] / count[i];
    free(count);
    m->dot[run] = sum;
}

/* Of one run each pixel; of several its dots, in so many parts as their block has pixels. */
static void add_values(pixels *p, map *m) {
    const double parts = (double)(p->block * p->block);
    for (size_t i = 0; i < p->s->count; i++) {
        if (m->pixel[i] == NULL)
            continue;
        if (p->s->count == 1) {
            m->values[i] = fs_values_whole(p->s->sheet, m->pixel[i], p->width[i] * p->height[i], 1);
            continue;
        }
        const size_t n = blocks(p, p->width[i]) * blocks(p, p->height[i]);
        int64_t *whole = FS_NEW(p->s->arena, int64_t, n + 1);
        fill_dots(p, m, i);
        for (size_t k = 0; k < n; k++)
            whole[k] = isnan(m->dot[i][k]) ? -1 : (int64_t)floor(m->dot[i][k] * parts + 0.5);
        m->values[i] = fs_values_whole(p->s->sheet, whole, n, 1 / parts);
    }
}

/* ---- words ---- */

static bool know(void *self, const char *name, fs_number_value *out) {
    const pixels *p = self;
    const size_t length = strcspn(name, ".");
    *out = (fs_number_value){.unit = ""};
    if (strcmp(name, "unwritten") == 0) {
        out->text = p->unwritten;
        return true;
    }
    for (size_t i = 0; i < p->count; i++)
        if (strlen(p->map[i].column->column) == length &&
            strncmp(p->map[i].column->column, name, length) == 0)
            return fs_spread_know(&p->map[i].spread, name + length, out);
    return false;
}

static const map *map_of(const pixels *p, const char *column) {
    for (size_t i = 0; i < p->count; i++)
        if (strcmp(p->map[i].column->column, column) == 0)
            return &p->map[i];
    return &p->map[0];
}

/* ---- charts ---- */

/* What a dot is: the panel's label names another thing than a pixel. */
static const char *dot_of(const fs_plan_panel *panel) {
    return panel->label == NULL ? "pixel" : panel->label;
}

static fs_panel *add_panel(pixels *p, fs_chart *chart, const map *m, size_t run, const char *title) {
    fs_sheet *sheet = p->s->sheet;
    const char *dot = dot_of(m->panel);
    const size_t cols = blocks(p, p->width[run]), rows = blocks(p, p->height[run]);
    fs_panel *panel = fs_chart_panel(sheet, chart, title);
    panel->x = (fs_axis){.label = fs_arena_printf(p->s->arena, "%s x", dot), .high = (double)p->width[run]};
    panel->y = (fs_axis){
        .label = fs_arena_printf(p->s->arena, "%s y", dot), .high = (double)p->height[run], .down = true};
    panel->flat = (double)p->height[run] / (double)p->width[run];
    panel->tall = 800;
    fs_chart_series *one = fs_panel_series(sheet, panel, FS_DRAW_MATRIX, m->column->label, m->column->unit);
    one->value = m->values[run];
    one->cols = cols;
    one->rows = rows;
    one->x = fs_values_steps(sheet, 0, (double)p->block, cols);
    one->y = fs_values_steps(sheet, 0, (double)p->block, rows);
    return panel;
}

/* ---- one run: a chart for each panel of the plan, its columns side by side ---- */

static const char *note_of(fs_show *s, const fs_value_spread *v) {
    return fs_arena_printf(s->arena, "mean %s, median %s, most %s", fs_number_short(v->mean, 3),
                           fs_number_grouped((double)v->median), fs_number_grouped((double)v->most));
}

/* "alive, iterations", "tracer visits": what colours stand for. */
static const char *scale_of(fs_show *s, const fs_plan_column *c) {
    return strstr(c->label, c->unit) != NULL ? c->label
                                             : fs_arena_printf(s->arena, "%s, %s", c->label, c->unit);
}

static size_t sides_of(const pixels *p, const fs_plan_panel *panel, bool none, const map **side) {
    size_t count = 0;
    for (size_t c = 0; c < panel->column_count && count < 2; c++)
        if (strcmp(panel->columns[c].form, "told") != 0 &&
            !(none && strcmp(panel->columns[c].column, panel->key) == 0))
            side[count++] = map_of(p, panel->columns[c].column);
    return count;
}

static void put_one(pixels *p) {
    fs_show *s = p->s;
    const char *first = NULL, *title[FS_PAGE_PANELS] = {NULL};
    size_t charts = 0;
    for (size_t k = 0; k < p->section->panel_count && k < FS_PAGE_PANELS; k++) {
        const fs_plan_panel *panel = &p->section->panels[k];
        const map *side[2];
        const bool none = panel->key != NULL && map_of(p, panel->key)->spread.most == 0;
        if (sides_of(p, panel, none, side) == 0)
            continue;
        title[k] = fs_show_title(s, panel, none, know, p);
        first = first == NULL ? title[k] : first;
        charts++;
    }
    if (charts == 0)
        return;
    fs_show_begin(s, p->section, fs_show_inside(s, first, charts));
    if (fs_folder_has(s->run[0], "image.png")) {
        fs_sheet_box(s->sheet, "beside", NULL);
        fs_sheet_say(s->sheet, "%s", p->section->words == NULL ? "" : p->section->words);
        fs_sheet_picture_again(s->sheet, "image", "the rendered image again, for comparison");
        fs_sheet_end(s->sheet);
    }
    for (size_t k = 0; k < p->section->panel_count && k < FS_PAGE_PANELS; k++) {
        const fs_plan_panel *plan = &p->section->panels[k];
        const map *side[2];
        const bool none = plan->key != NULL && map_of(p, plan->key)->spread.most == 0;
        const size_t sides = title[k] == NULL ? 0 : sides_of(p, plan, none, side);
        if (sides == 0)
            continue;
        fs_chart *chart =
            fs_sheet_chart(s->sheet, plan->name, title[k], fs_show_caption(s, plan, know, p, NULL));
        chart->columns = sides;
        for (size_t i = 0; i < sides; i++) {
            fs_panel *panel = add_panel(p, chart, side[i], 0, side[i]->column->label);
            panel->note = note_of(s, &side[i]->spread);
            panel->colour = (fs_axis){.label = scale_of(s, side[i]->column),
                                      .low = (double)side[i]->spread.least,
                                      .high = (double)side[i]->spread.cut};
            for (size_t other = 0; other < p->count; other++)
                if (&p->map[other] != side[i])
                    fs_show_tell(s, panel, p->map[other].values[0], p->map[other].column->label,
                                 p->map[other].column->unit);
        }
    }
}

/* ---- several runs: a chart for each map ---- */

static bool is_same(const pixels *p, size_t run) {
    return p->width[run] > 0 && p->width[run] == p->width[0] && p->height[run] == p->height[0];
}

/* The range that all runs share, up to the 99.5th percentile; false: all are 0. */
static bool range_of(const pixels *p, const map *m, fs_axis *range, double *reach) {
    size_t room = 0, count = 0;
    double most = 0;
    *reach = 0;
    for (size_t i = 0; i < p->s->count; i++)
        room += blocks(p, p->width[i]) * blocks(p, p->height[i]);
    double *all = fs_malloc((room + 1) * sizeof *all);
    for (size_t i = 0; i < p->s->count; i++) {
        const size_t n = blocks(p, p->width[i]) * blocks(p, p->height[i]);
        for (size_t k = 0; m->dot[i] != NULL && k < n; k++) {
            all[count++] = m->dot[i][k];
            most = fmax(most, m->dot[i][k]);
        }
        if (i > 0 && m->dot[i] != NULL && m->dot[0] != NULL && is_same(p, i))
            *reach = fmax(*reach, fs_show_reach(m->dot[i], m->dot[0], n));
    }
    const double low = fs_quantile_nearest(all, count, 0), high = fs_quantile_nearest(all, count, 0.995);
    free(all);
    *range = (fs_axis){.label = m->column->unit, .low = m->panel->key != NULL || isnan(low) ? 0 : low};
    range->high = high > range->low ? high : range->low + 1;
    return most > 0;
}

static fs_panel *add_shown(void *self, fs_chart *chart, size_t run, const char *title) {
    pixels *p = self;
    fs_panel *panel = add_panel(p, chart, p->shown, run, title);
    panel->colour = p->range;
    return panel;
}

static void put_map(pixels *p, const map *m) {
    fs_show *s = p->s;
    fs_show_maps beside = {.unit = m->column->unit, .add = add_shown, .self = p};
    p->shown = m;
    if (!range_of(p, m, &p->range, &beside.reach)) {
        fs_sheet_note(s->sheet, "%s: 0 for every pixel in every run.", m->column->label);
        return;
    }
    for (size_t i = 0; i < s->count; i++) {
        beside.of[i] = m->values[i];
        if (i > 0 && m->values[i] != NULL && m->values[0] != NULL && is_same(p, i))
            beside.gap[i] = fs_values_less(s->sheet, m->values[i], m->values[0]);
    }
    const char *dots = p->block == 1 ? ""
                                     : fs_arena_printf(s->arena, " Each dot: the mean of %zu x %zu pixels.",
                                                       p->block, p->block);
    const char *caption =
        fs_arena_printf(s->arena, "Each pixel: %s.%s One scale for all runs, up to the 99.5th percentile.",
                        m->column->label, dots);
    fs_show_beside(s,
                   fs_sheet_chart(s->sheet, m->column->column,
                                  fs_arena_printf(s->arena, "%s: %s", m->panel->compared, m->column->label),
                                  caption),
                   &beside);
}

static void put_several(pixels *p) {
    fs_show *s = p->s;
    fs_show_begin(s, p->section, "what each pixel went through, and where that differs");
    if (p->width[0] == 0) {
        fs_sheet_note(s->sheet, "%s has no %s: there are no maps to compare with.", s->label[0],
                      p->section->file);
        return;
    }
    for (size_t i = 1; i < s->count; i++)
        if (p->width[i] == 0)
            fs_sheet_note(s->sheet, "%s has no %s.", s->label[i], p->section->file);
        else if (!is_same(p, i))
            fs_sheet_note(s->sheet,
                          "%s renders %zu x %zu pixels and %s %zu x %zu: no difference can be drawn.",
                          s->label[i], p->width[i], p->height[i], s->label[0], p->width[0], p->height[0]);
    for (size_t k = 0; k < p->count; k++)
        put_map(p, &p->map[k]);
}

static fs_status put_pixels(fs_show *s, const fs_plan_section *section, fs_error *err) {
    pixels *p = FS_NEW(s->arena, pixels, 1);
    p->s = s;
    p->section = section;
    if (read_maps(p, err) || p->count == 0)
        return err->status;
    for (size_t i = 0; i < p->count; i++)
        add_values(p, &p->map[i]);
    if (s->count > 1) {
        put_several(p);
        return FS_OK;
    }
    if (p->width[0] == 0)
        return FS_OK;
    if (p->map[0].spread.count == 0)
        return fs_fail(err, FS_INPUT, "%s/%s: no pixel was written", fs_folder_path(s->run[0]),
                       section->file);
    const uint64_t unwritten = (uint64_t)fs_csv_rows(p->table[0]) - p->map[0].spread.count;
    p->unwritten = unwritten > 0 ? fs_arena_printf(s->arena, " Grey: %llu pixels never written.",
                                                   (unsigned long long)unwritten)
                                 : "";
    put_one(p);
    return FS_OK;
}

const fs_show_kind fs_show_kind_pixels = {"pixels", put_pixels, NULL};
