/* A named work (configs/works, section `work`): what is to be done, whichever machine does it. Its key `scene` is a
 * scene section; the others become keys of the workload as the workload's descriptor says (fs_section_rules.work). */
#pragma once

#include "sim/config/param.h"

typedef struct fs_work_params {
    const char *name;
    int64_t width, height;  /* pixels */
    int64_t segments;       /* of a path, at most; 1: camera rays alone */
    int64_t samples;        /* paths of a pixel */
    double jitter;          /* standard deviation of a camera ray, pixels; 0: through the pixel's middle */
    int64_t roulette_above; /* as the path tracers have it */
    int64_t seed;
} fs_work_params;
extern const fs_param_table fs_work_table; /* "work" */

/* Rows of work.csv of a run of a named work: its name, and a digest of what it is. */
#define FS_WORK_NAME    "named work"
#define FS_WORK_CONTENT "content of the work"
