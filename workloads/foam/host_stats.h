/* What a run cost the host: host.json, the one file that may differ between two runs of the same
 * configuration. */
#ifndef FOAMSIM_WORKLOADS_FOAM_HOST_STATS_H
#define FOAMSIM_WORKLOADS_FOAM_HOST_STATS_H

#include "sim/base/host.h"
#include "sim/stats/stats.h"

#include <stdint.h>

typedef struct fs_host_figures {
    double wall_seconds, cpu_seconds, write_seconds;
    double scene_seconds, partition_seconds, reference_seconds, march_seconds, simulation_seconds,
        statistics_seconds;
    double march_cpu_seconds, iterations_cpu_seconds;
    uint64_t peak_rss_bytes, threads, kernel_activations;
    double ray_hops_per_second, slowdown;
    const char *version, *compiler, *march;
} fs_host_figures;

extern const fs_stat_table fs_foam_host_stats;

#endif
