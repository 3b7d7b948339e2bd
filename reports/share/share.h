/* Handing runs over: `foamsim pack`, a run folder as one file; `foamsim index`, one page over the runs and stores of a folder. */
#ifndef FOAMSIM_REPORTS_SHARE_SHARE_H
#define FOAMSIM_REPORTS_SHARE_SHARE_H

#include "sim/cli/cli.h"

extern const fs_command fs_command_pack, fs_command_index;

#endif
