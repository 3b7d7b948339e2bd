/* The plots of a run's page: each with its title and caption, and the values behind it for the pointer. */
#include "reports/report_plots.h"
#include "sim/base/alloc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

fs_status fs_report_figure(fs_report *r, const char *name, fs_error *err) {
    const fs_plot *plot = fs_report_plot(r, name);
    char path[4352], id[FS_PLOT_NAME + 8];
    if (plot == NULL) { /* nothing to draw it from */
        fs_page_note(r->page, "This run has no table to draw %s from.", name);
        return FS_OK;
    }
    snprintf(path, sizeof path, "%s/pictures/%s.svg", r->dir, name);
    snprintf(id, sizeof id, "plot-%s", name);
    fs_page_figure(r->page, name, plot->title, true);
    if (fs_page_svg(r->page, path, id, plot->title, err) != FS_OK)
        return err->status;
    /* The run's name, with which a caption begins, is on top of the page. */
    const char *colon = strstr(plot->caption, ": ");
    char words[FS_PLOT_WORDS];
    snprintf(words, sizeof words, "%s", colon == NULL ? plot->caption : colon + 2);
    if (words[0] >= 'a' && words[0] <= 'z')
        words[0] = (char)(words[0] - 'a' + 'A');
    fs_page_figure_end(r->page, "%s", words);
    return FS_OK;
}

void fs_report_hover(fs_report *r, const char *name, json_t *(*show)(const fs_plot_panel *panel, void *ctx),
                     void *ctx) {
    const fs_plot *plot = fs_report_plot(r, name);
    if (plot == NULL)
        return;
    char id[FS_PLOT_NAME + 16];
    json_t *panels = json_array();
    for (size_t i = 0; i < plot->panels; i++) {
        const fs_plot_panel *p = &plot->panel[i];
        json_t *what = show(p, ctx);
        if (what != NULL)
            json_array_append_new(panels, json_pack("{s:[f,f,f,f], s:[f,f], s:[f,f], s:b, s:b, s:o}", "box",
                                                    p->left, p->top, p->right, p->bottom, "x", p->x_left,
                                                    p->x_right, "y", p->y_top, p->y_bottom, "logx", p->log_x,
                                                    "logy", p->log_y, "show", what));
    }
    json_t *hover = json_pack("{s:o}", "panels", panels);
    char *text = json_dumps(hover, JSON_COMPACT | JSON_REAL_PRECISION(9));
    snprintf(id, sizeof id, "plot-%s-hover", name);
    fs_page_json(r->page, id, text);
    free(text);
    json_decref(hover);
}

json_t *fs_report_layer(const char *what, const char *unit, const char *values, double scale) {
    return json_pack("{s:s, s:s, s:s, s:f}", "what", what, "unit", unit, "values", values, "scale", scale);
}

void fs_report_values16(fs_report *r, const char *id, const int64_t *values, size_t count, double scale) {
    uint16_t *small = fs_malloc((count + 1) * sizeof *small);
    for (size_t i = 0; i < count; i++) {
        double v = (double)values[i] / scale + 0.5;
        small[i] = values[i] < 0 ? UINT16_MAX : v > UINT16_MAX - 1 ? UINT16_MAX - 1 : (uint16_t)v;
    }
    fs_page_values(r->page, id, FS_PAGE_U16, small, count);
    free(small);
}

/* ---- phases ---- */

typedef struct line {
    const char *panel, *column, *what, *unit;
    double scale;
} line;

static const line lines[] = {
    {"phases", "compute", "compute", "cycles", 1},
    {"phases", "sync", "sync", "cycles", 1},
    {"phases", "exchange", "exchange", "cycles", 1},
    {"phases", "host", "host", "cycles", 1},
    {"slowest", "compute_tracer", "slowest tracer", "cycles", 1},
    {"slowest", "compute_router", "slowest router", "cycles", 1},
    {"slowest", "compute_generator", "slowest generator", "cycles", 1},
    {"slowest", "compute_camera", "camera's shard", "cycles", 1},
    {"rays", "in_flight", "in flight", "rays", 1},
    {"rays", "rays_tracers", "on tracers", "rays", 1},
    {"rays", "rays_generator", "on the generator", "rays", 1},
    {"rays", "backlog", "backlog", "rays", 1},
    {"rays", "spilled", "spilled", "rays", 1},
};

static json_t *show_lines(const fs_plot_panel *panel, void *ctx) {
    const fs_csv *table = ctx;
    json_t *layers = json_array();
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        if (strcmp(lines[i].panel, panel->name) == 0 && fs_csv_has(table, lines[i].column)) {
            char id[64];
            snprintf(id, sizeof id, "iterations-%s", lines[i].column);
            json_array_append_new(layers, fs_report_layer(lines[i].what, lines[i].unit, id, lines[i].scale));
        }
    json_t *show = json_pack("{s:s, s:s, s:o}", "kind", "series", "x", "iteration", "layers", layers);
    if (strcmp(panel->name, "phases") == 0)
        json_object_set_new(show, "words", json_string("iterations-pace"));
    return show;
}

