/* A run of the path tracer: what its files share. */
#pragma once

#include "models/ipu/tables/chip_run.h"
#include "sim/workload/workload.h"
#include "workloads/smallpaint/forecast.h"

/* Figures of a path tracer's run. */
typedef struct fs_smallpaint_figures {
    uint64_t total[FS_PAINT_COUNTS]; /* of the traced paths */
    uint64_t samples, paths, traced; /* of each point; of all samples; paths that were traced */
    double paths_per_second, cycles_per_path;
    double bounces, bounces_half_width, numbers, slots, stopped, escaped, full;
    uint64_t numbers_given, numbers_wrapped; /* for the traced paths */
    uint64_t image_tiles, points, worker_paths, worker_rows, steps, chips, pace_chip;
    double cycles[FS_PAINT_PROGRAMS]; /* of a sample: the slowest worker of a tile, mean over the tiles */
    double worker_cycles, slowest_cycles, greatest_cycles; /* of path_trace */
    double seconds_low, seconds_high, half_width;
    double brightness, psnr, decibels;
    uint64_t saturated;
    bool complete;
    double joules_per_path, frames_per_second;
    fs_chip_figures chip; /* power: of all chips in use */
} fs_smallpaint_figures;

/* Counts and times of what was traced and forecast; the parts' figures are the caller's. FS_BROKEN when an
 * identity fails: paths = points x samples, entries pushed = popped + cleared, ends = paths. */
fs_status fs_smallpaint_figures_make(fs_smallpaint_figures *figures, const fs_paint_forecast *forecast,
                                     const fs_smallpaint_params *params, fs_error *err);
/* Those that need the parts' figures. */
void fs_smallpaint_figures_time(fs_smallpaint_figures *figures);

/* PSNR of an error of so many square units against white (255). */
double fs_paint_psnr(double square);

typedef struct fs_smallpaint_run {
    fs_chip_run of; /* without a host a point is priced */
    const fs_smallpaint_params *params;
    fs_primitives scene;
    fs_paint_activity *activity;
    fs_paint_forecast forecast;
    uint32_t first_tile, tiles; /* of the picture, on the chip whose books are kept */
    const fs_program *const *programs;
    fs_paint_step step;
    uint32_t *active;
    fs_smallpaint_figures figures;
} fs_smallpaint_run;

/* Sections and programs of a run that has arena and configuration. */
void fs_smallpaint_begin(fs_smallpaint_run *r);
/* SRAM of the tiles of a chip. NULL with FS_INPUT when a tile does not hold what it needs. */
fs_ledger *fs_smallpaint_ledger(const fs_smallpaint_run *r, uint32_t chip, fs_error *err);
/* From the activity: forecast, the plan of the chip that is last, its device; runs it; figures. */
fs_status fs_smallpaint_run_device(fs_smallpaint_run *r, fs_error *err);

/* ---- recordings (record.c) ---- */

/* Writes the activity; FS_IO. */
fs_status fs_smallpaint_record(const char *path, const fs_config *config, fs_paint_activity *activity,
                               fs_error *err);
/* Into a created activity. FS_IO when it is damaged. */
fs_status fs_smallpaint_replay(const fs_recording *recording, fs_paint_activity *activity, fs_error *err);
extern const fs_workload_prices fs_smallpaint_prices;

/* Steps of fs_run_steps. Findings: sampling (what was drawn, and how well it is known), clipped, bounce (what a
 * path's slots go to), workers (the slowest of a tile), barriers (what one after each sample would cost), numbers,
 * picture; then the machine's. */
fs_status fs_smallpaint_conclude(void *run, fs_conclusions *out, fs_error *err);
fs_status fs_smallpaint_write(void *run, fs_results *results, fs_error *err);
