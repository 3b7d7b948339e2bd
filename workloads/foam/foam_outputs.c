/* The tables of a foam run. */
#include "workloads/foam/foam_run.h"

#include "models/ipu/tables/tables.h"
#include "sim/base/arith.h"
#include "sim/results/row_table.h"

/* ---- iterations.csv ---- */

/* Numbers of an iteration beside the device's, in the order of their columns; the first stand before the
 * pace. */
enum { ITERATION_NUMBERS = 16, BEFORE_PACE = 5 };

static int64_t iteration_cell(const void *self, uint64_t row, uint32_t which) {
    const fs_foam_run *r = self;
    const fs_iteration_note *n = &r->books.note[row];
    const fs_foam_step *s = &n->step;
    const uint64_t values[ITERATION_NUMBERS] = {n->compute[FS_ROLE_TRACER],
                                                n->compute[FS_ROLE_ROUTER],
                                                n->compute[FS_ROLE_GENERATOR],
                                                n->compute_camera,
                                                n->rays_camera,
                                                s->injecting,
                                                s->in_flight,
                                                s->backlog,
                                                s->generated,
                                                s->finished,
                                                s->dropped,
                                                s->spilled,
                                                s->misrouted,
                                                n->written,
                                                s->rays[0],
                                                s->rays[r->overlay.levels + 1]};
    return (int64_t)values[which];
}

static int64_t level_cell(const void *self, uint64_t row, uint32_t level) {
    return (int64_t)((const fs_foam_run *)self)->books.note[row].step.rays[level];
}

static fs_column *put_numbers(fs_column *at, const fs_foam_run *r, uint32_t from, uint32_t to) {
    static const char *const names[ITERATION_NUMBERS] = {
        "compute_tracer", "compute_router", "compute_generator", "compute_camera", "rays_camera", "injecting",
        "in_flight",      "backlog",        "generated",         "finished",       "dropped",     "spilled",
        "misrouted",      "written",        "rays_tracers",      "rays_generator"};
    static const char *const units[ITERATION_NUMBERS] = {
        "cycles", "cycles", "cycles", "cycles", "rays",   "",       "rays", "rays",
        "rays",   "rays",   "rays",   "rays",   "visits", "pixels", "rays", "rays"};
    for (uint32_t i = from; i < to; i++)
        *at++ =
            (fs_column){.name = names[i], .unit = units[i], .integer = iteration_cell, .self = r, .arg = i};
    return at;
}

static fs_status write_iterations(const fs_foam_run *r, fs_results *results, fs_error *err) {
    enum { NAME_BYTES = 24 };
    const fs_run_iteration_rows rows = {.first = &r->books.note[0].times,
                                        .stride = sizeof r->books.note[0],
                                        .labels = &r->of.labels,
                                        .paced = true};
    fs_column columns[FS_RUN_TIME_COLUMNS + FS_RUN_PACE_COLUMNS + ITERATION_NUMBERS + FS_MAX_LEVELS + 1];
    char name[FS_MAX_LEVELS + 1][NAME_BYTES];
    fs_books_time_columns(&rows, columns);
    fs_column *c = put_numbers(columns + FS_RUN_TIME_COLUMNS, r, 0, BEFORE_PACE);
    fs_books_pace_columns(&rows, c);
    c = put_numbers(c + FS_RUN_PACE_COLUMNS, r, BEFORE_PACE, ITERATION_NUMBERS);
    for (uint32_t l = 1; l <= r->overlay.levels; l++) {
        snprintf(name[l], NAME_BYTES, "rays_level_%u", l);
        *c++ = (fs_column){.name = name[l], .unit = "rays", .integer = level_cell, .self = r, .arg = l};
    }
    return fs_columns_write(results, "iterations.csv", columns, (size_t)(c - columns), r->books.iterations,
                            err);
}

/* ---- tiles.csv ---- */

enum { SHARD, VISITS, PEAK };

