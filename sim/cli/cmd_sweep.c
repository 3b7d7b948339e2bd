/* foamsim sweep: the points of a sweep file into a store. */
#include "sim/base/host.h"
#include "sim/cli/cluster_request.h"
#include "sim/cli/commands.h"
#include "sim/cli/options.h"
#include "sim/host/file.h"
#include "sim/host/process.h"
#include "sim/host/signals.h"
#include "sim/host/voice.h"
#include "sim/sweep/sweep.h"
#include "sim/workload/run_request.h"
#include "sim/workload/workload.h"
#include "sim/yaml/quantity.h"

#include <errno.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct request {
    const char *file, *store, *jobs, *memory, *cache, *cache_limit, *report;
    bool dry_run, retry, no_cache, plain, help;
    int job_count;
    int64_t memory_bytes, cache_bytes;
    fs_cluster_request cluster;
    fs_cluster_options on_cluster;
    bool asks_cluster;
} request;

static fs_status parse(int argc, char **argv, request *r, fs_error *err) {
    const fs_option own[] = {
        {.name = "store",
         .letter = 's',
         .value = "FILE.db",
         .doc = "the store (runs/NAME.db)",
         .text = &r->store},
        {.name = "jobs",
         .letter = 'j',
         .value = "N",
         .doc = "processes at a time (all cores)",
         .text = &r->jobs},
        {.name = "dry-run",
         .letter = 'n',
         .doc = "list the points and the layer that each needs, and run nothing",
         .flag = &r->dry_run},
        {.name = "memory",
         .value = "8GiB",
         .doc = "what all processes may hold together (three quarters of the host's)",
         .text = &r->memory},
        {.name = "retry", .doc = "run failed points again", .flag = &r->retry},
        {.name = "plain", .doc = "run every point: make and read no recordings", .flag = &r->plain},
        {.name = "report",
         .value = "FILE.html",
         .doc = "write the report of the store at the end",
         .text = &r->report},
        {.name = "cache",
         .value = "DIR",
         .doc = "folder of cached scenes ($XDG_CACHE_HOME/foamsim)",
         .text = &r->cache},
        {.name = "no-cache", .doc = "read and write no cached scenes", .flag = &r->no_cache},
        {.name = "cache-limit",
         .value = "16GiB",
         .doc = "recordings to keep beside the store, in FILE.db.cache",
         .text = &r->cache_limit},
    };
    enum { OWN = sizeof own / sizeof own[0] };
    fs_option options[OWN + FS_CLUSTER_ROWS];
    memcpy(options, own, sizeof own);
    fs_cluster_rows(&r->cluster, options + OWN);
    int args = 0;
    fs_status status =
        fs_options_parse("sweep SWEEP.yaml [options]\n"
                         "Runs the points of a sweep that the store does not hold yet, and prints the name "
                         "of the store. What was\n"
                         "interrupted goes on with the same command; docs/sweeps.md explains the file.",
                         options, OWN + FS_CLUSTER_ROWS, argc, argv, 1, 1, &args, &r->help, err);
    if (status == FS_OK && !r->help)
        r->file = argv[0];
    return status;
}

static fs_status bytes_option(const char *name, const char *text, int64_t usual, int64_t *out,
                              fs_error *err) {
    *out = usual;
    if (text == NULL || fs_quantity_int(text, FS_UNIT_BYTES, out) == FS_QUANTITY_OK)
        return FS_OK;
    return fs_fail(err, FS_INPUT, "--%s: expected an amount such as 8GiB, found \"%s\"", name, text);
}

