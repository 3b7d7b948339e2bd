/* foamsim run: one experiment into one folder, or a set of views. */
#include "sim/base/digest.h"
#include "sim/base/version.h"
#include "sim/cli/options.h"
#include "sim/host/scratch.h"
#include "sim/host/signals.h"
#include "sim/host/voice.h"
#include "sim/workload/run_request.h"
#include "sim/workload/workload.h"
#include "sim/yaml/paths.h"

#include <omp.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static bool parse(fs_command_line *call, fs_run_request *r, fs_error *err) {
    const fs_option options[] = {
        FS_OPTION_LIST("set", 's', "A.B=V", "change one parameter; may be repeated", r->sets, &r->set_count,
                       FS_MAX_SETS),
        FS_OPTION("output", 'o', "DIR", "folder of the results (runs/NAME)", &r->dir),
        FS_FLAG("force", 'f', "replace an existing run folder", &r->force),
        FS_OPTION_INT("threads", 't', "N", "host threads (all cores)", &r->threads, 1, FS_MAX_THREADS),
        FS_OPTION_INT("jobs", 'j', "N", "views or rungs at a time, sharing the threads (1)", &r->jobs, 1,
                      FS_MAX_THREADS),
        FS_OPTIONS_CACHE(r),
        FS_FLAG("ladder", 0, "also simulate the rungs of the run's ladder that are settings", &r->ladder),
        FS_OPTION("trace", 0, "FILE", "write a timeline for ui.perfetto.dev or chrome://tracing (JSON)",
                  &r->trace),
        FS_OPTION("trace-tiles", 0, "T,A-B/S,ROLE",
                  "tiles in it (generator, roots, the camera's, those that set the pace)", &r->trace_tiles),
        FS_OPTION("record", 0, "FILE", "also write an itinerary recording: the rays' paths", &r->record),
        FS_OPTION("record-activity", 0, "FILE", "also write an activity recording: what every tile did",
                  &r->record_activity),
        FS_OPTION("replay", 0, "FILE", "go on from a recording; the results are the same", &r->replay),
        FS_FLAG("check", 'c', "stop before the run: does the experiment fit the machine?", &r->check),
    };
    if (!fs_options_parse(
            call,
            "run EXPERIMENT.yaml [options]\n"
            "Runs an experiment, by its file or by a name of `foamsim list experiments`, or a file of "
            "another tool\n"
            "whose bytes say what it is (foamsim import --help), and prints the name of the folder with its "
            "results.\n"
            "One with a section `views` is a run for each camera. --set of a section's kind leaves out what "
            "only the old\nkind has, and says so.",
            options, FS_COUNT(options), 1, 1, err))
        return false;
    r->experiment = call->argv[0];
    return true;
}

static fs_status host_options(const fs_run_request *r, fs_host_options *host, fs_error *err) {
    omp_set_num_threads((int)r->threads);
    *host = (fs_host_options){.threads = (int)r->threads,
                              .check_only = r->check,
                              .trace = r->trace,
                              .trace_tiles = r->trace_tiles,
                              .record = r->record,
                              .record_activity = r->record_activity,
                              .replay = r->replay,
                              .cache_dir = FS_CACHE_DIR(r)};
    if (r->trace == NULL && r->trace_tiles != NULL)
        return fs_fail(err, FS_INPUT, "--trace-tiles: expected --trace FILE beside it");
    return FS_OK;
}

/* The folder of the results: --output, or runs/NAME. */
static const char *folder_of(const fs_run_request *r, const fs_config *config, fs_arena *arena,
                             fs_error *err) {
    if (r->dir != NULL)
        return r->dir;
    const char *name = fs_config_name(config);
    if (name[0] != '\0' && name[0] != '.' && strchr(name, '/') == NULL)
        return fs_arena_printf(arena, "runs/%s", name);
    return FS_FAIL_NULL(err, FS_INPUT, "%s: the name \"%s\" is no name for a folder: give one with --output",
                        r->experiment, name);
}

static fs_status run_into(const fs_run_request *r, const char *dir, const fs_config *config,
                          const fs_workload *workload, const fs_host_options *host, fs_arena *arena,
                          fs_error *err) {
    if (r->ladder && strcmp(r->experiment, "-") == 0)
        return fs_fail(err, FS_INPUT, "--ladder: the experiment must be a file, as each rung reads it again");
    fs_results *results = fs_results_open(dir, r->force, err);
    if (results == NULL)
        return err->status;
    fs_catch_signals();
    char line[FS_RUN_LINE] = "";
    if (fs_workload_run(workload, config, host, results, line, err) == FS_OK && fs_interrupted())
        fs_fail(err, FS_RUN, "interrupted");
    if (err->status || (r->ladder && fs_run_ladder(r, host, results, arena, err)) ||
        fs_run_write_common(config, workload, results, err)) {
        fs_results_discard(results);
        return err->status;
    }
    fs_run_note_origin(config, results);
    if (fs_results_commit(results, err))
        return err->status;
    if (line[0] != '\0')
        fs_say("%s", line);
    printf("%s\n", dir);
    return FS_OK;
}

