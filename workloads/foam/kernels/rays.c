/* The pool of rays in flight: records are taken in order and wrap early. And one of them, found for whoever
 * follows it. */
#include "workloads/foam/kernels/simulation_internal.h"

enum { FIRST_WRAP = 1 << 17 }; /* records: 4 MiB */

void fs_rays_create(fs_ray_pool *pool, fs_arena *arena, uint32_t capacity) {
    *pool = (fs_ray_pool){.ray = FS_NEW(arena, fs_ray, capacity),
                          .course = FS_NEW(arena, fs_course, capacity),
                          .capacity = capacity};
    fs_prefer_huge_pages(pool->ray, (size_t)capacity * sizeof(fs_ray));
    fs_prefer_huge_pages(pool->course, (size_t)capacity * sizeof(fs_course));
    pool->wrap = capacity < FIRST_WRAP ? capacity : FIRST_WRAP;
}

uint32_t fs_rays_take(fs_ray_pool *pool, uint32_t iteration) {
    FS_ASSERT(pool->in_flight < pool->capacity, "more rays in flight than the buffers can hold (%u)",
              pool->capacity);
    if (pool->in_flight >= pool->wrap / 2 && pool->wrap < pool->capacity) {
        pool->cursor = pool->wrap;
        pool->wrap = pool->wrap < pool->capacity / 2 ? 2 * pool->wrap : pool->capacity;
    }
    for (;;) {
        if (pool->cursor >= pool->wrap)
            pool->cursor = 0;
        uint32_t ray = pool->cursor++;
        if (__atomic_load_n(&pool->ray[ray].free_from, __ATOMIC_RELAXED) <= iteration) {
            __atomic_store_n(&pool->ray[ray].free_from, (uint16_t)FS_RAY_BUSY, __ATOMIC_RELAXED);
            pool->in_flight++;
            return ray;
        }
    }
}

/* ---- one ray ---- */

static bool is_it(const fs_foam_simulation *sim, const fs_handle *handle, uint32_t x, uint32_t y) {
    if ((handle->ray & FS_RAY_CONSUMED) == FS_RAY_CONSUMED)
        return false;
    const fs_ray *ray = &sim->pool.ray[handle->ray & FS_RAY_ID];
    return ray->frame == 0 && ray->x == x && ray->y == y;
}

static bool take_place(const fs_foam_simulation *sim, const fs_handle *handle, fs_ray_place place,
                       fs_ray_place *out) {
    place.spilled = (handle->ray & FS_RAY_SPILLED) != 0;
    place.ended = (handle->ray & FS_RAY_ENDED) != 0;
    place.leg = place.ended ? UINT32_MAX : sim->pool.course[handle->ray & FS_RAY_ID].leg;
    *out = place;
    return true;
}

bool fs_foam_simulation_find(const fs_foam_simulation *sim, uint32_t x, uint32_t y, fs_ray_place *out) {
    const fs_overlay *o = sim->overlay;
    const fs_generator *g = &sim->generator;
    for (uint32_t i = 0; i < sim->active_count; i++)
        for (uint32_t p = o->out_start[sim->active[i]]; p < o->out_start[sim->active[i] + 1]; p++) {
            const fs_lane_state *lane = &sim->lanes[o->out_lane[p]];
            for (uint32_t k = 0; k < lane->out_extent; k++)
                if (is_it(sim, &lane->out[k], x, y))
                    return take_place(sim, &lane->out[k],
                                      (fs_ray_place){.lane = o->out_lane[p],
                                                     .rays = lane->out_rays,
                                                     .capacity = lane->capacity},
                                      out);
        }
    for (uint32_t i = 0; i < g->ring_count; i++) {
        const fs_handle *handle = &g->ring[(g->ring_first + i) % g->ring_size];
        if (is_it(sim, handle, x, y))
            return take_place(
                sim, handle,
                (fs_ray_place){
                    .in_ring = true, .lane = UINT32_MAX, .rays = g->ring_count, .capacity = g->ring_size},
                out);
    }
    return false;
}

uint32_t fs_foam_simulation_first_leg(const fs_foam_simulation *sim, uint32_t x, uint32_t y) {
    return sim->view[0].first[(size_t)y * sim->framebuffer.width + x];
}

uint32_t fs_foam_simulation_visit(const fs_foam_simulation *sim, uint32_t leg, uint32_t *cells,
                                  uint32_t *faces) {
    *cells = *faces = 0;
    for (;; leg += FS_LEG_STRIDE) {
        const fs_leg *l = fs_itinerary_leg(&sim->itinerary, leg);
        *cells += l->cells;
        *faces += l->faces;
        if (l->next != FS_LEG_MORE)
            return leg + FS_LEG_STRIDE;
    }
}
