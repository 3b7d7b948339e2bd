/* The figures of a frame: summary.json. */
#pragma once

#include "models/ipu/tables/chip_run.h"
#include "workloads/paths/walk/counts.h"
#include "workloads/pathtrace/setup.h"
#include "workloads/pathtrace/trace.h"

/* The frame on the machine's device: the chip that is last, with all samples of all of its batches. Its books
 * are the account of the frame: time, energy, what each tile did.
 *
 * An iteration is a batch. Stages: the first batch is loaded while tiles read the scene, and copied (first
 * iteration only); tiles of input and output stream beside the samples of the rendering tiles; copies between
 * both; the last batch is saved (last iteration only).
 *
 * A sample's walk is what drawn samples say (frame/frame.h). With a network a drawn sample runs once or twice
 * and counts as often as it stands for (models/ipu/plan.h, repetitions alike). */
typedef struct fs_pathtrace_chip {
    fs_chip_run of; /* without a host a point is priced */
    const fs_pathtrace_setup *setup;
    uint32_t first, steps;          /* number of the sample's first step; of all */
    uint32_t rounds, *sample;       /* of a batch's samples; [rounds] the drawn one */
    uint32_t *tile;                 /* [tiles] ascending: of input and output, then those that render */
    fs_pathtrace_row *row;          /* [render_tiles * workers] of the walk that is counted */
    struct fs_pathtrace_same *same; /* [steps] work that is the same on all of a step's tiles */
    /* The run. */
    const fs_pathtrace_batch *batch; /* [batches] closed */
    const fs_walk_counts *counts;    /* looped: [batches][render_tiles * workers] sums over the drawn samples;
                                        else [batches][n][the same]. NULL: only sums are wanted */
    double share;                    /* fs_pathtrace_share */
    uint32_t number;                 /* of the chip */
} fs_pathtrace_chip;

/* Of a chip that has arena, host and parameters of its run. FS_INPUT when the device refuses its plan. The setup
 * is kept. */
fs_status fs_pathtrace_chip_create(fs_pathtrace_chip *chip, const fs_pathtrace_setup *setup, fs_error *err);
/* With all of the run set. FS_BROKEN when its cycles are not the frame's. */
fs_status fs_pathtrace_chip_run(fs_pathtrace_chip *chip, const fs_pathtrace_frame *frame, fs_error *err);

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