/* "set by router 1364" for each iteration. */
static fs_status pace_words(fs_report *r, const fs_csv *table, fs_error *err) {
    const char *const *role = fs_csv_words(table, "pace_role", err);
    const int64_t *tile = role == NULL ? NULL : fs_csv_ints(table, "pace_tile", err);
    if (tile == NULL)
        return err->status;
    json_t *list = json_array();
    for (size_t i = 0; i < r->iterations; i++) {
        char words[96];
        snprintf(words, sizeof words, "pace: %s %lld", role[i], (long long)tile[i]);
        json_array_append_new(list, json_string(words));
    }
    char *text = json_dumps(list, JSON_COMPACT);
    fs_page_json(r->page, "iterations-pace", text);
    free(text);
    json_decref(list);
    return FS_OK;
}

fs_status fs_report_phases(fs_report *r, fs_error *err) {
    const fs_csv *table = fs_folder_table(r->run, "iterations.csv", err);
    if (table == NULL)
        return err->status;
    fs_page_section(r->page, "iterations", "Iterations");
    const char *execution = fs_folder_setting(r->run, "machine.execution");
    if (execution != NULL && strcmp(execution, "decoupled") == 0)
        fs_page_note(r->page, "The machine runs decoupled, without a barrier: what this page calls an "
                              "iteration is a slice of equal length.");
    if (fs_report_figure(r, "phases", err) != FS_OK)
        return err->status;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        if (!fs_csv_has(table, lines[i].column))
            continue;
        const int64_t *values = fs_csv_ints(table, lines[i].column, err);
        if (values == NULL)
            return err->status;
        int32_t *narrow = fs_malloc((r->iterations + 1) * sizeof *narrow);
        for (size_t k = 0; k < r->iterations; k++)
            narrow[k] = values[k] > INT32_MAX ? INT32_MAX : (int32_t)values[k];
        char id[64];
        snprintf(id, sizeof id, "iterations-%s", lines[i].column);
        fs_page_values(r->page, id, FS_PAGE_I32, narrow, r->iterations);
        free(narrow);
    }
    if (pace_words(r, table, err) != FS_OK)
        return err->status;
    fs_report_hover(r, "phases", show_lines, (void *)(uintptr_t)table);
    return FS_OK;
}

/* ---- per-pixel maps ---- */

static const struct {
    const char *column, *what, *unit;
} maps[] = {
    {"tracer_visits", "tracer visits", ""}, {"router_visits", "router visits", ""},
    {"alive", "alive", "iterations"},       {"waiting", "waited", "iterations"},
    {"misrouted", "misrouted", "visits"},
};

typedef struct raster {
    size_t width, height;
} raster;

static json_t *show_pixels(const fs_plot_panel *panel, void *ctx) {
    const raster *size = ctx;
    (void)panel;
    json_t *layers = json_array();
    for (size_t i = 0; i < sizeof maps / sizeof *maps; i++) {
        char id[64];
        snprintf(id, sizeof id, "pixels-%s", maps[i].column);
        json_t *layer = fs_report_layer(maps[i].what, maps[i].unit, id, 1);
        json_object_set_new(layer, "none", json_integer(UINT16_MAX));
        json_array_append_new(layers, layer);
    }
    return json_pack("{s:s, s:s, s:s, s:I, s:I, s:o}", "kind", "matrix", "x", "pixel x", "y", "y", "cols",
                     (json_int_t)size->width, "rows", (json_int_t)size->height, "layers", layers);
}

fs_status fs_report_pixels(fs_report *r, fs_error *err) {
    if (!fs_folder_has(r->run, "hops.csv"))
        return FS_OK;
    const fs_csv *table = fs_folder_table(r->run, "hops.csv", err);
    const int64_t *x = table == NULL ? NULL : fs_csv_ints(table, "x", err);
    const int64_t *y = x == NULL ? NULL : fs_csv_ints(table, "y", err);
    if (y == NULL)
        return err->status;
    size_t rows = fs_csv_rows(table);
    raster size = {(size_t)x[rows - 1] + 1,
                   (size_t)y[rows - 1] + 1}; /* figures checked that pixels are in order */
    fs_page_section(r->page, "pixels", "Pixels");
    if (size.width < 455) /* an enlarged pixel is a pixel */
        fs_page_put(
            r->page,
            "<style>#plot-visits image, #plot-waiting image { image-rendering: pixelated; }</style>\n");
    fs_page_put(
        r->page,
        "<div class=\"beside\"><p>What the ray of each pixel of the first frame went through. Hovering shows "
        "all its "
        "figures at once, in any of the maps.</p><img alt=\"the rendered image again, for comparison\" "
        "data-copy=\"image\"></div>\n");
    if (fs_report_figure(r, "visits", err) != FS_OK || fs_report_figure(r, "waiting", err) != FS_OK)
        return err->status;
    for (size_t i = 0; i < sizeof maps / sizeof *maps; i++) {
        char id[64];
        const int64_t *values = fs_csv_ints(table, maps[i].column, err);
        if (values == NULL)
            return err->status;
        snprintf(id, sizeof id, "pixels-%s", maps[i].column);
        fs_report_values16(r, id, values, rows, 1);
    }
    fs_report_hover(r, "visits", show_pixels, &size);
    fs_report_hover(r, "waiting", show_pixels, &size);
    return FS_OK;
}

