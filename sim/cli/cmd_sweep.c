/* foamsim sweep: the points of a sweep file into a store. */
#include "sim/base/arith.h"
#include "sim/base/host.h"
#include "sim/cli/sweep_request.h"
#include "sim/host/signals.h"
#include "sim/host/voice.h"

typedef struct request {
    int64_t checks;
    fs_sweep_request how;
} request;

/* ---- points ---- */

static fs_status read_points(const request *r, fs_arena *arena, fs_sweep_file *file, fs_store_sweep *sweep,
                             fs_error *err) {
    const bool was = fs_say_quiet(true); /* words on the base are said of each point that has them */
    fs_status status = fs_sweep_read(arena, r->how.registry, r->how.file, file, NULL, err);
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
    if (fs_sweep_into_store(store, sweep, &options, r->how.retry, &count, &tally, err)) {
        if (err->status == FS_RUN)
            fs_say("%zu of %zu open points were finished; the same command goes on",
                   tally.done + tally.failed, count);
        return err->status;
    }
    tell(sweep->point_count, sweep->point_count - count, &tally, fs_host_wall_seconds() - begun);
    return FS_OK;
}

static fs_status judge(const request *r, const char *path, fs_store *store, const fs_store_sweep *sweep,
                       fs_arena *arena, fs_error *err) {
    const fs_sweep_options options = fs_cli_sweep_options_of(&r->how, path, arena);
    return fs_robust_run(&r->how.ask, &options, store, sweep->name, err);
}

/* The store is open only while the points go in: the cluster's results come at their own time. */
static fs_status sweep_on_cluster(const request *r, const char *path, const fs_store_sweep *sweep,
                                  fs_arena *arena, fs_error *err) {
    const fs_sweep_item *items = NULL;
    size_t count = 0;
    fs_store *store = NULL;
    if (r->how.cancel)
        return fs_cluster_cancel(path, r->how.registry, err);
    if (fs_store_open(path, FS_STORE_WRITE, &store, err) == FS_OK &&
        fs_store_put_sweep(store, sweep, err) == FS_OK)
        fs_sweep_open_items(r->how.registry, store, sweep, r->how.retry, arena, &items, &count, err);
    fs_store_close(store);
    if (err->status || fs_cluster_sweep(path, sweep->name, &r->how.on_cluster, r->how.registry, err) ||
        !r->how.judge || fs_store_open(path, FS_STORE_WRITE, &store, err))
        return err->status;
    judge(r, path, store, sweep, arena, err);
    fs_store_close(store);
    return err->status;
}

static fs_status sweep_here(const request *r, const char *path, const fs_store_sweep *sweep, double begun,
                            fs_arena *arena, fs_error *err) {
    fs_store *store = NULL;
    if (fs_store_open(path, FS_STORE_WRITE, &store, err) == FS_OK &&
        sweep_into(r, store, path, sweep, begun, arena, err) == FS_OK && r->how.judge)
        judge(r, path, store, sweep, arena, err);
    fs_store_close(store);
    return err->status;
}

static fs_status run_sweep(request *r, fs_arena *arena, fs_error *err) {
    const double begun = fs_host_wall_seconds();
    fs_sweep_file file;
    fs_store_sweep sweep;
    if (read_points(r, arena, &file, &sweep, err))
        return err->status;
    const char *path = fs_cli_sweep_store_of(&r->how, arena, &file, err);
    if (path == NULL)
        return err->status;
    const fs_sweep_options how = fs_cli_sweep_options_of(&r->how, path, arena);
    if (r->how.dry_run)
        return fs_sweep_dry_run(&(fs_sweep_dry_options){.how = &how,
                                                        .retry = r->how.retry,
                                                        .allow_failures = r->how.allow_failures,
                                                        .checks = (size_t)r->checks},
                                path, &sweep, arena, err);
    fs_catch_signals();
    if (fs_cli_sweep_begin(&r->how, path, sweep.name, err))
        return err->status;
    if (r->how.cluster != NULL ? sweep_on_cluster(r, path, &sweep, arena, err)
                               : sweep_here(r, path, &sweep, begun, arena, err))
        return err->status;
    return fs_cli_sweep_end(&r->how, path, sweep.name, arena, err);
}

static fs_status run(fs_command_line *call, fs_error *err) {
    request r = {.checks = 64};
    const fs_option own[] = {
        FS_FLAG("retry", 0, "run failed points again", &r.how.retry),
        FS_OPTION_INT("checks", 0, "N", "dry run: points that are checked up to their first iteration (64)",
                      &r.checks, 0, FS_SWEEP_MOST_POINTS),
    };
    const bool asked =
        fs_cli_sweep_parse(&r.how, call,
                           "sweep SWEEP.yaml [options]\n"
                           "Runs the points of a sweep that the store does not hold yet, and prints the name "
                           "of the store. What was\n"
                           "interrupted goes on with the same command; docs/sweeps.md explains the file.",
                           own, FS_COUNT(own), err);
    return asked ? run_sweep(&r, call->arena, err) : err->status;
}

const fs_command fs_command_sweep = {"sweep", "run the points of a sweep into a store", run};
