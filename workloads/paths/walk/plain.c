/* Paths on hosts of any kind. */
#include "workloads/paths/walk/core.h"

LANES void fs_walk_list_plain(const fs_walk_scene *walk, const fs_walk_list *list) {
    walk_list(walk, list);
}
