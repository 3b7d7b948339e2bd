/* What a task of a cluster's job array runs; array.sh calls it. */
#include "sim/cli/commands.h"
#include "sim/cli/options.h"
#include "sim/cluster/cluster.h"
#include "sim/workload/run_request.h"

#include <omp.h>

static fs_status run(fs_command_line *call, fs_error *err) {
    int64_t task = 0;
    if (!fs_options_parse(
            call,
            "sweep-task SUBMISSION TASK\n"
            "The points of one task of a job array; SUBMISSION is its folder below STORE.cluster.",
            NULL, 0, 2, 2, err) ||
        fs_option_int("TASK", call->argv[1], 0, INT32_MAX, &task, err))
        return err->status;
    const int threads = omp_get_max_threads() < FS_MAX_THREADS ? omp_get_max_threads() : FS_MAX_THREADS;
    return fs_cluster_run_task(call->cli->registry, call->argv[0], (size_t)task, threads,
                               fs_default_cache_dir(), err);
}

const fs_command fs_command_sweep_task = {"sweep-task", NULL, run};
