/* Rays in flight: one record each in a pool, and an 8-byte handle that travels through the lanes.
 *
 * A lane's buffer holds handles: what a router touches. The payload of a ray, as it stands after each visit,
 * follows from its itinerary; what the record keeps is where on it the ray is, and what it has lived through.
 */
#ifndef FOAMSIM_WORKLOADS_FOAM_RAYS_H
#define FOAMSIM_WORKLOADS_FOAM_RAYS_H

#include "sim/base/alloc.h"

#include <stdint.h>

#define FS_RAY_CONSUMED UINT32_C(0x7fffffff) /* handle.ray of a consumed slot (RFC's mark 0xFFFE) */
#define FS_RAY_SPILLED  UINT32_C(0x80000000) /* flag in handle.ray: in another lane than its own */

typedef struct fs_handle {
    uint32_t ray;    /* index of the record, or FS_RAY_CONSUMED; FS_RAY_SPILLED may be set */
    uint16_t wants;  /* tracer */
    uint16_t routed; /* router visits of this leg: since the tracer (or generator) that it last wanted */
} fs_handle;

enum { FS_FROM_GENERATOR = 0xffff, FS_RAY_BUSY = 0xffff };

/* Two to a cache line. Iterations fit 16 bits: a run has fewer than 65,535 (fs_foam_setup). */
typedef struct fs_ray {
    uint32_t leg;  /* of its itinerary, the next one */
    uint16_t x, y; /* pixel */
    uint16_t from; /* tracer at which this leg began, or FS_FROM_GENERATOR */
    uint16_t frame;
    uint16_t born;          /* iteration of its generation */
    uint16_t free_from;     /* iteration from which the record may be used again; FS_RAY_BUSY: in use */
    uint16_t router_visits; /* before termination */
    uint16_t tracer_visits; /* before termination */
    uint16_t misrouted;     /* misrouted visits, of its whole life */
    uint16_t shortest;      /* iterations that the legs so far take without contention */
    uint16_t other_visits;  /* after termination, of tiles that are neither a router nor the pixel's owner */
    uint8_t finished;       /* on its way to its pixel */
    uint8_t detoured;       /* sent another way than the shortest on this leg */
    uint8_t pose;           /* camera that it was generated under */
    uint8_t turned;         /* goes on under another camera than that */
    uint16_t spare;
} fs_ray;
_Static_assert(sizeof(fs_ray) == 32, "two records fill a cache line");

/* Records are taken in order, so that rays of neighbouring pixels lie side by side, and wrap early to stay in
 * few pages. */
typedef struct fs_ray_pool {
    fs_ray *ray; /* [capacity] */
    uint32_t capacity;
    uint32_t
        wrap; /* records in use so far: the cursor wraps there, and it grows when half of them are busy */
    uint32_t cursor;
    uint32_t in_flight; /* raised by fs_rays_take, lowered by the caller of fs_ray_free */
} fs_ray_pool;

void fs_rays_create(fs_ray_pool *pool, fs_arena *arena, uint32_t capacity);
/* A record for a new ray, marked busy; a defect if there is none (the buffers bound the number of rays). One
 * thread at a time, while others may free records: those are free from the next iteration on, whoever was
 * first. */
uint32_t fs_rays_take(fs_ray_pool *pool, uint32_t iteration);

static inline void fs_ray_free(fs_ray *ray, uint32_t iteration) {
    __atomic_store_n(&ray->free_from, (uint16_t)(iteration + 1), __ATOMIC_RELAXED);
}

#endif
