/* foamsim validate: the paper's figures, simulated and judged. */
#include "sim/base/host.h"
#include "sim/base/progress.h"
#include "sim/cli/cli.h"
#include "sim/cli/run_request.h"
#include "validation/private.h"

#include <omp.h>
#include <string.h>

typedef struct request {
    const char *out, *store, *cases, *standins, *jobs, *from, *cache, *docs, *expect;
    bool quick, quiet, retry, calibrate, uncalibrated, help;
} request;

static fs_status parse(int argc, char **argv, request *r, fs_error *err) {
    const fs_option options[] = {
        {.name = "out",
         .letter = 'o',
         .value = "DIR",
         .doc = "folder of the results (validation-out)",
         .text = &r->out},
        {.name = "store",
         .letter = 's',
         .value = "FILE.db",
         .doc = "the store (DIR/validation.db)",
         .text = &r->store},
        {.name = "cases", .value = "A,B", .doc = "only these cases", .text = &r->cases},
        {.name = "standins", .value = "A,B", .doc = "only these stand-ins", .text = &r->standins},
        {.name = "jobs",
         .letter = 'j',
         .value = "N",
         .doc = "processes at a time (all cores)",
         .text = &r->jobs},
        {.name = "quick",
         .doc = "no sensitivities, no other ways to read the paper, no pictures",
         .flag = &r->quick},
        {.name = "expect",
         .value = "FILE.csv",
         .doc = "an earlier results.csv: fail when the mean error grew by more than a percentage point",
         .text = &r->expect},
        {.name = "calibrate",
         .doc = "fit machine.cost.scale to the times that may be used for it, and write calibration.yaml",
         .flag = &r->calibrate},
        {.name = "uncalibrated", .doc = "as if there were no calibration.yaml", .flag = &r->uncalibrated},
        {.name = "from",
         .value = "DIR",
         .doc = "folder of cases and stand-ins (configs/validation)",
         .text = &r->from},
        {.name = "retry", .doc = "run failed points again", .flag = &r->retry},
        {.name = "cache",
         .value = "DIR",
         .doc = "folder of cached scenes ($XDG_CACHE_HOME/foamsim)",
         .text = &r->cache},
        {.name = "docs",
         .value = "DIR",
         .doc = "write DIR/validation.md and its pictures too",
         .text = &r->docs},
        {.name = "quiet", .letter = 'q', .doc = "no progress and no words", .flag = &r->quiet},
    };
    int args = 0;
    return fs_options_parse(
        "validate [options]\n"
        "Simulates the published figures, prints how far off they are, and draws DIR/validation.html. What "
        "was run is "
        "kept in the store: a second\ntime takes seconds, and what was interrupted goes on "
        "with the same command. docs/validation-cases.md explains\nthe case files.",
        options, sizeof options / sizeof options[0], argc, argv, 0, 0, &args, &r->help, err);
}

/* "a,b" to a list; NULL for NULL. */
static const char *const *words_of(fs_arena *arena, const char *text) {
    if (text == NULL)
        return NULL;
    char *copy = fs_arena_strdup(arena, text), *rest = NULL;
    const char **words = FS_NEW(arena, const char *, strlen(text) + 2);
    size_t count = 0;
    for (char *word = strtok_r(copy, ",", &rest); word != NULL; word = strtok_r(NULL, ",", &rest))
        words[count++] = word;
    return words;
}

/* Fitted anew, as it was fitted before, or not at all. */
static fs_status use_calibration(const request *r, fs_validation *v, const fs_validation_options *options,
                                 fs_error *err) {
    const char *stale = NULL;
    if (r->uncalibrated)
        return FS_OK;
    if (fs_validation_read_calibration(v, &stale, err))
        return err->status;
    if (r->calibrate)
        return fs_validation_calibrate(v, options, err) ? err->status
                                                        : fs_validation_read_calibration(v, &stale, err);
    if (stale != NULL)
        fs_say("calibration.yaml was fitted with another %s: foamsim validate --calibrate fits it anew",
               stale);
    return FS_OK;
}

static fs_status validate(const request *r, fs_arena *arena, fs_error *err) {
    int64_t jobs = omp_get_num_procs();
    if (r->jobs != NULL && fs_option_int("jobs", r->jobs, 1, FS_MAX_THREADS, &jobs, err))
        return FS_INPUT;
    const int threads = omp_get_num_procs() / (int)jobs;
    const char *out = r->out == NULL ? "validation-out" : r->out;
    const char *from = r->from != NULL ? r->from : fs_arena_printf(arena, "%s/validation", fs_configs_dir());
    const fs_validation_wants wants = {words_of(arena, r->cases), words_of(arena, r->standins)};
    const fs_validation_options options = {
        .folder = out,
        .store = r->store != NULL ? r->store : fs_arena_printf(arena, "%s/validation.db", out),
        .scenes = r->cache != NULL ? r->cache : fs_default_cache_dir(),
        .jobs = (int)jobs,
        .threads = threads > 0 ? threads : 1,
        .memory = fs_host_memory_bytes() / 4 * 3,
        .quick = r->quick,
        .retry = r->retry,
        .progress = !r->quiet};
    fs_validation v;
    if (fs_validation_read(arena, from, &wants, &v, err) || use_calibration(r, &v, &options, err) ||
        fs_validation_run(&v, &options, err))
        return err->status;
    fs_validation_judge(&v);
    if (fs_validation_write(&v, out, err))
        return err->status;
    fs_validation_print(&v, stdout);
    fflush(stdout);
    if (!r->quick && fs_validation_scenes(&v, out, &options, err))
        return err->status;
    if (!r->quick && fs_validation_page(&v, out, err))
        return err->status;
    if (r->docs != NULL && fs_validation_markdown(&v, out, r->docs, err))
        return err->status;
    return r->expect == NULL ? FS_OK : fs_validation_expect(&v, r->expect, err);
}

static fs_status run(int argc, char **argv, fs_error *err) {
    request r = {.out = NULL};
    fs_arena *arena = fs_arena_create();
    fs_status status = parse(argc, argv, &r, err);
    if (status == FS_OK && !r.help) {
        fs_say_quiet(r.quiet);
        fs_catch_signals();
        status = validate(&r, arena, err);
    }
    fs_arena_free(arena);
    return status;
}

const fs_command fs_command_validate = {"validate", "compare published figures with simulated ones", run};
