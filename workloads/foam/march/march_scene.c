/* From a foam and its partition to cells by place. */
#include "sim/base/alloc.h"
#include "workloads/foam/march/march.h"

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
