/* Maps of pixels: a column of a table with a row for each pixel, x and y in order. */
#include "reports/read/run_spread.h"
#include "reports/run/report_private.h"
#include "sim/base/numbers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAPS = 12, MOST_DOTS = 1 << 17 }; /* of a map, which a page shows in 455 pixels across */

typedef struct pixels {
    const fs_plan_section *section;
    const fs_csv *table;
    size_t width, height, step; /* a dot of a map stands for step x step pixels */
    size_t count;               /* maps, told ones included */
    const fs_plan_column *column[MAPS];
    const int64_t *value[MAPS];
    fs_value_spread spread[MAPS];
    const char *across;    /* "pixel x": what a dot is; the first panel's label names another */
    const char *unwritten; /* " Grey: 12 pixels never written." */
    fs_report_picture *picture[MAPS];
    size_t pictures;
} pixels;

static const char *name_of_dot(const fs_plan_panel *panel) {
    return panel->label == NULL ? "pixel" : panel->label;
}

static fs_status read_size(fs_report *r, pixels *p, fs_error *err) {
    const int64_t *x = fs_csv_ints(p->table, "x", err),
                  *y = x == NULL ? NULL : fs_csv_ints(p->table, "y", err);
    const size_t rows = fs_csv_rows(p->table);
    if (y == NULL)
        return err->status;
    if (rows == 0)
        return FS_OK;
    p->width = (size_t)(x[rows - 1] < 0 ? 0 : x[rows - 1]) + 1;
    p->height = rows / p->width;
    for (size_t i = 0; i < rows; i++)
        if (x[i] != (int64_t)(i % p->width) || y[i] != (int64_t)(i / p->width))
            return fs_fail(err, FS_INPUT, "%s/%s:%zu: pixels out of order", fs_folder_path(r->run),
                           p->section->file, i + 2);
    return FS_OK;
}

static fs_status read_maps(pixels *p, fs_error *err) {
    const size_t rows = fs_csv_rows(p->table);
    for (size_t k = 0; k < p->section->panel_count; k++)
        for (size_t c = 0; c < p->section->panels[k].column_count && p->count < MAPS; c++) {
            const fs_plan_column *column = &p->section->panels[k].columns[c];
            p->column[p->count] = column;
            p->value[p->count] = fs_csv_ints(p->table, column->column, err);
            if (p->value[p->count] == NULL)
                return err->status;
            fs_spread_take(&p->spread[p->count], p->value[p->count], rows);
            p->count++;
        }
    return FS_OK;
}

static bool know(void *self, const char *name, fs_fill_value *out) {
    const pixels *p = self;
    const size_t length = strcspn(name, ".");
    *out = (fs_fill_value){.unit = ""};
    if (strcmp(name, "unwritten") == 0) {
        out->text = p->unwritten;
        return true;
    }
    for (size_t i = 0; i < p->count; i++)
        if (strlen(p->column[i]->column) == length && strncmp(p->column[i]->column, name, length) == 0)
            return fs_spread_know(&p->spread[i], name + length, out);
    return false;
}

static size_t map_of(const pixels *p, const char *column) {
    size_t i = 0;
    while (i + 1 < p->count && strcmp(p->column[i]->column, column) != 0)
        i++;
    return i;
}

/* The mean of the pixels of a dot that were written; -1: none was. */
static double dot_of(const pixels *p, const int64_t *value, size_t left, size_t top) {
    double sum = 0, count = 0;
    for (size_t y = top; y < top + p->step && y < p->height; y++)
        for (size_t x = left; x < left + p->step && x < p->width; x++)
            if (value[y * p->width + x] >= 0) {
                sum += (double)value[y * p->width + x];
                count++;
            }
    return count > 0 ? sum / count : -1;
}

static fs_status save_map(fs_report *r, const pixels *p, size_t at, fs_error *err) {
    r->text.used = 0;
    for (size_t y = 0; y < p->height; y += p->step)
        for (size_t x = 0; x < p->width; x += p->step)
            fs_page_text_print(&r->text, "%.6g%c", dot_of(p, p->value[at], x, y),
                               x + p->step >= p->width ? '\n' : ' ');
    return fs_page_text_save(&r->text, r->pictures, p->column[at]->column, "map", err);
}

