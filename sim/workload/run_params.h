/* The run section of an experiment: what every workload has in common. */
#pragma once

#include "sim/config/param.h"

#include <stdint.h>

enum { FS_RUN_PHASE, FS_RUN_EVENT }; /* two ways to the same times: closed forms, or every event */

enum { FS_STATISTICS_FULL, FS_STATISTICS_BASIC };
enum { FS_OUTPUTS_FULL, FS_OUTPUTS_SUMMARY };

typedef struct fs_run_params {
    int64_t seed;   /* of everything random in the run */
    int64_t detail; /* FS_RUN_PHASE or FS_RUN_EVENT */
    int64_t max_iterations;
    int64_t statistics; /* FS_STATISTICS_FULL or FS_STATISTICS_BASIC */
    int64_t outputs;    /* FS_OUTPUTS_FULL or FS_OUTPUTS_SUMMARY */
} fs_run_params;

extern const fs_param_table fs_run_table; /* "run" */
/* The same without seed and max_iterations: for workloads whose random numbers are part of their geometry and
 * whose end is known. */
extern const fs_param_table fs_run_seedless_table;

/* Its rows one by one, for a workload with rows of its own between them: a table of a struct that begins with
 * fs_run_params. */
extern const char *const fs_run_details[], *const fs_run_statistics[], *const fs_run_outputs[];
#define FS_RUN_SEED                                                                                          \
    FS_PARAM_INT("seed", fs_run_params, seed, NONE, "1", 0, 9007199254740991.0,                              \
                 "seed of everything random in the run", TRAFFIC)
#define FS_RUN_DETAIL                                                                                        \
    FS_PARAM_ENUM("detail", fs_run_params, detail, "phase", fs_run_details,                                  \
                  "level of detail of time: closed forms for each phase, or every event; same cycles",       \
                  NOTHING)
#define FS_RUN_MAX_ITERATIONS                                                                                \
    FS_PARAM_INT("max_iterations", fs_run_params, max_iterations, NONE, "20000", 1, 65534,                   \
                 "a run that is not done by then has failed", TRAFFIC)
#define FS_RUN_STATISTICS                                                                                    \
    FS_PARAM_ENUM(                                                                                           \
        "statistics", fs_run_params, statistics, "full", fs_run_statistics,                                  \
        "basic leaves out the tables of congestion: cycles, levels, distributions, ladder, findings",        \
        NOTHING)
#define FS_RUN_OUTPUTS                                                                                       \
    FS_PARAM_ENUM("outputs", fs_run_params, outputs, "full", fs_run_outputs,                                 \
                  "summary writes the figures, the ladder and the findings only: no tables, no pictures",    \
                  NOTHING)

/* Frames of a camera path in one run (docs/design/frames.md): for workloads that render, whose struct has an
 * fs_run_path. */
enum { FS_LATE_WAIT, FS_LATE_DROP };
enum { FS_RUN_IN_FLIGHT = 8 }; /* that three unused bits of a ray tell apart */

typedef struct fs_run_path {
    int64_t in_flight; /* 0: no path, each view is a run */
    double budget;     /* seconds between pictures */
    int64_t late;      /* FS_LATE_* */
} fs_run_path;

extern const char *const fs_run_late[]; /* "wait", "drop", NULL */

/* Rows of a section `run` whose struct S has the member m. */
#define FS_RUN_PATH(S, m)                                                                                    \
    FS_PARAM_INT("path.in_flight", S, m.in_flight, NONE, "0", 0, FS_RUN_IN_FLIGHT,                           \
                 "views are frames of one run, so many of them granted at a time; 0: each view is a run",    \
                 TRAFFIC),                                                                                   \
        FS_PARAM_REAL("path.budget", S, m.budget, SECONDS, "33 ms", 1e-9, 1e6,                               \
                      "time between the pictures of a path that is wanted", PRICE),                          \
        FS_PARAM_ENUM(                                                                                       \
            "path.late", S, m.late, "wait", fs_run_late,                                                     \
            "a picture that comes later than the budget after the one before is shown, or dropped", PRICE)
