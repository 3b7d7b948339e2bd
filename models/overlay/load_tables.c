/* iterations.csv, tiles.csv, levels.csv, lanes.csv, and how unequal tiles are. */
#include "models/overlay/load_tables.h"

#include "models/ipu/tables/tables.h"
#include "sim/base/arith.h"
#include "sim/results/row.h"

#include <stdlib.h>

const char *const fs_load_part_names[FS_LOAD_PARTS] = {"injection", "steady", "drain", "all"};
static const uint32_t order[FS_LOAD_PARTS] = {FS_LOAD_ALL, 0, 1, 2};

fs_role fs_overlay_role_of_level(const fs_overlay *o, uint32_t level) {
    return level == 0 ? FS_ROLE_TRACER : level <= o->levels ? FS_ROLE_ROUTER : FS_ROLE_GENERATOR;
}

/* ---- unevenness ---- */

double fs_gini(uint64_t *values, size_t count) {
    double sum = 0, weighted = 0;
    qsort(values, count, sizeof *values, fs_by_u64);
    for (size_t i = 0; i < count; i++) {
        sum += (double)values[i];
        weighted += (2.0 * (double)i + 1.0 - (double)count) * (double)values[i];
    }
    return sum > 0 ? weighted / ((double)count * sum) : 0;
}

double fs_imbalance(const uint64_t *values, size_t count) {
    double sum = 0;
    uint64_t most = 0;
    for (size_t i = 0; i < count; i++) {
        sum += (double)values[i];
        most = fs_most(most, values[i]);
    }
    return fs_ratio((double)most * (double)count, sum);
}

/* ---- iterations.csv, tiles.csv ---- */

fs_status fs_overlay_iterations_write(const fs_chip_run *run, const fs_overlay_iterations *i,
                                      fs_results *results, fs_error *err) {
    enum { NAME_BYTES = 24 };
    const fs_overlay_numbers *n = &i->numbers;
    const fs_books_iteration_rows rows = {i->first, i->stride, &run->labels, i->paced};
    const uint32_t levels = i->levels + 2;
    fs_column *columns = fs_malloc((FS_BOOKS_ITERATION_COLUMNS + n->count + levels) * sizeof *columns);
    char(*name)[NAME_BYTES] = fs_malloc(levels * sizeof *name);
    fs_column *c = fs_books_time_columns(&rows, columns);
    c = fs_columns_integers(c, n->names, 0, i->before, n->number, n->self);
    c = fs_books_pace_columns(&rows, c);
    c = fs_columns_integers(c, n->names, i->before, n->count, n->number, n->self);
    for (uint32_t l = 0; l < levels; l++) {
        const uint32_t level = l == 0 ? 0 : l == 1 ? levels - 1 : l - 1;
        if (l < 2)
            snprintf(name[l], NAME_BYTES, "rays_%s", l == 0 ? "tracers" : "generator");
        else
            snprintf(name[l], NAME_BYTES, "rays_level_%u", level);
        *c++ =
            (fs_column){.name = name[l], .unit = "rays", .integer = i->rays, .self = n->self, .arg = level};
    }
    const fs_status status =
        fs_columns_write(results, "iterations.csv", columns, (size_t)(c - columns), i->iterations, err);
    free(columns);
    free(name);
    return status;
}

static int64_t shard_of(const void *self, uint64_t tile, uint32_t arg) {
    (void)arg;
    const uint32_t shard = ((const fs_overlay *)self)->shard_of_tile[tile];
    return shard == UINT32_MAX ? -1 : (int64_t)shard;
}

fs_status fs_overlay_tiles_write(const fs_chip_run *run, const fs_overlay *overlay,
                                 const fs_overlay_numbers *n, bool paced, fs_results *results,
                                 fs_error *err) {
    enum { MOST_NUMBERS = 8 };
    const fs_books_tile_rows rows = {.machine = run->machine,
                                     .labels = &run->labels,
                                     .totals = fs_device_totals_of(run->device),
                                     .ledger = run->ledger,
                                     .tiles = overlay->tiles,
                                     .paced = paced};
    fs_column columns[FS_BOOKS_TILE_COLUMNS + 1 + MOST_NUMBERS];
    FS_ASSERT(n->count >= 2 && n->count <= MOST_NUMBERS, "%u numbers of a tile", n->count);
    fs_column *c = fs_books_name_columns(&rows, columns);
    *c++ = (fs_column){.name = "shard", .unit = "", .integer = shard_of, .self = overlay};
    c = fs_books_work_columns(&rows, fs_books_place_columns(&rows, c));
    c = fs_columns_integers(c, n->names, 0, 2, n->number, n->self);
    c = fs_books_end_columns(&rows, c);
    c = fs_columns_integers(c, n->names, 2, n->count, n->number, n->self);
    return fs_columns_write(results, "tiles.csv", columns, (size_t)(c - columns), rows.tiles, err);
}

