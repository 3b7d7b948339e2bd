/* Parameters of the workload: workload/gaussians. */
#pragma once

#include "models/ipu/machine.h"
#include "sim/config/param.h"

#include <stdbool.h>
#include <stdint.h>

enum { FS_GAUSSIANS_MESH, FS_GAUSSIANS_GATHER, FS_GAUSSIANS_DIRECT, FS_GAUSSIANS_OVERLAY }; /* method */
enum { FS_GAUSSIANS_SETTLED, FS_GAUSSIANS_FIRST };                                          /* start */
enum { FS_GAUSSIANS_STORE, FS_GAUSSIANS_FLOW };                                             /* bloom */
enum { FS_GAUSSIANS_SLOT_240, FS_GAUSSIANS_SLOT_60 };                                       /* slot */
enum { FS_GAUSSIANS_LOWER, FS_GAUSSIANS_BEST, FS_GAUSSIANS_UPPER };         /* kernels.counts */
enum { FS_GAUSSIANS_SEARCH, FS_GAUSSIANS_MAP };                             /* kernels.insert */
enum { FS_GAUSSIANS_DOUBLE, FS_GAUSSIANS_F32 };                             /* kernels.radius */
enum { FS_GAUSSIANS_PICTURE, FS_GAUSSIANS_COUNTERS, FS_GAUSSIANS_NOTHING }; /* readback */
enum { FS_GAUSSIANS_ROWS, FS_GAUSSIANS_OFFSETS };                           /* gather.bound */
enum {
    FS_GAUSSIANS_STILL,
    FS_GAUSSIANS_ORBIT,
    FS_GAUSSIANS_TURN,
    FS_GAUSSIANS_FORWARD,
    FS_GAUSSIANS_DIRECTIONS,
    FS_GAUSSIANS_AZIMUTHS
}; /* path.kind */

typedef struct fs_gaussians_camera {
    double position[3], look_at[3], up[3], view[16];
    bool position_given, look_at_given, up_given, view_given;
    double half_angle; /* degrees */
} fs_gaussians_camera;

typedef struct fs_gaussians_path {
    int64_t kind, hold, seed;
    double step, distance; /* degrees a frame; share of half the box's diagonal a frame */
    double axis[3];
    bool axis_given;
} fs_gaussians_path;

typedef struct fs_gaussians_params {
    int64_t width, height, tile_width, tile_height; /* pixels */
    int64_t method, start, settle_steps, frames;
    int64_t lane, slot, extra, bloom; /* bytes of a lane; slots */
    fs_gaussians_camera camera;
    fs_gaussians_path path;
    int64_t gather_nearest, gather_bound;
    int64_t counts, radius, insert, readback;
} fs_gaussians_params;

/* The picture's rectangles: tile t is that of column t mod columns and row t / columns, also beyond the picture. */
typedef struct fs_gaussians_grid {
    uint32_t width, height, tile_width, tile_height, columns, rows, tiles;
} fs_gaussians_grid;
fs_gaussians_grid fs_gaussians_grid_of(const fs_gaussians_params *params);

enum {
    FS_GAUSSIANS_BYTES = 60,
    FS_GAUSSIANS_ENTRY = 160,
    FS_GAUSSIANS_SIDES = 4
}; /* of a Gaussian; of a slot of the list */
static inline uint32_t fs_gaussians_slot_bytes(const fs_gaussians_params *params) {
    return params->slot == FS_GAUSSIANS_SLOT_60 ? 60 : 240;
}
static inline uint32_t fs_gaussians_lane_slots(const fs_gaussians_params *params) {
    return (uint32_t)params->lane / fs_gaussians_slot_bytes(params);
}

/* What needs no scene: tiles that do not divide the picture, more tiles than the machine has, a lane without a slot. */
void fs_gaussians_check(const struct fs_config *config, fs_check *check);
