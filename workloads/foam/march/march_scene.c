/* From a foam and its partition to cells by place. */
#include "sim/base/alloc.h"
#include "sim/base/fp16.h"
#include "workloads/foam/march/march.h"

#include <math.h>
#include <stdlib.h>

enum { PARALLEL_FROM = 10000 }; /* sites; below, waking the threads takes longer than the work */
enum { SHARDS_MAX = 65534, FACES_MAX = 65535 };

static uint64_t faces_of(const fs_foam *foam, uint32_t site) {
    return foam->adjacency_end[site] - fs_foam_begin(foam, site);
}

static fs_march_cell cell_of(const fs_foam *foam, uint32_t site, uint32_t shard) {
    const uint8_t *rgb = &foam->rgb[3 * (size_t)site];
    return (fs_march_cell){.x = foam->x[site],
                           .y = foam->y[site],
                           .z = foam->z[site],
                           .density = foam->density[site],
                           .list = (uint32_t)fs_foam_begin(foam, site),
                           .faces = (uint16_t)faces_of(foam, site),
                           .shard = (uint16_t)shard,
                           .rgb = {rgb[0], rgb[1], rgb[2], 0},
                           .site = site};
}

fs_status fs_march_scene_make(const fs_foam *foam, const fs_partition *partition, fs_march_scene *out,
                              fs_error *err) {
    *out = (fs_march_scene){0};
    if (partition->shards > SHARDS_MAX)
        return fs_fail(err, FS_INPUT, "%u shards: a ray's 16-bit record can name %d", partition->shards,
                       SHARDS_MAX);
    for (uint32_t site = 0; site < foam->sites; site++)
        if (faces_of(foam, site) > FACES_MAX)
            return fs_fail(err, FS_INPUT, "site %u has %llu neighbours: at most %d are supported", site,
                           (unsigned long long)faces_of(foam, site), FACES_MAX);
    *out = (fs_march_scene){.cells = foam->sites,
                            .shards = partition->shards,
                            .faces = foam->faces,
                            .cell = fs_malloc(foam->sites * sizeof *out->cell),
                            .shard_start = partition->shard_start,
                            .place = partition->place,
                            .adjacency = foam->adjacency};
    fs_prefer_huge_pages(out->cell, foam->sites * sizeof *out->cell);
#pragma omp parallel for schedule(dynamic, 1) if (foam->sites >= PARALLEL_FROM)
    for (uint32_t shard = 0; shard < partition->shards; shard++)
        for (uint32_t place = partition->shard_start[shard]; place < partition->shard_start[shard + 1];
             place++)
            out->cell[place] = cell_of(foam, partition->order[place], shard);
    return FS_OK;
}

void fs_march_scene_free(fs_march_scene *scene) {
    if (scene == NULL)
        return;
    free(scene->cell);
    free(scene->rounded);
    *scene = (fs_march_scene){0};
}

/* ---- coefficients of a cut scene's colours, as tiles store them ---- */

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
