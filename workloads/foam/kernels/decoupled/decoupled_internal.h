/* Private to the decoupled foam client: queues of rays, and what a call of each role does. */
#pragma once

#include "workloads/foam/kernels/decoupled/decoupled.h"
#include "workloads/foam/kernels/simulation_internal.h"

#define FS_NO_RAY UINT32_MAX

/* A ray in a queue. `waited` grows by the time of leaving a queue and shrinks by the time of entering one, so
 * that after each queue it is the sum of what the ray has waited. */
typedef struct queued_ray {
    fs_handle handle;
    int64_t waited; /* cycles */
} queued_ray;

/* Both queues of a lane in one ring: first the rays of the in queue (and those on their way to it), then
 * those of the out queue, then those that a call has promised. A message moves the border between the first
 * two. */
typedef struct ray_queue {
    queued_ray *slot; /* [mask + 1] */
    uint32_t mask, first;
    uint32_t count;           /* all of them */
    uint32_t inside, outside; /* the first two kinds; the rest is promised */
} ray_queue;

typedef struct ray_times { /* beside the ray's record, by the same number */
    uint64_t born;         /* cycle in which the call that made it began */
    int64_t waited;        /* of a ray that ends in a call */
    uint32_t delivery;     /* lanes since it was marched */
    uint32_t next;         /* of the rays that end in the same call, or FS_NO_RAY */
} ray_times;

typedef struct foam_tile {
    uint32_t ended, ended_last; /* rays that end in its call: a list through ray_times, FS_NO_RAY: none */
    uint32_t ended_count;
    uint32_t held; /* rays taken in this slice */
    uint32_t turn; /* of round_robin */
} foam_tile;

struct fs_foam_decoupled {
    fs_foam_simulation *sim;
    const fs_overlay *overlay;
    fs_decoupled *engine;
    uint64_t now;
    fs_decoupled_queue *ends; /* [lanes] the engine's: what waits, and room */
    ray_queue *queue;         /* [lanes] */
    foam_tile *tile;          /* [tiles] */
    ray_times *times;         /* [pool.capacity] */
    uint32_t made;            /* rays of the generator's present batch that have been made */
    uint64_t *done;           /* [frames] cycle in which it was done; UINT64_MAX: not yet */
    uint32_t frames_done;
    uint64_t slice;          /* cycles */
    uint64_t alive, waiting; /* of the rays that have ended: cycles */
    uint32_t *active;        /* [tiles] that have a role */
    uint32_t active_count;
    uint32_t *sources; /* [tiles] of lanes that a slice has something to say of */
    uint64_t *seen;    /* [tiles] number of the slice, from 1, in which the tile was entered there */
    const fs_foam_slices *slices;
};

static inline queued_ray *queued_at(const ray_queue *q, uint32_t i) {
    return &q->slot[(q->first + i) & q->mask];
}

/* ---- decoupled_kernels.c ---- */
/* What a tile of each role does at the beginning of a call; FS_CALL_* bits. */
uint32_t decoupled_trace(fs_foam_decoupled *f, uint32_t tile, uint32_t *counts);
uint32_t decoupled_forward(fs_foam_decoupled *f, uint32_t tile, uint32_t *counts);
uint32_t decoupled_generate(fs_foam_decoupled *f, uint32_t tile, uint32_t *counts);

/* ---- decoupled_queues.c ---- */
void decoupled_queues_create(fs_foam_decoupled *f, fs_arena *arena, const uint32_t *capacity,
                             uint32_t window);
/* The place of the next ray that a call promises. */
static inline queued_ray *decoupled_place(ray_queue *q) {
    FS_ASSERT(q->count <= q->mask, "the queues of a lane hold %u rays", q->count);
    q->first = q->count == 0 ? 0 : q->first; /* stay in few cache lines */
    return queued_at(q, q->count++);
}
/* A call puts a ray into a lane's out queue; it has waited so long before. */
static inline void decoupled_put(fs_foam_decoupled *f, uint32_t lane, fs_handle handle, int64_t waited) {
    *decoupled_place(&f->queue[lane]) = (queued_ray){handle, waited};
    fs_decoupled_put(&f->ends[lane]);
}
/* Ends a scan of the first `scanned` rays of a lane's in queue of which `left`, moved to its front in their
 * order, could not be taken. */
void decoupled_close_gap(fs_foam_decoupled *f, uint32_t lane, uint32_t scanned, uint32_t left);
/* What a call has promised is in the out queue from now on. */
void decoupled_promise_kept(fs_foam_decoupled *f, uint32_t lane);
void decoupled_sent(void *self, uint32_t lane, uint32_t rays, uint64_t start, uint64_t arrival);
void decoupled_arrived(void *self, uint32_t lane, uint32_t before, uint32_t rays, uint64_t cycles);
