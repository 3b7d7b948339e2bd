#include "workloads/foam/outputs.h"

#include "sim/base/alloc.h"
#include "workloads/foam/foam.h"
#include "workloads/foam/outputs_table.h"

#include <stdlib.h>

static fs_status write_iterations(const fs_outputs *o, fs_results *results, fs_error *err) {
    enum { FIXED = 25, MOST = FIXED + FS_MAX_LEVELS + 2 };
    static const char *const fixed[FIXED] = {
        "iteration",      "start",       "cycles",         "compute",        "sync",
        "exchange",       "host",        "compute_tracer", "compute_router", "compute_generator",
        "compute_camera", "rays_camera", "pace_role",      "pace_tile",      "injecting",
        "in_flight",      "backlog",     "generated",      "finished",       "dropped",
        "spilled",        "misrouted",   "written",        "rays_tracers",   "rays_generator"};
    static const char *const fixed_units[FIXED] = {
        "",       "cycles", "cycles", "cycles", "cycles", "cycles", "cycles", "cycles", "cycles",
        "cycles", "cycles", "rays",   "",       "",       "",       "rays",   "rays",   "rays",
        "rays",   "rays",   "rays",   "visits", "pixels", "rays",   "rays"};
    static const char *const level_names[FS_MAX_LEVELS + 1] = {"",
                                                               "rays_level_1",
                                                               "rays_level_2",
                                                               "rays_level_3",
                                                               "rays_level_4",
                                                               "rays_level_5",
                                                               "rays_level_6",
                                                               "rays_level_7",
                                                               "rays_level_8",
                                                               "rays_level_9",
                                                               "rays_level_10",
                                                               "rays_level_11",
                                                               "rays_level_12",
                                                               "rays_level_13",
                                                               "rays_level_14",
                                                               "rays_level_15",
                                                               "rays_level_16"};
    const char *columns[MOST], *units[MOST];
    size_t count = FIXED;
    for (size_t i = 0; i < FIXED; i++) {
        columns[i] = fixed[i];
        units[i] = fixed_units[i];
    }
    for (uint32_t l = 1; l <= o->overlay->levels; l++) {
        columns[count] = level_names[l];
        units[count++] = "rays";
    }
    table t;
    if (table_open(&t, results, "iterations.csv", columns, units, count, err))
        return err->status;
    for (uint64_t k = 0; k < o->books->iterations; k++) {
        const fs_iteration_note *n = &o->books->note[k];
        const fs_iteration *i = &n->times;
        const fs_foam_step *s = &n->step;
        table_ints(&t,
                   (uint64_t[]){k, i->start, i->compute + i->sync + i->exchange + i->host, i->compute,
                                i->sync, i->exchange, i->host, n->compute[FS_ROLE_TRACER],
                                n->compute[FS_ROLE_ROUTER], n->compute[FS_ROLE_GENERATOR], n->compute_camera,
                                n->rays_camera},
                   12);
        fs_row_word(&t.row, fs_role_names[o->overlay->role[i->pace_tile]]);
        table_ints(&t,
                   (uint64_t[]){i->pace_tile, s->injecting, s->in_flight, s->backlog, s->generated,
                                s->finished, s->dropped, s->spilled, s->misrouted, n->written, s->rays[0],
                                s->rays[o->overlay->levels + 1]},
                   12);
        for (uint32_t l = 1; l <= o->overlay->levels; l++)
            fs_row_int(&t.row, s->rays[l]);
        fs_row_end(&t.row);
    }
    return table_close(&t, err);
}

static fs_status write_tiles(const fs_outputs *o, fs_results *results, fs_error *err) {
    static const char *const columns[] = {"tile",      "role",         "level",         "shard",
                                          "column",    "row",          "sub",           "busy",
                                          "waiting",   "idle",         "compute",       "bytes_in",
                                          "bytes_out", "port_busy_in", "port_busy_out", "port_waiting_out",
                                          "visits",    "peak_rays",    "paced",         "sram"};
    static const char *const units[] = {"",       "",       "",       "",       "",           "",  "",
                                        "cycles", "cycles", "cycles", "cycles", "B",          "B", "cycles",
                                        "cycles", "cycles", "rays",   "rays",   "iterations", "B"};
    table t;
    if (table_open(&t, results, "tiles.csv", columns, units, COLUMNS(columns), err))
        return err->status;
    fs_device_totals d = fs_device_totals_of(o->device);
    const size_t workers = (size_t)o->machine->tile.workers;
    for (uint32_t tile = 0; tile < o->overlay->tiles; tile++) {
        fs_position at = fs_geometry_position(&o->machine->geometry, tile);
        uint64_t busy = 0, waiting = 0, idle = 0;
        for (size_t w = 0; w < workers; w++) {
            busy += d.busy[tile * workers + w];
            waiting += d.waiting[tile * workers + w];
            idle += d.idle[tile * workers + w];
        }
        uint32_t shard = o->overlay->shard_of_tile[tile];
        fs_row_int(&t.row, tile);
        fs_row_word(&t.row, fs_role_names[o->overlay->role[tile]]);
        fs_row_int(&t.row, o->overlay->level[tile]);
        fs_row_int(&t.row, shard == UINT32_MAX ? -1 : (int64_t)shard);
        table_ints(&t,
                   (uint64_t[]){at.column, at.row, at.sub, busy, waiting, idle, d.compute[tile],
                                d.bytes_in[tile], d.bytes_out[tile], d.port_busy_in[tile],
                                d.port_busy_out[tile], d.port_waiting_out[tile], o->books->visits[tile],
                                o->books->peak[tile], d.paced[tile], fs_ledger_used(o->layout->ledger, tile)},
                   16);
        fs_row_end(&t.row);
    }
    return table_close(&t, err);
}

