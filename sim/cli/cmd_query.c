/* foamsim query: the usual questions to a store, as text, CSV or JSON. */
#include "sim/cli/cli.h"
#include "sim/cli/commands.h"
#include "sim/cli/options.h"
#include "sim/host/voice.h"
#include "sim/sweep/query.h"
#include "sim/yaml/words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "query STORE.db QUESTION [options]\n"
    "best               the best points by each objective\n"
    "front              the points that no other beats in both of two objectives\n"
    "table              every point: what varies, and its figures\n"
    "diff POINT POINT   what two points have set and what came out, where they differ\n"
    "points             every point with its state; why it failed\n"
    "show POINT         the experiment of a point, as a file that foamsim run takes\n"
    "sweeps             the sweeps in the store\n"
    "export             all that does not depend on host and time, sorted\n"
    "A POINT is the beginning of its key, its number in the sweep, or its label. docs/store.md has questions "
    "for\n"
    "the sqlite3 shell.";

enum { MOST_TERMS = 32 };

typedef struct request {
    const fs_stat_table *const *known;
    const char *store, *question, *points[2], *sweep, *by, *figures;
    int point_count;
    bool csv, json, failed;
    int64_t top;
    const char *where[MOST_TERMS];
    size_t where_count;
} request;

static bool parse(fs_command_line *call, request *r, fs_error *err) {
    const fs_option options[] = {
        FS_OPTION("sweep", 0, "NAME", "the sweep (the latest)", &r->sweep),
        FS_OPTION("by", 0, "FIGURE",
                  "best: by this figure only, any that is a number; front: A,B by these two", &r->by),
        FS_OPTION_INT("top", 0, "N", "best: so many places of each (5)", &r->top, 1, 1000000),
        FS_OPTION("figures", 0, "A,B,...", "table: these figures (those of the goals)", &r->figures),
        FS_OPTION_LIST("where", 'w', "A<=B",
                       "of points with that axis, parameter, figure or state only; may be repeated", r->where,
                       &r->where_count, MOST_TERMS),
        FS_FLAG("failed", 0, "points: only those that failed", &r->failed),
        FS_FLAG("csv", 0, "as CSV", &r->csv),
        FS_FLAG("json", 0, "as JSON: units, and a list of objects", &r->json),
    };
    if (!fs_options_parse(call, usage, options, FS_COUNT(options), 2, 4, err))
        return false;
    r->store = call->argv[0];
    r->question = call->argv[1];
    for (int i = 2; i < call->argc; i++)
        r->points[r->point_count++] = call->argv[i];
    if (r->csv && r->json)
        fs_fail(err, FS_INPUT, "--csv and --json: expected one of them");
    return err->status == FS_OK;
}

/* The point that a word means. */
static const fs_store_point *find_point(const fs_store_sweep *s, const char *word, fs_error *err) {
    const fs_store_point *found = NULL;
    size_t length = strlen(word), matches = 0;
    char *end = NULL;
    unsigned long number = strtoul(word, &end, 10);
    const size_t called = FS_PLACE(s->points, s->point_count, label, word);
    if (called < s->point_count)
        return &s->points[called];
    for (size_t i = 0; i < s->point_count && length > 0; i++)
        if (strncmp(s->points[i].key, word, length) == 0 &&
            (found == NULL || strcmp(found->key, s->points[i].key) != 0)) {
            found = &s->points[i];
            matches++;
        }
    if (*end == '\0' && length > 0 && length < 6 && number < s->point_count)
        return &s->points[number];
    if (matches == 1)
        return found;
    return FS_FAIL_NULL(err, FS_INPUT,
                        matches == 0
                            ? "no point \"%s\" in the sweep %s"
                            : "\"%s\" is the beginning of several keys in the sweep %s: give more of it",
                        word, s->name);
}

static fs_status put_sweeps(fs_store *store, fs_arena *arena, fs_query_table *t, fs_error *err) {
    const char *const *names = NULL;
    size_t count = 0;
    if (fs_store_sweeps(store, arena, &names, &count, err))
        return err->status;
    fs_query_column(t, "sweep");
    for (size_t i = 0; i < count; i++) {
        fs_query_row(t);
        fs_query_text(t, names[i]);
    }
    return FS_OK;
}

static fs_status show(const fs_store_point *point, fs_error *err) {
    FS_ASSERT(point != NULL, "no point to show");
    if (point->resolved[0] == '\0')
        return fs_fail(err, FS_INPUT, "the configuration of this point is wrong:\n%s", point->error);
    fs_put_plain(point->resolved, stdout);
    return FS_OK;
}

