/* The workload `smallpaint`: a published path tracer on Poplar (docs/smallpaint.md). */
#pragma once

#include "sim/results/page_plan.h"
#include "sim/workload/workload.h"

extern const fs_workload fs_workload_smallpaint;
extern const fs_param_table fs_smallpaint_table;
extern const fs_stat_table fs_smallpaint_stats;
extern const fs_page_plan fs_smallpaint_page;
