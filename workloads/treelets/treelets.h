/* The workload `treelets`: a scene larger than a tile (docs/design/treelets.md). */
#pragma once

#include "sim/results/page_plan.h"
#include "sim/workload/workload.h"

enum { FS_TREELETS_WORKERS = 16 }; /* of a tile, at most */

extern const fs_workload fs_workload_treelets;
extern const fs_param_table fs_treelets_table;
extern const fs_stat_table fs_treelets_stats;
extern const fs_page_plan fs_treelets_page;
