/* foamsim ray: a run of the foam again, with one ray followed. */
#include "sim/cli/options.h"
#include "sim/workload/workload.h"
#include "workloads/foam/foam.h"
#include "workloads/foam/follow/follow.h"

#include <omp.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct request {
    const char *run, *pixel, *replay, *cache;
    bool json, no_cache, help;
} request;

static fs_status parse(const fs_cli *cli, int argc, char **argv, request *r, fs_error *err) {
    const fs_option options[] = {
        FS_OPTION("pixel", 'p', "X,Y", "whose ray, from the upper left", &r->pixel),
        FS_OPTION("replay", 0, "FILE", "an itinerary recording of the run (run --record): nothing is marched",
                  &r->replay),
        FS_FLAG("json", 0, "as JSON", &r->json),
        FS_OPTION("cache", 0, "DIR", "folder of cached scenes ($XDG_CACHE_HOME/foamsim)", &r->cache),
        FS_FLAG("no-cache", 0, "read and write no cached scenes", &r->no_cache),
    };
    int args = 0;
    fs_status status =
        fs_options_parse(cli,
                         "ray RUN --pixel X,Y [--json]\n"
                         "The way of one ray of a finished run of the foam: each hop with its iteration, "
                         "tile and shard, cells\nmarched, bytes moved, cycles, what it waited for, and the "
                         "pixel's value at its end. The run is made again.",
                         options, sizeof options / sizeof *options, argc, argv, 1, 1, &args, &r->help, err);
    if (status != FS_OK || r->help)
        return status;
    r->run = argv[0];
    return r->pixel != NULL ? FS_OK
                            : fs_fail(err, FS_INPUT, "ray: which one? Name its pixel with --pixel X,Y");
}

static fs_status read_pixel(const char *text, uint32_t *x, uint32_t *y, fs_error *err) {
    char left[32], right[32], rest;
    int64_t at[2];
    if (sscanf(text, "%31[^,],%31[^,]%c", left, right, &rest) != 2)
        return fs_fail(err, FS_INPUT, "--pixel: expected X,Y, such as 320,100, found \"%s\"", text);
    if (fs_option_int("pixel", left, 0, 65535, &at[0], err) ||
        fs_option_int("pixel", right, 0, 65535, &at[1], err))
        return FS_INPUT;
    *x = (uint32_t)at[0];
    *y = (uint32_t)at[1];
    return FS_OK;
}

static fs_status tell(const fs_registry *registry, const request *r, fs_arena *arena, fs_error *err) {
    uint32_t x = 0, y = 0;
    const char *file = fs_arena_printf(arena, "%s/resolved.yaml", r->run);
    if (read_pixel(r->pixel, &x, &y, err))
        return FS_INPUT;
    if (access(file, R_OK) != 0)
        return fs_fail(err, FS_INPUT, "%s: no run folder: it has no resolved.yaml", r->run);
    const fs_config *config = fs_config_load(arena, file, registry->sections, registry->section_count, NULL,
                                             0, fs_configs_dir(), err);
    if (config == NULL)
        return err->status;
    const fs_workload *workload = fs_workload_of(config);
    if (workload != &fs_workload_foam)
        return fs_fail(err, FS_INPUT, "%s: its workload is %s; only foam has rays that can be followed",
                       r->run, workload->kind);
    if (strcmp(fs_config_kind(config, "views"), "none") != 0)
        return fs_fail(err, FS_INPUT, "%s has several views: name one of them, such as %s/view-0", r->run,
                       r->run);
    const fs_host_options host = {.threads = omp_get_max_threads(),
                                  .replay = r->replay,
                                  .cache_dir = r->no_cache        ? NULL
                                               : r->cache != NULL ? r->cache
                                                                  : fs_default_cache_dir()};
    json_t *story = NULL;
    if (fs_foam_follow(config, &host, x, y, &story, err))
        return err->status;
    if (r->json)
        json_dumpf(story, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(9));
    else
        fs_follow_tell(story, stdout);
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
