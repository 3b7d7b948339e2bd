/* k-d partition (design.md section 6, Partition; Appendix B of the paper): at each level every node is cut at
 * its median along the axis with the largest inter-quartile range.
 *
 * The sites are sorted once along each axis by (coordinate, site); then a cut is a stable split of the other
 * two lists, and quartiles are look-ups: exact, without ties left open, and nearly linear for each level.
 */
#include "workloads/foam/partition.h"

#include <stdlib.h>
#include <string.h>

enum { PARALLEL_FROM = 10000 }; /* sites; below, waking the threads takes longer than the work */

typedef struct axes {
    uint32_t sites;
    double *coordinate[3]; /* [sites] by site; never -0, so that equal numbers have equal bits */
    uint32_t *list[3];     /* [sites] each node's range sorted by (coordinate, site) */
    uint32_t *scratch;     /* [sites] */
    uint8_t *is_left;      /* [sites] by site */
} axes;

/* Bits that sort as the numbers do. */
static uint64_t sortable(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits >> 63 ? ~bits : bits | UINT64_C(1) << 63;
}

static void sort_axis(const double *coordinate, uint32_t n, uint32_t *list) {
    uint64_t *key = fs_malloc(n * sizeof *key);
    for (uint32_t i = 0; i < n; i++)
        key[i] = sortable(coordinate[i]);
    fs_partition_sort(key, n, list);
    free(key);
}

/* Quantile q of a node along axis k, interpolated between the two nearest ranks. */
static double quantile(const axes *a, int k, uint32_t begin, uint32_t n, double q) {
    double rank = (double)(n - 1) * q;
    uint32_t low = (uint32_t)rank, high = low + 1 < n ? low + 1 : low;
    double x = a->coordinate[k][a->list[k][begin + low]], y = a->coordinate[k][a->list[k][begin + high]];
    return x + (rank - (double)low) * (y - x);
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

/* Moves the sites of the left half to the front of a list, both halves in their order. */
static void split_list(const axes *a, uint32_t *list, uint32_t begin, uint32_t n) {
    uint32_t left = begin, right = begin;
    for (uint32_t i = begin; i < begin + n; i++) {
        uint32_t site = list[i];
        if (a->is_left[site])
            list[left++] = site;
        else
            a->scratch[right++] = site;
    }
    memcpy(list + left, a->scratch + begin, (right - begin) * sizeof *list);
}

/* Cuts the node [begin, begin + n); returns the axis, along whose list the cut is already made. */
static int cut(const axes *a, uint32_t begin, uint32_t n) {
    int axis = widest_axis(a, begin, n);
    for (uint32_t i = 0; i < n; i++)
        a->is_left[a->list[axis][begin + i]] = i < n / 2;
    for (int k = 0; k < 3; k++)
        if (k != axis)
            split_list(a, a->list[k], begin, n);
    return axis;
}

static void cut_levels(const axes *a, uint32_t shards, uint32_t *order, uint32_t *start) {
    start[0] = 0;
    start[shards] = a->sites;
    for (uint32_t i = 0; i < a->sites; i++)
        order[i] = i; /* of a single shard */
    for (uint32_t width = shards; width > 1; width /= 2) {
#pragma omp parallel for schedule(dynamic, 1) if (a->sites >= PARALLEL_FROM)
        for (uint32_t first = 0; first < shards; first += width) {
            uint32_t begin = start[first], n = start[first + width] - begin;
            int axis = cut(a, begin, n);
            start[first + width / 2] = begin + n / 2;
            if (width == 2)
                memcpy(order + begin, a->list[axis] + begin, n * sizeof *order);
        }
    }
}

static fs_status run(const fs_foam *foam, const fs_partition_params *params, fs_arena *arena,
                     fs_partition *out, fs_error *err) {
    uint32_t shards = (uint32_t)params->shards;
    if ((shards & (shards - 1)) != 0)
        return fs_fail(err, FS_INPUT, "partition: kd halves, so shards must be a power of two, found %u",
                       shards);
    out->shards = out->leaves = shards;
    out->shard_start = FS_NEW(arena, uint32_t, (size_t)shards + 1);
    axes a = {.sites = foam->sites};
    for (int k = 0; k < 3; k++) {
        a.coordinate[k] = fs_malloc(a.sites * sizeof *a.coordinate[k]);
        a.list[k] = fs_malloc(a.sites * sizeof *a.list[k]);
    }
    a.scratch = fs_malloc(a.sites * sizeof *a.scratch);
    a.is_left = fs_malloc(a.sites);
    fs_status status = fs_partition_coordinates(foam, params, a.coordinate, err);
    if (!status) {
#pragma omp parallel for schedule(dynamic, 1) if (a.sites >= PARALLEL_FROM)
        for (int k = 0; k < 3; k++)
            sort_axis(a.coordinate[k], a.sites, a.list[k]);
        cut_levels(&a, shards, out->order, out->shard_start);
    }
    for (int k = 0; k < 3; k++) {
        free(a.coordinate[k]);
        free(a.list[k]);
    }
    free(a.scratch);
    free(a.is_left);
    return status;
}

const fs_partitioner fs_partitioner_kd = {
    .name = "kd",
    .summary = "k-d tree, halves at the median of the axis with the widest quartiles",
    .run = run};
