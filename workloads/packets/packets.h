/* The workload `fabric` as the rest of foamsim knows it: packets straight on the network that joins the tiles, from
 * every node to every node, to see what the network carries by itself. Descriptors for the registry. */
#pragma once

#include "sim/cli/cli.h"
#include "sim/workload/workload.h"

extern const fs_workload fs_workload_fabric;      /* workload.kind: fabric */
extern const fs_param_table fs_fabric_table;      /* its parameters */
extern const fs_stat_table fs_fabric_stats;       /* summary.json, stats.csv */
extern const struct fs_page_plan fs_packets_page; /* page.json */

/* Files of other tools become experiments of the workload `fabric`. */

extern const fs_command fs_command_import;
/* fs_cli.foreign */
const char *fs_import_foreign(fs_arena *arena, const char *file, const char *folder, fs_error *err);
