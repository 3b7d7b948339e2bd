/* A recorded trace on this machine: what its processors call, on nodes of the network. */
#pragma once

#include "formats/format.h"
#include "formats/tasks.h"
#include "workloads/packets/calls/agents.h"
#include "workloads/packets/calls/carrier.h"
#include "workloads/packets/calls/spots.h"

/* A processor. */
typedef struct fs_caller {
    const char *name;
    uint32_t node, chip; /* chip: its number in the file */
    /* Recorded: stamps of its first read, the end of its last wait for reads, its first send, its semaphore's call behind
     * that; UINT64_MAX: it has none. Waits for reads, their cycles, the longest. */
    fs_agent_times recorded;
} fs_caller;

typedef struct fs_calls {
    uint32_t count;          /* processors */
    const uint32_t *node;    /* [count] */
    const uint32_t *first;   /* [count + 1] */
    const fs_call *calls;    /* of processor i: first[i] ... first[i + 1] - 1, a wait for each barrier */
    const fs_caller *caller; /* [count] */
    uint64_t bytes;          /* of data, of all calls, a multicast's for each of its group */
    uint64_t reads, writes;
    uint64_t sends, edge_bytes, edge_hops; /* to other chips: calls, their bytes once a send, edges passed */
    uint32_t edges;                        /* that they pass, 0 ... edges - 1 */
    fs_recorded_span span;
    uint64_t alone; /* cycles of the longest processor's calls, were nothing to be waited for */
    uint64_t stamp; /* cycles that a stamp was taken to cost */
} fs_calls;

/* How time is read from it. */
typedef struct fs_calls_asked {
    uint64_t issue; /* cycles of a call that lie in the time to the next one */
    int64_t
        stamp; /* cycles that a stamp costs its processor before what it is of; -1: span.step, what it can cost at most */
    bool
        stamps; /* calls are made at their stamps, and nothing is waited for; else the time between them is kept */
} fs_calls_asked;

/* Reads one in a format that has calls. Sites receive chips and what is to be moved; notes what was made of it. FS_INPUT
 * with file, line and column: a place without a router, a network that the machine lacks, whatever the format refuses. */
fs_status fs_calls_read(fs_arena *arena, const char *path, const fs_format *format,
                        const fs_format_asked *asked, const fs_calls_asked *how, fs_spots *spots,
                        fs_calls *out, fs_notes *notes, fs_error *err);

/* Tasks of a file on this machine: sends, multicasts and computations, each of which begins when those that it waits for are
 * over (formats/tasks.h). They are asked for as they come; those alone that are not over are kept. */

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
