/* `foamsim report STORE.db`: a sweep of a store as one page; `--point KEY`: the run of one of its points,
 * made again. */
#pragma once

#include "sim/base/alloc.h"
#include "sim/base/error.h"
#include "sim/workload/workload.h"

/* The page of the sweep `name` (NULL: the latest) at `path` (NULL: STORE.html for STORE.db). Plots stand in a
 * folder beside it. boss: the file of one page in its place (reports/boss/boss.h), or NULL. FS_INPUT: no
 * store, no such sweep, no gnuplot. */
fs_status fs_study_report(const fs_registry *registry, const char *store, const char *name, const char *path,
                          const char *boss, fs_arena *arena, fs_error *err);

/* The same again and again while points end, at most every ten seconds, as a page that reads itself again; a store that
 * is not there yet is waited for. Ends when it is told to (sim/host/signals.h), or a minute after the last point ended,
 * with a page that does not. */
fs_status fs_study_report_live(const fs_registry *registry, const char *store, const char *name,
                               const char *path, fs_arena *arena, fs_error *err);

/* Runs the point whose key begins with `key`, by this program, into the folder PAGE_run (for PAGE.html), in
 * place of an earlier run there. *page: `page`, or KEY.html where that is NULL; *run: the folder; both
 * arena-owned. The folder stays, for comparisons. FS_INPUT: no such point; else the errors of the run. */
fs_status fs_study_run_point(const char *store, const char *key, fs_arena *arena, const char **page,
                             const char **run, fs_error *err);
