/* What the server answers to requests that it let in. */
#include "explore/private.h"

#include "reports/page/page_file.h"
#include "sim/base/alloc.h"
#include "sim/base/arith.h"
#include "sim/host/places.h"

#include <stdlib.h>
#include <string.h>

static void reply_json(fs_explore_reply *reply, json_t *value) {
    reply->status = 200;
    reply->type = "application/json";
    reply->body = json_dumps(value, JSON_COMPACT | JSON_REAL_PRECISION(17));
    json_decref(value);
}

/* What is wrong, in the words of the command line. knows: the settings hold, and a run would tell. */
static void reply_wrong(fs_explore_reply *reply, const fs_error *err, bool knows) {
    reply_json(reply, json_pack("{s:o, s:b}", "error", fs_explore_text(err->text), "runs", knows));
    reply->status = err->status == FS_INPUT ? 400 : 500;
}

/* ---- what is asked ---- */

static void price(fs_explore *x, const fs_explore_asked *a, fs_explore_reply *reply, fs_error *err) {
    fs_arena *arena = fs_arena_create();
    fs_explore_sets drawn = a->sets;
    fs_explored known;
    bool knows = false;
    if (a->draw != NULL && x->draws.count > 0)
        drawn = fs_explore_draw(x, strtoul(a->draw, NULL, 10), &a->sets, arena);
    if (fs_explore_price(x, &drawn, a->figures == NULL, &known, &knows, err) == FS_OK) {
        reply_json(reply, fs_explore_answer(x, &known, a->figures));
        fs_explored_free(&known);
    } else {
        reply_wrong(reply, err, knows);
    }
    fs_arena_free(arena);
}

static void model(fs_explore *x, const fs_explore_asked *a, fs_explore_reply *reply, fs_error *err) {
    json_t *value = fs_explore_model(x, &a->sets, err);
    if (value != NULL)
        reply_json(reply, value);
}

/* The experiment under the settings, whole. */
static void yaml(fs_explore *x, const fs_explore_asked *a, fs_explore_reply *reply, fs_error *err) {
    fs_arena *arena = fs_arena_create();
    const fs_config *config = fs_explore_load(x, arena, &a->sets, err);
    if (config != NULL) {
        fs_memory memory;
        fs_config_write_resolved(config, fs_memory_open(&memory), NULL, NULL);
        *reply = (fs_explore_reply){.status = 200,
                                    .type = "application/yaml",
                                    .file = "experiment.yaml",
                                    .body = fs_memory_close(&memory)};
    }
    fs_arena_free(arena);
}

static void runs(fs_explore *x, const fs_explore_asked *a, fs_explore_reply *reply, fs_error *err) {
    (void)a;
    (void)err;
    reply_json(reply, fs_explore_runs(x));
}

static void pins(fs_explore *x, const fs_explore_asked *a, fs_explore_reply *reply, fs_error *err) {
    (void)a;
    (void)err;
    reply_json(reply, fs_explore_pins(x));
}

/* ---- what is done ---- */

static void run(fs_explore *x, const fs_explore_asked *a, fs_explore_reply *reply, fs_error *err) {
    size_t number;
    if (fs_explore_run_start(x, &a->sets, &number, err) == FS_OK)
        reply_json(reply, json_pack("{s:i}", "run", (int)number));
}

static size_t number_of(const fs_explore_asked *a) {
    return a->number == NULL ? SIZE_MAX : strtoul(a->number, NULL, 10);
}

static void stop(fs_explore *x, const fs_explore_asked *a, fs_explore_reply *reply, fs_error *err) {
    (void)err;
    fs_explore_run_stop(x, number_of(a));
    reply_json(reply, fs_explore_runs(x));
}

static void pin(fs_explore *x, const fs_explore_asked *a, fs_explore_reply *reply, fs_error *err) {
    const char *name = a->pin == NULL ? "" : a->pin;
    if (name[0] == '\0' || strlen(name) >= FS_EXPLORE_WORDS)
        fs_fail(err, FS_INPUT, "explore: expected a name of 1 to %d bytes", FS_EXPLORE_WORDS - 1);
    for (size_t i = 0; i < x->pins && err->status == FS_OK; i++)
        if (strcmp(x->pin[i]->name, name) == 0)
            fs_fail(err, FS_INPUT, "explore: a point is called \"%s\" already", name);
    if (err->status == FS_OK && fs_explore_pin_add(x, name, &a->sets, err) == FS_OK)
        reply_json(reply, fs_explore_pins(x));
}

