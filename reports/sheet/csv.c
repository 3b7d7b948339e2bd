/* A table as CSV. */
#include "sim/base/csv.h"
#include "reports/sheet/sheet.h"
#include "reports/sheet/sheet_private.h"
#include "sim/stats/stats.h"

#include <math.h>

/* A number in full; a text without its marks. */
static const char *field_of(const fs_rows *t, const fs_cell_one *c, bool number) {
    if (c == NULL || (number && !isfinite(c->value)))
        return "";
    return number ? fs_arena_strdup(t->sheet->arena, FS_REAL_WORD(c->value))
                  : fs_marked_text(t->sheet->arena, c->text);
}

void fs_rows_csv(const fs_rows *t, FILE *out) {
    for (size_t k = 0; k < t->columns; k++) {
        fputs(k > 0 ? "," : "", out);
        fs_csv_field(t->column[k].name, out);
    }
    fputc('\n', out);
    for (const fs_rows_row *row = t->first; row != NULL; row = row->next) {
        const fs_cell_one *c = row->first;
        for (size_t k = 0; k < t->columns && row->group == NULL; k++, c = c == NULL ? NULL : c->next) {
            fputs(k > 0 ? "," : "", out);
            fs_csv_field(field_of(t, c, t->column[k].number), out);
        }
        fputs(row->group == NULL ? "\n" : "", out);
    }
}
