/* Empty sites for imported points: without them the cells of surface sites fill the whole space, and every
 * ray ends in its first cells (scenes.md 3). */
#include "sim/base/alloc.h"
#include "sim/base/arith.h"
#include "sim/base/detmath.h"
#include "sim/base/quantile.h"
#include "workloads/scene/clouds/cloud.h"
#include "workloads/scene/sites/sites.h"

#include <math.h>
#include <stdlib.h>

enum { NEIGHBOURS = 6, PLANE_POINTS = 10 };

static const uint8_t black[3] = {0, 0, 0};

/* Eigenvectors of a symmetric matrix by Jacobi rotations, that of the smallest eigenvalue first. */
static void eigenvectors(double m[3][3], fs_v3 axis[3]) {
    double v[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int sweep = 0; sweep < 12; sweep++)
        for (int p = 0; p < 2; p++)
            for (int q = p + 1; q < 3; q++) {
                if (fabs(m[p][q]) < 1e-300)
                    continue;
                double theta = (m[q][q] - m[p][p]) / (2 * m[p][q]);
                double t = (theta >= 0 ? 1 : -1) / (fabs(theta) + sqrt(theta * theta + 1));
                double c = 1 / sqrt(t * t + 1), s = t * c;
                for (int k = 0; k < 3; k++) {
                    double a = m[k][p], b = m[k][q];
                    m[k][p] = c * a - s * b;
                    m[k][q] = s * a + c * b;
                }
                for (int k = 0; k < 3; k++) {
                    double a = m[p][k], b = m[q][k], va = v[k][p], vb = v[k][q];
                    m[p][k] = c * a - s * b;
                    m[q][k] = s * a + c * b;
                    v[k][p] = c * va - s * vb;
                    v[k][q] = s * va + c * vb;
                }
            }
    int least = m[1][1] < m[0][0] ? 1 : 0;
    least = m[2][2] < m[least][least] ? 2 : least;
    for (int k = 0; k < 3; k++) {
        int from = (least + k) % 3;
        axis[k] = (fs_v3){v[0][from], v[1][from], v[2][from]};
    }
}

/* Main axes of the spread of the points around point i. */
static void neighbourhood_axes(const fs_sites *cloud, const fs_nearby *tree, uint32_t i, fs_v3 axis[3]) {
    uint32_t near[PLANE_POINTS];
    double d2[PLANE_POINTS], m[3][3] = {{0}};
    const double p[3] = {(double)cloud->x[i], (double)cloud->y[i], (double)cloud->z[i]};
    uint32_t n = fs_nearby_nearest(tree, p, i, PLANE_POINTS, near, d2);
    double scale = n > 0 && d2[n - 1] > 0 ? 1 / sqrt(d2[n - 1]) : 1;
    for (uint32_t k = 0; k < n; k++) {
        const double d[3] = {((double)cloud->x[near[k]] - p[0]) * scale,
                             ((double)cloud->y[near[k]] - p[1]) * scale,
                             ((double)cloud->z[near[k]] - p[2]) * scale};
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++)
                m[a][b] += d[a] * d[b];
    }
    eigenvectors(m, axis);
}

static double mean_distance(const double d2[], uint32_t n) {
    double sum = 0;
    for (uint32_t k = 0; k < n; k++)
        sum += sqrt(d2[k]);
    return n > 0 ? sum / n : 0;
}

/* At 1.5 times the mean distance to the nearest sites, where no other site is nearer, on both sides of a
 * Gaussian along its smallest axis. A point's extent is not known: its smallest axis is that of its
 * neighbourhood, and at 2.2 times the distance along the other axes further ones end the cells on the rim of
 * a surface. */
static void add_beside(const fs_sites *cloud, const fs_nearby *tree, fs_sites *sites) {
    for (uint32_t i = 0; i < cloud->count; i++) {
        uint32_t near[NEIGHBOURS];
        double d2[NEIGHBOURS];
        const double at[3] = {(double)cloud->x[i], (double)cloud->y[i], (double)cloud->z[i]};
        double mean = mean_distance(d2, fs_nearby_nearest(tree, at, i, NEIGHBOURS, near, d2));
        fs_v3 axis[3] = {{(double)cloud->normal[3 * i], (double)cloud->normal[3 * i + 1],
                          (double)cloud->normal[3 * i + 2]}};
        int axes = 1;
        if (fs_v3_dot(axis[0], axis[0]) <= 0) {
            neighbourhood_axes(cloud, tree, i, axis);
            axes = 3;
        }
        for (int k = 0; k < 2 * axes && mean > 0; k++) {
            double away = k < 2 ? 1.5 * mean : 2.2 * mean;
            fs_v3 p = fs_v3_along((fs_v3){at[0], at[1], at[2]}, axis[k / 2], k % 2 == 0 ? -away : away);
            const double q[3] = {p.x, p.y, p.z};
            if (!fs_nearby_any(tree, q, i, away))
                fs_sites_push(sites, p, 0, black);
        }
    }
}

/* ---- isolated points ---- */

