/* Figures of a path tracer's run. */
#ifndef FOAMSIM_WORKLOADS_SMALLPAINT_FIGURES_H
#define FOAMSIM_WORKLOADS_SMALLPAINT_FIGURES_H

#include "models/ipu/tables/chip_run.h"
#include "workloads/smallpaint/forecast.h"

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

#endif
