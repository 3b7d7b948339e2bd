/* The nearest hit of one ray by workloads/paths/walk/search.h: all other rays are idle. */
#pragma once

#include "workloads/paths/walk/walk_private.h"

fs_walk_hit lone_ray_nearest(const fs_walk_scene *walk, const fs_walk_ray *ray);
