/* Commands that run points into a store: what sweep and search take alike. */
#pragma once

#include "sim/cli/options.h"
#include "sim/cluster/cluster.h"
#include "sim/host/process.h"
#include "sim/robust/robust.h"
#include "sim/sweep/sweep.h"

typedef struct fs_sweep_request {
    const fs_registry *registry;
    const char *file;
    const char *store, *memory, *cache, *cache_limit, *report;
    bool retry, dry_run, no_cache, plain, allow_failures;
    bool live;            /* the report is written while points run, too */
    fs_process reporting; /* what writes it meanwhile */
    int64_t jobs, memory_bytes, cache_bytes;
    const char *cluster; /* NULL: points run here */
    fs_cluster_options on_cluster;
    bool cancel; /* what the store has on the cluster */
    bool judge;  /* by `ask` */
    fs_robust_ask ask;
} fs_sweep_request;

/* Parses a command line: `own` [own_count], which the command alone takes, and those of every such command.
 * Whether there is something to do, as fs_options_parse. */
bool fs_cli_sweep_parse(fs_sweep_request *request, fs_command_line *call, const char *usage,
                        const fs_option *own, size_t own_count, fs_error *err);
/* The store's path: as given, or runs/NAME.db; NULL: FS_INPUT, the name of the sweep file is none for a file. */
const char *fs_cli_sweep_store_of(const fs_sweep_request *request, fs_arena *arena, const fs_sweep_file *file,
                                  fs_error *err);
/* How points run into the store at `path`. */
fs_sweep_options fs_cli_sweep_options_of(const fs_sweep_request *request, const char *path, fs_arena *arena);
/* Before points run: with --live starts what writes the page meanwhile. FS_RUN when it cannot be started. */
fs_status fs_cli_sweep_begin(fs_sweep_request *request, const char *path, const char *sweep, fs_error *err);
/* Once points have run into the store at `path`: its page where one is asked for, each distinct reason of those
 * that failed, and the store's name to stdout. FS_RUN where points failed and that is not allowed. */
fs_status fs_cli_sweep_end(fs_sweep_request *request, const char *path, const char *sweep, fs_arena *arena,
                           fs_error *err);
