/* What a run cost the host, as far as every workload says it: host.json, the one file that may differ between
 * two runs of the same configuration. */
#ifndef FOAMSIM_SIM_WORKLOAD_RUN_COST_H
#define FOAMSIM_SIM_WORKLOAD_RUN_COST_H

#include "sim/results/results.h"
#include "sim/stats/stats.h"

#include <stdint.h>

typedef struct fs_run_cost {
    double wall_seconds, cpu_seconds, simulation_seconds, write_seconds;
    uint64_t peak_rss_bytes, threads, kernel_activations;
    double ray_hops_per_second, slowdown; /* slowdown: wall seconds over device seconds */
    const char *version, *compiler;
} fs_run_cost;
extern const fs_stat_table fs_run_cost_stats; /* a part of every workload's host.json */

/* What the caller knows at the end of a run. */
typedef struct fs_run_end {
    double started, write_began; /* fs_host_wall_seconds then */
    int threads;
    uint64_t kernel_activations, ray_hops;
    double device_seconds;
} fs_run_end;

/* Fills all of `cost` but simulation_seconds, which has to be there. */
void fs_run_cost_end(fs_run_cost *cost, const fs_run_end *end);

/* Writes host.json: the statistics `table` of `figures`. */
fs_status fs_run_cost_write(const fs_stat_table *table, const void *figures, fs_results *results,
                            fs_error *err);

#endif
