/* The foam workload as the rest of foamsim knows it: descriptors for the registry. */
#pragma once

#include "sim/cli/cli.h"
#include "sim/config/config.h"
#include "sim/workload/workload.h"
#include "workloads/foam/books/books.h"

extern const fs_command fs_command_scene;  /* `foamsim scene ...` */
extern const fs_workload fs_workload_foam; /* workload.kind: foam */
extern const fs_param_table fs_foam_table; /* its parameters */
extern const fs_param_table
    fs_foam_run_table; /* "run", with the rows of pictures: all that any workload reads */
extern const fs_stat_table fs_foam_host_stats; /* host.json */
extern const struct fs_page_plan fs_foam_page; /* page.json */
