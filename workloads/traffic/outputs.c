/* The tables of a traffic run. */
#include "workloads/traffic/run.h"

#include "sim/base/arith.h"
#include "sim/results/row.h"

#include <stdlib.h>

/* Numbers of an iteration beside the device's; the first stand before the pace. */
enum { BEFORE_PACE = 2 };
static const char *const of_iteration[][2] = {
    {"compute_tracer", "cycles"}, {"compute_router", "cycles"}, {"injecting", ""},   {"in_flight", "rays"},
    {"backlog", "rays"},          {"generated", "rays"},        {"refused", "rays"}, {"finished", "rays"}};

static int64_t iteration_cell(const void *self, uint64_t row, uint32_t which) {
    const fs_traffic_run *r = self;
    const fs_traffic_note *n = &r->books.note[row];
    const uint64_t values[FS_COUNT(of_iteration)] = {n->slowest[FS_ROLE_TRACER],
                                                     n->slowest[FS_ROLE_ROUTER],
                                                     fs_traffic_part_of(r->rays, row) != FS_PART_DRAIN,
                                                     n->step.in_flight,
                                                     n->step.waiting,
                                                     n->step.made,
                                                     n->step.refused,
                                                     n->step.delivered};
    return (int64_t)values[which];
}

static int64_t level_cell(const void *self, uint64_t row, uint32_t level) {
    const fs_traffic_books *b = &((const fs_traffic_run *)self)->books;
    return (int64_t)b->level_rays[row * b->levels + level];
}

static fs_status write_iterations(const fs_traffic_run *r, fs_results *results, fs_error *err) {
    const fs_overlay_iterations rows = {.first = &r->books.note[0].times,
                                        .stride = sizeof r->books.note[0],
                                        .iterations = r->books.iterations,
                                        .paced = r->books.programs,
                                        .numbers = {of_iteration, FS_COUNT(of_iteration), iteration_cell, r},
                                        .before = BEFORE_PACE,
                                        .rays = level_cell,
                                        .levels = r->overlay.levels};
    return fs_overlay_iterations_write(&r->of, &rows, results, err);
}

static const char *const of_tile[][2] = {
    {"visits", "rays"}, {"peak_rays", "rays"}, {"sourced", "rays"}, {"sunk", "rays"}};

static int64_t tile_cell(const void *self, uint64_t tile, uint32_t which) {
    const fs_traffic_tile *t = &fs_traffic_tiles(((const fs_traffic_run *)self)->rays)[tile];
    const uint64_t values[FS_COUNT(of_tile)] = {t->visits, t->peak, t->sourced, t->sunk};
    return (int64_t)values[which];
}

/* ---- lanes.csv ---- */

static fs_traffic_load all_parts(const fs_traffic_load load[FS_PART_COUNT]) {
    fs_traffic_load sum = load[0];
    for (int p = 1; p < FS_PART_COUNT; p++) {
        sum.rays += load[p].rays;
        sum.waiting += load[p].waiting;
        sum.used += load[p].used;
        sum.full += load[p].full;
        sum.held_back += load[p].held_back;
        sum.peak = load[p].peak > sum.peak ? load[p].peak : sum.peak;
        sum.waiting_peak = load[p].waiting_peak > sum.waiting_peak ? load[p].waiting_peak : sum.waiting_peak;
    }
    return sum;
}

static void size_of_lane(const void *self, uint32_t lane, int64_t *rays, int64_t *bytes) {
    const fs_traffic_run *r = self;
    const uint32_t slots = fs_traffic_lanes(r->rays)[lane].slots;
    *rays = slots == UINT32_MAX ? -1 : (int64_t)slots;
    *bytes = slots == UINT32_MAX ? -1 : (int64_t)r->transfers[lane].bytes;
}

/* Used: rays moved and none stayed behind; stalled: some stayed behind because the lane was full. Rays that
 * stay behind are turned away once more in every iteration. */
static fs_lane_load load_of_lane(const void *self, uint32_t part, uint32_t lane) {
    const fs_traffic_run *r = self;
    const fs_traffic_load *loads = fs_traffic_lanes(r->rays)[lane].load;
    const bool all = part == FS_LOAD_ALL;
    const fs_traffic_load load = all ? all_parts(loads) : loads[part];
    return (fs_lane_load){.rays = load.rays,
                          .peak = load.peak,
                          .used = load.used - load.held_back,
                          .stalled = load.held_back,
                          .idle = (all ? r->books.iterations : r->books.part_iterations[part]) - load.used,
                          .full = load.full,
                          .turned_away = load.waiting,
                          .waiting_peak = load.waiting_peak};
}

/* ---- levels.csv ---- */

