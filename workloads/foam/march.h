/* Marching a ray through the cells of a shard: the hot loop.
 *
 * Layout. Cells are stored by place (fs_partition.order), so a shard is one range of places. The faces of a
 * cell are contiguous: for a cell with n faces starting at face f the block face_xyz[3 f ... 3 f + 3 n) holds
 * n x, then n y, then n z coordinates of the neighbour sites, and face_cell[f ... f + n) their places, in CSR
 * order. Arrays have slack at the end so that a vector load may run over.
 *
 * Arithmetic (float, this order of operations, no contraction; design.md section 6, March). For neighbour q
 * of site p: n = q - p; m = (p + q) * 0.5f; dn = (n.x*d.x + n.y*d.y) + n.z*d.z num = ((m.x - o.x)*n.x + (m.y
 * - o.y)*n.y) + (m.z - o.z)*n.z; t = num / dn A face is front-facing when dn > 0, a candidate when t > 0 too;
 * the exit is the least t, the first in CSR order on a tie. With an exit: dt = t_out - t, dt > 0 ? dt : 0;
 * alpha = 1 - exp(-density * dt); c += (T * alpha) * colour; T *= 1 - alpha (as T - T * alpha is not the
 * same: T = T * (1.0f - alpha)); t = max(t, t_out). depth is set once, where T passes 0.5: t + ln(T_before /
 * 0.5) / density. The ray ends when T < threshold, or when there is no exit face (then the cell adds nothing;
 * hull_opaque: it adds its colour with alpha = 1).
 */
#ifndef FOAMSIM_WORKLOADS_FOAM_MARCH_H
#define FOAMSIM_WORKLOADS_FOAM_MARCH_H

#include "workloads/foam/camera.h"
#include "workloads/foam/foam_scene.h"
#include "workloads/foam/partition.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct fs_march_cell { /* 32 bytes: half a cache line */
    float x, y, z;
    float density;
    uint32_t face;  /* first face */
    uint16_t faces; /* number of faces */
    uint16_t shard; /* owner */
    uint8_t rgb[4]; /* red, green, blue, 0 */
    uint32_t spare;
} fs_march_cell;

typedef struct fs_march_scene {
    uint32_t cells, shards;
    uint64_t faces;
    fs_march_cell *cell;         /* [cells] by place */
    float *face_xyz;             /* [3 * faces + slack] */
    uint32_t *face_cell;         /* [faces + slack] places */
    const uint32_t *shard_start; /* [shards + 1], of the partition */
} fs_march_scene;

typedef struct fs_march_params {
    double threshold;   /* transmittance below which a ray ends: 0.01 (ipu.md 7) */
    bool hull_opaque;   /* what the unbounded cell at the hull does; false: adds nothing */
    int64_t step_limit; /* crossings of one ray before the fatal assertion: 1,000,000 */
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

/* Builds the layout for a partition (one shard: pass the k-d partition or one of a single shard). Heap-owned.
 * A cell with more than 65,535 faces is FS_INPUT. */
fs_status fs_march_scene_make(const fs_foam *foam, const fs_partition *partition, fs_march_scene *out,
                              fs_error *err);
void fs_march_scene_free(fs_march_scene *scene);

/* Marches from cell *cell while inside places [begin, end). Adds to counts. The step limit is checked by the
 * caller's budget: *steps is raised by the cells visited; past the limit the process ends with a defect
 * message. */
typedef fs_march_exit (*fs_march_fn)(const fs_march_scene *scene, const fs_march_params *params,
                                     const float origin[3], const float direction[3], uint32_t begin,
                                     uint32_t end, uint32_t *cell, fs_ray_state *ray,
                                     fs_march_counts *counts);
fs_march_exit fs_march_plain(const fs_march_scene *scene, const fs_march_params *params,
                             const float origin[3], const float direction[3], uint32_t begin, uint32_t end,
                             uint32_t *cell, fs_ray_state *ray, fs_march_counts *counts);
/* The fastest implementation on this CPU; every one gives the same bits and counts as fs_march_plain. */
fs_march_fn fs_march_best(void);
const char *fs_march_best_name(void); /* "avx2", "plain": for host.json */

/* Place of the site nearest to a point (lowest site index on a tie). */
uint32_t fs_march_nearest(const fs_march_scene *scene, const fs_partition *partition, const float point[3]);

#endif
