/* Tiles: by iteration, in groups of the overlay's levels, and at their places on the chip. */
#include "reports/report_plots.h"
#include "sim/base/alloc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- tile by iteration ---- */

/* As reports/figures pools them: groups from the top level down, neighbouring tiles and iterations by their
 * maximum. */
enum { WIDEST = 960, HIGHEST = 512 };

typedef struct grid {
    size_t cols, step, rows; /* pooled */
    size_t groups;
    size_t row[FS_PLOT_PANELS], high[FS_PLOT_PANELS]; /* first row and rows of each group */
    int64_t *values;                                  /* [rows][cols] */
    json_t *labels;                                   /* [rows] */
    size_t iterations;
    const char *prefix, *what, *unit;
    double scale;
} grid;

static void label_row(grid *g, const fs_csv *tiles, const char *role, int64_t level, int64_t first,
                      int64_t last) {
    char words[128];
    int used = snprintf(words, sizeof words, "%s %lld", role, (long long)first);
    if (last > first)
        used += snprintf(words + used, sizeof words - (size_t)used, "–%lld", (long long)last);
    const char *shard = (size_t)first < fs_csv_rows(tiles) ? fs_csv_text(tiles, (size_t)first, "shard") : "";
    if (strcmp(role, "router") == 0)
        snprintf(words + used, sizeof words - (size_t)used, " (level %lld)", (long long)level);
    else if (last == first && shard[0] >= '0' && shard[0] <= '9')
        snprintf(words + used, sizeof words - (size_t)used, " (shard %s)", shard);
    json_array_append_new(g->labels, json_string(words));
}

static void pool_group(grid *g, const fs_csv *tiles, const int64_t *matrix, const size_t *member,
                       size_t count, const int64_t *tile, const char *const *role, int64_t level) {
    size_t each = (count - 1) / HIGHEST + 1;
    g->row[g->groups] = g->rows;
    for (size_t i = 0; i < count; i += each) {
        size_t end = i + each < count ? i + each : count;
        int64_t *line = g->values + g->rows * g->cols;
        for (size_t m = i; m < end; m++)
            for (size_t k = 0; k < g->iterations; k++) {
                int64_t v = matrix[member[m] * g->iterations + k];
                if (v > line[k / g->step])
                    line[k / g->step] = v;
            }
        label_row(g, tiles, role[member[i]], level, tile[member[i]], tile[member[end - 1]]);
        g->rows++;
    }
    g->high[g->groups] = g->rows - g->row[g->groups];
    g->groups++;
}

static fs_status pool(grid *g, fs_report *r, const char *file, fs_error *err) {
    const fs_csv *table = fs_folder_table(r->run, file, err), *tiles = NULL;
    const int64_t *matrix = table == NULL ? NULL : fs_csv_matrix(table, "i0", &g->iterations, err);
    const int64_t *tile = matrix == NULL ? NULL : fs_csv_ints(table, "tile", err);
    const int64_t *level = tile == NULL ? NULL : fs_csv_ints(table, "level", err);
    const char *const *role = level == NULL ? NULL : fs_csv_words(table, "role", err);
    if (role == NULL || (tiles = fs_folder_table(r->run, "tiles.csv", err)) == NULL)
        return err->status;
    size_t rows = fs_csv_rows(table);
    int64_t top = 0, most = 0;
    for (size_t i = 0; i < rows; i++)
        top = level[i] > top ? level[i] : top;
    g->step = (g->iterations - 1) / WIDEST + 1;
    g->cols = (g->iterations - 1) / g->step + 1;
    g->values = fs_calloc((rows + 1) * g->cols, sizeof *g->values);
    g->labels = json_array();
    size_t *member = fs_malloc((rows + 1) * sizeof *member);
    for (int64_t l = top; l >= 0 && g->groups < FS_PLOT_PANELS; l--) {
        size_t count = 0;
        for (size_t i = 0; i < rows; i++)
            if (level[i] == l)
                member[count++] = i;
        if (count > 0)
            pool_group(g, tiles, matrix, member, count, tile, role, l);
    }
    free(member);
    for (size_t i = 0; i < g->rows * g->cols; i++)
        most = g->values[i] > most ? g->values[i] : most;
    int64_t scale =
        most < UINT16_MAX ? 1 : (most + UINT16_MAX - 2) / (UINT16_MAX - 1); /* values fit 16 bits */
    g->scale = (double)scale;
    return FS_OK;
}

