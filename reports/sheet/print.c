/* Sentences and tables for a terminal. */
#include "reports/sheet/sheet.h"
#include "reports/sheet/sheet_private.h"

#include <string.h>

enum { WIDE = 100, MOST_COLUMNS = 64 };

void fs_sheet_wrap(FILE *out, const char *first, const char *text) {
    size_t at = (size_t)fprintf(out, "%s", first), indent = at;
    for (const char *word = text; *word != '\0';) {
        size_t n = strcspn(word, " ");
        if (strncmp(word + n, " %", 2) == 0) /* stays with its number */
            n += 2 + strcspn(word + n + 2, " ");
        if (at > indent && at + 1 + n > WIDE) {
            fprintf(out, "\n%*s", (int)indent, "");
            at = indent;
        } else if (at > indent) {
            fputc(' ', out);
            at++;
        }
        fprintf(out, "%.*s", (int)n, word);
        at += n;
        word += n + (word[n] == ' ');
    }
    fputc('\n', out);
}

/* Characters of several bytes take one place. */
static size_t places(const char *text) {
    size_t count = 0;
    for (const char *at = text; *at != '\0'; at++)
        count += ((unsigned char)*at & 0xc0) != 0x80;
    return count;
}

static const char *cut(fs_arena *arena, const char *text, size_t longest) {
    return longest == 0 || places(text) <= longest
               ? text
               : fs_arena_printf(arena, "%.*s...", (int)longest - 3, text);
}

static const char *text_of(const fs_rows *t, const fs_cell_one *c, size_t longest) {
    return cut(t->sheet->arena, fs_marked_text(t->sheet->arena, c->text), longest);
}

static const char *head_of(const fs_rows *t, size_t k) {
    const fs_rows_column *c = &t->column[k];
    return c->unit == NULL || c->unit[0] == '\0'
               ? c->name
               : fs_arena_printf(t->sheet->arena, "%s, %s", c->name, c->unit);
}

static void print_cell(FILE *out, const char *text, size_t wide, bool right, bool last) {
    const int more = (int)(wide > places(text) ? wide - places(text) : 0);
    if (right)
        fprintf(out, "%*s%s", more, "", text);
    else
        fprintf(out, "%s%*s", text, last ? 0 : more, "");
}

void fs_rows_print(const fs_rows *t, size_t longest, FILE *out) {
    size_t wide[MOST_COLUMNS] = {0};
    const size_t columns = t->columns < MOST_COLUMNS ? t->columns : MOST_COLUMNS;
    for (size_t k = 0; k < columns; k++)
        wide[k] = places(cut(t->sheet->arena, head_of(t, k), longest));
    for (const fs_rows_row *row = t->first; row != NULL; row = row->next) {
        size_t k = 0;
        for (const fs_cell_one *c = row->first; c != NULL && k < columns; c = c->next, k++)
            wide[k] = places(text_of(t, c, longest)) > wide[k] ? places(text_of(t, c, longest)) : wide[k];
    }
    for (size_t k = 0; k < columns; k++) {
        fputs(k > 0 ? "  " : "", out);
        print_cell(out, cut(t->sheet->arena, head_of(t, k), longest), wide[k], t->column[k].number,
                   k + 1 == columns);
    }
    fputc('\n', out);
    for (const fs_rows_row *row = t->first; row != NULL; row = row->next) {
        size_t k = 0;
        if (row->group != NULL)
            fprintf(out, "%s", fs_marked_text(t->sheet->arena, row->group));
        for (const fs_cell_one *c = row->first; c != NULL && k < columns; c = c->next, k++) {
            fputs(k > 0 ? "  " : "", out);
            print_cell(out, text_of(t, c, longest), wide[k], t->column[k].number, c->next == NULL);
        }
        fputc('\n', out);
    }
}
