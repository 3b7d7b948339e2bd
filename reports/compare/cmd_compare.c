/* foamsim compare: two or more runs side by side. */
#include "reports/compare/compare.h"
#include "sim/base/numbers.h"
#include "sim/cli/options.h"
#include "sim/host/voice.h"
#include "sim/yaml/words.h"

#include <math.h>
#include <string.h>

enum { MOST_OPTIONS = 64 };

static const char usage[] =
    "compare RUN RUN ... [-o compare.html]\n"
    "Says what differs between runs: what was set, what came out, which is faster and why. The first RUN is\n"
    "the base unless --base names another. Runs of several questions (scenes, batchings, loads) are compared "
    "within\n"
    "equal ones: a matrix. Exit status 1: a run is worse than the base by more than a --threshold.";

/* "device.seconds=5%": worse by more than 5 per cent of the base fails. */
static fs_status read_threshold(const char *text, fs_arena *arena, fs_threshold *out, fs_error *err) {
    const char *equals = strchr(text, '=');
    if (equals == NULL || equals == text)
        return fs_fail(err, FS_INPUT, "--threshold: expected NAME=PERCENT (device.seconds=5%%), found \"%s\"",
                       text);
    char *number = fs_arena_strdup(arena, equals + 1);
    size_t n = strlen(number);
    if (n > 0 && number[n - 1] == '%')
        number[n - 1] = '\0';
    out->name = fs_arena_printf(arena, "%.*s", (int)(equals - text), text);
    return fs_option_real("threshold", number, 0, 1e9, &out->percent, err);
}

static fs_status check_threshold(const fs_compare *c, const fs_threshold *t, fs_error *err) {
    if (fs_compare_find(c, t->name) != NULL)
        return FS_OK;
    const char **words = FS_NEW(c->arena, const char *, c->figure_count + 1);
    for (size_t i = 0; i < c->figure_count; i++)
        words[i] = c->figures[i].name;
    return fs_fail(err, FS_INPUT, "--threshold: no run has a figure \"%s\"%s", t->name,
                   FS_MEANT(t->name, words));
}

/* One line for each run that is worse than a threshold allows. A figure that one of the two runs has not is
 * no reason to pass. */
static fs_status apply_thresholds(const fs_compare *c, const fs_threshold *thresholds, size_t count,
                                  fs_error *err) {
    fs_status status = FS_OK;
    for (size_t t = 0; t < count; t++)
        for (size_t r = 0; r < c->count; r++) {
            const fs_compare_figure *f = fs_compare_find(c, thresholds[t].name);
            double worse = r == c->base ? 0 : fs_compare_worse(c, f, r);
            if (worse <= thresholds[t].percent)
                continue;
            const char *allowed = fs_number_percent(fabs(thresholds[t].percent / 100));
            if (isnan(worse))
                status = fs_fail_also(err, FS_RUN, "%s: %s cannot be compared: one of the runs has none",
                                      c->runs[r].label, f->name);
            else if (isinf(worse))
                status = fs_fail_also(err, FS_RUN, "%s: %s is %s, not %s as in %s; allowed: %s worse",
                                      c->runs[r].label, f->name, fs_compare_value(c, f, r),
                                      fs_compare_value(c, f, c->base), c->runs[c->base].label, allowed);
            else
                status = fs_fail_also(
                    err, FS_RUN, "%s: %s is %s worse than in %s (%s against %s); allowed: %s",
                    c->runs[r].label, f->name, fs_number_percent(fabs(worse / 100)), c->runs[c->base].label,
                    fs_compare_value(c, f, r), fs_compare_value(c, f, c->base), allowed);
        }
    return status;
}

/* The base is often named a second time by a pattern ("base study/..."): of more than two names one that came
 * before is left out, and *base is moved with it. */
static size_t without_repeats(const char **dirs, size_t count, size_t *base) {
    size_t n = 0, left = count, moved = *base;
    for (size_t i = 0; i < count; i++) {
        const size_t k = FS_WORD_PLACE(dirs, n, dirs[i]);
        if (i == *base)
            moved = k;
        if (k < n && left > 2)
            left--;
        else
            dirs[n++] = dirs[i];
    }
    *base = moved;
    return n;
}

