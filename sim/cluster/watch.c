/* The submitting side: what goes out, what comes back, what is left. */
#include "sim/base/host.h"
#include "sim/base/progress.h"
#include "sim/cluster/private.h"
#include "sim/sweep/sweep.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Seconds. squeue is asked seldom where nothing changes: it costs the controller of the cluster. */
static const double look_least = 1.0, look_most = 20.0, look_slower = 1.3, merge_least = 1.0,
                    say_least = 10.0;
/* How long a result may stay behind the end of its task: what a network file system keeps of a folder. */
static const double late_most = 15.0;

typedef struct watch {
    const char *store, *sweep;
    const fs_cluster_options *options;
    const fs_stat_table *const *units;
    /* Of one round, in its arena: */
    fs_arena *arena;
    fs_cluster_submission *submissions;
    size_t count;
    fs_slurm_task **tasks;   /* [count][chunks] */
    bool cancelled;          /* somebody ended tasks: nothing is sent again */
    size_t strange;          /* files that are no results and stay */
    size_t points, settled;  /* of the sweep */
    fs_cluster_count merged; /* in all rounds */
    double begun;
    size_t begun_with; /* settled then */
    /* What was said last, and when. */
    double said_at;
    size_t said[4];
} watch;

/* ---- the store, open only while something goes in ---- */

static fs_status open_store(const watch *w, fs_store **store, fs_error *err) {
    if (fs_store_open(w->store, FS_STORE_WRITE, store, err))
        return err->status;
    fs_store_units(*store, w->units);
    return FS_OK;
}

static bool is_settled(const char *status) {
    return strcmp(status, "done") == 0 || strcmp(status, "failed") == 0;
}

/* The state of each point of a task that has no result, into the store. */
static fs_status mark_task(const watch *w, fs_store *store, const fs_cluster_submission *s, size_t index,
                           const fs_slurm_task *task, fs_error *err) {
    const fs_cluster_chunk *chunk = &s->chunk[index];
    const char *words =
        fs_cluster_last_words(w->arena, fs_arena_printf(w->arena, "%s/log/%zu.txt", s->folder, index));
    size_t begun = 0, finished = 0;
    for (size_t i = 0; i < chunk->count; i++) {
        bool has = fs_cluster_has_result(w->arena, s->folder, chunk->work[i].key);
        finished += has;
        begun += !has && fs_cluster_starts(w->arena, s->folder, chunk->work[i].key) > 0;
    }
    for (size_t i = 0; i < chunk->count; i++) {
        const char *key = chunk->work[i].key, *known = NULL, *why;
        if (fs_store_state(store, key, &known, err))
            return err->status;
        if (known == NULL || is_settled(known) || fs_cluster_has_result(w->arena, s->folder, key))
            continue;
        bool current =
            fs_cluster_starts(w->arena, s->folder, key) > 0 && (begun == 1 || task->fate == FS_SLURM_RUNS);
        const char *state = fs_slurm_point_state(w->arena, task, finished == 0, current, words, &why);
        if (fs_store_mark(store, key, state, why, err))
            return err->status;
    }
    return FS_OK;
}

/* Tasks that changed, and those that run, as they go from point to point. */
static fs_status mark_all(const watch *w, fs_store *store, fs_error *err) {
    if (fs_store_begin(store, err))
        return err->status;
    for (size_t i = 0; i < w->count; i++)
        for (size_t c = 0; c < w->submissions[i].count; c++) {
            fs_slurm_task *task = &w->tasks[i][c];
            if (task->noted && task->fate != FS_SLURM_RUNS)
                continue;
            if (mark_task(w, store, &w->submissions[i], c, task, err)) {
                fs_store_undo(store);
                return err->status;
            }
            task->noted = true;
        }
    return fs_store_commit(store, err);
}

static fs_status merge(watch *w, fs_store *store, fs_error *err) {
    fs_cluster_count count = {0};
    for (size_t i = 0; i < w->count; i++)
        if (fs_cluster_merge_one(w->arena, store, &w->submissions[i], &count, err))
            return err->status;
    w->strange = count.strange;
    w->merged.merged += count.merged;
    w->merged.failed += count.failed;
    w->settled += count.merged;
    return FS_OK;
}

/* ---- looking ---- */

