/* The tables of a traffic run. */
#include "workloads/traffic/outputs.h"

#include "models/ipu/tables/power_tables.h"
#include "models/ipu/tables/tables.h"
#include "models/overlay/device_plan.h"
#include "models/overlay/load_tables.h"
#include "sim/base/arith.h"
#include "sim/results/row_table.h"
#include "workloads/traffic/traffic.h"

#include <stdlib.h>

/* ---- iterations.csv ---- */

/* Numbers of an iteration beside the device's. */
enum { SLOWEST_TRACER, SLOWEST_ROUTER, INJECTING, IN_FLIGHT, BACKLOG, GENERATED, REFUSED, FINISHED };

static int64_t iteration_cell(const void *self, uint64_t row, uint32_t which) {
    const fs_traffic_outputs *o = self;
    const fs_traffic_note *n = &o->books->note[row];
    const uint64_t values[] = {[SLOWEST_TRACER] = n->slowest[FS_ROLE_TRACER],
                               [SLOWEST_ROUTER] = n->slowest[FS_ROLE_ROUTER],
                               [INJECTING] = fs_traffic_part_of(o->network, row) != FS_PART_DRAIN,
                               [IN_FLIGHT] = n->step.in_flight,
                               [BACKLOG] = n->step.waiting,
                               [GENERATED] = n->step.made,
                               [REFUSED] = n->step.refused,
                               [FINISHED] = n->step.delivered};
    return (int64_t)values[which];
}

static int64_t level_cell(const void *self, uint64_t row, uint32_t level) {
    const fs_traffic_books *b = ((const fs_traffic_outputs *)self)->books;
    return (int64_t)b->level_rays[row * b->levels + level];
}

static fs_column numbers_of(const fs_traffic_outputs *o, const char *name, const char *unit, uint32_t which) {
    return (fs_column){.name = name, .unit = unit, .integer = iteration_cell, .self = o, .arg = which};
}

static fs_column rays_of_level(const fs_traffic_outputs *o, const char *name, uint32_t level) {
    return (fs_column){.name = name, .unit = "rays", .integer = level_cell, .self = o, .arg = level};
}

static fs_status write_iterations(const fs_traffic_outputs *o, const fs_run_labels *labels,
                                  fs_results *results, fs_error *err) {
    enum { FIXED = 19, NAME_BYTES = 24 };
    const uint32_t levels = o->overlay->levels;
    const fs_run_iteration_rows rows = {.first = &o->books->note[0].times,
                                        .stride = sizeof o->books->note[0],
                                        .labels = labels,
                                        .paced = o->books->programs};
    fs_column *columns = fs_malloc((FIXED + levels) * sizeof *columns);
    char(*name)[NAME_BYTES] = fs_malloc((levels + 1) * sizeof *name);
    fs_books_time_columns(&rows, columns);
    fs_column *c = columns + FS_RUN_TIME_COLUMNS;
    *c++ = numbers_of(o, "compute_tracer", "cycles", SLOWEST_TRACER);
    *c++ = numbers_of(o, "compute_router", "cycles", SLOWEST_ROUTER);
    fs_books_pace_columns(&rows, c);
    c += FS_RUN_PACE_COLUMNS;
    *c++ = numbers_of(o, "injecting", "", INJECTING);
    *c++ = numbers_of(o, "in_flight", "rays", IN_FLIGHT);
    *c++ = numbers_of(o, "backlog", "rays", BACKLOG);
    *c++ = numbers_of(o, "generated", "rays", GENERATED);
    *c++ = numbers_of(o, "refused", "rays", REFUSED);
    *c++ = numbers_of(o, "finished", "rays", FINISHED);
    *c++ = rays_of_level(o, "rays_tracers", 0);
    *c++ = rays_of_level(o, "rays_generator", levels + 1);
    for (uint32_t l = 0; l < levels; l++) {
        snprintf(name[l], NAME_BYTES, "rays_level_%u", l + 1);
        *c++ = rays_of_level(o, name[l], l + 1);
    }
    const fs_status status = fs_columns_write(results, "iterations.csv", columns, (size_t)(c - columns),
                                              o->books->iterations, err);
    free(columns);
    free(name);
    return status;
}

