/* The tables that say where a run was congested. */
#include "sim/base/csv.h"
#include "workloads/foam/books/outputs_table.h"

#include <stdlib.h>

/* The parts in the order of columns and rows: the whole run first. */
static const fs_part order[] = {FS_PART_ALL, FS_PART_INJECTION, FS_PART_STEADY, FS_PART_DRAIN};

/* ---- lanes.csv ---- */

enum {
    LANE_FIXED = 9,
    LANE_EACH = 8,
    LANE_COLUMNS = LANE_FIXED + LANE_EACH * (FS_PARTS + 1),
    NAME_BYTES = 32
};

static void name_lane_columns(const char **columns, const char **units, char (*text)[NAME_BYTES]) {
    static const char *const fixed[LANE_FIXED] = {
        "lane", "src", "dst", "src_role", "dst_role", "src_level", "dst_level", "capacity", "bytes"};
    static const char *const fixed_units[LANE_FIXED] = {"", "", "", "", "", "", "", "rays", "B"};
    static const char *const each[LANE_EACH] = {"rays", "peak", "used",    "stalled",
                                                "idle", "full", "spilled", "turned_away"};
    static const char *const each_units[LANE_EACH] = {"rays",       "rays",       "iterations", "iterations",
                                                      "iterations", "iterations", "rays",       "rays"};
    for (int c = 0; c < LANE_FIXED; c++) {
        columns[c] = fixed[c];
        units[c] = fixed_units[c];
    }
    for (int i = 0; i < LANE_EACH * (FS_PARTS + 1); i++) {
        snprintf(text[i], NAME_BYTES, "%s_%s", fs_part_names[order[i / LANE_EACH]], each[i % LANE_EACH]);
        columns[LANE_FIXED + i] = text[i];
        units[LANE_FIXED + i] = each_units[i % LANE_EACH];
    }
}

fs_status fs_foam_outputs_write_lanes(const fs_foam_outputs *o, fs_results *results, fs_error *err) {
    const char *columns[LANE_COLUMNS], *units[LANE_COLUMNS];
    char text[LANE_EACH * (FS_PARTS + 1)][NAME_BYTES];
    name_lane_columns(columns, units, text);
    fs_row_table t;
    if (fs_row_table_open(&t, results, "lanes.csv", columns, units, LANE_COLUMNS, err))
        return err->status;
    const fs_lane_state *lanes = fs_foam_simulation_lanes(o->sim);
    for (uint32_t l = 0; l < o->overlay->lane_count; l++) {
        const uint32_t src = o->overlay->lanes[l].src, dst = o->overlay->lanes[l].dst;
        fs_row_table_ints(&t, (uint64_t[]){l, src, dst}, 3);
        fs_row_word(&t.row, fs_role_names[o->overlay->role[src]]);
        fs_row_word(&t.row, fs_role_names[o->overlay->role[dst]]);
        fs_row_table_ints(&t,
                          (uint64_t[]){o->overlay->level[src], o->overlay->level[dst], lanes[l].capacity,
                                       o->layout->transfers[l].bytes},
                          4);
        for (size_t p = 0; p < COLUMNS(order); p++) {
            const fs_lane_counts c = fs_foam_books_lane(o->books, order[p], l);
            uint64_t begin, end;
            fs_foam_books_part(o->books, order[p], &begin, &end);
            fs_row_table_ints(&t,
                              (uint64_t[]){c.rays, c.peak, c.used, c.stalled,
                                           end - begin - c.used - c.stalled, c.full, c.spilled,
                                           c.turned_away},
                              LANE_EACH);
        }
        fs_row_end(&t.row);
    }
    return fs_row_table_close(&t, err);
}

/* ---- levels.csv ---- */

