/* Files of other tools become experiments of the workload `fabric`. */
#ifndef FOAMSIM_WORKLOADS_PACKETS_IMPORT_H
#define FOAMSIM_WORKLOADS_PACKETS_IMPORT_H

#include "sim/cli/cli.h"

extern const fs_command fs_command_import;
/* fs_cli.foreign */
const char *fs_import_foreign(fs_arena *arena, const char *file, const char *folder, fs_error *err);

#endif
