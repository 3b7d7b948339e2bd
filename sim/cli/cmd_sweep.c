/* foamsim sweep: the points of a sweep file into a store. */
#include "sim/base/host.h"
#include "sim/cli/commands.h"
#include "sim/cli/robust_request.h"
#include "sim/cli/sweep_request.h"
#include "sim/host/signals.h"
#include "sim/host/voice.h"
#include "sim/workload/workload.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct request {
    const char *file;
    bool retry, help;
    fs_sweep_request how;
    fs_robust_request robust;
} request;

static fs_status parse(int argc, char **argv, request *r, fs_error *err) {
    const fs_option own[] = {{.name = "retry", .doc = "run failed points again", .flag = &r->retry}};
    enum { OWN = sizeof own / sizeof own[0] };
    fs_option options[OWN + FS_SWEEP_ROWS + FS_ROBUST_ROWS];
    memcpy(options, own, sizeof own);
    fs_sweep_rows(&r->how, options + OWN);
    fs_robust_rows(&r->robust, options + OWN + FS_SWEEP_ROWS);
    int args = 0;
    fs_status status = fs_options_parse(
        "sweep SWEEP.yaml [options]\n"
        "Runs the points of a sweep that the store does not hold yet, and prints the name "
        "of the store. What was\n"
        "interrupted goes on with the same command; docs/sweeps.md explains the file.",
        options, OWN + FS_SWEEP_ROWS + FS_ROBUST_ROWS, argc, argv, 1, 1, &args, &r->help, err);
    if (status == FS_OK && !r->help)
        r->file = argv[0];
    return status;
}

/* ---- points ---- */

/* Words on keys that another kind does not have are for a person with one experiment, not with hundreds. */
static fs_status read_points(const request *r, fs_arena *arena, fs_sweep_file *file, fs_store_sweep *sweep,
                             fs_error *err) {
    const bool was = fs_say_quiet(true);
    fs_status status = fs_sweep_read(arena, r->file, file, err);
    if (status == FS_OK)
        status = fs_sweep_points(arena, file, sweep, err);
    fs_say_quiet(was);
    return status;
}

/* ---- dry run ---- */

static void print_point(const fs_store_point *p, const char *layer, double seconds) {
    printf("%.12s  %-7s %7.1f s  ", p->key, layer, seconds);
    fs_put_plain(p->label, stdout);
    fputc('\n', stdout);
}

static void print_summary(const size_t by_layer[3], size_t wrong, double seconds, int jobs) {
    printf("%zu to run, %zu to replay, %zu to price, %zu wrong; about %.0f s with %d jobs\n", by_layer[0],
           by_layer[1], by_layer[2], wrong, seconds / jobs, jobs);
}

/* Each point in the order of the file, with what it needs; a store that is there says what is done. */
static fs_status dry_run(const request *r, const char *path, const fs_store_sweep *sweep, fs_arena *arena,
                         fs_error *err) {
    fs_store *store = NULL;
    if (fs_store_is(path) && fs_store_open(path, FS_STORE_READ, &store, err))
        return err->status;
    const char **states = FS_NEW(arena, const char *, sweep->point_count);
    fs_sweep_item *items = FS_NEW(arena, fs_sweep_item, sweep->point_count);
    size_t *point = FS_NEW(arena, size_t, sweep->point_count), count = 0, by_layer[3] = {0}, wrong = 0;
    for (size_t i = 0; i < sweep->point_count; i++) {
        if (store != NULL && fs_store_state(store, sweep->points[i].key, &states[i], err))
            break;
        const bool wanted = states[i] == NULL || (r->retry && strcmp(states[i], "failed") == 0) ||
                            strcmp(states[i], "pending") == 0 || strcmp(states[i], "running") == 0;
        if (wanted && fs_sweep_item_of(&sweep->points[i], &items[count]))
            point[count++] = i;
        else if (sweep->points[i].error[0] != '\0')
            states[i] = "wrong";
        wrong += sweep->points[i].error[0] != '\0';
    }
    fs_store_close(store);
    const fs_sweep_means means = {.folder = fs_arena_printf(arena, "%s.cache", path),
                                  .recordings = !r->how.plain};
    fs_sweep_plan plan;
    fs_sweep_plan_make(arena, items, NULL, count, &means, &plan);
    const fs_sweep_job **job = FS_NEW(arena, const fs_sweep_job *, sweep->point_count);
    for (size_t j = 0; j < plan.count; j++)
        for (size_t i = 0; i < plan.jobs[j].count; i++) {
            job[point[plan.jobs[j].items[i]]] = &plan.jobs[j];
            by_layer[plan.jobs[j].layer]++;
        }
    for (size_t i = 0; i < sweep->point_count; i++)
        print_point(&sweep->points[i], job[i] != NULL ? fs_layer_words[job[i]->layer] : states[i],
                    job[i] != NULL ? job[i]->seconds / (double)job[i]->count : 0);
    print_summary(by_layer, wrong, plan.seconds, r->how.job_count);
    return err->status;
}

