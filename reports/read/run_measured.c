#include "reports/read/run_folder.h"

#include <math.h>
#include <string.h>

/* Adds columns named with blanks between them; false when one is not there, or with an error. */
static bool add_columns(fs_arena *arena, const fs_csv *t, const char *names, double *sum, fs_error *err) {
    for (size_t n; names != NULL && *names != '\0'; names += n, names += strspn(names, " ")) {
        n = strcspn(names, " ");
        const char *name = fs_arena_printf(arena, "%.*s", (int)n, names);
        const int64_t *v = fs_csv_has(t, name) ? fs_csv_ints(t, name, err) : NULL;
        if (v == NULL)
            return false;
        for (size_t i = 0; i < fs_csv_rows(t); i++)
            sum[i] += (double)v[i];
    }
    return true;
}

double *fs_measured(fs_arena *arena, const fs_csv *t, const fs_plan_column *column, fs_error *err) {
    const double scale = column->scale > 0 ? column->scale : 1;
    double *value = FS_NEW(arena, double, fs_csv_rows(t) + 1),
           *of = FS_NEW(arena, double, fs_csv_rows(t) + 1);
    if (!add_columns(arena, t, column->column, value, err) || !add_columns(arena, t, column->of, of, err))
        return NULL;
    for (size_t i = 0; i < fs_csv_rows(t); i++)
        value[i] = (column->of == NULL ? value[i] : of[i] > 0 ? value[i] / of[i] : 0) * scale;
    return value;
}

double fs_planned_at(const fs_csv *t, size_t row, const fs_plan_column *c) {
    const double value = fs_csv_number(t, row, c->column),
                 of = c->of == NULL ? 1 : fs_csv_number(t, row, c->of);
    return (c->of != NULL && !(of > 0) ? (double)NAN : value / of) * (c->scale > 0 ? c->scale : 1);
}
