/* What a run cost the host: host.json, the one file that may differ between two runs of the same
 * configuration. */
#ifndef FOAMSIM_WORKLOADS_FOAM_BOOKS_HOST_STATS_H
#define FOAMSIM_WORKLOADS_FOAM_BOOKS_HOST_STATS_H

#include "sim/workload/run_cost.h"

typedef struct fs_host_figures {
    fs_run_cost run;
    double scene_seconds, partition_seconds, march_seconds, statistics_seconds;
    double march_cpu_seconds, iterations_cpu_seconds;
    const char *march;
} fs_host_figures;

extern const fs_stat_table fs_foam_host_stats;

#endif
