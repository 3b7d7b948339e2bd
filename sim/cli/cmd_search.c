/* foamsim search: the best points of a space within a budget. */
#include "sim/cli/robust_request.h"
#include "sim/host/signals.h"
#include "sim/host/voice.h"
#include "sim/hunt/hunt.h"
#include "sim/workload/workload.h"

#include <stdio.h>
#include <string.h>

typedef struct request {
    const char *file, *budget, *seed;
    bool help;
    fs_sweep_request how;
    fs_robust_request robust;
    fs_robust_ask ask;
    fs_hunt search;
} request;

static fs_status parse(const fs_cli *cli, int argc, char **argv, request *r, fs_error *err) {
    const fs_option own[] = {
        FS_OPTION("budget", 'b', "N", "points to look at, or a time: 200, 30min (the file's)", &r->budget),
        FS_OPTION("seed", 0, "N", "of the choice of points (the file's, 1)", &r->seed),
        FS_FLAG("retry", 0, "run failed points again", &r->search.retry),
    };
    enum { OWN = sizeof own / sizeof own[0] };
    fs_option options[OWN + FS_SWEEP_ROWS + FS_ROBUST_ROWS];
    memcpy(options, own, sizeof own);
    fs_cli_sweep_rows(&r->how, options + OWN);
    fs_cli_robust_rows(&r->robust, options + OWN + FS_SWEEP_ROWS);
    int args = 0;
    fs_status status = fs_options_parse(
        cli,
        "search SEARCH.yaml [options]\n"
        "Looks for the best points of a sweep file's space within a budget: batch after batch, "
        "into a store, whose\n"
        "name it prints. What was interrupted goes on with the same command; docs/search.md "
        "explains the file.",
        options, OWN + FS_SWEEP_ROWS + FS_ROBUST_ROWS, argc, argv, 1, 1, &args, &r->help, err);
    if (status == FS_OK && !r->help)
        r->file = argv[0];
    return status;
}

static fs_status read_file(request *r, fs_arena *arena, fs_error *err) {
    fs_hunt *s = &r->search;
    const bool was = fs_say_quiet(true); /* words on keys are for a person with one experiment */
    const fs_status status = fs_sweep_read(arena, r->how.registry, r->file, &s->file, &s->plan, err);
    fs_say_quiet(was);
    if (status)
        return status;
    if (r->budget != NULL && !fs_sweep_read_budget(r->budget, &s->plan))
        return fs_fail(
            err, FS_INPUT,
            "--budget: expected a number of points (1 to %d) or a time such as 30min, found \"%s\"",
            FS_SWEEP_MOST_BUDGET, r->budget);
    if (fs_option_int("seed", r->seed, 0, INT64_MAX, &s->plan.seed, err))
        return FS_INPUT;
    s->path = fs_cli_sweep_store_of(&r->how, arena, &s->file, err);
    if (s->path == NULL)
        return err->status;
    s->options = fs_cli_sweep_options_of(&r->how, s->path, arena);
    s->cluster = r->how.asks_cluster ? &r->how.on_cluster : NULL;
    r->ask = (fs_robust_ask){.uncertain = r->robust.uncertain, .draws = (size_t)r->robust.draws};
    s->robust = r->robust.asked ? &r->ask : NULL;
    return FS_OK;
}

static fs_status run_search(request *r, fs_arena *arena, fs_error *err) {
    if (fs_cli_sweep_request_check(&r->how, err) || fs_cli_robust_check(&r->robust, err) ||
        read_file(r, arena, err))
        return err->status;
    if (r->how.cluster.cancel)
        return fs_cluster_cancel(r->search.path, r->how.registry, err);
    const bool was = fs_say_quiet(r->how.dry_run || fs_is_quiet());
    if (r->how.dry_run) {
        fs_hunt_preview(&r->search, arena, stdout, err);
        fs_say_quiet(was);
        return err->status;
    }
    fs_catch_signals();
    return fs_hunt_run(&r->search, arena, err)
               ? err->status
               : fs_cli_sweep_end(&r->how, r->search.path, r->search.file.name, arena, err);
}

static fs_status run(const fs_cli *cli, int argc, char **argv, fs_error *err) {
    request r = {.how = {.registry = cli->registry}};
    fs_arena *arena = fs_arena_create();
    fs_status status = parse(cli, argc, argv, &r, err);
    if (status == FS_OK && !r.help)
        status = run_search(&r, arena, err);
    fs_arena_free(arena);
    return status;
}

const fs_command fs_command_search = {"search", "find the best points of a space within a budget", run};
