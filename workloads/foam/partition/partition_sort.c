/* What partitioners share: the sites' coordinates, turned level. */
#include "workloads/foam/partition/partition.h"

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
