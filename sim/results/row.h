/* Fast rows of a CSV file: integers and words without the cost of printf; a hop map has 300,000 rows. */
#ifndef FOAMSIM_SIM_RESULTS_ROW_H
#define FOAMSIM_SIM_RESULTS_ROW_H

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
void fs_row_word(fs_row *row, const char *word); /* a field; no comma, quote or line end inside */
void fs_row_end(fs_row *row);                    /* ends the row */
void fs_row_flush(fs_row *row);                  /* after the last row */

#endif
