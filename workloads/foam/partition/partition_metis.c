#define _GNU_SOURCE /* MAP_ANONYMOUS */
/* Partition of the graph of touching cells by METIS (Karypis and Kumar, SIAM J. Sci. Comput. 20(1), 1998):
 * equal numbers of cells, few pairs of touching cells in different shards. Where k-d cells are boxes, these
 * shards follow the cells' density, and fewer rays leave them.
 *
 * METIS_PartGraphRecursive halves the graph, then each half, and numbers shards as it goes (a half's shards
 * are consecutive), so that for a power of two of shards the numbers are those of a binary tree, as in kd:
 * the first bit is the first cut. The shards under one router of a tree of two or four children are then one
 * part of a cut, and the first cuts, which the upper routers carry, are made where fewest faces are.
 * METIS_PartGraphKway cuts 3 % fewer faces, but more of them at the upper routers.
 *
 * Same bits: METIS 5.1 draws random numbers from the C library's rand after srand(seed), halves graphs with
 * integers, f32 additions, products and comparisons, and calls no function of libm on this way (Kway calls
 * pow and log). All options are set here. So the shards depend on the METIS library and the C library, but on
 * nothing of foamsim's build or threads; another version of METIS may cut elsewhere.
 */
#include "workloads/foam/partition/partition.h"

#include "sim/host/process.h"

#include <metis.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { SEED = 1 };
static const real_t WORK_TOLERANCE = 1.1f; /* a half's work over its share; cells are lumps of it */

const char *const fs_balance_names[] = {[FS_BALANCE_CELLS] = "cells", [FS_BALANCE_WORK] = "work", NULL};

static bool wants_work(const fs_partition_params *params) {
    return params->metis_balance == FS_BALANCE_WORK;
}

/* The foam's adjacency as METIS wants it. */
typedef struct graph {
    idx_t cells;
    idx_t *begin;     /* [cells + 1] into neighbour */
    idx_t *neighbour; /* [faces] */
} graph;

static graph make_graph(const fs_foam *foam) {
    graph g = {.cells = (idx_t)foam->sites,
               .begin = fs_malloc(((size_t)foam->sites + 1) * sizeof *g.begin),
               .neighbour = fs_malloc(foam->faces * sizeof *g.neighbour)};
    g.begin[0] = 0;
    for (uint32_t i = 0; i < foam->sites; i++)
        g.begin[i + 1] = (idx_t)foam->adjacency_end[i];
    for (uint64_t f = 0; f < foam->faces; f++)
        g.neighbour[f] = (idx_t)foam->adjacency[f];
    return g;
}

/* METIS's defaults, said, but for seed and ufactor. */
static void set_options(const fs_partition_params *params, idx_t options[METIS_NOPTIONS]) {
    METIS_SetDefaultOptions(options);
    options[METIS_OPTION_CTYPE] = METIS_CTYPE_SHEM;
    options[METIS_OPTION_IPTYPE] = METIS_IPTYPE_GROW;
    options[METIS_OPTION_RTYPE] = METIS_RTYPE_FM;
    options[METIS_OPTION_NO2HOP] = 0;
    options[METIS_OPTION_NCUTS] = 1;
    options[METIS_OPTION_NITER] = 10;
    options[METIS_OPTION_SEED] = SEED;
    options[METIS_OPTION_UFACTOR] = (idx_t)params->metis_ufactor;
    options[METIS_OPTION_NUMBERING] = 0;
    options[METIS_OPTION_DBGLVL] = 0;
}

/* Weights of the cells where work is balanced too: 1 and the cell's work. A cell with more work than a
 * shard's part of it all, such as the camera's, cannot be halved: it counts as much as that part. NULL: all
 * weigh 1. */
static idx_t *make_weights(const fs_foam *foam, const fs_partition_params *params) {
    if (!wants_work(params))
        return NULL;
    idx_t *weight = fs_malloc((size_t)foam->sites * 2 * sizeof *weight);
    uint64_t all = 0;
    for (uint32_t i = 0; i < foam->sites; i++)
        all += params->work[i];
    const uint64_t part = all / (uint64_t)params->shards + 1;
    for (uint32_t i = 0; i < foam->sites; i++) {
        weight[2 * (size_t)i] = 1;
        weight[2 * (size_t)i + 1] = (idx_t)(params->work[i] < part ? params->work[i] : part);
    }
    return weight;
}

