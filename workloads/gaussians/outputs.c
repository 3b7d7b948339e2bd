/* What a run leaves: the common tables, and its own of tiles, steps, events; pictures. */
#include "sim/results/row.h"
#include "workloads/gaussians/run.h"

/* ---- tiles ---- */

static fs_status write_tiles(const fs_gaussians_run *r, fs_results *results, fs_error *err) {
    static const char *const names[] = {"tile",   "x",       "y",     "anchored", "received", "blended",
                                        "copies", "stored",  "sends", "failed",   "lost",     "looked",
                                        "added",  "receive", "store", "sort",     "blend"};
    static const char *const units[] = {"",          "",          "",          "Gaussians", "Gaussians",
                                        "entries",   "Gaussians", "Gaussians", "sends",     "sends",
                                        "Gaussians", "entries",   "entries",   "cycles",    "cycles",
                                        "cycles",    "cycles"};
    const fs_gaussians_activity *a = r->activity;
    fs_row_table table;
    if (fs_row_table_open(&table, results, "gaussians_tiles.csv", names, units, FS_COUNT(names), err))
        return err->status;
    for (uint32_t t = 0; t < a->grid.tiles; t++) {
        const uint32_t place = r->over != NULL ? r->over->tracer_tile[fs_gaussians_tracer(&a->grid, t)] : t;
        const fs_gaussians_counts *c = fs_gaussians_counts_of(a, a->steps - 1, place);
        const fs_gaussians_tile_cycles cycles =
            fs_gaussians_cycles_of(r, c, (fs_gaussians_what_if){.map = false});
        uint64_t looked = 0, added = 0;
        for (uint32_t w = 0; w < a->workers; w++) {
            looked += c->blend.looked[w];
            added += c->blend.added[w];
        }
        const uint64_t row[] = {place,
                                t % a->grid.columns,
                                t / a->grid.columns,
                                c->work.anchored,
                                c->work.received,
                                c->work.listed,
                                c->work.copies,
                                c->work.stored,
                                c->work.sends,
                                c->work.failed,
                                c->work.lost,
                                looked,
                                added,
                                cycles.phase[1],
                                cycles.phase[2],
                                cycles.phase[3],
                                cycles.blend};
        fs_row_table_ints(&table, row, FS_COUNT(row));
        fs_row_end(&table.row);
    }
    return fs_row_table_close(&table, err);
}

/* ---- steps ---- */

static fs_status write_steps(const fs_gaussians_run *r, fs_results *results, fs_error *err) {
    static const char *const names[] = {"step",   "priced",   "entries", "longest", "anchored",
                                        "copies", "received", "sends",   "failed",  "lost",
                                        "moved",  "entered",  "visible", "hops"};
    static const char *const units[] = {"",          "",          "entries",   "entries", "Gaussians",
                                        "Gaussians", "Gaussians", "sends",     "sends",   "Gaussians",
                                        "Gaussians", "Gaussians", "Gaussians", "tiles"};
    const fs_gaussians_activity *a = r->activity;
    fs_row_table table;
    if (fs_row_table_open(&table, results, "gaussians_steps.csv", names, units, FS_COUNT(names), err))
        return err->status;
    for (uint64_t s = 0; s < a->before + a->steps; s++) {
        const fs_gaussians_totals *t = &a->total[s];
        const uint64_t row[] = {s,         s >= a->before, t->entries, t->longest, t->anchored,
                                t->copies, t->received,    t->sends,   t->failed,  t->lost,
                                t->moved,  t->entered,     t->visible};
        fs_row_table_ints(&table, row, FS_COUNT(row));
        fs_row_table_real(&table, t->hops);
        fs_row_end(&table.row);
    }
    return fs_row_table_close(&table, err);
}

/* ---- events of the slowest tile ---- */

static void write_event(fs_row_table *table, const char *program, const fs_event *event, uint64_t count,
                        uint32_t slots, double all) {
    const uint64_t row[] = {count, slots, count * slots};
    if (count == 0)
        return;
    fs_row_word(&table->row, program);
    fs_row_word(&table->row, event->name);
    fs_row_table_ints(table, row, FS_COUNT(row));
    fs_row_table_real(table, (double)(count * slots) / all);
    fs_row_end(&table->row);
}

static fs_status write_events(const fs_gaussians_run *r, fs_results *results, fs_error *err) {
    static const char *const names[] = {"program", "event", "count", "slots_each", "slots", "share"},
                             *const units[] = {"", "", "", "slots", "slots", ""};
    const fs_gaussians_activity *a = r->activity;
    const fs_priced_program *route = &r->priced[FS_GAUSSIANS_P_ROUTE],
                            *blend = &r->priced[FS_GAUSSIANS_P_BLEND];
    uint32_t row[FS_MAX_EVENTS] = {0}, rows[FS_MAX_WORKERS * FS_MAX_EVENTS] = {0};
    uint64_t most[2] = {0};
    uint32_t tile[2] = {0};
    fs_row_table table;
    for (uint32_t t = 0; t < a->tiles; t++) {
        const fs_gaussians_tile_cycles c = fs_gaussians_cycles_of(
            r, fs_gaussians_counts_of(a, a->steps - 1, t), (fs_gaussians_what_if){.map = false});
        const uint64_t of[2] = {c.route, c.blend};
        for (int p = 0; p < 2; p++)
            if (of[p] > most[p]) {
                most[p] = of[p];
                tile[p] = t;
            }
    }
    if (fs_row_table_open(&table, results, "gaussians_events.csv", names, units, FS_COUNT(names), err))
        return err->status;
    fs_gaussians_route_counts(r->params, &fs_gaussians_counts_of(a, a->steps - 1, tile[0])->work, row);
    for (uint32_t e = 0; e < FS_GAUSSIANS_ROUTE_EVENTS; e++)
        write_event(&table, "route", &route->program->events[e], row[e], route->slots[e],
                    (double)most[0] / route->cycles_per_slot);
    fs_gaussians_blend_counts(a, &fs_gaussians_counts_of(a, a->steps - 1, tile[1])->blend, false,
                              blend->program, rows);
    for (uint32_t e = 0; e < FS_GAUSSIANS_BLEND_EVENTS; e++)
        write_event(&table, "blend", &blend->program->events[e], rows[e], blend->slots[e],
                    (double)most[1] / blend->cycles_per_slot);
    return fs_row_table_close(&table, err);
}

static fs_status write_pictures(const fs_gaussians_run *r, fs_results *results, fs_error *err) {
    const fs_gaussians_activity *a = r->activity;
    return fs_results_png(results, "image.png", FS_PICTURE_RGB(a->rgb, a->grid.width, a->grid.height), err) ||
                   fs_results_png(results, "reference.png",
                                  FS_PICTURE_RGB(a->ideal, a->grid.width, a->grid.height), err)
               ? err->status
               : FS_OK;
}

fs_status fs_gaussians_write(void *run, fs_results *results, fs_error *err) {
    const fs_gaussians_run *r = run;
    return fs_chip_run_write(run, results, err) || write_pictures(r, results, err) ||
                   write_tiles(r, results, err) || write_steps(r, results, err) ||
                   write_events(r, results, err)
               ? err->status
               : FS_OK;
}
