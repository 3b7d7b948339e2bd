/* Tables on a terminal and as CSV, sentences on a terminal, sheets as Markdown: one writer each. */
#ifndef FOAMSIM_REPORTS_SHEET_TABLES_H
#define FOAMSIM_REPORTS_SHEET_TABLES_H

#include "reports/sheet/sheet.h"

#include <stdio.h>

/* One table: columns as wide as their cells, texts of more than `longest` characters cut with "..." (0: none is),
 * numbers right. */
void fs_rows_print(const fs_rows *t, size_t longest, FILE *out);
/* A sentence, wrapped at 100 columns after `first`, further lines indented to its end. */
void fs_sheet_wrap(FILE *out, const char *first, const char *text);

/* A head and a line a row, fields in quotes where they need them: a cell's value where its column is one of numbers, in full
 * (FS_REAL_WORD; nothing where it has none), else its text. */
void fs_rows_csv(const fs_rows *t, FILE *out);

/* The sheet as Markdown: headings, lists, tables, pictures as ![](folder/id.png) (folder: NULL for charts by their
 * words alone). Owner: caller, free(). */
char *fs_sheet_as_markdown(const fs_sheet *s, const char *folder);

#endif
