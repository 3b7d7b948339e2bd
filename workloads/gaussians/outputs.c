/* What a run leaves: the common tables, and its own of tiles, steps, events; pictures. */
#include "sim/results/row.h"
#include "workloads/gaussians/run.h"

/* ---- tiles ---- */

static void put_tiles(const void *run, fs_row_table *table) {
    const fs_gaussians_run *r = run;
    const fs_gaussians_activity *a = r->activity;
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
        const fs_gaussians_tile_work *w = &c->work;
        FS_ROW(table, place, t % a->grid.columns, t / a->grid.columns, w->anchored, w->received, w->listed,
               w->copies, w->stored, w->sends, w->failed, w->lost, looked, added, cycles.phase[1],
               cycles.phase[2], cycles.phase[3], cycles.blend);
    }
}

/* ---- steps ---- */

static void put_steps(const void *run, fs_row_table *table) {
    const fs_gaussians_run *r = run;
    const fs_gaussians_activity *a = r->activity;
    for (uint64_t s = 0; s < a->before + a->steps; s++) {
        const fs_gaussians_totals *t = &a->total[s];
        FS_ROW(table, s, s >= a->before, t->entries, t->longest, t->anchored, t->copies, t->received,
               t->sends, t->failed, t->lost, t->moved, t->entered, t->visible, t->hops);
    }
}

/* ---- events of the slowest tile ---- */

static void write_event(fs_row_table *table, const char *program, const fs_event *event, uint64_t count,
                        uint32_t slots, double all) {
    if (count > 0)
        FS_ROW(table, program, event->name, count, slots, count * slots, (double)(count * slots) / all);
}

static void put_events(const void *run, fs_row_table *table) {
    const fs_gaussians_run *r = run;
    const fs_gaussians_activity *a = r->activity;
    const fs_priced_program *route = &r->priced[FS_GAUSSIANS_P_ROUTE],
                            *blend = &r->priced[FS_GAUSSIANS_P_BLEND];
    uint32_t row[FS_MAX_EVENTS] = {0}, rows[FS_MAX_WORKERS * FS_MAX_EVENTS] = {0};
    uint64_t most[2] = {0};
    uint32_t tile[2] = {0};
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
    fs_gaussians_route_counts(r->params, &fs_gaussians_counts_of(a, a->steps - 1, tile[0])->work, row);
    for (uint32_t e = 0; e < FS_GAUSSIANS_ROUTE_EVENTS; e++)
        write_event(table, "route", &route->program->events[e], row[e], route->slots[e],
                    (double)most[0] / route->cycles_per_slot);
    fs_gaussians_blend_counts(a, &fs_gaussians_counts_of(a, a->steps - 1, tile[1])->blend, false,
                              blend->program, rows);
    for (uint32_t e = 0; e < FS_GAUSSIANS_BLEND_EVENTS; e++)
        write_event(table, "blend", &blend->program->events[e], rows[e], blend->slots[e],
                    (double)most[1] / blend->cycles_per_slot);
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
    static const fs_row_file files[] = {
        {"gaussians_tiles.csv",
         "tile, x, y, anchored Gaussians, received Gaussians, blended entries, copies Gaussians, "
         "stored Gaussians, sends sends, failed sends, lost Gaussians, looked entries, added entries, "
         "receive cycles, store cycles, sort cycles, blend cycles",
         put_tiles},
        {"gaussians_steps.csv",
         "step, priced, entries entries, longest entries, anchored Gaussians, copies Gaussians, "
         "received Gaussians, sends sends, failed sends, lost Gaussians, moved Gaussians, "
         "entered Gaussians, visible Gaussians, hops tiles",
         put_steps},
        {"gaussians_events.csv", "program, event, count, slots_each slots, slots slots, share", put_events}};
    return fs_chip_run_write(run, results, err) || write_pictures(run, results, err) ||
                   fs_row_files_write(files, FS_COUNT(files), run, results, err)
               ? err->status
               : FS_OK;
}
