/* Results of tasks into the store. */
#include "sim/cluster/private.h"
#include "sim/host/voice.h"
#include "sim/results/results.h"
#include "sim/yaml/paths.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { KEY_DIGITS = 64, BATCH = 200 };

static bool is_result(const char *name) {
    return strlen(name) == KEY_DIGITS + strlen(".json") && fs_path_ends(name, ".json");
}

size_t fs_cluster_results(const fs_cluster_submission *s) {
    fs_arena *arena = fs_arena_create();
    const char *const *name = fs_dir_names(arena, fs_arena_printf(arena, "%s/results", s->folder));
    size_t count = 0;
    for (; name != NULL && *name != NULL; name++)
        count += is_result(*name);
    fs_arena_free(arena);
    return count;
}

/* One file; a file that is no result is reported and left. */
static fs_status enter(fs_store *store, const char *path, const char *name, fs_cluster_count *count,
                       bool *entered, fs_error *err) {
    fs_error what;
    fs_error_clear(&what);
    *entered = false;
    json_t *root = fs_cluster_read_json(path, &what);
    const char *key = fs_json_text(root, "key");
    if (root != NULL && strncmp(key, name, KEY_DIGITS) != 0)
        fs_fail(&what, FS_INPUT, "%s: holds another point's result", path);
    if (what.status == FS_OK)
        fs_store_finish(store, root, &what);
    if (what.status == FS_OK) {
        *entered = true;
        count->merged++;
        count->failed += strcmp(fs_json_text(root, "status"), "failed") == 0;
    }
    const bool readable = root != NULL;
    json_decref(root);
    if (what.status == FS_OK ||
        fs_cluster_bytes("%s", path) < 0) /* another command has merged it meanwhile */
        return FS_OK;
    if (what.status != FS_INPUT && readable)
        return fs_fail(err, what.status, "%s", what.text);
    count->strange++;
    fs_say("left where it is: %s", what.text);
    return FS_OK;
}

/* Up to BATCH results as one transaction, then out of the way, so that a second look finds only what is new. */
static fs_status merge_batch(fs_arena *arena, fs_store *store, const char *folder, const char *const *name,
                             size_t names, fs_cluster_count *count, fs_error *err) {
    bool entered[BATCH] = {false};
    if (fs_store_begin(store, err))
        return err->status;
    for (size_t i = 0; i < names; i++)
        if (enter(store, fs_arena_printf(arena, "%s/%s", folder, name[i]), name[i], count, &entered[i],
                  err)) {
            fs_store_undo(store);
            return err->status;
        }
    if (fs_store_commit(store, err))
        return err->status;
    for (size_t i = 0; i < names; i++)
        if (entered[i])
            rename(fs_arena_printf(arena, "%s/%s", folder, name[i]),
                   fs_arena_printf(arena, "%s/%.*s.merged", folder, KEY_DIGITS, name[i]));
    return FS_OK;
}

fs_status fs_cluster_merge_one(fs_arena *arena, fs_store *store, const fs_cluster_submission *s,
                               fs_cluster_count *count, fs_error *err) {
    const char *folder = fs_arena_printf(arena, "%s/results", s->folder);
    const char *batch[BATCH], *const *name = fs_dir_names(arena, folder);
    size_t names = 0;
    for (; name != NULL && *name != NULL; name++) {
        if (is_result(*name))
            batch[names++] = *name;
        if (names == BATCH && merge_batch(arena, store, folder, batch, names, count, err))
            return err->status;
        names %= BATCH;
    }
    return names == 0 ? FS_OK : merge_batch(arena, store, folder, batch, names, count, err);
}

/* Points of a submission whose result is not in the store. */
static fs_status count_open(fs_store *store, const fs_cluster_submission *s, size_t *open, fs_error *err) {
    *open = 0;
    for (size_t c = 0; c < s->count; c++)
        for (size_t i = 0; i < s->chunk[c].count; i++) {
            const char *state = NULL;
            if (fs_store_state(store, s->chunk[c].work[i].key, &state, err))
                return err->status;
            *open += state != NULL && !fs_cluster_settled(state);
        }
    return FS_OK;
}

static fs_status merge_all(fs_arena *arena, const char *path, const fs_registry *registry,
                           fs_cluster_count *count, fs_error *err) {
    fs_cluster_submission *submissions;
    size_t submission_count;
    fs_store *store;
    if (fs_cluster_open_store(path, registry, &store, err))
        return err->status;
    fs_cluster_open_submissions(arena, path, &submissions, &submission_count, err);
    for (size_t i = 0; err->status == FS_OK && i < submission_count; i++) {
        size_t open = 0, strange = count->strange;
        if (fs_cluster_merge_one(arena, store, &submissions[i], count, err) == FS_OK &&
            count_open(store, &submissions[i], &open, err) == FS_OK && open == 0 && count->strange == strange)
            fs_cluster_close(arena, &submissions[i], err);
        count->open += open;
    }
    fs_store_close(store);
    return err->status;
}

fs_status fs_cluster_merge(const char *store, const fs_registry *registry, fs_cluster_count *count,
                           fs_error *err) {
    *count = (fs_cluster_count){0};
    fs_arena *arena = fs_arena_create();
    const int lock = fs_cluster_lock(arena, store, true, err);
    if (lock >= 0) {
        merge_all(arena, store, registry, count, err);
        close(lock);
    }
    fs_arena_free(arena);
    return err->status;
}
