/* A second, plain path tracer: straight from the rules of neural_path_tracing.md 1 and 2, with a stack, a
 * recursion over materials' rules and no data made ready. For tests: what fs_walk_paths gives must be the
 * same, bit for bit and event for event. */
#pragma once

#include "workloads/paths/walk/walk.h"

void naive_path(const fs_mesh_scene *scene, const fs_bvh *tree, const fs_walk_params *params, fs_walk_key key,
                fs_walk_path *path, uint32_t counts[FS_WALK_EVENTS]);

/* The nearest primitive by looking at all of them; UINT32_MAX: none. */
uint32_t naive_nearest(const fs_mesh_scene *scene, const float origin[3], const float direction[3], float *t);
