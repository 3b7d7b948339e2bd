/* foamsim sweep: the points of a sweep file into a store. */
#include "sim/base/host.h"
#include "sim/cli/robust_request.h"
#include "sim/cli/sweep_request.h"
#include "sim/host/signals.h"
#include "sim/host/voice.h"
#include "sim/workload/workload.h"

#include <string.h>

typedef struct request {
    const char *file, *checks;
    bool retry, help;
    fs_sweep_request how;
    fs_robust_request robust;
} request;

static fs_status parse(const fs_cli *cli, int argc, char **argv, request *r, fs_error *err) {
    const fs_option own[] = {
        FS_FLAG("retry", 0, "run failed points again", &r->retry),
        FS_OPTION("checks", 0, "N", "dry run: points that are checked up to their first iteration (64)",
                  &r->checks),
    };
    enum { OWN = sizeof own / sizeof own[0] };
    fs_option options[OWN + FS_SWEEP_ROWS + FS_ROBUST_ROWS];
    memcpy(options, own, sizeof own);
    fs_cli_sweep_rows(&r->how, options + OWN);
    fs_cli_robust_rows(&r->robust, options + OWN + FS_SWEEP_ROWS);
    int args = 0;
    fs_status status = fs_options_parse(
        cli,
        "sweep SWEEP.yaml [options]\n"
        "Runs the points of a sweep that the store does not hold yet, and prints the name "
        "of the store. What was\n"
        "interrupted goes on with the same command; docs/sweeps.md explains the file.",
        options, OWN + FS_SWEEP_ROWS + FS_ROBUST_ROWS, argc, argv, 1, 1, &args, &r->help, err);
    if (status == FS_OK && !r->help)
        r->file = argv[0];
    return status;
}

/* ---- points ---- */

static fs_status read_points(const request *r, fs_arena *arena, fs_sweep_file *file, fs_store_sweep *sweep,
                             fs_error *err) {
    const bool was = fs_say_quiet(true); /* words on the base are said of each point that has them */
    fs_status status = fs_sweep_read(arena, r->how.registry, r->file, file, NULL, err);
    fs_say_quiet(was);
    return status ? status : fs_sweep_points(arena, file, sweep, err);
}

/* ---- running ---- */

static void tell(size_t points, size_t known, const fs_sweep_tally *t, double seconds) {
    fs_say("%zu points: %zu known, %zu run, %zu replayed, %zu priced, %zu failed now; %.1f s", points, known,
           t->by_layer[0], t->by_layer[1], t->by_layer[2], t->failed, seconds);
}

static fs_status sweep_into(const request *r, fs_store *store, const char *path, const fs_store_sweep *sweep,
                            double begun, fs_arena *arena, fs_error *err) {
    const fs_sweep_options options = fs_cli_sweep_options_of(&r->how, path, arena);
    size_t count = 0;
    fs_sweep_tally tally = {.done = 0};
    if (fs_sweep_into_store(store, sweep, &options, r->retry, &count, &tally, err)) {
        if (err->status == FS_RUN)
            fs_say("%zu of %zu open points were finished; the same command goes on",
                   tally.done + tally.failed, count);
        return err->status;
    }
    tell(sweep->point_count, sweep->point_count - count, &tally, fs_host_wall_seconds() - begun);
    return FS_OK;
}

/* The store is open only while the points go in: the cluster's results come at their own time. */
static fs_status sweep_on_cluster(const request *r, const char *path, const fs_store_sweep *sweep,
                                  fs_arena *arena, fs_error *err) {
    const fs_sweep_item *items = NULL;
    size_t count = 0;
    fs_store *store = NULL;
    if (r->how.cluster.cancel)
        return fs_cluster_cancel(path, r->how.registry, err);
    if (fs_store_open(path, FS_STORE_WRITE, &store, err))
        return err->status;
    fs_status status = fs_store_put_sweep(store, sweep, err);
    if (status == FS_OK)
        status = fs_sweep_open_items(r->how.registry, store, sweep, r->retry, arena, &items, &count, err);
    fs_store_close(store);
    if (status == FS_OK)
        status = fs_cluster_sweep(path, sweep->name, &r->how.on_cluster, r->how.registry, err);
    if (status || !r->robust.asked || fs_store_open(path, FS_STORE_WRITE, &store, err))
        return err->status;
    status = fs_cli_robust_asked(&r->robust, &r->how, path, store, sweep->name, err);
    fs_store_close(store);
    return status;
}

static fs_status sweep_here(const request *r, const char *path, const fs_store_sweep *sweep, double begun,
                            fs_arena *arena, fs_error *err) {
    fs_store *store = NULL;
    if (fs_store_open(path, FS_STORE_WRITE, &store, err))
        return err->status;
    fs_status status = sweep_into(r, store, path, sweep, begun, arena, err);
    if (status == FS_OK)
        status = fs_cli_robust_asked(&r->robust, &r->how, path, store, sweep->name, err);
    fs_store_close(store);
    return status;
}

static fs_status run_sweep(request *r, fs_arena *arena, fs_error *err) {
    const double begun = fs_host_wall_seconds();
    fs_sweep_file file;
    fs_store_sweep sweep;
    int64_t checks = 64;
    if (fs_option_int("checks", r->checks, 0, FS_SWEEP_MOST_POINTS, &checks, err))
        return FS_INPUT;
    if (fs_cli_sweep_request_check(&r->how, err) || fs_cli_robust_check(&r->robust, err) ||
        read_points(r, arena, &file, &sweep, err))
        return err->status;
    const char *path = fs_cli_sweep_store_of(&r->how, arena, &file, err);
    if (path == NULL)
        return err->status;
    if (r->how.dry_run)
        return fs_sweep_dry_run(&(fs_sweep_dry_options){.registry = r->how.registry,
                                                        .jobs = r->how.job_count,
                                                        .scenes = r->how.cache,
                                                        .no_cache = r->how.no_cache,
                                                        .plain = r->how.plain,
                                                        .retry = r->retry,
                                                        .allow_failures = r->how.allow_failures,
                                                        .checks = (size_t)checks},
                                path, &sweep, arena, err);
    fs_catch_signals();
    fs_status status = r->how.asks_cluster ? sweep_on_cluster(r, path, &sweep, arena, err)
                                           : sweep_here(r, path, &sweep, begun, arena, err);
    return status ? status : fs_cli_sweep_end(&r->how, path, sweep.name, arena, err);
}

static fs_status run(const fs_cli *cli, int argc, char **argv, fs_error *err) {
    request r = {.how = {.registry = cli->registry}};
    fs_arena *arena = fs_arena_create();
    fs_status status = parse(cli, argc, argv, &r, err);
    if (status == FS_OK && !r.help)
        status = run_sweep(&r, arena, err);
    fs_arena_free(arena);
    return status;
}

const fs_command fs_command_sweep = {"sweep", "run the points of a sweep into a store", run};
