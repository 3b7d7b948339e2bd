/* A search: batch after batch into a store, until the budget is spent. */
#pragma once

#include "sim/cluster/cluster.h"
#include "sim/robust/robust.h"
#include "sim/search/search.h"

#include <stdio.h>

typedef struct fs_hunt {
    fs_sweep_options options;          /* how points run into the store */
    const fs_cluster_options *cluster; /* NULL: they run here */
    const fs_robust_ask *robust;       /* what is judged after the last batch; NULL: nothing */
    const char *path;                  /* of the store */
    fs_sweep_file file;
    fs_sweep_search plan;
    bool retry;
} fs_hunt;

/* Searches, and enters points and judgement into the store. What it fails with leaves every finished point;
 * the same request goes on. */
fs_status fs_hunt_run(const fs_hunt *hunt, fs_arena *arena, fs_error *err);

/* The space, the first batch, and what all of it may cost at most; nothing is run. */
fs_status fs_hunt_preview(const fs_hunt *hunt, fs_arena *arena, FILE *out, fs_error *err);
