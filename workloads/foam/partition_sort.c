/* What partitioners share: the sites' coordinates, turned level, and an order without ties. */
#include "workloads/foam/partition.h"

#include <stdlib.h>
#include <string.h>

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
    fs_status status = params->rotate_given ? rotation_of(params, m, err) : FS_OK;
    if (status)
        return status;
    for (int k = 0; k < 3; k++) {
        const double *row = m + 3 * k;
        for (uint32_t i = 0; i < foam->sites; i++)
            axis[k][i] =
                ((row[0] * (double)foam->x[i] + row[1] * (double)foam->y[i]) + row[2] * (double)foam->z[i]) +
                0.0; /* -0 + 0 = +0 */
    }
    return FS_OK;
}

typedef struct keyed {
    uint64_t key;
    uint32_t site;
} keyed;

/* Stable radix sort from the lowest byte; bytes that are the same everywhere are passed over. */
void fs_partition_sort(const uint64_t *key, uint32_t n, uint32_t *list) {
    keyed *from = fs_malloc(n * sizeof *from), *to = fs_malloc(n * sizeof *to);
    for (uint32_t i = 0; i < n; i++)
        from[i] = (keyed){key[i], i};
    for (unsigned shift = 0; shift < 64; shift += 8) {
        uint32_t start[256] = {0}, sum = 0;
        for (uint32_t i = 0; i < n; i++)
            start[from[i].key >> shift & 255u]++;
        if (start[from[0].key >> shift & 255u] == n)
            continue;
        for (int b = 0; b < 256; b++) {
            uint32_t count = start[b];
            start[b] = sum;
            sum += count;
        }
        for (uint32_t i = 0; i < n; i++)
            to[start[from[i].key >> shift & 255u]++] = from[i];
        keyed *swap = from;
        from = to;
        to = swap;
    }
    for (uint32_t i = 0; i < n; i++)
        list[i] = from[i].site;
    free(from);
    free(to);
}
