/* The run section of an experiment: what every workload has in common. */
#ifndef FOAMSIM_SIM_WORKLOAD_RUN_PARAMS_H
#define FOAMSIM_SIM_WORKLOAD_RUN_PARAMS_H

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

#endif
