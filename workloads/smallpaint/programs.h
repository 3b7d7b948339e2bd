/* The four programs of a sample, with what their events cost: noise, rays, random numbers, paths. */
#ifndef FOAMSIM_WORKLOADS_SMALLPAINT_PROGRAMS_H
#define FOAMSIM_WORKLOADS_SMALLPAINT_PROGRAMS_H

#include "models/tile/tile.h"
#include "sim/base/alloc.h"

enum { FS_PAINT_NOISE, FS_PAINT_RAYS, FS_PAINT_UNIFORM, FS_PAINT_TRACE, FS_PAINT_PROGRAMS };

/* Events of the programs before the last; those of paths are fs_paint_count. */
enum { FS_NOISE_FOUR, FS_UNIFORM_FOUR = 0, FS_RAYS_RAY = 0, FS_RAYS_ROW };

typedef struct fs_paint_kernel_params {
    int64_t sine;        /* FS_SINE_* */
    int64_t ray_workers; /* of rays: FS_RAYS_* */
} fs_paint_kernel_params;
enum { FS_SINE_LIBRARY, FS_SINE_DOUBLE };
enum { FS_RAYS_BY_ONE, FS_RAYS_BY_ALL };

/* [FS_PAINT_PROGRAMS] in the order of a sample; memory from the arena. */
const fs_program *const *fs_paint_programs(const fs_paint_kernel_params *params, fs_arena *arena);

#endif
