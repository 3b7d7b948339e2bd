/* Lane buffers: capacity slots at each end; the exchange swaps the two by pointer. */
#ifndef FOAMSIM_WORKLOADS_FOAM_LANES_H
#define FOAMSIM_WORKLOADS_FOAM_LANES_H

#include "models/overlay/overlay.h"
#include "sim/base/alloc.h"
#include "workloads/foam/rays.h"

#include <stdint.h>

typedef struct fs_lane_state {
    fs_handle *out;      /* written by the source in this iteration, [capacity] */
    fs_handle *in;       /* read by the destination, [capacity] */
    uint32_t capacity;   /* rays */
    uint32_t out_extent; /* slots before the first empty one */
    uint32_t in_extent;
    uint32_t stale;    /* extent of the out buffer in the previous iteration: what a wipe has to clear */
    uint32_t out_rays; /* of out_extent, those that hold a ray */
    uint32_t peak;     /* most rays moved in one iteration */
    uint64_t rays;     /* rays moved */
    uint64_t spilled;  /* of them, rays put here because their own lane was full */
    uint64_t full;     /* iterations in which every slot held a ray */
} fs_lane_state;

/* [overlay->lane_count] states for the given capacities; memory from the arena. */
fs_lane_state *fs_lanes_create(fs_arena *arena, const fs_overlay *overlay, const uint32_t *capacity);

/* Slots to wipe after this iteration's writing. */
static inline uint32_t fs_lane_wiped(const fs_lane_state *lane) {
    return lane->stale > lane->out_extent ? lane->stale - lane->out_extent : 0;
}

/* The exchange of one lane: out becomes in, and its counters are kept. */
static inline void fs_lane_move(fs_lane_state *lane) {
    fs_handle *buffer = lane->in;
    lane->in = lane->out;
    lane->out = buffer;
    lane->in_extent = lane->stale = lane->out_extent;
    lane->rays += lane->out_rays;
    lane->peak = lane->out_rays > lane->peak ? lane->out_rays : lane->peak;
    lane->full += lane->out_rays == lane->capacity;
    lane->out_extent = lane->out_rays = 0;
}

#endif
