/* The tables and pictures of a run folder (docs/run-folder.md). */
#ifndef FOAMSIM_WORKLOADS_FOAM_BOOKS_OUTPUTS_H
#define FOAMSIM_WORKLOADS_FOAM_BOOKS_OUTPUTS_H

#include "models/ipu/device.h"
#include "models/ipu/machine.h"
#include "models/memory/ledger.h"
#include "sim/results/results.h"
#include "workloads/foam/books/books.h"
#include "workloads/foam/books/congestion.h"
#include "workloads/foam/kernels/layout.h"
#include "workloads/foam/kernels/simulation.h"

typedef struct fs_foam_outputs {
    const fs_machine_params *machine;
    const fs_overlay *overlay;
    const fs_foam_layout *layout;
    const fs_device *device;
    const fs_foam_simulation *sim;
    const fs_foam_books *books;
    const fs_foam_figures *figures;
    const fs_congestion *congestion; /* with run.statistics full, else NULL */
    const uint8_t *rgb8;             /* [height][width][3] */
    const uint16_t *depth16;         /* [height][width] */
} fs_foam_outputs;

/* Tables and pictures. */
fs_status fs_foam_outputs_write(const fs_foam_outputs *o, fs_results *results, fs_error *err);

#endif
