/* The figures, tables and pictures of a run folder (design.md section 8). */
#ifndef FOAMSIM_WORKLOADS_FOAM_OUTPUTS_H
#define FOAMSIM_WORKLOADS_FOAM_OUTPUTS_H

#include "models/machine/device.h"
#include "models/machine/machine.h"
#include "models/memory/ledger.h"
#include "sim/results/results.h"
#include "workloads/foam/books.h"
#include "workloads/foam/congestion.h"
#include "workloads/foam/findings.h"
#include "workloads/foam/ladder.h"
#include "workloads/foam/layout.h"
#include "workloads/foam/simulation.h"

typedef struct fs_outputs {
    const fs_machine_params *machine;
    const fs_overlay *overlay;
    const fs_layout *layout;
    const fs_device *device;
    const fs_simulation *sim;
    const fs_foam_books *books;
    const fs_foam_figures *figures;
    const fs_congestion *congestion; /* these three with run.statistics full, else NULL */
    const fs_ladder *ladder;
    const fs_findings *findings;
    bool summary;            /* run.outputs: figures, ladder and findings only; no tables, no pictures */
    const uint8_t *rgb8;     /* [height][width][3] */
    const uint16_t *depth16; /* [height][width] */
} fs_outputs;

/* Everything but host.json, resolved.yaml and manifest.json. */
fs_status fs_outputs_write(const fs_outputs *o, fs_results *results, fs_error *err);

#endif
