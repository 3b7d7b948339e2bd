/* Shards of a cut: their cells, neighbours and bytes, and what a record can address. */
#include "workloads/foam/partition/partition.h"

#include "sim/base/arith.h"

#include <stdlib.h>
#include <string.h>

enum { CELL_BYTES = 24, NEIGHBOUR_BYTES = 16 }; /* ipu.md 7, record sizes */
enum { PARALLEL_FROM = 10000 }; /* sites; below, waking the threads takes longer than the work */
enum { RAY_CELLS_MAX = 65534, RAY_SHARDS_MAX = 65534 };

/* One word for each partitioner: X(NAME) is fs_partitioner_NAME. */
#define PARTITIONERS(X) X(kd) X(octree) X(metis)

#define PARTITIONER(name) &fs_partitioner_##name,
const fs_partitioner *const fs_partitioners[] = {PARTITIONERS(PARTITIONER) NULL};
#define PARTITIONER_NAME(name) #name,
const char *const fs_partitioner_names[] = {PARTITIONERS(PARTITIONER_NAME) NULL};

uint64_t fs_shard_cell_bytes(const fs_shard_size *size) {
    return (uint64_t)size->cells * CELL_BYTES;
}

uint64_t fs_shard_neighbour_bytes(const fs_shard_size *size) {
    return (uint64_t)size->neighbour_cells * NEIGHBOUR_BYTES;
}

uint64_t fs_shard_adjacency_bytes(const fs_shard_size *size) {
    return (uint64_t)size->adjacency * size->adjacency_bytes;
}

uint64_t fs_shard_bytes(const fs_shard_size *size) {
    return fs_shard_cell_bytes(size) + fs_shard_neighbour_bytes(size) + fs_shard_adjacency_bytes(size);
}

/* Marks of one thread: what was last seen by which shard, plus 1; and the shards it saw. */
typedef struct seen {
    uint32_t *cell;  /* [sites] */
    uint32_t *shard; /* [shards] */
    uint32_t *near;  /* [shards] neighbours of the shard being measured */
} seen;

/* outward: entries that name a cell of another shard. */
static fs_shard_size measure(const fs_foam *foam, const fs_partition *p, const uint32_t *shard_of,
                             uint32_t shard, const seen *marks, uint64_t *outward) {
    fs_shard_size size = {.cells = p->shard_start[shard + 1] - p->shard_start[shard]};
    for (uint32_t place = p->shard_start[shard]; place < p->shard_start[shard + 1]; place++) {
        const uint32_t site = p->order[place];
        const uint64_t begin = fs_foam_begin(foam, site), end = foam->adjacency_end[site];
        size.adjacency += (uint32_t)(end - begin);
        for (uint64_t f = begin; f < end; f++) {
            const uint32_t neighbour = foam->adjacency[f], owner = shard_of[neighbour];
            if (owner == shard)
                continue;
            ++*outward;
            if (marks->cell[neighbour] == shard + 1)
                continue;
            marks->cell[neighbour] = shard + 1;
            size.neighbour_cells++;
            if (marks->shard[owner] != shard + 1)
                marks->near[size.neighbour_shards++] = owner;
            marks->shard[owner] = shard + 1;
        }
    }
    size.adjacency_bytes = (uint64_t)size.cells + size.neighbour_cells >= 65536 ? 4 : 2;
    return size;
}

/* Lays the shards' lists of neighbours one after the other, each ascending. */
static void join_neighbours(fs_partition *p, uint32_t **near, fs_arena *arena) {
    p->neighbour_start = FS_NEW(arena, uint32_t, (size_t)p->shards + 1);
    for (uint32_t s = 0; s < p->shards; s++)
        p->neighbour_start[s + 1] = p->neighbour_start[s] + p->size[s].neighbour_shards;
    p->neighbour = FS_NEW(arena, uint32_t, p->neighbour_start[p->shards]);
    for (uint32_t s = 0; s < p->shards; s++) {
        uint32_t *list = p->neighbour + p->neighbour_start[s], count = p->size[s].neighbour_shards;
        memcpy(list, near[s], count * sizeof *list);
        qsort(list, count, sizeof *list, fs_by_u32);
        free(near[s]);
    }
}

