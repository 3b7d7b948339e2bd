/* The files of a run folder. */
#ifndef FOAMSIM_WORKLOADS_HIERARCHY_OUTPUTS_H
#define FOAMSIM_WORKLOADS_HIERARCHY_OUTPUTS_H

#include "sim/results/ladder.h"
#include "sim/results/results.h"
#include "workloads/hierarchy/figures.h"

enum { FS_HIERARCHY_RUNGS = 7 };

typedef struct fs_hierarchy_outputs {
    const fs_hierarchy_params *params;
    const fs_fpga_params *machine;
    const fs_hierarchy_work *work;
    const fs_engine_results *engine;
    const fs_hierarchy_figures *figures;
    const fs_rung *rungs; /* [rung_count] the first as measured, the last of all together */
    size_t rung_count;
} fs_hierarchy_outputs;

/* time.csv, stages.csv, units.csv, distributions.csv, resources.csv; banks.csv of a memory with banks;
 * pixels.csv of a picture. FS_IO. */
fs_status fs_hierarchy_tables_write(const fs_hierarchy_outputs *outputs, fs_results *results, fs_error *err);
/* image.png, and of checked rays reference.png and wrong.png; nothing without a picture. FS_IO. */
fs_status fs_hierarchy_pictures_write(const fs_hierarchy_work *work, fs_results *results, fs_error *err);
/* findings.json. FS_IO. */
fs_status fs_hierarchy_findings_write(const fs_hierarchy_outputs *outputs, fs_results *results,
                                      fs_error *err);

#endif
