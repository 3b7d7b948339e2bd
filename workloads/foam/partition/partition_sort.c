/* What partitioners share: the sites' coordinates, turned level, and an order without ties. */
#include "workloads/foam/partition/partition.h"

#include <stdlib.h>
#include <string.h>

enum { PARALLEL_FROM = 10000 }; /* sites; below, waking the threads takes longer than the work */

/* Rotation that takes unit vector a to +z (Rodrigues' formula with v = a x z, c = a . z). */
static void rotation_to_z(const double a[3], double m[9]) {
    double c = a[2], vx = a[1], vy = -a[0];
    if (1.0 + c < 1e-12) { /* half a turn: any axis in the plane will do, x it is */
        static const double half_turn[9] = {1, 0, 0, 0, -1, 0, 0, 0, -1};
        memcpy(m, half_turn, sizeof half_turn);
        return;
    }
    double k = 1.0 / (1.0 + c);
    const double r[9] = {1.0 - vy * vy * k, vx * vy * k, vy, vx * vy * k, 1.0 - vx * vx * k, -vx, -vy, vx, c};
    memcpy(m, r, sizeof r);
}

static fs_status rotation_of(const fs_partition_params *params, double m[9], fs_error *err) {
    const double *n = params->ground_normal;
    double length = __builtin_sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    if (!(length > 1e-150) || !(length < 1e150))
        return fs_fail(err, FS_INPUT, "partition: ground_normal is (%g, %g, %g), expected a direction", n[0],
                       n[1], n[2]);
    const double unit[3] = {n[0] / length, n[1] / length, n[2] / length};
    rotation_to_z(unit, m);
    return FS_OK;
}

fs_status fs_partition_coordinates(const fs_foam *foam, const fs_partition_params *params,
                                   double *const axis[3], fs_error *err) {
    double m[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    fs_status status = params->ground_normal_given ? rotation_of(params, m, err) : FS_OK;
    if (status)
        return status;
#pragma omp parallel for schedule(static) if (foam->sites >= PARALLEL_FROM)
    for (uint32_t i = 0; i < foam->sites; i++)
        for (int k = 0; k < 3; k++) {
            const double *row = m + 3 * (size_t)k;
            axis[k][i] =
                ((row[0] * (double)foam->x[i] + row[1] * (double)foam->y[i]) + row[2] * (double)foam->z[i]) +
                0.0; /* -0 + 0 = +0 */
        }
    return FS_OK;
}

/* ---- order ---- */

enum { DIGIT = 11, VALUES = 1 << DIGIT };

/* Where each value of a digit begins, from how often it comes; false when all have the same. */
static bool starts(uint32_t start[VALUES], uint32_t n) {
    uint32_t sum = 0;
    for (int v = 0; v < VALUES; v++) {
        const uint32_t count = start[v];
        if (count == n)
            return false;
        start[v] = sum;
        sum += count;
    }
    return true;
}

/* Keys of 32 bits, each in one word with its site: stable from the lowest digit on. */
static void sort_packed(uint64_t *from, uint64_t *to, uint32_t n, uint32_t *list) {
    enum { PASSES = 3 };
    static const unsigned shift[PASSES] = {32, 32 + DIGIT, 32 + 2 * DIGIT};
    uint32_t(*start)[VALUES] = fs_calloc(PASSES, sizeof *start);
    for (uint32_t i = 0; i < n; i++)
        for (int p = 0; p < PASSES; p++)
            start[p][from[i] >> shift[p] & (VALUES - 1)]++;
    for (int p = 0; p < PASSES; p++) {
        if (!starts(start[p], n))
            continue;
        for (uint32_t i = 0; i < n; i++)
            to[start[p][from[i] >> shift[p] & (VALUES - 1)]++] = from[i];
        uint64_t *swap = from;
        from = to;
        to = swap;
    }
    for (uint32_t i = 0; i < n; i++)
        list[i] = (uint32_t)from[i];
    free(start);
}

typedef struct keyed {
    uint64_t key;
    uint32_t site;
} keyed;

static void sort_wide(keyed *from, keyed *to, uint32_t n, uint32_t *list) {
    for (unsigned shift = 0; shift < 64; shift += DIGIT) {
        uint32_t start[VALUES] = {0};
        for (uint32_t i = 0; i < n; i++)
            start[from[i].key >> shift & (VALUES - 1)]++;
        if (!starts(start, n))
            continue;
        for (uint32_t i = 0; i < n; i++)
            to[start[from[i].key >> shift & (VALUES - 1)]++] = from[i];
        keyed *swap = from;
        from = to;
        to = swap;
    }
    for (uint32_t i = 0; i < n; i++)
        list[i] = from[i].site;
}

void fs_partition_sort(const uint64_t *key, uint32_t n, uint32_t *list) {
    uint64_t all = 0;
    for (uint32_t i = 0; i < n; i++)
        all |= key[i];
    if (all <= UINT32_MAX) {
        uint64_t *from = fs_malloc(n * sizeof *from), *to = fs_malloc(n * sizeof *to);
        for (uint32_t i = 0; i < n; i++)
            from[i] = key[i] << 32 | i;
        sort_packed(from, to, n, list);
        free(from);
        free(to);
    } else {
        keyed *from = fs_malloc(n * sizeof *from), *to = fs_malloc(n * sizeof *to);
        for (uint32_t i = 0; i < n; i++)
            from[i] = (keyed){key[i], i};
        sort_wide(from, to, n, list);
        free(from);
        free(to);
    }
}
