/* Slurm's job states and what each means for a point. */
#ifndef FOAMSIM_SIM_CLUSTER_STATES_H
#define FOAMSIM_SIM_CLUSTER_STATES_H

#include "sim/base/alloc.h"

#include <stdbool.h>
#include <stdint.h>

/* What a state of a task means for its points that have no result. */
typedef enum fs_slurm_fate {
    FS_SLURM_WAITS,     /* in the queue, or again there */
    FS_SLURM_RUNS,      /* the first open point is running */
    FS_SLURM_ENDED,     /* ended well: the result must be on its way */
    FS_SLURM_FAILED,    /* the task's command failed */
    FS_SLURM_TOO_LONG,  /* the time limit came */
    FS_SLURM_TOO_LARGE, /* the memory limit came */
    FS_SLURM_LOST,      /* its node is gone, or it had to give way, and Slurm does not run it again */
    FS_SLURM_CANCELLED, /* somebody ended it */
    FS_SLURM_GONE,      /* squeue knows it no more */
} fs_slurm_fate;

/* The state of that name; one that is not known (a newer Slurm) is taken for running, as nothing is lost by
 * waiting. */
fs_slurm_fate fs_slurm_fate_of(const char *word);
bool fs_slurm_live(fs_slurm_fate fate); /* in the queue: it may still give results */

enum { FS_SLURM_STATE = 33, FS_SLURM_REASON = 65 }; /* bytes of these words */

typedef struct fs_slurm_task {
    fs_slurm_fate fate;
    char state[FS_SLURM_STATE];   /* the word */
    char reason[FS_SLURM_REASON]; /* why it waits, "" */
    int64_t restarts;
    bool noted; /* the store knows it */
} fs_slurm_task;

/* The state of a point without a result. current: it alone was begun and not finished in its task; first:
 * nothing of its task was finished before. Returns "pending", "running" or "failed"; *why is "" or a
 * sentence. `words`: the task's last words. */
const char *fs_slurm_point_state(fs_arena *arena, const fs_slurm_task *task, bool first, bool current,
                                 const char *words, const char **why);

#endif
