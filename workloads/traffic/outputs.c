#include "workloads/traffic/outputs.h"

#include "sim/results/row.h"
#include "workloads/traffic/traffic.h"

#include <stdlib.h>

#define COLUMNS(array) (sizeof(array) / sizeof((array)[0]))

/* The parts as the tables name them: those of the foam renderer, so that whatever reads a folder reads both.
 * The warm-up fills the network, the measurement is its steady state. */
enum { PARTS = FS_PART_COUNT + 1 };
static const char *const part_names[PARTS] = {"injection", "steady", "drain", "all"};

typedef struct table {
    fs_results *results;
    FILE *file;
    fs_row row;
} table;

static fs_status table_open(table *t, fs_results *results, const char *name, const char *const *columns,
                            const char *const *units, size_t count, fs_error *err) {
    t->results = results;
    t->file = fs_results_create(results, name, columns, units, count, err);
    if (t->file == NULL)
        return err->status;
    fs_row_begin(&t->row, t->file);
    return FS_OK;
}

static fs_status table_close(table *t, fs_error *err) {
    fs_row_flush(&t->row);
    return fs_results_close(t->results, t->file, err);
}

static void ints(table *t, const uint64_t *values, size_t count) {
    for (size_t i = 0; i < count; i++)
        fs_row_int(&t->row, (int64_t)values[i]);
}

static void real(table *t, double value) {
    char text[FS_REAL_TEXT];
    fs_row_word(&t->row, fs_real_text(value, text));
}

/* ---- iterations.csv ---- */

static fs_status write_iterations(const fs_traffic_outputs *o, fs_results *results, fs_error *err) {
    enum { FIXED = 19, NAME_BYTES = 24 };
    static const char *const fixed[FIXED] = {
        "iteration", "start",     "cycles",         "compute",        "sync",
        "exchange",  "host",      "compute_tracer", "compute_router", "pace_role",
        "pace_tile", "injecting", "in_flight",      "backlog",        "generated",
        "refused",   "finished",  "rays_tracers",   "rays_generator"};
    static const char *const fixed_units[FIXED] = {
        "", "cycles", "cycles", "cycles", "cycles", "cycles", "cycles", "cycles", "cycles", "",
        "", "",       "rays",   "rays",   "rays",   "rays",   "rays",   "rays",   "rays"};
    const uint32_t levels = o->overlay->levels;
    const char **columns = fs_malloc((FIXED + levels) * sizeof *columns);
    const char **units = fs_malloc((FIXED + levels) * sizeof *units);
    char(*name)[NAME_BYTES] = fs_malloc((levels + 1) * sizeof *name);
    for (size_t i = 0; i < FIXED; i++) {
        columns[i] = fixed[i];
        units[i] = fixed_units[i];
    }
    for (uint32_t l = 0; l < levels; l++) {
        snprintf(name[l], NAME_BYTES, "rays_level_%u", l + 1);
        columns[FIXED + l] = name[l];
        units[FIXED + l] = "rays";
    }
    table t;
    fs_status status = table_open(&t, results, "iterations.csv", columns, units, FIXED + levels, err);
    free(columns);
    free(units);
    free(name);
    if (status)
        return status;
    const fs_traffic_books *b = o->books;
    for (uint64_t k = 0; k < b->iterations; k++) {
        const fs_traffic_note *n = &b->note[k];
        const fs_iteration *i = &n->times;
        const fs_traffic_step *s = &n->step;
        const uint64_t *rays = &b->level_rays[k * b->levels];
        ints(&t,
             (uint64_t[]){k, i->start, i->compute + i->sync + i->exchange + i->host, i->compute, i->sync,
                          i->exchange, i->host, n->slowest[FS_ROLE_TRACER], n->slowest[FS_ROLE_ROUTER]},
             9);
        fs_row_word(&t.row, b->programs ? fs_role_names[o->overlay->role[i->pace_tile]] : "none");
        ints(&t,
             (uint64_t[]){i->pace_tile, fs_traffic_part_of(o->network, k) != FS_PART_DRAIN, s->in_flight,
                          s->waiting, s->made, s->refused, s->delivered, rays[0], rays[levels + 1]},
             9);
        ints(&t, rays + 1, levels);
        fs_row_end(&t.row);
    }
    return table_close(&t, err);
}

