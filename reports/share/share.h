/* Handing runs over: `foamsim pack`, a run folder as one file; `foamsim index`, one page over the runs and stores of a folder. */
#pragma once

#include "sim/cli/cli.h"

extern const fs_command fs_command_pack, fs_command_index;
