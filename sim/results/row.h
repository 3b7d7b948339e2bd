/* Fast rows of a CSV file: integers and words without the cost of printf; a hop map has 300,000 rows. */
#ifndef FOAMSIM_SIM_RESULTS_ROW_H
#define FOAMSIM_SIM_RESULTS_ROW_H

#include "sim/results/results.h"

#include <stdint.h>
#include <stdio.h>

enum { FS_ROW_BYTES = 1 << 15 };

/* Collects fields and hands them to `file` when full; write errors show in ferror(file). Not thread-safe. */
typedef struct fs_row {
    FILE *file;
    size_t used;
    int fields; /* in the row so far */
    char text[FS_ROW_BYTES];
} fs_row;

void fs_row_begin(fs_row *row, FILE *file);
void fs_row_int(fs_row *row, int64_t value);                        /* a field */
void fs_row_ints(fs_row *row, const int64_t *values, size_t count); /* so many */
void fs_row_word(fs_row *row, const char *word);   /* a field; no comma, quote or line end inside */
void fs_row_quoted(fs_row *row, const char *text); /* a field in quotes; no quote inside, at most 80 bytes */
void fs_row_end(fs_row *row);                      /* ends the row */
void fs_row_flush(fs_row *row);                    /* after the last row */

/* ---- a table of a run folder, row by row: the buffer and the file under it ---- */

/* Rows are written with the functions above on `row`, each ended by fs_row_end. Not thread-safe. */
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
