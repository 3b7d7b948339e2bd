/* The frame of a file turned, scaled and moved into that of the scene. k-d shards are cut along the scene's
 * axes, so the frame is part of what a partition depends on. */
#include "workloads/scene/clouds/cloud.h"

#include <math.h>

/* Products of rows may be off by that part of their square: what a file with six decimals can say. */
static const double tolerance = 1e-4;

static double length(const double row[3]) {
    return sqrt(row[0] * row[0] + row[1] * row[1] + row[2] * row[2]);
}

fs_status fs_transform_check(const double m[16], fs_error *err) {
    double square = m[0] * m[0] + m[1] * m[1] + m[2] * m[2];
    bool right = square > 0 && m[12] == 0 && m[13] == 0 && m[14] == 0 && m[15] == 1;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j <= i; j++) {
            const double *a = m + (ptrdiff_t)4 * i, *b = m + (ptrdiff_t)4 * j;
            double product = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
            right = right && fabs(product - (i == j ? square : 0)) <= tolerance * square;
        }
    double volume = m[0] * (m[5] * m[10] - m[6] * m[9]) - m[1] * (m[4] * m[10] - m[6] * m[8]) +
                    m[2] * (m[4] * m[9] - m[5] * m[8]);
    if (right && volume > 0)
        return FS_OK;
    return fs_fail(
        err, FS_INPUT,
        "scene.import.transform: expected three rows [s R, t] with a rotation R and one s > 0, and a "
        "last row 0 0 0 1; found rows of lengths %g, %g and %g, a determinant of %g, and a last row %g %g "
        "%g %g",
        length(m), length(m + 4), length(m + 8), volume, m[12], m[13], m[14], m[15]);
}

void fs_sites_transform(fs_sites *sites, const double m[16]) {
    const double scale = length(m);
    for (uint32_t i = 0; i < sites->count; i++) {
        const double p[3] = {(double)sites->x[i], (double)sites->y[i], (double)sites->z[i]};
        sites->x[i] = (float)(m[0] * p[0] + m[1] * p[1] + m[2] * p[2] + m[3]);
        sites->y[i] = (float)(m[4] * p[0] + m[5] * p[1] + m[6] * p[2] + m[7]);
        sites->z[i] = (float)(m[8] * p[0] + m[9] * p[1] + m[10] * p[2] + m[11]);
        if (!sites->density_is_opacity)
            sites->density[i] = (float)((double)sites->density[i] / scale);
    }
}
