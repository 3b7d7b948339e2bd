#include "models/ipu/tables/chip_run.h"

#include "models/ipu/tables/tables.h"

static const fs_stat_part parts[] = {FS_STAT_PART(&fs_device_stats, fs_chip_figures, device),
                                     FS_STAT_PART(&fs_use_stats, fs_chip_figures, use),
                                     FS_STAT_PART(&fs_peak_stats, fs_chip_figures, peak),
                                     FS_STAT_PART(&fs_power_stats, fs_chip_figures, power),
                                     FS_LINKS_PART(fs_chip_figures, network),
                                     FS_STAT_PART(&fs_memory_stats, fs_chip_figures, memory)};
const fs_stat_table fs_chip_stats = FS_STAT_PARTS("chip", parts);

fs_status fs_chip_run_make(fs_chip_run *r, fs_error *err) {
    const bool events = r->run.host != NULL && r->run.how->detail == FS_RUN_EVENT;
    r->device =
        fs_device_create(r->run.arena, r->machine, &r->plan, events ? FS_DETAIL_EVENT : FS_DETAIL_PHASE, err);
    return r->device == NULL ? fs_machine_placed(r->run.config, r->run.arena, err) : FS_OK;
}

static void on_finished(void *self, const fs_iteration *iteration) {
    fs_chip_run *r = self;
    if (r->notes.device != NULL)
        fs_books_notes_add(&r->notes, iteration);
    if (r->run.host != NULL)
        fs_progress_update(&r->run.progress, iteration->number + 1);
}

static void on_settled(void *self, const fs_iteration *iteration) {
    fs_chip_run *r = self;
    if (r->notes.device != NULL)
        fs_books_notes_settle(&r->notes, iteration);
    if (r->client->settled != NULL)
        r->client->settled(self, iteration);
}

fs_status fs_chip_run_device(fs_chip_run *r, const fs_device_client *client, const char *what,
                             uint64_t iterations, fs_error *err) {
    fs_device_client noted = *client;
    noted.finished = on_finished;
    noted.settled = on_settled;
    r->client = client;
    if (iterations > 0)
        fs_books_notes_create(&r->notes, r->run.arena, &r->plan, r->machine, r->device, &r->labels,
                              iterations);
    if (r->run.host != NULL)
        fs_progress_begin(&r->run.progress, what, iterations);
    const fs_status status = r->run.host != NULL ? fs_device_run(r->device, &noted, err)
                                                 : fs_device_replay(r->device, &noted, err);
    if (r->run.host != NULL)
        fs_progress_end(&r->run.progress);
    if (iterations > 0)
        fs_books_notes_close(&r->notes, r->ledger);
    if (status == FS_OK)
        fs_chip_run_figures(r);
    return status;
}

void fs_chip_run_figures(fs_chip_run *r) {
    r->chip =
        (fs_chip_figures){.device = fs_device_figures_of(r->device, r->machine->clock),
                          .use = r->notes.device != NULL ? fs_use_figures_of(&r->notes) : (fs_use_figures){0},
                          .peak = fs_peak_figures_of(r->device, r->machine, r->ledger),
                          .power = fs_power_figures_of(r->device, r->machine, r->chips > 0 ? r->chips : 1),
                          .network = fs_links_figures_of(r->device),
                          .memory = fs_sram_figures_of(r->ledger)};
    r->run.device_seconds = r->chip.device.seconds;
    r->run.kernel_activations = fs_device_totals_of(r->device).kernel_activations;
}

static void view_tiles(const fs_chip_run *r, const fs_price_view *view) {
    const fs_books_tile_rows rows = {.machine = r->machine,
                                     .labels = &r->labels,
                                     .totals = fs_device_totals_of(r->device),
                                     .ledger = r->ledger,
                                     .tiles = r->plan.tiles};
    fs_column columns[FS_BOOKS_TILE_COLUMNS];
    const fs_column *end =
        fs_books_own_columns(&rows, fs_books_place_columns(&rows, fs_books_name_columns(&rows, columns)));
    view->tiles(view->self, columns, (size_t)(end - columns), rows.tiles);
}

fs_status fs_chip_run_view(fs_chip_run *r,
                           fs_status (*conclude)(void *run, fs_conclusions *out, fs_error *err), bool tiles,
                           const fs_price_view *view, fs_error *err) {
    if (view == NULL)
        return FS_OK;
    if (r->run.how->statistics == FS_STATISTICS_FULL) {
        fs_conclusions said = {.findings = FS_NEW(r->run.arena, fs_findings, 1)};
        said.findings->arena = r->run.arena;
        if (conclude(r, &said, err))
            return err->status;
        view->rungs(view->self, said.rungs, said.rung_count);
    }
    if (tiles)
        view_tiles(r, view);
    return FS_OK;
}

fs_status fs_chip_run_conclude(void *run, fs_conclusions *out, fs_error *err) {
    (void)err;
    const fs_chip_run *r = run;
    fs_rung *rungs = FS_NEW(r->run.arena, fs_rung, FS_BOOKS_RUNGS + FS_LINKS_RUNGS);
    fs_books_notes_rungs(&r->notes, rungs);
    const size_t count =
        FS_BOOKS_RUNGS + fs_links_rungs(r->device, r->machine, r->run.arena, rungs + FS_BOOKS_RUNGS);
    fs_ladder_energy(rungs, count, r->chip.power.energy.joules, fs_power_standing(&r->chip.power));
    fs_books_findings(&r->notes, &r->chip.power, r->each, out->findings);
    fs_links_find_run(r->device, &r->chip.network, out->findings);
    out->rungs = rungs;
    out->rung_count = count;
    return FS_OK;
}

fs_status fs_chip_run_write(void *run, fs_results *results, fs_error *err) {
    const fs_chip_run *r = run;
    const bool full = r->run.how->statistics == FS_STATISTICS_FULL;
    if (r->notes.device != NULL ? fs_books_tables_write(&r->notes, full, results, err)
                                : fs_books_memory_write(r->ledger, &r->labels, results, err))
        return err->status;
    return fs_power_tables_write(&r->chip.power, r->device, r->machine, &r->labels, results, err)
               ? err->status
               : fs_links_run_tables_write(r->device, results, err);
}

fs_status fs_chip_run_trace(void *run, fs_error *err) {
    const fs_chip_run *r = run;
    const fs_host_options *host = r->run.host;
    uint32_t tile[FS_BOOKS_TIMELINE_TILES], count = 0;
    if (host->trace_tiles != NULL &&
        fs_books_timeline_tiles(host->trace_tiles, r->plan.tiles, tile, &count, err))
        return err->status;
    return fs_books_timeline_write(&r->notes, host->trace, tile, count, err);
}
