/* How paths begin and what light they bring; which host walks them how. */
#include "workloads/smallpaint/walk/paths.h"

#include "sim/base/fp16.h"
#include "sim/base/host.h"
#include "workloads/smallpaint/walk/private.h"

/* The sum of four bytes less their mean, over its deviation: sqrt((256^2 - 1) / 12 x 4). */
static float bell(uint32_t four) {
    const int sum = (int)((four & 255u) + (four >> 8 & 255u) + (four >> 16 & 255u) + (four >> 24));
    return (float)(sum - 510) * (1.0f / 147.80054f);
}

fs_paint_start fs_paint_begin(const fs_paint_rules *rules, uint32_t column, uint32_t row, uint64_t sample) {
    fs_paint_start start = {
        .random = fs_paths_random_of(rules->stream, (uint64_t)row * rules->width + column, sample)};
    const float right = fs_f16_round(bell(fs_paths_u32(&start.random))),
                down = fs_f16_round(bell(fs_paths_u32(&start.random)));
    const float half = 0.5f * (float)rules->width;
    const float x = ((float)column + 0.5f + rules->noise * right - half) / half,
                y = (0.5f * (float)rules->height - ((float)row + 0.5f + rules->noise * down)) / half;
    fs_vec3f d = fs_vec3f_unit((fs_vec3f){x, y, -1.0f});
    if (rules->half_rays)
        d = fs_vec3f_unit((fs_vec3f){fs_f16_round(d.x), fs_f16_round(d.y), fs_f16_round(d.z)});
    start.direction = d;
    return start;
}

void fs_paint_accumulate(const fs_primitives *scene, const fs_paint_entry *entry, uint32_t entries,
                         float out[3]) {
    fs_vec3f light = {0, 0, 0};
    for (uint32_t i = entries; i-- > 0;) {
        const fs_paint_entry *e = &entry[i];
        if (e->kind == FS_ENTRY_LIGHT) {
            const fs_vec3f from =
                e->material == scene->materials ? scene->sky : scene->material[e->material].emission;
            light = fs_vec3f_add(light, fs_vec3f_scale(from, e->weight));
        } else {
            if (e->kind == FS_ENTRY_DIFFUSE)
                light = fs_vec3f_mul(light, scene->material[e->material].colour);
            light = fs_vec3f_scale(light, e->weight);
        }
    }
    out[0] = light.x;
    out[1] = light.y;
    out[2] = light.z;
}

void fs_paint(const fs_paint_rules *rules, const fs_paint_job *job) {
    (fs_host_has_avx2() ? fs_paint_avx2 : fs_paint_plain)(rules, job);
}