/* ---- running ---- */

static fs_status tell(fs_store *store, const char *path, const fs_store_sweep *sweep, size_t known,
                      const fs_sweep_tally *t, double seconds, fs_error *err) {
    size_t failed = 0;
    const char *state = NULL;
    for (size_t i = 0; i < sweep->point_count; i++) {
        if (fs_store_state(store, sweep->points[i].key, &state, err))
            return err->status;
        failed += state != NULL && strcmp(state, "failed") == 0;
    }
    fs_say("%zu points: %zu known, %zu run, %zu replayed, %zu priced, %zu failed now; %.1f s",
           sweep->point_count, known, t->by_layer[0], t->by_layer[1], t->by_layer[2], t->failed, seconds);
    if (failed > 0)
        fs_say("%zu failed in all; why: foamsim query %s points --failed", failed, path);
    return FS_OK;
}

static fs_status sweep_into(const request *r, fs_store *store, const char *path, const fs_store_sweep *sweep,
                            double begun, fs_arena *arena, fs_error *err) {
    const fs_sweep_options options = fs_sweep_options_of(&r->how, path, arena);
    size_t count = 0;
    fs_sweep_tally tally = {.done = 0};
    if (fs_sweep_into_store(store, sweep, &options, r->retry, &count, &tally, err)) {
        if (err->status == FS_RUN)
            fs_say("%zu of %zu open points were finished; the same command goes on",
                   tally.done + tally.failed, count);
        return err->status;
    }
    return tell(store, path, sweep, sweep->point_count - count, &tally, fs_host_wall_seconds() - begun, err);
}

/* The store is open only while the points go in: the cluster's results come at their own time. */
static fs_status sweep_on_cluster(const request *r, const char *path, const fs_store_sweep *sweep,
                                  fs_arena *arena, fs_error *err) {
    const fs_sweep_item *items = NULL;
    size_t count = 0;
    fs_store *store = NULL;
    if (r->how.cluster.cancel)
        return fs_cluster_cancel(path, fs_registry_stats, err);
    if (fs_store_open(path, FS_STORE_WRITE, &store, err))
        return err->status;
    fs_status status = fs_store_put_sweep(store, sweep, err);
    if (status == FS_OK)
        status = fs_sweep_open_items(store, sweep, r->retry, arena, &items, &count, err);
    fs_store_close(store);
    if (status == FS_OK)
        status = fs_cluster_sweep(path, sweep->name, &r->how.on_cluster, fs_registry_stats, err);
    if (status || !r->robust.asked || fs_store_open(path, FS_STORE_WRITE, &store, err))
        return err->status;
    status = fs_robust_asked(&r->robust, &r->how, path, store, sweep->name, err);
    fs_store_close(store);
    return status;
}

static fs_status sweep_here(const request *r, const char *path, const fs_store_sweep *sweep, double begun,
                            fs_arena *arena, fs_error *err) {
    fs_store *store = NULL;
    if (fs_store_open(path, FS_STORE_WRITE, &store, err))
        return err->status;
    fs_status status = sweep_into(r, store, path, sweep, begun, arena, err);
    if (status == FS_OK)
        status = fs_robust_asked(&r->robust, &r->how, path, store, sweep->name, err);
    fs_store_close(store);
    return status;
}

static fs_status run_sweep(request *r, fs_arena *arena, fs_error *err) {
    const double begun = fs_host_wall_seconds();
    fs_sweep_file file;
    fs_store_sweep sweep;
    if (fs_sweep_request_check(&r->how, err) || fs_robust_check(&r->robust, err) ||
        read_points(r, arena, &file, &sweep, err))
        return err->status;
    const char *path = fs_sweep_store_of(&r->how, arena, &file, err);
    if (path == NULL)
        return err->status;
    if (r->how.dry_run)
        return dry_run(r, path, &sweep, arena, err);
    fs_catch_signals();
    fs_status status = r->how.asks_cluster ? sweep_on_cluster(r, path, &sweep, arena, err)
                                           : sweep_here(r, path, &sweep, begun, arena, err);
    if (status == FS_OK)
        status = fs_sweep_write_report(&r->how, path, err);
    if (status == FS_OK)
        printf("%s\n", path);
    return status;
}

static fs_status run(int argc, char **argv, fs_error *err) {
    request r = {.file = NULL};
    fs_arena *arena = fs_arena_create();
    fs_status status = parse(argc, argv, &r, err);
    if (status == FS_OK && !r.help)
        status = run_sweep(&r, arena, err);
    fs_arena_free(arena);
    return status;
}

const fs_command fs_command_sweep = {"sweep", "run the points of a sweep into a store", run};
