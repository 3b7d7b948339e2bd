#include "workloads/foam/reference.h"

#include "sim/base/alloc.h"
#include "sim/base/progress.h"

#include <omp.h>
#include <stdlib.h>

void fs_reference_allocate(fs_reference *reference, uint32_t width, uint32_t height) {
    size_t pixels = (size_t)width * height;
    *reference = (fs_reference){.width = width, .height = height};
    reference->rgb = fs_malloc(3 * pixels * sizeof *reference->rgb);
    reference->depth = fs_malloc(pixels * sizeof *reference->depth);
    reference->cells = fs_malloc(pixels * sizeof *reference->cells);
}

void fs_reference_free(fs_reference *reference) {
    if (reference == NULL)
        return;
    free(reference->rgb);
    free(reference->depth);
    free(reference->cells);
    *reference = (fs_reference){0};
}

static void render_row(const fs_march_scene *scene, const fs_camera *camera, const fs_march_params *params,
                       fs_march_fn march, uint32_t first, uint32_t j, const fs_reference *out) {
    for (uint32_t i = 0; i < camera->width; i++) {
        size_t pixel = (size_t)j * camera->width + i;
        float direction[3];
        fs_camera_direction(camera, i, j, direction);
        fs_ray_state ray = {.T = 1.0f};
        fs_march_counts counts = {0};
        uint32_t cell = first;
        march(scene, params, camera->origin, direction, 0, scene->cells, &cell, &ray, &counts);
        out->rgb[3 * pixel] = ray.r;
        out->rgb[3 * pixel + 1] = ray.g;
        out->rgb[3 * pixel + 2] = ray.b;
        out->depth[pixel] = ray.depth;
        out->cells[pixel] = counts.cells;
    }
}

fs_status fs_reference_render(const fs_march_scene *scene, const fs_partition *partition,
                              const fs_camera *camera, const fs_march_params *params, fs_reference *out,
                              fs_error *err) {
    fs_march_fn march = fs_march_best();
    uint32_t first = fs_march_nearest(scene, partition, camera->origin);
    fs_reference_allocate(out, camera->width, camera->height);
    fs_progress progress;
    uint32_t rows = 0;
    fs_progress_begin(&progress, "reference rows", camera->height);
#pragma omp parallel for schedule(dynamic, 1)
    for (uint32_t j = 0; j < camera->height; j++) {
        uint32_t done;
        if (!fs_interrupted())
            render_row(scene, camera, params, march, first, j, out);
#pragma omp atomic capture
        done = ++rows;
        if (omp_get_thread_num() == 0)
            fs_progress_update(&progress, done);
    }
    fs_progress_end(&progress);
    if (!fs_interrupted())
        return FS_OK;
    fs_reference_free(out);
    return fs_fail(err, FS_RUN, "interrupted while rendering the reference");
}

uint32_t fs_reference_path(const fs_march_scene *scene, const fs_camera *camera,
                           const fs_march_params *params, uint32_t first, uint32_t i, uint32_t j,
                           uint32_t *shards, uint32_t room) {
    float direction[3];
    fs_camera_direction(camera, i, j, direction);
    fs_ray_state ray = {.T = 1.0f};
    fs_march_counts counts = {0};
    fs_march_exit exit;
    uint32_t cell = first, runs = 0, last = UINT32_MAX;
    do {
        uint32_t shard = scene->cell[cell].shard;
        if (shard != last && runs++ < room)
            shards[runs - 1] = shard;
        last = shard;
        exit = fs_march_plain(scene, params, camera->origin, direction, cell, cell + 1, &cell, &ray, &counts);
        FS_ASSERT(counts.cells <= params->step_limit, "pixel (%u, %u): its ray goes round in a circle", i, j);
    } while (exit == FS_EXIT_CROSSED);
    return runs;
}
