/* Cells of CSV files (RFC 4180), this program's own and those of others: lines may end in CR LF, a text may begin with
 * the mark of UTF-8, blanks around a cell that is not in quotes do not count, lines without anything are passed over.
 *
 *     fs_csv_lines t = fs_csv_begin(text);
 *     while ((count = fs_csv_record(&t, cell, COLUMNS)) > 0)
 *         if (!is_node(cell[1]))
 *             return fs_fail(err, FS_INPUT, "%s:%" PRIu64 ":%zu: expected ...", file, t.line, fs_csv_column_of(&t, cell[1]));
 */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Writes one cell; in quotes when it would not read back as it is. */
void fs_csv_field(const char *text, FILE *out);

/* A text that is split in place, record by record. */
typedef struct fs_csv_lines {
    char *at;        /* what has not been read */
    char *begin;     /* of the record last read */
    uint64_t line;   /* of it, from 1; 0 before the first */
    uint64_t passed; /* lines before `at` */
} fs_csv_lines;

fs_csv_lines fs_csv_begin(char *text);
/* Splits the next record into cells ended by NUL, quotes taken off. Returns their number, 0 at the end of the text;
 * cells beyond `most` are passed over. */
size_t fs_csv_record(fs_csv_lines *text, char **cells, size_t most);
/* Where a cell of the record last read begins in its line: from 1. */
size_t fs_csv_column_of(const fs_csv_lines *text, const char *cell);
