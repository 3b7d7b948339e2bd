/* Marching a ray through the cells of a shard: the hot loop.
 *
 * Arithmetic (float, this order of operations, no contraction; design.md section 6, March). For neighbour q
 * of site p:
 *   n = q - p; m = (p + q) * 0.5f
 *   dn = (n.x * d.x + n.y * d.y) + n.z * d.z
 *   num = ((m.x - o.x) * n.x + (m.y - o.y) * n.y) + (m.z - o.z) * n.z
 *   t = num / dn
 * A face is front-facing when dn > 0, a candidate when 0 < t < infinity too (a NaN is none); the exit is the
 * least t, the first in CSR order on a tie. With an exit:
 *   dt = t_out - t, 0 if not > 0; alpha = 1 - exp(-density * dt)
 *   c += (T * alpha) * (rgb / 255); T = T * (1 - alpha); t = max(t, t_out)
 * Where T >= 0.5 before the cell and < 0.5 after it, and depth is still 0: depth = t_before + ln(2 T_before)
 * / density (the quotient in double, rounded once). The ray ends when T < threshold, or when there is no exit
 * face: then the cell adds nothing, or with hull_opaque its colour with alpha = 1 (its depth is t, density 0
 * or not: the far side is infinitely deep).
 *
 * Layout. Cells are stored by place (fs_partition.order), so a shard is one range of places. Faces lie in
 * blocks of eight, as vectors. A cell with n faces has k = max(2, ceil(n / 8)) blocks: blocks 0 and 1 at
 * near[2 * place], so that they can be fetched as soon as the place is known, further ones at
 * more[cell.more]. Face f in CSR order is in lane f / k of block f mod k: within a lane the order runs over
 * the blocks, so that counting new nearest candidates takes one prefix minimum over lanes. Unused lanes hold
 * NaN and are never front-facing; cells with up to 16 faces share the empty block more[0].
 */
#ifndef FOAMSIM_WORKLOADS_FOAM_MARCH_H
#define FOAMSIM_WORKLOADS_FOAM_MARCH_H

#include "workloads/foam/camera.h"
#include "workloads/foam/foam_scene.h"
#include "workloads/foam/partition.h"

#include <stdbool.h>
#include <stdint.h>

enum { FS_MARCH_LANES = 8 };

typedef struct fs_march_cell { /* 32 bytes: half a cache line */
    float x, y, z;
    float density;
    uint32_t more;  /* third block, 0: none */
    uint16_t faces; /* number of faces */
    uint16_t shard; /* owner */
    uint8_t rgb[4]; /* red, green, blue, 0 */
    uint32_t spare;
} fs_march_cell;

typedef struct fs_face_block {                                     /* two cache lines */
    float x[FS_MARCH_LANES], y[FS_MARCH_LANES], z[FS_MARCH_LANES]; /* neighbour sites */
    uint32_t cell[FS_MARCH_LANES];                                 /* their places */
} fs_face_block;

typedef struct fs_march_scene {
    uint32_t cells, shards;
    uint64_t faces;
    fs_march_cell *cell;         /* [cells] by place */
    fs_face_block *near;         /* [2 * cells] */
    fs_face_block *more;         /* [more_blocks], the first is empty */
    uint64_t more_blocks;        /* < 2^32 */
    const uint32_t *shard_start; /* [shards + 1], of the partition */
} fs_march_scene;

typedef struct fs_march_params {
    double threshold;   /* transmittance below which a ray ends: 0.01 (ipu.md 7); compared as float */
    bool hull_opaque;   /* what the unbounded cell at the hull does; false: adds nothing */
    int64_t step_limit; /* cells of one ray before the fatal assertion: 1,000,000 */
} fs_march_params;

typedef struct fs_ray_state { /* what a payload carries, in f32 */
    float t, T;
    float r, g, b;
    float depth; /* 0: T has not passed 0.5 yet */
} fs_ray_state;

typedef struct fs_march_counts { /* events of one visit, for the cost model */
    uint32_t cells;              /* cells visited */
    uint32_t faces;              /* faces tested */
    uint32_t front;              /* of them front-facing (dn > 0) */
    uint32_t nearest;            /* of them a new nearest candidate at its turn in CSR order */
    uint32_t depth_marks;        /* 0 or 1 */
} fs_march_counts;

typedef enum fs_march_exit {
    FS_EXIT_OPAQUE,  /* T < threshold */
    FS_EXIT_HULL,    /* no exit face */
    FS_EXIT_CROSSED, /* into a cell outside [begin, end): *cell is that cell */
} fs_march_exit;

/* Asks for the memory that marching from `place` touches first: its cell and both near blocks. */
static inline void fs_march_prefetch(const fs_march_scene *scene, uint32_t place) {
    const char *near = (const char *)&scene->near[2 * (size_t)place];
    __builtin_prefetch(&scene->cell[place]);
    for (size_t line = 0; line < 2 * sizeof(fs_face_block); line += 64)
        __builtin_prefetch(near + line);
}

/* Builds the layout for a partition (for an unpartitioned march any partition does: pass [0, cells) as the
 * range). Heap-owned, but shard_start is the partition's and must outlive the scene. FS_INPUT for a cell with
 * more than 65,535 faces and for more than 65,534 shards (the marks of ipu.md 7). */
fs_status fs_march_scene_make(const fs_foam *foam, const fs_partition *partition, fs_march_scene *out,
                              fs_error *err);
void fs_march_scene_free(fs_march_scene *scene); /* NULL is allowed */

/* Marches from cell *cell (a place) while inside places [begin, end). Adds to counts. *cell becomes the cell
 * entered (FS_EXIT_CROSSED) or the one in which the ray ended. A call that visits more than step_limit cells
 * ends the process with a defect message, for each crossing raises d . site; the sum over a ray's calls is
 * the caller's to watch. Thread-safe. */
typedef fs_march_exit (*fs_march_fn)(const fs_march_scene *scene, const fs_march_params *params,
                                     const float origin[3], const float direction[3], uint32_t begin,
                                     uint32_t end, uint32_t *cell, fs_ray_state *ray,
                                     fs_march_counts *counts);
fs_march_exit fs_march_plain(const fs_march_scene *scene, const fs_march_params *params,
                             const float origin[3], const float direction[3], uint32_t begin, uint32_t end,
                             uint32_t *cell, fs_ray_state *ray, fs_march_counts *counts);
fs_march_exit fs_march_avx2(const fs_march_scene *scene, const fs_march_params *params, const float origin[3],
                            const float direction[3], uint32_t begin, uint32_t end, uint32_t *cell,
                            fs_ray_state *ray, fs_march_counts *counts);
/* Whether this CPU and this build have fs_march_avx2 (elsewhere it is fs_march_plain under another name). */
bool fs_march_has_avx2(void);
/* The fastest implementation on this CPU; every one gives the same bits and counts as fs_march_plain. */
fs_march_fn fs_march_best(void);
const char *fs_march_best_name(void); /* "avx2", "plain": for host.json */

/* Place of the site nearest to a point (lowest site index on a tie): squared distance in double. */
uint32_t fs_march_nearest(const fs_march_scene *scene, const fs_partition *partition, const float point[3]);

#endif
