/* The tables of a traffic run. */
#include "workloads/traffic/outputs.h"

#include "models/ipu/tables/power_tables.h"
#include "models/ipu/tables/tables.h"
#include "models/overlay/device_plan.h"
#include "sim/results/row_table.h"
#include "workloads/traffic/traffic.h"

#include <stdlib.h>

#define COLUMNS(array) (sizeof(array) / sizeof((array)[0]))

/* The parts as the tables name them: those of the foam renderer, so that whatever reads a folder reads both.
 * The warm-up fills the network, the measurement is its steady state. */
enum { PARTS = FS_PART_COUNT + 1 };
static const char *const part_names[PARTS] = {"injection", "steady", "drain", "all"};

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
    fs_run_time_columns(&rows, columns);
    fs_column *c = columns + FS_RUN_TIME_COLUMNS;
    *c++ = numbers_of(o, "compute_tracer", "cycles", SLOWEST_TRACER);
    *c++ = numbers_of(o, "compute_router", "cycles", SLOWEST_ROUTER);
    fs_run_pace_columns(&rows, c);
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

/* Used: rays moved and none stayed behind; stalled: some stayed behind because the lane was full. Rays that
 * stay behind are turned away once more in every iteration. */
static void lane_part(fs_row_table *t, const fs_traffic_load *load, uint64_t iterations) {
    fs_row_table_ints(t,
                      (uint64_t[]){load->rays, load->peak, load->used - load->held_back, load->held_back,
                                   iterations - load->used, load->full, 0, load->waiting, load->waiting_peak},
                      9);
}

static fs_status write_lanes(const fs_traffic_outputs *o, fs_results *results, fs_error *err) {
    static const char *const columns[] = {"lane",      "src",       "dst",      "src_role", "dst_role",
                                          "src_level", "dst_level", "capacity", "bytes"};
    static const char *const units[] = {"", "", "", "", "", "", "", "rays", "B"};
    static const char *const by_part[] = {"rays", "peak",    "used",        "stalled",     "idle",
                                          "full", "spilled", "turned_away", "waiting_peak"};
    static const char *const part_units[] = {"rays",       "rays", "iterations", "iterations", "iterations",
                                             "iterations", "rays", "rays",       "rays"};
    enum { FIXED = COLUMNS(columns), EACH = COLUMNS(by_part), ALL = FIXED + PARTS * EACH, NAME_BYTES = 40 };
    static const int order[PARTS] = {FS_PART_COUNT, FS_PART_WARMUP, FS_PART_MEASURE, FS_PART_DRAIN};
    const char *column[ALL], *unit[ALL];
    char name[PARTS * EACH][NAME_BYTES];
    for (size_t c = 0; c < FIXED; c++) {
        column[c] = columns[c];
        unit[c] = units[c];
    }
    for (size_t c = 0; c < PARTS * EACH; c++) {
        snprintf(name[c], NAME_BYTES, "%s_%s", part_names[order[c / EACH]], by_part[c % EACH]);
        column[FIXED + c] = name[c];
        unit[FIXED + c] = part_units[c % EACH];
    }
    fs_row_table t;
    if (fs_row_table_open(&t, results, "lanes.csv", column, unit, ALL, err))
        return err->status;
    const fs_traffic_lane *lanes = fs_traffic_lanes(o->network);
    for (uint32_t l = 0; l < o->overlay->lane_count; l++) {
        const fs_lane *lane = &o->overlay->lanes[l];
        fs_row_table_ints(&t, (uint64_t[]){l, lane->src, lane->dst}, 3);
        fs_row_word(&t.row, fs_role_names[o->overlay->role[lane->src]]);
        fs_row_word(&t.row, fs_role_names[o->overlay->role[lane->dst]]);
        fs_row_int(&t.row, o->overlay->level[lane->src]);
        fs_row_int(&t.row, o->overlay->level[lane->dst]);
        fs_row_int(&t.row, lanes[l].slots == UINT32_MAX ? -1 : (int64_t)lanes[l].slots);
        fs_row_int(&t.row, lanes[l].slots == UINT32_MAX ? -1 : (int64_t)o->transfers[l].bytes);
        fs_traffic_load all = all_parts(lanes[l].load);
        lane_part(&t, &all, o->books->iterations);
        for (int p = 0; p < FS_PART_COUNT; p++)
            lane_part(&t, &lanes[l].load[p], o->books->part_iterations[p]);
        fs_row_end(&t.row);
    }
    return fs_row_table_close(&t, err);
}

