/* The groups of tables of a run folder. Private to the files outputs*.c. */
#ifndef FOAMSIM_WORKLOADS_FOAM_BOOKS_OUTPUTS_TABLE_H
#define FOAMSIM_WORKLOADS_FOAM_BOOKS_OUTPUTS_TABLE_H

#include "sim/base/arith.h"
#include "sim/results/row_table.h"
#include "workloads/foam/books/outputs.h"

/* cycles.csv, levels.csv, distributions.csv: run.statistics full. */
fs_status fs_foam_outputs_write_congestion(const fs_foam_outputs *o, fs_results *results, fs_error *err);
/* Tile by iteration, of numbers [iterations][used]. */
fs_status fs_foam_outputs_write_matrix(const fs_foam_outputs *o, const char *name, const uint32_t *number,
                                       fs_results *results, fs_error *err);
/* lanes.csv. */
fs_status fs_foam_outputs_write_lanes(const fs_foam_outputs *o, fs_results *results, fs_error *err);

#endif
