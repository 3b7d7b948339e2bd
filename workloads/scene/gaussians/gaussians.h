/* Scenes of 3D Gaussians, as they are drawn: scene.kind gaussians, from a PLY file or generated. Nothing is dropped and no
 * quaternion is made of length one (gaussians.md 2); the foam's import (clouds/import.h) makes sites of the same files.
 */
#pragma once

#include "sim/base/error.h"
#include "sim/config/param.h"
#include "workloads/scene/files/ply.h"

#include <stdint.h>

/* Their numbers are f32 on the device, where a number beyond this is not exact. */
enum { FS_SPLATS_MOST = 1 << 24 };

typedef struct fs_splat {
    float mean[3];     /* scene units, the middle of all means' box taken away */
    float colour[3];   /* of the degree-0 harmonic, at least 0 */
    float opacity;     /* 0 ... 1 */
    float rotation[4]; /* quaternion w, x, y, z, of any length */
    float scale[3];    /* logarithms of the deviations along its axes */
} fs_splat;

typedef struct fs_splats {
    fs_splat *item; /* [count] at least one; heap */
    uint32_t count;
    float middle[3]; /* of the box, in the file's frame: what was taken away */
    float half[3];   /* half the sides of the box */
} fs_splats;

typedef struct fs_splats_params {
    const char *file; /* "": generated */
    int64_t builtin, count, seed;
} fs_splats_params;

extern const fs_param_table fs_splats_table; /* "scene/gaussians" */

/* Reads or generates. FS_INPUT: a malformed file, a value that is no number, a rotation of length 0, each with its place.
 * Owner: the caller, fs_splats_free. */
fs_status fs_splats_load(const fs_splats_params *params, fs_splats *out, fs_error *err);
void fs_splats_free(fs_splats *gaussians);

/* A room with a table and balls, z up, of `count` flat Gaussians: floor 4 x 4 units, open to the viewer at y = 0. item: [count]. */
void fs_splats_room(fs_splat *item, uint32_t count, uint64_t seed);
