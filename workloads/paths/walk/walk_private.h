/* Pieces of a path, and lists of paths side by side; of this folder alone. */
#pragma once

#include "workloads/optics/optics.h"
#include "workloads/paths/walk/step.h"

#define FS_WALK_OFFSET (1500.0f * FS_WALK_EPS) /* neural_path_tracing.md 2 */
#define FS_WALK_LEAST  0x1p-100f /* stands for a component of 0: no product with its reciprocal is NaN */

static inline float fs_walk_largest(const float v[3]) {
    const float m = v[0] > v[1] ? v[0] : v[1];
    return m > v[2] ? m : v[2];
}

/* Near to standard normal: twelve bytes of three numbers, summed; mean 0, deviation 1, in steps of 1 / 256. */
static inline float fs_walk_normal(fs_path_random *random) {
    int32_t sum = 0;
    for (int i = 0; i < 3; i++) {
        const uint32_t x = fs_paths_u32(random);
        sum += (int32_t)((x & 255u) + (x >> 8 & 255u) + (x >> 16 & 255u) + (x >> 24));
    }
    return (float)(sum - 1530) * 0x1p-8f;
}

/* Direction of the pixel's camera ray with its Gaussian shift; its origin is 0. */
static inline fs_vec3f fs_walk_camera(const fs_walk_lens *lens, uint32_t pixel, fs_path_random *random) {
    const float dx = lens->jitter * fs_walk_normal(random), dy = lens->jitter * fs_walk_normal(random);
    const uint32_t column = pixel % lens->width, row = pixel / lens->width;
    const float x = (float)column + 0.5f + dx, y = (float)row + 0.5f + dy;
    return fs_vec3f_unit(
        (fs_vec3f){x * lens->scale_x + lens->offset_x, y * lens->scale_y + lens->offset_y, -1.0f});
}

/* ---- lists ---- */

typedef struct fs_walk_list {
    const fs_walk_params *params;
    const fs_walk_lens *lens;
    const fs_walk_key *key; /* [count] */
    uint64_t count;
    fs_walk_path *paths;                /* [count] written */
    uint32_t (*counts)[FS_WALK_EVENTS]; /* [count] written; NULL: nobody asks */
} fs_walk_list;

/* core.h: four paths at a time on any host; eight, on hosts with AVX2 alone. */
void fs_walk_list_plain(const fs_walk_scene *walk, const fs_walk_list *list);
void fs_walk_list_avx2(const fs_walk_scene *walk, const fs_walk_list *list);
