/* What the drawn samples did, on every tile and by every worker, and the picture that they made. All that is
 * priced later follows from it. */
#ifndef FOAMSIM_WORKLOADS_SMALLPAINT_ACTIVITY_H
#define FOAMSIM_WORKLOADS_SMALLPAINT_ACTIVITY_H

#include "sim/base/alloc.h"
#include "workloads/smallpaint/params.h"

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

#endif
