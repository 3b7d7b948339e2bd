/* The tests in plain C: the definition of what vectors do. */
#include "workloads/hierarchy/walk/core.h"

/* The larger of two as vectors take it: `b` where `a` is no number, so a slab that the ray lies in is passed
 * over. */
static inline float larger(float a, float b) {
    return a > b ? a : b;
}

static inline float smaller(float a, float b) {
    return a < b ? a : b;
}

FS_UNIT_WALK_INLINE uint32_t boxes(const fs_hierarchy *tree, const fs_unit_walk_probe *p, uint32_t node,
                                   float limit, float distance[FS_HIERARCHY_WIDTH]) {
    const uint32_t width = tree->width;
    const float *box = tree->box + (size_t)node * 6 * width;
    uint32_t hit = 0;
    for (uint32_t i = 0; i < width; i++) {
        float enters = 0, leaves = INFINITY;
        for (uint32_t a = 0; a < 3; a++) {
            enters = larger((box[p->near_row[a] * width + i] - p->origin[a]) * p->inverse[a], enters);
            leaves = smaller((box[p->far_row[a] * width + i] - p->origin[a]) * p->inverse[a], leaves);
        }
        distance[i] = enters;
        if (enters <= leaves * FS_UNIT_WALK_MARGIN && enters <= limit)
            hit |= (uint32_t)1 << i;
    }
    return hit;
}

FS_UNIT_WALK_INLINE void triangles(const fs_hierarchy *tree, fs_unit_walk_probe *p, uint32_t first,
                                   uint32_t count, float limit) {
    const float *o = p->origin, *d = p->direction;
    for (uint32_t i = first; i < first + count; i++) {
        float v[3], e[3], f[3];
        for (int a = 0; a < 3; a++) {
            v[a] = tree->edge[FS_EDGE_CORNER + a][i];
            e[a] = tree->edge[FS_EDGE_FIRST + a][i];
            f[a] = tree->edge[FS_EDGE_SECOND + a][i];
        }
        const float px = d[1] * f[2] - d[2] * f[1], py = d[2] * f[0] - d[0] * f[2],
                    pz = d[0] * f[1] - d[1] * f[0];
        const float inverse = 1.0f / (px * e[0] + py * e[1] + pz * e[2]);
        const float tx = o[0] - v[0], ty = o[1] - v[1], tz = o[2] - v[2];
        const float u = (px * tx + py * ty + pz * tz) * inverse;
        const float qx = ty * e[2] - tz * e[1], qy = tz * e[0] - tx * e[2], qz = tx * e[1] - ty * e[0];
        const float w = (qx * d[0] + qy * d[1] + qz * d[2]) * inverse;
        const float t = (qx * f[0] + qy * f[1] + qz * f[2]) * inverse;
        if (!(u >= 0 && w >= 0 && u + w <= 1 && t > 0 && t <= limit && t <= p->best.distance))
            continue;
        const uint32_t triangle = tree->triangle[i];
        if (t < p->best.distance || triangle < p->best.triangle)
            p->best = (fs_unit_walk_hit){t, u, w, triangle};
    }
}

FS_UNIT_WALK_INLINE uint32_t farther(const fs_unit_queue *q, uint64_t entry) {
    return fs_queue_farther(q, entry);
}

static const fs_unit_walk_tests tests = {boxes, triangles, farther};

static void walk(const fs_hierarchy *tree, const fs_unit_walk_ray *ray, fs_unit_walk_stop stop,
                 fs_unit_walk_desk *desk, fs_unit_walk_end *end) {
    fs_unit_walk_one(tree, ray, stop, desk, end, &tests);
}

static void depth_first(const fs_hierarchy *tree, const fs_unit_walk_ray *ray, uint32_t *stack,
                        fs_unit_walk_hit *hit, fs_unit_walk_visits *visits) {
    fs_unit_walk_down(tree, ray, stack, hit, visits, &tests);
}

static void brute(const fs_hierarchy *tree, const fs_unit_walk_ray *ray, fs_unit_walk_hit *hit) {
    fs_unit_walk_every(tree, ray, hit, &tests);
}

const fs_unit_walk_ways fs_unit_walk_plain = {walk, depth_first, brute};
