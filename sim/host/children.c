/* Processes beside this one: started, looked at, stopped together. */
#include "sim/host/children.h"

#include "sim/base/arith.h"
#include "sim/base/host.h"
#include "sim/host/signals.h"

#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

enum { MOST_WORDS = 8192, LOOK_NANOSECONDS = 5000000 };
static const double patience = 5; /* seconds that a run may take to put its folder in order */

typedef struct worker {
    fs_process process;
    size_t child;
} worker;

typedef struct crew {
    fs_children *children;
    fs_arena *arena;
    worker *worker; /* [jobs] */
    size_t next;    /* child to start */
    size_t failed;  /* the first that failed; SIZE_MAX: none */
    bool stopping;
} crew;

static fs_status start(crew *c, worker *w, fs_error *err) {
    fs_process_plan plan = c->children->plan;
    plan.words = c->children->child[c->next].words;
    plan.heard = true;
    plan.own_group = c->children->most_seconds > 0;
    if (fs_process_start(&w->process, &plan, err))
        return err->status;
    w->child = c->next++;
    return FS_OK;
}

static void note_end(crew *c, worker *w, fs_process_end end) {
    fs_child *child = &c->children->child[w->child];
    child->words_said = fs_process_said(c->arena, w->process.err, MOST_WORDS);
    fs_process_close(&w->process);
    child->out_of_time = end.out_of_time;
    if (end.status == 0 || end.out_of_time) {
        child->status = FS_OK;
        if (c->children->ended != NULL && !c->stopping)
            c->children->ended(c->children->self, w->child);
        return;
    }
    child->status = end.status == fs_exit_status(FS_INPUT) ? FS_INPUT : FS_RUN;
    if (end.signal != 0 && !c->stopping)
        child->words_said =
            fs_arena_append(c->arena, child->words_said, "\n", "the run was ended by signal %d", end.signal);
    if (c->failed == SIZE_MAX && !c->stopping)
        c->failed = w->child;
}

/* Looks at each worker; returns how many are still busy. */
static int look(crew *c) {
    int busy = 0;
    for (int i = 0; i < c->children->jobs; i++) {
        worker *w = &c->worker[i];
        fs_process_end end;
        if (w->process.id == 0)
            continue;
        if (fs_process_ended(&w->process, &end)) {
            note_end(c, w, end);
        } else if (c->children->most_seconds > 0 &&
                   fs_host_wall_seconds() - w->process.started > c->children->most_seconds) {
            end = fs_process_stop(&w->process, patience);
            end.out_of_time = true;
            note_end(c, w, end);
        } else {
            busy++;
        }
    }
    return busy;
}

static void stop_all(crew *c) {
    c->stopping = true;
    for (int i = 0; i < c->children->jobs; i++)
        if (c->worker[i].process.id != 0)
            fs_process_signal(&c->worker[i].process, SIGTERM);
    for (int i = 0; i < c->children->jobs; i++)
        if (c->worker[i].process.id != 0)
            note_end(c, &c->worker[i], fs_process_stop(&c->worker[i].process, patience));
}

/* Each line of what the child said, behind its label. */
static fs_status pass_on(const fs_child *child, fs_error *err) {
    const char *at = child->words_said;
    if (*at == '\0')
        return fs_fail(err, child->status, "%s: the run failed without a word", child->label);
    for (size_t length; *at != '\0'; at += length + (at[length] == '\n')) {
        length = strcspn(at, "\n");
        fs_fail_also(err, child->status, "%s: %.*s", child->label, (int)length, at);
    }
    return child->status;
}

static fs_status work(crew *c, fs_error *err) {
    const struct timespec nap = {.tv_nsec = LOOK_NANOSECONDS};
    for (;;) {
        if (fs_interrupted())
            return fs_fail(err, FS_RUN, "interrupted");
        int busy = look(c);
        if (c->failed != SIZE_MAX && !c->children->keep_going)
            return pass_on(&c->children->child[c->failed], err);
        for (int i = 0; i < c->children->jobs && c->next < c->children->count; i++)
            if (c->worker[i].process.id == 0) {
                if (start(c, &c->worker[i], err))
                    return err->status;
                busy++;
            }
        if (busy == 0)
            return FS_OK;
        nanosleep(&nap, NULL);
    }
}

fs_status fs_children_run(fs_children *children, fs_arena *arena, fs_error *err) {
    crew c = {.children = children, .arena = arena, .failed = SIZE_MAX};
    c.worker = FS_NEW(arena, worker, (size_t)children->jobs);
    fs_status status = work(&c, err);
    if (status)
        stop_all(&c);
    return status;
}
