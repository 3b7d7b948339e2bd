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
    bool json, no_cache, help;
} request;

static fs_status parse(const fs_cli *cli, int argc, char **argv, request *r, fs_error *err) {
    const fs_option options[] = {
        FS_OPTION("pixel", 'p', "X,Y", "whose ray, from the upper left", &r->pixel),
        FS_OPTION("gaussian", 'g', "N", "which Gaussian, from 1 on as its file has them", &r->gaussian),
        FS_OPTION("replay", 0, "FILE", "an itinerary recording of the run (run --record): nothing is marched",
                  &r->replay),
        FS_FLAG("json", 0, "as JSON", &r->json),
        FS_OPTION("cache", 0, "DIR", "folder of cached scenes ($XDG_CACHE_HOME/foamsim)", &r->cache),
        FS_FLAG("no-cache", 0, "read and write no cached scenes", &r->no_cache),
    };
    int args = 0;
    fs_status status = fs_options_parse(
        cli,
        "ray RUN --pixel X,Y | --gaussian N [--json]\n"
        "The way of one ray of a finished run of the foam: each hop with its iteration, "
        "tile and shard, cells\nmarched, bytes moved, cycles, what it waited for, and the "
        "pixel's value at its end. Of Gaussians the\ntiles that hold one, its way home and its "
        "copies, step by step. The run is made again.",
        options, sizeof options / sizeof *options, argc, argv, 1, 1, &args, &r->help, err);
    if (status != FS_OK || r->help)
        return status;
    r->run = argv[0];
    return r->pixel != NULL || r->gaussian != NULL
               ? FS_OK
               : fs_fail(err, FS_INPUT,
                         "ray: which one? Name its pixel with --pixel X,Y, or a Gaussian with --gaussian N");
}

static fs_status tell(const fs_registry *registry, const request *r, fs_arena *arena, fs_error *err) {
    const char *file = fs_arena_printf(arena, "%s/resolved.yaml", r->run);
    if (access(file, R_OK) != 0)
        return fs_fail(err, FS_INPUT, "%s: no run folder: it has no resolved.yaml", r->run);
    const fs_config *config = fs_config_load(arena, file, registry->sections, registry->section_count, NULL,
                                             0, fs_configs_dir(), err);
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
    const fs_host_options host = {.threads = omp_get_max_threads(),
                                  .replay = r->replay,
                                  .cache_dir = r->no_cache        ? NULL
                                               : r->cache != NULL ? r->cache
                                                                  : fs_default_cache_dir()};
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

static fs_status run(const fs_cli *cli, int argc, char **argv, fs_error *err) {
    request r = {0};
    fs_status status = parse(cli, argc, argv, &r, err);
    if (status != FS_OK || r.help)
        return status;
    fs_arena *arena = fs_arena_create();
    status = tell(cli->registry, &r, arena, err);
    fs_arena_free(arena);
    return status;
}

const fs_command fs_command_ray = {"ray", "the way of one ray of a run, hop by hop, to its pixel", run};
