/* Price: the programs of a tile and what an occurrence of an event takes (gaussians.md 8). */
#ifndef FOAMSIM_WORKLOADS_GAUSSIANS_PROGRAMS_H
#define FOAMSIM_WORKLOADS_GAUSSIANS_PROGRAMS_H

#include "models/tile/tile.h"
#include "sim/base/alloc.h"
#include "workloads/gaussians/activity.h"

/* route: one worker, events of lanes.h. blend: all. copy: lanes that lead to the tile itself. find: offsets looked through. */
enum {
    FS_GAUSSIANS_P_ROUTE,
    FS_GAUSSIANS_P_BLEND,
    FS_GAUSSIANS_P_COPY,
    FS_GAUSSIANS_P_FIND,
    FS_GAUSSIANS_PROGRAMS
};
enum {
    FS_GAUSSIANS_LOOKED, /* of blend: an entry by a pixel */
    FS_GAUSSIANS_ADDED,
    FS_GAUSSIANS_PIXEL,
    FS_GAUSSIANS_WIPE, /* a word cleared */
    FS_GAUSSIANS_BLEND_EVENTS
};

/* [FS_GAUSSIANS_PROGRAMS], by the counts that are asked for; memory from the arena. */
const fs_program *const *fs_gaussians_programs(const fs_gaussians_params *params, fs_arena *arena);

/* Counts of a call, for each worker of the tile a row of fs_program_width. boxed: pixels look at entries of whose square they are
 * alone, which is what if. */
void fs_gaussians_route_counts(const fs_gaussians_params *params, const fs_gaussians_tile_work *work,
                               uint32_t *row);
void fs_gaussians_blend_counts(const fs_gaussians_activity *activity, const fs_gaussians_blend_work *work,
                               bool boxed, const fs_program *program, uint32_t *rows);

#endif