/* ---- levels.csv ---- */

static void put_level(fs_row_table *t, const char *part, const fs_level_load *v, double none) {
    const double iterations = (double)v->iterations,
                 each = v->iterations > 0 ? (double)v->rays / iterations : none,
                 used = v->slots > 0 ? each / (double)v->slots : none,
                 paced = v->iterations > 0 ? (double)v->paced / iterations : none;
    FS_ROW(t, part, fs_role_names[v->role], v->level, v->tiles, v->iterations, v->rays, each, v->rays_max,
           v->slots, used, v->compute, v->compute_slowest, v->paced, paced, v->imbalance, v->gini, v->spilled,
           v->turned_away, v->misrouted);
}

fs_status fs_overlay_levels_write(const fs_level_rows *rows, fs_results *results, fs_error *err) {
    static const char columns[] =
        "part, role, level, tiles tiles, iterations iterations, rays visits, rays_per_iteration visits, "
        "rays_max rays, slots rays, utilisation, compute cycles, compute_slowest cycles, paced iterations, "
        "paced_share, imbalance, gini, spilled rays, turned_away rays, misrouted visits";
    fs_row_table t;
    if (fs_row_table_begin(&t, results, "levels.csv", columns, err))
        return err->status;
    for (uint32_t p = 0; p < FS_LOAD_PARTS; p++)
        for (uint32_t l = 0; l < rows->levels; l++) {
            const fs_level_load v = rows->level(rows->self, order[p], l);
            if (v.tiles > 0)
                put_level(&t, fs_load_part_names[order[p]], &v, rows->none);
        }
    return fs_row_table_close(&t, err);
}

/* ---- lanes.csv ---- */

enum { FIXED = 9, EACH = 9, ALL = FIXED + EACH * FS_LOAD_PARTS, NAME_BYTES = 40 };

static size_t name_columns(uint32_t each, const char **columns, const char **units,
                           char (*text)[NAME_BYTES]) {
    static const char *const fixed[FIXED] = {"lane",      "src",       "dst",      "src_role", "dst_role",
                                             "src_level", "dst_level", "capacity", "bytes"};
    static const char *const of_part[EACH] = {"rays", "peak",    "used",        "stalled",     "idle",
                                              "full", "spilled", "turned_away", "waiting_peak"};
    for (uint32_t c = 0; c < FIXED; c++) {
        columns[c] = fixed[c];
        units[c] = c < 7 ? "" : c == 7 ? "rays" : "B";
    }
    size_t c = FIXED;
    for (uint32_t p = 0; p < FS_LOAD_PARTS; p++)
        for (uint32_t i = 0; i < each; i++, c++) {
            snprintf(text[c], NAME_BYTES, "%s_%s", fs_load_part_names[order[p]], of_part[i]);
            columns[c] = text[c];
            units[c] = i >= 2 && i <= 5 ? "iterations" : "rays";
        }
    return c;
}

fs_status fs_overlay_lanes_write(const fs_lane_rows *rows, fs_results *results, fs_error *err) {
    const char *columns[ALL], *units[ALL];
    char text[ALL][NAME_BYTES];
    const fs_overlay *o = rows->overlay;
    const uint32_t each = rows->waits ? EACH : EACH - 1;
    fs_row_table t;
    if (fs_row_table_open(&t, results, "lanes.csv", columns, units, name_columns(each, columns, units, text),
                          err))
        return err->status;
    for (uint32_t l = 0; l < o->lane_count; l++) {
        const uint32_t src = o->lanes[l].src, dst = o->lanes[l].dst;
        int64_t rays, bytes;
        rows->size(rows->self, l, &rays, &bytes);
        fs_row_table_ints(&t, (uint64_t[]){l, src, dst}, 3);
        fs_row_word(&t.row, fs_role_names[o->role[src]]);
        fs_row_word(&t.row, fs_role_names[o->role[dst]]);
        fs_row_ints(&t.row, (int64_t[]){o->level[src], o->level[dst], rays, bytes}, 4);
        for (uint32_t p = 0; p < FS_LOAD_PARTS; p++) {
            const fs_lane_load c = rows->load(rows->self, order[p], l);
            fs_row_table_ints(&t,
                              (uint64_t[]){c.rays, c.peak, c.used, c.stalled, c.idle, c.full, c.spilled,
                                           c.turned_away, c.waiting_peak},
                              each);
        }
        fs_row_end(&t.row);
    }
    return fs_row_table_close(&t, err);
}
