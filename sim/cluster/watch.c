/* The submitting side: what goes out, what comes back, what is left. */
#include "sim/base/host.h"
#include "sim/base/numbers.h"
#include "sim/cluster/private.h"
#include "sim/host/signals.h"
#include "sim/host/voice.h"
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

/* ---- looking ---- */

/* Slurm's words for a task that an administrator or a failed start holds: JobHeldUser, "launch failed
 * requeued held". */
static bool is_held(const char *reason) {
    return strstr(reason, "Held") != NULL || strstr(reason, "held") != NULL;
}

static void say_progress(fs_cluster_watch *w, bool last) {
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
        snprintf(left, sizeof left, "; %s points a second, about %.0f s left", fs_number_short(rate, 2),
                 (double)(w->points - w->settled) / rate);
    fs_arena *arena = fs_arena_create();
    const char *failed = w->merged.failed > 0 ? fs_arena_printf(arena, ", %zu failed", w->merged.failed) : "";
    const char *why =
        reason[0] == '\0' ? ""
        : is_held(reason)
            ? fs_arena_printf(arena, " (%s: they stay until `scontrol release` lets them go on)", reason)
            : fs_arena_printf(arena, " (%s)", reason);
    const char *tasks =
        runs + waits == 0 ? "" : fs_arena_printf(arena, "; tasks: %zu run, %zu wait%s", runs, waits, why);
    fs_say("%zu of %zu points%s%s%s", w->settled, w->points, failed, tasks, left);
    fs_arena_free(arena);
    memcpy(w->said, say, sizeof say);
    w->said_at = now;
}

static fs_status interrupted(const fs_cluster_watch *w, fs_error *err) {
    return fs_fail(
        err, FS_RUN,
        "interrupted: the jobs stay in the queue and go on\nthe same command waits for them again; "
        "`foamsim merge %s` takes up what they finish; the same command with --cancel ends them",
        w->store);
}

/* Until no task of the open submissions is in the queue and their results are here. */
static fs_status wait_for_all(fs_cluster_watch *w, fs_error *err) {
    const struct timespec nap = {.tv_nsec = 200000000};
    double next_look = 0, next_merge = 0, pause = look_least, over_since = 0;
    bool unmarked = false;
    for (;;) {
        double now = fs_host_wall_seconds();
        if (fs_interrupted())
            return interrupted(w, err);
        bool changed = false, looked = now >= next_look && fs_cluster_look(w, true, &changed);
        if (now >= next_look) {
            pause = changed ? look_least : pause * look_slower;
            pause = pause > look_most ? look_most : pause;
            next_look = fs_host_wall_seconds() + pause;
        }
        unmarked |= changed;
        if (now >= next_merge && (unmarked || fs_cluster_waiting(w) > 0)) {
            if (fs_cluster_take_up(w, err))
                return err->status;
            unmarked = false;
            next_merge = fs_host_wall_seconds() + merge_least;
        }
        say_progress(w, false);
        if (looked && fs_cluster_live(w) == 0) {
            over_since = over_since > 0 ? over_since : now;
            if (now - over_since > late_most || fs_cluster_late(w) == 0)
                return fs_cluster_take_up(w, err);
            pause = look_least;
        } else if (looked)
            over_since = 0;
        nanosleep(&nap, NULL);
    }
}

/* ---- rounds ---- */

/* Reads the open submissions and the queue. */
static fs_status gather(fs_cluster_watch *w, fs_error *err) {
    bool changed;
    if (fs_cluster_open_submissions(w->arena, w->store, &w->submissions, &w->count, err))
        return err->status;
    w->tasks = FS_NEW(w->arena, fs_slurm_task *, w->count + 1);
    for (size_t i = 0; i < w->count; i++) {
        w->tasks[i] = FS_NEW(w->arena, fs_slurm_task, w->submissions[i].count + 1);
        for (size_t c = 0; c < w->submissions[i].count; c++)
            w->tasks[i][c] = (fs_slurm_task){.fate = FS_SLURM_GONE, .state = "", .reason = ""};
    }
    if (!fs_cluster_look(w, false, &changed))
        return fs_fail(err, FS_RUN,
                       "squeue does not answer: nothing is known of earlier jobs, so none are sent");
    return FS_OK;
}