static fs_status draw_panel(fs_report *r, pixels *p, const fs_plan_panel *panel, fs_error *err) {
    const char *source[2] = {0}, *name[2] = {0}, *unit[2] = {0}, *note[2] = {0};
    double low[2] = {0}, high[2] = {0};
    size_t sides = 0;
    const bool none = panel->key != NULL && p->spread[map_of(p, panel->key)].most == 0;
    for (size_t c = 0; c < panel->column_count && sides < 2; c++) {
        const fs_plan_column *column = &panel->columns[c];
        const size_t at = map_of(p, column->column);
        const fs_value_spread *s = &p->spread[at];
        if (strcmp(column->form, "told") == 0 || (none && strcmp(column->column, panel->key) == 0))
            continue;
        if (save_map(r, p, at, err))
            return err->status;
        source[sides] = column->column;
        name[sides] = column->label;
        unit[sides] = column->unit;
        note[sides] = fs_arena_printf(
            r->arena, "mean %s, median %s, most %s%s", fs_number_short(s->mean, 3),
            fs_number_grouped((double)s->median), fs_number_grouped((double)s->most),
            p->step == 1 ? "" : fs_arena_printf(r->arena, "; dots: means of %zu x %zu", p->step, p->step));
        low[sides] = (double)s->least;
        high[sides++] = (double)s->cut;
    }
    if (sides == 0)
        return FS_OK;
    p->picture[p->pictures++] = fs_report_begin(r, panel, none, know, p);
    fs_report_set_texts(r, "source", source, sides);
    fs_report_set_texts(r, "name", name, sides);
    fs_report_set_texts(r, "unit", unit, sides);
    fs_report_set_texts(r, "note", note, sides);
    fs_report_set_numbers(r, "low", low, sides);
    fs_report_set_numbers(r, "high", high, sides);
    fs_report_set_text(r, "dot", name_of_dot(panel));
    fs_page_text_print(&r->text, "width = %zu; height = %zu; step = %zu; sides = %zu\n", p->width, p->height,
                       p->step, sides);
    return fs_report_end(r, panel->name, "pixelmaps.gp", err);
}

static fs_status prepare(fs_report *r, const fs_plan_section *s, void **own, fs_error *err) {
    pixels *p = FS_NEW(r->arena, pixels, 1);
    p->section = s;
    p->table = fs_folder_table(r->run, s->file, err);
    if (p->table == NULL || read_size(r, p, err) || p->width == 0 || read_maps(p, err) || p->count == 0)
        return err->status;
    if (p->spread[0].count == 0)
        return fs_fail(err, FS_INPUT, "%s/%s: no pixel was written", fs_folder_path(r->run), s->file);
    p->across = fs_arena_printf(r->arena, "%s x", name_of_dot(s->panels));
    p->step = 1;
    while (p->width * p->height > MOST_DOTS * p->step * p->step)
        p->step++;
    const uint64_t unwritten = (uint64_t)fs_csv_rows(p->table) - p->spread[0].count;
    p->unwritten = unwritten > 0 ? fs_arena_printf(r->arena, " Grey: %llu pixels never written.",
                                                   (unsigned long long)unwritten)
                                 : "";
    for (size_t k = 0; k < s->panel_count && p->pictures < MAPS; k++)
        if (draw_panel(r, p, &s->panels[k], err))
            return err->status;
    *own = p->pictures > 0 ? p : NULL;
    return FS_OK;
}

static json_t *show(const fs_plot_panel *panel, void *self) {
    const pixels *p = self;
    (void)panel;
    json_t *layers = json_array();
    for (size_t i = 0; i < p->count; i++) {
        char id[64];
        snprintf(id, sizeof id, "%s-%.40s", p->section->id, p->column[i]->column);
        json_t *layer = fs_report_layer(p->column[i]->label, p->column[i]->unit, id, 1);
        json_object_set_new(layer, "none", json_integer(UINT16_MAX));
        json_array_append_new(layers, layer);
    }
    return json_pack("{s:s, s:s, s:s, s:I, s:I, s:o}", "kind", "matrix", "x", p->across, "y", "y", "cols",
                     (json_int_t)p->width, "rows", (json_int_t)p->height, "layers", layers);
}

static fs_status put(fs_report *r, const fs_plan_section *s, void *own, fs_error *err) {
    pixels *p = own;
    if (p->width < 455) /* an enlarged pixel is a pixel */
        for (size_t k = 0; k < p->pictures; k++)
            fs_page_cells(r->page, fs_arena_printf(r->arena, "plot-%s", p->picture[k]->plot->name));
    if (fs_folder_has(r->run, "image.png"))
        fs_page_put(r->page,
                    "<div class=\"beside\"><p>%s</p><img alt=\"the rendered image again, for comparison\" "
                    "data-copy=\"image\"></div>\n",
                    s->words == NULL ? "" : s->words);
    for (size_t k = 0; k < p->pictures; k++)
        if (fs_report_figure(r, p->picture[k], err))
            return err->status;
    for (size_t i = 0; i < p->count; i++)
        fs_report_values16(r, fs_arena_printf(r->arena, "%s-%.40s", s->id, p->column[i]->column), p->value[i],
                           p->width * p->height, 1);
    for (size_t k = 0; k < p->pictures; k++)
        fs_report_hover(r, p->picture[k], show, p);
    return FS_OK;
}

const fs_report_kind fs_report_kind_pixels = {"pixels", prepare, put};
