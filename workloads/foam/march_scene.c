/* From a foam and its partition to the layout of march.h. */
#include "sim/base/alloc.h"
#include "workloads/foam/march.h"

#include <stdlib.h>

enum { PARALLEL_FROM = 10000 }; /* sites; below, waking the threads takes longer than the work */
enum { NEAR = 2, SHARDS_MAX = 65534, FACES_MAX = 65535 };

static uint32_t blocks_of(uint32_t faces) {
    uint32_t blocks = (faces + FS_MARCH_LANES - 1) / FS_MARCH_LANES;
    return blocks < NEAR ? NEAR : blocks;
}

static uint32_t faces_of(const fs_foam *foam, uint32_t site) {
    return (uint32_t)(foam->adjacency_end[site] - fs_foam_begin(foam, site));
}

/* NULL and an error when there is no memory. Blocks are two cache lines; a cell never straddles one. */
static void *aligned(uint64_t count, size_t size, fs_error *err) {
    void *memory = NULL;
    if (posix_memalign(&memory, 128, (size_t)(count * size)) == 0) {
        fs_prefer_huge_pages(memory, (size_t)(count * size));
        return memory;
    }
    (void)fs_fail(err, FS_MEMORY, "no memory for the march: %llu MiB are needed",
                  (unsigned long long)((count * size) >> 20));
    return NULL;
}

static void empty_block(fs_face_block *block) {
    for (uint32_t lane = 0; lane < FS_MARCH_LANES; lane++) {
        block->x[lane] = block->y[lane] = block->z[lane] = __builtin_nanf("");
        block->cell[lane] = 0;
    }
}

static void fill_cell(const fs_foam *foam, const fs_partition *partition, uint32_t place, uint16_t shard,
                      fs_march_scene *out) {
    uint32_t site = partition->order[place], faces = faces_of(foam, site), blocks = blocks_of(faces);
    const uint8_t *rgb = &foam->rgb[3 * (size_t)site];
    fs_march_cell *c = &out->cell[place]; /* c->more is set */
    *c = (fs_march_cell){.x = foam->x[site],
                         .y = foam->y[site],
                         .z = foam->z[site],
                         .density = foam->density[site],
                         .more = c->more,
                         .faces = (uint16_t)faces,
                         .shard = shard,
                         .rgb = {rgb[0], rgb[1], rgb[2], 0}};
    fs_face_block *near = &out->near[NEAR * (size_t)place], *more = &out->more[c->more];
    for (uint32_t b = 0; b < blocks; b++)
        empty_block(b < NEAR ? near + b : more + (b - NEAR));
    const uint32_t *neighbour = foam->adjacency + fs_foam_begin(foam, site);
    for (uint32_t f = 0; f < faces; f++) {
        uint32_t b = f % blocks, lane = f / blocks, q = neighbour[f];
        fs_face_block *block = b < NEAR ? near + b : more + (b - NEAR);
        block->x[lane] = foam->x[q];
        block->y[lane] = foam->y[q];
        block->z[lane] = foam->z[q];
        block->cell[lane] = partition->place[q];
    }
}

/* Where each cell's further blocks begin. */
static fs_status plan_blocks(const fs_foam *foam, const fs_partition *partition, fs_march_scene *out,
                             fs_error *err) {
    out->more_blocks = 1;
    for (uint32_t place = 0; place < foam->sites; place++) {
        uint32_t site = partition->order[place], faces = faces_of(foam, site);
        if (faces > FACES_MAX)
            return fs_fail(err, FS_INPUT, "site %u has %u neighbours: at most %d are supported", site, faces,
                           FACES_MAX);
        uint32_t further = blocks_of(faces) - NEAR;
        out->cell[place].more = further > 0 ? (uint32_t)out->more_blocks : 0;
        out->more_blocks += further;
    }
    return FS_OK;
}

static fs_status take_memory(const fs_foam *foam, const fs_partition *partition, fs_march_scene *out,
                             fs_error *err) {
    out->cell = aligned(foam->sites, sizeof *out->cell, err);
    if (out->cell == NULL)
        return FS_MEMORY;
    fs_status status = plan_blocks(foam, partition, out, err);
    if (status)
        return status;
    out->near = aligned(NEAR * (uint64_t)foam->sites, sizeof *out->near, err);
    out->more = aligned(out->more_blocks, sizeof *out->more, err);
    return out->near == NULL || out->more == NULL ? FS_MEMORY : FS_OK;
}

fs_status fs_march_scene_make(const fs_foam *foam, const fs_partition *partition, fs_march_scene *out,
                              fs_error *err) {
    *out = (fs_march_scene){.cells = foam->sites,
                            .shards = partition->shards,
                            .faces = foam->faces,
                            .shard_start = partition->shard_start};
    if (partition->shards > SHARDS_MAX)
        return fs_fail(err, FS_INPUT, "%u shards: a ray's 16-bit record can name %d", partition->shards,
                       SHARDS_MAX);
    fs_status status = take_memory(foam, partition, out, err);
    if (status) {
        fs_march_scene_free(out);
        return status;
    }
    empty_block(&out->more[0]);
#pragma omp parallel for schedule(dynamic, 1) if (foam->sites >= PARALLEL_FROM)
    for (uint32_t shard = 0; shard < partition->shards; shard++)
        for (uint32_t place = partition->shard_start[shard]; place < partition->shard_start[shard + 1];
             place++)
            fill_cell(foam, partition, place, (uint16_t)shard, out);
    return FS_OK;
}

void fs_march_scene_free(fs_march_scene *scene) {
    if (scene == NULL)
        return;
    free(scene->cell);
    free(scene->near);
    free(scene->more);
    *scene = (fs_march_scene){0};
}