static fs_status check(request *r, fs_error *err) {
    int64_t jobs = omp_get_num_procs();
    const int64_t host = (int64_t)(0.75 * (double)fs_host_memory_bytes());
    if (r->jobs != NULL && fs_option_int("jobs", r->jobs, 1, FS_MAX_THREADS, &jobs, err))
        return FS_INPUT;
    r->job_count = (int)jobs;
    if (bytes_option("memory", r->memory, host, &r->memory_bytes, err) ||
        bytes_option("cache-limit", r->cache_limit, INT64_C(16) << 30, &r->cache_bytes, err))
        return FS_INPUT;
    return fs_cluster_request_check(&r->cluster, &r->on_cluster, &r->asks_cluster, err);
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

static const char *store_of(const request *r, fs_arena *arena, const fs_sweep_file *file, fs_error *err) {
    if (r->store != NULL)
        return r->store;
    if (file->name[0] != '\0' && file->name[0] != '.' && strchr(file->name, '/') == NULL)
        return fs_arena_printf(arena, "runs/%s.db", file->name);
    fs_fail(err, FS_INPUT, "%s: the name \"%s\" is no name for a file: give one with --store", r->file,
            file->name);
    return NULL;
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
                                  .recordings = !r->plain};
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
    print_summary(by_layer, wrong, plan.seconds, r->job_count);
    return err->status;
}

/* ---- running ---- */

static fs_sweep_options options_of(const request *r, const char *path, fs_arena *arena) {
    const int threads = omp_get_num_procs() / r->job_count;
    return (fs_sweep_options){.jobs = r->job_count,
                              .threads = threads > 0 ? threads : 1,
                              .memory = (uint64_t)r->memory_bytes,
                              .cache_limit = (uint64_t)r->cache_bytes,
                              .folder = fs_arena_printf(arena, "%s.cache", path),
                              .scenes = r->no_cache        ? NULL
                                        : r->cache != NULL ? r->cache
                                                           : fs_default_cache_dir(),
                              .plain = r->plain,
                              .progress = !fs_is_quiet()};
}

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

static fs_status write_report(const char *path, const char *report, fs_error *err) {
    const char *const words[] = {"report", path, "-o", report, NULL};
    const fs_process_plan plan = {.words = words, .heard = true, .own_group = true};
    fs_process process;
    if (fs_process_start(&process, &plan, err))
        return err->status;
    if (fs_process_wait(&process, 0).status != 0) {
        fs_arena *arena = fs_arena_create();
        fs_fail(err, FS_RUN, "the report could not be written:\n%s", fs_file_text(arena, process.err, 4096));
        fs_arena_free(arena);
    }
    fs_process_close(&process);
    return err->status;
}

static fs_status sweep_into(const request *r, fs_store *store, const char *path, const fs_store_sweep *sweep,
                            double begun, fs_arena *arena, fs_error *err) {
    const fs_sweep_options options = options_of(r, path, arena);
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
    if (r->cluster.cancel)
        return fs_cluster_cancel(path, fs_registry_stats, err);
    if (fs_store_open(path, FS_STORE_WRITE, &store, err))
        return err->status;
    fs_status status = fs_store_put_sweep(store, sweep, err);
    if (status == FS_OK)
        status = fs_sweep_open_items(store, sweep, r->retry, arena, &items, &count, err);
    fs_store_close(store);
    return status ? status : fs_cluster_sweep(path, sweep->name, &r->on_cluster, fs_registry_stats, err);
}

static fs_status sweep_here(const request *r, const char *path, const fs_store_sweep *sweep, double begun,
                            fs_arena *arena, fs_error *err) {
    fs_store *store = NULL;
    if (fs_store_open(path, FS_STORE_WRITE, &store, err))
        return err->status;
    fs_status status = sweep_into(r, store, path, sweep, begun, arena, err);
    fs_store_close(store);
    return status;
}

static fs_status run_sweep(request *r, fs_arena *arena, fs_error *err) {
    const double begun = fs_host_wall_seconds();
    fs_sweep_file file;
    fs_store_sweep sweep;
    if (check(r, err) || read_points(r, arena, &file, &sweep, err))
        return err->status;
    const char *path = store_of(r, arena, &file, err);
    if (path == NULL)
        return err->status;
    if (r->dry_run)
        return dry_run(r, path, &sweep, arena, err);
    fs_catch_signals();
    fs_status status = r->asks_cluster ? sweep_on_cluster(r, path, &sweep, arena, err)
                                       : sweep_here(r, path, &sweep, begun, arena, err);
    if (status == FS_OK && r->report != NULL)
        status = write_report(path, r->report, err);
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