/* ---- tiles.csv ---- */

enum { SHARD, VISITS, PEAK, SOURCED, SUNK };

static int64_t tile_cell(const void *self, uint64_t tile, uint32_t which) {
    const fs_traffic_outputs *o = self;
    const fs_traffic_tile *t = &fs_traffic_tiles(o->network)[tile];
    const uint32_t shard = o->overlay->shard_of_tile[tile];
    const int64_t values[] = {[SHARD] = shard == UINT32_MAX ? -1 : (int64_t)shard,
                              [VISITS] = (int64_t)t->visits,
                              [PEAK] = t->peak,
                              [SOURCED] = (int64_t)t->sourced,
                              [SUNK] = (int64_t)t->sunk};
    return values[which];
}

static fs_column tile_column(const fs_traffic_outputs *o, const char *name, const char *unit,
                             uint32_t which) {
    return (fs_column){.name = name, .unit = unit, .integer = tile_cell, .self = o, .arg = which};
}

static fs_status write_tiles(const fs_traffic_outputs *o, const fs_run_labels *labels, fs_results *results,
                             fs_error *err) {
    const fs_run_tile_rows rows = {.machine = o->machine,
                                   .labels = labels,
                                   .totals = fs_device_totals_of(o->device),
                                   .ledger = o->ledger,
                                   .tiles = o->overlay->tiles,
                                   .paced = o->books->programs};
    fs_column columns[FS_OVERLAY_TILE_COLUMNS + 2];
    fs_overlay_tile_columns(&rows, tile_column(o, "shard", "", SHARD),
                            tile_column(o, "visits", "rays", VISITS),
                            tile_column(o, "peak_rays", "rays", PEAK), columns);
    columns[FS_OVERLAY_TILE_COLUMNS] = tile_column(o, "sourced", "rays", SOURCED);
    columns[FS_OVERLAY_TILE_COLUMNS + 1] = tile_column(o, "sunk", "rays", SUNK);
    return fs_columns_write(results, "tiles.csv", columns, sizeof columns / sizeof *columns, rows.tiles, err);
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
    const fs_traffic_outputs *o = self;
    const uint32_t slots = fs_traffic_lanes(o->network)[lane].slots;
    *rays = slots == UINT32_MAX ? -1 : (int64_t)slots;
    *bytes = slots == UINT32_MAX ? -1 : (int64_t)o->transfers[lane].bytes;
}

/* Used: rays moved and none stayed behind; stalled: some stayed behind because the lane was full. Rays that
 * stay behind are turned away once more in every iteration. */
static fs_lane_load load_of_lane(const void *self, uint32_t part, uint32_t lane) {
    const fs_traffic_outputs *o = self;
    const fs_traffic_load *loads = fs_traffic_lanes(o->network)[lane].load;
    const bool all = part == FS_LOAD_ALL;
    const fs_traffic_load load = all ? all_parts(loads) : loads[part];
    return (fs_lane_load){.rays = load.rays,
                          .peak = load.peak,
                          .used = load.used - load.held_back,
                          .stalled = load.held_back,
                          .idle = (all ? o->books->iterations : o->books->part_iterations[part]) - load.used,
                          .full = load.full,
                          .turned_away = load.waiting,
                          .waiting_peak = load.waiting_peak};
}

/* ---- levels.csv ---- */

