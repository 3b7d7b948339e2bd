/* Cells of CSV files (RFC 4180). */
#ifndef FOAMSIM_SIM_BASE_CSV_H
#define FOAMSIM_SIM_BASE_CSV_H

#include <stddef.h>
#include <stdio.h>

/* Writes one cell; in quotes when it holds what separates cells. */
void fs_csv_field(const char *text, FILE *out);

/* Splits the record at *at in place into cells ended by NUL, quotes taken off, and moves *at after its line
 * end. Returns their number, 0 at the end of the text; cells beyond `most` are passed over. */
size_t fs_csv_record(char **at, char **cells, size_t most);

#endif
