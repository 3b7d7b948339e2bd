/* The hierarchy workload: rays through a hierarchy of triangles, on a machine of kind `fpga`
 * (docs/facts/fpga_engine.md). */
#pragma once

#include "sim/results/page_plan.h"
#include "sim/workload/workload.h"

extern const fs_param_table fs_hierarchy_table; /* "workload/hierarchy" */
extern const fs_stat_table fs_hierarchy_stats, fs_hierarchy_host_stats;
extern const fs_page_plan fs_hierarchy_page;
extern const fs_workload fs_workload_hierarchy;
