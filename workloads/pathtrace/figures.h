/* The figures of a frame: summary.json. */
#ifndef FOAMSIM_WORKLOADS_PATHTRACE_FIGURES_H
#define FOAMSIM_WORKLOADS_PATHTRACE_FIGURES_H

#include "workloads/pathtrace/chip.h"
#include "workloads/pathtrace/trace.h"

typedef struct fs_pathtrace_figures {
    fs_chip_figures chip; /* of the one that is last; energy of all */
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
    double joules_per_path, frames_per_second;
} fs_pathtrace_figures;
extern const fs_stat_table fs_pathtrace_stats;

/* Of a chip that has run. */
fs_pathtrace_figures fs_pathtrace_figures_of(const fs_pathtrace_chip *chip, const fs_pathtrace_frame *frame,
                                             const fs_pathtrace_paths *paths);

#endif
