/* The subcommands of sweeps. */
#ifndef FOAMSIM_SIM_SWEEP_COMMANDS_H
#define FOAMSIM_SIM_SWEEP_COMMANDS_H

#include "sim/cli/cli.h"

extern const fs_command fs_command_sweep, fs_command_query, fs_command_price;

#endif
