/* Itineraries on hosts with AVX2. */
#define FS_LANES_AVX2
#include "workloads/treelets/walk/core.h"

LANES void fs_itineraries_list_avx2(const fs_itineraries_list *list) {
    walk_list(list);
}
