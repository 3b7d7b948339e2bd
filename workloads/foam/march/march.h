/* Marching a ray through the cells of a shard: the hot loop.
 *
 * Arithmetic (float, this order of operations, no contraction). Both programs (scenes.md 1 and 2) march
 * so but for roundings. For neighbour q of site p:
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
 * With harmonics rgb / 255 above is what harmonics.h makes of the ray's direction; a cell of a density up to
 * FS_HARMONICS_DENSITY then adds no colour. fs_march takes coefficients as tiles store them, so does a journey
 * with a payload; one without takes them as they are.
 *
 * Cells are stored by place (fs_partition.order), so a shard is one range of places. This is the definition,
 * one ray and one face after another; fs_bundle (bundle.h) marches many rays of one origin, faster and to the
 * same bits.
 */
#pragma once

#include "workloads/foam/partition/partition.h"
#include "workloads/image/camera.h"
#include "workloads/scene/foam/foam_scene.h"
#include "workloads/scene/foam/harmonics.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct fs_march_cell { /* 32 bytes: half a cache line */
    float x, y, z;
    float density;
    uint32_t list;  /* first entry in fs_march_scene.adjacency */
    uint16_t faces; /* entries from there on */
    uint16_t shard; /* owner */
    uint8_t rgb[4]; /* red, green, blue, 0 */
    uint32_t site;  /* of the foam */
} fs_march_cell;

/* Coefficients of colours that depend on the ray's direction (harmonics.h), by site. */
typedef struct fs_march_colours {
    uint32_t degree; /* 0: each cell has one colour, and nothing follows */
    uint32_t stride; /* floats from site to site */
    const float *of; /* [sites][stride] */
} fs_march_colours;

/* How tiles store a coefficient: u8 counts steps from an offset, both fp16, of its shard. */
enum { FS_MARCH_F32, FS_MARCH_F16, FS_MARCH_U8 };
extern const char *const fs_march_store_names[]; /* "f32", "f16", "u8", NULL */
/* SRAM of a shard's coefficients above degree 0, bytes. */
uint64_t fs_march_store_bytes(uint32_t degree, int64_t store, uint64_t cells);

typedef struct fs_march_scene {
    uint32_t cells, shards;
    uint64_t faces;
    fs_march_cell *cell;            /* [cells] by place */
    const uint32_t *shard_start;    /* [shards + 1], of the partition */
    const uint32_t *place;          /* [cells] of each site, of the partition */
    const uint32_t *adjacency;      /* [faces] neighbour sites, of the foam */
    fs_march_colours exact, stored; /* as the foam has them; as tiles store them */
    float *rounded;                 /* what `stored` points to, heap-owned; NULL: the foam's own */
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
    uint32_t lit;                /* of the cells, those whose coefficients are loaded; 0 with degree 0 */
} fs_march_counts;

typedef enum fs_march_exit {
    FS_EXIT_OPAQUE,  /* T < threshold */
    FS_EXIT_HULL,    /* no exit face */
    FS_EXIT_CROSSED, /* into a cell outside [begin, end): *cell is that cell */
} fs_march_exit;

/* Lays the cells out for a partition (for an unpartitioned march any partition does: pass [0, cells) as the
 * range). Heap-owned, but foam and partition must outlive the scene. FS_INPUT for a cell with more than
 * 65,535 faces and for more than 65,534 shards (the marks of ipu.md 7). */
fs_status fs_march_scene_make(const fs_foam *foam, const fs_partition *partition, fs_march_scene *out,
                              fs_error *err);
void fs_march_scene_free(fs_march_scene *scene); /* NULL is allowed */
/* Colours of a degree of 1 to 3, at most the foam's, in place of one for each cell. */
void fs_march_scene_colour(fs_march_scene *scene, const fs_foam *foam, uint32_t degree, int64_t store);

/* Marches from cell *cell (a place) while inside places [begin, end). Adds to counts. *cell becomes the cell
 * entered (FS_EXIT_CROSSED) or the one in which the ray ended. A call that visits more than step_limit cells
 * ends the process with a defect message, for each crossing raises d . site; the sum over a ray's calls is
 * the caller's to watch. Thread-safe. */
fs_march_exit fs_march(const fs_march_scene *scene, const fs_march_params *params, const float origin[3],
                       const float direction[3], uint32_t begin, uint32_t end, uint32_t *cell,
                       fs_ray_state *ray, fs_march_counts *counts);

/* Place of the site nearest to a point (lowest site index on a tie): squared distance in double. */
uint32_t fs_march_nearest(const fs_march_scene *scene, const fs_partition *partition, const float point[3]);

/* The work of cells as a camera's rays meet them, for a partition that shares it out evenly. */

/* Follows about 4,800 rays, evenly spread over the picture (all of a smaller one). *work [sites], from the
 * arena, receives how many of them visit each cell. Errors are those of fs_march_scene_make. */
fs_status fs_partition_work(const fs_foam *foam, const fs_camera *camera, const fs_march_params *march,
                            fs_arena *arena, uint32_t **work, fs_error *err);
