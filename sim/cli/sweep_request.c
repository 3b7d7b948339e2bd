/* What sweep and search take alike: where the store is, how points are run into it, on which machines, and
 * whether they are judged. */
#include "sim/cli/sweep_request.h"
#include "sim/base/arith.h"
#include "sim/base/host.h"
#include "sim/host/file.h"
#include "sim/host/voice.h"
#include "sim/workload/run_request.h"
#include "sim/yaml/quantity.h"

#include <omp.h>
#include <stdio.h>
#include <string.h>

enum {
    CLUSTER_ROWS = 10,
    ROBUST_ROWS = 3,
    MOST_OWN = 4,
    USUAL_TASKS = 1000, /* MaxArraySize of slurm.conf is 1001 unless the cluster says otherwise: 0 to 1000 */
    MOST_TASKS = 4000000,
    MOST_CPUS = 1024,
    USUAL_DRAWS = 64,
    MOST_DRAWS = 4096
};
static const double usual_chunk = 600.0, least_chunk = 0.1, most_chunk = 1e7;

static bool given(const fs_option *o) {
    return o->text != NULL      ? *o->text != NULL
           : o->flag != NULL    ? *o->flag
           : o->integer != NULL ? *o->integer != 0
                                : *o->real > 0;
}

/* Options that say how, of which the first says whether. */
static fs_status check_beside(const fs_option *rows, size_t count, const char *value, fs_error *err) {
    for (size_t i = 1; i < count && !given(&rows[0]); i++)
        if (given(&rows[i]))
            return fs_fail(err, FS_INPUT, "--%s: expected --%s%s beside it", rows[i].name, rows[0].name,
                           value);
    return FS_OK;
}

static fs_status bytes_option(const char *name, const char *text, int64_t usual, int64_t *out,
                              fs_error *err) {
    *out = usual;
    if (text == NULL || fs_quantity_int(text, FS_UNIT_BYTES, out) == FS_QUANTITY_OK)
        return FS_OK;
    return fs_fail(err, FS_INPUT, "--%s: expected an amount such as 8GiB, found \"%s\"", name, text);
}

/* What was left out, and what goes together; `cluster` and `robust` are the rows about these. */
static fs_status complete(fs_sweep_request *r, const fs_option *cluster, const fs_option *robust,
                          fs_error *err) {
    fs_cluster_options *o = &r->on_cluster;
    const int64_t host = (int64_t)(0.75 * (double)fs_host_memory_bytes());
    if (bytes_option("memory", r->memory, host, &r->memory_bytes, err) ||
        bytes_option("cache-limit", r->cache_limit, INT64_C(16) << 30, &r->cache_bytes, err) ||
        check_beside(cluster, CLUSTER_ROWS, " slurm", err) || check_beside(robust, ROBUST_ROWS, "", err))
        return FS_INPUT;
    if (r->live && r->report == NULL)
        return fs_fail(err, FS_INPUT, "--live: expected --report FILE.html beside it");
    if (r->cluster != NULL && strcmp(r->cluster, "slurm") != 0)
        return fs_fail(err, FS_INPUT, "--cluster: expected slurm, found \"%s\"", r->cluster);
    o->cpus = o->cpus > 0 ? o->cpus : 1;
    o->array_limit = o->array_limit > 0 ? o->array_limit : USUAL_TASKS;
    o->chunk_seconds = o->chunk_seconds > 0 ? o->chunk_seconds : usual_chunk;
    r->ask.draws = r->ask.draws > 0 ? r->ask.draws : USUAL_DRAWS;
    return FS_OK;
}

bool fs_cli_sweep_parse(fs_sweep_request *r, fs_command_line *call, const char *usage, const fs_option *own,
                        size_t own_count, fs_error *err) {
    fs_cluster_options *o = &r->on_cluster;
    const fs_option all[] = {
        FS_OPTION("store", 's', "FILE.db", "the store (runs/NAME.db)", &r->store),
        FS_OPTION_INT("jobs", 'j', "N", "processes at a time (all cores)", &r->jobs, 1, FS_MAX_THREADS),
        FS_FLAG("dry-run", 'n', "list the points and the layer that each needs, and run nothing",
                &r->dry_run),
        FS_OPTION("memory", 0, "8GiB", "what all processes may hold together (three quarters of the host's)",
                  &r->memory),
        FS_FLAG("allow-failures", 0, "exit 0 although points failed (1 otherwise)", &r->allow_failures),
        FS_FLAG("plain", 0, "run every point: make and read no recordings", &r->plain),
        FS_OPTION("report", 0, "FILE.html", "write the report of the store at the end", &r->report),
        FS_FLAG("live", 0, "write it while points run, too: a page that reloads itself", &r->live),
        FS_OPTIONS_CACHE(r),
        FS_OPTION("cache-limit", 0, "16GiB", "recordings to keep beside the store, in FILE.db.cache",
                  &r->cache_limit),
        FS_OPTION("cluster", 0, "slurm", "run the points as a job array of Slurm; docs/cluster.md",
                  &r->cluster),
        FS_OPTION("partition", 0, "P", "of Slurm (the cluster's own)", &o->partition),
        FS_OPTION("account", 0, "A", "that pays", &o->account),
        FS_OPTION("time", 0, "T", "limit of each task, as sbatch takes it", &o->time),
        FS_OPTION("mem", 0, "M", "limit of each task: 4G", &o->memory),
        FS_OPTION_INT("cpus", 0, "N", "of each task (1)", &o->cpus, 1, MOST_CPUS),
        FS_OPTION_INT("array-limit", 0, "N", "most tasks of an array: MaxArraySize - 1 (1000)",
                      &o->array_limit, 1, MOST_TASKS),
        FS_OPTION_INT("tasks-at-once", 0, "N", "most tasks that run at a time", &o->tasks_at_once, 1,
                      MOST_TASKS),
        FS_OPTION_REAL("chunk", 0, "SECONDS", "expected work of a task: points are put together (600)",
                       &o->chunk_seconds, least_chunk, most_chunk),
        FS_FLAG("cancel", 0, "end what the store has on the cluster", &r->cancel),
        FS_FLAG("robust", 0, "vary what is uncertain jointly, and say how sure the best points are",
                &r->judge),
        FS_OPTION("uncertain", 0, "FILE.yaml",
                  "ranges of uncertain parameters (configs/validation/uncertain*.yaml)", &r->ask.uncertain),
        FS_OPTION_INT("draws", 0, "N", "joint draws of them (64; all corners where they are at most 16)",
                      &r->ask.draws, 2, MOST_DRAWS),
    };
    fs_option rows[MOST_OWN + FS_COUNT(all)];
    const size_t count = own_count + FS_COUNT(all);
    FS_ASSERT(own_count <= MOST_OWN, "%zu options of its own", own_count);
    memcpy(rows, own, own_count * sizeof *rows);
    memcpy(rows + own_count, all, sizeof all);
    r->registry = call->cli->registry;
    r->jobs = omp_get_num_procs();
    if (!fs_options_parse(call, usage, rows, count, 1, 1, err))
        return false;
    r->file = call->argv[0];
    const fs_option *robust = rows + count - ROBUST_ROWS;
    return complete(r, robust - CLUSTER_ROWS, robust, err) == FS_OK;
}

