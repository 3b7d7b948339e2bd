/* What a run leaves: the common tables, and its own of tiles, workers, events and convergence. */
#include "workloads/smallpaint/run.h"

#include "sim/results/row.h"
#include "workloads/image/image.h"

#include <math.h>
#include <stdlib.h>

/* ---- the picture ---- */

static fs_status write_picture(const fs_smallpaint_run *r, fs_results *results, fs_error *err) {
    const fs_paint_activity *a = r->activity;
    const size_t pixels = (size_t)a->tiles.width * a->tiles.height;
    float *scaled = fs_malloc(3 * pixels * sizeof *scaled);
    uint8_t *rgb = fs_malloc(3 * pixels);
    for (size_t i = 0; i < 3 * pixels; i++)
        scaled[i] = a->picture[i] / 255.0f;
    fs_image_rgb8(scaled, pixels, rgb);
    const fs_status status =
        fs_results_png(results, "image.png", FS_PICTURE_RGB(rgb, a->tiles.width, a->tiles.height), err);
    free(scaled);
    free(rgb);
    return status;
}

static void put_convergence(const void *run, fs_row_table *table) {
    const fs_smallpaint_run *r = run;
    const fs_paint_activity *a = r->activity;
    for (uint32_t c = 0; c < a->checkpoints; c++)
        FS_ROW(table, a->convergence[c].samples, sqrt(a->convergence[c].square),
               fs_paint_psnr(a->convergence[c].square));
}

/* ---- tiles of the picture ---- */

/* Busy share of a tile's workers in its drawn samples, in thousandths: mean worker over the slowest. */
static uint64_t balance(const fs_smallpaint_run *r, uint32_t tile) {
    const fs_paint_activity *a = r->activity;
    const fs_priced_program *program = &r->forecast.program[FS_PAINT_TRACE];
    double busy = 0.0;
    for (uint64_t k = 0; k < a->drawn; k++)
        for (uint32_t w = 0; w < a->workers; w++)
            for (uint32_t e = 0; e < FS_PAINT_EVENTS; e++)
                busy += (double)fs_paint_counts_of(a, tile, k)[w * FS_PAINT_COUNTS + e] * program->slots[e];
    busy *= fs_paint_slot_cycles(program);
    return (uint64_t)(1000.0 * busy / ((double)a->workers * (double)a->drawn * r->forecast.mean[tile]) + 0.5);
}

static void put_tiles(const void *run, fs_row_table *table) {
    const fs_smallpaint_run *r = run;
    const fs_paint_activity *a = r->activity;
    for (uint32_t t = 0; t < a->tiles.count; t++) {
        uint64_t bounces = 0;
        for (uint64_t k = 0; k < a->drawn; k++)
            for (uint32_t w = 0; w < a->workers; w++)
                bounces += fs_paint_counts_of(a, t, k)[w * FS_PAINT_COUNTS + FS_PAINT_BOUNCE];
        const fs_image_tile tile = fs_paint_tile_of(&a->tiles, t);
        const double mean = r->forecast.mean[t];
        FS_ROW(table, t % a->tiles.columns, t / a->tiles.columns, t / a->tiles.of_chip, t % a->tiles.of_chip,
               a->stand_in[t] == t, (uint64_t)(mean + 0.5),
               (uint64_t)(mean / (tile.width * tile.height) + 0.5),
               (uint64_t)((double)bounces / (double)a->drawn + 0.5), balance(r, t));
    }
}

/* ---- workers and events ---- */

static void put_workers(const void *run, fs_row_table *table) {
    const fs_smallpaint_run *r = run;
    const fs_paint_activity *a = r->activity;
    const fs_priced_program *program = &r->forecast.program[FS_PAINT_TRACE];
    const double calls = (double)a->tiles.count * (double)a->drawn;
    for (uint32_t w = 0; w < a->workers; w++) {
        double total[FS_PAINT_EVENTS] = {0}, cycles = 0.0;
        for (uint32_t t = 0; t < a->tiles.count; t++)
            for (uint64_t k = 0; k < a->drawn; k++)
                for (uint32_t e = 0; e < FS_PAINT_EVENTS; e++)
                    total[e] += fs_paint_counts_of(a, t, k)[w * FS_PAINT_COUNTS + e];
        for (uint32_t e = 0; e < FS_PAINT_EVENTS; e++)
            cycles += total[e] * program->slots[e] * fs_paint_slot_cycles(program) / calls;
        FS_ROW(table, w, total[FS_PAINT_PATH] / calls, total[FS_PAINT_BOUNCE] / calls, cycles,
               cycles / r->forecast.mean_tile);
    }
}

static void put_events(const void *run, fs_row_table *table) {
    const fs_smallpaint_run *r = run;
    const fs_smallpaint_figures *f = &r->figures;
    const fs_priced_program *program = &r->forecast.program[FS_PAINT_TRACE];
    for (uint32_t e = 0; e < FS_PAINT_EVENTS; e++) {
        const double each = (double)f->total[e] / (double)f->traced, slots = each * program->slots[e];
        FS_ROW(table, program->program->events[e].name, each, each / f->bounces, program->slots[e], slots,
               slots / f->slots);
    }
}

/* ---- all ---- */

fs_status fs_smallpaint_write(void *run, fs_results *results, fs_error *err) {
    static const fs_row_file files[] = {
        {"convergence.csv", "samples, error, psnr dB", put_convergence},
        {"image_tiles.csv",
         "x, y, chip, tile, traced, cycles cycles, path_cycles cycles, bounces bounces, balance thousandths",
         put_tiles},
        {"workers.csv", "worker, paths paths, bounces bounces, cycles cycles, share", put_workers},
        {"events.csv", "event, per_path, per_bounce, slots_each slots, slots slots, share", put_events}};
    return fs_chip_run_write(run, results, err) || write_picture(run, results, err) ||
                   fs_row_files_write(files, FS_COUNT(files), run, results, err)
               ? err->status
               : FS_OK;
}
