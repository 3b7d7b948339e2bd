#include "tests/support/foam/lone_ray.h"

#include "workloads/paths/walk/search.h"

fs_walk_hit lone_ray_nearest(const fs_walk_scene *walk, const fs_walk_ray *ray) {
    search s;
    uint32_t row[FS_WALK_EVENTS] = {0};
    begin_search(&s, walk);
    for (uint32_t g = 0; g < GROUPS; g++)
        s.node[g] = s.end[g] = all_words(walk->nodes);
    s.row[0] = row;
    aim(&s, 0, ray, INFINITY);
    each(s.node)[0] = 0;
    while ((through(&s) & 1) == 0) {
        step(&s, 0, walk->node);
        test_leaves(&s);
    }
    s.hit[0].t = s.ray[0].t;
    return s.hit[0];
}
