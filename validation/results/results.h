/* What a validation leaves in figures: the terminal's table, files, and a comparison with an earlier one. */
#pragma once

#include "reports/sheet/sheet.h"
#include "validation/cases/cases.h"

#include <stdio.h>

/* The terminal's table: published, simulated, interval, error, use; then the scores. */
void fs_validation_print(const fs_validation *v, FILE *out);
/* What a reader looks for first, a line each: mean error with the failures counted, the baseline's on the same
 * figures, failed figures, published values in their predicted range, and each table by the others
 * (docs/validation-cases.md shows them). */
enum { FS_HEADLINES = 5 };
void fs_validation_headlines(const fs_validation *v, fs_arena *arena, const char *lines[FS_HEADLINES]);
/* A table with a row for each of several papers, at the end of a sheet; and the same on a terminal. */
fs_rows *fs_validations_put(const fs_validation *v, size_t count, fs_sheet *sheet);
void fs_validations_print(const fs_validation *v, size_t count, FILE *out);

/* results.json, results.csv and standins.csv in a folder that is there. FS_IO. */
fs_status fs_validation_write(const fs_validation *v, const char *dir, fs_error *err);

/* What is predicted, and nothing published, of `count` papers: a line of CSV for each held out figure with its
 * median, the range that holds four fifths of the draws, and whether it failed; FS_IO.
 * *written: lines without the first. */
fs_status fs_predictions_write(const fs_validation *v, size_t count, const char *path, size_t *written,
                               fs_error *err);

/* Compares with an earlier file, over the figures that both have, and says on `out`, unless it is NULL: with a
 * results.csv the mean error, FS_RUN when it grew by more than one percentage point; with what was predicted
 * each value, FS_RUN when one is another. FS_INPUT for what is no such file. */
fs_status fs_validation_expect(const fs_validation *v, const char *path, FILE *out, fs_error *err);
