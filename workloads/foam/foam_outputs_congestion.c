/* The tables that say where a run was congested. */
#include "workloads/foam/foam_run.h"

#include "sim/results/row.h"

#include <math.h>
#include <stdlib.h>

/* ---- lanes.csv, levels.csv ---- */

static void size_of_lane(const void *self, uint32_t lane, int64_t *rays, int64_t *bytes) {
    const fs_foam_run *r = self;
    *rays = fs_foam_simulation_lanes(r->sim)[lane].capacity;
    *bytes = r->layout.transfers[lane].bytes;
}

static fs_lane_load load_of_lane(const void *self, uint32_t part, uint32_t lane) {
    const fs_foam_run *r = self;
    const fs_lane_counts c = fs_foam_books_lane(&r->books, part, lane);
    uint64_t begin, end;
    fs_foam_books_part(&r->books, part, &begin, &end);
    return (fs_lane_load){.rays = c.rays,
                          .peak = c.peak,
                          .used = c.used,
                          .stalled = c.stalled,
                          .idle = end - begin - c.used - c.stalled,
                          .full = c.full,
                          .spilled = c.spilled,
                          .turned_away = c.turned_away};
}

fs_status fs_foam_write_lanes(const fs_foam_run *r, fs_results *results, fs_error *err) {
    const fs_lane_rows rows = {.overlay = &r->overlay, .size = size_of_lane, .load = load_of_lane, .self = r};
    return fs_overlay_lanes_write(&rows, results, err);
}

static fs_level_load load_of_level(const void *self, uint32_t part, uint32_t level) {
    return ((const fs_congestion *)self)->level[part][level];
}

/* ---- distributions.csv ---- */

static void put_distributions(const void *run, fs_row_table *t) {
    const fs_foam_run *r = run;
    fs_dist *made = NULL, *hops = r->books.hops;
    if (hops[0].count == 0) /* activity was replayed */
        hops = made = fs_congestion_distributions(fs_foam_simulation_framebuffer(r->sim));
    for (int i = 0; i < FS_DISTRIBUTIONS; i++)
        fs_distributions_put(t, fs_distribution_names[i], hops[i].bin, FS_DIST_MAX);
    free(made);
    fs_distributions_put(t, "lane_fill_tracer", r->books.fill_tracer, FS_FILL_BINS);
    fs_distributions_put(t, "lane_fill_router", r->books.fill_router, FS_FILL_BINS);
}

fs_status fs_foam_write_congestion(const fs_foam_run *r, fs_results *results, fs_error *err) {
    static const fs_row_file distributions = {"distributions.csv", "name, value, count", put_distributions};
    const fs_level_rows levels = {
        .level = load_of_level, .self = r->congestion, .levels = r->congestion->levels, .none = NAN};
    if (fs_foam_write_matrix(r, "cycles.csv", r->books.cycles, results, err) ||
        fs_overlay_levels_write(&levels, results, err))
        return err->status;
    return fs_row_files_write(&distributions, 1, r, results, err);
}
