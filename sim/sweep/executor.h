/* The pool of processes that works on the points of a sweep: shared by execute.c, which starts them, and
 * execute_ends.c, which takes what they leave. */
#ifndef FOAMSIM_SIM_SWEEP_EXECUTOR_H
#define FOAMSIM_SIM_SWEEP_EXECUTOR_H

#include "sim/host/process.h"
#include "sim/host/progress.h"
#include "sim/sweep/private.h"

typedef enum fs_executor_state { OPEN, UNDER_WAY, FINISHED } fs_executor_state;

/* Where an item of the sweep is. */
typedef struct fs_executor_item {
    fs_executor_state state;
    bool plain;          /* no recording made or read: a recording got in its way */
    bool alone;          /* needs the memory for itself */
    const char *suspect; /* the recording that it failed with, before it was run plainly */
} fs_executor_item;

/* A place for a process. */
typedef struct fs_executor_slot {
    fs_process process;
    fs_sweep_job job;
    uint64_t resident; /* bytes of memory, when last looked at */
    bool over;         /* ended by us: memory */
    size_t told;       /* bytes of what a pricing process said that were taken */
    size_t lines;      /* of it, results */
} fs_executor_slot;

typedef struct fs_executor {
    const fs_sweep_item *items;
    size_t count;
    const fs_sweep_options *options;
    const fs_sweep_sink *sink;
    fs_sweep_tally *tally;
    fs_error *err;
    fs_arena *arena;      /* of the execution */
    fs_arena *plan_arena; /* of the plan */
    fs_sweep_plan plan;
    bool *taken;             /* [plan.count] */
    bool stale;              /* the plan counts on what is not there */
    fs_executor_item *work;  /* [count] */
    fs_executor_slot *slots; /* [options->jobs] */
    uint64_t peak[3];        /* resident bytes seen, by layer */
    bool recordings;         /* made and read */
    int strikes;             /* recordings that got in the way */
    int idle;                /* times that nothing could be started */
    double looked;           /* host seconds, when memory was last looked at */
    double heard;            /* and what pricing processes say */
    fs_progress progress;
    char label[64]; /* of it */
} fs_executor;

/* What a pricing process has said since it was looked at last is taken. */
fs_status fs_executor_take_prices(fs_executor *x, fs_executor_slot *s);
/* What a process left has been taken: its item's result, or the item is open again, to be run plainly. */
fs_status fs_executor_take_end(fs_executor *x, fs_executor_slot *s, fs_process_end end);
/* Results of runs that ended well before their parent was killed. */
fs_status fs_executor_take_leftovers(fs_executor *x);

#endif
