/* A run: paths are walked batch by batch; then the chip that is last runs on the device. */
#ifndef FOAMSIM_WORKLOADS_PATHTRACE_RUN_H
#define FOAMSIM_WORKLOADS_PATHTRACE_RUN_H

#include "sim/host/progress.h"
#include "sim/workload/host_options.h"
#include "sim/workload/run_cost.h"
#include "sim/workload/run_params.h"
#include "workloads/pathtrace/chip.h"
#include "workloads/pathtrace/figures.h"
#include "workloads/pathtrace/record.h"

typedef struct fs_pathtrace_run {
    fs_arena *arena;
    const fs_config *config;
    const fs_host_options *host;
    const fs_run_params *run;
    fs_mesh_scene mesh;
    fs_tree tree;
    fs_walk_scene walk;
    fs_pathtrace_setup setup;
    fs_pathtrace_tracer tracer;
    fs_pathtrace_chip chip;
    fs_pathtrace_row *rows;    /* [n][workers of all rendering tiles] of the batch that is walked */
    uint64_t *slots;           /* the same in slots */
    fs_walk_counts sums;       /* looped: over the drawn samples */
    fs_pathtrace_batch *batch; /* [batches] */
    fs_pathtrace_frame frame;
    fs_recording *replay;                                /* NULL: paths are walked */
    bool prices;                                         /* what is replayed is activity */
    fs_pathtrace_recorded replayed, itinerary, activity; /* read; to be recorded where it is asked for */
    fs_pathtrace_picture picture;                        /* none without all outputs */
    uint64_t worker_events; /* occurrences over all workers: what they add up to over paths */
    fs_run_notes notes;
    fs_run_cost cost;
    fs_progress progress;
} fs_pathtrace_run;

/* Recording, or scene and tree; layout, SRAM: all that is checked before anything is walked. */
fs_status fs_pathtrace_elaborate(fs_pathtrace_run *run, fs_error *err);
/* Walks the paths of all batches, then runs the device. FS_BROKEN when an identity fails. */
fs_status fs_pathtrace_simulate(fs_pathtrace_run *run, fs_error *err);

void fs_pathtrace_run_free(fs_pathtrace_run *run); /* but for its arena */

/* Slots of every worker and sample from its rows. */
void fs_pathtrace_price_rows(const fs_pathtrace_setup *setup, fs_pathtrace_row *rows, uint64_t *slots);

#endif
