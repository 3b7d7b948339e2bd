/* Tasks: what a file wants done on a network, in a form that knows no machine. A reader gives them one after another; who
 * runs them asks for the next one when the one before may begin, and keeps those alone that are not over. */
#pragma once

#include "sim/base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FS_TASKS_MOST = 1 << 26 }; /* of a file: more are refused */
#define FS_PLACE_END UINT32_MAX   /* as a row: the column is the number of an end point */

/* Where something is: a column and a row of a chip's network, or the number of one of its end points. */
typedef struct fs_place {
    uint32_t chip, x, y;
} fs_place;

typedef enum fs_task_kind {
    FS_TASK_SEND,    /* bytes from a place to another */
    FS_TASK_FETCH,   /* the same, asked for: a request goes from `to` to the place first */
    FS_TASK_CAST,    /* bytes from a place to all others in the rectangle from `to` to `corner` */
    FS_TASK_COMPUTE, /* cycles of a unit of a place */
} fs_task_kind;

enum { FS_TASK_ANY_UNIT = 0 }; /* a compute task that waits for no other of its place */

/* Tasks have numbers, from 0 in the order in which they are given. A task begins at the latest of: cycle `not_before`; `gap`
 * cycles behind the end of the last that it waits for; of a compute task, when its unit is free (the ready one with the
 * least number goes first). A send is over when its last flit has arrived. */
typedef struct fs_task {
    fs_task_kind kind;
    uint8_t plane;       /* network of the chip, from 0 */
    bool answer;         /* travels as answers do, on their half of the channels */
    uint16_t unit;       /* of a compute task: those of one unit (1, 2, ...) and place go one after another */
    fs_place place;      /* where it is done, or whence it sends */
    fs_place to, corner; /* of a send or cast */
    uint64_t amount;     /* bytes, at least 1; of a compute task cycles */
    uint64_t packet;     /* bytes of a packet, at most; 0: as the machine has it */
    uint64_t not_before; /* cycle: never less than that of the task before */
    uint64_t gap;        /* cycles */
    const uint64_t *
        after; /* [after_count] numbers of earlier tasks that it waits for; until the next task is asked for */
    size_t after_count;
} fs_task;

/* A file that is being read for its tasks. */
typedef struct fs_task_source {
    void *self;
    /* The next task; false at the end, or with *err. */
    bool (*next)(void *self, fs_task *out, fs_error *err);
    void (*close)(void *self); /* frees; NULL where nothing is to be freed */
    double published;          /* cycles that the file says it took; 0: it says none */
} fs_task_source;
