/* Lane buffers. A lane has `capacity` slots at each end; a simulated buffer takes only as much host memory as
 * it holds: a tile that writes a lane takes the slots from its thread's store, and the exchange hands them to
 * the reader.
 */
#pragma once

#include "models/overlay/overlay.h"
#include "sim/base/alloc.h"
#include "sim/base/error.h"
#include "workloads/foam/kernels/rays.h"

#include <stdbool.h>
#include <stdint.h>

/* One cache line of what every iteration touches, and one of what is rare. */
typedef struct fs_lane_state {
    fs_handle *out;       /* written by the source in this iteration, [out_extent] */
    fs_handle *in;        /* read by the destination, [in_extent]; its own from then on */
    uint32_t capacity;    /* slots */
    uint32_t out_extent;  /* slots before the first empty one, <= capacity */
    uint32_t in_extent;   /* the out buffer's in the previous iteration: what a wipe has to clear */
    uint32_t out_rays;    /* of out_extent, those that hold a ray */
    uint32_t out_spilled; /* of out_rays, those put here because their own lane was full */
    uint32_t out_turned;  /* of turned_away, in this iteration */
    uint32_t part_peak;   /* peak since the last fs_foam_simulation_begin_part */
    uint32_t peak;        /* most rays moved in one iteration */
    bool out_plain;       /* every slot before the extent holds a ray in its own lane */
    bool in_plain;
    bool in_spilled;      /* some slot holds a ray that is not in its own lane */
    uint32_t used;        /* iterations in which rays moved and none was turned away */
    uint64_t rays;        /* rays moved; from here on what changes rarely */
    uint64_t spilled;     /* of them, rays put here because their own lane was full */
    uint64_t full;        /* iterations in which every slot held a ray */
    uint64_t turned_away; /* rays whose own lane this was, spilled because it was full */
    uint64_t stalled;     /* iterations in which one was turned away; in all others the lane was idle */
    uint64_t padding[4];
} fs_lane_state;
_Static_assert(sizeof(fs_lane_state) == 128, "two cache lines");

enum { FS_ASIDE = 1 << 16 }; /* slots: half a megabyte, of which a call touches what it needs */

/* One thread's memory for out buffers: two halves, written and read in turn. Every half could hold all that
 * one iteration writes; only what is used is ever touched. */
typedef struct fs_lane_store {
    fs_handle *half[2];
    size_t used, slots; /* of the half being written; of a half */
    uint32_t writing;   /* which half */
    uint8_t *lane_of;   /* scratch of the count pass, [most slots that a router reads] */
    fs_handle *aside;   /* where a router's usual call moves consumed slots, [FS_ASIDE] */
    uint8_t padding[8]; /* stores of different threads lie on different cache lines */
} fs_lane_store;

/* [overlay->lane_count] states for the given capacities, or without bounds (NULL); memory from the arena. */
fs_lane_state *fs_lanes_create(fs_arena *arena, const fs_overlay *overlay, const uint32_t *capacity);
/* FS_MEMORY when lanes of so many slots in all, as a huge SRAM leaves room for, are more than the host has.
 * Memory that is not written to takes none, so this is about one copy of them alone. */
fs_status fs_lanes_check(size_t slots, fs_error *err);
/* [threads] stores; slots: of a half; scratch: bytes of lane_of. */
fs_lane_store *fs_lanes_stores_create(fs_arena *arena, size_t slots, uint32_t threads, size_t scratch);

/* Slots of an out buffer; valid until the end of the next iteration. */
static inline fs_handle *fs_lanes_take(fs_lane_store *store, uint32_t slots) {
    fs_handle *at = store->half[store->writing] + store->used;
    store->used += slots;
    FS_ASSERT(store->used <= store->slots, "an iteration writes more slots than there can be (%zu)",
              store->slots);
    return at;
}

/* Slots to wipe after this iteration's writing. */
static inline uint32_t fs_lanes_wiped(const fs_lane_state *lane) {
    return lane->in_extent > lane->out_extent ? lane->in_extent - lane->out_extent : 0;
}

/* The exchange of one lane: out becomes in, and its counters are kept. */
static inline void fs_lanes_move(fs_lane_state *lane) {
    lane->in = lane->out;
    lane->in_extent = lane->out_extent;
    lane->in_plain = lane->out_plain;
    lane->in_spilled = lane->out_spilled > 0;
    lane->rays += lane->out_rays;
    lane->used += lane->out_turned == 0 && lane->out_rays > 0;
    if (lane->out_rays > lane->part_peak) {
        lane->part_peak = lane->out_rays;
        lane->peak = lane->part_peak > lane->peak ? lane->part_peak : lane->peak;
    }
    if (__builtin_expect(lane->out_rays == lane->capacity || lane->out_turned + lane->out_spilled > 0, 0)) {
        lane->full += lane->out_rays == lane->capacity;
        lane->spilled += lane->out_spilled;
        lane->turned_away += lane->out_turned;
        lane->stalled += lane->out_turned > 0;
    }
    lane->out_extent = lane->out_rays = lane->out_turned = lane->out_spilled = 0;
}
