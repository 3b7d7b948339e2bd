/* Itineraries: every ray's shard visits with the work done in each, before any of it is routed.
 *
 * Where a ray goes depends on scene, camera, partition, payload and march alone, never on when it gets there
 * (ARCHITECTURE.md, "Three layers"). So each ray is marched once from end to end, shard by shard, with the
 * payload's rounding at every hand-over, its neighbours in the picture before and after it, while caches are
 * warm; the kernels then take one leg at a time off the itinerary as the ray visits its tracers.
 */
#pragma once

#include "sim/base/alloc.h"
#include "sim/base/error.h"
#include "workloads/foam/march/bundle.h"
#include "workloads/foam/march/reference.h"
#include "workloads/image/camera.h"

#include <stdint.h>

/* Where one thread lays legs. Rays that follow each other on the scan line travel together, so they are
 * laid side by side: a block of 32 rays holds their first legs, then their second ones, and so on. */
typedef struct fs_leg_pen {
    uint32_t chunk; /* UINT32_MAX: none yet */
    uint32_t used;  /* legs of the chunk */
} fs_leg_pen;

typedef struct fs_itinerary {
    fs_journey journey;
    uint32_t width, height;
    fs_leg **chunk; /* [chunks] of FS_LEG_CHUNK legs; those of a ray lie in one chunk, FS_LEG_STRIDE apart */
    uint8_t **
        lit; /* [chunks] of each leg, the cells whose coefficients are loaded; NULL: a scene without harmonics */
    uint32_t chunks, chunk_max;
    fs_leg_pen turning; /* of fs_itinerary_turn */
    fs_arena *arena;
} fs_itinerary;

/* The rays of one camera. */
typedef struct fs_itinerary_view {
    fs_camera camera;
    uint32_t place;    /* cell in which every ray begins */
    uint32_t shard;    /* that owns it */
    uint32_t *first;   /* [height][width] number of the first leg */
    fs_ray_state *end; /* [height][width] as it is written to the pixel */
} fs_itinerary_view;

static inline const fs_leg *fs_itinerary_leg(const fs_itinerary *it, uint32_t leg) {
    return &it->chunk[leg / FS_LEG_CHUNK][leg % FS_LEG_CHUNK];
}

/* Cells of a leg whose coefficients are loaded; of scenes with harmonics alone. */
static inline uint32_t fs_itinerary_lit(const fs_itinerary *it, uint32_t leg) {
    return it->lit[leg / FS_LEG_CHUNK][leg % FS_LEG_CHUNK];
}

/* An empty itinerary for pictures of that size; memory from the arena. */
void fs_itinerary_create(fs_itinerary *it, fs_arena *arena, const fs_journey *journey, uint32_t width,
                         uint32_t height);

/* Marches every ray of a camera that stands in cell `place`; scan lines are spread over threads. reference:
 * the same walk also gives the picture of fs_reference_render, to the bit; heap-owned, nothing after a
 * failure; NULL: it is not wanted. FS_INPUT when a ray has more legs than a chunk has room for. */
fs_status fs_itinerary_march(fs_itinerary *it, const fs_camera *camera, uint32_t place,
                             fs_itinerary_view *out, fs_reference *reference, fs_error *err);

/* A ray of pixel (x, y) that has made `visits` visits to tracers that it wanted under `before` goes on under
 * another camera, in whose place `eye` is open: what happens to a ray in flight whose payload has no pose
 * (paper 5.6). The new legs' first number and its end; one thread at a time. */
fs_status fs_itinerary_turn(fs_itinerary *it, const fs_itinerary_view *before, const fs_camera *after,
                            fs_eye *eye, uint32_t x, uint32_t y, uint32_t visits, uint32_t *first,
                            fs_ray_state *end, fs_error *err);
