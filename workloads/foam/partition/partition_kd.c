/* k-d partition (scenes.md 2; RF appendix B): at each level every node is cut at
 * its median along the axis with the largest inter-quartile range.
 *
 * The sites are sorted once along each axis by (coordinate, site); then a cut is a stable split of the other
 * two lists, and quartiles are look-ups: exact, without ties left open, and nearly linear for each level.
 */
#include "sim/base/arith.h"
#include "sim/base/quantile.h"
#include "workloads/foam/partition/partition.h"

#include <stdlib.h>
#include <string.h>

enum { PARALLEL_FROM = 10000 }; /* sites; below, waking the threads takes longer than the work */

typedef struct axes {
    uint32_t sites;
    double *coordinate[3]; /* [sites] by site; never -0, so that equal numbers have equal bits */
    uint32_t *list[3];     /* [sites] each node's range sorted by (coordinate, site) */
    uint32_t *scratch[3];  /* [sites] */
    uint8_t *is_left;      /* [sites] by site */
} axes;

/* Bits that sort as the numbers do. */
static uint64_t sortable(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits >> 63 ? ~bits : bits | UINT64_C(1) << 63;
}

/* The same of a number that is a float's. */
static uint64_t sortable_float(double x) {
    const float narrow = (float)x;
    uint32_t bits;
    memcpy(&bits, &narrow, sizeof bits);
    return bits >> 31 ? ~bits : bits | UINT32_C(1) << 31;
}

/* Coordinates that were not turned are floats still, which sort faster. */
static void sort_axis(const double *coordinate, uint32_t n, uint32_t *list) {
    uint64_t *key = fs_malloc(n * sizeof *key);
    bool floats = true;
    for (uint32_t i = 0; i < n; i++)
        floats &= (double)(float)coordinate[i] == coordinate[i];
    for (uint32_t i = 0; i < n; i++)
        key[i] = floats ? sortable_float(coordinate[i]) : sortable(coordinate[i]);
    fs_order_by_key(key, n, list);
    free(key);
}

/* Quantile q of a node along axis k, interpolated between the two nearest ranks. */
static double quantile(const axes *a, int k, uint32_t begin, uint32_t n, double q) {
    const fs_between where = fs_between_ranks(n, q);
    return fs_between_of(where, a->coordinate[k][a->list[k][begin + where.low]],
                         a->coordinate[k][a->list[k][begin + where.high]]);
}

static int widest_axis(const axes *a, uint32_t begin, uint32_t n) {
    int best = 0;
    double widest = -1.0;
    for (int k = 0; k < 3; k++) {
        double range = quantile(a, k, begin, n, 0.75) - quantile(a, k, begin, n, 0.25);
        if (range > widest) {
            widest = range;
            best = k;
        }
    }
    return best;
}

/* Moves the sites of the left half to the front of a list, both halves in their order. Which half a site is
 * in can't be foreseen, so it is written to both and stays in one. */
static void split_list(const axes *a, int k, uint32_t begin, uint32_t n) {
    uint32_t *list = a->list[k], *scratch = a->scratch[k], left = begin, right = begin;
    for (uint32_t i = begin; i < begin + n; i++) {
        const uint32_t site = list[i], is_left = a->is_left[site];
        list[left] = site;
        scratch[right] = site;
        left += is_left;
        right += 1 - is_left;
    }
    memcpy(list + left, scratch + begin, (right - begin) * sizeof *list);
}

typedef struct shards {
    uint32_t *start; /* [shards + 1] */
    uint32_t *order; /* [sites] */
} shards;

static void cut_node(const axes *a, shards out, uint32_t first, uint32_t width);

/* A side of a cut: one shard keeps the order that the cut left, more are cut again. */
static void finish_side(const axes *a, shards out, int axis, uint32_t first, uint32_t width) {
    const uint32_t begin = out.start[first], n = out.start[first + width] - begin;
    if (width > 1)
        cut_node(a, out, first, width);
    else
        memcpy(out.order + begin, a->list[axis] + begin, n * sizeof *out.order);
}

/* Cuts the node of shards [first, first + width) and what comes of it, deep before wide, so that a half is
 * cut again while the host's caches hold it. Of an odd number of shards the left side gets the smaller half,
 * and of the cells its part, rounded down: then every node of w shards has from w q to w (q + 1) cells, where
 * q is the whole part of all cells over all shards, and shards differ by one cell at most. */
static void cut_node(const axes *a, shards out, uint32_t first, uint32_t width) {
    const uint32_t begin = out.start[first], n = out.start[first + width] - begin, half = width / 2,
                   left = (uint32_t)((uint64_t)n * half / width);
    const int axis = widest_axis(a, begin, n);
    for (uint32_t i = 0; i < n; i++)
        a->is_left[a->list[axis][begin + i]] = i < left;
    const int second = axis == 0 ? 1 : 0, third = axis == 2 ? 1 : 2;
#pragma omp task if (n >= PARALLEL_FROM)
    split_list(a, second, begin, n);
    split_list(a, third, begin, n);
#pragma omp taskwait
    out.start[first + half] = begin + left;
#pragma omp task if (n >= PARALLEL_FROM)
    finish_side(a, out, axis, first, half);
    finish_side(a, out, axis, first + half, width - half);
}

static void cut_all(const axes *a, uint32_t count, shards out) {
    out.start[0] = 0;
    out.start[count] = a->sites;
    if (count == 1) {
        for (uint32_t i = 0; i < a->sites; i++)
            out.order[i] = i;
        return;
    }
#pragma omp parallel if (a->sites >= PARALLEL_FROM)
#pragma omp single
    cut_node(a, out, 0, count);
}

static fs_status run(const fs_foam *foam, const fs_partition_params *params, fs_arena *arena,
                     fs_partition *out, fs_error *err) {
    const uint32_t count = (uint32_t)params->shards;
    out->shards = out->leaves = count;
    out->shard_start = FS_NEW(arena, uint32_t, (size_t)count + 1);
    axes a = {.sites = foam->sites};
    for (int k = 0; k < 3; k++) {
        a.coordinate[k] = fs_malloc(a.sites * sizeof *a.coordinate[k]);
        a.list[k] = fs_malloc(a.sites * sizeof *a.list[k]);
        a.scratch[k] = fs_malloc(a.sites * sizeof *a.scratch[k]);
    }
    a.is_left = fs_malloc(a.sites);
    fs_status status = fs_partition_coordinates(foam, params, a.coordinate, err);
    if (!status) {
#pragma omp parallel for schedule(dynamic, 1) if (a.sites >= PARALLEL_FROM)
        for (int k = 0; k < 3; k++)
            sort_axis(a.coordinate[k], a.sites, a.list[k]);
        cut_all(&a, count, (shards){out->shard_start, out->order});
    }
    for (int k = 0; k < 3; k++) {
        free(a.coordinate[k]);
        free(a.list[k]);
        free(a.scratch[k]);
    }
    free(a.is_left);
    return status;
}

const fs_partitioner fs_partitioner_kd = {
    .name = "kd",
    .summary = "k-d tree, halves at the median of the axis with the widest quartiles; any number of shards",
    .run = run};
