/* Rays in flight: an 8-byte handle travels through the lanes, an 8-byte course and a record stay in a pool.
 *
 * What all rays in flight touch in an iteration has to fit the host's second cache, so each part is as small
 * as can be. A lane's buffer holds handles: all that routers touch. The payload of a ray, as it stands after
 * each visit, follows from its itinerary; its course says where on it the ray is, all that a tracer touches
 * beside the handle. The record keeps what is wanted when the ray ends, and what rarely happens on the way.
 */
#pragma once

#include "sim/base/alloc.h"

#include <stdint.h>

#define FS_RAY_CONSUMED UINT32_C(0x7fffffff) /* handle.ray of a consumed slot (RFC's mark 0xFFFE) */
/* Flags in handle.ray: */
#define FS_RAY_SPILLED  UINT32_C(0x80000000) /* in another lane than its own */
#define FS_RAY_DETOURED UINT32_C(0x40000000) /* sent another way than the shortest on this leg */
#define FS_RAY_ENDED    UINT32_C(0x20000000) /* marched to its end: on its way to its pixel */
#define FS_RAY_ID       UINT32_C(0x1fffffff)
_Static_assert(FS_RAY_DETOURED == FS_RAY_SPILLED >> 1, "what came spilled goes on detoured by a shift");

typedef struct fs_handle {
    uint32_t ray;    /* index in the pool, with flags, or FS_RAY_CONSUMED */
    uint16_t wants;  /* tracer */
    uint16_t routed; /* router visits of this leg: since the tracer (or generator) that it last wanted */
} fs_handle;
_Static_assert(sizeof(fs_handle) == 8, "eight to a cache line");

typedef struct fs_course {
    uint32_t leg;           /* of its itinerary, the next one; ended: its pixel's number, row by row */
    uint16_t router_visits; /* of the legs before this one, before termination */
    uint16_t from;          /* tracer at which this leg began, or FS_FROM_GENERATOR */
} fs_course;
_Static_assert(sizeof(fs_course) == 8, "eight to a cache line");

enum { FS_FROM_GENERATOR = 0xffff, FS_RAY_BUSY = 0xffff };

/* Iterations fit 16 bits: a run has fewer than 65,535 (fs_foam_setup). A ray is visited at most once in an
 * iteration, so its sums fit as well; on the way they are modulo 2^16. */
typedef struct fs_ray {
    uint32_t first; /* leg of its itinerary */
    uint16_t x, y;  /* pixel */
    uint16_t frame;
    uint16_t born;          /* iteration of its generation */
    uint16_t free_from;     /* iteration from which the record may be used again; FS_RAY_BUSY: in use */
    uint16_t tracer_visits; /* under way: those before termination that are no leg from `first` on, less the
                               legs that are no visit; ended: all before termination */
    uint16_t misrouted;     /* misrouted visits, of its whole life */
    uint16_t lost;          /* iterations that its legs with detours took beyond the shortest way */
    uint16_t other_visits;  /* after termination, of tiles that are neither a router nor the pixel's owner */
    uint8_t pose;           /* camera that it was generated under */
    uint8_t turned;         /* goes on under another camera than that */
} fs_ray;

/* Records are taken in order, so that rays of neighbouring pixels lie side by side, and wrap early to stay in
 * few pages. */
typedef struct fs_ray_pool {
    fs_ray *ray;       /* [capacity] */
    fs_course *course; /* [capacity] */
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
