/* Coefficients of a cut scene's colours, as tiles store them. */
#include "workloads/foam/march/march.h"

#include "sim/base/alloc.h"
#include "sim/base/fp16.h"

#include <math.h>

const char *const fs_march_store_names[] = {"f32", "f16", "u8", NULL};

uint64_t fs_march_store_bytes(uint32_t degree, int64_t store, uint64_t cells) {
    static const uint64_t bytes[] = {[FS_MARCH_F32] = 4, [FS_MARCH_F16] = 2, [FS_MARCH_U8] = 1};
    enum { RANGE = 2 * 2 }; /* offset and step as fp16 */
    const uint64_t coefficients = fs_harmonics_coefficients(degree);
    return coefficients * (bytes[store] * cells + (store == FS_MARCH_U8 && cells > 0 ? RANGE : 0));
}

/* One coefficient of a shard's cells as bytes: step by step from the least value to the greatest. */
static void round_u8(const fs_march_scene *scene, uint32_t begin, uint32_t end, float *at, uint32_t stride) {
    enum { STEPS = 255 };
    float least = INFINITY, most = -INFINITY;
    for (uint32_t place = begin; place < end; place++) {
        const float value = at[(size_t)scene->cell[place].site * stride];
        least = value < least ? value : least;
        most = value > most ? value : most;
    }
    const float offset = fs_f16_round(least), step = fs_f16_round((most - offset) / STEPS);
    for (uint32_t place = begin; place < end; place++) {
        float *value = &at[(size_t)scene->cell[place].site * stride];
        float steps = step > 0.0f ? rintf((*value - offset) / step) : 0.0f;
        steps = steps > 0.0f ? steps : 0.0f;
        *value = offset + step * (steps < (float)STEPS ? steps : (float)STEPS);
    }
}

void fs_march_scene_colour(fs_march_scene *scene, const fs_foam *foam, uint32_t degree, int64_t store) {
    const uint32_t stride = fs_harmonics_coefficients(degree), all = fs_harmonics_coefficients(foam->degree);
    FS_ASSERT(degree > 0 && degree <= foam->degree, "degree %u of a foam of degree %u", degree, foam->degree);
    scene->exact = scene->stored = (fs_march_colours){.degree = degree, .stride = all, .of = foam->harmonics};
    if (store == FS_MARCH_F32)
        return;
    float *rounded = scene->rounded = fs_malloc((size_t)scene->cells * stride * sizeof *rounded);
#pragma omp parallel for schedule(static)
    for (uint32_t site = 0; site < scene->cells; site++)
        for (uint32_t k = 0; k < stride; k++) {
            const float value = foam->harmonics[(size_t)site * all + k];
            rounded[(size_t)site * stride + k] = store == FS_MARCH_F16 ? fs_f16_round(value) : value;
        }
#pragma omp parallel for schedule(dynamic, 1) if (store == FS_MARCH_U8)
    for (uint32_t shard = 0; shard < scene->shards; shard++)
        for (uint32_t k = 0; k < stride && store == FS_MARCH_U8; k++)
            round_u8(scene, scene->shard_start[shard], scene->shard_start[shard + 1], rounded + k, stride);
    scene->stored = (fs_march_colours){.degree = degree, .stride = stride, .of = rounded};
}
