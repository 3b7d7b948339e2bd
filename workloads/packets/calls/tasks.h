/* Tasks of a file on this machine: sends, multicasts and computations, each of which begins when those that it waits for are
 * over (formats/tasks.h). They are asked for as they come; those alone that are not over are kept. */
#ifndef FOAMSIM_WORKLOADS_PACKETS_CALLS_TASKS_H
#define FOAMSIM_WORKLOADS_PACKETS_CALLS_TASKS_H

#include "formats/tasks.h"
#include "workloads/packets/calls/carrier.h"
#include "workloads/packets/calls/spots.h"

/* What became of the tasks that are over. */
typedef struct fs_tasks_done {
    uint64_t tasks, sends;
    uint64_t end;   /* cycle at which the last was over */
    uint64_t held;  /* sends that waited for others beyond their cycle */
    double latency; /* cycles from a send's cycle (fs_task.not_before) to its end, summed over sends */
    double slack;   /* cycles by which what sends wait for was over before their cycle, of those not held */
    uint64_t computed; /* cycles of computations */
} fs_tasks_done;

/* What a file has. */
typedef struct fs_tasks_told {
    uint64_t tasks, waits; /* waits: pairs of tasks of which one waits for the other */
    uint64_t computed;     /* cycles */
} fs_tasks_told;

/* Goes through a source before anything runs: spots receive chips and what is to be moved. FS_INPUT: the source's error, or
 * a task that this machine cannot do, by its number. */
fs_status fs_tasks_look(const fs_task_source *source, fs_spots *spots, fs_tasks_told *out, fs_error *err);

typedef struct fs_tasks fs_tasks;

/* The source stays the caller's. planes: of all chips; of_chip: of one. most: tasks under way at which the run is given up. */
fs_tasks *fs_tasks_create(const fs_task_source *source, fs_spots *spots, const fs_carrier_plane *plane,
                          uint32_t planes, uint32_t of_chip, const fs_carrier_costs *costs, uint64_t most);
void fs_tasks_free(fs_tasks *tasks); /* NULL is allowed */

/* Runs to the end of all tasks, or to cycle `until`; ends early when the process is asked to end. FS_INPUT: the source's error,
 * or a task that this machine cannot do; FS_RUN: more than `most` are under way. */
fs_status fs_tasks_run(fs_tasks *tasks, uint64_t until, fs_error *err);
bool fs_tasks_are_done(const fs_tasks *tasks);
fs_tasks_done fs_tasks_what(const fs_tasks *tasks);
const fs_carrier *fs_tasks_carrier(const fs_tasks *tasks);

#endif
