/* foamsim ray: a run again, with one of the things that travel in it followed. */
#include "sim/cli/commands.h"
#include "sim/cli/options.h"
#include "sim/workload/workload.h"

#include <omp.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct request {
    const char *run, *pixel, *gaussian, *replay, *cache;
    bool json, no_cache;
} request;

static bool parse(fs_command_line *call, request *r, fs_error *err) {
    const fs_option options[] = {
        FS_OPTION("pixel", 'p', "X,Y", "whose ray, from the upper left", &r->pixel),
        FS_OPTION("gaussian", 'g', "N", "which Gaussian, from 1 on as its file has them", &r->gaussian),
        FS_OPTION("replay", 0, "FILE", "an itinerary recording of the run (run --record): nothing is marched",
                  &r->replay),
        FS_FLAG("json", 0, "as JSON", &r->json),
        FS_OPTIONS_CACHE(r),
    };
    if (!fs_options_parse(
            call,
            "ray RUN --pixel X,Y | --gaussian N [--json]\n"
            "The way of one ray of a finished run of the foam: each hop with its iteration, "
            "tile and shard, cells\nmarched, bytes moved, cycles, what it waited for, and the "
            "pixel's value at its end. Of Gaussians the\ntiles that hold one, its way home and its "
            "copies, step by step. The run is made again.",
            options, FS_COUNT(options), 1, 1, err))
        return false;
    r->run = call->argv[0];
    if (r->pixel == NULL && r->gaussian == NULL)
        fs_fail(err, FS_INPUT,
                "ray: which one? Name its pixel with --pixel X,Y, or a Gaussian with --gaussian N");
    return err->status == FS_OK;
}

static fs_status tell(const fs_registry *registry, const request *r, fs_arena *arena, fs_error *err) {
    const char *file = fs_arena_printf(arena, "%s/resolved.yaml", r->run);
    if (access(file, R_OK) != 0)
        return fs_fail(err, FS_INPUT, "%s: no run folder: it has no resolved.yaml", r->run);
    const fs_config *config = fs_experiment_load(registry, arena, file, NULL, 0, err);
    if (config == NULL)
        return err->status;
    const fs_workload *workload = fs_workload_of(config);
    const fs_workload_follow *follow = &workload->follow;
    if (follow->story == NULL)
        return fs_fail(err, FS_INPUT, "%s: its workload is %s, which has nothing that can be followed",
                       r->run, workload->kind);
    const char *which = strcmp(follow->option, "pixel") == 0 ? r->pixel : r->gaussian;
    if (which == NULL)
        return fs_fail(err, FS_INPUT, "%s: its workload is %s; expected --%s %s", r->run, workload->kind,
                       follow->option, follow->form);
    if (strcmp(fs_config_kind(config, "views"), "none") != 0)
        return fs_fail(err, FS_INPUT, "%s has several views: name one of them, such as %s/view-0", r->run,
                       r->run);
    const fs_host_options host = {
        .threads = omp_get_max_threads(), .replay = r->replay, .cache_dir = FS_CACHE_DIR(r)};
    json_t *story = NULL;
    if (follow->story(config, &host, which, &story, err))
        return err->status;
    if (r->json)
        json_dumpf(story, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(9));
    else
        follow->tell(story, stdout);
    if (r->json)
        fputc('\n', stdout);
    json_decref(story);
    return FS_OK;
}

static fs_status run(fs_command_line *call, fs_error *err) {
    request r = {0};
    return parse(call, &r, err) ? tell(call->cli->registry, &r, call->arena, err) : err->status;
}

const fs_command fs_command_ray = {"ray", "the way of one ray of a run, hop by hop, to its pixel", run};
