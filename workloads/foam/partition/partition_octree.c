/* Octree partition, which RF appendix B sets against the k-d tree. Two rules, as in the authors'
 * scripts (RFC, scene_partitioning/scripts/octree.py):
 *
 * - by cap: every leaf with more than `octree_cap` cells is split into eight. The root is the bounding box of
 *   the sites, so leaves have its proportions. (Bicycle, 5,000: about 3,500 leaves, 3,874 in the notebook.)
 * - by leaves: the leaf with most cells is split until there are `octree_leaves`, those without a cell
 * counted too. A split adds seven, so 1,024 become 1 + 7 * 147 = 1,030, the published number. The root is the
 * cube around the middle of the box with its longest edge.
 *
 * A split is at the middle of a leaf; a site in the middle plane belongs to the lower half. Leaves without a
 * cell are no shards. What it leaves open: of leaves with equally many cells the first along the
 * Morton curve is split; a leaf of one cell, or with edges of 2^-21 of the root's, is not split.
 *
 * Shards are numbered along the Morton curve (z, y, x of each level), so that shards with near numbers, which
 * a tree of routers puts under one router, are near each other. With the sites sorted along it a node is a
 * range, and splitting finds seven places in it.
 */
#include "sim/base/arith.h"
#include "workloads/foam/partition/partition.h"

#include <stdlib.h>

enum { LEVELS = 21, EDGE = 1 << LEVELS }; /* three times 21 bits fit a 64-bit code */

typedef struct leaf {
    uint32_t begin, cells, depth;
} leaf;

typedef struct octree {
    const uint64_t *code; /* [sites] ascending */
    uint8_t *starts;      /* [sites] a leaf with cells begins here */
    leaf *heap;           /* [sites / 2 + 1] leaves that may be split, the fullest first */
    uint32_t heaped;
    uint32_t leaves, shards; /* all; those with cells */
    uint32_t wanted;         /* shards that there may be */
    uint32_t fitting_leaves; /* most leaves with no more shards than wanted */
    uint32_t fitting_cap;    /* least cap with no more; 0: every one */
} octree;

/* ---- the sites along the curve ---- */

/* Which of the EDGE slices of [low, low + size] x is in; a slice has its upper face, not its lower one. */
static uint32_t slice(double x, double low, double size) {
    double at = size > 0.0 ? (x - low) / size * EDGE : 0.0;
    if (!(at > 0.0))
        return 0;
    if (at >= EDGE)
        return EDGE - 1;
    uint32_t whole = (uint32_t)at;
    return (double)whole == at ? whole - 1 : whole;
}

static void bounds(const double *x, uint32_t n, double *low, double *high) {
    *low = *high = x[0];
    for (uint32_t i = 1; i < n; i++) {
        *low = x[i] < *low ? x[i] : *low;
        *high = x[i] > *high ? x[i] : *high;
    }
}

/* code [n] receives the sites' places on the curve. */
static void codes(double *const axis[3], uint32_t n, bool cube, uint64_t *code) {
    double low[3], high[3], longest = 0.0;
    for (int k = 0; k < 3; k++) {
        bounds(axis[k], n, &low[k], &high[k]);
        longest = high[k] - low[k] > longest ? high[k] - low[k] : longest;
    }
    for (int k = 0; k < 3; k++) {
        const double size = cube ? longest : high[k] - low[k];
        const double from = cube ? (low[k] + high[k]) / 2.0 - longest / 2.0 : low[k];
        for (uint32_t i = 0; i < n; i++)
            code[i] |= fs_morton_bits(slice(axis[k][i], from, size)) << k;
    }
}

/* ---- leaves that may be split: a heap, most cells first, then the first along the curve ---- */

static bool before(const leaf *a, const leaf *b) {
    return a->cells != b->cells ? a->cells > b->cells : a->begin < b->begin;
}

FS_HEAP(heap, leaf, before)

/* ---- splitting ---- */

/* A leaf with cells. */
static void add_leaf(octree *o, leaf l) {
    o->shards++;
    o->starts[l.begin] = 1;
    if (l.cells > 1 && l.depth < LEVELS)
        heap_put(o->heap, &o->heaped, l);
}

