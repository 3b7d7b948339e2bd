/* The traffic workload as the rest of foamsim knows it: synthetic rays without a scene, from every tracer to
 * every tracer, to see what a network carries. Descriptors for the registry. */
#pragma once

#include "sim/workload/workload.h"

extern const fs_workload fs_workload_traffic;     /* workload.kind: traffic */
extern const fs_param_table fs_traffic_table;     /* its parameters */
extern const fs_stat_table fs_traffic_stats;      /* summary.json, stats.csv */
extern const struct fs_page_plan fs_traffic_page; /* page.json */
extern const fs_stat_table fs_traffic_host_stats; /* host.json */