static json_t *show_group(const fs_plot_panel *panel, void *ctx) {
    const grid *g = ctx;
    size_t group = 0;
    char labels[64], values[64];
    if (strncmp(panel->name, "group-", 6) == 0)
        group = strtoul(panel->name + 6, NULL, 10);
    if (group < 1 || group > g->groups)
        return NULL;
    snprintf(labels, sizeof labels, "%s-labels", g->prefix);
    snprintf(values, sizeof values, "%s-values", g->prefix);
    /* A group's labels are its own rows of the list. */
    json_t *own = json_array();
    for (size_t i = 0; i < g->high[group - 1]; i++)
        json_array_append(own, json_array_get(g->labels, g->row[group - 1] + i));
    return json_pack("{s:s, s:s, s:I, s:I, s:I, s:I, s:I, s:o, s:[o]}", "kind", "matrix", "x", "iteration",
                     "cols", (json_int_t)g->cols, "row", (json_int_t)g->row[group - 1], "rows",
                     (json_int_t)g->high[group - 1], "step", (json_int_t)g->step, "last",
                     (json_int_t)(g->iterations - 1), "labels", own, "layers",
                     fs_report_layer(g->what, g->unit, values, g->scale));
}

static fs_status tile_figure(fs_report *r, const char *plot, const char *file, const char *what,
                             const char *unit, fs_error *err) {
    grid g = {.prefix = plot, .what = what, .unit = unit};
    char id[64];
    fs_status status = pool(&g, r, file, err);
    if (status == FS_OK)
        status = fs_report_figure(r, plot, err);
    if (status == FS_OK) {
        snprintf(id, sizeof id, "%s-values", plot);
        fs_report_values16(r, id, g.values, g.rows * g.cols, g.scale);
        fs_report_hover(r, plot, show_group, &g);
    }
    json_decref(g.labels);
    free(g.values);
    fs_folder_forget(r->run, file);
    return status;
}

fs_status fs_report_tiles(fs_report *r, fs_error *err) {
    static const char *const label[] = {"Rays held", "Compute cycles"};
    size_t count = fs_report_plot(r, "compute") != NULL ? 2 : 1;
    if (!fs_folder_has(r->run, "occupancy.csv"))
        return FS_OK;
    fs_page_section(r->page, "tiles", "Tiles");
    if (count > 1) {
        fs_page_choice(r->page, "tiles-choice", "what to show of the tiles", label, count);
        fs_page_panel(r->page, label[0]);
    }
    fs_status status = tile_figure(r, "occupancy", "occupancy.csv", "held", "rays", err);
    if (count > 1 && status == FS_OK) {
        fs_page_panel(r->page, label[1]);
        status = tile_figure(r, "compute", "cycles.csv", "compute", "cycles", err);
    }
    if (count > 1)
        fs_page_choice_end(r->page);
    return status;
}

/* ---- the chip ---- */

typedef struct chip_columns {
    const int64_t *tile, *level, *column, *row, *sub, *busy, *waiting, *idle, *in, *out, *sram;
    const char *const *role, *const *shard;
} chip_columns;

static fs_status read_tiles(fs_report *r, chip_columns *c, size_t *count, fs_error *err) {
    const fs_csv *t = fs_folder_table(r->run, "tiles.csv", err);
    if (t == NULL)
        return err->status;
    const struct {
        const int64_t **to;
        const char *name;
    } column[] = {
        {&c->tile, "tile"},   {&c->level, "level"},   {&c->column, "column"},   {&c->row, "row"},
        {&c->sub, "sub"},     {&c->busy, "busy"},     {&c->waiting, "waiting"}, {&c->idle, "idle"},
        {&c->in, "bytes_in"}, {&c->out, "bytes_out"}, {&c->sram, "sram"},
    };
    for (size_t i = 0; i < sizeof column / sizeof *column; i++)
        if ((*column[i].to = fs_csv_ints(t, column[i].name, err)) == NULL)
            return err->status;
    c->role = fs_csv_words(t, "role", err);
    c->shard = c->role == NULL ? NULL : fs_csv_words(t, "shard", err);
    *count = fs_csv_rows(t);
    return err->status;
}

/* Layers of numbers, one for each tile, beside places and labels: what all three maps show under the pointer.
 */
