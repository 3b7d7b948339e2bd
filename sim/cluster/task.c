/* A task of the job array: on a node, beside the store but never in it. */
#include "sim/base/version.h"
#include "sim/cluster/private.h"
#include "sim/host/signals.h"
#include "sim/sweep/sweep.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct task {
    const fs_registry *registry;
    const char *folder; /* of the submission */
    fs_arena *arena;
} task;

static fs_status put(void *self, const fs_sweep_item *item, const json_t *result, fs_error *err) {
    const task *t = self;
    return fs_cluster_write_json(fs_arena_printf(t->arena, "%s/results/%s.json", t->folder, item->key),
                                 result, err);
}

/* One byte more in starts/KEY. */
static fs_status note_start(void *self, const fs_sweep_item *item, fs_error *err) {
    const task *t = self;
    const char *path = fs_arena_printf(t->arena, "%s/starts/%s", t->folder, item->key);
    int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    bool bad = fd < 0 || write(fd, ".", 1) != 1 || fsync(fd) != 0;
    int why = errno;
    if (fd >= 0)
        close(fd);
    return bad ? fs_fail(err, FS_IO, "%s: cannot write: %s", path, strerror(why)) : FS_OK;
}

static fs_status give_up(task *t, const fs_store_point *point, fs_error *err) {
    char why[160];
    snprintf(
        why, sizeof why,
        "the point was begun %d times without an end: its nodes failed, or the task was ended from outside",
        FS_CLUSTER_MOST_STARTS);
    json_t *result = json_pack("{s:s, s:s, s:s, s:s, s:o}", "key", point->key, "status", "failed", "error",
                               why, "layer", "", "host", fs_sweep_host((double)NAN, (double)NAN));
    fs_status status = put(t, &(fs_sweep_item){.key = point->key}, result, err);
    json_decref(result);
    return status;
}

/* The points of the chunk that are to be run. */
static fs_status choose(task *t, const fs_cluster_chunk *chunk, fs_sweep_item *items, size_t *count,
                        fs_error *err) {
    *count = 0;
    for (size_t i = 0; i < chunk->count; i++) {
        const fs_store_point *w = &chunk->work[i];
        if (fs_cluster_has_result(t->folder, w->key))
            continue;
        if (fs_cluster_starts(t->folder, w->key) >= FS_CLUSTER_MOST_STARTS) {
            if (give_up(t, w, err))
                return err->status;
            continue;
        }
        if (!fs_sweep_item_of(t->registry, w, &items[*count]))
            return fs_fail(err, FS_RUN, "%s: its configuration cannot be read", w->label);
        ++*count;
    }
    return FS_OK;
}

static fs_status check_version(const task *t, fs_error *err) {
    json_t *head = fs_cluster_read_json(fs_arena_printf(t->arena, "%s/submission.json", t->folder), err);
    if (head == NULL)
        return err->status;
    int model = (int)json_integer_value(json_object_get(head, "model_version"));
    json_decref(head);
    if (model != FS_MODEL_VERSION)
        return fs_fail(
            err, FS_RUN,
            "%s: was submitted by model version %d, this program has %d: cancel the jobs (--cancel) "
            "and submit again",
            t->folder, model, FS_MODEL_VERSION);
    return FS_OK;
}

static fs_status work(task *t, size_t index, int threads, const char *scenes, fs_error *err) {
    fs_cluster_chunk chunk;
    if (fs_cluster_bytes("%s/closed", t->folder) >= 0)
        return FS_OK;
    if (check_version(t, err) || fs_cluster_read_chunk(t->arena, t->folder, index, &chunk, err))
        return err->status;
    fs_sweep_item *items = FS_NEW(t->arena, fs_sweep_item, chunk.count + 1);
    size_t count;
    if (choose(t, &chunk, items, &count, err))
        return err->status;
    const char *restart = getenv("SLURM_RESTART_COUNT"), *node = getenv("SLURMD_NODENAME");
    printf("%zu of %zu points on %s%s%s\n", count, chunk.count, node == NULL ? "this host" : node,
           restart == NULL ? "" : ", requeued ", restart == NULL ? "" : restart);
    if (count == 0)
        return FS_OK;
    /* A folder of this start alone: nobody else writes its recordings, not even an earlier start on a node
     * that was taken for dead. */
    const fs_sweep_options options = {
        .registry = t->registry,
        .jobs = 1,
        .threads = threads,
        .folder =
            fs_arena_printf(t->arena, "%s/work-%zu-%s", t->folder, index, restart == NULL ? "0" : restart),
        .scenes = scenes,
        .label = "sweep",
    };
    const fs_sweep_sink sink = {.result = put, .started = note_start, .self = t};
    fs_sweep_tally tally = {0};
    fs_status status = fs_sweep_execute(items, count, &options, &sink, &tally, err);
    if (status == FS_OK) {
        printf("%zu done, %zu failed\n", tally.done, tally.failed);
        status = fs_cluster_remove(options.folder, err);
    }
    return status;
}

fs_status fs_cluster_run_task(const fs_registry *registry, const char *submission, size_t chunk, int threads,
                              const char *scenes, fs_error *err) {
    task t = {.registry = registry, .folder = submission, .arena = fs_arena_create()};
    fs_catch_signals();
    fs_status status = work(&t, chunk, threads, scenes, err);
    fs_arena_free(t.arena);
    return status;
}
