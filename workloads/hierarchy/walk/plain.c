/* Ways of a ray on hosts of any kind. */
#include "workloads/hierarchy/walk/core.h"

const fs_unit_walk_ways fs_unit_walk_plain = {walk_one, walk_down, walk_every};