static void put_chip_data(fs_report *r, const chip_columns *c, size_t count) {
    static const char *const what[] = {"busy", "sent", "received", "SRAM"};
    static const char *const unit[] = {"% of compute phases", "MB", "MB", "KiB"};
    json_t *x = json_array(), *y = json_array(), *labels = json_array(), *layers = json_array(), *values[4];
    int64_t columns = 1;
    for (size_t i = 0; i < count; i++)
        columns = c->column[i] >= columns ? c->column[i] + 1 : columns;
    for (size_t i = 0; i < 4; i++)
        values[i] = json_array();
    int64_t folds = columns > 1 ? columns / 2 : 1;
    for (size_t i = 0; i < count; i++) { /* places as in chip.gp */
        int64_t column = c->column[i], fold = column >= folds ? columns - 1 - column : column;
        double total = (double)(c->busy[i] + c->waiting[i] + c->idle[i]);
        char words[128];
        int used = snprintf(words, sizeof words, "%s %lld", c->role[i], (long long)c->tile[i]);
        if (strcmp(c->role[i], "router") == 0)
            used +=
                snprintf(words + used, sizeof words - (size_t)used, ", level %lld", (long long)c->level[i]);
        else if (c->shard[i][0] >= '0' && c->shard[i][0] <= '9')
            used += snprintf(words + used, sizeof words - (size_t)used, ", shard %s", c->shard[i]);
        snprintf(words + used, sizeof words - (size_t)used, "; column %lld, row %lld, place %lld",
                 (long long)column, (long long)c->row[i], (long long)c->sub[i]);
        json_array_append_new(labels, json_string(words));
        json_array_append_new(
            x, json_real((double)fold * 4.3 + (double)((c->sub[i] & 1) * 2 + (c->sub[i] >> 1)) + 0.5));
        json_array_append_new(y, json_real((column >= folds ? -1 : 1) * ((double)c->row[i] + 1.6)));
        json_array_append_new(values[0], json_real(total > 0 ? 100 * (double)c->busy[i] / total : 0));
        json_array_append_new(values[1], json_real((double)c->out[i] / 1e6));
        json_array_append_new(values[2], json_real((double)c->in[i] / 1e6));
        json_array_append_new(values[3], json_real((double)c->sram[i] / 1024));
    }
    for (size_t i = 0; i < 4; i++)
        json_array_append_new(
            layers, json_pack("{s:s, s:s, s:o}", "what", what[i], "unit", unit[i], "values", values[i]));
    json_t *data = json_pack("{s:o, s:o, s:o, s:o}", "x", x, "y", y, "labels", labels, "layers", layers);
    char *text = json_dumps(data, JSON_COMPACT | JSON_REAL_PRECISION(6));
    fs_page_json(r->page, "chip-tiles", text);
    free(text);
    json_decref(data);
}

static json_t *show_chip(const fs_plot_panel *panel, void *ctx) {
    (void)panel;
    (void)ctx;
    return json_pack("{s:s, s:[f,f], s:s}", "kind", "points", "half", 0.5, 0.5, "data", "chip-tiles");
}

fs_status fs_report_chip(fs_report *r, fs_error *err) {
    static const char *const labels[] = {"Busy cycles", "Bytes", "SRAM"};
    static const char *const plots[] = {"chip-busy", "chip-bytes", "chip-sram"};
    const char *label[3], *plot[3];
    size_t shown = 0;
    for (size_t i = 0; i < 3; i++)
        if (fs_report_plot(r, plots[i]) != NULL) {
            label[shown] = labels[i];
            plot[shown++] = plots[i];
        }
    if (shown == 0)
        return FS_OK;
    chip_columns c;
    size_t count = 0;
    if (read_tiles(r, &c, &count, err) != FS_OK)
        return err->status;
    fs_page_section(r->page, "chip", "Chip");
    put_chip_data(r, &c, count);
    fs_page_choice(r->page, "chip-choice", "what to show on the chip", label, shown);
    for (size_t i = 0; i < shown; i++) {
        fs_page_panel(r->page, label[i]);
        if (fs_report_figure(r, plot[i], err) != FS_OK)
            return err->status;
        fs_report_hover(r, plot[i], show_chip, NULL);
    }
    fs_page_choice_end(r->page);
    return FS_OK;
}
