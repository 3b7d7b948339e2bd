/* foamsim validate: the figures of papers, simulated and judged. */
#include "sim/base/host.h"
#include "sim/cli/cli.h"
#include "sim/cli/options.h"
#include "sim/host/signals.h"
#include "sim/host/voice.h"
#include "sim/workload/run_request.h"
#include "validation/judge/judge.h"
#include "validation/page/page.h"
#include "validation/results/results.h"
#include "validation/validation.h"

#include <omp.h>
#include <string.h>

typedef struct request {
    const char *out, *store, *cases, *standins, *from, *cache, *docs, *expect, *paper, *predict;
    bool quick, retry;
    int64_t jobs;
} request;

static bool parse(fs_command_line *call, request *r, fs_error *err) {
    const fs_option options[] = {
        FS_OPTION("output", 'o', "DIR", "folder of the results (validation-out)", &r->out),
        FS_OPTION("store", 's', "FILE.db", "the store (DIR/validation.db)", &r->store),
        FS_OPTION("paper", 0, "NAME", "only this paper (all that have cases)", &r->paper),
        FS_OPTION("cases", 0, "A,B", "only these cases", &r->cases),
        FS_OPTION("standins", 0, "A,B", "only these stand-ins", &r->standins),
        FS_OPTION_INT("jobs", 'j', "N", "processes at a time (all cores)", &r->jobs, 1, FS_MAX_THREADS),
        FS_FLAG("quick", 0, "the experiments as they are, without draws of what no source fixes, no pictures",
                &r->quick),
        FS_OPTION("expect", 0, "FILE.csv",
                  "an earlier results.csv: fail when the mean error grew by more than a percentage point; a "
                  "prediction: fail when a figure is another",
                  &r->expect),
        FS_OPTION("predict", 0, "FILE.csv",
                  "write the predictions alone, before they are compared: nothing published is shown",
                  &r->predict),
        FS_OPTION("from", 0, "DIR", "folder of papers, cases and stand-ins (configs/validation)", &r->from),
        FS_FLAG("retry", 0, "run failed points again", &r->retry),
        FS_OPTION("cache", 0, "DIR", "folder of cached scenes ($XDG_CACHE_HOME/foamsim)", &r->cache),
        FS_OPTION("docs", 0, "DIR", "write each paper's document and its pictures into DIR too", &r->docs),
    };
    return fs_options_parse(
        call,
        "validate [options]\n"
        "Simulates the published figures, prints how far off they are, and draws DIR/validation.html; of "
        "several papers each has\nDIR/PAPER. What was run is kept in the store: a second time takes "
        "seconds, and what was interrupted goes on with the same\ncommand. docs/validation-cases.md "
        "explains the case files.",
        options, FS_COUNT(options), 0, 0, err);
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

static fs_status simulate(fs_validation *v, const fs_validation_options *options, fs_error *err) {
    if (fs_validation_run(v, options, err))
        return err->status;
    fs_validation_judge(v);
    return FS_OK;
}

/* All papers, compared with nothing. */
static fs_status predict(const request *r, fs_validation *v, size_t count,
                         const fs_validation_options *options, fs_error *err) {
    size_t written = 0;
    if (r->expect != NULL || r->docs != NULL)
        return fs_fail(err, FS_INPUT, "--predict compares nothing: it goes without --expect and --docs");
    for (size_t i = 0; i < count; i++)
        if (simulate(&v[i], options, err))
            return err->status;
    if (fs_predictions_write(v, count, r->predict, &written, err))
        return err->status;
    if (!fs_is_quiet())
        printf("%s: %zu predictions\n", r->predict, written);
    return FS_OK;
}

/* One paper, all the way to its page. */
static fs_status validate_paper(const request *r, fs_validation *v, const fs_validation_options *options,
                                fs_error *err) {
    FILE *out = fs_is_quiet() ? NULL : stdout;
    if (simulate(v, options, err) || fs_validation_write(v, options->folder, err))
        return err->status;
    if (out != NULL) {
        fs_memory plain;
        fs_validation_print(v, fs_memory_open(&plain));
        fs_put_plain_stream(&plain, out);
        fflush(out);
    }
    if (!r->quick && (fs_validation_scenes(v, options->folder, options, err) ||
                      fs_validation_page(v, options->folder, err)))
        return err->status;
    if (r->docs != NULL && fs_validation_document(v, options->folder, r->docs, err))
        return err->status;
    return r->expect == NULL ? FS_OK : fs_validation_expect(v, r->expect, out, err);
}

static fs_status validate_papers(const request *r, fs_arena *arena, fs_validation *v, size_t count,
                                 const fs_validation_options *options, fs_error *err) {
    if (count == 1)
        return validate_paper(r, v, options, err);
    if (r->expect != NULL)
        return fs_fail(err, FS_INPUT, "--expect compares one paper, and %zu have cases: --paper NAME", count);
    for (size_t i = 0; i < count; i++) {
        fs_validation_options one = *options;
        one.folder = fs_arena_printf(arena, "%s/%s", options->folder, v[i].paper->name);
        if (validate_paper(r, &v[i], &one, err))
            return err->status;
    }
    if (!fs_is_quiet()) {
        fs_memory plain;
        fs_validations_print(v, count, fs_memory_open(&plain));
        fs_put_plain_stream(&plain, stdout);
    }
    return r->quick ? FS_OK : fs_validations_overview(v, count, options->folder, err);
}

static fs_status validate(const fs_registry *registry, const request *r, fs_arena *arena, fs_error *err) {
    const int threads = omp_get_num_procs() / (int)r->jobs;
    const char *out = r->out == NULL ? "validation-out" : r->out;
    const char *from = r->from != NULL ? r->from : fs_arena_printf(arena, "%s/validation", fs_configs_dir());
    const fs_validation_wants wants = {words_of(arena, r->cases), words_of(arena, r->standins), r->paper};
    const fs_validation_options options = {
        .folder = out,
        .store = r->store != NULL ? r->store : fs_arena_printf(arena, "%s/validation.db", out),
        .scenes = r->cache != NULL ? r->cache : fs_default_cache_dir(),
        .jobs = (int)r->jobs,
        .threads = threads > 0 ? threads : 1,
        .memory = fs_host_memory_bytes() / 4 * 3,
        .quick = r->quick,
        .retry = r->retry,
        .progress = !fs_is_quiet()};
    fs_validation *papers = NULL;
    size_t count = 0;
    if (fs_validations_read(arena, registry, from, &wants, &papers, &count, err))
        return err->status;
    return r->predict != NULL ? predict(r, papers, count, &options, err)
                              : validate_papers(r, arena, papers, count, &options, err);
}

static fs_status run(fs_command_line *call, fs_error *err) {
    request r = {.jobs = omp_get_num_procs()};
    if (!parse(call, &r, err))
        return err->status;
    fs_catch_signals();
    return validate(call->cli->registry, &r, call->arena, err);
}

const fs_command fs_command_validate = {"validate", "compare published figures with simulated ones", run};