static bool in_queue(const fs_cluster_watch *w, const char *key) {
    for (size_t i = 0; i < w->count; i++)
        for (size_t c = 0; c < w->submissions[i].count; c++)
            if (fs_slurm_live(w->tasks[i][c].fate) &&
                FS_HAS(w->submissions[i].chunk[c].work, w->submissions[i].chunk[c].count, key, key))
                return true;
    return false;
}

/* What the planner expects of each point, and never nothing. */
static void expect(const fs_cluster_watch *w, const fs_store_sweep *sweep, const size_t *open, size_t count,
                   bool recordings, double *seconds) {
    const double least = 0.05; /* starting a process */
    fs_sweep_item *items = FS_NEW(w->arena, fs_sweep_item, count + 1);
    fs_sweep_plan plan;
    for (size_t i = 0; i < count; i++) {
        seconds[i] = least;
        FS_ASSERT(fs_sweep_item_of(w->registry, &sweep->points[open[i]], &items[i]),
                  "an open point is no item");
    }
    const fs_sweep_means means = {
        .registry = w->registry, .folder = "no/recordings/here", .recordings = recordings};
    fs_sweep_plan_make(w->arena, items, NULL, count, &means, &plan);
    for (size_t j = 0; j < plan.count; j++)
        for (size_t i = 0; i < plan.jobs[j].count; i++)
            seconds[plan.jobs[j].items[i]] += plan.jobs[j].seconds / (double)plan.jobs[j].count;
}

