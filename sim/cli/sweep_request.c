/* What sweep and search take alike: where the store is, and how points are run into it. */
#include "sim/cli/sweep_request.h"
#include "sim/base/host.h"
#include "sim/host/file.h"
#include "sim/host/process.h"
#include "sim/host/voice.h"
#include "sim/workload/run_request.h"
#include "sim/yaml/quantity.h"

#include <omp.h>
#include <stdio.h>
#include <string.h>

void fs_cli_sweep_rows(fs_sweep_request *r, fs_option *rows) {
    const fs_option own[FS_SWEEP_ROWS - FS_CLUSTER_ROWS] = {
        FS_OPTION("store", 's', "FILE.db", "the store (runs/NAME.db)", &r->store),
        FS_OPTION("jobs", 'j', "N", "processes at a time (all cores)", &r->jobs),
        FS_FLAG("dry-run", 'n', "list the points and the layer that each needs, and run nothing",
                &r->dry_run),
        FS_OPTION("memory", 0, "8GiB", "what all processes may hold together (three quarters of the host's)",
                  &r->memory),
        FS_FLAG("allow-failures", 0, "exit 0 although points failed (1 otherwise)", &r->allow_failures),
        FS_FLAG("plain", 0, "run every point: make and read no recordings", &r->plain),
        FS_OPTION("report", 0, "FILE.html", "write the report of the store at the end", &r->report),
        FS_OPTION("cache", 0, "DIR", "folder of cached scenes ($XDG_CACHE_HOME/foamsim)", &r->cache),
        FS_FLAG("no-cache", 0, "read and write no cached scenes", &r->no_cache),
        FS_OPTION("cache-limit", 0, "16GiB", "recordings to keep beside the store, in FILE.db.cache",
                  &r->cache_limit),
    };
    memcpy(rows, own, sizeof own);
    fs_cli_cluster_rows(&r->cluster, rows + sizeof own / sizeof *own);
}

static fs_status bytes_option(const char *name, const char *text, int64_t usual, int64_t *out,
                              fs_error *err) {
    *out = usual;
    if (text == NULL || fs_quantity_int(text, FS_UNIT_BYTES, out) == FS_QUANTITY_OK)
        return FS_OK;
    return fs_fail(err, FS_INPUT, "--%s: expected an amount such as 8GiB, found \"%s\"", name, text);
}

fs_status fs_cli_sweep_request_check(fs_sweep_request *r, fs_error *err) {
    int64_t jobs = omp_get_num_procs();
    const int64_t host = (int64_t)(0.75 * (double)fs_host_memory_bytes());
    if (fs_option_int("jobs", r->jobs, 1, FS_MAX_THREADS, &jobs, err))
        return FS_INPUT;
    r->job_count = (int)jobs;
    if (bytes_option("memory", r->memory, host, &r->memory_bytes, err) ||
        bytes_option("cache-limit", r->cache_limit, INT64_C(16) << 30, &r->cache_bytes, err))
        return FS_INPUT;
    return fs_cli_cluster_request_check(&r->cluster, &r->on_cluster, &r->asks_cluster, err);
}

const char *fs_cli_sweep_store_of(const fs_sweep_request *r, fs_arena *arena, const fs_sweep_file *file,
                                  fs_error *err) {
    if (r->store != NULL)
        return r->store;
    if (file->name[0] != '\0' && file->name[0] != '.' && strchr(file->name, '/') == NULL)
        return fs_arena_printf(arena, "runs/%s.db", file->name);
    fs_fail(err, FS_INPUT, "%s: the name \"%s\" is no name for a file: give one with --store", file->path,
            file->name);
    return NULL;
}

fs_sweep_options fs_cli_sweep_options_of(const fs_sweep_request *r, const char *path, fs_arena *arena) {
    const int threads = omp_get_num_procs() / r->job_count;
    return (fs_sweep_options){.registry = r->registry,
                              .jobs = r->job_count,
                              .threads = threads > 0 ? threads : 1,
                              .memory = (uint64_t)r->memory_bytes,
                              .cache_limit = (uint64_t)r->cache_bytes,
                              .folder = fs_arena_printf(arena, "%s.cache", path),
                              .scenes = r->no_cache        ? NULL
                                        : r->cache != NULL ? r->cache
                                                           : fs_default_cache_dir(),
                              .plain = r->plain,
                              .progress = !fs_is_quiet(),
                              .label = "sweep"};
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

fs_status fs_cli_sweep_end(const fs_sweep_request *r, const char *path, const char *sweep, fs_arena *arena,
                           fs_error *err) {
    enum { MOST = 5 };
    fs_store *store = NULL;
    fs_store_sweep s;
    if (write_report(r, path, err) || r->cluster.cancel || fs_store_open(path, FS_STORE_READ, &store, err))
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
