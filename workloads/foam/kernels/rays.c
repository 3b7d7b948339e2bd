/* The pool of rays in flight: records are taken in order and wrap early. */
#include "workloads/foam/kernels/rays.h"

#include "sim/base/error.h"

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
