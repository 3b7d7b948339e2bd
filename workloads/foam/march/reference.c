/* The reference render: the same march, pixel by pixel. */
#include "workloads/foam/march/reference.h"

#include "sim/base/alloc.h"
#include "sim/host/progress.h"
#include "sim/host/signals.h"
#include "workloads/foam/march/bundle.h"

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

/* The rays of row j from number `begin` on that a bundle has room for. */
static bool render_some(const fs_journey *journey, fs_bundle_fn march, fs_eye *eye, fs_bundle *b,
                        const fs_camera *camera, uint32_t first, uint32_t begin, uint32_t j,
                        const fs_reference *out) {
    const uint32_t left = camera->width - begin;
    b->rays = left < FS_BUNDLE_RAYS ? left : FS_BUNDLE_RAYS;
    for (uint32_t ray = 0; ray < b->rays; ray++) {
        fs_camera_direction(camera, begin + ray, j, b->direction[ray]);
        b->cell[ray] = first;
        b->state[ray] = (fs_ray_state){.T = 1.0f};
    }
    if (!march(journey, eye, b))
        return false;
    for (uint32_t ray = 0; ray < b->rays; ray++) {
        uint32_t cells = 0;
        for (uint32_t leg = 0; leg < b->legs[ray]; leg++)
            cells += b->leg[leg * FS_BUNDLE_RAYS + ray].cells;
        fs_reference_set(out, (size_t)j * camera->width + begin + ray, &b->state[ray], cells);
    }
    return true;
}

fs_status fs_reference_render(const fs_march_scene *scene, const fs_partition *partition,
                              const fs_camera *camera, const fs_march_params *params, fs_reference *out,
                              fs_error *err) {
    const fs_journey journey = {.scene = scene, .march = params};
    const uint32_t first = fs_march_nearest(scene, partition, camera->origin);
    const fs_bundle_fn march = fs_bundle_best();
    fs_eye eye;
    bool too_long = false;
    fs_reference_allocate(out, camera->width, camera->height);
    fs_progress progress;
    uint32_t rows = 0;
    fs_progress_begin(&progress, "reference rows", camera->height);
    fs_eye_open(&eye, scene, camera->origin);
#pragma omp parallel
    {
        fs_bundle b;
        fs_bundle_open(&b);
#pragma omp for schedule(dynamic, 1)
        for (uint32_t j = 0; j < camera->height; j++) {
            uint32_t done;
            for (uint32_t begin = 0; begin < camera->width && !fs_interrupted(); begin += FS_BUNDLE_RAYS)
                if (!render_some(&journey, march, &eye, &b, camera, first, begin, j, out)) {
#pragma omp atomic write
                    too_long = true;
                }
#pragma omp atomic capture
            done = ++rows;
            if (omp_get_thread_num() == 0)
                fs_progress_update(&progress, done);
        }
        fs_bundle_close(&b);
    }
    fs_eye_close(&eye);
    fs_progress_end(&progress);
    if (!fs_interrupted() && !too_long)
        return FS_OK;
    fs_reference_free(out);
    return too_long ? fs_fail(err, FS_INPUT, "a ray of the reference crosses too many cells")
                    : fs_fail(err, FS_RUN, "interrupted while rendering the reference");
}
