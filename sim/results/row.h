/* Fast rows of a CSV file: integers and words without the cost of printf; a hop map has 300,000 rows. */
#pragma once

#include "sim/results/results.h"

#include <stdbool.h>
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

/* The same of one text: names between commas, each with its unit behind a blank, "step, ended paths, share". */
fs_status fs_row_table_begin(fs_row_table *table, fs_results *results, const char *name, const char *columns,
                             fs_error *err);

/* A row of cells by their types: whole numbers, reals, words. At most 20.
 *
 *     fs_row_table_begin(&t, results, "edges.csv", "edge, kind, bytes B, share", err)
 *     FS_ROW(&t, e, edge.name, use.bytes, (double)use.busy / cycles);
 */
typedef struct fs_row_cell {
    const char *word; /* NULL: a number */
    double real;
    int64_t whole;
    bool is_real;
} fs_row_cell;
#define FS_ROW(table, ...)                                                                                   \
    fs_row_table_put(table, (const fs_row_cell[]){FS_EACH(FS_ROW_CELL, __VA_ARGS__)}, FS_MANY(__VA_ARGS__))
#define FS_ROW_CELL(value)                                                                                   \
    _Generic((value), const char *: fs_row_of_word, char *: fs_row_of_word, double: fs_row_of_real,             \
        int: fs_row_of_int, long: fs_row_of_int, long long: fs_row_of_int, default: fs_row_of_whole)(value)
void fs_row_table_put(fs_row_table *table, const fs_row_cell *cells, size_t count);

static inline fs_row_cell fs_row_of_word(const char *word) {
    return (fs_row_cell){.word = word};
}
static inline fs_row_cell fs_row_of_real(double real) {
    return (fs_row_cell){.real = real, .is_real = true};
}
static inline fs_row_cell fs_row_of_int(int64_t whole) {
    return (fs_row_cell){.whole = whole};
}
static inline fs_row_cell fs_row_of_whole(uint64_t whole) {
    return (fs_row_cell){.whole = (int64_t)whole};
}

void fs_row_table_ints(fs_row_table *table, const uint64_t *values, size_t count); /* so many fields */
void fs_row_table_real(fs_row_table *table, double value); /* a field, as fs_real_text */

/* A file that is one such table: its name, its columns (as fs_row_table_begin) and what puts its rows. */
typedef struct fs_row_file {
    const char *name, *columns;
    void (*put)(const void *run, fs_row_table *table);
} fs_row_file;
/* Writes the tables of a run, in their order. FS_IO. */
fs_status fs_row_files_write(const fs_row_file *files, size_t count, const void *run, fs_results *results,
                             fs_error *err);

/* A table with the columns "name, value, count" takes one distribution after the other: a row for each value that bins
 * [count] has. */
void fs_distributions_put(fs_row_table *table, const char *name, const uint64_t *bins, size_t count);
void fs_distributions_put_bin(fs_row_table *table, const char *name, uint64_t value,
                              uint64_t count); /* a row */

/* ---- a macro of each argument of another one ---- */

/* f(a), f(b), ...: for 1 to 20 arguments. */
#define FS_EACH(f, ...) FS_EACH_OF(FS_MANY(__VA_ARGS__), f, __VA_ARGS__)
#define FS_MANY(...)                                                                                         \
    FS_MANY_(__VA_ARGS__, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, )
#define FS_MANY_(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, count, ...) count

#define FS_EACH_OF(count, f, ...)  FS_EACH_OF_(count, f, __VA_ARGS__)
#define FS_EACH_OF_(count, f, ...) FS_EACH_##count(f, __VA_ARGS__)
#define FS_EACH_1(f, a)            f(a)
#define FS_EACH_2(f, a, ...)       f(a), FS_EACH_1(f, __VA_ARGS__)
#define FS_EACH_3(f, a, ...)       f(a), FS_EACH_2(f, __VA_ARGS__)
#define FS_EACH_4(f, a, ...)       f(a), FS_EACH_3(f, __VA_ARGS__)
#define FS_EACH_5(f, a, ...)       f(a), FS_EACH_4(f, __VA_ARGS__)
#define FS_EACH_6(f, a, ...)       f(a), FS_EACH_5(f, __VA_ARGS__)
#define FS_EACH_7(f, a, ...)       f(a), FS_EACH_6(f, __VA_ARGS__)
#define FS_EACH_8(f, a, ...)       f(a), FS_EACH_7(f, __VA_ARGS__)
#define FS_EACH_9(f, a, ...)       f(a), FS_EACH_8(f, __VA_ARGS__)
#define FS_EACH_10(f, a, ...)      f(a), FS_EACH_9(f, __VA_ARGS__)
#define FS_EACH_11(f, a, ...)      f(a), FS_EACH_10(f, __VA_ARGS__)
#define FS_EACH_12(f, a, ...)      f(a), FS_EACH_11(f, __VA_ARGS__)
#define FS_EACH_13(f, a, ...)      f(a), FS_EACH_12(f, __VA_ARGS__)
#define FS_EACH_14(f, a, ...)      f(a), FS_EACH_13(f, __VA_ARGS__)
#define FS_EACH_15(f, a, ...)      f(a), FS_EACH_14(f, __VA_ARGS__)
#define FS_EACH_16(f, a, ...)      f(a), FS_EACH_15(f, __VA_ARGS__)
#define FS_EACH_17(f, a, ...)      f(a), FS_EACH_16(f, __VA_ARGS__)
#define FS_EACH_18(f, a, ...)      f(a), FS_EACH_17(f, __VA_ARGS__)
#define FS_EACH_19(f, a, ...)      f(a), FS_EACH_18(f, __VA_ARGS__)
#define FS_EACH_20(f, a, ...)      f(a), FS_EACH_19(f, __VA_ARGS__)
