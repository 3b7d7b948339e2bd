/* What rays of one origin need to know of the cells that they enter.
 *
 * In the arithmetic of march.h a face's n = q - p and num = (m - o) . n do not depend on the direction of the
 * ray, so they are worked out once for a camera, when the first of its rays enters the cell: a picture sees a
 * fifth to a third of the cells of a large scene. Cells lie in the order in which they were entered, which
 * brings near each other in memory what is visited together.
 *
 * A cell is a head, k = max(2, ceil(faces / 8)) blocks of eight faces, and the places of the neighbours in
 * CSR order. Face f is in lane f / k of block f mod k: within a lane the order runs over the blocks, so that
 * new nearest candidates are found with one prefix minimum over lanes. Where num is not positive the face can
 * not be the exit, and `ahead` is infinity: then t = ahead / dn is not below infinity unless dn is negative,
 * and t is negative with it. Lanes without a face hold zeros and an infinity: they face nothing.
 */
#pragma once

#include "sim/base/alloc.h"
#include "workloads/foam/march/march.h"

#include <stdatomic.h>
#include <stdint.h>

enum { FS_EYE_LANES = 8, FS_EYE_STEP = 8 };

typedef struct fs_eye_block {                                /* two cache lines */
    float x[FS_EYE_LANES], y[FS_EYE_LANES], z[FS_EYE_LANES]; /* n */
    float ahead[FS_EYE_LANES];                               /* num, infinity where it is not > 0 */
} fs_eye_block;

typedef struct fs_eye_cell {
    float density;
    uint32_t rgb;    /* red in the lowest byte */
    uint64_t counts; /* of a visit, as they lie in an fs_leg: the faces and one cell */
    uint32_t shard;
    uint32_t blocks;
    uint32_t third, fourth; /* where these blocks lie, as a slot says; empty ones if there are none */
    fs_eye_block block[];   /* [blocks]; after them fs_eye_places */
} fs_eye_cell;

typedef struct fs_eye {
    const fs_march_scene *scene; /* borrowed */
    float origin[3];
    _Atomic uint32_t *slot; /* [cells] by place: where the cell lies, in steps; 0: not entered yet */
    unsigned char *memory;  /* untouched beyond `used`; at 0 a cell of empty blocks */
    uint32_t used;          /* steps */
    fs_arena *arena;
} fs_eye;

/* Memory is reserved for all cells and touched for those that are entered. Ends with fs_eye_close. */
void fs_eye_open(fs_eye *eye, const fs_march_scene *scene, const float origin[3]);
void fs_eye_close(fs_eye *eye);

/* Where the cell of a place lies, not 0: works it out unless that has been done. Thread-safe. */
uint32_t fs_eye_enter(fs_eye *eye, uint32_t place);

/* What lies at a slot of an eye's memory. */
static inline const void *fs_eye_at(const unsigned char *memory, uint32_t slot) {
    return memory + (size_t)slot * FS_EYE_STEP;
}
/* [faces] of the neighbours, in CSR order. */
static inline const uint32_t *fs_eye_places(const fs_eye_cell *cell) {
    return (const uint32_t *)(const void *)&cell->block[cell->blocks];
}