static bool any_live(const watch *w) {
    for (size_t i = 0; i < w->count; i++)
        for (size_t c = 0; c < w->submissions[i].count; c++)
            if (fs_slurm_live(w->tasks[i][c].fate))
                return true;
    return false;
}

static void say_restarts(const fs_cluster_submission *s, size_t c, const fs_slurm_task *was,
                         const fs_slurm_task *is) {
    if (is->restarts > was->restarts)
        fs_say("task %s_%zu was requeued: its node failed or it had to give way; its open points run again",
               s->job, c);
    if (is->fate != was->fate && is->fate != FS_SLURM_ENDED && is->fate != FS_SLURM_GONE &&
        !fs_slurm_live(is->fate))
        fs_say("task %s_%zu: %s", s->job, c, is->state);
}

/* Asks squeue; aloud: tells what happened to tasks. A controller that does not answer is no reason to give
 * up: what is known stays, and is told once. */
static bool look(watch *w, bool aloud, bool *changed) {
    static fs_error what; /* 16 KiB, not for the stack */
    static bool deaf;
    *changed = false;
    for (size_t i = 0; i < w->count; i++) {
        const fs_cluster_submission *s = &w->submissions[i];
        fs_slurm_task *now = FS_NEW(w->arena, fs_slurm_task, s->count + 1);
        what = (fs_error){0};
        if (fs_slurm_look(w->arena, s, now, &what)) {
            if (!deaf)
                fs_say("%s; asked again until it does", what.text);
            deaf = true;
            return false;
        }
        for (size_t c = 0; c < s->count; c++) {
            if (aloud)
                say_restarts(s, c, &w->tasks[i][c], &now[c]);
            if (now[c].fate == FS_SLURM_GONE && w->tasks[i][c].state[0] != '\0' &&
                !fs_slurm_live(w->tasks[i][c].fate))
                now[c] = w->tasks[i][c]; /* how it ended is known */
            bool other = now[c].fate != w->tasks[i][c].fate || now[c].restarts != w->tasks[i][c].restarts;
            now[c].noted = w->tasks[i][c].noted && !other;
            *changed |= other;
            w->tasks[i][c] = now[c];
            w->cancelled |= now[c].fate == FS_SLURM_CANCELLED;
        }
    }
    deaf = false;
    return true;
}

static void say_progress(watch *w, bool last) {
    double now = fs_host_wall_seconds();
    size_t runs = 0, waits = 0;
    const char *reason = "";
    for (size_t i = 0; i < w->count; i++)
        for (size_t c = 0; c < w->submissions[i].count; c++) {
            const fs_slurm_task *t = &w->tasks[i][c];
            runs += t->fate == FS_SLURM_RUNS;
            waits += t->fate == FS_SLURM_WAITS;
            reason = t->fate == FS_SLURM_WAITS && t->reason[0] != '\0' ? t->reason : reason;
        }
    const size_t say[4] = {w->settled, w->merged.failed, runs, waits};
    if (memcmp(say, w->said, sizeof say) == 0 || (!last && now - w->said_at < say_least))
        return;
    char left[64] = "";
    double rate = (double)(w->settled - w->begun_with) / (now - w->begun + 1e-9);
    if (rate > 0 && w->settled < w->points)
        snprintf(left, sizeof left, "; %.2g points a second, about %.0f s left", rate,
                 (double)(w->points - w->settled) / rate);
    const char *failed =
        w->merged.failed > 0 ? fs_arena_printf(w->arena, ", %zu failed", w->merged.failed) : "";
    const char *why = reason[0] == '\0' ? "" : fs_arena_printf(w->arena, " (%s)", reason);
    const char *tasks =
        runs + waits == 0 ? "" : fs_arena_printf(w->arena, "; tasks: %zu run, %zu wait%s", runs, waits, why);
    fs_say("%zu of %zu points%s%s%s", w->settled, w->points, failed, tasks, left);
    memcpy(w->said, say, sizeof say);
    w->said_at = now;
}

static fs_status interrupted(const watch *w, fs_error *err) {
    return fs_fail(
        err, FS_RUN,
        "interrupted: the jobs stay in the queue and go on\nthe same command waits for them again; "
        "`foamsim merge %s` takes up what they finish; the same command with --cancel ends them",
        w->store);
}

