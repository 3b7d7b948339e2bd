/* One look of the submitting side: what the queue says, what came back, what goes into the store. A look
 * keeps nothing but what the watch is told to remember: its memory is an arena that ends with it. */
#include "sim/cluster/private.h"
#include "sim/host/voice.h"

#include <string.h>

/* ---- the store, open only while something goes in ---- */

fs_status fs_cluster_open_store(const char *path, const fs_registry *registry, fs_store **store,
                                fs_error *err) {
    if (fs_store_open(path, FS_STORE_WRITE, store, err) == FS_OK)
        fs_store_units(*store, registry->figures);
    return err->status;
}

bool fs_cluster_settled(const char *status) {
    return strcmp(status, "done") == 0 || strcmp(status, "failed") == 0;
}

/* The state of each point of a task that has no result, into the store. */
static fs_status mark_task(fs_arena *arena, fs_store *store, const fs_cluster_submission *s, size_t index,
                           const fs_slurm_task *task, fs_error *err) {
    const fs_cluster_chunk *chunk = &s->chunk[index];
    const char *words =
        fs_cluster_last_words(arena, fs_arena_printf(arena, "%s/log/%zu.txt", s->folder, index));
    size_t begun = 0, finished = 0;
    for (size_t i = 0; i < chunk->count; i++) {
        bool has = fs_cluster_has_result(s->folder, chunk->work[i].key);
        finished += has;
        begun += !has && fs_cluster_starts(s->folder, chunk->work[i].key) > 0;
    }
    for (size_t i = 0; i < chunk->count; i++) {
        const char *key = chunk->work[i].key, *known = NULL, *why;
        if (fs_store_state(store, key, &known, err))
            return err->status;
        if (known == NULL || fs_cluster_settled(known) || fs_cluster_has_result(s->folder, key))
            continue;
        bool current = fs_cluster_starts(s->folder, key) > 0 && (begun == 1 || task->fate == FS_SLURM_RUNS);
        const char *state = fs_slurm_point_state(arena, task, finished == 0, current, words, &why);
        if (fs_store_mark(store, key, state, why, err))
            return err->status;
    }
    return FS_OK;
}

/* Tasks that changed, and those that run, as they go from point to point. */
static fs_status mark_all(const fs_cluster_watch *w, fs_store *store, fs_error *err) {
    if (fs_store_begin(store, err))
        return err->status;
    for (size_t i = 0; i < w->count; i++)
        for (size_t c = 0; c < w->submissions[i].count; c++) {
            fs_slurm_task *task = &w->tasks[i][c];
            if (task->noted && task->fate != FS_SLURM_RUNS)
                continue;
            fs_arena *arena = fs_arena_create();
            fs_status status = mark_task(arena, store, &w->submissions[i], c, task, err);
            fs_arena_free(arena);
            if (status) {
                fs_store_undo(store);
                return status;
            }
            task->noted = true;
        }
    return fs_store_commit(store, err);
}

static fs_status merge_all(fs_cluster_watch *w, fs_store *store, fs_error *err) {
    fs_cluster_count count = {0};
    fs_arena *arena = fs_arena_create();
    fs_status status = FS_OK;
    for (size_t i = 0; i < w->count && status == FS_OK; i++)
        status = fs_cluster_merge_one(arena, store, &w->submissions[i], &count, err);
    fs_arena_free(arena);
    w->strange = count.strange;
    w->merged.merged += count.merged;
    w->merged.failed += count.failed;
    w->settled += count.merged;
    return status;
}

/* ---- looking ---- */

size_t fs_cluster_live_of(const fs_cluster_watch *w, size_t submission) {
    size_t count = 0;
    for (size_t c = 0; c < w->submissions[submission].count; c++)
        count += fs_slurm_live(w->tasks[submission][c].fate);
    return count;
}

size_t fs_cluster_live(const fs_cluster_watch *w) {
    size_t count = 0;
    for (size_t i = 0; i < w->count; i++)
        count += fs_cluster_live_of(w, i);
    return count;
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

/* What squeue says of a submission now, in place of what it said before. Returns true when something changed. */
static bool take_states(fs_cluster_watch *w, size_t i, fs_slurm_task *now, bool aloud) {
    const fs_cluster_submission *s = &w->submissions[i];
    bool changed = false;
    for (size_t c = 0; c < s->count; c++) {
        const fs_slurm_task *was = &w->tasks[i][c];
        if (aloud)
            say_restarts(s, c, was, &now[c]);
        if (now[c].fate == FS_SLURM_GONE && was->state[0] != '\0' && !fs_slurm_live(was->fate))
            now[c] = *was; /* how it ended is known */
        const bool other = now[c].fate != was->fate || now[c].restarts != was->restarts;
        now[c].noted = was->noted && !other;
        changed |= other;
        w->tasks[i][c] = now[c];
        w->cancelled |= now[c].fate == FS_SLURM_CANCELLED;
    }
    return changed;
}

bool fs_cluster_look(fs_cluster_watch *w, bool aloud, bool *changed) {
    fs_arena *arena = fs_arena_create();
    bool answered = true;
    *changed = false;
    for (size_t i = 0; i < w->count && answered; i++) {
        fs_slurm_task *now = FS_NEW(arena, fs_slurm_task, w->submissions[i].count + 1);
        w->unheard = (fs_error){0};
        answered = fs_slurm_look(arena, &w->submissions[i], now, &w->unheard) == FS_OK;
        if (answered)
            *changed |= take_states(w, i, now, aloud);
    }
    if (!answered && !w->deaf)
        fs_say("%s; asked again until it does", w->unheard.text);
    w->deaf = !answered;
    fs_arena_free(arena);
    return answered;
}

fs_status fs_cluster_take_into(fs_cluster_watch *w, fs_store *store, fs_error *err) {
    return merge_all(w, store, err) ? err->status : mark_all(w, store, err);
}

fs_status fs_cluster_take_up(fs_cluster_watch *w, fs_error *err) {
    fs_store *store;
    if (fs_cluster_open_store(w->store, w->registry, &store, err))
        return err->status;
    fs_status status = fs_cluster_take_into(w, store, err);
    fs_store_close(store);
    return status;
}

size_t fs_cluster_waiting(const fs_cluster_watch *w) {
    size_t count = 0;
    for (size_t i = 0; i < w->count; i++)
        count += fs_cluster_results(&w->submissions[i]);
    return count > w->strange ? count - w->strange : 0;
}

/* Of one task: its points without a result to be seen. */
static size_t late_of(const fs_cluster_submission *s, size_t task) {
    size_t count = 0;
    for (size_t k = 0; k < s->chunk[task].count; k++)
        count += !fs_cluster_has_result(s->folder, s->chunk[task].work[k].key);
    return count;
}

size_t fs_cluster_late(const fs_cluster_watch *w) {
    size_t count = 0;
    for (size_t i = 0; i < w->count; i++) {
        if (fs_cluster_bytes("%s/closed", w->submissions[i].folder) >= 0)
            continue; /* another command has taken it up */
        for (size_t c = 0; c < w->submissions[i].count; c++) {
            const fs_slurm_fate fate = w->tasks[i][c].fate;
            if (fate == FS_SLURM_ENDED || fate == FS_SLURM_GONE)
                count += late_of(&w->submissions[i], c);
        }
    }
    return count;
}
