/* Experiments checked up to their first iteration, each in a process of its own: everything that `foamsim run`
 * does before it, as `run --check`. */
#pragma once

#include "sim/base/alloc.h"
#include "sim/base/error.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct fs_elaboration {
    const char *file;
    const char *const *sets; /* [set_count] */
    size_t set_count;
    /* Filled: */
    bool looked_at;    /* within the time */
    bool unfinished;   /* it takes longer than `each`: its scene is large, and nothing was wrong until then */
    const char *error; /* lines; "": none; arena-owned */
} fs_elaboration;

typedef struct fs_elaborate_options {
    int jobs;
    const char *cache; /* folder of scenes; NULL: the usual one */
    bool no_cache;
    double each, all; /* seconds that one and that all of them may take */
} fs_elaborate_options;

/* FS_RUN: interrupted, or the host has no process left. What is wrong with an experiment is no error here. */
fs_status fs_elaborate(fs_elaboration *items, size_t count, const fs_elaborate_options *options,
                       fs_arena *arena, fs_error *err);
