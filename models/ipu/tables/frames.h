/* Frames of a camera path in one run (docs/design/frames.md): what follows from when each began and was taken. A
 * workload has rules of its own for that, and four times for each frame. */
#pragma once

#include "sim/results/findings.h"
#include "sim/results/ladder.h"
#include "sim/results/page_plan.h"
#include "sim/results/results.h"
#include "sim/stats/stats.h"
#include "sim/workload/run_params.h"

#include <stdbool.h>
#include <stdint.h>

enum { FS_FRAMES_MOST = 64 }; /* of a path */

typedef struct fs_frame { /* device cycles from the start of the run */
    uint64_t begun;       /* the iteration began in which its first ray was made */
    uint64_t made;        /* that of its last ray ended */
    uint64_t complete;    /* that of its last pixel ended */
    uint64_t taken;       /* the host had its picture */
    uint64_t iterations;  /* from that of its first ray to that of its last pixel, both included */
} fs_frame;

typedef struct fs_frames_figures {
    uint64_t count, shown, over_budget;
    double per_second, interval, latency_p50, latency_p95, latency_max, overlap,
        budget; /* seconds, of time */
} fs_frames_figures;
extern const fs_stat_table fs_frames_stats; /* "frames.*" */

/* frame: [count] that were taken, in their order. count 0: no path; then zeros and NAN. */
fs_frames_figures fs_frames_figures_of(const fs_run_path *params, const fs_frame *frame, uint32_t count,
                                       double clock);

/* frames.csv, a row for each; nothing without frames. */
fs_status fs_frames_write(const fs_run_path *params, const fs_frame *frame, uint32_t count, double clock,
                          fs_results *results, fs_error *err);

/* The finding "budget": how many pictures are late, and what the ladder would leave between them. said: the rungs in
 * words. Nothing without frames or rungs. */
void fs_frames_find(const fs_frames_figures *frames, const fs_plan_rung *said, size_t said_count,
                    const fs_rung *rungs, size_t rung_count, fs_findings *out);

/* Of the page: the timeline, left out without frames.csv; a card. */
extern const fs_plan_section fs_frames_section, fs_frames_intervals;
#define FS_FRAMES_CARD                                                                                       \
    FS_PAGE_CARD("frames a second", "{frames.per_second|3}",                                                 \
                 .more = "{frames.over_budget|whole} of {frames.count|whole} later than {frames.budget}; "   \
                         "latency {frames.latency_p50}, at most {frames.latency_max}",                       \
                 .when = "frames.count")