/* What the tiles of a level computed; unevenness 0 when they computed nothing. */
static void weigh(const fs_traffic_run *r, uint32_t from, uint32_t to, fs_level_load *v) {
    uint64_t *cycles = fs_malloc(r->overlay.tiles * sizeof *cycles);
    for (uint32_t t = 0; t < r->overlay.tiles; t++) {
        if (r->overlay.role[t] == FS_ROLE_SPARE || r->overlay.level[t] != v->level)
            continue;
        uint64_t sum = 0;
        for (uint32_t p = from; p <= to; p++)
            sum += r->books.compute[p][t];
        cycles[v->tiles++] = sum;
        v->compute += sum;
    }
    if (v->compute > 0) {
        v->gini = fs_gini(cycles, v->tiles); /* sorts */
        v->imbalance = (double)cycles[v->tiles - 1] / ((double)v->compute / (double)v->tiles);
    }
    free(cycles);
}

/* Rays that the in lanes of a level hold; 0 when they have no bound. */
static uint64_t slots_of(const fs_traffic_run *r, uint32_t level) {
    uint64_t slots = 0;
    const fs_traffic_lane *lanes = fs_traffic_lanes(r->rays);
    for (uint32_t l = 0; l < r->overlay.lane_count; l++) {
        if (r->overlay.level[r->overlay.lanes[l].dst] != level)
            continue;
        if (lanes[l].slots == UINT32_MAX)
            return 0;
        slots += lanes[l].slots;
    }
    return slots;
}

/* Rays that found a full lane to the level, once for each iteration. */
static uint64_t turned_away(const fs_traffic_run *r, uint32_t level, uint32_t from, uint32_t to) {
    uint64_t sum = 0;
    const fs_traffic_lane *lanes = fs_traffic_lanes(r->rays);
    for (uint32_t l = 0; l < r->overlay.lane_count; l++)
        for (uint32_t p = from; p <= to && r->overlay.level[r->overlay.lanes[l].dst] == level; p++)
            sum += lanes[l].load[p].waiting;
    return sum;
}

static fs_level_load load_of_level(const void *self, uint32_t part, uint32_t level) {
    const fs_traffic_run *r = self;
    const fs_traffic_books *b = &r->books;
    const uint32_t from = part == FS_LOAD_ALL ? 0 : part, to = part == FS_LOAD_ALL ? FS_PART_COUNT - 1 : part;
    fs_level_load v = {.role = fs_overlay_role_of_level(&r->overlay, level),
                       .level = level,
                       .slots = slots_of(r, level),
                       .turned_away = turned_away(r, level, from, to)};
    for (uint32_t p = from; p <= to; p++) {
        const fs_traffic_level *l = &b->level[p][level];
        v.rays += l->rays;
        v.rays_max = fs_most(v.rays_max, l->rays_max);
        v.compute_slowest += l->compute_slowest;
        v.paced += l->paced;
        v.iterations += b->part_iterations[p];
    }
    weigh(r, from, to, &v);
    return v;
}

/* ---- distributions.csv ---- */

static void put_distributions(const void *run, fs_row_table *t) {
    const fs_traffic_run *r = run;
    for (uint32_t b = 0; b < FS_LATENCY_BINS; b++)
        fs_distributions_put_bin(t, "latency", fs_latency_bin_begin(b), r->latency->bin[b]);
    fs_distributions_put(t, "alive", r->latency->iterations.bin, FS_DIST_MAX);
    fs_distributions_put(t, "hops", r->latency->hops.bin, FS_DIST_MAX);
}

fs_status fs_traffic_write(void *run, fs_results *results, fs_error *err) {
    const fs_traffic_run *r = run;
    const bool full = r->of.run.how->statistics == FS_STATISTICS_FULL;
    const fs_overlay_numbers tiles = {of_tile, FS_COUNT(of_tile), tile_cell, r};
    const fs_lane_rows lanes = {
        .overlay = &r->overlay, .size = size_of_lane, .load = load_of_lane, .self = r, .waits = true};
    const fs_level_rows levels = {.level = load_of_level, .self = r, .levels = r->books.levels};
    if (write_iterations(r, results, err) ||
        fs_overlay_tiles_write(&r->of, &r->overlay, &tiles, r->books.programs, results, err) ||
        fs_overlay_lanes_write(&lanes, results, err) || fs_chip_run_write(run, results, err))
        return err->status;
    static const fs_row_file distributions = {"distributions.csv", "name, value, count rays",
                                              put_distributions};
    return full && (fs_overlay_levels_write(&levels, results, err) ||
                    fs_row_files_write(&distributions, 1, r, results, err))
               ? err->status
               : FS_OK;
}
