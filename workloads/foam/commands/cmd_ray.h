/* `foamsim ray RUN --pixel X,Y`: the way of one ray through the machine, hop by hop, to its pixel. */
#ifndef FOAMSIM_WORKLOADS_FOAM_COMMANDS_CMD_RAY_H
#define FOAMSIM_WORKLOADS_FOAM_COMMANDS_CMD_RAY_H

#include "sim/cli/cli.h"

extern const fs_command fs_command_ray;

#endif
