/* Rows of CSV tables, through a buffer of their own: faster than printf. */
#include "sim/results/row.h"

#include "sim/base/error.h"
#include "sim/stats/stats.h"

#include <string.h>

enum { LONGEST_INT = 24, THOUSAND = 1000, AT_A_TIME = 32 };

/* The digits of the numbers under a thousand, three characters and what is spare. */
#define TEN(d, a, b)                                                                                         \
    d(a, b, 0), d(a, b, 1), d(a, b, 2), d(a, b, 3), d(a, b, 4), d(a, b, 5), d(a, b, 6), d(a, b, 7),          \
        d(a, b, 8), d(a, b, 9)
#define DIGITS(a, b, c)                                                                                      \
    { '0' + a, '0' + b, '0' + c }
#define HUNDRED(a)                                                                                           \
    TEN(DIGITS, a, 0), TEN(DIGITS, a, 1), TEN(DIGITS, a, 2), TEN(DIGITS, a, 3), TEN(DIGITS, a, 4),           \
        TEN(DIGITS, a, 5), TEN(DIGITS, a, 6), TEN(DIGITS, a, 7), TEN(DIGITS, a, 8), TEN(DIGITS, a, 9)
static const char digits[THOUSAND][4] = {HUNDRED(0), HUNDRED(1), HUNDRED(2), HUNDRED(3), HUNDRED(4),
                                         HUNDRED(5), HUNDRED(6), HUNDRED(7), HUNDRED(8), HUNDRED(9)};

void fs_row_begin(fs_row *row, FILE *file) {
    row->file = file;
    row->used = 0;
    row->fields = 0;
}

void fs_row_flush(fs_row *row) {
    fwrite(row->text, 1, row->used, row->file);
    row->used = 0;
}

static inline void reserve(fs_row *row, size_t bytes) {
    if (__builtin_expect(row->used + bytes > sizeof row->text, 0))
        fs_row_flush(row);
}

static inline void separate(fs_row *row) {
    row->text[row->used] = ','; /* overwritten where nothing is to be separated */
    row->used += row->fields++ > 0;
}

/* Four characters from the first digit on, of which those behind the last are overwritten. */
static inline char *put_small(uint64_t n, char *at) {
    const size_t zeros = n < 10 ? 2 : n < 100;
    memcpy(at, (const char *)digits + sizeof *digits * n + zeros, 4);
    return at + 3 - zeros;
}

/* The number's thousands, then three more digits. */
static char *put_large(uint64_t magnitude, char *at) {
    if (magnitude < THOUSAND)
        return put_small(magnitude, at);
    at = put_large(magnitude / THOUSAND, at);
    memcpy(at, digits[magnitude % THOUSAND], 4);
    return at + 3;
}

static inline char *put_int(int64_t value, char *at) {
    if (__builtin_expect(value >= 0 && value < THOUSAND, 1))
        return put_small((uint64_t)value, at);
    if (__builtin_expect(value >= 0 && value < THOUSAND * THOUSAND, 1)) {
        at = put_small((uint64_t)value / THOUSAND, at);
        memcpy(at, digits[value % THOUSAND], 4);
        return at + 3;
    }
    *at = '-';
    return put_large(value < 0 ? -(uint64_t)value : (uint64_t)value, at + (value < 0));
}

void fs_row_int(fs_row *row, int64_t value) {
    fs_row_ints(row, &value, 1);
}

void fs_row_ints(fs_row *row, const int64_t *values, size_t count) {
    for (size_t first = 0; first < count; first += AT_A_TIME) {
        const size_t left = count - first, some = left < AT_A_TIME ? left : AT_A_TIME;
        reserve(row, some * LONGEST_INT);
        separate(row);
        char *at = put_int(values[first], row->text + row->used);
        for (size_t i = 1; i < some; i++) {
            *at++ = ',';
            at = put_int(values[first + i], at);
        }
        row->used = (size_t)(at - row->text);
    }
}

void fs_row_word(fs_row *row, const char *word) {
    size_t length = strlen(word);
    if (length + 2 > sizeof row->text)
        length = sizeof row->text - 2;
    reserve(row, length + 2);
    separate(row);
    memcpy(row->text + row->used, word, length);
    row->used += length;
}

void fs_row_quoted(fs_row *row, const char *text) {
    char quoted[84];
    snprintf(quoted, sizeof quoted, "\"%.80s\"", text);
    fs_row_word(row, quoted);
}

void fs_row_end(fs_row *row) {
    reserve(row, 1);
    row->text[row->used++] = '\n';
    row->fields = 0;
}

/* ---- a table ---- */

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

fs_status fs_row_table_begin(fs_row_table *t, fs_results *results, const char *name, const char *columns,
                             fs_error *err) {
    enum { MOST = 32 };
    char text[1024];
    const char *names[MOST], *units[MOST];
    size_t count = 0;
    FS_ASSERT(strlen(columns) < sizeof text, "columns of %s", name);
    strcpy(text, columns);
    for (char *rest, *column = strtok_r(text, ",", &rest); column != NULL;
         column = strtok_r(NULL, ",", &rest)) {
        FS_ASSERT(count < MOST, "columns of %s", name);
        names[count] = column += strspn(column, " ");
        column += strcspn(column, " ");
        units[count++] = *column == '\0' ? "" : column + 1;
        *column = '\0';
    }
    return fs_row_table_open(t, results, name, names, units, count, err);
}

void fs_row_table_put(fs_row_table *t, const fs_row_cell *cells, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (cells[i].is_real)
            fs_row_table_real(t, cells[i].real);
        else if (cells[i].word != NULL)
            fs_row_word(&t->row, cells[i].word);
        else
            fs_row_int(&t->row, cells[i].whole);
    fs_row_end(&t->row);
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
    fs_row_word(&t->row, FS_REAL_WORD(value));
}

fs_status fs_row_files_write(const fs_row_file *files, size_t count, const void *run, fs_results *results,
                             fs_error *err) {
    fs_row_table table;
    for (const fs_row_file *f = files; f < files + count; f++) {
        if (fs_row_table_begin(&table, results, f->name, f->columns, err))
            return err->status;
        f->put(run, &table);
        if (fs_row_table_close(&table, err))
            return err->status;
    }
    return FS_OK;
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
