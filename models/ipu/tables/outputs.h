/* Everything that a device's run leaves in its folder, for workloads that add nothing of their own. */
#ifndef FOAMSIM_MODELS_IPU_TABLES_OUTPUTS_H
#define FOAMSIM_MODELS_IPU_TABLES_OUTPUTS_H

#include "models/ipu/power/power.h"
#include "models/ipu/tables/notes.h"
#include "sim/results/results.h"
#include "sim/stats/stats.h"

typedef struct fs_run_outputs {
    const fs_run_notes *notes;  /* closed */
    const fs_stat_table *stats; /* of `figures`: summary.json and stats.csv */
    const void *figures;
    const fs_power_figures *power;
    fs_energy_each each;     /* what the run is for */
    bool summary;            /* figures, findings and ladder only: run.outputs */
    bool full;               /* findings, ladder and cycles.csv too: run.statistics */
    const char *trace;       /* file of the timeline, or NULL */
    const char *trace_tiles; /* its tiles, or NULL */
} fs_run_outputs;

/* summary.json, stats.csv; ladder.csv, findings.json; the tables of tables.h; the timeline. FS_IO, and
 * FS_INPUT for trace_tiles that are none. */
fs_status fs_run_outputs_write(const fs_run_outputs *outputs, fs_results *results, fs_error *err);

#endif
