/* CSV tables: one pass ends every cell by NUL in place and notes where it begins; columns become numbers when
 * they are asked for. */
#include "reports/read/run_private.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct fs_csv {
    char *path, *file;
    char *text;     /* the file, its cells ended by NUL */
    uint32_t *cell; /* [rows + 1][columns]: where each begins; the header first */
    size_t rows, columns;
    char **units; /* [columns] */
    /* [columns], each NULL until it is asked for */
    const char ***words;
    int64_t **ints;
    double **reals;
    int64_t **matrices; /* by first column */
};

static const char *at(const fs_csv *t, size_t row, size_t column) {
    return t->text + t->cell[(row + 1) * t->columns + column];
}

/* Ends the cell at *place by NUL; *place moves behind it. What ended it: ',', '\n', '\0' (the file), or 'x':
 * a quote that is not closed or has something behind it. */
static char end_cell(char **place) {
    char *p = *place;
    if (*p == '"') {
        char *to = p, *from = p + 1; /* the text moves over its quote */
        for (; *from != '\0' && (*from != '"' || from[1] == '"'); from++) {
            from += *from == '"';
            *to++ = *from;
        }
        if (*from != '"')
            return 'x';
        p = from + 1;
        char end = *p;
        *to = '\0';
        *place = p + (end != '\0');
        if (end != ',' && end != '\n' && end != '\0')
            return 'x';
        return end;
    }
    while (*p != ',' && *p != '\n' && *p != '\0')
        p++;
    char end = *p;
    *place = p + (end != '\0');
    *p = '\0';
    return end;
}

static fs_status index_cells(fs_csv *t, size_t size, fs_error *err) {
    if (strlen(t->text) != size)
        return fs_fail(err, FS_INPUT, "%s: no text (a byte 0 at %zu)", t->path, strlen(t->text));
    size_t most = 1;
    for (size_t i = 0; i < size; i++)
        most += t->text[i] == ',' || t->text[i] == '\n';
    t->cell = fs_malloc(most * sizeof *t->cell);
    size_t cells = 0, line = 1, in_line = 0;
    for (char *p = t->text; p < t->text + size;) {
        FS_ASSERT(cells < most, "more cells than separators in %s", t->path);
        t->cell[cells++] = (uint32_t)(p - t->text);
        in_line++;
        char end = end_cell(&p);
        if (end == 'x')
            return fs_fail(err, FS_INPUT, "%s:%zu: a quoted cell that does not end", t->path, line);
        if (end == ',')
            continue;
        if (line == 1)
            t->columns = in_line;
        if (in_line != t->columns)
            return fs_fail(err, FS_INPUT, "%s:%zu: expected %zu cells, found %zu", t->path, line, t->columns,
                           in_line);
        if (end == '\0')
            return fs_fail(err, FS_INPUT, "%s:%zu: the last line does not end; the file was cut", t->path,
                           line);
        line++;
        in_line = 0;
    }
    if (t->columns == 0 || in_line != 0)
        return fs_fail(err, FS_INPUT, t->columns == 0 ? "%s: empty, expected a header line" : "%s: cut short",
                       t->path);
    t->rows = cells / t->columns - 1;
    return FS_OK;
}

static void prepare_columns(fs_csv *t, const json_t *units) {
    t->units = fs_calloc(t->columns, sizeof *t->units);
    t->words = fs_calloc(t->columns, sizeof *t->words);
    t->ints = fs_calloc(t->columns, sizeof *t->ints);
    t->reals = fs_calloc(t->columns, sizeof *t->reals);
    t->matrices = fs_calloc(t->columns, sizeof *t->matrices);
    for (size_t c = 0; c < t->columns; c++) {
        const char *unit = json_string_value(json_array_get(units, c));
        t->units[c] = fs_strdup(unit == NULL ? "" : unit);
    }
}

fs_csv *fs_csv_read(const char *path, const char *file, const json_t *units, fs_error *err) {
    size_t size = 0;
    char *text = fs_folder_bytes(path, &size, err);
    if (text == NULL)
        return NULL;
    fs_csv *t = fs_calloc(1, sizeof *t);
    t->text = text;
    t->path = fs_strdup(path);
    t->file = fs_strdup(file);
    if (index_cells(t, size, err)) {
        t->columns = 0; /* nothing of them needs to be freed */
        fs_csv_free(t);
        return NULL;
    }
    prepare_columns(t, units);
    return t;
}

void fs_csv_free(fs_csv *t) {
    if (t == NULL)
        return;
    for (size_t c = 0; c < t->columns; c++) {
        free(t->units[c]);
        free(t->words[c]);
        free(t->ints[c]);
        free(t->reals[c]);
        free(t->matrices[c]);
    }
    free(t->units);
    free(t->words);
    free(t->ints);
    free(t->reals);
    free(t->matrices);
    free(t->cell);
    free(t->text);
    free(t->path);
    free(t->file);
    free(t);
}

const char *fs_csv_file(const fs_csv *t) {
    return t->file;
}

size_t fs_csv_rows(const fs_csv *t) {
    return t->rows;
}

size_t fs_csv_columns(const fs_csv *t) {
    return t->columns;
}

