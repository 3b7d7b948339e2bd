/* Shared by the files of sim/cluster only. */
#pragma once

#include "sim/cluster/cluster.h"
#include "sim/host/file.h"

#include <sys/types.h>

enum {
    FS_CLUSTER_MOST_STARTS = 5, /* of a point without an end: it takes its node down, or never fits */
    FS_CLUSTER_NAME_BYTES = 32,
};

/* ---- states of tasks (states.c) ---- */

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

/* ---- the work of tasks (divide.c) ---- */

typedef struct fs_cluster_chunk {
    fs_store_point *work; /* [count] read from its file: key, label, layer keys and resolved */
    size_t count;
} fs_cluster_chunk;

/* Divides points into chunks. `point` [count] are indices into points, in the sweep's order; those of one
 * geometry and traffic are put together. No chunk is expected to take more than options->chunk_seconds (but
 * for one whose only point does), unless array_limit asks for larger ones; with tasks_at_once no fewer chunks
 * than tasks, where the points allow. seconds [count]: expected of each
 * after another of its geometry, whose recording it may use; alone [count]: as the first of its geometry in
 * a chunk, as every chunk makes its own recordings. */
void fs_cluster_divide(fs_arena *arena, const fs_store_point *points, const size_t *point,
                       const double *seconds, const double *alone, size_t count,
                       const fs_cluster_options *options, fs_cluster_chunk **chunks, size_t *chunk_count);

/* ---- files (folder.c) ---- */

fs_status fs_cluster_write_json(const char *path, const json_t *root, fs_error *err);
json_t *fs_cluster_read_json(const char *path, fs_error *err); /* NULL with an error */
/* The bytes of the file of that name; -1: there is none. */
int64_t fs_cluster_bytes(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Removes a folder with its contents; a missing folder is no error. */
fs_status fs_cluster_remove(const char *folder, fs_error *err);
/* The last line of a text file that is not blank, "" without one. */
const char *fs_cluster_last_words(fs_arena *arena, const char *path);
/* The lock of STORE.cluster, which is made unless something must have been `sent`: waits. -1 with an error.
 * Ends with close(). */
int fs_cluster_lock(fs_arena *arena, const char *store, bool sent, fs_error *err);
/* STORE.cluster, absolute. */
const char *fs_cluster_folder(fs_arena *arena, const char *store);

/* ---- submissions (submission.c) ---- */

typedef struct fs_cluster_submission {
    const char *folder;               /* absolute */
    char name[FS_CLUSTER_NAME_BYTES]; /* of the job: no other has it */
    const char *job;                  /* number as sbatch gave it, "" */
    fs_cluster_chunk *chunk;          /* [count]: array task i runs chunk i */
    size_t count;
} fs_cluster_submission;

/* Writes the folder of a new submission, script included; the caller holds the lock. */
fs_status fs_cluster_prepare(fs_arena *arena, const char *store, const fs_cluster_options *options,
                             fs_cluster_submission *submission, fs_error *err);
/* The submissions that are not closed. */
fs_status fs_cluster_open_submissions(fs_arena *arena, const char *store, fs_cluster_submission **submissions,
                                      size_t *count, fs_error *err);
fs_status fs_cluster_read_chunk(fs_arena *arena, const char *folder, size_t index, fs_cluster_chunk *chunk,
                                fs_error *err);
/* Marks it closed and removes what is in the store by now; logs and script stay. */
fs_status fs_cluster_close(fs_arena *arena, const fs_cluster_submission *submission, fs_error *err);
/* Whether a point has a result file, merged or not; and how often it was begun. */
bool fs_cluster_has_result(const char *folder, const char *key);
int64_t fs_cluster_starts(const char *folder, const char *key);

/* ---- Slurm (slurm.c) ---- */

/* FS_INPUT when there is no sbatch or squeue in PATH. */
fs_status fs_slurm_here(fs_error *err);
/* Gives the script to sbatch; the job's number. FS_INPUT with sbatch's words. */
fs_status fs_slurm_submit(fs_arena *arena, const char *script, const char **job, fs_error *err);
/* The tasks [submission->count] of a submission. FS_RUN when squeue does not answer. */
fs_status fs_slurm_look(fs_arena *arena, const fs_cluster_submission *submission, fs_slurm_task *tasks,
                        fs_error *err);
fs_status fs_slurm_cancel(fs_arena *arena, const fs_cluster_submission *submission, fs_error *err);

/* ---- the watch of a sweep (watch.c: its rounds; look.c: a look) ---- */

typedef struct fs_cluster_watch {
    const char *store, *sweep;
    const fs_cluster_options *options;
    const fs_registry *registry;
    /* Of one round, in its arena: */
    fs_arena *arena;
    fs_cluster_submission *submissions;
    size_t count;
    fs_slurm_task **tasks;   /* [count][chunks] */
    bool cancelled;          /* somebody ended tasks: nothing is sent again */
    bool deaf;               /* squeue did not answer last */
    fs_error unheard;        /* why */
    size_t strange;          /* files that are no results and stay */
    size_t points, settled;  /* of the sweep */
    fs_cluster_count merged; /* in all rounds */
    double begun;
    size_t begun_with; /* settled then */
    /* What was said last, and when. */
    double said_at;
    size_t said[4];
} fs_cluster_watch;

/* Asks squeue for the tasks of every submission; aloud: tells what happened to them. False when it does not
 * answer, which is told once: what is known stays. */
bool fs_cluster_look(fs_cluster_watch *watch, bool aloud, bool *changed);
/* Results that arrived, and the states of points that changed, into the store; or one that is open. */
fs_status fs_cluster_take_up(fs_cluster_watch *watch, fs_error *err);
fs_status fs_cluster_take_into(fs_cluster_watch *watch, fs_store *store, fs_error *err);
/* The store, which is open only while something goes in. */
fs_status fs_cluster_open_store(const char *path, const fs_registry *registry, fs_store **store,
                                fs_error *err);
/* How many tasks of a submission are in the queue, and of all; how many results wait to be taken up. */
size_t fs_cluster_live_of(const fs_cluster_watch *watch, size_t submission);
size_t fs_cluster_live(const fs_cluster_watch *watch);
size_t fs_cluster_waiting(const fs_cluster_watch *watch);
/* Points whose task says that it did its work, but whose result is not to be seen. */
size_t fs_cluster_late(const fs_cluster_watch *watch);
bool fs_cluster_settled(const char *status); /* "done" or "failed" */

/* ---- merging (merge.c) ---- */

/* The results of a submission into the store, which is open for writing. *count is added to. */
fs_status fs_cluster_merge_one(fs_arena *arena, fs_store *store, const fs_cluster_submission *submission,
                               fs_cluster_count *count, fs_error *err);
/* Result files that were not merged yet. */
size_t fs_cluster_results(const fs_cluster_submission *submission);
