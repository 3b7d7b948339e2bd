/* What `foamsim run` was asked for, and what its several ways have in common: one run, a view set, the rungs
 * of a ladder.. */
#pragma once

#include "sim/workload/views.h"
#include "sim/workload/workload.h"

enum { FS_MAX_SETS = 256, FS_MAX_THREADS = 1024, FS_LINE_BYTES = 1024 };

typedef struct fs_run_request {
    const fs_registry *registry;
    const char *experiment, *dir, *cache, *trace, *trace_tiles, *record, *record_activity, *replay;
    const char *sets[FS_MAX_SETS];
    size_t set_count;
    int64_t threads, jobs;
    bool force, no_cache, check, ladder;
} fs_run_request;

/* The command line of a child run of the same experiment: with the same --set but those of the views section,
 * and `more` [more_count] after them; quiet; written to `dir`, or with --check when dir is NULL. option: one
 * more word ("--ladder"), or NULL. Arena-owned, NULL at the end. */
const char *const *fs_run_words(const fs_run_request *request, const fs_host_options *host, fs_arena *arena,
                                const char *const *more, size_t more_count, const char *option,
                                const char *dir);

/* The files that every run folder has: resolved.yaml, parameters.csv, work.csv of a workload that says what
 * its work is, and page.json of one with a page. */
fs_status fs_run_write_common(const fs_config *config, const fs_workload *workload, fs_results *results,
                              fs_error *err);
/* What the results were made from and with, at the head of manifest.json. */
void fs_run_note_origin(const fs_config *config, fs_results *results);

/* A run folder with a run for each view (view_set.c); with --check only the checks. */
fs_status fs_run_views(const fs_run_request *request, const fs_host_options *host, const fs_config *config,
                       const fs_workload *workload, const fs_view *views, size_t count, const char *dir,
                       fs_arena *arena, fs_error *err);
/* The device time of a finished view for a line to the person: "0.582 s" (view_figures.c); "" without one. */
const char *fs_view_time(const fs_workload *workload, fs_results *results, size_t view, fs_arena *arena);
/* views.csv and summary.json of the finished views in `results` (view_figures.c), and the line for the
 * person. */
fs_status fs_views_figures(const fs_workload *workload, const fs_view *views, size_t count,
                           fs_results *results, char *line, size_t line_size, fs_error *err);

/* Runs the rungs of the run's ladder.csv that name settings, and writes ladder_simulated.csv (ladder.c). */
fs_status fs_run_ladder(const fs_run_request *request, const fs_host_options *host, fs_results *results,
                        fs_arena *arena, fs_error *err);
