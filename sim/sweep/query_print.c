/* A table on a terminal, as CSV, as JSON. */
#include "sim/base/alloc.h"
#include "sim/base/csv.h"
#include "sim/sweep/query.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

fs_query_table fs_query_begin(fs_arena *arena, const fs_stat_table *const *known) {
    return (fs_query_table){.arena = arena,
                            .known = known,
                            .columns = json_array(),
                            .heads = json_array(),
                            .units = json_array(),
                            .rows = json_array()};
}

void fs_query_end(fs_query_table *table) {
    json_decref(table->columns);
    json_decref(table->heads);
    json_decref(table->units);
    json_decref(table->rows);
}

static void add_column(fs_query_table *table, const char *name, const char *head, const char *unit) {
    json_array_append_new(table->columns, json_string(name));
    json_array_append_new(table->heads, json_string(head));
    json_array_append_new(table->units, json_string(unit));
}

void fs_query_column_in(fs_query_table *table, const char *name, const char *unit) {
    add_column(table, name, unit[0] == '\0' ? name : fs_arena_printf(table->arena, "%s [%s]", name, unit),
               unit);
}

void fs_query_column_of_values(fs_query_table *table, const char *name, const char *unit) {
    add_column(table, name, name, unit);
}

void fs_query_column(fs_query_table *table, const char *name) {
    fs_query_column_in(table, name, "");
}

void fs_query_row(fs_query_table *table) {
    json_array_append_new(table->rows, json_array());
}

static void put(fs_query_table *table, json_t *value) {
    json_array_append_new(json_array_get(table->rows, json_array_size(table->rows) - 1), value);
}

void fs_query_text(fs_query_table *table, const char *text) {
    put(table, text == NULL ? json_null() : json_string(text));
}

static json_t *number_of(double number) {
    const double most = 9007199254740992.0;
    if (!isfinite(number))
        return json_null();
    return number == floor(number) && fabs(number) < most ? json_integer((json_int_t)number)
                                                          : json_real(number);
}

void fs_query_number(fs_query_table *table, double number) {
    put(table, number_of(number));
}

/* A cell with two faces: {"text", "value"}. */
static void put_both(fs_query_table *table, const char *text, json_t *value) {
    put(table, json_pack("{s:s, s:o}", "text", text, "value", value));
}

void fs_query_value(fs_query_table *table, const char *text, double number) {
    if (text == NULL || isnan(number))
        fs_query_text(table, text);
    else
        put_both(table, text, number_of(number));
}

void fs_query_flag(fs_query_table *table, bool flag) {
    put_both(table, flag ? "yes" : "no", json_boolean(flag));
}

/* ---- printing ---- */

/* The text of a cell; lines of an error are joined on a terminal. */
static const char *cell_text(fs_arena *arena, const json_t *cell, bool one_line) {
    if (json_is_object(cell))
        cell = json_object_get(cell, "text");
    if (json_is_integer(cell))
        return fs_arena_printf(arena, "%" JSON_INTEGER_FORMAT, json_integer_value(cell));
    if (json_is_real(cell))
        return fs_arena_strdup(arena, FS_REAL_WORD(json_real_value(cell)));
    if (!json_is_string(cell))
        return "";
    char *text = fs_arena_strdup(arena, json_string_value(cell));
    for (char *at = text; one_line && *at != '\0'; at++)
        if (*at == '\n')
            *at = ' ';
    return text;
}

static const json_t *cell_of(const fs_query_table *t, size_t row, size_t column) {
    return json_array_get(json_array_get(t->rows, row), column);
}

static const char *head_of(const fs_query_table *t, size_t column) {
    return json_string_value(json_array_get(t->heads, column));
}

static void print_csv(const fs_query_table *t, FILE *out) {
    const size_t columns = json_array_size(t->columns), rows = json_array_size(t->rows);
    for (size_t c = 0; c < columns; c++) {
        fputs(c == 0 ? "" : ",", out);
        fs_csv_field(head_of(t, c), out);
    }
    fputc('\n', out);
    for (size_t r = 0; r < rows; r++) {
        for (size_t c = 0; c < columns; c++) {
            fputs(c == 0 ? "" : ",", out);
            fs_csv_field(cell_text(t->arena, cell_of(t, r, c), false), out);
        }
        fputc('\n', out);
    }
}

static void print_json_value(const json_t *value, FILE *out) {
    if (json_is_object(value))
        value = json_object_get(value, "value");
    if (json_is_real(value)) {
        fputs(FS_REAL_WORD(json_real_value(value)), out);
        return;
    }
    char *text = json_dumps(value, JSON_ENCODE_ANY);
    if (text == NULL)
        fs_no_memory();
    fputs(text, out);
    free(text);
}

static void print_json(const fs_query_table *t, FILE *out) {
    const size_t columns = json_array_size(t->columns), rows = json_array_size(t->rows);
    size_t units = 0;
    fputs("{\"units\": {", out);
    for (size_t c = 0; c < columns; c++) {
        if (json_string_value(json_array_get(t->units, c))[0] == '\0')
            continue;
        fputs(units++ == 0 ? "" : ", ", out);
        print_json_value(json_array_get(t->columns, c), out);
        fputs(": ", out);
        print_json_value(json_array_get(t->units, c), out);
    }
    fputs("},\n\"rows\": [", out);
    for (size_t r = 0; r < rows; r++) {
        fputs(r == 0 ? "\n  {" : ",\n  {", out);
        for (size_t c = 0; c < columns; c++) {
            fputs(c == 0 ? "" : ", ", out);
            print_json_value(json_array_get(t->columns, c), out);
            fputs(": ", out);
            print_json_value(cell_of(t, r, c), out);
        }
        fputc('}', out);
    }
    fputs(rows == 0 ? "]}\n" : "\n]}\n", out);
}

/* Numbers to the right, words to the left, the last column as it is. */
static void print_text(const fs_query_table *t, FILE *out) {
    const size_t columns = json_array_size(t->columns), rows = json_array_size(t->rows);
    int *width = FS_NEW(t->arena, int, columns + 1);
    bool *words = FS_NEW(t->arena, bool, columns + 1);
    for (size_t c = 0; c < columns; c++) {
        width[c] = (int)strlen(head_of(t, c));
        for (size_t r = 0; r < rows; r++) {
            int length = (int)strlen(cell_text(t->arena, cell_of(t, r, c), true));
            width[c] = length > width[c] ? length : width[c];
            words[c] |= json_is_string(cell_of(t, r, c)) || json_is_object(cell_of(t, r, c));
        }
    }
    for (size_t r = 0; r <= rows; r++) {
        for (size_t c = 0; c < columns; c++) {
            const char *text = r == 0 ? head_of(t, c) : cell_text(t->arena, cell_of(t, r - 1, c), true);
            const char *gap = c == 0 ? "" : "  ";
            if (words[c])
                fprintf(out, "%s%-*s", gap, c + 1 == columns ? 0 : width[c], text);
            else
                fprintf(out, "%s%*s", gap, width[c], text);
        }
        fputc('\n', out);
    }
}

void fs_query_print(const fs_query_table *table, fs_query_form form, FILE *out) {
    if (form == FS_QUERY_CSV)
        print_csv(table, out);
    else if (form == FS_QUERY_JSON)
        print_json(table, out);
    else
        print_text(table, out);
}