/* Results that arrived and states that changed, into the store. */
static fs_status take_up(watch *w, fs_error *err) {
    fs_store *store;
    if (open_store(w, &store, err))
        return err->status;
    fs_status status = merge(w, store, err);
    if (status == FS_OK)
        status = mark_all(w, store, err);
    fs_store_close(store);
    return status;
}

static size_t results(const watch *w) {
    size_t count = 0;
    for (size_t i = 0; i < w->count; i++)
        count += fs_cluster_results(&w->submissions[i]);
    return count > w->strange ? count - w->strange : 0;
}

/* Points whose task says that it did its work, but whose result is not to be seen. */
static size_t late(const watch *w) {
    size_t count = 0;
    for (size_t i = 0; i < w->count; i++)
        for (size_t c = 0; c < w->submissions[i].count; c++) {
            const fs_cluster_submission *s = &w->submissions[i];
            const fs_slurm_fate fate = w->tasks[i][c].fate;
            if (fs_cluster_there(fs_arena_printf(w->arena, "%s/closed", s->folder)))
                break; /* another command has taken it up */
            if (fate == FS_SLURM_ENDED || fate == FS_SLURM_GONE)
                for (size_t k = 0; k < s->chunk[c].count; k++)
                    count += !fs_cluster_has_result(w->arena, s->folder, s->chunk[c].work[k].key);
        }
    return count;
}

/* Until no task of the open submissions is in the queue and their results are here. */
static fs_status wait_for_all(watch *w, fs_error *err) {
    const struct timespec nap = {.tv_nsec = 200000000};
    double next_look = 0, next_merge = 0, pause = look_least, over_since = 0;
    bool unmarked = false;
    for (;;) {
        double now = fs_host_wall_seconds();
        if (fs_interrupted())
            return interrupted(w, err);
        bool changed = false, looked = now >= next_look && look(w, true, &changed);
        if (now >= next_look) {
            pause = changed ? look_least : pause * look_slower;
            pause = pause > look_most ? look_most : pause;
            next_look = fs_host_wall_seconds() + pause;
        }
        unmarked |= changed;
        if (now >= next_merge && (unmarked || results(w) > 0)) {
            if (take_up(w, err))
                return err->status;
            unmarked = false;
            next_merge = fs_host_wall_seconds() + merge_least;
        }
        say_progress(w, false);
        if (looked && !any_live(w)) {
            over_since = over_since > 0 ? over_since : now;
            if (now - over_since > late_most || late(w) == 0)
                return take_up(w, err);
            pause = look_least;
        } else if (looked)
            over_since = 0;
        nanosleep(&nap, NULL);
    }
}

/* ---- rounds ---- */

/* Reads the open submissions and the queue. */
static fs_status gather(watch *w, fs_error *err) {
    bool changed;
    if (fs_cluster_open_submissions(w->arena, w->store, &w->submissions, &w->count, err))
        return err->status;
    w->tasks = FS_NEW(w->arena, fs_slurm_task *, w->count + 1);
    for (size_t i = 0; i < w->count; i++) {
        w->tasks[i] = FS_NEW(w->arena, fs_slurm_task, w->submissions[i].count + 1);
        for (size_t c = 0; c < w->submissions[i].count; c++)
            w->tasks[i][c] = (fs_slurm_task){.fate = FS_SLURM_GONE, .state = "", .reason = ""};
    }
    if (!look(w, false, &changed))
        return fs_fail(err, FS_RUN,
                       "squeue does not answer: nothing is known of earlier jobs, so none are sent");
    return FS_OK;
}

static bool in_queue(const watch *w, const char *key) {
    for (size_t i = 0; i < w->count; i++)
        for (size_t c = 0; c < w->submissions[i].count; c++)
            if (fs_slurm_live(w->tasks[i][c].fate))
                for (size_t k = 0; k < w->submissions[i].chunk[c].count; k++)
                    if (strcmp(w->submissions[i].chunk[c].work[k].key, key) == 0)
                        return true;
    return false;
}

