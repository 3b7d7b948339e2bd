/* The engine's own subcommands; a workload declares its own in its own header. */
#pragma once

#include "sim/cli/cli.h"

extern const fs_command fs_command_run, fs_command_config, fs_command_params, fs_command_list, fs_command_new;
extern const fs_command fs_command_sweep, fs_command_search, fs_command_query, fs_command_price,
    fs_command_ray;
extern const fs_command fs_command_merge, fs_command_sweep_task; /* of clusters */

extern const char *const fs_query_questions[]; /* the words after `foamsim query STORE`; NULL at the end */
