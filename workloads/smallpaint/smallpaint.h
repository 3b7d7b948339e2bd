/* The workload `smallpaint`: a published path tracer on Poplar (docs/smallpaint.md). */
#ifndef FOAMSIM_WORKLOADS_SMALLPAINT_SMALLPAINT_H
#define FOAMSIM_WORKLOADS_SMALLPAINT_SMALLPAINT_H

#include "sim/results/page_plan.h"
#include "sim/workload/workload.h"

extern const fs_workload fs_workload_smallpaint;
extern const fs_param_table fs_smallpaint_table;
extern const fs_stat_table fs_smallpaint_stats;
extern const fs_page_plan fs_smallpaint_page;

#endif