static void unpin(fs_explore *x, const fs_explore_asked *a, fs_explore_reply *reply, fs_error *err) {
    fs_explore_pin_remove(x, number_of(a));
    if (fs_explore_export(x, err) == FS_OK)
        reply_json(reply, fs_explore_pins(x));
}

static void save(fs_explore *x, const fs_explore_asked *a, fs_explore_reply *reply, fs_error *err) {
    (void)a;
    if (fs_explore_save(x, err) == FS_OK)
        reply_json(reply, json_pack("{s:s, s:i}", "store", x->store, "points", (int)x->pins));
}

/* ---- the page ---- */

/* Files of the page where "{{NAME}}" stands in it; those of sheets are shared with every other page. */
static void page(fs_explore *x, const fs_explore_asked *a, fs_explore_reply *reply, fs_error *err) {
    (void)a;
    fs_arena *arena = fs_arena_create();
    const char *reports = fs_reports_dir();
    char *pattern =
        fs_page_read(fs_arena_printf(arena, "%s/../explore/page/explore.html", reports), NULL, err);
    fs_text out = {0};
    for (const char *at, *from = pattern; pattern != NULL && err->status == FS_OK; from = at) {
        at = strstr(from, "{{");
        fs_page_text_add(&out, from, at == NULL ? strlen(from) : (size_t)(at - from));
        if (at == NULL)
            break;
        const size_t n = strcspn(at, "}");
        const char *name = fs_arena_printf(arena, "%.*s", (int)n - 2, at + 2);
        char *file = fs_page_read(fs_arena_printf(arena, "%s/%s", reports, name), NULL, err);
        if (file != NULL)
            fs_page_text_add(&out, file, strlen(file));
        free(file);
        at += n + 2;
    }
    free(pattern);
    fs_arena_free(arena);
    (void)x;
    if (err->status == FS_OK)
        *reply = (fs_explore_reply){.status = 200, .type = "text/html; charset=utf-8", .body = out.text};
    else
        free(out.text);
}

typedef void answer_to(fs_explore *x, const fs_explore_asked *asked, fs_explore_reply *reply, fs_error *err);

static const struct route {
    const char *method, *path;
    answer_to *answer; /* NULL: nothing is answered */
    bool enters, leaves;
} routes[] = {
    {.method = "GET", .path = "/", .answer = page},
    {.method = "GET", .path = "/api/price", .answer = price},
    {.method = "GET", .path = "/api/model", .answer = model},
    {.method = "GET", .path = "/api/yaml", .answer = yaml},
    {.method = "GET", .path = "/api/runs", .answer = runs},
    {.method = "GET", .path = "/api/pins", .answer = pins},
    {.method = "POST", .path = "/api/run", .answer = run},
    {.method = "POST", .path = "/api/stop", .answer = stop},
    {.method = "POST", .path = "/api/pin", .answer = pin},
    {.method = "POST", .path = "/api/unpin", .answer = unpin},
    {.method = "POST", .path = "/api/save", .answer = save},
    {.method = "POST", .path = "/api/enter", .enters = true},
    {.method = "POST", .path = "/api/leave", .leaves = true},
};

void fs_explore_route(fs_explore *x, const fs_explore_asked *asked, fs_explore_reply *reply) {
    fs_error *err = fs_calloc(1, sizeof *err);
    const struct route *found = FS_FOUND(routes, FS_COUNT(routes), path, asked->path);
    *reply = (fs_explore_reply){.status = 404};
    if (asked->wrong != NULL)
        fs_fail(err, FS_INPUT, "--set %s: expected KEY=VALUE in UTF-8", asked->wrong);
    else if (found == NULL || strcmp(found->method, asked->method) != 0) {
        reply_json(reply, json_pack("{s:s}", "error",
                                    found == NULL ? "no such place" : "another method is expected"));
        reply->status = found == NULL ? 404 : 405;
    } else if (found->answer != NULL) {
        found->answer(x, asked, reply, err);
    } else {
        reply_json(reply, json_object());
        reply->enters = found->enters;
        reply->leaves = found->leaves;
    }
    if (reply->body == NULL)
        reply_wrong(reply, err, false);
    free(err);
}