/* Questions about one sweep. */
static fs_status ask(const request *r, fs_store *store, fs_arena *arena, fs_query_table *t, fs_error *err) {
    fs_store_sweep s;
    const fs_store_point *point[2] = {NULL, NULL};
    if (fs_store_read(store, arena, r->sweep, &s, err))
        return err->status;
    for (int i = 0; i < r->point_count; i++)
        if ((point[i] = find_point(&s, r->points[i], err)) == NULL)
            return err->status;
    if (strcmp(r->question, "show") == 0)
        return show(point[0], err);
    if (fs_query_where(t, &s, r->where, r->where_count, err))
        return err->status;
    if (strcmp(r->question, "best") == 0)
        return fs_query_best(t, &s, r->by, r->top == 0 ? 5 : (size_t)r->top, err);
    if (strcmp(r->question, "front") == 0)
        return fs_query_front(t, &s, r->by, err);
    if (strcmp(r->question, "table") == 0)
        return fs_query_table_of(t, &s, r->figures, err);
    if (strcmp(r->question, "points") == 0)
        fs_query_points(t, &s, r->failed);
    else
        fs_query_diff(t, point[0], point[1]);
    return FS_OK;
}

/* What a person reads is plain; CSV and JSON are for programs, and hold what the store holds. */
static void print(const fs_query_table *t, fs_query_form form) {
    fs_memory plain;
    if (form != FS_QUERY_TEXT) {
        fs_query_print(t, form, stdout);
        return;
    }
    fs_query_print(t, form, fs_memory_open(&plain));
    fs_put_plain_stream(&plain, stdout);
}

static fs_status answer(const request *r, fs_store *store, fs_arena *arena, fs_error *err) {
    if (strcmp(r->question, "export") == 0)
        return fs_store_export(store, stdout, err);
    fs_query_table t = fs_query_begin(arena, r->known);
    fs_status status = strcmp(r->question, "sweeps") == 0 ? put_sweeps(store, arena, &t, err)
                                                          : ask(r, store, arena, &t, err);
    if (status == FS_OK && strcmp(r->question, "show") != 0)
        print(&t, r->csv ? FS_QUERY_CSV : r->json ? FS_QUERY_JSON : FS_QUERY_TEXT);
    fs_query_end(&t);
    return status;
}

const char *const fs_query_questions[] = {"best", "front",  "table",  "diff", "points",
                                          "show", "sweeps", "export", NULL};

static fs_status check_question(const request *r, fs_error *err) {
    static const int wanted[] = {0, 0, 0, 2, 0, 1, 0, 0};
    const size_t asked = FS_WORD_PLACE(fs_query_questions, FS_COUNT(wanted), r->question);
    if (asked == FS_COUNT(wanted))
        return fs_fail(err, FS_INPUT, "query: no question \"%s\"%s\n`foamsim query --help` lists them",
                       r->question, FS_MEANT(r->question, fs_query_questions));
    return r->point_count == wanted[asked]
               ? FS_OK
               : fs_fail(err, FS_INPUT, "query %s: expected %d points after it, found %d", r->question,
                         wanted[asked], r->point_count);
}

/* An option that a question does not have says nothing of its answer. */
static fs_status check_options(const request *r, fs_error *err) {
    const struct {
        const char *name, *of;
        bool given;
    } options[] = {{"--by", "best and front", r->by != NULL},
                   {"--top", "best", r->top != 0},
                   {"--figures", "table", r->figures != NULL},
                   {"--failed", "points", r->failed}};
    for (size_t i = 0; i < FS_COUNT(options); i++)
        if (options[i].given && strstr(options[i].of, r->question) == NULL)
            return fs_fail(err, FS_INPUT, "query %s: %s is an option of %s", r->question, options[i].name,
                           options[i].of);
    return FS_OK;
}

static fs_status run(fs_command_line *call, fs_error *err) {
    request r = {
        .known = call->cli->registry->figures,
    };
    char export[] = "export";
    for (int i = 1; i < call->argc; i++) /* as an option too */
        if (strcmp(call->argv[i], "--export") == 0)
            call->argv[i] = export;
    fs_store *store = NULL;
    if (parse(call, &r, err) && check_question(&r, err) == FS_OK && check_options(&r, err) == FS_OK &&
        fs_store_open(r.store, FS_STORE_READ, &store, err) == FS_OK)
        answer(&r, store, call->arena, err);
    fs_store_close(store);
    return err->status;
}

const fs_command fs_command_query = {"query", "ask a store of sweeps", run};
