/* The table of Slurm's states, and what a point without a result is in each. */
#include "sim/cluster/private.h"

#include <string.h>

/* JOB STATE CODES of squeue(1), Slurm 22.05. */
static const struct {
    const char *word; /* as squeue writes it */
    fs_slurm_fate fate;
} states[] = {
    {"PENDING", FS_SLURM_WAITS},
    {"CONFIGURING", FS_SLURM_WAITS},
    {"REQUEUED", FS_SLURM_WAITS},
    {"REQUEUE_FED", FS_SLURM_WAITS},
    {"REQUEUE_HOLD", FS_SLURM_WAITS},
    {"SPECIAL_EXIT", FS_SLURM_WAITS},
    {"RESV_DEL_HOLD", FS_SLURM_WAITS},
    {"RUNNING", FS_SLURM_RUNS},
    {"COMPLETING", FS_SLURM_RUNS},
    {"SIGNALING", FS_SLURM_RUNS},
    {"STAGE_OUT", FS_SLURM_RUNS},
    {"STOPPED", FS_SLURM_RUNS},
    {"SUSPENDED", FS_SLURM_RUNS},
    {"RESIZING", FS_SLURM_RUNS},
    {"COMPLETED", FS_SLURM_ENDED},
    {"FAILED", FS_SLURM_FAILED},
    {"TIMEOUT", FS_SLURM_TOO_LONG},
    {"DEADLINE", FS_SLURM_TOO_LONG},
    {"OUT_OF_MEMORY", FS_SLURM_TOO_LARGE},
    {"NODE_FAIL", FS_SLURM_LOST},
    {"BOOT_FAIL", FS_SLURM_LOST},
    {"PREEMPTED", FS_SLURM_LOST},
    {"REVOKED", FS_SLURM_LOST},
    {"CANCELLED", FS_SLURM_CANCELLED},
};

fs_slurm_fate fs_slurm_fate_of(const char *word) {
    const size_t i = FS_PLACE(states, FS_COUNT(states), word, word);
    return i < FS_COUNT(states) ? states[i].fate : FS_SLURM_RUNS;
}

bool fs_slurm_live(fs_slurm_fate fate) {
    return fate == FS_SLURM_WAITS || fate == FS_SLURM_RUNS;
}

static const char *waiting(fs_arena *arena, const fs_slurm_task *task) {
    if (task->restarts > 0)
        return fs_arena_printf(arena, "requeued, %lld. start", (long long)task->restarts + 1);
    return strcmp(task->state, "PENDING") == 0 ? "" : fs_arena_printf(arena, "in the queue: %s", task->state);
}

const char *fs_slurm_point_state(fs_arena *arena, const fs_slurm_task *task, bool first, bool current,
                                 const char *words, const char **why) {
    *why = "";
    switch (task->fate) {
    case FS_SLURM_WAITS:
        *why = waiting(arena, task);
        return "pending";
    case FS_SLURM_RUNS:
        return current ? "running" : "pending";
    case FS_SLURM_ENDED:
        *why = "its task ended without its result here: is the folder of the store shared with the nodes?";
        return "pending";
    case FS_SLURM_FAILED:
        *why = fs_arena_printf(arena, "its task failed%s%s", words[0] == '\0' ? "" : ": ", words);
        return "pending";
    case FS_SLURM_TOO_LONG:
        /* The first of a chunk had the task's whole time; another goes again, in a chunk of less. */
        *why = !current ? ""
               : first  ? "the point needs more than the time limit of a task: give more with --time"
                        : "the time limit of its task came";
        return current && first ? "failed" : "pending";
    case FS_SLURM_TOO_LARGE:
        *why = current ? "the point needs more than the memory limit of a task: give more with --mem" : "";
        return current ? "failed" : "pending";
    case FS_SLURM_LOST:
        *why = fs_arena_printf(arena, "its task was lost (%s) and not requeued", task->state);
        return "pending";
    case FS_SLURM_CANCELLED:
        *why = "its task was cancelled";
        return "pending";
    case FS_SLURM_GONE:
        *why = "its task left the queue without its result";
        return "pending";
    }
    return "pending";
}
