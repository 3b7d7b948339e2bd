/* Cells of CSV files: quoted where needed, split in place. */
#include "sim/base/csv.h"

#include <stdbool.h>
#include <string.h>

static bool is_blank(char c) {
    return c == ' ' || c == '\t';
}

/* Reads back without quotes. */
static bool is_plain(const char *text) {
    const size_t n = strlen(text);
    return strpbrk(text, ",\"\r\n") == NULL && (n == 0 || (!is_blank(text[0]) && !is_blank(text[n - 1])));
}

void fs_csv_field(const char *text, FILE *out) {
    if (is_plain(text)) {
        fputs(text, out);
        return;
    }
    fputc('"', out);
    for (; *text != '\0'; text++) {
        if (*text == '"')
            fputc('"', out);
        fputc(*text, out);
    }
    fputc('"', out);
}

fs_csv_lines fs_csv_begin(char *text) {
    static const char mark[] = "\xEF\xBB\xBF";
    char *at = text + (strncmp(text, mark, strlen(mark)) == 0 ? strlen(mark) : 0);
    return (fs_csv_lines){.at = at, .begin = at};
}

/* Behind a cell: its length without what does not count at its end. */
static size_t trimmed(const char *cell, size_t length) {
    while (length > 0 && (is_blank(cell[length - 1]) || cell[length - 1] == '\r'))
        length--;
    return length;
}

/* One cell at the text's place; returns the character that ended it: ',' '\n' or NUL. */
static char take_cell(fs_csv_lines *t, char **cell) {
    char *from = t->at + strspn(t->at, " \t"), *to = from;
    *cell = to;
    if (*from == '"') {
        for (from++; *from != '\0' && (*from != '"' || from[1] == '"'); from++) {
            from += *from == '"';
            t->passed += *from == '\n';
            *to++ = *from;
        }
        from += *from == '"';
        from += strcspn(from, ",\n");
    } else {
        from += strcspn(from, ",\n");
        to += trimmed(to, (size_t)(from - to));
    }
    const char end = *from;
    t->at = from + (end != '\0');
    t->passed += end == '\n';
    *to = '\0';
    return end;
}

/* Moves on to a line with something in it. */
static void pass_empty(fs_csv_lines *t) {
    for (size_t n; n = strspn(t->at, " \t\r"), t->at[n] == '\n'; t->at += n + 1)
        t->passed++;
}

size_t fs_csv_record(fs_csv_lines *t, char **cells, size_t most) {
    size_t count = 0;
    pass_empty(t);
    t->begin = t->at;
    t->line = t->passed + 1;
    char end = t->at[strspn(t->at, " \t\r")] == '\0' ? '\0' : ',';
    while (end == ',') {
        char *cell;
        end = take_cell(t, &cell);
        if (count < most)
            cells[count++] = cell;
    }
    return count;
}

size_t fs_csv_column_of(const fs_csv_lines *t, const char *cell) {
    return (size_t)(cell - t->begin) + 1;
}