const char *fs_cli_sweep_store_of(const fs_sweep_request *r, fs_arena *arena, const fs_sweep_file *file,
                                  fs_error *err) {
    if (r->store != NULL)
        return r->store;
    if (file->name[0] != '\0' && file->name[0] != '.' && strchr(file->name, '/') == NULL)
        return fs_arena_printf(arena, "runs/%s.db", file->name);
    return FS_FAIL_NULL(err, FS_INPUT, "%s: the name \"%s\" is no name for a file: give one with --store",
                        file->path, file->name);
}

fs_sweep_options fs_cli_sweep_options_of(const fs_sweep_request *r, const char *path, fs_arena *arena) {
    const int cores = omp_get_num_procs(), threads = cores / (int)r->jobs;
    return (fs_sweep_options){.registry = r->registry,
                              .jobs = (int)r->jobs,
                              .threads = threads > 0 ? threads : 1,
                              .cores = cores,
                              .memory = (uint64_t)r->memory_bytes,
                              .cache_limit = (uint64_t)r->cache_bytes,
                              .folder = fs_arena_printf(arena, "%s.cache", path),
                              .scenes = FS_CACHE_DIR(r),
                              .plain = r->plain,
                              .progress = !fs_is_quiet(),
                              .label = "sweep"};
}

fs_status fs_cli_sweep_begin(fs_sweep_request *r, const char *path, const char *sweep, fs_error *err) {
    const char *const words[] = {"report", path, "--live",  "--quiet", "--sweep",
                                 sweep,    "-o", r->report, NULL};
    const fs_process_plan plan = {.words = words, .own_group = true};
    return r->live ? fs_process_start(&r->reporting, &plan, err) : FS_OK;
}

static fs_status write_report(const fs_sweep_request *r, const char *path, fs_error *err) {
    if (r->report == NULL)
        return FS_OK;
    const char *const words[] = {"report", path, "-o", r->report, NULL};
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

fs_status fs_cli_sweep_end(fs_sweep_request *r, const char *path, const char *sweep, fs_arena *arena,
                           fs_error *err) {
    enum { MOST = 5 };
    fs_store *store = NULL;
    fs_store_sweep s;
    fs_process_stop(&r->reporting, 1);
    if (write_report(r, path, err) || r->cancel || fs_store_open(path, FS_STORE_READ, &store, err))
        return err->status;
    const fs_status status = fs_store_read(store, arena, sweep, &s, err);
    fs_store_close(store);
    if (status)
        return status;
    const char **words = FS_NEW(arena, const char *, s.point_count + 1);
    size_t reasons = 0, failed = 0;
    for (size_t i = 0; i < s.point_count; i++) {
        if (strcmp(s.points[i].status, "failed") != 0)
            continue;
        words[i] = fs_arena_printf(arena, "%.*s", (int)strcspn(s.points[i].error, "\n"), s.points[i].error);
        failed++;
    }
    const fs_sweep_reason *reason = fs_sweep_reasons(arena, s.points, words, s.point_count, &reasons);
    for (size_t i = 0; i < reasons && i < MOST; i++)
        fs_say("failed: %s", fs_sweep_reason_text(arena, &reason[i]));
    if (reasons > MOST)
        fs_say("failed: %zu further reasons", reasons - MOST);
    printf("%s\n", path);
    if (failed == 0 || r->allow_failures)
        return FS_OK;
    return fs_fail(err, FS_RUN,
                   "%zu of %zu points failed; why: foamsim query %s points --failed (exit status 0 with "
                   "--allow-failures)",
                   failed, s.point_count, path);
}
