/* What a validation leaves in figures: the terminal's table, files, and a comparison with an earlier one. */
#ifndef FOAMSIM_VALIDATION_RESULTS_RESULTS_H
#define FOAMSIM_VALIDATION_RESULTS_RESULTS_H

#include "validation/cases/cases.h"

#include <stdio.h>

/* The terminal's table: published, simulated, interval, error, use; then the scores. */
void fs_validation_print(const fs_validation *v, FILE *out);
/* What a reader looks for first, a line each: mean error with the failures counted, the baseline's on the same
 * figures, failed figures, published values in their predicted range (docs/validation-cases.md shows them). */
enum { FS_HEADLINES = 4 };
void fs_validation_headlines(const fs_validation *v, fs_arena *arena, const char *lines[FS_HEADLINES]);
/* One line for each of several papers. */
void fs_validations_print(const fs_validation *v, size_t count, FILE *out);

/* results.json, results.csv and standins.csv in a folder that is there. FS_IO. */
fs_status fs_validation_write(const fs_validation *v, const char *dir, fs_error *err);

/* Compares the mean error with that of an earlier results.csv, over the figures that both have; says both on
 * `out`, unless it is NULL. FS_RUN when it grew by more than one percentage point; FS_INPUT for what is no
 * such file. */
fs_status fs_validation_expect(const fs_validation *v, const char *path, FILE *out, fs_error *err);

#endif