/* What the planner expects of each point, and never nothing. */
static void expect(fs_arena *arena, const fs_store_sweep *sweep, const size_t *open, size_t count,
                   bool recordings, double *seconds) {
    const double least = 0.05; /* starting a process */
    fs_sweep_item *items = FS_NEW(arena, fs_sweep_item, count + 1);
    fs_sweep_plan plan;
    for (size_t i = 0; i < count; i++) {
        seconds[i] = least;
        FS_ASSERT(fs_sweep_item_of(&sweep->points[open[i]], &items[i]), "an open point is no item");
    }
    const fs_sweep_means means = {.folder = "no/recordings/here", .recordings = recordings};
    fs_sweep_plan_make(arena, items, NULL, count, &means, &plan);
    for (size_t j = 0; j < plan.count; j++)
        for (size_t i = 0; i < plan.jobs[j].count; i++)
            seconds[plan.jobs[j].items[i]] += plan.jobs[j].seconds / (double)plan.jobs[j].count;
}

static fs_status submit(watch *w, const fs_store_sweep *sweep, const size_t *open, size_t count,
                        fs_error *err) {
    double *seconds = FS_NEW(w->arena, double, count + 1), *alone = FS_NEW(w->arena, double, count + 1);
    fs_cluster_submission *s = &w->submissions[w->count];
    expect(w->arena, sweep, open, count, true, seconds);
    expect(w->arena, sweep, open, count, false, alone);
    fs_cluster_divide(w->arena, sweep->points, open, seconds, alone, count, w->options, &s->chunk, &s->count);
    if (fs_cluster_prepare(w->arena, w->store, w->options, s, err))
        return err->status;
    if (fs_slurm_submit(w->arena, fs_arena_printf(w->arena, "%s/array.sh", s->folder), &s->job, err)) {
        fs_error ignored = {0};
        (void)fs_cluster_close(w->arena, s, &ignored);
        return err->status;
    }
    fs_status status =
        fs_cluster_write(fs_arena_printf(w->arena, "%s/job", s->folder), s->job, strlen(s->job), err);
    if (status)
        return status;
    fs_say("job %s: %zu points in %zu tasks; %s/array.sh", s->job, count, s->count, s->folder);
    w->tasks[w->count] = FS_NEW(w->arena, fs_slurm_task, s->count + 1);
    for (size_t c = 0; c < s->count; c++)
        w->tasks[w->count][c] = (fs_slurm_task){.fate = FS_SLURM_WAITS, .state = "PENDING", .reason = ""};
    w->count++;
    return FS_OK;
}

/* The points of the sweep that are neither settled nor in the queue. */
static fs_status find_open(watch *w, fs_store *store, fs_store_sweep *sweep, size_t **open, size_t *count,
                           fs_error *err) {
    if (fs_store_read(store, w->arena, w->sweep, sweep, err))
        return err->status;
    *open = FS_NEW(w->arena, size_t, sweep->point_count + 1);
    *count = w->settled = 0;
    w->points = sweep->point_count;
    for (size_t i = 0; i < sweep->point_count; i++) {
        const fs_store_point *p = &sweep->points[i];
        if (is_settled(p->status))
            w->settled++;
        else if (!in_queue(w, p->key))
            (*open)[(*count)++] = i;
    }
    return FS_OK;
}

/* Submissions of which nothing is in the queue: their last states go in, and they are closed. */
static fs_status close_ended(watch *w, fs_error *err) {
    size_t kept = 0;
    for (size_t i = 0; i < w->count; i++) {
        bool live = false;
        for (size_t c = 0; c < w->submissions[i].count; c++)
            live |= fs_slurm_live(w->tasks[i][c].fate);
        if (!live && fs_cluster_close(w->arena, &w->submissions[i], err))
            return err->status;
        if (live) {
            w->submissions[kept] = w->submissions[i];
            w->tasks[kept++] = w->tasks[i];
        }
    }
    w->count = kept;
    return FS_OK;
}

static fs_status tell_open(const fs_store_sweep *sweep, const size_t *open, size_t count, const char *folder,
                           fs_error *err) {
    enum { MOST = 5 };
    fs_fail(err, FS_RUN, "%zu of %zu points stay open: their tasks ended without a result", count,
            sweep->point_count);
    for (size_t i = 0; i < count && i < MOST; i++) {
        const fs_store_point *p = &sweep->points[open[i]];
        fs_fail_also(err, FS_RUN, "%s: %s", p->label, p->error[0] == '\0' ? "no more is known" : p->error);
    }
    return fs_fail_also(err, FS_RUN, "what the tasks said is in %s/*/log; the same command sends them again",
                        folder);
}

