/* Runs beside the page: processes with progress, whose results join what can be asked. */
#define _GNU_SOURCE /* pipe2 */
#include "explore/private.h"

#include "sim/base/alloc.h"
#include "sim/base/host.h"
#include "sim/host/file.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const state_words[] = {"running", "done", "failed"};

static size_t under_way(const fs_explore *x) {
    size_t count = 0;
    for (size_t i = 0; i < x->runs; i++)
        count += x->run[i].state == FS_EXPLORE_RUNNING;
    return count;
}

static const char *const *words_of(fs_explore *x, const fs_explore_run *r) {
    fs_process_words w = {.arena = x->arena};
    fs_process_add(&w, "run", NULL);
    fs_process_sets(&w, (const char *const *)x->own.set, x->own.count);
    fs_process_sets(&w, (const char *const *)r->sets.set, r->sets.count);
    fs_process_add(&w, "--threads", fs_arena_printf(x->arena, "%lld", (long long)x->threads), "--quiet",
                   "--output", r->folder, NULL);
    fs_process_option(&w, "--record-activity", r->activity);
    fs_process_option(&w, "--replay", r->replay);
    fs_process_add(&w, "--", x->experiment, NULL);
    return w.word;
}

/* What a run of these settings records for prices: nothing where they have none. */
static const char *activity_of(fs_explore *x, const fs_config *config) {
    return fs_workload_of(config)->prices == NULL || isnan(fs_explore_seconds(config, FS_LAYER_PRICE))
               ? NULL
               : fs_arena_printf(x->arena, "%s/run-%zu.activity", x->scratch.path, x->runs);
}

static void quit(fs_explore_run *r) {
    if (r->heard >= 0)
        close(r->heard);
    if (r->words != NULL)
        fclose(r->words);
    r->heard = -1;
    r->words = NULL;
}

fs_status fs_explore_run_launch(fs_explore *x, fs_explore_run *r, fs_error *err) {
    static const char *const environment[] = {"FOAMSIM_PROGRESS=1", NULL};
    int ends[2];
    r->heard = -1;
    r->words = fs_file_nameless(err);
    if (r->words == NULL)
        return err->status;
    if (pipe2(ends, O_CLOEXEC) != 0) {
        quit(r);
        return fs_fail(err, FS_IO, "no pipe can be made: %s", strerror(errno));
    }
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    const fs_process_plan plan = {.words = words_of(x, r),
                                  .environment = environment,
                                  .out = ends[1],
                                  .err = fileno(r->words),
                                  .own_group = true};
    const fs_status status = fs_process_start(&r->process, &plan, err);
    close(ends[1]);
    r->heard = ends[0];
    if (status != FS_OK)
        quit(r);
    return status;
}

fs_status fs_explore_run_start(fs_explore *x, const fs_explore_sets *sets, size_t *number, fs_error *err) {
    if (x->runs == FS_EXPLORE_RUNS)
        return fs_fail(err, FS_INPUT, "explore: %d runs are as many as a session makes; start another one",
                       FS_EXPLORE_RUNS);
    if (under_way(x) == FS_EXPLORE_AT_ONCE)
        return fs_fail(err, FS_INPUT, "explore: %d runs are under way; wait for one, or stop it",
                       FS_EXPLORE_AT_ONCE);
    fs_arena *arena = fs_arena_create();
    const fs_config *config = fs_explore_load(x, arena, sets, err);
    if (config != NULL) {
        fs_explore_run *r = &x->run[x->runs];
        *r = (fs_explore_run){.task = "", .error = "", .expected = fs_explore_seconds(config, FS_LAYER_RUN)};
        for (size_t i = 0; i < sets->count; i++)
            r->sets.set[r->sets.count++] = fs_arena_strdup(x->arena, sets->set[i]);
        r->folder = fs_arena_printf(x->arena, "%s/run-%zu", x->scratch.path, x->runs);
        r->activity = activity_of(x, config);
        *number = x->runs;
        if (fs_explore_run_launch(x, r, err) == FS_OK)
            x->runs++;
    }
    fs_arena_free(arena);
    return err->status;
}