/* First place from `begin` on, before `end`, whose octant at this depth is after `octant`. */
static uint32_t end_of_octant(const octree *o, uint32_t begin, uint32_t end, uint32_t depth,
                              uint32_t octant) {
    const unsigned shift = 3 * (LEVELS - 1 - depth);
    while (begin < end) {
        const uint32_t middle = begin + (end - begin) / 2;
        if ((o->code[middle] >> shift & 7u) > octant)
            end = middle;
        else
            begin = middle + 1;
    }
    return begin;
}

static void split(octree *o, leaf l) {
    const uint32_t end = l.begin + l.cells;
    o->shards--;
    o->leaves += 7;
    for (uint32_t octant = 0, at = l.begin; octant < 8; octant++) {
        const uint32_t next = end_of_octant(o, at, end, l.depth, octant);
        if (next > at)
            add_leaf(o, (leaf){at, next - at, l.depth + 1});
        at = next;
    }
    if (o->shards <= o->wanted)
        o->fitting_leaves = o->leaves;
    else if (o->fitting_cap == 0)
        o->fitting_cap = l.cells;
}

/* The fullest leaf is split first by either rule, so that one pass also finds what would have fitted. */
static void grow(octree *o, uint32_t sites, uint64_t cap, uint64_t leaves) {
    o->leaves = o->fitting_leaves = 1;
    add_leaf(o, (leaf){0, sites, 0});
    while (o->heaped > 0 && (cap > 0 ? o->heap[0].cells > cap : o->leaves < leaves))
        split(o, heap_take(o->heap, &o->heaped));
}

static fs_status too_many(const octree *o, const fs_partition_params *p, fs_error *err) {
    if (p->octree_cap > 0)
        return fs_fail(
            err, FS_INPUT,
            "partition: an octree with at most %lld cells in a leaf has %u leaves with cells, but "
            "there are %u tracers (partition.shards); expected partition.octree.cap of at least %u",
            (long long)p->octree_cap, o->shards, o->wanted, o->fitting_cap);
    return fs_fail(err, FS_INPUT,
                   "partition: an octree of %u leaves has %u with cells, but there are %u tracers "
                   "(partition.shards); expected partition.octree.leaves of at most %u",
                   o->leaves, o->shards, o->wanted, o->fitting_leaves);
}

static void write_shards(const octree *o, uint32_t sites, fs_arena *arena, fs_partition *out) {
    out->shards = o->shards;
    out->leaves = o->leaves;
    out->shard_start = FS_NEW(arena, uint32_t, (size_t)o->shards + 1);
    uint32_t shard = 0;
    for (uint32_t place = 0; place < sites; place++)
        if (o->starts[place])
            out->shard_start[shard++] = place;
    out->shard_start[shard] = sites;
}

static fs_status sort_sites(const fs_foam *foam, const fs_partition_params *params, uint32_t *order,
                            uint64_t *sorted, fs_error *err) {
    double *axis[3];
    uint64_t *code = fs_calloc(foam->sites, sizeof *code);
    for (int k = 0; k < 3; k++)
        axis[k] = fs_malloc(foam->sites * sizeof *axis[k]);
    fs_status status = fs_partition_coordinates(foam, params, axis, err);
    if (!status) {
        codes(axis, foam->sites, params->octree_cap == 0, code);
        fs_order_by_key(code, foam->sites, order);
        for (uint32_t i = 0; i < foam->sites; i++)
            sorted[i] = code[order[i]];
    }
    for (int k = 0; k < 3; k++)
        free(axis[k]);
    free(code);
    return status;
}

static fs_status run(const fs_foam *foam, const fs_partition_params *params, fs_arena *arena,
                     fs_partition *out, fs_error *err) {
    uint64_t *code = fs_malloc(foam->sites * sizeof *code);
    octree o = {.code = code,
                .starts = fs_calloc(foam->sites, 1),
                .heap = fs_malloc((foam->sites / 2 + 1) * sizeof *o.heap),
                .wanted = (uint32_t)params->shards};
    fs_status status = sort_sites(foam, params, out->order, code, err);
    if (!status) {
        grow(&o, foam->sites, (uint64_t)params->octree_cap,
             (uint64_t)(params->octree_leaves > 0 ? params->octree_leaves : params->shards));
        if (params->exact && o.shards > o.wanted)
            status = too_many(&o, params, err);
        else
            write_shards(&o, foam->sites, arena, out);
    }
    free(code);
    free(o.starts);
    free(o.heap);
    return status;
}

const fs_partitioner fs_partitioner_octree = {
    .name = "octree",
    .summary = "octree, split by a cap on a leaf's cells or until there are enough leaves",
    .run = run};
