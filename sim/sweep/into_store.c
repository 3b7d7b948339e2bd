/* A sweep into its store: which points are open, and what becomes of them. */
#include "sim/sweep/private.h"
#include "sim/workload/workload.h"

#include <string.h>

fs_status fs_sweep_open_items(const fs_registry *registry, fs_store *store, const fs_store_sweep *sweep,
                              bool retry, fs_arena *arena, const fs_sweep_item **items, size_t *count,
                              fs_error *err) {
    fs_sweep_item *all = FS_NEW(arena, fs_sweep_item, sweep->point_count + 1);
    fs_status status = fs_store_begin(store, err);
    *count = 0;
    for (size_t i = 0; i < sweep->point_count && status == FS_OK; i++) {
        const char *state = NULL;
        status = fs_store_state(store, sweep->points[i].key, &state, err);
        const bool again = state != NULL && strcmp(state, "failed") == 0 && retry;
        if (status || (state != NULL && strcmp(state, "pending") != 0 && !again))
            continue;
        if (!fs_sweep_item_of(registry, &sweep->points[i], &all[*count]))
            continue;
        status = fs_store_mark(store, sweep->points[i].key, "running", "", err); /* each key once */
        (*count)++;
    }
    for (size_t i = 0; i < *count && status == FS_OK; i++)
        status = fs_store_mark(store, all[i].key, "pending", "", err);
    *items = all;
    if (status == FS_OK)
        return fs_store_commit(store, err);
    fs_store_undo(store);
    return status;
}

static fs_status take_result(void *self, const fs_sweep_item *item, const json_t *result, fs_error *err) {
    (void)item;
    return fs_store_finish(self, result, err);
}

static fs_status take_group(void *self, bool begin, fs_error *err) {
    return begin ? fs_store_begin(self, err) : fs_store_commit(self, err);
}

static fs_status note_start(void *self, const fs_sweep_item *item, fs_error *err) {
    return fs_store_mark(self, item->key, "running", "", err);
}

fs_status fs_sweep_into_store(fs_store *store, const fs_store_sweep *sweep, const fs_sweep_options *options,
                              bool retry, size_t *open, fs_sweep_tally *tally, fs_error *err) {
    const fs_sweep_item *items = NULL;
    const fs_sweep_sink sink = {
        .result = take_result, .group = take_group, .started = note_start, .self = store};
    *open = 0;
    *tally = (fs_sweep_tally){.done = 0};
    fs_store_units(store, options->registry->figures);
    fs_store_sweep rest = *sweep;
    rest.points += options->before;
    rest.point_count -= options->before;
    fs_arena *arena = fs_arena_create();
    if (fs_store_reset_running(store, err) == FS_OK && fs_store_put_sweep(store, sweep, err) == FS_OK &&
        fs_sweep_open_items(options->registry, store, &rest, retry, arena, &items, open, err) == FS_OK &&
        fs_sweep_execute(items, *open, options, &sink, tally, err) == FS_RUN)
        fs_store_reset_running(store, &(fs_error){.status = FS_OK});
    fs_arena_free(arena);
    return err->status;
}