/* Places, sizes and neighbours. */
static void measure_all(const fs_foam *foam, fs_partition *p, fs_arena *arena) {
    uint32_t *shard_of = fs_malloc(foam->sites * sizeof *shard_of);
    uint32_t **near = fs_malloc(p->shards * sizeof *near);
#pragma omp parallel for schedule(static) if (foam->sites >= PARALLEL_FROM)
    for (uint32_t shard = 0; shard < p->shards; shard++)
        for (uint32_t place = p->shard_start[shard]; place < p->shard_start[shard + 1]; place++) {
            p->place[p->order[place]] = place;
            shard_of[p->order[place]] = shard;
        }
    uint64_t outward = 0;
#pragma omp parallel reduction(+ : outward) if (foam->sites >= PARALLEL_FROM)
    {
        seen mine = {fs_calloc(foam->sites, sizeof *mine.cell), fs_calloc(p->shards, sizeof *mine.shard),
                     fs_malloc(p->shards * sizeof *mine.near)};
#pragma omp for schedule(dynamic, 1)
        for (uint32_t shard = 0; shard < p->shards; shard++) {
            p->size[shard] = measure(foam, p, shard_of, shard, &mine, &outward);
            size_t bytes = p->size[shard].neighbour_shards * sizeof *mine.near;
            near[shard] = memcpy(fs_malloc(bytes), mine.near, bytes);
        }
        free(mine.cell);
        free(mine.shard);
        free(mine.near);
    }
    p->cut = outward / 2; /* each pair stands in the lists of both */
    join_neighbours(p, near, arena);
    free(near);
    free(shard_of);
}

/* Shards without cells behind the others, so that each tracer has one. */
static void make_up(fs_partition *p, uint32_t shards, fs_arena *arena) {
    uint32_t *start = FS_NEW(arena, uint32_t, (size_t)shards + 1);
    memcpy(start, p->shard_start, ((size_t)p->shards + 1) * sizeof *start);
    for (uint32_t s = p->shards; s < shards; s++)
        start[s + 1] = start[p->shards];
    p->shards = shards;
    p->shard_start = start;
}

fs_status fs_partition_make(const fs_partitioner *partitioner, const fs_foam *foam,
                            const fs_partition_params *params, fs_arena *arena, fs_partition *out,
                            fs_error *err) {
    if (params->shards < 1)
        return fs_fail(err, FS_INPUT, "partition: %lld shards, expected at least 1",
                       (long long)params->shards);
    if (params->shards > (int64_t)foam->sites)
        return fs_fail(err, FS_INPUT,
                       "partition: %lld shards of a scene with %u cells (hint: fewer shards, or more cells)",
                       (long long)params->shards, foam->sites);
    const char *why = partitioner->refuses == NULL ? NULL : partitioner->refuses(params, arena);
    if (why != NULL)
        return fs_fail(err, FS_INPUT, "partition: %s", why);
    *out = (fs_partition){.order = FS_NEW(arena, uint32_t, foam->sites),
                          .place = FS_NEW(arena, uint32_t, foam->sites)};
    fs_status status = partitioner->run(foam, params, arena, out, err);
    if (status)
        return status;
    if (params->exact && out->shards < params->shards)
        make_up(out, (uint32_t)params->shards, arena);
    FS_ASSERT(!params->exact || out->shards == params->shards, "%s made %u shards", partitioner->name,
              out->shards);
    out->size = FS_NEW(arena, fs_shard_size, out->shards);
    measure_all(foam, out, arena);
    return FS_OK;
}

fs_status fs_partition_check_record(const fs_partition *p, fs_error *err) {
    if (p->shards > RAY_SHARDS_MAX)
        return fs_fail(err, FS_INPUT, "partition: %u shards, but a ray's 16-bit record can name %d",
                       p->shards, RAY_SHARDS_MAX);
    for (uint32_t shard = 0; shard < p->shards; shard++)
        if (p->size[shard].cells > RAY_CELLS_MAX)
            return fs_fail(
                err, FS_INPUT,
                "partition: shard %u has %u cells, but a ray's 16-bit record can name %d (hint: more "
                "shards)",
                shard, p->size[shard].cells, RAY_CELLS_MAX);
    return FS_OK;
}
