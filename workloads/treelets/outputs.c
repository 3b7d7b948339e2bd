/* Tables: queues step by step, and what lies on each tile. */
#include "workloads/treelets/run.h"

#include "sim/results/row.h"

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

static fs_status write_tiles(const fs_treelets_run *r, fs_results *results, fs_error *err) {
    static const char *const names[] = {"tile", "bytes", "units"}, *const units[] = {"", "B", "units"};
    fs_row_table table;
    if (fs_row_table_open(&table, results, "loads.csv", names, units, sizeof names / sizeof *names, err))
        return err->status;
    for (uint32_t t = 0; t < r->tiles; t++) {
        const uint64_t row[] = {fs_treelets_tile(r->params, r->of.machine, t), r->tile_bytes[t],
                                r->tile_units[t]};
        fs_row_table_ints(&table, row, sizeof row / sizeof *row);
        fs_row_end(&table.row);
    }
    return fs_row_table_close(&table, err);
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

/* A row a bounce; the last one: that and all behind it. */
static fs_status write_bounces(const fs_treelets_run *r, fs_results *results, fs_error *err) {
    static const char *const names[] = {"bounce", "segments", "visits", "none", "most_of_95_percent"},
                             *const units[] = {"", "segments", "visits", "segments", "visits"};
    fs_row_table table;
    if (fs_row_table_open(&table, results, "bounces.csv", names, units, sizeof names / sizeof *names, err))
        return err->status;
    for (uint64_t b = 0; b < FS_ITINERARIES_BOUNCES && r->shown.bounce[b].rays > 0; b++) {
        const uint64_t row[] = {b, r->shown.bounce[b].rays, r->shown.bounce[b].visits,
                                r->shown.bounce[b].none, r->shown.bounce[b].most};
        fs_row_table_ints(&table, row, sizeof row / sizeof *row);
        fs_row_end(&table.row);
    }
    return fs_row_table_close(&table, err);
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