/* ---- histograms ---- */

typedef struct counts {
    fs_report *r;
    const fs_csv *hops;
    fs_error *err;
} counts;

/* How many pixels have each value of the panel's column. */
static json_t *show_counts(const fs_plot_panel *panel, void *ctx) {
    counts *c = ctx;
    const int64_t *value = fs_csv_ints(c->hops, panel->name, c->err);
    const int64_t *waited = value == NULL ? NULL : fs_csv_ints(c->hops, "waiting", c->err);
    size_t rows = fs_csv_rows(c->hops), most = 0;
    if (waited == NULL)
        return NULL;
    for (size_t i = 0; i < rows; i++)
        if (value[i] > 0 && (size_t)value[i] > most)
            most = (size_t)value[i];
    uint32_t *count = fs_calloc(most + 1, sizeof *count);
    for (size_t i = 0; i < rows; i++)
        if (waited[i] >= 0 && value[i] >= 0)
            count[value[i]]++;
    json_t *at = json_array(), *many = json_array();
    for (size_t v = 0; v <= most; v++)
        if (count[v] > 0) {
            json_array_append_new(at, json_integer((json_int_t)v));
            json_array_append_new(many, json_integer(count[v]));
        }
    free(count);
    return json_pack("{s:s, s:s, s:o, s:[{s:s, s:s, s:o}]}", "kind", "bars", "x",
                     strcmp(panel->name, "tracer_visits") == 0   ? "tracer visits"
                     : strcmp(panel->name, "router_visits") == 0 ? "router visits"
                     : strcmp(panel->name, "alive") == 0         ? "iterations alive"
                                                                 : "iterations waited",
                     "at", at, "layers", "what", "pixels", "unit", "", "values", many);
}

/* The counts of one of distributions.csv. */
static json_t *show_distribution(const fs_plot_panel *panel, void *ctx) {
    const fs_csv *t = ctx;
    json_t *at = json_array(), *many = json_array();
    for (size_t i = 0; i < fs_csv_rows(t); i++)
        if (strcmp(fs_csv_text(t, i, "name"), panel->name) == 0) {
            json_array_append_new(at, json_integer(strtoll(fs_csv_text(t, i, "value"), NULL, 10)));
            json_array_append_new(many, json_integer(strtoll(fs_csv_text(t, i, "count"), NULL, 10)));
        }
    bool rays = strcmp(panel->name, "latency") == 0;
    return json_pack("{s:s, s:o, s:s, s:[{s:s, s:s, s:o}]}", "kind", "bars", "at", at, "x",
                     rays ? "latency" : "per cent full", "layers", "what",
                     rays ? "rays" : "lanes x iterations", "unit", "", "values", many);
}

fs_status fs_report_distribution(fs_report *r, const char *name, fs_error *err) {
    if (fs_report_plot(r, name) == NULL)
        return FS_OK;
    const fs_csv *t = fs_folder_table(r->run, "distributions.csv", err);
    if (t == NULL || fs_report_figure(r, name, err) != FS_OK)
        return err->status;
    fs_report_hover(r, name, show_distribution, (void *)(uintptr_t)t);
    return FS_OK;
}

fs_status fs_report_histograms(fs_report *r, fs_error *err) {
    if (fs_report_plot(r, "latency") != NULL) {
        fs_page_section(r->page, "distributions", "Distributions");
        return fs_report_distribution(r, "latency", err);
    }
    if (!fs_folder_has(r->run, "hops.csv"))
        return FS_OK;
    counts c = {.r = r, .hops = fs_folder_table(r->run, "hops.csv", err), .err = err};
    if (c.hops == NULL)
        return err->status;
    fs_page_section(r->page, "distributions", "Distributions");
    if (fs_report_figure(r, "histograms", err) != FS_OK)
        return err->status;
    fs_report_hover(r, "histograms", show_counts, &c);
    return err->status;
}