uint32_t fs_cloud_flag_isolated(const fs_sites *cloud, double times, uint8_t *flag) {
    fs_nearby *tree = fs_nearby_create(cloud->x, cloud->y, cloud->z, cloud->count);
    double *spacing = fs_malloc(cloud->count * sizeof *spacing);
    uint32_t near[NEIGHBOURS], isolated = 0;
    double d2[NEIGHBOURS], around[NEIGHBOURS];
    for (uint32_t i = 0; i < cloud->count; i++) {
        const double at[3] = {(double)cloud->x[i], (double)cloud->y[i], (double)cloud->z[i]};
        spacing[i] = mean_distance(d2, fs_nearby_nearest(tree, at, i, NEIGHBOURS, near, d2));
    }
    for (uint32_t i = 0; i < cloud->count; i++) {
        const double at[3] = {(double)cloud->x[i], (double)cloud->y[i], (double)cloud->z[i]};
        uint32_t n = fs_nearby_nearest(tree, at, i, NEIGHBOURS, near, d2);
        for (uint32_t k = 0; k < n; k++)
            around[k] = spacing[near[k]];
        qsort(around, n, sizeof *around, fs_by_real);
        flag[i] = n == 0 || spacing[i] <= times * around[n / 2];
        isolated += !flag[i];
    }
    free(spacing);
    fs_nearby_free(tree);
    return isolated;
}

/* The 0.5 ... 99.5 % range of a coordinate, 1.2 times as wide. */
static void wide_range(const float *c, uint32_t count, double *lo, double *hi) {
    double from = fs_quantile(c, count, 0.005), to = fs_quantile(c, count, 0.995), wider = 0.1 * (to - from);
    *lo = from - wider;
    *hi = to + wider;
}

static void add_scatter(const fs_sites *cloud, const fs_nearby *tree, double percent, uint64_t seed,
                        fs_sites *sites) {
    fs_v3 lo, hi;
    wide_range(cloud->x, cloud->count, &lo.x, &hi.x);
    wide_range(cloud->y, cloud->count, &lo.y, &hi.y);
    wide_range(cloud->z, cloud->count, &lo.z, &hi.z);
    uint32_t tries = (uint32_t)(cloud->count * (percent / 100)) + 1;
    double volume = (hi.x - lo.x) * (hi.y - lo.y) * (hi.z - lo.z);
    double spacing = volume > 0 ? fs_pow(volume / tries, 1.0 / 3) : 0;
    fs_rng rng = fs_rng_stream(seed, "import/scatter");
    for (uint32_t i = 0; i < tries; i++) {
        fs_v3 p = fs_v3_random(&rng, lo, hi);
        const double q[3] = {p.x, p.y, p.z};
        if (!fs_nearby_any(tree, q, UINT32_MAX, 2 * spacing))
            fs_sites_push(sites, p, 0, black);
    }
}

void fs_cloud_add_empty(const fs_sites *cloud, double scatter, uint64_t seed, fs_sites *sites) {
    fs_nearby *tree = fs_nearby_create(cloud->x, cloud->y, cloud->z, cloud->count);
    add_beside(cloud, tree, sites);
    add_scatter(cloud, tree, scatter, seed, sites);
    fs_nearby_free(tree);
}

/* A direction, each equally likely: the first point in the unit ball of those drawn in the cube. */
static fs_v3 direction(fs_rng *rng) {
    for (;;) {
        const fs_v3 p = fs_v3_random(rng, (fs_v3){-1, -1, -1}, (fs_v3){1, 1, 1});
        const double length = sqrt(fs_v3_dot(p, p));
        if (length <= 1 && length > 1e-3)
            return (fs_v3){p.x / length, p.y / length, p.z / length};
    }
}

void fs_cloud_add_background(const fs_sites *cloud, uint32_t count, uint64_t seed, fs_sites *sites) {
    static const uint8_t sky[3] = {190, 200, 210};
    const double through_corners = 1.7320508075688772, behind = 1.15,
                 opacity = 0.999; /* the square root of 3 */
    fs_v3 lo, hi;
    wide_range(cloud->x, cloud->count, &lo.x, &hi.x);
    wide_range(cloud->y, cloud->count, &lo.y, &hi.y);
    wide_range(cloud->z, cloud->count, &lo.z, &hi.z);
    fs_rng rng = fs_rng_stream(seed, "import/background");
    for (uint32_t i = 0; i < count; i++) {
        const fs_v3 d = direction(&rng);
        for (int layer = 0; layer < 2; layer++) {
            const double r = through_corners * (layer == 0 ? 0.5 : 0.5 * behind);
            const fs_v3 p = {(lo.x + hi.x) / 2 + r * d.x * (hi.x - lo.x),
                             (lo.y + hi.y) / 2 + r * d.y * (hi.y - lo.y),
                             (lo.z + hi.z) / 2 + r * d.z * (hi.z - lo.z)};
            fs_sites_push(sites, p, layer == 0 ? opacity : 0, layer == 0 ? sky : black);
        }
    }
}
