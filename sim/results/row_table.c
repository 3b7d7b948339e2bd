#include "sim/results/row_table.h"

#include "sim/stats/stats.h"

fs_status fs_row_table_open(fs_row_table *t, fs_results *results, const char *name,
                            const char *const *columns, const char *const *units, size_t count,
                            fs_error *err) {
    t->results = results;
    t->file = fs_results_create(results, name, columns, units, count, err);
    if (t->file == NULL)
        return err->status;
    fs_row_begin(&t->row, t->file);
    return FS_OK;
}

fs_status fs_row_table_close(fs_row_table *t, fs_error *err) {
    fs_row_flush(&t->row);
    return fs_results_close(t->results, t->file, err);
}

void fs_row_table_ints(fs_row_table *t, const uint64_t *values, size_t count) {
    for (size_t i = 0; i < count; i++)
        fs_row_int(&t->row, (int64_t)values[i]);
}

void fs_row_table_real(fs_row_table *t, double value) {
    char text[FS_REAL_TEXT];
    fs_row_word(&t->row, fs_real_text(value, text));
}