/* One array and its end. *over: nothing more is to be sent. */
static fs_status one_round(watch *w, int round, size_t *settled_before, bool *over, fs_error *err) {
    fs_store *store;
    fs_store_sweep sweep;
    size_t *open = NULL, count = 0;
    int lock = fs_cluster_lock(w->arena, w->store, err);
    if (lock < 0)
        return err->status;
    fs_status status = gather(w, err);
    if (status == FS_OK && (status = open_store(w, &store, err)) == FS_OK) {
        status = merge(w, store, err);
        if (status == FS_OK)
            status = mark_all(w, store, err);
        if (status == FS_OK)
            status = close_ended(w, err);
        if (status == FS_OK)
            status = find_open(w, store, &sweep, &open, &count, err);
        fs_store_close(store);
    }
    if (status == FS_OK && round == 0) {
        w->cancelled = false; /* what was before this command */
        w->begun = fs_host_wall_seconds();
        w->begun_with = w->settled;
    }
    if (status == FS_OK && count > 0 && round > 0 && (w->cancelled || w->settled == *settled_before))
        status = tell_open(&sweep, open, count, fs_cluster_folder(w->arena, w->store), err);
    if (status == FS_OK && count > 0)
        status = submit(w, &sweep, open, count, err);
    close(lock);
    *settled_before = w->settled;
    *over = w->count == 0;
    if (status == FS_OK && !*over)
        status = wait_for_all(w, err);
    return status;
}

fs_status fs_cluster_sweep(const char *store, const char *sweep, const fs_cluster_options *options,
                           const fs_stat_table *const *units, fs_error *err) {
    watch w = {.store = store, .sweep = sweep, .options = options, .units = units};
    size_t settled = 0;
    bool over = false;
    if (fs_slurm_here(err))
        return err->status;
    fs_status status = FS_OK;
    for (int round = 0; status == FS_OK && !over; round++) {
        w.arena = fs_arena_create();
        status = one_round(&w, round, &settled, &over, err);
        if (over)
            say_progress(&w, true);
        fs_arena_free(w.arena);
    }
    return status;
}

/* ---- cancelling ---- */

static fs_status end_jobs(watch *w, fs_error *err) {
    enum { TRIES = 150 };
    const struct timespec nap = {.tv_nsec = 200000000};
    bool changed;
    for (size_t i = 0; i < w->count; i++)
        if (fs_slurm_cancel(w->arena, &w->submissions[i], err))
            return err->status;
    for (int i = 0; i < TRIES && look(w, false, &changed) && any_live(w); i++)
        nanosleep(&nap, NULL);
    if (any_live(w))
        return fs_fail(err, FS_RUN, "the jobs were told to end, but are in the queue still: try again later");
    return FS_OK;
}

static fs_status cancel(watch *w, fs_error *err) {
    fs_store *store;
    size_t live = 0;
    if (gather(w, err))
        return err->status;
    for (size_t i = 0; i < w->count; i++)
        for (size_t c = 0; c < w->submissions[i].count; c++)
            live += fs_slurm_live(w->tasks[i][c].fate);
    if (end_jobs(w, err) || open_store(w, &store, err))
        return err->status;
    for (size_t i = 0; i < w->count; i++) /* a task that never started leaves no trace in squeue */
        for (size_t c = 0; c < w->submissions[i].count; c++)
            if (w->tasks[i][c].fate == FS_SLURM_GONE)
                w->tasks[i][c].fate = FS_SLURM_CANCELLED;
    fs_status status = merge(w, store, err);
    if (status == FS_OK)
        status = mark_all(w, store, err);
    if (status == FS_OK)
        status = close_ended(w, err);
    fs_store_close(store);
    if (status == FS_OK)
        fs_say("%zu tasks cancelled, %zu results taken up", live, w->merged.merged);
    return status;
}

fs_status fs_cluster_cancel(const char *store, const fs_stat_table *const *units, fs_error *err) {
    if (fs_slurm_here(err))
        return err->status;
    watch w = {.store = store, .units = units, .arena = fs_arena_create()};
    int lock = -1;
    fs_status status = FS_OK;
    if (!fs_store_is(store))
        status = fs_fail(err, FS_INPUT, "%s: is no store of sweeps", store);
    else if ((lock = fs_cluster_lock(w.arena, store, err)) < 0)
        status = err->status;
    else
        status = cancel(&w, err);
    if (lock >= 0)
        close(lock);
    fs_arena_free(w.arena);
    return status;
}
