/* The files of a run. */
#include "workloads/pathtrace/outputs.h"

#include "models/ipu/tables/power_tables.h"
#include "models/ipu/tables/tables.h"
#include "models/ipu/tables/timeline.h"
#include "workloads/pathtrace/findings.h"
#include "workloads/pathtrace/networks.h"

#include <stdlib.h>

static fs_status write_conclusions(const fs_pathtrace_run *r, const fs_pathtrace_figures *f,
                                   fs_results *results, fs_error *err) {
    fs_rung rungs[FS_PATHTRACE_RUNGS];
    fs_findings findings = {0};
    fs_pathtrace_ladder(&r->setup, r->batch, rungs);
    fs_ladder_energy(rungs, FS_PATHTRACE_RUNGS, f->power.energy.joules, fs_power_standing(&f->power));
    fs_pathtrace_findings(&r->setup, f, &findings);
    return fs_ladder_write(rungs, FS_PATHTRACE_RUNGS, results, err)
               ? err->status
               : fs_findings_write(&findings, results, err);
}

static fs_status write_timeline(const fs_pathtrace_run *r, fs_error *err) {
    uint32_t tile[FS_RUN_TIMELINE_TILES], count = 0;
    if (r->host->trace_tiles != NULL &&
        fs_books_timeline_tiles(r->host->trace_tiles, r->setup.layout.tiles, tile, &count, err))
        return err->status;
    return fs_books_timeline_write(&r->notes, r->host->trace, tile, count, err);
}

/* ---- tables ---- */

static int64_t batch_number(const void *self, uint64_t row, uint32_t arg) {
    (void)self, (void)arg;
    return (int64_t)row;
}
enum { SLOWEST, MEAN, IMBALANCE };
static double batch_value(const void *self, uint64_t row, uint32_t arg) {
    const fs_pathtrace_run *r = self;
    const fs_pathtrace_batch *b = &r->batch[row];
    const double slowest = (double)b->walk / (double)r->setup.fixed.samples;
    return arg == SLOWEST ? slowest : arg == MEAN ? b->mean : slowest / b->mean;
}

static fs_status write_batches(const fs_pathtrace_run *r, fs_results *results, fs_error *err) {
    const fs_column columns[] = {
        {.name = "batch", .integer = batch_number},
        {.name = "slowest", .unit = "cycles", .real = batch_value, .self = r, .arg = SLOWEST},
        {.name = "mean", .unit = "cycles", .real = batch_value, .self = r, .arg = MEAN},
        {.name = "imbalance", .real = batch_value, .self = r, .arg = IMBALANCE}};
    return fs_columns_write(results, "batches.csv", columns, sizeof columns / sizeof *columns,
                            r->setup.layout.batches, err);
}

/* Rate with 2^row samples a pixel, and with streams for free. */
enum { ROOF_ROWS = 13 };
static int64_t roof_samples(const void *self, uint64_t row, uint32_t arg) {
    (void)self, (void)arg;
    return (int64_t)1 << row;
}
static double roof_rate(const fs_pathtrace_run *r, uint64_t samples, bool limit) {
    fs_arena *arena = fs_arena_create();
    const uint64_t batches = r->setup.layout.batches;
    fs_pathtrace_fixed fixed = r->setup.fixed;
    fs_pathtrace_batch *batch = FS_NEW(arena, fs_pathtrace_batch, batches);
    fixed.samples = samples;
    for (uint64_t b = 0; b < batches; b++) {
        batch[b] = r->batch[b];
        batch[b].walk = batch[b].walk * samples / r->setup.fixed.samples;
    }
    fs_pathtrace_frame frame =
        fs_pathtrace_frame_of(&fixed, &r->setup.layout, batch, (fs_pathtrace_free){.streaming = limit});
    fs_arena_free(arena);
    const double cycles = limit ? frame.cycles - frame.upload : frame.cycles;
    return (double)(r->setup.layout.pixels * samples) * r->setup.machine->clock / cycles;
}
static double roof_value(const void *self, uint64_t row, uint32_t arg) {
    const uint64_t samples = (uint64_t)1 << row;
    const double rate = roof_rate(self, samples, false);
    return arg == 0 ? rate : rate / roof_rate(self, samples, true);
}

static fs_status write_roofline(const fs_pathtrace_run *r, fs_results *results, fs_error *err) {
    const fs_column columns[] = {{.name = "samples", .integer = roof_samples},
                                 {.name = "rate", .unit = "1/s", .real = roof_value, .self = r, .arg = 0},
                                 {.name = "share", .real = roof_value, .self = r, .arg = 1}};
    return fs_columns_write(results, "roofline.csv", columns, sizeof columns / sizeof *columns, ROOF_ROWS,
                            err);
}

static fs_status write_tables(const fs_pathtrace_run *r, const fs_pathtrace_figures *f, bool full,
                              fs_results *results, fs_error *err) {
    return fs_books_tables_write(&r->notes, full, results, err) ||
                   fs_power_tables_write(&f->power, r->chip.device, r->setup.machine, &r->setup.labels,
                                         results, err) ||
                   write_batches(r, results, err) || write_roofline(r, results, err) ||
                   fs_pathtrace_networks_write(&r->setup, r->batch, results, err)
               ? err->status
               : FS_OK;
}

/* ---- all of it ---- */

fs_status fs_pathtrace_outputs_write(fs_pathtrace_run *run, const fs_pathtrace_figures *figures,
                                     fs_results *results, fs_error *err) {
    const bool full = run->run->statistics == FS_STATISTICS_FULL;
    if (fs_results_figures(results, &fs_pathtrace_stats, figures, err))
        return err->status;
    if (full && write_conclusions(run, figures, results, err))
        return err->status;
    if (run->run->outputs == FS_OUTPUTS_FULL &&
        (write_tables(run, figures, full, results, err) ||
         fs_pathtrace_picture_write(&run->picture, run->setup.params, results, err)))
        return err->status;
    return run->host->trace == NULL ? FS_OK : write_timeline(run, err);
}
