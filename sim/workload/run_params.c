#include "sim/workload/run_params.h"

const char *const fs_run_details[] = {"phase", "event", NULL};
const char *const fs_run_statistics[] = {"full", "basic", NULL};
const char *const fs_run_late[] = {"wait", "drop", NULL};
const char *const fs_run_outputs[] = {"full", "summary", NULL};

static const fs_param rows[] = {FS_RUN_SEED, FS_RUN_DETAIL, FS_RUN_MAX_ITERATIONS, FS_RUN_STATISTICS,
                                FS_RUN_OUTPUTS};
static const fs_param seedless_rows[] = {FS_RUN_DETAIL, FS_RUN_STATISTICS, FS_RUN_OUTPUTS};

const fs_param_table fs_run_table =
    FS_PARAM_TABLE("run", "what is run, and for how long", rows, sizeof(fs_run_params));

const fs_param_table fs_run_seedless_table =
    FS_PARAM_TABLE("run", "what is run, and for how long", seedless_rows, sizeof(fs_run_params));