typedef struct call {
    const graph *graph;
    idx_t constraints, *weight, shards;
    real_t *tolerance;
    idx_t *options;
    idx_t *found; /* [cells] shards, then the answer */
} call;

/* METIS catches SIGTERM and leaves by a jump, out of malloc too, whose lock then stays taken for good. So it
 * works in a process of its own. What it finds lies in memory that both see. */
static void work(void *self) {
    call *c = self;
    idx_t edges_cut, cells = c->graph->cells;
    c->found[cells] = METIS_PartGraphRecursive(&cells, &c->constraints, c->graph->begin, c->graph->neighbour,
                                               c->weight, NULL, NULL, &c->shards, NULL, c->tolerance,
                                               c->options, &edges_cut, c->found);
}

/* METIS's answer, as it lies in memory or its process ends. */
static fs_status cut_aside(call *c, idx_t *shard_of, int *answer, fs_error *err) {
    const size_t cells = (size_t)c->graph->cells, bytes = (cells + 1) * sizeof *shard_of;
    fs_process_end end;
    *answer = METIS_ERROR_MEMORY;
    c->found = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (c->found == MAP_FAILED)
        return FS_OK;
    if (fs_process_aside("partition: METIS cannot be started", work, c, 0, &end, err) == FS_OK)
        *answer = end.status == 0 ? (int)c->found[cells] : METIS_ERROR;
    if (err->status == FS_OK && *answer == METIS_OK)
        memcpy(shard_of, c->found, cells * sizeof *shard_of);
    munmap(c->found, bytes);
    return err->status;
}

/* shard_of [cells] */
static fs_status cut(const fs_foam *foam, const fs_partition_params *params, idx_t *shard_of, fs_error *err) {
    graph g = make_graph(foam);
    idx_t *weight = make_weights(foam, params);
    idx_t constraints = weight != NULL ? 2 : 1, shards = (idx_t)params->shards, options[METIS_NOPTIONS];
    real_t tolerance[2] = {1.0f + 0.001f * (real_t)params->metis_ufactor, WORK_TOLERANCE};
    set_options(params, options);
    call c = {&g, constraints, weight, shards, weight != NULL ? tolerance : NULL, options, NULL};
    int answer;
    cut_aside(&c, shard_of, &answer, err);
    free(weight);
    free(g.begin);
    free(g.neighbour);
    if (err->status != FS_OK || answer == METIS_OK)
        return err->status;
    return answer == METIS_ERROR_MEMORY
               ? fs_fail(err, FS_MEMORY, "partition: METIS has not enough memory for %u cells", foam->sites)
               : fs_fail(err, FS_RUN, "partition: METIS failed (%d)", answer);
}

/* Sites by (shard, site). */
static void write_shards(const idx_t *shard_of, uint32_t sites, fs_arena *arena, fs_partition *out) {
    uint32_t *next = fs_malloc(out->shards * sizeof *next);
    out->shard_start = FS_NEW(arena, uint32_t, (size_t)out->shards + 1);
    for (uint32_t i = 0; i < sites; i++)
        out->shard_start[shard_of[i] + 1]++;
    for (uint32_t s = 0; s < out->shards; s++) {
        next[s] = out->shard_start[s];
        out->shard_start[s + 1] += out->shard_start[s];
    }
    for (uint32_t i = 0; i < sites; i++)
        out->order[next[shard_of[i]]++] = i;
    free(next);
}

static fs_status run(const fs_foam *foam, const fs_partition_params *params, fs_arena *arena,
                     fs_partition *out, fs_error *err) {
    if (foam->sites >= IDX_MAX || foam->faces >= IDX_MAX)
        return fs_fail(err, FS_INPUT, "partition: metis counts to %lld, the scene has %llu faces",
                       (long long)IDX_MAX, (unsigned long long)foam->faces);
    out->shards = out->leaves = (uint32_t)params->shards;
    idx_t *shard_of = fs_calloc(foam->sites, sizeof *shard_of);
    fs_status status = out->shards > 1 ? cut(foam, params, shard_of, err) : FS_OK;
    if (!status)
        write_shards(shard_of, foam->sites, arena, out);
    free(shard_of);
    return status;
}

const fs_partitioner fs_partitioner_metis = {
    .name = "metis",
    .summary = "equal shards with few faces between them, by recursive bisection of the cells' graph",
    .wants_work = wants_work,
    .run = run};
