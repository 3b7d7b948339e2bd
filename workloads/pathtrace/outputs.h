/* What a run leaves in its folder. */
#ifndef FOAMSIM_WORKLOADS_PATHTRACE_OUTPUTS_H
#define FOAMSIM_WORKLOADS_PATHTRACE_OUTPUTS_H

#include "workloads/pathtrace/run.h"

/* summary.json, stats.csv, tables, pictures, findings.json, ladder.csv, the timeline. FS_IO. */
fs_status fs_pathtrace_outputs_write(fs_pathtrace_run *run, const fs_pathtrace_figures *figures,
                                     fs_results *results, fs_error *err);

#endif
