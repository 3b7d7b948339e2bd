/* Tables: queues step by step, and what lies on each tile. */
#include "workloads/treelets/run.h"

#include "models/ipu/tables/tables.h"
#include "sim/results/row.h"

#include <stdlib.h>

static void put_steps(const void *run, fs_row_table *table) {
    const fs_treelets_run *r = run;
    const fs_travelled *a = r->activity;
    for (uint64_t s = 0; s < a->steps; s++) {
        uint64_t moves = 0;
        for (uint64_t i = a->step[s].first_move; i < a->step[s + 1].first_move; i++)
            moves += a->move[i].rays;
        FS_ROW(table, s, a->step[s].ended, a->step[s].in_flight, a->step[s].waiting, a->step[s].deepest,
               moves, r->end_of[s]);
    }
}

/* bytes, units: of a tile of the machine. */
enum { BYTES, UNITS, LOADS };
static int64_t load_cell(const void *self, uint64_t row, uint32_t which) {
    return ((const int64_t(*)[LOADS])self)[row][which];
}

/* Each tile of the machine with its place; those that hold no treelets have 0. */
static fs_status write_tiles(const fs_treelets_run *r, fs_results *results, fs_error *err) {
    static const char *const names[][2] = {[BYTES] = {"bytes", "B"}, [UNITS] = {"units", "units"}};
    const fs_books_tile_rows rows = {.machine = r->of.machine, .labels = &r->of.labels};
    const uint32_t all = fs_machine_tiles(r->of.machine);
    int64_t(*load)[LOADS] = fs_calloc(all, sizeof *load);
    for (uint32_t t = 0; t < r->tiles; t++) {
        const uint32_t tile = fs_treelets_tile(r->params, r->of.machine, t);
        load[tile][BYTES] = (int64_t)r->tile_bytes[t];
        load[tile][UNITS] = (int64_t)r->tile_units[t];
    }
    fs_column columns[FS_BOOKS_TILE_COLUMNS + LOADS];
    fs_column *c = fs_books_place_columns(&rows, fs_books_name_columns(&rows, columns));
    c = fs_columns_integers(c, names, 0, LOADS, load_cell, load);
    const fs_status status = fs_columns_write(results, "loads.csv", columns, (size_t)(c - columns), all, err);
    free(load);
    return status;
}

static void put_treelets(const void *run, fs_row_table *table) {
    const fs_treelets_run *r = run;
    const fs_treelets_shown *s = &r->shown;
    for (uint64_t k = 0; k < r->geometry.treelets; k++)
        FS_ROW(table, k, s->bytes_of[k], s->visits_of[k], s->units_of[k], s->copies_of[k]);
}

/* A row a bounce; the last one: that and all behind it. */
static void put_bounces(const void *run, fs_row_table *table) {
    const fs_treelets_run *r = run;
    for (uint32_t i = 0; i < FS_ITINERARIES_BOUNCES && r->shown.bounce[i].rays > 0; i++) {
        const fs_itineraries_visits *b = &r->shown.bounce[i];
        FS_ROW(table, i, b->rays, b->visits, b->none, b->half, b->most_of_20, b->most_of_100,
               (double)b->visits / (double)b->rays);
    }
}

fs_status fs_treelets_write(void *run, fs_results *results, fs_error *err) {
    static const fs_row_file steps = {
        "queues.csv",
        "step, ended paths, in_flight paths, waiting rays, deepest rays, moves rays, cycle cycles",
        put_steps};
    static const fs_row_file files[] = {
        {"treelets.csv", "treelet, bytes B, visits visits, units units, copies copies", put_treelets},
        {"bounces.csv",
         "bounce, segments segments, visits visits, none segments, half visits, most_of_95_percent visits, "
         "most_of_99_percent visits, per_segment visits",
         put_bounces}};
    const fs_treelets_run *r = run;
    return fs_chip_run_write(run, results, err) || fs_joined_write(r->of.device, results, err) ||
                   fs_row_files_write(&steps, 1, r, results, err) || write_tiles(r, results, err) ||
                   fs_row_files_write(files, FS_COUNT(files), r, results, err) ||
                   fs_treelets_pictures_write(r, results, err)
               ? err->status
               : FS_OK;
}