/* The matrix has a column for each iteration; its header is written here because its width is the run's. */
fs_status fs_outputs_write_matrix(const fs_outputs *o, const char *name, const uint16_t *small,
                                  const uint32_t *large, fs_results *results, fs_error *err) {
    table t;
    if (table_open(&t, results, name, NULL, NULL, 0, err))
        return err->status;
    fs_row_word(&t.row, "tile");
    fs_row_word(&t.row, "role");
    fs_row_word(&t.row, "level");
    for (uint64_t k = 0; k < o->books->iterations; k++) {
        char column[24];
        snprintf(column, sizeof column, "i%llu", (unsigned long long)k);
        fs_row_word(&t.row, column);
    }
    fs_row_end(&t.row);
    int64_t *row = fs_malloc(o->books->iterations * sizeof *row);
    for (uint32_t u = 0; u < o->books->used; u++) {
        const uint32_t tile = o->books->tile_of[u];
        fs_row_int(&t.row, tile);
        fs_row_word(&t.row, fs_role_names[o->overlay->role[tile]]);
        fs_row_int(&t.row, o->overlay->level[tile]);
        for (uint64_t k = 0; k < o->books->iterations; k++) {
            const size_t at = (size_t)k * o->books->used + u;
            row[k] = small != NULL ? small[at] : large[at];
        }
        fs_row_ints(&t.row, row, o->books->iterations);
        fs_row_end(&t.row);
    }
    free(row);
    return table_close(&t, err);
}

static fs_status write_hops(const fs_outputs *o, fs_results *results, fs_error *err) {
    static const char *const columns[] = {
        "x", "y", "tracer_visits", "router_visits", "misrouted", "delivery_hops", "alive", "waiting"};
    static const char *const units[] = {"",       "",     "visits",     "visits",
                                        "visits", "hops", "iterations", "iterations"};
    table t;
    if (table_open(&t, results, "hops.csv", columns, units, COLUMNS(columns), err))
        return err->status;
    const fs_framebuffer *fb = fs_simulation_framebuffer(o->sim);
    for (uint32_t y = 0; y < fb->height; y++)
        for (uint32_t x = 0; x < fb->width; x++) {
            const fs_pixel_hops *h = &fb->hops[(size_t)y * fb->width + x];
            const int64_t values[] = {
                x,        y,         h->tracer_visits, h->router_visits, h->misrouted, h->delivery_hops,
                h->alive, h->waiting};
            fs_row_ints(&t.row, values, COLUMNS(values));
            fs_row_end(&t.row);
        }
    return table_close(&t, err);
}

static fs_status write_memory(const fs_outputs *o, fs_results *results, fs_error *err) {
    static const char *const columns[] = {"tile", "role", "allocation", "bytes"};
    static const char *const units[] = {"", "", "", "B"};
    FILE *file = fs_results_create(results, "memory.csv", columns, units, COLUMNS(columns), err);
    if (file == NULL)
        return err->status;
    fs_overlay *self =
        (fs_overlay *)(uintptr_t)o->overlay; /* the callback's self is not const; it only reads */
    fs_ledger_write_csv(o->layout->ledger, fs_layout_role, self, file);
    return fs_results_close(results, file, err);
}

static fs_status write_figures(const fs_outputs *o, fs_results *results, fs_error *err) {
    static const char *const columns[] = {"name", "unit", "value", "description"};
    static const char *const units[] = {"", "", "", ""};
    FILE *file = fs_results_create(results, "stats.csv", columns, units, COLUMNS(columns), err);
    if (file == NULL)
        return err->status;
    fs_stats_write_csv(&fs_foam_stats, o->figures, file);
    if (fs_results_close(results, file, err))
        return err->status;
    json_t *root = json_object();
    fs_results_stats_json(&fs_foam_stats, o->figures, root);
    fs_status status = fs_results_json(results, "summary.json", root, err);
    json_decref(root);
    return status;
}

fs_status fs_outputs_write(const fs_outputs *o, fs_results *results, fs_error *err) {
    const fs_framebuffer *fb = fs_simulation_framebuffer(o->sim);
    if (write_figures(o, results, err) ||
        (o->findings != NULL && fs_outputs_write_conclusions(o, results, err)))
        return err->status;
    if (o->summary)
        return FS_OK;
    if (write_iterations(o, results, err) || write_tiles(o, results, err) ||
        fs_outputs_write_matrix(o, "occupancy.csv", o->books->held, NULL, results, err) ||
        fs_outputs_write_lanes(o, results, err) || write_hops(o, results, err) ||
        write_memory(o, results, err) ||
        (o->findings != NULL && fs_outputs_write_congestion(o, results, err)) ||
        fs_results_png_rgb(results, "image.png", o->rgb8, fb->width, fb->height, err))
        return err->status;
    return fs_results_png_grey16(results, "depth.png", o->depth16, fb->width, fb->height, err);
}
