/* CSV tables: one pass ends every cell by NUL in place and notes where it begins; columns become numbers when
 * they are asked for. */
#include "reports/read/run_private.h"

#include <errno.h>
#include <string.h>

typedef enum kind { WORDS, INTS, REALS, MATRIX, KINDS } kind;

typedef struct csv_column {
    const char *unit;
    void *values[KINDS]; /* [rows], of a matrix with all columns behind; each NULL until it is asked for */
} csv_column;

struct fs_csv {
    fs_arena *arena;
    const char *path, *file;
    char *text;     /* the file, its cells ended by NUL */
    uint32_t *cell; /* [rows + 1][columns]: where each begins; the header first */
    size_t rows, columns;
    csv_column *column; /* [columns] */
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
    t->cell = FS_NEW(t->arena, uint32_t, most);
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

fs_csv *fs_csv_read(const char *path, const char *file, const json_t *units, fs_error *err) {
    size_t size = 0;
    char *text = fs_folder_bytes(path, &size, err);
    if (text == NULL)
        return NULL;
    fs_arena *arena = fs_arena_create();
    fs_csv *t = FS_NEW(arena, fs_csv, 1);
    *t = (fs_csv){.arena = arena,
                  .text = text,
                  .path = fs_arena_strdup(arena, path),
                  .file = fs_arena_strdup(arena, file)};
    if (index_cells(t, size, err)) {
        fs_csv_free(t);
        return NULL;
    }
    t->column = FS_NEW(arena, csv_column, t->columns);
    for (size_t c = 0; c < t->columns; c++) {
        const char *unit = json_string_value(json_array_get(units, c));
        t->column[c].unit = unit == NULL ? "" : fs_arena_strdup(arena, unit);
    }
    return t;
}

void fs_csv_free(fs_csv *t) {
    if (t == NULL)
        return;
    free(t->text);
    fs_arena_free(t->arena);
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
    return t->column[column].unit;
}

/* Its number; `columns` when there is none. */
static size_t find(const fs_csv *t, const char *name) {
    size_t c = 0;
    while (c < t->columns && strcmp(fs_csv_column(t, c), name) != 0)
        c++;
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

/* Cells from a column on, each as `as` has it: of a matrix to the last column, else of that one alone. */
static void *values_of(const fs_csv *t, const char *name, kind as, size_t *width, fs_error *err) {
    static const size_t size[KINDS] = {sizeof(char *), sizeof(int64_t), sizeof(double), sizeof(int64_t)};
    const size_t from = find(t, name), to = as == MATRIX ? t->columns : from + 1;
    *width = to - from;
    if (from == t->columns)
        return FS_FAIL_NULL(err, FS_INPUT, "%s: no column \"%s\"", t->path, name);
    void **kept = &t->column[from].values[as];
    if (*kept != NULL)
        return *kept;
    void *values = fs_arena_alloc(t->arena, t->rows * *width + 1, size[as]);
    const char **word = values;
    int64_t *whole = values;
    double *real = values;
    for (size_t row = 0; row < t->rows; row++)
        for (size_t c = from; c < to; c++) {
            const char *text = at(t, row, c);
            if (as == WORDS)
                *word++ = text;
            else if (as == REALS ? !read_real(text, real++) : !read_int(text, whole++))
                return FS_FAIL_NULL(err, FS_INPUT, "%s:%zu: %s: expected %s, found \"%.60s\"", t->path,
                                    row + 2, fs_csv_column(t, c), as == REALS ? "a number" : "an integer",
                                    text);
        }
    return *kept = values;
}

const char *const *fs_csv_words(const fs_csv *t, const char *name, fs_error *err) {
    size_t one;
    return values_of(t, name, WORDS, &one, err);
}

const int64_t *fs_csv_ints(const fs_csv *t, const char *name, fs_error *err) {
    size_t one;
    return values_of(t, name, INTS, &one, err);
}

const double *fs_csv_reals(const fs_csv *t, const char *name, fs_error *err) {
    size_t one;
    return values_of(t, name, REALS, &one, err);
}

const int64_t *fs_csv_matrix(const fs_csv *t, const char *first, size_t *width, fs_error *err) {
    return values_of(t, first, MATRIX, width, err);
}
