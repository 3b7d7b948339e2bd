/* A search: batch after batch into a store, until the budget is spent. */
#ifndef FOAMSIM_SIM_CLI_SEARCH_BATCHES_H
#define FOAMSIM_SIM_CLI_SEARCH_BATCHES_H

#include "sim/cli/robust_request.h"
#include "sim/cli/sweep_request.h"
#include "sim/search/search.h"

#include <stdio.h>

typedef struct fs_search_request {
    const fs_sweep_request *how;
    const char *path; /* of the store */
    fs_sweep_file file;
    fs_sweep_search plan;
    bool retry;
    fs_robust_request robust;
} fs_search_request;

/* Searches, and enters points and judgement into the store. What it fails with leaves every finished point;
 * the same request goes on. */
fs_status fs_cli_search_run(const fs_search_request *request, fs_arena *arena, fs_error *err);

/* The space, the first batch, and what all of it may cost at most; nothing is run. */
fs_status fs_cli_search_preview(const fs_search_request *request, fs_arena *arena, FILE *out, fs_error *err);

#endif
