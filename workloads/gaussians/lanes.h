/* Traffic: which tile holds which Gaussians, what its four out lanes carry, and what a step does (gaussians.md 4).
 *
 * A tile works by itself: it reads what its neighbours left in the step before and writes its own store, lanes and list, so that
 * threads share the tiles. Gaussians are numbers from 1 on, 0 being a free slot.
 */
#pragma once

#include "workloads/gaussians/view.h"

/* What a tile's one routing worker does; the events of the program `route`, phase by phase. */
enum {
    FS_GAUSSIANS_CLEAR, /* 1: a slot of an out lane freed */
    FS_GAUSSIANS_SETUP,
    FS_GAUSSIANS_IN_SCAN, /* 2, receive: a slot looked at */
    FS_GAUSSIANS_IN_LOOK, /* within an insertion */
    FS_GAUSSIANS_IN_WRITE,
    FS_GAUSSIANS_IN_UNPACK,
    FS_GAUSSIANS_IN_COVARIANCE,
    FS_GAUSSIANS_IN_RADIUS,
    FS_GAUSSIANS_TRANSIT,
    FS_GAUSSIANS_BLOOM,
    FS_GAUSSIANS_SCAN, /* 3, the store */
    FS_GAUSSIANS_LOOK,
    FS_GAUSSIANS_WRITE,
    FS_GAUSSIANS_UNPACK,
    FS_GAUSSIANS_COVARIANCE,
    FS_GAUSSIANS_RADIUS,
    FS_GAUSSIANS_KEPT,
    FS_GAUSSIANS_AIM,
    FS_GAUSSIANS_APPEND,
    FS_GAUSSIANS_ZERO, /* 4, sort: a word of the stack */
    FS_GAUSSIANS_COMPARE,
    FS_GAUSSIANS_SWAP,
    FS_GAUSSIANS_ROW,    /* of gathered rows: one unpacked */
    FS_GAUSSIANS_OFFSET, /* looked through in search of the tile's rows */
    FS_GAUSSIANS_ROUTE_EVENTS,
    FS_GAUSSIANS_PHASES = 4
};
extern const uint8_t fs_gaussians_phase_of[FS_GAUSSIANS_ROUTE_EVENTS]; /* 0 ... 3 */

/* What a tile did in a step. */
typedef struct fs_gaussians_tile_work {
    uint32_t event[FS_GAUSSIANS_ROUTE_EVENTS];
    uint32_t inserted[2]; /* insertions of phases 2 and 3, whose looks the events are */
    uint32_t received, sends, failed,
        lost; /* of all lanes; sends tried, of them into full lanes; that no slot was left for */
    uint32_t stored, anchored, copies,
        listed; /* after the step; of what it routed: at home, and copies of what is at
                                                home elsewhere; entries to draw */
} fs_gaussians_tile_work;

typedef struct fs_gaussians_lanes {
    fs_gaussians_grid grid;
    uint32_t gaussians, share, tail; /* of the scene; of a tile's first distribution, and of the last one's */
    uint32_t extra, slots;           /* of a store beyond that; from one store to the next */
    uint32_t lane_slots;
    bool flow;           /* copies are drawn where they arrive, and not kept */
    uint32_t *store;     /* [tiles][slots] */
    uint32_t *used;      /* [tiles] slots up to the last one that is taken */
    uint32_t *lane[2];   /* [tiles][4][lane_slots], of this step and the one before, by turns */
    uint32_t *filled[2]; /* [tiles][4] */
    uint32_t *list;      /* [tiles][slots] Gaussians to draw, nearest first after a step; from 0 on */
    uint32_t now;        /* which of the two is being written */
    fs_gaussians_tile_work *work; /* [tiles] of the last step */
} fs_gaussians_lanes;

/* Room for a scene of so many, distributed as at first. Heap; fs_gaussians_lanes_free. */
void fs_gaussians_lanes_create(fs_gaussians_lanes *lanes, const fs_gaussians_params *params,
                               uint32_t gaussians);
void fs_gaussians_lanes_free(fs_gaussians_lanes *lanes);

/* One step of all tiles, the exchange at its end included. */
void fs_gaussians_step(fs_gaussians_lanes *lanes, const fs_gaussians_seen *seen);

/* Slots of a tile's store and list, which has no extra ones on the last tile; Gaussians in an out lane of the last step. */
uint32_t fs_gaussians_store_slots(const fs_gaussians_lanes *lanes, uint32_t tile);
uint32_t fs_gaussians_list_slots(const fs_gaussians_lanes *lanes, uint32_t tile);
static inline uint32_t fs_gaussians_in_lane(const fs_gaussians_lanes *l, uint32_t tile, int side) {
    return l->filled[l->now][4 * tile + (uint32_t)side];
}
/* A check of who holds what, in stores and lanes: of two steps the same where nothing changed. */
uint64_t fs_gaussians_state(const fs_gaussians_lanes *lanes);

/* The tile that an out lane leads to: the tile itself at the picture's border. */
uint32_t fs_gaussians_neighbour(const fs_gaussians_grid *grid, uint32_t tile, int side);

/* Sorts numbers by depth, nearest first, as the tiles do: quicksort of Lomuto, pivot last, whole entries swapped. Counts comparisons and
 * swaps into event[FS_GAUSSIANS_COMPARE], [FS_GAUSSIANS_SWAP]. */
void fs_gaussians_sort(uint32_t *list, uint32_t count, const fs_gaussians_seen *seen, uint32_t *event);
