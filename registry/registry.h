/* What the program has: commands, sections of an experiment, kinds, workloads, figures. main hands it down; nobody
 * but main and tests includes this header. Plug-ins extend the lists before anything is read (registry/plugin.h).
 */
#pragma once

#include "models/overlay/overlay.h"
#include "sim/cli/cli.h"
#include "sim/workload/workload.h"

extern const fs_cli fs_registry_cli;      /* all of it */
extern const fs_registry fs_registry_all; /* of it what the engine asks: the lists below */

extern const fs_workload *fs_registry_workloads[]; /* NULL-terminated */
extern fs_section fs_registry_sections[];          /* [fs_registry_all.section_count] */
extern const fs_stat_table *fs_registry_stats[];   /* NULL-terminated, for docs/statistics.md too */
extern const fs_overlay_kind *fs_overlay_kinds[];  /* NULL-terminated */

/* Loads a plug-in that the person names, and those of $FOAMSIM_PLUGINS (fs_plugins of sim/cli/cli.h). */
fs_status fs_registry_load(const char *file, fs_error *err);
fs_status fs_registry_load_named(fs_error *err);
