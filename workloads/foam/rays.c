#include "workloads/foam/rays.h"

#include "sim/base/error.h"

void fs_rays_create(fs_ray_pool *pool, fs_arena *arena, uint32_t capacity) {
    *pool = (fs_ray_pool){.ray = FS_NEW(arena, fs_ray, capacity), .capacity = capacity, .free = FS_RAY_NONE};
}

uint32_t fs_rays_take(fs_ray_pool *pool) {
    uint32_t ray = pool->free;
    if (ray != FS_RAY_NONE) {
        pool->free = pool->ray[ray].cell;
    } else {
        FS_ASSERT(pool->fresh < pool->capacity, "more rays in flight than the buffers can hold (%u)",
                  pool->capacity);
        ray = pool->fresh++;
    }
    pool->in_flight++;
    return ray;
}

void fs_rays_give_back(fs_ray_pool *pool, fs_ray_list *list) {
    if (list->count == 0)
        return;
    pool->ray[list->tail].cell = pool->free;
    pool->free = list->head;
    pool->in_flight -= list->count;
    *list = (fs_ray_list){.head = FS_RAY_NONE, .tail = FS_RAY_NONE};
}
