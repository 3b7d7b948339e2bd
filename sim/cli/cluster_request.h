/* --cluster and what goes with it, for commands that take them. */
#ifndef FOAMSIM_SIM_CLI_CLUSTER_REQUEST_H
#define FOAMSIM_SIM_CLI_CLUSTER_REQUEST_H

#include "sim/cli/options.h"
#include "sim/cluster/cluster.h"

enum { FS_CLUSTER_ROWS = 10 };

typedef struct fs_cluster_request {
    const char *cluster, *partition, *account, *time, *memory, *cpus, *array_limit, *tasks_at_once, *chunk;
    bool cancel;
} fs_cluster_request;

/* Fills the rows [FS_CLUSTER_ROWS] of a command that takes them. */
void fs_cli_cluster_rows(fs_cluster_request *request, fs_option *rows);
/* *asked: whether a cluster was named. FS_INPUT for a cluster that is none, a wrong value, or options of a
 * cluster without one. */
fs_status fs_cli_cluster_request_check(const fs_cluster_request *request, fs_cluster_options *options,
                                       bool *asked, fs_error *err);

#endif