static int64_t tile_cell(const void *self, uint64_t tile, uint32_t which) {
    const fs_foam_run *r = self;
    const uint32_t shard = r->overlay.shard_of_tile[tile];
    const int64_t values[] = {[SHARD] = shard == UINT32_MAX ? -1 : (int64_t)shard,
                              [VISITS] = (int64_t)r->books.visits[tile],
                              [PEAK] = r->books.peak[tile]};
    return values[which];
}

static fs_column tile_column(const fs_foam_run *r, const char *name, const char *unit, uint32_t which) {
    return (fs_column){.name = name, .unit = unit, .integer = tile_cell, .self = r, .arg = which};
}

static fs_status write_tiles(const fs_foam_run *r, fs_results *results, fs_error *err) {
    const fs_run_tile_rows rows = {.machine = r->of.machine,
                                   .labels = &r->of.labels,
                                   .totals = fs_device_totals_of(r->of.device),
                                   .ledger = r->of.ledger,
                                   .tiles = r->overlay.tiles,
                                   .paced = true};
    fs_column columns[FS_OVERLAY_TILE_COLUMNS];
    fs_overlay_tile_columns(&rows, tile_column(r, "shard", "", SHARD),
                            tile_column(r, "visits", "rays", VISITS),
                            tile_column(r, "peak_rays", "rays", PEAK), columns);
    return fs_columns_write(results, "tiles.csv", columns, sizeof columns / sizeof *columns, rows.tiles, err);
}

/* ---- matrices, hops ---- */

fs_status fs_foam_write_matrix(const fs_foam_run *r, const char *name, const uint32_t *number,
                               fs_results *results, fs_error *err) {
    const fs_tile_matrix matrix = {.labels = &r->of.labels,
                                   .tile_of = r->books.tile_of,
                                   .number = number,
                                   .used = r->books.used,
                                   .iterations = r->books.iterations};
    return fs_books_matrix_write(&matrix, name, results, err);
}

static fs_status write_hops(const fs_foam_run *r, fs_results *results, fs_error *err) {
    static const char *const columns[] = {
        "x", "y", "tracer_visits", "router_visits", "misrouted", "delivery_hops", "alive", "waiting"};
    static const char *const units[] = {"",       "",     "visits",     "visits",
                                        "visits", "hops", "iterations", "iterations"};
    fs_row_table t;
    if (fs_row_table_open(&t, results, "hops.csv", columns, units, FS_COUNT(columns), err))
        return err->status;
    const fs_framebuffer *fb = fs_foam_simulation_framebuffer(r->sim);
    for (uint32_t y = 0; y < fb->height; y++)
        for (uint32_t x = 0; x < fb->width; x++) {
            const fs_pixel_hops *h = &fb->hops[(size_t)y * fb->width + x];
            const int64_t values[] = {
                x,        y,         h->tracer_visits, h->router_visits, h->misrouted, h->delivery_hops,
                h->alive, h->waiting};
            fs_row_ints(&t.row, values, FS_COUNT(values));
            fs_row_end(&t.row);
        }
    return fs_row_table_close(&t, err);
}

fs_status fs_foam_write(void *run, fs_results *results, fs_error *err) {
    const fs_foam_run *r = run;
    const fs_framebuffer *fb = fs_foam_simulation_framebuffer(r->sim);
    if (write_iterations(r, results, err) || write_tiles(r, results, err) ||
        fs_foam_write_matrix(r, "occupancy.csv", r->books.held, results, err) ||
        fs_foam_write_lanes(r, results, err) || write_hops(r, results, err) ||
        fs_chip_run_write(run, results, err) ||
        (r->congestion != NULL && fs_foam_write_congestion(r, results, err)) ||
        fs_results_png_rgb(results, "image.png", r->rgb8, fb->width, fb->height, err))
        return err->status;
    return fs_results_png_grey16(results, "depth.png", r->depth16, fb->width, fb->height, err);
}
