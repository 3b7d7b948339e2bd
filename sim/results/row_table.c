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

fs_status fs_distributions_open(fs_row_table *t, fs_results *results, const char *unit, fs_error *err) {
    const char *const units[] = {"", "", unit};
    static const char *const columns[] = {"name", "value", "count"};
    return fs_row_table_open(t, results, "distributions.csv", columns, units, 3, err);
}

void fs_distributions_put_bin(fs_row_table *t, const char *name, uint64_t value, uint64_t count) {
    if (count == 0)
        return;
    fs_row_word(&t->row, name);
    fs_row_table_ints(t, (uint64_t[]){value, count}, 2);
    fs_row_end(&t->row);
}

void fs_distributions_put(fs_row_table *t, const char *name, const uint64_t *bins, size_t count) {
    for (size_t v = 0; v < count; v++)
        fs_distributions_put_bin(t, name, v, bins[v]);
}
