/* Options of commands that run points into a store: sweep and search. */
#ifndef FOAMSIM_SIM_CLI_SWEEP_REQUEST_H
#define FOAMSIM_SIM_CLI_SWEEP_REQUEST_H

#include "sim/cli/cluster_request.h"
#include "sim/sweep/sweep.h"

enum { FS_SWEEP_ROWS = 10 + FS_CLUSTER_ROWS };

typedef struct fs_sweep_request {
    const fs_registry *registry;
    const char *store, *jobs, *memory, *cache, *cache_limit, *report;
    bool dry_run, no_cache, plain, allow_failures;
    int job_count;
    int64_t memory_bytes, cache_bytes;
    fs_cluster_request cluster;
    fs_cluster_options on_cluster;
    bool asks_cluster;
} fs_sweep_request;

/* Fills the rows [FS_SWEEP_ROWS] of a command that takes them. */
void fs_cli_sweep_rows(fs_sweep_request *request, fs_option *rows);
/* Numbers from the texts; FS_INPUT. */
fs_status fs_cli_sweep_request_check(fs_sweep_request *request, fs_error *err);
/* The store's path: as given, or runs/NAME.db; NULL: FS_INPUT, the name of the sweep file is none for a file. */
const char *fs_cli_sweep_store_of(const fs_sweep_request *request, fs_arena *arena, const fs_sweep_file *file,
                                  fs_error *err);
/* How points run into the store at `path`. */
fs_sweep_options fs_cli_sweep_options_of(const fs_sweep_request *request, const char *path, fs_arena *arena);
/* Once points have run into the store at `path`: its page where one is asked for, each distinct reason of those
 * that failed, and the store's name to stdout. FS_RUN where points failed and that is not allowed. */
fs_status fs_cli_sweep_end(const fs_sweep_request *request, const char *path, const char *sweep,
                           fs_arena *arena, fs_error *err);

#endif
