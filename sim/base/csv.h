/* Cells of CSV files (RFC 4180). */
#ifndef FOAMSIM_SIM_BASE_CSV_H
#define FOAMSIM_SIM_BASE_CSV_H

#include <stdio.h>

/* Writes one cell; in quotes when it holds what separates cells. */
void fs_csv_field(const char *text, FILE *out);

#endif
