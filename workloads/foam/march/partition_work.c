/* The work of cells as a camera's rays meet them. */
#include "workloads/foam/march/march.h"

#include <stdlib.h>

enum { RAYS = 4800 }; /* 80 x 60: every eighth pixel of a VGA picture, across and down */

/* Pixels from ray to ray, so that there are no fewer than RAYS. */
static uint32_t stride_of(const fs_camera *camera) {
    uint32_t stride = 1;
    while ((uint64_t)(camera->width / (stride + 1)) * (camera->height / (stride + 1)) >= RAYS)
        stride++;
    return stride;
}

static void follow(const fs_march_scene *scene, const fs_camera *camera, const fs_march_params *march,
                   uint32_t i, uint32_t j, uint32_t cell, uint32_t *work) {
    float direction[3];
    fs_ray_state ray = {.T = 1.0f};
    fs_march_counts counts = {0};
    fs_march_exit exit;
    fs_camera_direction(camera, i, j, direction);
    do {
        work[cell]++;
        exit = fs_march(scene, march, camera->origin, direction, cell, cell + 1, &cell, &ray, &counts);
    } while (exit == FS_EXIT_CROSSED);
}

fs_status fs_partition_work(const fs_foam *foam, const fs_camera *camera, const fs_march_params *march,
                            fs_arena *arena, uint32_t **work, fs_error *err) {
    const fs_partition_params whole = {.shards = 1}; /* of kd: each site at its own place */
    fs_arena *scratch = fs_arena_create();
    fs_partition uncut;
    fs_march_scene scene;
    if (fs_partition_make(&fs_partitioner_kd, foam, &whole, scratch, &uncut, err) ||
        fs_march_scene_make(foam, &uncut, &scene, err)) {
        fs_arena_free(scratch);
        return err->status;
    }
    *work = FS_NEW(arena, uint32_t, foam->sites);
    const uint32_t stride = stride_of(camera), first = fs_march_nearest(&scene, &uncut, camera->origin);
    for (uint32_t j = stride / 2; j < camera->height; j += stride)
        for (uint32_t i = stride / 2; i < camera->width; i += stride)
            follow(&scene, camera, march, i, j, first, *work);
    fs_march_scene_free(&scene);
    fs_arena_free(scratch);
    return FS_OK;
}
