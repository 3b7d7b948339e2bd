/* One segment by itself. */
#include "workloads/paths/walk/triangles.h"

/* Of four lanes the same triangle; one is looked at. */
static void test_triangle(const fs_walk_scene *walk, uint32_t leaf, const fs_walk_ray *ray, fs_walk_hit *hit,
                          uint32_t *counts) {
    static const fs_walk_event end_event[TRIANGLE_ENDS] = {FS_WALK_EDGE_EXIT, FS_WALK_RANGE_EXIT,
                                                           FS_WALK_TRIANGLE, FS_WALK_TRIANGLE};
    const turned_ray one = turned_for(ray, hit->t);
    const float *record[LANE_COUNT], *of_ray[LANE_COUNT];
    floats share[3];
    ints ends;
    for (uint32_t i = 0; i < LANE_COUNT; i++) {
        record[i] = walk->leaf[leaf].a;
        of_ray[i] = one.origin;
    }
    const rays same = rays_of(of_ray);
    const float t = test_triangles(&same, record, &ends, share)[0];
    counts[FS_WALK_SHEAR]++;
    counts[end_event[ends[0]]]++;
    if (ends[0] != MET)
        return;
    counts[walk->leaf[leaf].smooth ? FS_WALK_SMOOTH : FS_WALK_NORMAL]++;
    if (t < hit->t || (t == hit->t && leaf < hit->leaf))
        *hit = (fs_walk_hit){.t = t, .leaf = leaf, .share = {share[0][0], share[1][0], share[2][0]}};
}

void fs_walk_test_leaf(const fs_walk_scene *walk, uint32_t leaf, const fs_walk_ray *ray, fs_walk_hit *hit,
                       uint32_t *counts) {
    counts[FS_WALK_LEAF]++;
    if (walk->leaf[leaf].shape == FS_WALK_IS_TRIANGLE) {
        test_triangle(walk, leaf, ray, hit, counts);
        return;
    }
    const float t = fs_walk_test_round(&walk->leaf[leaf], ray, counts);
    if (t < hit->t || (t == hit->t && leaf < hit->leaf))
        *hit = (fs_walk_hit){.t = t, .leaf = leaf};
}

void fs_walk_subtree(const fs_walk_scene *walk, uint32_t root, const fs_walk_ray *ray, fs_walk_hit *hit,
                     uint32_t *counts) {
    const uint32_t end = walk->node[root].skip;
    uint32_t nodes = 0, axes = 0, inner = 0;
    for (uint32_t n = root; n != end; nodes++) {
        const fs_walk_node *node = &walk->node[n];
        float entry;
        if (!fs_walk_meets_box(node, ray, hit->t, &entry, &axes)) {
            n = node->skip;
            continue;
        }
        if (node->leaf == FS_WALK_NO_LEAF) {
            inner++;
            n++;
            continue;
        }
        fs_walk_test_leaf(walk, node->leaf, ray, hit, counts);
        n = node->skip;
    }
    counts[FS_WALK_NODE] += nodes;
    counts[FS_WALK_AXIS] += axes;
    counts[FS_WALK_INNER] += inner;
}