/* What a run writes beside its folder never replaces what it reads. */
static fs_status check_written(const fs_run_request *r, fs_error *err) {
    const char *const read[] = {r->experiment, r->replay}, *const written[] = {r->record, r->record_activity,
                                                                               r->trace};
    struct stat a, b;
    for (size_t i = 0; i < sizeof read / sizeof *read; i++)
        for (size_t k = 0; k < sizeof written / sizeof *written; k++)
            if (read[i] != NULL && written[k] != NULL && stat(read[i], &a) == 0 &&
                stat(written[k], &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino)
                return fs_fail(err, FS_INPUT, "%s is read by this run: what it writes needs another name",
                               written[k]);
    return FS_OK;
}

static fs_status run_experiment(const fs_run_request *r, fs_arena *arena, fs_error *err) {
    if (check_written(r, err))
        return err->status;
    fs_host_options host;
    if (host_options(r, &host, err))
        return FS_INPUT;
    const fs_config *config =
        fs_experiment_load(r->registry, arena, r->experiment, r->sets, r->set_count, err);
    if (config == NULL)
        return err->status;
    const fs_workload *workload = fs_workload_of(config);
    if (fs_workload_check_host(workload, &host, err))
        return FS_INPUT;
    const fs_view *views;
    size_t view_count;
    if (fs_views_make(config, arena, &views, &view_count, err))
        return FS_INPUT;
    const bool frames = fs_views_are_frames(config); /* of one run */
    if (frames && r->record != NULL)
        return fs_fail(
            err, FS_INPUT,
            "--record: an itinerary recording holds the rays of one view, this experiment has %zu as "
            "frames of one run; expected --record-activity, or --set views.kind=none --set "
            "run.path.in_flight=0 and a camera",
            view_count);
    if (frames)
        view_count = 0;
    if ((r->record != NULL || r->record_activity != NULL || r->replay != NULL) && view_count > 0)
        return fs_fail(
            err, FS_INPUT,
            "--record, --record-activity, --replay: this experiment has %zu views, and a recording "
            "holds one; choose one with --set views.kind=none and its camera",
            view_count);
    if (r->check && view_count == 0) {
        char line[FS_RUN_LINE] = "";
        fs_status status = fs_workload_run(workload, config, &host, NULL, line, err);
        if (status == FS_OK && line[0] != '\0')
            fs_say("%s", line);
        return status;
    }
    const char *dir = folder_of(r, config, arena, err);
    if (dir == NULL)
        return FS_INPUT;
    if (view_count > 0)
        return fs_run_views(r, &host, config, workload, views, view_count, dir, arena, err);
    return run_into(r, dir, config, workload, &host, arena, err);
}

/* A file of another tool becomes an experiment in a folder of the cache that is named by the file's place and bytes, so that the
 * run's resolved.yaml is the same each time, and runs; without a cache in a scratch folder. */
static fs_status make_experiment(const fs_cli *cli, fs_run_request *r, fs_scratch *scratch, fs_arena *arena,
                                 fs_error *err) {
    const char *cache = FS_CACHE_DIR(r);
    char bytes[FS_DIGEST_HEX], name[FS_DIGEST_HEX];
    struct stat info;
    if (cli->foreign == NULL || stat(r->experiment, &info) != 0 || !S_ISREG(info.st_mode))
        return FS_OK;
    if (cache != NULL ? fs_digest_file(r->experiment, bytes, err) : fs_scratch_make(arena, scratch, err))
        return err->status;
    const char *folder = scratch->path;
    if (cache != NULL) {
        const char *key =
            fs_arena_printf(arena, "%s %s %s", FS_VERSION, bytes, fs_path_absolute(arena, "", r->experiment));
        fs_digest_memory(key, strlen(key), name);
        folder = fs_path_join(arena, fs_path_absolute(arena, "", cache),
                              fs_arena_printf(arena, "imports/%.16s", name));
    }
    const char *made = cli->foreign(arena, r->experiment, folder, err);
    if (made != NULL)
        r->experiment = made;
    return err->status;
}

static fs_status run(fs_command_line *call, fs_error *err) {
    fs_run_request r = {.registry = call->cli->registry, .threads = omp_get_max_threads(), .jobs = 1};
    r.threads = r.threads < FS_MAX_THREADS ? r.threads : FS_MAX_THREADS;
    fs_scratch scratch = {NULL, -1};
    if (parse(call, &r, err) && make_experiment(call->cli, &r, &scratch, call->arena, err) == FS_OK)
        run_experiment(&r, call->arena, err);
    fs_scratch_remove(&scratch);
    return err->status;
}

const fs_command fs_command_run = {"run", "run an experiment and write its results", run};
