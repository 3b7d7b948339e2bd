/* Cells of CSV files: quoted where needed, split in place. */
#include "sim/base/csv.h"

#include <string.h>

void fs_csv_field(const char *text, FILE *out) {
    if (strpbrk(text, ",\"\n") == NULL) {
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

/* One cell at *at; returns the character that ended it: ',' '\n' or NUL. */
static char take_cell(char **at, char **cell) {
    char *from = *at, *to = from;
    *cell = to;
    if (*from == '"') {
        for (from++; *from != '\0' && (*from != '"' || from[1] == '"'); from++) {
            from += *from == '"';
            *to++ = *from;
        }
        from += *from == '"';
        from += strcspn(from, ",\n");
    } else {
        from += strcspn(from, ",\n");
        to = from;
    }
    char end = *from;
    *at = from + (end != '\0');
    *to = '\0';
    return end;
}

size_t fs_csv_record(char **at, char **cells, size_t most) {
    size_t count = 0;
    char end = **at == '\0' ? '\0' : ',';
    while (end == ',') {
        char *cell;
        end = take_cell(at, &cell);
        if (count < most)
            cells[count++] = cell;
    }
    return count;
}
