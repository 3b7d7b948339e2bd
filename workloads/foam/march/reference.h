/* The unpartitioned, full-precision render: what every run is compared with, and `foamsim scene render`. */
#pragma once

#include "workloads/foam/march/march.h"
#include "workloads/image/camera.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct fs_reference {
    uint32_t width, height;
    float *rgb;      /* [height][width][3], 0 ... 1 */
    float *depth;    /* [height][width], scene units, 0: never half opaque */
    uint32_t *cells; /* [height][width] cells a ray visits: scene statistics */
} fs_reference;

/* Renders with OpenMP threads as set; rows are independent, so the bits do not depend on them. Heap-owned. */
fs_status fs_reference_render(const fs_march_scene *scene, const fs_partition *partition,
                              const fs_camera *camera, const fs_march_params *params, fs_reference *out,
                              fs_error *err);
void fs_reference_free(fs_reference *reference); /* NULL is allowed */
/* Room for a picture of that size, contents undefined. */
void fs_reference_allocate(fs_reference *reference, uint32_t width, uint32_t height);

/* Writes a pixel: how its ray ended, and the cells that it visited. */
static inline void fs_reference_set(const fs_reference *reference, size_t pixel, const fs_ray_state *end,
                                    uint32_t cells) {
    reference->rgb[3 * pixel] = end->r;
    reference->rgb[3 * pixel + 1] = end->g;
    reference->rgb[3 * pixel + 2] = end->b;
    reference->depth[pixel] = end->depth;
    reference->cells[pixel] = cells;
}

/* ---- the cache (reference_cache.c) ---- */

/* The picture of that foam, camera and march (and model version) from the cache. False when it is missing or
 * damaged; cache_dir NULL: no cache. */
bool fs_reference_find(const fs_foam *foam, const fs_camera *camera, const fs_march_params *params,
                       const char *cache_dir, fs_reference *out);
/* Keeps it there. A cache that cannot be written is reported; the run goes on. */
void fs_reference_keep(const fs_foam *foam, const fs_camera *camera, const fs_march_params *params,
                       const char *cache_dir, const fs_reference *reference);
