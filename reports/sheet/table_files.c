/* A table as CSV and as JSON. */
#include "reports/sheet/sheet_private.h"
#include "reports/sheet/tables.h"
#include "sim/base/csv.h"
#include "sim/results/results.h"
#include "sim/stats/stats.h"

#include <math.h>

/* A number in full; a text without its marks. */
static const char *field_of(const fs_rows *t, const fs_cell_one *c, bool number) {
    if (c == NULL || (number && isnan(c->value)))
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

json_t *fs_rows_json(const fs_rows *t) {
    json_t *list = json_array();
    for (const fs_rows_row *row = t->first; row != NULL; row = row->next) {
        json_t *one = row->group == NULL ? json_object() : NULL;
        const fs_cell_one *c = row->first;
        for (size_t k = 0; k < t->columns && one != NULL; k++, c = c == NULL ? NULL : c->next)
            json_object_set_new(one, t->column[k].name,
                                c == NULL             ? json_null()
                                : t->column[k].number ? fs_json_number(c->value)
                                                      : json_string(field_of(t, c, false)));
        if (one != NULL)
            json_array_append_new(list, one);
    }
    return list;
}
