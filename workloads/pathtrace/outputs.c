/* The files of a run. */
#include "workloads/pathtrace/outputs.h"

#include "models/ipu/tables/tables.h"
#include "models/ipu/tables/timeline.h"
#include "workloads/image/image.h"
#include "workloads/pathtrace/conclusions.h"

#include <stdlib.h>

static fs_status write_conclusions(const fs_pathtrace_run *r, const fs_pathtrace_figures *f,
                                   fs_results *results, fs_error *err) {
    fs_rung rungs[FS_PATHTRACE_RUNGS];
    fs_findings findings = {0};
    fs_pathtrace_ladder(&r->setup, r->batch, rungs);
    fs_pathtrace_findings(&r->setup, f, &findings);
    return fs_ladder_write(rungs, FS_PATHTRACE_RUNGS, results, err)
               ? err->status
               : fs_findings_write(&findings, results, err);
}

static fs_status write_timeline(const fs_pathtrace_run *r, fs_error *err) {
    uint32_t tile[FS_RUN_TIMELINE_TILES], count = 0;
    if (r->host->trace_tiles != NULL &&
        fs_run_timeline_tiles(r->host->trace_tiles, r->setup.layout.tiles, tile, &count, err))
        return err->status;
    return fs_run_timeline_write(&r->notes, r->host->trace, tile, count, err);
}

/* ---- pictures ---- */

/* Colours above 1 are compressed (x / (1 + x) and a square root), so that a sun does not blind. */
static fs_status write_picture(const fs_pathtrace_run *r, fs_results *results, fs_error *err) {
    const fs_pathtrace_params *p = r->setup.params;
    const uint64_t pixels = r->setup.layout.pixels;
    float *toned = fs_malloc(3 * pixels * sizeof *toned);
    uint8_t *rgb = fs_malloc(3 * pixels);
    for (uint64_t i = 0; i < pixels; i++)
        for (int c = 0; c < 3; c++) {
            const float x = r->tracer.colour[i][c];
            toned[3 * i + (uint64_t)c] = __builtin_sqrtf(x / (1.0f + x));
        }
    fs_image_rgb8(toned, pixels, rgb);
    const fs_status status =
        fs_results_png_rgb(results, "render.png", rgb, (uint32_t)p->width, (uint32_t)p->height, err);
    free(toned);
    free(rgb);
    return status;
}

static uint32_t nodes_of(const fs_pathtrace_pixel_cost *c) {
    return c->nodes;
}
static uint32_t tests_of(const fs_pathtrace_pixel_cost *c) {
    return c->tests;
}
static uint32_t segments_of(const fs_pathtrace_pixel_cost *c) {
    return c->segments;
}

/* A cost as grey: black is 0, white the greatest of all pixels. */
static fs_status write_cost(const fs_pathtrace_run *r, const char *name,
                            uint32_t (*of)(const fs_pathtrace_pixel_cost *), fs_results *results,
                            fs_error *err) {
    const fs_pathtrace_params *p = r->setup.params;
    const uint64_t pixels = r->setup.layout.pixels;
    uint16_t *grey = fs_malloc(pixels * sizeof *grey);
    uint32_t most = 1;
    for (uint64_t i = 0; i < pixels; i++)
        most = of(&r->tracer.cost[i]) > most ? of(&r->tracer.cost[i]) : most;
    for (uint64_t i = 0; i < pixels; i++)
        grey[i] = (uint16_t)((uint64_t)of(&r->tracer.cost[i]) * 65535u / most);
    const fs_status status =
        fs_results_png_grey16(results, name, grey, (uint32_t)p->width, (uint32_t)p->height, err);
    free(grey);
    return status;
}

static fs_status write_pictures(const fs_pathtrace_run *r, fs_results *results, fs_error *err) {
    return write_picture(r, results, err) || write_cost(r, "nodes.png", nodes_of, results, err) ||
                   write_cost(r, "tests.png", tests_of, results, err) ||
                   write_cost(r, "segments.png", segments_of, results, err)
               ? err->status
               : FS_OK;
}

/* ---- tables ---- */

static int64_t batch_number(const void *self, uint64_t row, uint32_t arg) {
    (void)self, (void)arg;
    return (int64_t)row;
}
enum { SLOWEST, MEAN, IMBALANCE };
static double batch_value(const void *self, uint64_t row, uint32_t arg) {
    const fs_pathtrace_batch *b = (const fs_pathtrace_batch *)self + row;
    return arg == SLOWEST ? b->slowest : arg == MEAN ? b->mean : b->slowest / b->mean;
}

static fs_status write_batches(const fs_pathtrace_run *r, fs_results *results, fs_error *err) {
    const fs_column columns[] = {
        {.name = "batch", .integer = batch_number},
        {.name = "slowest", .unit = "cycles", .real = batch_value, .self = r->batch, .arg = SLOWEST},
        {.name = "mean", .unit = "cycles", .real = batch_value, .self = r->batch, .arg = MEAN},
        {.name = "imbalance", .real = batch_value, .self = r->batch, .arg = IMBALANCE}};
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
        batch[b].walk *= (double)samples / (double)r->setup.fixed.samples;
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

static fs_status write_tables(const fs_pathtrace_run *r, bool full, fs_results *results, fs_error *err) {
    return fs_run_tables_write(&r->notes, full, results, err) || write_batches(r, results, err) ||
                   write_roofline(r, results, err)
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
        (write_tables(run, full, results, err) ||
         (run->tracer.colour != NULL && write_pictures(run, results, err))))
        return err->status;
    return run->host->trace == NULL ? FS_OK : write_timeline(run, err);
}
