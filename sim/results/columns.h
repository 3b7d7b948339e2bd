/* A table of the run folder as a list of columns that read their own cells: parts give columns, a workload
 * puts its own between them, one writer writes them.
 *
 *     static int64_t number(const void *self, uint64_t row, uint32_t arg);
 *     const fs_column columns[] = {{.name = "tile", .integer = number, .self = me},
 *                                  {.name = "role", .word = role, .self = me}};
 *     fs_columns_write(results, "tiles.csv", columns, 2, tiles, err);
 */
#pragma once

#include "sim/results/results.h"

#include <stddef.h>
#include <stdint.h>

/* One column. Exactly one of integer, real and word is set; reals that are not finite are written as null. */
typedef struct fs_column {
    const char *name, *unit; /* "cycles", "B", "": in manifest.json */
    int64_t (*integer)(const void *self, uint64_t row, uint32_t arg);
    double (*real)(const void *self, uint64_t row, uint32_t arg);
    const char *(*word)(const void *self, uint64_t row, uint32_t arg); /* no comma, quote or line end */
    const void *self; /* borrowed until the table is written */
    uint32_t arg;     /* which of several alike: a level, a phase */
} fs_column;

/* Columns of integers: names[from] to names[to - 1], name and unit, each with its place in `names` as arg. Returns
 * what is after the last of them. */
typedef int64_t fs_column_integer(const void *self, uint64_t row, uint32_t arg);
fs_column *fs_columns_integers(fs_column *out, const char *const (*names)[2], uint32_t from, uint32_t to,
                               fs_column_integer *integer, const void *self);

/* Writes `rows` rows of `count` columns to a file of the run folder. FS_IO. */
fs_status fs_columns_write(fs_results *results, const char *file, const fs_column *columns, size_t count,
                           uint64_t rows, fs_error *err);
