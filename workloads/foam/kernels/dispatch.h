/* Picking among equals: which of several lanes or owners of a shard a ray takes. */
#ifndef FOAMSIM_WORKLOADS_FOAM_KERNELS_DISPATCH_H
#define FOAMSIM_WORKLOADS_FOAM_KERNELS_DISPATCH_H

#include "models/overlay/overlay.h"

#include <stdint.h>

/* A fixed mix of a pixel's number (row by row) and a salt: multiplications by 2654435769, the odd number next
 * to 2^32 over the golden ratio, which spread neighbours far apart, and shifts that bring high bits down.
 * Salt: 0 where a shard has several owners, else the level of the tile that picks; without it a ray that took
 * the left lane on one level would take the left one on all, and half of a wide level would stay empty. */
static inline uint32_t fs_pixel_hash(uint32_t pixel, uint32_t salt) {
    const uint32_t golden = UINT32_C(2654435769);
    uint32_t h = pixel + salt * golden;
    h = (h ^ h >> 16) * golden;
    h = (h ^ h >> 16) * golden;
    return h ^ h >> 16;
}

/* The tracer that a ray of that pixel wants when it enters a shard. */
static inline uint32_t fs_shard_tracer(const fs_overlay *overlay, uint32_t shard, uint32_t pixel) {
    uint32_t first = overlay->owner_start[shard], owners = overlay->owner_start[shard + 1] - first;
    return owners == 1 ? overlay->owner[first] : overlay->owner[first + fs_pixel_hash(pixel, 0) % owners];
}

#endif
