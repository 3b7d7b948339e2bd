/* More sites than a point cloud has points: structure from motion leaves a few hundred thousand points of a
 * scene whose trained foam has millions of cells.
 */
#include "workloads/scene/clouds/cloud.h"

#include <math.h>

enum { NEIGHBOURS = 6 };

/* Off the line between two points, in parts of their distance: gives surfaces a thickness. */
static const double fuzz = 0.25;

/* A child of point i: somewhere on the first half of the way to a neighbour, coloured between the two. */
static void add_child(fs_sites *to, const fs_sites *from, uint32_t i, uint32_t neighbour, double distance,
                      fs_rng *rng) {
    const uint32_t at = to->count;
    double way = 0.5 * fs_rng_unit(rng), off = fuzz * distance;
    fs_sites_append(to, from, i, 1);
    float *axis[3] = {to->x, to->y, to->z};
    const float *source[3] = {from->x, from->y, from->z};
    for (int k = 0; k < 3; k++) {
        double a = (double)source[k][i], b = (double)source[k][neighbour];
        axis[k][at] = (float)(a + (b - a) * way + off * fs_rng_range(rng, -1, 1));
        double p = from->rgb[(size_t)i * 3 + (size_t)k], q = from->rgb[(size_t)neighbour * 3 + (size_t)k];
        to->rgb[(size_t)at * 3 + (size_t)k] = (uint8_t)(p + (q - p) * way);
    }
}

void fs_cloud_densify(fs_sites *cloud, uint32_t per_point, uint64_t seed) {
    if (per_point <= 1 || cloud->count < 2)
        return;
    fs_sites dense = fs_cloud_create(cloud->count * per_point);
    fs_nearby *tree = fs_nearby_create(cloud->x, cloud->y, cloud->z, cloud->count);
    fs_rng all = fs_rng_stream(seed, "import/densify");
    uint32_t near[NEIGHBOURS];
    double d2[NEIGHBOURS];
    for (uint32_t i = 0; i < cloud->count; i++) {
        const double p[3] = {(double)cloud->x[i], (double)cloud->y[i], (double)cloud->z[i]};
        uint32_t n = fs_nearby_nearest(tree, p, i, NEIGHBOURS, near, d2);
        fs_rng rng = fs_rng_sub(all, i);
        fs_sites_append(&dense, cloud, i, 1);
        for (uint32_t k = 1; k < per_point; k++) {
            uint32_t to = fs_rng_below(&rng, n);
            add_child(&dense, cloud, i, near[to], sqrt(d2[to]), &rng);
        }
    }
    fs_nearby_free(tree);
    fs_sites_free(cloud);
    *cloud = dense;
}
