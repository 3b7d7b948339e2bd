/* From the drawn samples to all of them: the cycles of each tile, the drawn sample that stands for each other one,
 * the chip that is last, and the interval of the time.
 *
 * Where all samples were traced, each stands for itself. Else a sample that was not drawn is a repetition of a drawn
 * one, the same for all tiles, chosen anew in each step. Without barriers between samples a step takes as long as its
 * slowest tile, and the slowest of many tiles known by a few samples is too slow. So a share 1 - shrinkage of a tile's
 * repetitions are those of a stand-in tile (fs_drawn_shrinkage): the tiles then differ as much as they really do. With
 * a barrier after each sample there is no such error, and the shrinkage is 1.
 */
#pragma once

#include "models/tile/tile.h"
#include "workloads/smallpaint/params.h"

/* What the drawn samples did, on every tile and by every worker, and the picture that they made. All that is
 * priced later follows from it. */

enum { FS_PAINT_CHECKPOINTS = 32 };

/* How far the picture is from its own mean, after 2, 4, 8, ... samples. */
typedef struct fs_paint_convergence {
    uint64_t samples;
    double square; /* mean over values of the squared error of their mean, from two halves of the samples */
} fs_paint_convergence;

typedef struct fs_paint_activity {
    fs_image_tiles tiles;
    uint32_t workers;
    uint64_t samples, drawn;
    uint64_t *sample;   /* [drawn] which, ascending */
    uint32_t *stand_in; /* [tiles] the tile whose counts it has; itself where it was traced */
    uint32_t traced;    /* tiles that were */
    uint32_t *counts;   /* [tiles][drawn][workers][FS_PAINT_COUNTS] */
    float *picture;     /* [height][width][3] mean of the samples; 0 where nothing was traced */
    uint64_t saturated; /* additions that a frame buffer of f16 could not hold */
    fs_paint_convergence convergence[FS_PAINT_CHECKPOINTS];
    uint32_t checkpoints;
} fs_paint_activity;

/* Room for all of it; nothing traced. Heap, freed by fs_paint_activity_free. */
void fs_paint_activity_create(fs_paint_activity *activity, const fs_smallpaint_params *params,
                              const fs_machine_params *machine, uint64_t seed);
void fs_paint_activity_free(fs_paint_activity *activity);

/* Traces the drawn samples. Threads share the tiles; the result does not depend on how. FS_RUN when
 * interrupted. */
fs_status fs_paint_activity_trace(fs_paint_activity *activity, const fs_smallpaint_params *params,
                                  const fs_primitives *scene, uint64_t seed, fs_error *err);

/* Of a tile in a drawn sample: [workers][FS_PAINT_COUNTS]. */
static inline const uint32_t *fs_paint_counts_of(const fs_paint_activity *a, uint32_t tile, uint64_t drawn) {
    return a->counts + ((size_t)tile * a->drawn + drawn) * a->workers * FS_PAINT_COUNTS;
}

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