/* What the tiles of a level computed; unevenness 0 when they computed nothing. */
static void weigh(const fs_traffic_outputs *o, uint32_t from, uint32_t to, fs_level_load *v) {
    uint64_t *cycles = fs_malloc(o->overlay->tiles * sizeof *cycles);
    for (uint32_t t = 0; t < o->overlay->tiles; t++) {
        if (o->overlay->role[t] == FS_ROLE_SPARE || o->overlay->level[t] != v->level)
            continue;
        uint64_t sum = 0;
        for (uint32_t p = from; p <= to; p++)
            sum += o->books->compute[p][t];
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
static uint64_t slots_of(const fs_traffic_outputs *o, uint32_t level) {
    uint64_t slots = 0;
    const fs_traffic_lane *lanes = fs_traffic_lanes(o->network);
    for (uint32_t l = 0; l < o->overlay->lane_count; l++) {
        if (o->overlay->level[o->overlay->lanes[l].dst] != level)
            continue;
        if (lanes[l].slots == UINT32_MAX)
            return 0;
        slots += lanes[l].slots;
    }
    return slots;
}

/* Rays that found a full lane to the level, once for each iteration. */
static uint64_t turned_away(const fs_traffic_outputs *o, uint32_t level, uint32_t from, uint32_t to) {
    uint64_t sum = 0;
    const fs_traffic_lane *lanes = fs_traffic_lanes(o->network);
    for (uint32_t l = 0; l < o->overlay->lane_count; l++)
        for (uint32_t p = from; p <= to && o->overlay->level[o->overlay->lanes[l].dst] == level; p++)
            sum += lanes[l].load[p].waiting;
    return sum;
}

static fs_level_load load_of_level(const void *self, uint32_t part, uint32_t level) {
    const fs_traffic_outputs *o = self;
    const fs_traffic_books *b = o->books;
    const uint32_t from = part == FS_LOAD_ALL ? 0 : part, to = part == FS_LOAD_ALL ? FS_PART_COUNT - 1 : part;
    fs_level_load v = {.role = fs_overlay_role_of_level(o->overlay, level),
                       .level = level,
                       .slots = slots_of(o, level),
                       .turned_away = turned_away(o, level, from, to)};
    for (uint32_t p = from; p <= to; p++) {
        const fs_traffic_level *l = &b->level[p][level];
        v.rays += l->rays;
        v.rays_max = fs_most(v.rays_max, l->rays_max);
        v.compute_slowest += l->compute_slowest;
        v.paced += l->paced;
        v.iterations += b->part_iterations[p];
    }
    weigh(o, from, to, &v);
    return v;
}

/* ---- distributions.csv, memory.csv, summary.json, stats.csv ---- */

static fs_status write_distributions(const fs_traffic_outputs *o, fs_results *results, fs_error *err) {
    fs_row_table t;
    if (fs_distributions_open(&t, results, "rays", err))
        return err->status;
    for (uint32_t b = 0; b < FS_LATENCY_BINS; b++)
        fs_distributions_put_bin(&t, "latency", fs_latency_bin_begin(b), o->latency->bin[b]);
    fs_distributions_put(&t, "alive", o->latency->iterations.bin, FS_DIST_MAX);
    fs_distributions_put(&t, "hops", o->latency->hops.bin, FS_DIST_MAX);
    return fs_row_table_close(&t, err);
}

fs_status fs_traffic_outputs_write(const fs_traffic_outputs *o, fs_results *results, fs_error *err) {
    const fs_run_labels labels = fs_overlay_labels(o->overlay);
    const fs_lane_rows lanes = {
        .overlay = o->overlay, .size = size_of_lane, .load = load_of_lane, .self = o, .waits = true};
    const fs_level_rows levels = {.level = load_of_level, .self = o, .levels = o->books->levels};
    if (write_iterations(o, &labels, results, err) || write_tiles(o, &labels, results, err) ||
        fs_overlay_lanes_write(&lanes, results, err) ||
        fs_books_memory_write(o->ledger, &labels, results, err) ||
        fs_power_tables_write(&o->figures->power, o->device, o->machine, &labels, results, err))
        return err->status;
    if (o->full && (fs_overlay_levels_write(&levels, results, err) || write_distributions(o, results, err)))
        return err->status;
    return FS_OK;
}
