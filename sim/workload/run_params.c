/* The section `run`: parameters that every workload has. */
#include "sim/workload/run_params.h"

static const char *const details[] = {"phase", "event", NULL};

static const char *const statistics[] = {"full", "basic", NULL};
static const char *const outputs[] = {"full", "summary", NULL};

/* Rows of every workload, and those of workloads that make pictures. */
#define SEED                                                                                                 \
    FS_PARAM_INT("seed", fs_run_params, seed, FS_UNIT_NONE, "1", 0, 9007199254740991.0,                      \
                 "seed of everything random in the run", "", '-', FS_TOUCHES_TRAFFIC)
#define DETAIL                                                                                               \
    FS_PARAM_ENUM("detail", fs_run_params, detail, "phase", details,                                         \
                  "level of detail of time: closed forms for each phase, or every event; same cycles", "",   \
                  '-', FS_TOUCHES_NOTHING)
#define MAX_ITERATIONS                                                                                       \
    FS_PARAM_INT("max_iterations", fs_run_params, max_iterations, FS_UNIT_NONE, "20000", 1, 65534,           \
                 "a run that is not done by then has failed", "", '-', FS_TOUCHES_TRAFFIC)
#define STATISTICS                                                                                           \
    FS_PARAM_ENUM(                                                                                           \
        "statistics", fs_run_params, statistics, "full", statistics,                                         \
        "basic leaves out the tables of congestion: cycles, levels, distributions, ladder, findings", "",    \
        '-', FS_TOUCHES_NOTHING)
#define OUTPUTS                                                                                              \
    FS_PARAM_ENUM("outputs", fs_run_params, outputs, "full", outputs,                                        \
                  "summary writes the figures, the ladder and the findings only: no tables, no pictures",    \
                  "", '-', FS_TOUCHES_NOTHING)

static const fs_param rows[] = {
    SEED,
    DETAIL,
    FS_PARAM_INT("frames", fs_run_params, frames, FS_UNIT_NONE, "1", 1, 10000, "frames that the run counts",
                 "", '-', FS_TOUCHES_TRAFFIC),
    FS_PARAM_BOOL("stream", fs_run_params, stream, "false",
                  "keep wrapping to the next frame without clearing the framebuffer", "ipu.md 7", '-',
                  FS_TOUCHES_TRAFFIC),
    FS_PARAM_REAL("coverage", fs_run_params, coverage, FS_UNIT_NONE, "1.0", 1e-9, 1,
                  "part of the pixels that must be written for a frame to be done", "ipu.md 7", '-',
                  FS_TOUCHES_TRAFFIC),
    MAX_ITERATIONS,
    STATISTICS,
    OUTPUTS,
};
static const fs_param plain_rows[] = {SEED, DETAIL, MAX_ITERATIONS, STATISTICS, OUTPUTS};
static const fs_param seedless_rows[] = {DETAIL, STATISTICS, OUTPUTS};

const fs_param_table fs_run_table = {
    .name = "run",
    .doc = "what is run, and for how long",
    .rows = rows,
    .count = sizeof rows / sizeof rows[0],
    .size = sizeof(fs_run_params),
};

const fs_param_table fs_run_plain_table = {
    .name = "run",
    .doc = "what is run, and for how long",
    .rows = plain_rows,
    .count = sizeof plain_rows / sizeof plain_rows[0],
    .size = sizeof(fs_run_params),
};

const fs_param_table fs_run_seedless_table = {
    .name = "run",
    .doc = "what is run, and for how long",
    .rows = seedless_rows,
    .count = sizeof seedless_rows / sizeof seedless_rows[0],
    .size = sizeof(fs_run_params),
};
