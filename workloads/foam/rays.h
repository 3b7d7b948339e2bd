/* Rays in flight: one record each in a pool, and an 8-byte handle that travels through the lanes.
 *
 * A lane's buffer holds handles: what a router touches. The payload of a ray is in exactly one buffer at a
 * time, so it is kept once, in the ray's record, and rounded there when a tile writes it to a lane.
 */
#ifndef FOAMSIM_WORKLOADS_FOAM_RAYS_H
#define FOAMSIM_WORKLOADS_FOAM_RAYS_H

#include "sim/base/alloc.h"
#include "workloads/foam/march.h"

#include <stdint.h>

#define FS_RAY_NONE     UINT32_C(0x7fffffff) /* end of a list */
#define FS_RAY_CONSUMED UINT32_C(0x7fffffff) /* handle.ray of a consumed slot (RFC's mark 0xFFFE) */
#define FS_RAY_SPILLED  UINT32_C(0x80000000) /* flag in handle.ray: in another lane than its own */

typedef struct fs_handle {
    uint32_t ray;    /* index of the record, or FS_RAY_CONSUMED; FS_RAY_SPILLED may be set */
    uint16_t wants;  /* shard */
    uint16_t routed; /* router visits since a tracer that it wanted, or since its generation; saturates */
} fs_handle;

typedef struct fs_ray { /* 64 bytes: one cache line */
    fs_ray_state state;
    uint32_t cell; /* place to enter; while the record is free: the next free record */
    uint16_t x, y; /* pixel */
    uint16_t
        other_visits; /* of a finished ray: to the generator and to tracers that it did not want */
    uint8_t finished; /* on its way to its pixel */
    uint8_t pose;     /* camera that it was generated under */
    uint32_t frame;
    uint32_t born;          /* iteration of its generation */
    uint32_t router_visits; /* before termination */
    uint32_t tracer_visits; /* before termination */
    uint32_t misrouted;     /* misrouted visits, of its whole life */
    uint32_t shortest;      /* iterations that its path takes without contention, so far */
    uint32_t spare;
} fs_ray;
_Static_assert(sizeof(fs_ray) == 64, "a ray's record fills a cache line");

/* A list of freed records, linked through `cell`; each tile keeps one during a compute phase. */
typedef struct fs_ray_list {
    uint32_t head, tail, count;
} fs_ray_list;

typedef struct fs_ray_pool {
    fs_ray *ray; /* [capacity] */
    uint32_t capacity;
    uint32_t fresh; /* records never used so far start here */
    uint32_t free;  /* first freed record */
    uint32_t in_flight;
} fs_ray_pool;

void fs_rays_create(fs_ray_pool *pool, fs_arena *arena, uint32_t capacity);
/* A record for a new ray; a defect if there is none (the buffers bound the number of rays). */
uint32_t fs_rays_take(fs_ray_pool *pool);
/* Notes in `list` that a ray is gone (any thread, a list of its own each). */
static inline void fs_ray_list_add(fs_ray_list *list, fs_ray *rays, uint32_t ray) {
    rays[ray].cell = list->head;
    if (list->count == 0)
        list->tail = ray;
    list->head = ray;
    list->count++;
}
/* Gives a list's records back to the pool and empties it (one thread). */
void fs_rays_give_back(fs_ray_pool *pool, fs_ray_list *list);

#endif