typedef struct request {
    const char *page, *csv, *json, *boss;
    const char *thresholds[MOST_OPTIONS], *groups[MOST_OPTIONS];
    size_t threshold_count, group_count;
    bool plots;
} request;

/* Labels and values are texts of the runs. */
static void print(const fs_compare *c) {
    fs_memory plain;
    fs_compare_print(c, fs_memory_open(&plain));
    fs_put_plain_stream(&plain, stdout);
}

static fs_status compare_opened(const request *q, fs_compare *c, const fs_threshold *thresholds,
                                fs_error *err) {
    for (size_t i = 0; i < q->threshold_count; i++)
        if (check_threshold(c, &thresholds[i], err))
            return err->status;
    if (fs_compare_judge(c, err))
        return err->status;
    if (!fs_is_quiet())
        print(c);
    if ((q->csv != NULL && fs_compare_write_csv(c, q->csv, err)) ||
        (q->json != NULL && fs_compare_write_json(c, thresholds, q->threshold_count, q->json, err)) ||
        (q->page != NULL && fs_compare_write_page(c, q->page, q->plots, err)) ||
        (q->boss != NULL && fs_compare_boss(c, q->boss, err)))
        return err->status;
    return apply_thresholds(c, thresholds, q->threshold_count, err);
}

static fs_status compare(const fs_command_line *call, const request *q, size_t base, fs_error *err) {
    fs_threshold thresholds[MOST_OPTIONS] = {{0}};
    const char **dirs = FS_NEW(call->arena, const char *, (size_t)call->argc);
    for (size_t i = 0; i < q->threshold_count; i++)
        if (read_threshold(q->thresholds[i], call->arena, &thresholds[i], err))
            return err->status;
    for (int i = 0; i < call->argc; i++)
        dirs[i] = call->argv[i];
    const size_t count = without_repeats(dirs, (size_t)call->argc, &base);
    fs_compare *c = fs_compare_open(call->cli->registry, dirs, count, base, q->groups, q->group_count, err);
    if (c == NULL)
        return err->status;
    compare_opened(q, c, thresholds, err);
    for (size_t i = 0; i < c->count; i++)
        fs_folder_own_places(c->runs[i].folder, err);
    fs_compare_free(c);
    return err->status;
}

static fs_status run(fs_command_line *call, fs_error *err) {
    request q = {.page = NULL};
    const char *base_text = NULL;
    const fs_option options[] = {
        FS_OPTION("output", 'o', "FILE", "a page with maps side by side", &q.page),
        FS_OPTION_LIST("threshold", 't', "NAME=PERCENT",
                       "fail when a figure is worse by more than that; may be repeated", q.thresholds,
                       &q.threshold_count, MOST_OPTIONS),
        FS_OPTION("base", 'b', "N", "the N-th run is the base (1)", &base_text),
        FS_OPTION_LIST(
            "group", 'g', "KEY",
            "a parameter (workload.payload, or a beginning) that makes rows of the matrix; may be repeated",
            q.groups, &q.group_count, MOST_OPTIONS),
        FS_OPTION("boss", 0, "FILE.pdf", "one A4 page: what to build, what it costs, second best, how sure",
                  &q.boss),
        FS_FLAG("plots", 0,
                "leave the page's charts beside it too, as PNG and SVG with their gnuplot scripts", &q.plots),
        FS_OPTION("csv", 0, "FILE", "the matrix, or else all figures, as CSV", &q.csv),
        FS_OPTION("json", 0, "FILE", "all of the comparison as JSON", &q.json),
    };
    if (!fs_options_parse(call, usage, options, FS_COUNT(options), 2, -1, err))
        return err->status;
    if (q.plots && q.page == NULL)
        return fs_fail(err, FS_INPUT, "--plots: the charts are those of a page; expected --output FILE");
    int64_t base = 1;
    if (fs_option_int("base", base_text, 1, call->argc, &base, err))
        return FS_INPUT;
    return compare(call, &q, (size_t)base - 1, err);
}

const fs_command fs_command_compare = {"compare", "compare runs: what differs, which is faster and why", run};
