#define _GNU_SOURCE /* pipe2 */
/* The library for C: the program as a process. */
#include "api/private.h"
#include "sim/base/alloc.h"
#include "sim/host/file.h"
#include "sim/host/places.h"
#include "sim/host/process.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The one that came with this library, else the one in PATH. */
static const char *program(fs_arena *arena) {
    char path[4096];
    const char *named = getenv("FOAMSIM");
    return named != NULL && named[0] != '\0'              ? named
           : fs_helper_find("foamsim", path, sizeof path) ? fs_arena_strdup(arena, path)
                                                          : "foamsim";
}

static foamsim_status said(foamsim_error *error, const fs_process_end *end, const char *program,
                           const char *text) {
    error->status = end->status == 2 ? FOAMSIM_WRONG : FOAMSIM_FAILED;
    if (text[0] != '\0')
        snprintf(error->text, sizeof error->text, "%s", text);
    else
        snprintf(error->text, sizeof error->text,
                 end->signal != 0 ? "%s was ended by signal %d" : "%s ended with status %d", program,
                 end->signal != 0 ? end->signal : end->status);
    return error->status;
}

/* "COMMAND --set A=B ... --quiet". */
static fs_process_words words_of(const foamsim_experiment *e, fs_arena *arena, const char *command) {
    fs_process_words w = {.arena = arena};
    fs_process_add(&w, command, NULL);
    fs_process_sets(&w, (const char *const *)e->sets, e->count);
    fs_process_add(&w, "--quiet", NULL);
    return w;
}

const char *fs_api_shown(const foamsim_experiment *e, foamsim_error *error) {
    enum { MOST = 16 << 20 };
    const char *text = NULL;
    fs_process_words line = words_of(e, e->arena, "config");
    fs_process_add(&line, "--", "show", e->name, NULL);
    fs_error *err = fs_calloc(1, sizeof *err);
    fs_process p;
    const fs_process_plan plan = {.program = program(e->arena), .words = line.word, .heard = true};
    if (fs_process_start(&p, &plan, err)) {
        fs_api_tell(err, error);
    } else {
        const fs_process_end end = fs_process_wait(&p, 0);
        if (end.status != 0)
            said(error, &end, plan.program, fs_process_said(e->arena, p.err, sizeof error->text));
        else
            text = fs_file_text(e->arena, p.out, MOST);
        fs_process_close(&p);
    }
    free(err);
    return text;
}

/* ---- runs ---- */

/* A line of sim/host/progress.c: "progress DONE TOTAL TASK". False: the caller wants no more. */
static bool hear(const foamsim_run_options *options, char *line) {
    static const char word[] = "progress ";
    char *at = line + sizeof word - 1;
    line[strcspn(line, "\n")] = '\0';
    if (strncmp(line, word, sizeof word - 1) != 0)
        return true;
    const unsigned long long done = strtoull(at, &at, 10), total = strtoull(at, &at, 10);
    return *at != ' ' || options->progress(options->self, at + 1, done, total);
}

/* Listens until the process closes its end. True when the caller stopped it. */
static bool follow(const foamsim_run_options *options, FILE *from, fs_process *process) {
    char line[512];
    bool stopped = false;
    while (fgets(line, sizeof line, from) != NULL)
        if (!stopped && options->progress != NULL && !hear(options, line)) {
            fs_process_signal(process, SIGTERM);
            stopped = true;
        }
    return stopped;
}

/* A number above 0 as a word, else NULL. */
static const char *number(fs_arena *arena, int value) {
    return value > 0 ? fs_arena_printf(arena, "%d", value) : NULL;
}

static const char *const *line_of(const foamsim_experiment *e, const char *folder,
                                  const foamsim_run_options *options, fs_arena *arena) {
    fs_process_words line = words_of(e, arena, "run");
    fs_process_add(&line, options->replace ? "--force" : NULL, NULL);
    fs_process_option(&line, "--threads", number(arena, options->threads));
    fs_process_option(&line, "--jobs", number(arena, options->jobs));
    fs_process_option(&line, "--record-activity", options->record);
    fs_process_add(&line, "--output", folder, "--", e->name, NULL);
    return line.word;
}

foamsim_status foamsim_run(const foamsim_experiment *experiment, const char *folder,
                           const foamsim_run_options *options, foamsim_error *error) {
    static const foamsim_run_options none = {.replace = false};
    static const char *const environment[] = {"FOAMSIM_PROGRESS=1", NULL};
    fs_arena *arena = fs_arena_create();
    fs_error *err = fs_calloc(1, sizeof *err);
    FILE *words = fs_file_nameless(err), *from = NULL;
    int ends[2] = {-1, -1};
    fs_api_calm(error);
    if (options == NULL)
        options = &none;
    /* Closed on exec from the first: another thread may start a process of its own meanwhile. */
    if (words != NULL && (pipe2(ends, O_CLOEXEC) != 0 || (from = fdopen(ends[0], "r")) == NULL))
        fs_fail(err, FS_IO, "no pipe can be made");
    if (err->status == FS_OK) {
        fs_process p;
        const fs_process_plan plan = {.program = program(arena),
                                      .words = line_of(experiment, folder, options, arena),
                                      .environment = environment,
                                      .out = ends[1],
                                      .err = fileno(words)};
        if (fs_process_start(&p, &plan, err) == FS_OK) {
            close(ends[1]);
            ends[1] = -1;
            const bool stopped = follow(options, from, &p);
            const fs_process_end end = fs_process_wait(&p, 0);
            if (stopped && end.status != 0)
                fs_fail(err, FS_RUN, "the run was stopped");
            else if (end.status != 0)
                said(error, &end, plan.program, fs_process_said(arena, words, sizeof error->text));
        }
    }
    if (ends[1] >= 0)
        close(ends[1]);
    if (from != NULL)
        fclose(from);
    else if (ends[0] >= 0)
        close(ends[0]);
    if (words != NULL)
        fclose(words);
    if (err->status != FS_OK)
        fs_api_tell(err, error);
    free(err);
    fs_arena_free(arena);
    return error->status;
}
