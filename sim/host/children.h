/* Processes beside this one, several at a time: runs, each this program again, as there is one simulation to a
 * process, or another program. A child dies with its parent, however that ends. */
#pragma once

#include "sim/base/alloc.h"
#include "sim/host/process.h"

#include "sim/base/error.h"
#include <stdbool.h>
#include <stddef.h>

typedef struct fs_child {
    const char *label;        /* "view 3": stands before its errors */
    const char *const *words; /* the command line after the program's name, NULL at the end */
    /* Filled: */
    fs_status status; /* of its end; an exit status 1 is FS_RUN, 2 is FS_INPUT */
    bool out_of_time; /* it was ended here, as it took longer than `most_seconds`; then status is FS_OK */
    /* What it wrote to stderr, without this program's name before a line and without the last line's end;
     * arena-owned. */
    const char *words_said;
} fs_child;

typedef struct fs_children {
    fs_child *child; /* [count] started in this order */
    size_t count;
    fs_process_plan plan; /* of each, but for its words; all 0: this program, where it is */
    int jobs;             /* at most so many at a time */
    bool keep_going;      /* past one that failed; else the others are ended and its error is the result */
    double most_seconds;  /* of each, by the clock: one that takes longer is ended; 0: no limit */
    void (*ended)(void *self, size_t index); /* after each that ended well, in any order; may be NULL */
    void *self;
} fs_children;

/* Runs all. SIGINT and SIGTERM (after fs_catch_signals) end the children and are FS_RUN "interrupted".
 * Errors: the first failed child's own words with its label before each line, or FS_RUN when one could not be
 * started. */
fs_status fs_children_run(fs_children *children, fs_arena *arena, fs_error *err);
