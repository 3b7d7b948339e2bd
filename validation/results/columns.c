#include "validation/results/columns.h"
#include "validation/cases/words.h"

#include <math.h>

static bool is_number(fs_claim_cell cell) {
    return cell == FS_CLAIM_REAL || cell == FS_CLAIM_VALUE || cell == FS_CLAIM_MISSING ||
           cell == FS_CLAIM_CHANGE;
}

fs_rows *fs_claim_table(fs_sheet *sheet, const fs_claim_column *columns, size_t count) {
    fs_rows_column *heads = FS_NEW(fs_sheet_arena(sheet), fs_rows_column, count);
    for (size_t k = 0; k < count; k++)
        heads[k] = (fs_rows_column){columns[k].name, NULL, is_number(columns[k].cell), columns[k].hint};
    return fs_sheet_table_of(sheet, NULL, heads, count);
}

static void put_number(fs_rows *t, fs_arena *arena, const fs_claim_column *column, const fs_claim *c) {
    static const double none = NAN;
    const double *value = (const double *)(const void *)((const char *)c + column->at);
    if (column->cell == FS_CLAIM_MISSING && isnan(*value) && !fs_claim_there(c)) {
        fs_cell(t, "missing");
        fs_cell_add(t, (fs_cell_more){.look = "number", .hint = fs_claim_why(c), .value = &none});
    } else
        fs_cell_number(t,
                       column->cell == FS_CLAIM_CHANGE ? fs_words_change(arena, *value)
                       : column->cell == FS_CLAIM_REAL ? fs_words_number(arena, *value)
                                                       : fs_words_value(arena, *value, c->unit),
                       *value);
}

void fs_claim_row(fs_rows *t, fs_sheet *sheet, const fs_claim_column *columns, size_t count,
                  const fs_validation_case *of, const fs_claim *claim) {
    fs_arena *arena = fs_sheet_arena(sheet);
    fs_rows_add(t);
    for (size_t k = 0; k < count; k++) {
        const void *member = (const char *)claim + columns[k].at;
        const char *text = NULL;
        if (is_number(columns[k].cell)) {
            put_number(t, arena, &columns[k], claim);
            continue;
        }
        if (columns[k].cell == FS_CLAIM_WORDS)
            text = columns[k].words(claim, of, arena);
        else if (columns[k].cell == FS_CLAIM_USE)
            text = columns[k].uses[claim->use];
        else if (columns[k].cell == FS_CLAIM_CASE)
            text = *(const char *const *)(const void *)((const char *)of + columns[k].at);
        else if (columns[k].cell == FS_CLAIM_FLAG)
            text = *(const bool *)member ? "yes" : "no";
        else if (columns[k].cell == FS_CLAIM_RANGE)
            text = fs_words_range(arena, ((const double *)member)[0], ((const double *)member)[1]);
        else
            text = *(const char *const *)member;
        fs_cell(t, text == NULL ? "" : text);
        if (columns[k].cell == FS_CLAIM_RANGE)
            fs_cell_add(t, (fs_cell_more){.value = member});
    }
}