/* ---- listening ---- */

/* "progress DONE TOTAL TASK" (sim/host/progress.c). */
static void hear_line(fs_explore_run *r) {
    static const char word[] = "progress ";
    if (strncmp(r->line, word, sizeof word - 1) != 0)
        return;
    char *at = r->line + sizeof word - 1;
    r->done = strtoull(at, &at, 10);
    r->total = strtoull(at, &at, 10);
    snprintf(r->task, sizeof r->task, "%s", *at == ' ' ? at + 1 : "");
}

static void hear(fs_explore_run *r) {
    char some[4096];
    ssize_t n;
    while (r->heard >= 0 && (n = read(r->heard, some, sizeof some)) > 0)
        for (ssize_t i = 0; i < n; i++) {
            const bool ends = some[i] == '\n';
            if (!ends && r->used + 1 < sizeof r->line)
                r->line[r->used++] = some[i];
            r->line[r->used] = '\0';
            if (ends) {
                hear_line(r);
                r->used = 0;
            }
        }
}

/* What it said is wrong. */
static const char *said(fs_explore *x, fs_explore_run *r) {
    enum { MOST = 4096 };
    const char *text = fs_process_said(x->arena, r->words, MOST);
    return text[0] == '\0' ? "the run ended without a word" : text;
}

bool fs_explore_run_ended(fs_explore *x, fs_explore_run *r) {
    fs_process_end end;
    hear(r);
    if (!fs_process_ended(&r->process, &end))
        return false;
    hear(r);
    r->status = end.status;
    r->state = end.status == 0 ? FS_EXPLORE_DONE : FS_EXPLORE_FAILED;
    if (r->state == FS_EXPLORE_FAILED)
        r->error = said(x, r);
    quit(r);
    return true;
}

/* What has ended is known from now on, and priced from. */
static void join(fs_explore *x, fs_explore_run *r) {
    fs_error *err = fs_calloc(1, sizeof *err);
    fs_explore_add_folder(x, &r->sets, r->folder);
    if (r->activity != NULL && fs_explore_add_source(x, r->activity, err))
        r->error = fs_arena_strdup(x->arena, err->text);
    free(err);
}

void fs_explore_run_look(fs_explore *x) {
    for (size_t i = 0; i < x->runs; i++)
        if (x->run[i].state == FS_EXPLORE_RUNNING && fs_explore_run_ended(x, &x->run[i]) &&
            x->run[i].state == FS_EXPLORE_DONE)
            join(x, &x->run[i]);
}

void fs_explore_run_stop(fs_explore *x, size_t number) {
    if (number >= x->runs || x->run[number].state != FS_EXPLORE_RUNNING)
        return;
    fs_explore_run *r = &x->run[number];
    fs_process_stop(&r->process, 2);
    r->state = FS_EXPLORE_FAILED;
    r->error = "stopped";
    quit(r);
}

json_t *fs_explore_runs(const fs_explore *x) {
    json_t *out = json_array();
    for (size_t i = 0; i < x->runs; i++) {
        const fs_explore_run *r = &x->run[i];
        json_array_append_new(
            out,
            json_pack("{s:i, s:s, s:o, s:o, s:I, s:I, s:o, s:f, s:o}", "run", (int)i, "state",
                      state_words[r->state], "sets", fs_explore_set_texts(&r->sets), "task",
                      fs_explore_text(r->task), "done", (json_int_t)r->done, "total", (json_int_t)r->total,
                      "expected", isfinite(r->expected) ? json_real(r->expected) : json_null(), "seconds",
                      r->state == FS_EXPLORE_RUNNING ? fs_host_wall_seconds() - r->process.started : 0.0,
                      "error", fs_explore_text(r->error)));
    }
    return out;
}
