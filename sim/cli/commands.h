/* The engine's own subcommands; a workload declares its own in its own header. */
#ifndef FOAMSIM_SIM_CLI_COMMANDS_H
#define FOAMSIM_SIM_CLI_COMMANDS_H

#include "sim/cli/cli.h"

extern const fs_command fs_command_run;
extern const fs_command fs_command_config;
extern const fs_command fs_command_params;
extern const fs_command fs_command_list;

#endif
