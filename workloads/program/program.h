/* The workload `program`: supersteps from a file, without C. docs/programs.md. */
#pragma once

#include "sim/workload/workload.h"

#include <stdint.h>

typedef struct fs_program_params {
    const char *file; /* YAML */
    int64_t repeat;   /* passes through the whole program */
} fs_program_params;

extern const fs_param_table fs_program_table; /* "workload/program" */
extern const fs_stat_table fs_program_stats;
extern const struct fs_page_plan fs_program_page;
extern const fs_workload fs_workload_program;
