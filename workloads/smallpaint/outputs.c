/* What a run leaves: the common tables, and its own of tiles, workers, events and convergence. */
#include "workloads/smallpaint/run.h"

#include "sim/base/arith.h"
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

static fs_status write_convergence(const fs_smallpaint_run *r, fs_results *results, fs_error *err) {
    static const char *const names[] = {"samples", "error", "psnr"}, *const units[] = {"", "", "dB"};
    const fs_paint_activity *a = r->activity;
    fs_row_table table;
    if (fs_row_table_open(&table, results, "convergence.csv", names, units, FS_COUNT(names), err))
        return err->status;
    for (uint32_t c = 0; c < a->checkpoints; c++) {
        fs_row_table_ints(&table, &a->convergence[c].samples, 1);
        fs_row_table_real(&table, sqrt(a->convergence[c].square));
        fs_row_table_real(&table, fs_paint_psnr(a->convergence[c].square));
        fs_row_end(&table.row);
    }
    return fs_row_table_close(&table, err);
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

static fs_status write_tiles(const fs_smallpaint_run *r, fs_results *results, fs_error *err) {
    static const char *const names[] = {"x",      "y",           "chip",    "tile",   "traced",
                                        "cycles", "path_cycles", "bounces", "balance"};
    static const char *const units[] = {"", "", "", "", "", "cycles", "cycles", "bounces", "thousandths"};
    const fs_paint_activity *a = r->activity;
    fs_row_table table;
    if (fs_row_table_open(&table, results, "image_tiles.csv", names, units, FS_COUNT(names), err))
        return err->status;
    for (uint32_t t = 0; t < a->tiles.count; t++) {
        uint64_t bounces = 0;
        for (uint64_t k = 0; k < a->drawn; k++)
            for (uint32_t w = 0; w < a->workers; w++)
                bounces += fs_paint_counts_of(a, t, k)[w * FS_PAINT_COUNTS + FS_PAINT_BOUNCE];
        const fs_image_tile tile = fs_paint_tile_of(&a->tiles, t);
        const uint64_t row[] = {t % a->tiles.columns,
                                t / a->tiles.columns,
                                t / a->tiles.of_chip,
                                t % a->tiles.of_chip,
                                a->stand_in[t] == t,
                                (uint64_t)(r->forecast.mean[t] + 0.5),
                                (uint64_t)(r->forecast.mean[t] / (tile.width * tile.height) + 0.5),
                                (uint64_t)((double)bounces / (double)a->drawn + 0.5),
                                balance(r, t)};
        fs_row_table_ints(&table, row, FS_COUNT(row));
        fs_row_end(&table.row);
    }
    return fs_row_table_close(&table, err);
}

/* ---- workers and events ---- */

static fs_status write_workers(const fs_smallpaint_run *r, fs_results *results, fs_error *err) {
    static const char *const names[] = {"worker", "paths", "bounces", "cycles", "share"};
    static const char *const units[] = {"", "paths", "bounces", "cycles", ""};
    const fs_paint_activity *a = r->activity;
    const fs_priced_program *program = &r->forecast.program[FS_PAINT_TRACE];
    const double calls = (double)a->tiles.count * (double)a->drawn;
    fs_row_table table;
    if (fs_row_table_open(&table, results, "workers.csv", names, units, FS_COUNT(names), err))
        return err->status;
    for (uint32_t w = 0; w < a->workers; w++) {
        double total[FS_PAINT_EVENTS] = {0}, cycles = 0.0;
        for (uint32_t t = 0; t < a->tiles.count; t++)
            for (uint64_t k = 0; k < a->drawn; k++)
                for (uint32_t e = 0; e < FS_PAINT_EVENTS; e++)
                    total[e] += fs_paint_counts_of(a, t, k)[w * FS_PAINT_COUNTS + e];
        for (uint32_t e = 0; e < FS_PAINT_EVENTS; e++)
            cycles += total[e] * program->slots[e] * fs_paint_slot_cycles(program) / calls;
        const uint64_t number = w;
        fs_row_table_ints(&table, &number, 1);
        fs_row_table_real(&table, total[FS_PAINT_PATH] / calls);
        fs_row_table_real(&table, total[FS_PAINT_BOUNCE] / calls);
        fs_row_table_real(&table, cycles);
        fs_row_table_real(&table, cycles / r->forecast.mean_tile);
        fs_row_end(&table.row);
    }
    return fs_row_table_close(&table, err);
}

static fs_status write_events(const fs_smallpaint_run *r, fs_results *results, fs_error *err) {
    static const char *const names[] = {"event", "per_path", "per_bounce", "slots_each", "slots", "share"};
    static const char *const units[] = {"", "", "", "slots", "slots", ""};
    const fs_smallpaint_figures *f = &r->figures;
    const fs_priced_program *program = &r->forecast.program[FS_PAINT_TRACE];
    fs_row_table table;
    if (fs_row_table_open(&table, results, "events.csv", names, units, FS_COUNT(names), err))
        return err->status;
    for (uint32_t e = 0; e < FS_PAINT_EVENTS; e++) {
        const double each = (double)f->total[e] / (double)f->traced, slots = each * program->slots[e];
        const uint64_t price = program->slots[e];
        fs_row_word(&table.row, program->program->events[e].name);
        fs_row_table_real(&table, each);
        fs_row_table_real(&table, each / f->bounces);
        fs_row_table_ints(&table, &price, 1);
        fs_row_table_real(&table, slots);
        fs_row_table_real(&table, slots / f->slots);
        fs_row_end(&table.row);
    }
    return fs_row_table_close(&table, err);
}

/* ---- all ---- */

fs_status fs_smallpaint_write(void *run, fs_results *results, fs_error *err) {
    const fs_smallpaint_run *r = run;
    return fs_chip_run_write(run, results, err) || write_picture(r, results, err) ||
                   write_convergence(r, results, err) || write_tiles(r, results, err) ||
                   write_workers(r, results, err) || write_events(r, results, err)
               ? err->status
               : FS_OK;
}
