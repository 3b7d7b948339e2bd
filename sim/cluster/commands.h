/* The subcommands of clusters. */
#ifndef FOAMSIM_SIM_CLUSTER_COMMANDS_H
#define FOAMSIM_SIM_CLUSTER_COMMANDS_H

#include "sim/cli/cli.h"

extern const fs_command fs_command_merge, fs_command_sweep_task;

#endif
