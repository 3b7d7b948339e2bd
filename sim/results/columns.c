#include "sim/results/columns.h"

#include "sim/base/alloc.h"
#include "sim/base/error.h"
#include "sim/results/row.h"

#include <stdlib.h>

fs_column *fs_columns_integers(fs_column *out, const char *const (*names)[2], uint32_t from, uint32_t to,
                               fs_column_integer *integer, const void *self) {
    for (uint32_t i = from; i < to; i++)
        *out++ =
            (fs_column){.name = names[i][0], .unit = names[i][1], .integer = integer, .self = self, .arg = i};
    return out;
}

static void write_cell(fs_row *row, const fs_column *c, uint64_t at) {
    FS_ASSERT(c->integer != NULL || c->real != NULL || c->word != NULL, "no cells in column %s", c->name);
    if (c->integer != NULL)
        fs_row_int(row, c->integer(c->self, at, c->arg));
    else if (c->real != NULL)
        fs_row_word(row, FS_REAL_WORD(c->real(c->self, at, c->arg)));
    else
        fs_row_word(row, c->word(c->self, at, c->arg));
}

fs_status fs_columns_write(fs_results *results, const char *file, const fs_column *columns, size_t count,
                           uint64_t rows, fs_error *err) {
    const char **names = fs_malloc((count + 1) * sizeof *names),
               **units = fs_malloc((count + 1) * sizeof *units);
    for (size_t c = 0; c < count; c++) {
        names[c] = columns[c].name;
        units[c] = columns[c].unit == NULL ? "" : columns[c].unit;
    }
    fs_row_table table;
    const fs_status status = fs_row_table_open(&table, results, file, names, units, count, err);
    free(names);
    free(units);
    if (status)
        return status;
    for (uint64_t r = 0; r < rows; r++) {
        for (size_t c = 0; c < count; c++)
            write_cell(&table.row, &columns[c], r);
        fs_row_end(&table.row);
    }
    return fs_row_table_close(&table, err);
}
