/* The workload `gaussians`: 3D Gaussians on a mesh of tiles (docs/gaussians.md). */
#ifndef FOAMSIM_WORKLOADS_GAUSSIANS_GAUSSIANS_H
#define FOAMSIM_WORKLOADS_GAUSSIANS_GAUSSIANS_H

#include "sim/results/page_plan.h"
#include "sim/workload/workload.h"

extern const fs_workload fs_workload_gaussians;
extern const fs_param_table fs_gaussians_table;
extern const fs_stat_table fs_gaussians_stats;
extern const fs_page_plan fs_gaussians_page;

#endif
