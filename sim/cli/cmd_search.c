/* foamsim search: the best points of a space within a budget. */
#include "sim/base/arith.h"
#include "sim/cli/sweep_request.h"
#include "sim/host/signals.h"
#include "sim/host/voice.h"
#include "sim/hunt/hunt.h"

#include <stdio.h>

typedef struct request {
    const char *budget;
    int64_t seed; /* below 0: the file's */
    fs_sweep_request how;
    fs_hunt search;
} request;

static fs_status read_file(request *r, fs_arena *arena, fs_error *err) {
    fs_hunt *s = &r->search;
    const bool was = fs_say_quiet(true); /* words on keys are for a person with one experiment */
    const fs_status status = fs_sweep_read(arena, r->how.registry, r->how.file, &s->file, &s->plan, err);
    fs_say_quiet(was);
    if (status)
        return status;
    if (r->budget != NULL && !fs_sweep_read_budget(r->budget, &s->plan))
        return fs_fail(
            err, FS_INPUT,
            "--budget: expected a number of points (1 to %d) or a time such as 30min, found \"%s\"",
            FS_SWEEP_MOST_BUDGET, r->budget);
    if (r->seed >= 0)
        s->plan.seed = r->seed;
    s->path = fs_cli_sweep_store_of(&r->how, arena, &s->file, err);
    if (s->path == NULL)
        return err->status;
    s->options = fs_cli_sweep_options_of(&r->how, s->path, arena);
    s->cluster = r->how.cluster != NULL ? &r->how.on_cluster : NULL;
    s->retry = r->how.retry;
    s->robust = r->how.judge ? &r->how.ask : NULL;
    return FS_OK;
}

static fs_status run_search(request *r, fs_arena *arena, fs_error *err) {
    if (read_file(r, arena, err))
        return err->status;
    if (r->how.cancel)
        return fs_cluster_cancel(r->search.path, r->how.registry, err);
    const bool was = fs_say_quiet(r->how.dry_run || fs_is_quiet());
    if (r->how.dry_run) {
        fs_hunt_preview(&r->search, arena, stdout, err);
        fs_say_quiet(was);
        return err->status;
    }
    fs_catch_signals();
    return fs_cli_sweep_begin(&r->how, r->search.path, r->search.file.name, err) ||
                   fs_hunt_run(&r->search, arena, err)
               ? err->status
               : fs_cli_sweep_end(&r->how, r->search.path, r->search.file.name, arena, err);
}

static fs_status run(fs_command_line *call, fs_error *err) {
    request r = {.seed = -1};
    const fs_option own[] = {
        FS_OPTION("budget", 'b', "N", "points to look at, or a time: 200, 30min (the file's)", &r.budget),
        FS_OPTION_INT("seed", 0, "N", "of the choice of points (the file's, 1)", &r.seed, 0, INT64_MAX),
        FS_FLAG("retry", 0, "run failed points again", &r.how.retry),
    };
    const bool asked = fs_cli_sweep_parse(
        &r.how, call,
        "search SEARCH.yaml [options]\n"
        "Looks for the best points of a sweep file's space within a budget: batch after batch, "
        "into a store, whose\n"
        "name it prints. What was interrupted goes on with the same command; docs/search.md "
        "explains the file.",
        own, FS_COUNT(own), err);
    return asked ? run_search(&r, call->arena, err) : err->status;
}

const fs_command fs_command_search = {"search", "find the best points of a space within a budget", run};