const char *fs_csv_column(const fs_csv *t, size_t column) {
    FS_ASSERT(column < t->columns, "column %zu of %zu", column, t->columns);
    return t->text + t->cell[column];
}

const char *fs_csv_unit(const fs_csv *t, size_t column) {
    FS_ASSERT(column < t->columns, "column %zu of %zu", column, t->columns);
    return t->units[column];
}

/* Its number; `columns` when there is none. */
static size_t find(const fs_csv *t, const char *name) {
    size_t c = 0;
    while (c < t->columns && strcmp(fs_csv_column(t, c), name) != 0)
        c++;
    return c;
}

static size_t must_find(const fs_csv *t, const char *name, fs_error *err) {
    size_t c = find(t, name);
    if (c == t->columns)
        fs_fail(err, FS_INPUT, "%s: no column \"%s\"", t->path, name);
    return c;
}

bool fs_csv_has(const fs_csv *t, const char *name) {
    return find(t, name) < t->columns;
}

const char *fs_csv_text(const fs_csv *t, size_t row, const char *name) {
    FS_ASSERT(row < t->rows, "row %zu of %zu", row, t->rows);
    size_t c = find(t, name);
    return c == t->columns ? "" : at(t, row, c);
}

/* ---- numbers ---- */

double fs_csv_number(const fs_csv *t, size_t row, const char *name) {
    const char *text = t == NULL || row >= t->rows ? "" : fs_csv_text(t, row, name);
    char *end = NULL;
    const double value = strtod(text, &end);
    return end == text ? NAN : value;
}

/* strtoll costs five times as much, and a frame has millions of them. */
static bool read_int(const char *text, int64_t *out) {
    bool minus = *text == '-';
    const char *p = text + minus;
    uint64_t value = 0;
    int digits = 0;
    for (; *p >= '0' && *p <= '9' && digits < 18; p++, digits++)
        value = value * 10 + (uint64_t)(*p - '0');
    if (*p == '\0' && digits > 0) {
        *out = minus ? -(int64_t)value : (int64_t)value;
        return true;
    }
    char *end;
    errno = 0;
    long long slow = strtoll(text, &end, 10);
    *out = slow;
    return digits > 0 && *end == '\0' && errno == 0;
}

static bool read_real(const char *text, double *out) {
    int64_t whole;
    if (read_int(text, &whole)) {
        *out = (double)whole;
        return true;
    }
    if (*text == '\0' || strcmp(text, "null") == 0) {
        *out = NAN;
        return true;
    }
    char *end;
    *out = strtod(text, &end); /* the program never leaves the C locale: '.' is the decimal sign */
    return strspn(text, "+-.0123456789eE") == strlen(text) && *end == '\0' && isfinite(*out);
}

static void fail_cell(const fs_csv *t, size_t row, size_t column, const char *expected, fs_error *err) {
    fs_fail(err, FS_INPUT, "%s:%zu: %s: expected %s, found \"%.60s\"", t->path, row + 2,
            fs_csv_column(t, column), expected, at(t, row, column));
}

const char *const *fs_csv_words(const fs_csv *t, const char *name, fs_error *err) {
    size_t c = must_find(t, name, err);
    if (c == t->columns)
        return NULL;
    if (t->words[c] == NULL) {
        t->words[c] = fs_malloc((t->rows + 1) * sizeof(char *));
        for (size_t row = 0; row < t->rows; row++)
            t->words[c][row] = at(t, row, c);
    }
    return t->words[c];
}

const int64_t *fs_csv_ints(const fs_csv *t, const char *name, fs_error *err) {
    size_t c = must_find(t, name, err);
    if (c == t->columns || t->ints[c] != NULL)
        return c == t->columns ? NULL : t->ints[c];
    int64_t *values = fs_malloc((t->rows + 1) * sizeof *values);
    for (size_t row = 0; row < t->rows; row++)
        if (!read_int(at(t, row, c), &values[row])) {
            fail_cell(t, row, c, "an integer", err);
            free(values);
            return NULL;
        }
    return t->ints[c] = values;
}

const double *fs_csv_reals(const fs_csv *t, const char *name, fs_error *err) {
    size_t c = must_find(t, name, err);
    if (c == t->columns || t->reals[c] != NULL)
        return c == t->columns ? NULL : t->reals[c];
    double *values = fs_malloc((t->rows + 1) * sizeof *values);
    for (size_t row = 0; row < t->rows; row++)
        if (!read_real(at(t, row, c), &values[row])) {
            fail_cell(t, row, c, "a number", err);
            free(values);
            return NULL;
        }
    return t->reals[c] = values;
}

const int64_t *fs_csv_matrix(const fs_csv *t, const char *first, size_t *width, fs_error *err) {
    size_t c = must_find(t, first, err);
    *width = t->columns - c;
    if (c == t->columns || t->matrices[c] != NULL)
        return c == t->columns ? NULL : t->matrices[c];
    int64_t *values = fs_malloc((t->rows * *width + 1) * sizeof *values), *to = values;
    for (size_t row = 0; row < t->rows; row++)
        for (size_t k = c; k < t->columns; k++)
            if (!read_int(at(t, row, k), to++)) {
                fail_cell(t, row, k, "an integer", err);
                free(values);
                return NULL;
            }
    return t->matrices[c] = values;
}
