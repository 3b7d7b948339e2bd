/* The run section of an experiment: what every workload has in common. */
#ifndef FOAMSIM_SIM_WORKLOAD_RUN_PARAMS_H
#define FOAMSIM_SIM_WORKLOAD_RUN_PARAMS_H

#include "sim/config/param.h"

#include <stdbool.h>
#include <stdint.h>

enum { FS_RUN_PHASE, FS_RUN_EVENT }; /* two ways to the same times: closed forms, or every event */

enum { FS_STATISTICS_FULL, FS_STATISTICS_BASIC };
enum { FS_OUTPUTS_FULL, FS_OUTPUTS_SUMMARY };

typedef struct fs_run_params {
    int64_t seed;   /* of everything random in the run */
    int64_t detail; /* FS_RUN_PHASE or FS_RUN_EVENT */
    int64_t frames;
    bool stream;     /* frames follow each other without clearing the framebuffer */
    double coverage; /* part of the pixels that ends a frame, (0, 1] */
    int64_t max_iterations;
    int64_t statistics; /* FS_STATISTICS_FULL or FS_STATISTICS_BASIC */
    int64_t outputs;    /* FS_OUTPUTS_FULL or FS_OUTPUTS_SUMMARY */
} fs_run_params;

extern const fs_param_table fs_run_table; /* "run" */
/* The same without pictures: no frames, stream and coverage, which stay 0. For fs_section_use. */
extern const fs_param_table fs_run_plain_table;
/* The same without seed and max_iterations: for workloads whose random numbers are part of their geometry and
 * whose end is known. */
extern const fs_param_table fs_run_seedless_table;

#endif
