/* Ways of a ray on hosts with AVX2. */
#define FS_LANES_AVX2
#include "workloads/hierarchy/walk/core.h"

const fs_unit_walk_ways fs_unit_walk_avx2 = {walk_one, walk_down, walk_every};
