/* From the drawn samples to all of them: the cycles of each tile, the drawn sample that stands for each other one,
 * the chip that is last, and the interval of the time.
 *
 * Where all samples were traced, each stands for itself. Else a sample that was not drawn is a repetition of a drawn
 * one, the same for all tiles, chosen anew in each step. Without barriers between samples a step takes as long as its
 * slowest tile, and the slowest of many tiles known by a few samples is too slow. So a share 1 - shrinkage of a tile's
 * repetitions are those of a stand-in tile (fs_drawn_shrinkage): the tiles then differ as much as they really do. With
 * a barrier after each sample there is no such error, and the shrinkage is 1.
 */
#ifndef FOAMSIM_WORKLOADS_SMALLPAINT_FORECAST_H
#define FOAMSIM_WORKLOADS_SMALLPAINT_FORECAST_H

#include "models/tile/tile.h"
#include "workloads/smallpaint/activity.h"

/* Numbers of a step: which samples its repetitions are. */
typedef struct fs_paint_step {
    uint64_t samples;
    uint32_t *pick;  /* [samples] the drawn one, or `drawn`: that of the stand-in tile */
    uint32_t *times; /* [drawn + 1] how often each of them is picked */
} fs_paint_step;

typedef struct fs_paint_forecast {
    const fs_paint_activity *activity;
    bool barriers; /* after each sample */
    uint64_t seed, steps, step_samples;
    fs_priced_program program[FS_PAINT_PROGRAMS];
    uint64_t *path;          /* [tiles][drawn] cycles of path_trace */
    uint64_t *other;         /* [tiles] of the three programs before it, in any sample */
    double *mean;            /* [tiles] cycles of path_trace, over the drawn samples */
    double shrinkage;        /* factor on a tile's distance from the mean tile, 0 to 1 */
    uint32_t typical_tile;   /* the stand-in tile */
    uint64_t typical_sample; /* its sample, of the drawn ones */
    double mean_tile,
        slowest_tile;  /* cycles of a sample's path_trace: mean of all tiles; estimate of the slowest */
    double half_width; /* of the compute time, as a share: 95 % */
    uint32_t chips, pace_chip; /* in use; that computes longest */
} fs_paint_forecast;

/* Prices all of it. Memory from the arena; the activity is kept. FS_INPUT when a program cannot be priced. */
fs_status fs_paint_forecast_make(fs_paint_forecast *forecast, const fs_paint_activity *activity,
                                 const fs_smallpaint_params *params, const fs_machine_params *machine,
                                 uint64_t seed, fs_arena *arena, fs_error *err);

/* The repetitions of step i; `step` has room for them (fs_paint_step_room). */
void fs_paint_step_of(const fs_paint_forecast *forecast, uint64_t i, fs_paint_step *step);
fs_paint_step fs_paint_step_room(const fs_paint_forecast *forecast, fs_arena *arena);

/* Counts of a tile's call of a program in a sample: into counts[workers][fs_program_width], zero before. k:
 * the drawn sample, or `drawn` for that of the stand-in tile. */
void fs_paint_fill_counts(const fs_paint_forecast *forecast, const fs_smallpaint_params *params,
                          uint32_t program, uint32_t tile, uint32_t k, uint32_t *counts);

/* Cycles of a worker for one counted slot, machine.cost.scale included. Pure; any thread. */
static inline double fs_paint_slot_cycles(const fs_priced_program *program) {
    return program->cycles_per_slot * (program->permille / 1000.0);
}

#endif
