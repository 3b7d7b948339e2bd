/* Sweeps on a Slurm cluster: the points of a store that are open go out as job arrays, their results come
 * back as one file a point and are merged into the store. docs/cluster.md is the user's side.
 *
 *     STORE.cluster/          beside the store, on a file system that the nodes share; nobody but the
 *       lock                  submitting side ever opens the store itself
 *       0001/                 a submission: one job array
 *         array.sh            what sbatch was given
 *         submission.json     the job's name, the model version, the number of tasks
 *         job                 the job's number, once sbatch gave it
 *         chunk-0.json ...    the points of each task, in the order of running
 *         results/KEY.json    a point's result: written under another name, synced, renamed
 *         starts/KEY          one byte for each time that the point was begun
 *         log/0.txt ...       what each task said
 *         closed              nothing of it is in the queue and everything it left is in the store
 *
 * What is known of a point is, in this order: its state in the store, its result file, the state of its task
 * in squeue. Neither an accounting database nor scontrol is asked.
 */
#pragma once

#include "sim/base/error.h"
#include "sim/stats/stats.h"
#include "sim/store/store.h"
#include "sim/workload/workload.h"

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

/* ---- the submitting side ---- */

typedef struct fs_cluster_options {
    const char *partition, *account, *time, *memory; /* as sbatch takes them; NULL: the cluster's defaults */
    int64_t cpus;                                    /* of each task */
    int64_t array_limit;                             /* most tasks of one array */
    int64_t tasks_at_once;                           /* 0: as many as the cluster gives */
    double chunk_seconds;                            /* expected work of one task */
} fs_cluster_options;

/* Runs the open points of a sweep that the store knows (name NULL: the latest) on the cluster, waits, and
 * merges what arrives. Points that an earlier submission still has in the queue are not sent again, only
 * waited for. When an array is over and points are open (their node failed for good, their task ran out of
 * time), the rest goes again, as long as that finishes any. The store is held for writing only while results
 * go in. SIGINT and SIGTERM (after fs_catch_signals): the
 * jobs stay, FS_RUN "interrupted" with the words how to go on. Errors: FS_INPUT when there is no Slurm here
 * or sbatch refuses, FS_RUN when points stay open. */
fs_status fs_cluster_sweep(const char *store, const char *sweep, const fs_cluster_options *options,
                           const fs_registry *registry, fs_error *err);

/* Ends what the store has in the queue, after merging what has arrived; reports how much. */
fs_status fs_cluster_cancel(const char *store, const fs_registry *registry, fs_error *err);

typedef struct fs_cluster_count {
    size_t merged;  /* results that went in now */
    size_t failed;  /* those of them that are failed points */
    size_t strange; /* files that are no results: left where they are */
    size_t open;    /* points of submissions not closed that have no result */
} fs_cluster_count;

/* Takes the result files of all submissions into the store; needs no Slurm. */
fs_status fs_cluster_merge(const char *store, const fs_registry *registry, fs_cluster_count *count,
                           fs_error *err);

/* ---- the task's side ---- */

/* The work of one task of a submission's array: its points that have no result yet, cheapest layer as
 * locally, each result in a file of its own. A failed point is a result; errors are the host's. */
fs_status fs_cluster_run_task(const fs_registry *registry, const char *submission, size_t chunk, int threads,
                              const char *scenes, fs_error *err);
