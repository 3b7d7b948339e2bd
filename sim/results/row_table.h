/* One table of a run folder at a time, row by row: a row buffer and the file under it. */
#ifndef FOAMSIM_SIM_RESULTS_ROW_TABLE_H
#define FOAMSIM_SIM_RESULTS_ROW_TABLE_H

#include "sim/results/results.h"
#include "sim/results/row.h"

/* Rows are written with the functions of row.h on `row`, each ended by fs_row_end. Not thread-safe. */
typedef struct fs_row_table {
    fs_results *results;
    FILE *file;
    fs_row row;
} fs_row_table;

/* Begins the file with its `count` columns; what is pointed to is copied. FS_IO; then nothing is to be
 * closed. */
fs_status fs_row_table_open(fs_row_table *table, fs_results *results, const char *name,
                            const char *const *columns, const char *const *units, size_t count,
                            fs_error *err);
fs_status fs_row_table_close(fs_row_table *table, fs_error *err); /* FS_IO, of any row */

void fs_row_table_ints(fs_row_table *table, const uint64_t *values, size_t count); /* so many fields */
void fs_row_table_real(fs_row_table *table, double value); /* a field, as fs_real_text */

/* distributions.csv: name, value, count, the counts in `unit`; then one distribution after the other: a row for
 * each value that bins [count] has. */
fs_status fs_distributions_open(fs_row_table *table, fs_results *results, const char *unit, fs_error *err);
void fs_distributions_put(fs_row_table *table, const char *name, const uint64_t *bins, size_t count);
void fs_distributions_put_bin(fs_row_table *table, const char *name, uint64_t value,
                              uint64_t count); /* a row */

#endif
