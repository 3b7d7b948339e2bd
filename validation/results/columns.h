/* Figures of a validation as a table: columns by name, written by one row function; forms choose their columns. */
#pragma once

#include "reports/sheet/sheet.h"
#include "validation/cases/cases.h"

typedef enum fs_claim_cell {
    FS_CLAIM_TEXT,    /* a text of the figure; NULL: "" */
    FS_CLAIM_FLAG,    /* "yes", "no" */
    FS_CLAIM_REAL,    /* a number without its unit */
    FS_CLAIM_VALUE,   /* a number with the figure's unit */
    FS_CLAIM_MISSING, /* the same; where it is missing why, under the pointer */
    FS_CLAIM_CHANGE,  /* per cent, with a sign */
    FS_CLAIM_RANGE,   /* two numbers, one behind the other, in words */
    FS_CLAIM_CASE,    /* a text of its case */
    FS_CLAIM_USE,     /* the word of its use in `uses` */
    FS_CLAIM_WORDS    /* what `words` says of it */
} fs_claim_cell;

typedef struct fs_claim_column {
    const char *name, *hint; /* hint: NULL for none */
    fs_claim_cell cell;
    size_t at; /* of the member in fs_claim, or in its case */
    const char *const *uses;
    const char *(*words)(const fs_claim *claim, const fs_validation_case *of, fs_arena *arena);
} fs_claim_column;

/* A column by its cell, and where that is of a member by that. */
#define FS_CLAIM_OF(n, c, member)                                                                            \
    { .name = n, .cell = FS_CLAIM_##c, .at = offsetof(fs_claim, member) }
#define FS_CLAIM_OF_CASE(n, member)                                                                          \
    { .name = n, .cell = FS_CLAIM_CASE, .at = offsetof(fs_validation_case, member) }
#define FS_CLAIM_USED(n, list)                                                                               \
    { .name = n, .cell = FS_CLAIM_USE, .uses = list }
#define FS_CLAIM_SAYS(n, says)                                                                               \
    { .name = n, .cell = FS_CLAIM_WORDS, .words = says }

/* A table with these columns [count] at the end of the sheet. */
fs_rows *fs_claim_table(fs_sheet *sheet, const fs_claim_column *columns, size_t count);
/* A row of it. */
void fs_claim_row(fs_rows *t, fs_sheet *sheet, const fs_claim_column *columns, size_t count,
                  const fs_validation_case *of, const fs_claim *claim);
