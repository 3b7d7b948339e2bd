/* Tables: queues step by step, and what lies on each tile. */
#include "workloads/treelets/run.h"

#include "models/ipu/tables/tables.h"
#include "sim/results/row.h"

#include <stdlib.h>

static fs_status write_steps(const fs_treelets_run *r, fs_results *results, fs_error *err) {
    static const char *const names[] = {"step", "ended", "in_flight", "waiting", "deepest", "moves", "cycle"},
                             *const units[] = {"", "paths", "paths", "rays", "rays", "rays", "cycles"};
    const fs_travelled *a = r->activity;
    fs_row_table table;
    if (fs_row_table_open(&table, results, "queues.csv", names, units, sizeof names / sizeof *names, err))
        return err->status;
    for (uint64_t s = 0; s < a->steps; s++) {
        uint64_t moves = 0;
        for (uint64_t i = a->step[s].first_move; i < a->step[s + 1].first_move; i++)
            moves += a->move[i].rays;
        const uint64_t row[] = {
            s,     a->step[s].ended, a->step[s].in_flight, a->step[s].waiting, a->step[s].deepest,
            moves, r->end_of[s]};
        fs_row_table_ints(&table, row, sizeof row / sizeof *row);
        fs_row_end(&table.row);
    }
    return fs_row_table_close(&table, err);
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

static fs_status write_treelets(const fs_treelets_run *r, fs_results *results, fs_error *err) {
    static const char *const names[] = {"treelet", "bytes", "visits", "units", "copies"}, *const units[] = {
                                                                                              "", "B",
                                                                                              "visits",
                                                                                              "units",
                                                                                              "copies"};
    const fs_treelets_shown *s = &r->shown;
    fs_row_table table;
    if (fs_row_table_open(&table, results, "treelets.csv", names, units, sizeof names / sizeof *names, err))
        return err->status;
    for (uint64_t k = 0; k < r->geometry.treelets; k++) {
        const uint64_t row[] = {k, s->bytes_of[k], s->visits_of[k], s->units_of[k], s->copies_of[k]};
        fs_row_table_ints(&table, row, sizeof row / sizeof *row);
        fs_row_end(&table.row);
    }
    return fs_row_table_close(&table, err);
}

enum { BOUNCE, SEGMENTS, VISITS, NONE, HALF, MOST_95, MOST_99 };
static int64_t bounce_number(const void *self, uint64_t row, uint32_t arg) {
    const fs_treelets_run *r = self;
    const uint64_t of[] = {[BOUNCE] = row,
                           [SEGMENTS] = r->shown.bounce[row].rays,
                           [VISITS] = r->shown.bounce[row].visits,
                           [NONE] = r->shown.bounce[row].none,
                           [HALF] = r->shown.bounce[row].half,
                           [MOST_95] = r->shown.bounce[row].most_of_20,
                           [MOST_99] = r->shown.bounce[row].most_of_100};
    return (int64_t)of[arg];
}
static double per_segment(const void *self, uint64_t row, uint32_t arg) {
    (void)arg;
    const fs_treelets_run *r = self;
    return (double)r->shown.bounce[row].visits / (double)r->shown.bounce[row].rays;
}

/* A row a bounce; the last one: that and all behind it. */
static fs_status write_bounces(const fs_treelets_run *r, fs_results *results, fs_error *err) {
    const fs_column columns[] = {
        {.name = "bounce", .integer = bounce_number, .self = r, .arg = BOUNCE},
        {.name = "segments", .unit = "segments", .integer = bounce_number, .self = r, .arg = SEGMENTS},
        {.name = "visits", .unit = "visits", .integer = bounce_number, .self = r, .arg = VISITS},
        {.name = "none", .unit = "segments", .integer = bounce_number, .self = r, .arg = NONE},
        {.name = "half", .unit = "visits", .integer = bounce_number, .self = r, .arg = HALF},
        {.name = "most_of_95_percent", .unit = "visits", .integer = bounce_number, .self = r, .arg = MOST_95},
        {.name = "most_of_99_percent", .unit = "visits", .integer = bounce_number, .self = r, .arg = MOST_99},
        {.name = "per_segment", .unit = "visits", .real = per_segment, .self = r}};
    uint64_t rows = 0;
    while (rows < FS_ITINERARIES_BOUNCES && r->shown.bounce[rows].rays > 0)
        rows++;
    return fs_columns_write(results, "bounces.csv", columns, FS_COUNT(columns), rows, err);
}

fs_status fs_treelets_write(void *run, fs_results *results, fs_error *err) {
    const fs_treelets_run *r = run;
    return fs_chip_run_write(run, results, err) || fs_joined_write(r->of.device, results, err) ||
                   write_steps(r, results, err) || write_tiles(r, results, err) ||
                   write_treelets(r, results, err) || write_bounces(r, results, err) ||
                   fs_treelets_pictures_write(r, results, err)
               ? err->status
               : FS_OK;
}