/* ---- tiles.csv ---- */

static fs_status write_tiles(const fs_traffic_outputs *o, fs_results *results, fs_error *err) {
    static const char *const columns[] = {"tile",      "role",         "level",         "shard",
                                          "column",    "row",          "sub",           "busy",
                                          "waiting",   "idle",         "compute",       "bytes_in",
                                          "bytes_out", "port_busy_in", "port_busy_out", "port_waiting_out",
                                          "visits",    "peak_rays",    "paced",         "sram",
                                          "sourced",   "sunk"};
    static const char *const units[] = {
        "",  "",  "",       "",       "",       "",     "",     "cycles",     "cycles", "cycles", "cycles",
        "B", "B", "cycles", "cycles", "cycles", "rays", "rays", "iterations", "B",      "rays",   "rays"};
    table t;
    if (table_open(&t, results, "tiles.csv", columns, units, COLUMNS(columns), err))
        return err->status;
    fs_device_totals d = fs_device_totals_of(o->device);
    const fs_traffic_tile *tiles = fs_traffic_tiles(o->network);
    const size_t workers = (size_t)o->machine->tile.workers;
    for (uint32_t tile = 0; tile < o->overlay->tiles; tile++) {
        fs_position at = fs_geometry_position(&o->machine->geometry, tile);
        uint64_t busy = 0, waiting = 0, idle = 0;
        for (size_t w = tile * workers; w < (tile + 1) * workers; w++) {
            busy += d.busy[w];
            waiting += d.waiting[w];
            idle += d.idle[w];
        }
        uint32_t shard = o->overlay->shard_of_tile[tile];
        fs_row_int(&t.row, tile);
        fs_row_word(&t.row, fs_role_names[o->overlay->role[tile]]);
        fs_row_int(&t.row, o->overlay->level[tile]);
        fs_row_int(&t.row, shard == UINT32_MAX ? -1 : (int64_t)shard);
        ints(&t,
             (uint64_t[]){at.column, at.row, at.sub, busy, waiting, idle, d.compute[tile], d.bytes_in[tile],
                          d.bytes_out[tile], d.port_busy_in[tile], d.port_busy_out[tile],
                          d.port_waiting_out[tile], tiles[tile].visits, tiles[tile].peak,
                          o->books->programs ? d.paced[tile] : 0,
                          o->ledger != NULL ? fs_ledger_used(o->ledger, tile) : 0, tiles[tile].sourced,
                          tiles[tile].sunk},
             18);
        fs_row_end(&t.row);
    }
    return table_close(&t, err);
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
static void lane_part(table *t, const fs_traffic_load *load, uint64_t iterations) {
    ints(t,
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
    table t;
    if (table_open(&t, results, "lanes.csv", column, unit, ALL, err))
        return err->status;
    const fs_traffic_lane *lanes = fs_traffic_lanes(o->network);
    for (uint32_t l = 0; l < o->overlay->lane_count; l++) {
        const fs_lane *lane = &o->overlay->lanes[l];
        ints(&t, (uint64_t[]){l, lane->src, lane->dst}, 3);
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
    return table_close(&t, err);
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

static void level_row(table *t, const fs_traffic_outputs *o, int part, uint32_t level, uint64_t *scratch) {
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
    ints(t, (uint64_t[]){level, s.tiles, iterations, sum.rays}, 4);
    real(t, each);
    ints(t, (uint64_t[]){sum.rays_max, slots}, 2);
    real(t, slots > 0 ? each / (double)slots : 0);
    ints(t, (uint64_t[]){s.sum, sum.compute_slowest, sum.paced}, 3);
    real(t, iterations > 0 ? (double)sum.paced / (double)iterations : 0);
    real(t, s.imbalance);
    real(t, s.gini);
    ints(t, (uint64_t[]){0, turned_away(o, level, from, to), 0}, 3);
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
    table t;
    if (table_open(&t, results, "levels.csv", columns, units, COLUMNS(columns), err))
        return err->status;
    static const int order[PARTS] = {FS_PART_COUNT, FS_PART_WARMUP, FS_PART_MEASURE, FS_PART_DRAIN};
    uint64_t *scratch = fs_malloc(o->overlay->tiles * sizeof *scratch);
    for (int p = 0; p < PARTS; p++)
        for (uint32_t level = 0; level < o->books->levels; level++)
            level_row(&t, o, order[p], level, scratch);
    free(scratch);
    return table_close(&t, err);
}

/* ---- distributions.csv, memory.csv, summary.json, stats.csv ---- */

static void histogram(table *t, const char *name, const fs_dist *d) {
    for (uint32_t v = 0; v < FS_DIST_MAX; v++)
        if (d->bin[v] > 0) {
            fs_row_word(&t->row, name);
            ints(t, (uint64_t[]){v, d->bin[v]}, 2);
            fs_row_end(&t->row);
        }
}

static fs_status write_distributions(const fs_traffic_outputs *o, fs_results *results, fs_error *err) {
    static const char *const columns[] = {"name", "value", "count"};
    static const char *const units[] = {"", "", "rays"};
    table t;
    if (table_open(&t, results, "distributions.csv", columns, units, COLUMNS(columns), err))
        return err->status;
    for (uint32_t b = 0; b < FS_LATENCY_BINS; b++)
        if (o->latency->bin[b] > 0) {
            fs_row_word(&t.row, "latency");
            ints(&t, (uint64_t[]){fs_latency_bin_begin(b), o->latency->bin[b]}, 2);
            fs_row_end(&t.row);
        }
    histogram(&t, "alive", &o->latency->iterations);
    histogram(&t, "hops", &o->latency->hops);
    return table_close(&t, err);
}

static const char *role_of(void *overlay, uint32_t tile) {
    return fs_role_names[((const fs_overlay *)overlay)->role[tile]];
}

static fs_status write_memory(const fs_traffic_outputs *o, fs_results *results, fs_error *err) {
    static const char *const columns[] = {"tile", "role", "allocation", "bytes"};
    static const char *const units[] = {"", "", "", "B"};
    if (o->ledger == NULL)
        return FS_OK;
    FILE *file = fs_results_create(results, "memory.csv", columns, units, COLUMNS(columns), err);
    if (file == NULL)
        return err->status;
    fs_overlay *self =
        (fs_overlay *)(uintptr_t)o->overlay; /* the callback's self is not const; it only reads */
    fs_ledger_write_csv(o->ledger, role_of, self, file);
    return fs_results_close(results, file, err);
}

static fs_status write_figures(const fs_traffic_outputs *o, fs_results *results, fs_error *err) {
    static const char *const columns[] = {"name", "unit", "value", "description"};
    static const char *const units[] = {"", "", "", ""};
    FILE *file = fs_results_create(results, "stats.csv", columns, units, COLUMNS(columns), err);
    if (file == NULL)
        return err->status;
    fs_stats_write_csv(&fs_traffic_stats, o->figures, file);
    if (fs_results_close(results, file, err))
        return err->status;
    json_t *root = json_object();
    fs_results_stats_json(&fs_traffic_stats, o->figures, root);
    fs_status status = fs_results_json(results, "summary.json", root, err);
    json_decref(root);
    return status;
}

fs_status fs_traffic_outputs_write(const fs_traffic_outputs *o, fs_results *results, fs_error *err) {
    if (write_figures(o, results, err) || (o->full && fs_traffic_findings_write(o, results, err)))
        return err->status;
    if (o->summary)
        return FS_OK;
    if (write_iterations(o, results, err) || write_tiles(o, results, err) || write_lanes(o, results, err) ||
        write_memory(o, results, err))
        return err->status;
    if (o->full && (write_levels(o, results, err) || write_distributions(o, results, err)))
        return err->status;
    return FS_OK;
}