/* ---- levels.csv ---- */

static int ascending(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

typedef struct spread {
    uint64_t sum, tiles;
    double imbalance, gini; /* of the tiles' compute; 0 when there is none */
} spread;

static spread spread_of(const fs_traffic_outputs *o, uint32_t level, int from, int to, uint64_t *scratch) {
    spread s = {0};
    for (uint32_t t = 0; t < o->overlay->tiles; t++) {
        if (o->overlay->role[t] == FS_ROLE_SPARE || o->overlay->level[t] != level)
            continue;
        uint64_t cycles = 0;
        for (int p = from; p <= to; p++)
            cycles += o->books->compute[p][t];
        scratch[s.tiles++] = cycles;
        s.sum += cycles;
    }
    if (s.sum == 0)
        return s;
    qsort(scratch, s.tiles, sizeof *scratch, ascending);
    double mean = (double)s.sum / (double)s.tiles, weighted = 0;
    for (uint64_t i = 0; i < s.tiles; i++)
        weighted += (2.0 * (double)i + 1.0 - (double)s.tiles) * (double)scratch[i];
    s.imbalance = (double)scratch[s.tiles - 1] / mean;
    s.gini = weighted / ((double)s.tiles * (double)s.sum);
    return s;
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
static uint64_t turned_away(const fs_traffic_outputs *o, uint32_t level, int from, int to) {
    uint64_t sum = 0;
    const fs_traffic_lane *lanes = fs_traffic_lanes(o->network);
    for (uint32_t l = 0; l < o->overlay->lane_count; l++)
        for (int p = from; p <= to && o->overlay->level[o->overlay->lanes[l].dst] == level; p++)
            sum += lanes[l].load[p].waiting;
    return sum;
}

static void level_row(fs_row_table *t, const fs_traffic_outputs *o, int part, uint32_t level,
                      uint64_t *scratch) {
    const fs_traffic_books *b = o->books;
    int from = part == FS_PART_COUNT ? 0 : part, to = part == FS_PART_COUNT ? FS_PART_COUNT - 1 : part;
    fs_traffic_level sum = {0};
    uint64_t iterations = 0;
    for (int p = from; p <= to; p++) {
        const fs_traffic_level *l = &b->level[p][level];
        sum.rays += l->rays;
        sum.rays_max = l->rays_max > sum.rays_max ? l->rays_max : sum.rays_max;
        sum.compute_slowest += l->compute_slowest;
        sum.paced += l->paced;
        iterations += b->part_iterations[p];
    }
    spread s = spread_of(o, level, from, to, scratch);
    fs_role role = level == 0                    ? FS_ROLE_TRACER
                   : level <= o->overlay->levels ? FS_ROLE_ROUTER
                                                 : FS_ROLE_GENERATOR;
    double each = iterations > 0 ? (double)sum.rays / (double)iterations : 0;
    uint64_t slots = slots_of(o, level);
    fs_row_word(&t->row, part_names[part]);
    fs_row_word(&t->row, fs_role_names[role]);
    fs_row_table_ints(t, (uint64_t[]){level, s.tiles, iterations, sum.rays}, 4);
    fs_row_table_real(t, each);
    fs_row_table_ints(t, (uint64_t[]){sum.rays_max, slots}, 2);
    fs_row_table_real(t, slots > 0 ? each / (double)slots : 0);
    fs_row_table_ints(t, (uint64_t[]){s.sum, sum.compute_slowest, sum.paced}, 3);
    fs_row_table_real(t, iterations > 0 ? (double)sum.paced / (double)iterations : 0);
    fs_row_table_real(t, s.imbalance);
    fs_row_table_real(t, s.gini);
    fs_row_table_ints(t, (uint64_t[]){0, turned_away(o, level, from, to), 0}, 3);
    fs_row_end(&t->row);
}

static fs_status write_levels(const fs_traffic_outputs *o, fs_results *results, fs_error *err) {
    static const char *const columns[] = {
        "part",      "role",  "level",       "tiles",       "iterations",      "rays",  "rays_per_iteration",
        "rays_max",  "slots", "utilisation", "compute",     "compute_slowest", "paced", "paced_share",
        "imbalance", "gini",  "spilled",     "turned_away", "misrouted"};
    static const char *const units[] = {"",     "",     "",     "tiles",  "iterations", "rays",       "rays",
                                        "rays", "rays", "",     "cycles", "cycles",     "iterations", "",
                                        "",     "",     "rays", "rays",   "visits"};
    fs_row_table t;
    if (fs_row_table_open(&t, results, "levels.csv", columns, units, COLUMNS(columns), err))
        return err->status;
    static const int order[PARTS] = {FS_PART_COUNT, FS_PART_WARMUP, FS_PART_MEASURE, FS_PART_DRAIN};
    uint64_t *scratch = fs_malloc(o->overlay->tiles * sizeof *scratch);
    for (int p = 0; p < PARTS; p++)
        for (uint32_t level = 0; level < o->books->levels; level++)
            level_row(&t, o, order[p], level, scratch);
    free(scratch);
    return fs_row_table_close(&t, err);
}

/* ---- distributions.csv, memory.csv, summary.json, stats.csv ---- */

static void histogram(fs_row_table *t, const char *name, const fs_dist *d) {
    for (uint32_t v = 0; v < FS_DIST_MAX; v++)
        if (d->bin[v] > 0) {
            fs_row_word(&t->row, name);
            fs_row_table_ints(t, (uint64_t[]){v, d->bin[v]}, 2);
            fs_row_end(&t->row);
        }
}

static fs_status write_distributions(const fs_traffic_outputs *o, fs_results *results, fs_error *err) {
    static const char *const columns[] = {"name", "value", "count"};
    static const char *const units[] = {"", "", "rays"};
    fs_row_table t;
    if (fs_row_table_open(&t, results, "distributions.csv", columns, units, COLUMNS(columns), err))
        return err->status;
    for (uint32_t b = 0; b < FS_LATENCY_BINS; b++)
        if (o->latency->bin[b] > 0) {
            fs_row_word(&t.row, "latency");
            fs_row_table_ints(&t, (uint64_t[]){fs_latency_bin_begin(b), o->latency->bin[b]}, 2);
            fs_row_end(&t.row);
        }
    histogram(&t, "alive", &o->latency->iterations);
    histogram(&t, "hops", &o->latency->hops);
    return fs_row_table_close(&t, err);
}

fs_status fs_traffic_outputs_write(const fs_traffic_outputs *o, fs_results *results, fs_error *err) {
    if (fs_results_figures(results, &fs_traffic_stats, o->figures, err) ||
        (o->full && fs_traffic_findings_write(o, results, err)))
        return err->status;
    if (o->summary)
        return FS_OK;
    const fs_run_labels labels = fs_overlay_labels(o->overlay);
    if (write_iterations(o, &labels, results, err) || write_tiles(o, &labels, results, err) ||
        write_lanes(o, results, err) || fs_run_memory_write(o->ledger, &labels, results, err) ||
        fs_power_tables_write(&o->figures->power, o->device, o->machine, &labels, results, err))
        return err->status;
    if (o->full && (write_levels(o, results, err) || write_distributions(o, results, err)))
        return err->status;
    return FS_OK;
}