static fs_status write_levels(const fs_foam_outputs *o, fs_results *results, fs_error *err) {
    static const char *const columns[] = {
        "part",      "role",  "level",       "tiles",       "iterations",      "rays",  "rays_per_iteration",
        "rays_max",  "slots", "utilisation", "compute",     "compute_slowest", "paced", "paced_share",
        "imbalance", "gini",  "spilled",     "turned_away", "misrouted"};
    static const char *const units[] = {
        "",       "",       "",           "", "iterations", "visits", "visits", "rays", "rays",  "",
        "cycles", "cycles", "iterations", "", "",           "",       "rays",   "rays", "visits"};
    fs_row_table t;
    if (fs_row_table_open(&t, results, "levels.csv", columns, units, COLUMNS(columns), err))
        return err->status;
    for (size_t p = 0; p < COLUMNS(order); p++)
        for (uint32_t l = 0; l < o->congestion->levels; l++) {
            const fs_level_load *v = &o->congestion->level[order[p]][l];
            const double iterations = (double)v->iterations; /* 0 / 0 is null */
            if (v->tiles == 0)
                continue;
            fs_row_word(&t.row, fs_part_names[order[p]]);
            fs_row_word(&t.row, fs_role_names[v->role]);
            fs_row_table_ints(&t, (uint64_t[]){v->level, v->tiles, v->iterations, v->rays}, 4);
            fs_row_table_real(&t, (double)v->rays / iterations);
            fs_row_table_ints(&t, (uint64_t[]){v->rays_max, v->slots}, 2);
            fs_row_table_real(&t, (double)v->rays / iterations / (double)v->slots);
            fs_row_table_ints(&t, (uint64_t[]){v->compute, v->compute_slowest, v->paced}, 3);
            fs_row_table_real(&t, (double)v->paced / iterations);
            fs_row_table_real(&t, v->imbalance);
            fs_row_table_real(&t, v->gini);
            fs_row_table_ints(&t, (uint64_t[]){v->spilled, v->turned_away, v->misrouted}, 3);
            fs_row_end(&t.row);
        }
    return fs_row_table_close(&t, err);
}

/* ---- distributions.csv ---- */

static void write_bins(fs_row_table *t, const char *name, const uint64_t *bins, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (bins[i] > 0) {
            fs_row_word(&t->row, name);
            fs_row_table_ints(t, (uint64_t[]){i, bins[i]}, 2);
            fs_row_end(&t->row);
        }
}

static fs_status write_distributions(const fs_foam_outputs *o, fs_results *results, fs_error *err) {
    static const char *const columns[] = {"name", "value", "count"}, *const units[] = {"", "", ""};
    fs_row_table t;
    if (fs_row_table_open(&t, results, "distributions.csv", columns, units, COLUMNS(columns), err))
        return err->status;
    fs_dist *made = NULL, *hops = o->books->hops;
    if (hops[0].count == 0) /* activity was replayed */
        hops = made = fs_congestion_distributions(fs_foam_simulation_framebuffer(o->sim));
    for (int i = 0; i < FS_DISTRIBUTIONS; i++)
        write_bins(&t, fs_distribution_names[i], hops[i].bin, FS_DIST_MAX);
    free(made);
    write_bins(&t, "lane_fill_tracer", o->books->fill_tracer, FS_FILL_BINS);
    write_bins(&t, "lane_fill_router", o->books->fill_router, FS_FILL_BINS);
    return fs_row_table_close(&t, err);
}

fs_status fs_foam_outputs_write_congestion(const fs_foam_outputs *o, fs_results *results, fs_error *err) {
    if (fs_foam_outputs_write_matrix(o, "cycles.csv", o->books->cycles, results, err) ||
        write_levels(o, results, err))
        return err->status;
    return write_distributions(o, results, err);
}

fs_status fs_foam_outputs_write_conclusions(const fs_foam_outputs *o, fs_results *results, fs_error *err) {
    fs_status status = fs_ladder_write(o->ladder->rung, FS_RUNGS, results, err);
    return status ? status : fs_findings_write(o->findings, results, err);
}
