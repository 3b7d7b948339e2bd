/* The section `run`: parameters that every workload has. */
#include "sim/workload/run_params.h"

const char *const fs_run_details[] = {"phase", "event", NULL};
const char *const fs_run_statistics[] = {"full", "basic", NULL};
const char *const fs_run_outputs[] = {"full", "summary", NULL};

static const fs_param rows[] = {FS_RUN_SEED, FS_RUN_DETAIL, FS_RUN_MAX_ITERATIONS, FS_RUN_STATISTICS,
                                FS_RUN_OUTPUTS};
static const fs_param seedless_rows[] = {FS_RUN_DETAIL, FS_RUN_STATISTICS, FS_RUN_OUTPUTS};

const fs_param_table fs_run_table = {
    .name = "run",
    .doc = "what is run, and for how long",
    .rows = rows,
    .count = sizeof rows / sizeof rows[0],
    .size = sizeof(fs_run_params),
};

const fs_param_table fs_run_seedless_table = {
    .name = "run",
    .doc = "what is run, and for how long",
    .rows = seedless_rows,
    .count = sizeof seedless_rows / sizeof seedless_rows[0],
    .size = sizeof(fs_run_params),
};
