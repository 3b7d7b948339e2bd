/* Shared by the files of sim/sweep only. */
#pragma once

#include "sim/sweep/sweep.h"

#include "sim/host/process.h"
#include "sim/host/progress.h"
#include <sys/types.h>

/* conditions (condition.c) */
fs_sweep_condition fs_sweep_read_condition(const fs_yaml *yaml, const fs_node *node);
/* value_of: the text of a key at a point, NULL where it has none. */
bool fs_sweep_holds(const fs_sweep_condition *condition, const char *(*value_of)(void *self, const char *key),
                    void *self);

/* Items of a sweep file's lists; what they are read for begins with the file. */
extern const fs_yaml_shape fs_sweep_axis_shape;                     /* axes.c */
extern const fs_yaml_shape fs_sweep_objective, fs_sweep_constraint; /* goals.c */
/* Axes that are right one by one: each once, with its label. */
bool fs_sweep_check_axes(const fs_yaml *yaml, const fs_node *node, void *self, void *file);
/* The cameras of a view set as options (view_axis.c); reports what is wrong. */
bool fs_sweep_read_views(const fs_yaml *yaml, const fs_node *node, fs_sweep_file *file, fs_sweep_axis *axis);

/* ---- what is under way (scratch.c) ---- */

/* Where an item's experiment and its run folder are: FOLDER/points/KEY.yaml, FOLDER/runs/KEY. */
const char *fs_sweep_yaml_path(fs_arena *arena, const char *folder, const char *key);
const char *fs_sweep_run_path(fs_arena *arena, const char *folder, const char *key);
fs_status fs_sweep_make_folders(const char *folder, fs_error *err);
/* Those of them that are empty; recordings stay. */
void fs_sweep_remove_folders(const char *folder);
/* Writes the experiment; FS_IO. */
fs_status fs_sweep_write_item(fs_arena *arena, const char *folder, const fs_sweep_item *item, fs_error *err);
void fs_sweep_forget_item(fs_arena *arena, const char *folder, const fs_sweep_item *item);
/* The result of a finished run folder, or NULL when there is none; the caller's (json_decref). */
json_t *fs_sweep_harvest(fs_arena *arena, const char *folder, const fs_sweep_item *item, fs_layer layer);
/* A result that says what went wrong; places in the item's file become those where the values came from. */
json_t *fs_sweep_failure(fs_arena *arena, const fs_sweep_item *item, fs_layer layer, const char *words);
/* Whether a run said that the disk is full, which is no fault of its point. */
bool fs_sweep_lacks_room(const char *words);
/* Whether words are about a host that has no descriptor, memory or disk for more: no fault of a point. */
bool fs_sweep_lacks_host(const char *words);
/* Removes the recordings used longest ago until no more than `limit` bytes are left, but none of `keep`. */
void fs_sweep_trim(fs_arena *arena, const char *folder, uint64_t limit, const char *const *keep,
                   size_t count);

/* Whether a recording can be read (plan.c). */
bool fs_sweep_there(const char *recording);

/* The pool of processes that works on the points of a sweep: shared by execute.c, which starts them, and
 * execute_ends.c, which takes what they leave. */

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
