/* Itineraries on hosts of any kind. */
#include "workloads/treelets/walk/core.h"

LANES void fs_itineraries_list_plain(const fs_itineraries_list *list) {
    walk_list(list);
}
