/* Paths on hosts with AVX2. */
#define FS_LANES_AVX2
#include "workloads/paths/walk/core.h"

LANES void fs_walk_list_avx2(const fs_walk_scene *walk, const fs_walk_list *list) {
    walk_list(walk, list);
}
