#include "tests/support/lone_ray.h"

#include "workloads/paths/walk/core.h"

fs_walk_hit lone_ray_nearest(const fs_walk_scene *walk, const fs_walk_ray *ray) {
    batch b;
    begin(&b, walk, NULL);
    b.row[0] = b.spare[0];
    b.state[0].ray = *ray;
    aim(&b, 0);
    while (each(b.node)[0] != b.end) {
        step(&b, 0, walk->node, b.end);
        test_leaves(&b);
    }
    b.hit[0].t = b.ray[0].t;
    return b.hit[0];
}
