/* A run: paths are walked batch by batch; then the chip that is last runs on the device. */
#pragma once

#include "workloads/pathtrace/figures.h"
#include "workloads/pathtrace/record.h"

typedef struct fs_pathtrace_run {
    fs_pathtrace_chip chip; /* with the frame's parts of a run */
    fs_mesh_scene mesh;
    fs_bvh tree;
    fs_walk_scene walk;
    fs_pathtrace_setup setup;
    fs_pathtrace_tracer tracer;
    fs_pathtrace_row *rows;    /* [n][workers of all rendering tiles] of the batch that is walked */
    uint64_t *slots;           /* the same in slots */
    fs_walk_counts sums;       /* looped: over the drawn samples */
    fs_pathtrace_batch *batch; /* [batches] */
    fs_pathtrace_frame frame;
    fs_pathtrace_recorded replayed, itinerary, activity; /* read; to be recorded where it is asked for */
    fs_pathtrace_picture picture;                        /* none without all outputs */
    uint64_t worker_events; /* occurrences over all workers: what they add up to over paths */
    fs_pathtrace_figures figures;
} fs_pathtrace_run;

/* Steps of fs_run_steps. Elaboration: the recording, or scene and tree; layout, SRAM. The simulation: paths of all
 * batches are walked, then the chip runs; FS_BROKEN when an identity fails. */
fs_status fs_pathtrace_elaborate(void *run, fs_error *err);
fs_status fs_pathtrace_simulate(void *run, fs_error *err);
/* Findings, most important first: time, balance, network, streaming, sram, pod, sampling. Rungs: measured;
 * balanced, free_network, free_streaming, free_exchange, all: bounds, as nothing of them changes which paths are
 * walked. */
fs_status fs_pathtrace_conclude(void *run, fs_conclusions *out, fs_error *err);
/* Tables and pictures. */
fs_status fs_pathtrace_write(void *run, fs_results *results, fs_error *err);
void fs_pathtrace_close(void *run);
