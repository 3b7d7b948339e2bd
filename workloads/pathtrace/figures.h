/* The figures of a frame: summary.json. */
#ifndef FOAMSIM_WORKLOADS_PATHTRACE_FIGURES_H
#define FOAMSIM_WORKLOADS_PATHTRACE_FIGURES_H

#include "models/ipu/device_figures.h"
#include "models/ipu/power/power.h"
#include "models/ipu/tables/peak_figures.h"
#include "models/memory/memory_figures.h"
#include "sim/stats/stats.h"
#include "workloads/pathtrace/setup.h"
#include "workloads/pathtrace/trace.h"

typedef struct fs_pathtrace_figures {
    fs_device_figures device; /* of the chip that is last */
    double seconds_per_path, seconds_low, seconds_high, rate, rate_low, rate_high, batch_sample;
    double mean, imbalance;
    double share_walk, share_network, share_render, share_waiting, share_ends, share_copies;
    uint64_t nodes, node_bytes, depth, scene_bytes, degenerate;
    uint64_t parameters, weights, macs, network_steps, network_cycles;
    double network_peak;
    uint64_t paths, traced;
    double segments, nodes_per_segment, tests_per_segment, escaped, stopped, full;
    uint64_t batches, dummies, batch_bytes;
    double useful, stream_seconds, stream_rate, hidden_from;
    bool complete;
    fs_memory_figures memory;
    fs_power_figures power;
    fs_peak_figures peak;
    double joules_per_path, frames_per_second;
} fs_pathtrace_figures;
extern const fs_stat_table fs_pathtrace_stats;      /* "pathtrace" */
extern const fs_stat_table fs_pathtrace_host_stats; /* "pathtrace/host" */

fs_pathtrace_figures fs_pathtrace_figures_of(const fs_pathtrace_setup *setup, const fs_pathtrace_batch *batch,
                                             const fs_pathtrace_frame *frame, const fs_pathtrace_paths *paths,
                                             const fs_device *device);

#endif
