/* The workload `gaussians`: 3D Gaussians on a mesh of tiles (docs/gaussians.md). */
#pragma once

#include "sim/results/page_plan.h"
#include "sim/workload/workload.h"

extern const fs_workload fs_workload_gaussians;
extern const fs_param_table fs_gaussians_table;
extern const fs_stat_table fs_gaussians_stats;
extern const fs_page_plan fs_gaussians_page;
