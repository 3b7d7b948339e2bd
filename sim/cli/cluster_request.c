/* --cluster and what goes with it. */
#include "sim/cli/cluster_request.h"
#include "sim/cli/options.h"

#include <string.h>

/* MaxArraySize of slurm.conf is 1001 unless the cluster says otherwise: indices from 0 to 1000. */
enum { USUAL_TASKS = 1000, MOST_TASKS = 4000000, MOST_CPUS = 1024 };
static const double usual_chunk = 600.0, least_chunk = 0.1, most_chunk = 1e7;

void fs_cli_cluster_rows(fs_cluster_request *r, fs_option *rows) {
    const fs_option all[FS_CLUSTER_ROWS] = {
        FS_OPTION("cluster", 0, "slurm", "run the points as a job array of Slurm; docs/cluster.md",
                  &r->cluster),
        FS_OPTION("partition", 0, "P", "of Slurm (the cluster's own)", &r->partition),
        FS_OPTION("account", 0, "A", "that pays", &r->account),
        FS_OPTION("time", 0, "T", "limit of each task, as sbatch takes it", &r->time),
        FS_OPTION("mem", 0, "M", "limit of each task: 4G", &r->memory),
        FS_OPTION("cpus", 0, "N", "of each task (1)", &r->cpus),
        FS_OPTION("array-limit", 0, "N", "most tasks of an array: MaxArraySize - 1 (1000)", &r->array_limit),
        FS_OPTION("tasks-at-once", 0, "N", "most tasks that run at a time", &r->tasks_at_once),
        FS_OPTION("chunk", 0, "SECONDS", "expected work of a task: points are put together (600)", &r->chunk),
        FS_FLAG("cancel", 0, "end what the store has on the cluster", &r->cancel),
    };
    memcpy(rows, all, sizeof all);
}

static const char *option_without_cluster(const fs_cluster_request *r) {
    return r->partition != NULL       ? "partition"
           : r->account != NULL       ? "account"
           : r->time != NULL          ? "time"
           : r->memory != NULL        ? "mem"
           : r->cpus != NULL          ? "cpus"
           : r->array_limit != NULL   ? "array-limit"
           : r->tasks_at_once != NULL ? "tasks-at-once"
           : r->chunk != NULL         ? "chunk"
           : r->cancel                ? "cancel"
                                      : NULL;
}

fs_status fs_cli_cluster_request_check(const fs_cluster_request *r, fs_cluster_options *o, bool *asked,
                                       fs_error *err) {
    *o = (fs_cluster_options){.partition = r->partition,
                              .account = r->account,
                              .time = r->time,
                              .memory = r->memory,
                              .cpus = 1,
                              .array_limit = USUAL_TASKS,
                              .chunk_seconds = usual_chunk};
    *asked = r->cluster != NULL;
    if (!*asked && option_without_cluster(r) != NULL)
        return fs_fail(err, FS_INPUT, "--%s: expected --cluster slurm beside it", option_without_cluster(r));
    if (*asked && strcmp(r->cluster, "slurm") != 0)
        return fs_fail(err, FS_INPUT, "--cluster: expected slurm, found \"%s\"", r->cluster);
    if (fs_option_int("cpus", r->cpus, 1, MOST_CPUS, &o->cpus, err) ||
        fs_option_int("array-limit", r->array_limit, 1, MOST_TASKS, &o->array_limit, err) ||
        fs_option_int("tasks-at-once", r->tasks_at_once, 1, MOST_TASKS, &o->tasks_at_once, err) ||
        fs_option_real("chunk", r->chunk, least_chunk, most_chunk, &o->chunk_seconds, err))
        return FS_INPUT;
    return FS_OK;
}