static fs_status submit(fs_cluster_watch *w, const fs_store_sweep *sweep, const size_t *open, size_t count,
                        fs_error *err) {
    double *seconds = FS_NEW(w->arena, double, count + 1), *alone = FS_NEW(w->arena, double, count + 1);
    fs_cluster_submission *s = &w->submissions[w->count];
    expect(w, sweep, open, count, true, seconds);
    expect(w, sweep, open, count, false, alone);
    fs_cluster_divide(w->arena, sweep->points, open, seconds, alone, count, w->options, &s->chunk, &s->count);
    if (fs_cluster_prepare(w->arena, w->store, w->options, s, err))
        return err->status;
    if (fs_slurm_submit(w->arena, fs_arena_printf(w->arena, "%s/array.sh", s->folder), &s->job, err)) {
        fs_error ignored = {0};
        (void)fs_cluster_close(w->arena, s, &ignored);
        return err->status;
    }
    fs_status status = fs_file_write(fs_arena_printf(w->arena, "%s/job", s->folder), s->job, strlen(s->job),
                                     FS_DURABLE, err);
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
static fs_status find_open(fs_cluster_watch *w, fs_store *store, fs_store_sweep *sweep, size_t **open,
                           size_t *count, fs_error *err) {
    if (fs_store_read(store, w->arena, w->sweep, sweep, err))
        return err->status;
    *open = FS_NEW(w->arena, size_t, sweep->point_count + 1);
    *count = w->settled = 0;
    w->points = sweep->point_count;
    for (size_t i = 0; i < sweep->point_count; i++) {
        const fs_store_point *p = &sweep->points[i];
        if (fs_cluster_settled(p->status))
            w->settled++;
        else if (!in_queue(w, p->key))
            (*open)[(*count)++] = i;
    }
    return FS_OK;
}

/* Submissions of which nothing is in the queue: their last states go in, and they are closed. */
static fs_status close_ended(fs_cluster_watch *w, fs_error *err) {
    size_t kept = 0;
    for (size_t i = 0; i < w->count; i++) {
        const bool live = fs_cluster_live_of(w, i) > 0;
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
static fs_status one_round(fs_cluster_watch *w, int round, size_t *settled_before, bool *over,
                           fs_error *err) {
    fs_store *store;
    fs_store_sweep sweep;
    size_t *open = NULL, count = 0;
    int lock = fs_cluster_lock(w->arena, w->store, false, err);
    if (lock < 0)
        return err->status;
    if (gather(w, err) == FS_OK && fs_cluster_open_store(w->store, w->registry, &store, err) == FS_OK) {
        if (fs_cluster_take_into(w, store, err) == FS_OK && close_ended(w, err) == FS_OK)
            find_open(w, store, &sweep, &open, &count, err);
        fs_store_close(store);
    }
    if (err->status == FS_OK && round == 0) {
        w->cancelled = false; /* what was before this command */
        w->begun = fs_host_wall_seconds();
        w->begun_with = w->settled;
    }
    if (err->status == FS_OK && count > 0 && round > 0 && (w->cancelled || w->settled == *settled_before))
        tell_open(&sweep, open, count, fs_cluster_folder(w->arena, w->store), err);
    if (err->status == FS_OK && count > 0)
        submit(w, &sweep, open, count, err);
    close(lock);
    *settled_before = w->settled;
    *over = w->count == 0;
    return err->status == FS_OK && !*over ? wait_for_all(w, err) : err->status;
}

fs_status fs_cluster_sweep(const char *store, const char *sweep, const fs_cluster_options *options,
                           const fs_registry *registry, fs_error *err) {
    fs_cluster_watch w = {.store = store, .sweep = sweep, .options = options, .registry = registry};
    size_t settled = 0;
    bool over = false;
    fs_slurm_here(err);
    for (int round = 0; err->status == FS_OK && !over; round++) {
        w.arena = fs_arena_create();
        one_round(&w, round, &settled, &over, err);
        if (over)
            say_progress(&w, true);
        fs_arena_free(w.arena);
    }
    return err->status;
}

/* ---- cancelling ---- */

static fs_status end_jobs(fs_cluster_watch *w, fs_error *err) {
    enum { TRIES = 150 };
    const struct timespec nap = {.tv_nsec = 200000000};
    bool changed;
    for (size_t i = 0; i < w->count; i++)
        if (fs_slurm_cancel(w->arena, &w->submissions[i], err))
            return err->status;
    for (int i = 0; i < TRIES && fs_cluster_look(w, false, &changed) && fs_cluster_live(w) > 0; i++)
        nanosleep(&nap, NULL);
    if (fs_cluster_live(w) > 0)
        return fs_fail(err, FS_RUN, "the jobs were cancelled, but are still in the queue: try again later");
    return FS_OK;
}

static fs_status cancel(fs_cluster_watch *w, fs_error *err) {
    fs_store *store;
    if (gather(w, err))
        return err->status;
    const size_t live = fs_cluster_live(w);
    if (end_jobs(w, err) || fs_cluster_open_store(w->store, w->registry, &store, err))
        return err->status;
    for (size_t i = 0; i < w->count; i++) /* a task that never started leaves no trace in squeue */
        for (size_t c = 0; c < w->submissions[i].count; c++)
            if (w->tasks[i][c].fate == FS_SLURM_GONE)
                w->tasks[i][c].fate = FS_SLURM_CANCELLED;
    if (fs_cluster_take_into(w, store, err) == FS_OK)
        close_ended(w, err);
    fs_store_close(store);
    if (err->status == FS_OK)
        fs_say("%zu tasks cancelled, %zu results taken up", live, w->merged.merged);
    return err->status;
}

fs_status fs_cluster_cancel(const char *store, const fs_registry *registry, fs_error *err) {
    if (fs_slurm_here(err))
        return err->status;
    fs_cluster_watch w = {.store = store, .registry = registry, .arena = fs_arena_create()};
    const int lock = fs_cluster_lock(w.arena, store, false, err);
    if (lock >= 0) {
        cancel(&w, err);
        close(lock);
    }
    fs_arena_free(w.arena);
    return err->status;
}
