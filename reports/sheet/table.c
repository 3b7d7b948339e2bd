/* Tables of a sheet while they are made. */
#include "reports/sheet/sheet_private.h"

#include <math.h>
#include <string.h>

static const char *kept(const fs_rows *t, const char *text) {
    return text == NULL ? NULL : fs_arena_strdup(t->sheet->arena, text);
}

fs_rows *fs_sheet_table_of(fs_sheet *s, const char *caption, const fs_rows_column *columns, size_t count) {
    fs_rows *t = FS_NEW(s->arena, fs_rows, 1);
    t->sheet = s;
    t->caption = kept(t, caption);
    for (size_t i = 0; i < count; i++) {
        fs_rows_head(t, columns[i].name, columns[i].number, columns[i].hint);
        t->column[i].unit = kept(t, columns[i].unit);
    }
    fs_item_add(s, FS_ITEM_TABLE, NULL, NULL, NULL)->table = t;
    return t;
}

fs_rows *fs_sheet_table(fs_sheet *s, const char *caption, ...) {
    enum { MOST = 24, BYTES = 256 };
    fs_rows_column columns[MOST];
    char text[MOST][BYTES];
    size_t count = 0;
    va_list args;
    va_start(args, caption);
    for (const char *head; (head = va_arg(args, const char *)) != NULL; count++) {
        FS_ASSERT(count < MOST && strlen(head) < BYTES, "heads of a table: %s", head);
        const bool number = head[0] == '#';
        char *name = strcpy(text[count], head + number), *hint = strchr(name, '|'),
             *unit = strstr(name, " [");
        columns[count] = (fs_rows_column){.name = name, .number = number};
        if (hint != NULL) {
            *hint = '\0';
            columns[count].hint = hint + 1;
        }
        if (unit != NULL && (hint == NULL || unit < hint)) {
            *unit = unit[strlen(unit) - 1] = '\0';
            columns[count].unit = unit + 2;
        }
    }
    va_end(args);
    return fs_sheet_table_of(s, caption, columns, count);
}

void fs_rows_head(fs_rows *t, const char *name, bool number, const char *hint) {
    t->column = fs_arena_grow(t->sheet->arena, t->column, t->columns, sizeof *t->column);
    t->column[t->columns++] = (fs_rows_column){kept(t, name), NULL, number, kept(t, hint)};
}

void fs_rows_filter(fs_rows *t, const char *id, const char *noun, size_t selectable, size_t state) {
    t->filter = kept(t, id);
    t->noun = kept(t, noun);
    t->selectable = selectable;
    t->state = state;
}

/* ---- rows ---- */

void fs_rows_add(fs_rows *t) {
    fs_rows_row *row = FS_NEW(t->sheet->arena, fs_rows_row, 1);
    row->foot = t->in_foot;
    *(t->first == NULL ? &t->first : &t->end->next) = row;
    t->end = row;
}

void fs_rows_look(fs_rows *t, const char *look) {
    t->end->look = kept(t, look);
}

void fs_rows_group(fs_rows *t, const char *format, ...) {
    fs_rows_add(t);
    FS_VARIADIC(args, format, t->end->group = fs_marked(t->sheet->arena, format, args));
}

void fs_rows_foot(fs_rows *t) {
    t->in_foot = true;
}

/* ---- cells ---- */

static fs_cell_one *add(fs_rows *t, fs_cell_kind kind, const char *text, double value) {
    fs_cell_one *cell = FS_NEW(t->sheet->arena, fs_cell_one, 1);
    fs_rows_row *row = t->end;
    FS_ASSERT(row != NULL && row->group == NULL, "a cell without a row");
    *cell = (fs_cell_one){.kind = kind, .text = text, .value = value};
    *(row->first == NULL ? &row->first : &row->end->next) = cell;
    row->end = cell;
    return cell;
}

void fs_cell(fs_rows *t, const char *text) {
    add(t, FS_CELL_TEXT, fs_marked_plain(t->sheet->arena, text == NULL ? "" : text), NAN);
}

void fs_cell_put(fs_rows *t, const char *marked) {
    add(t, FS_CELL_TEXT, kept(t, marked), NAN);
}

void fs_cell_say(fs_rows *t, const char *format, ...) {
    FS_VARIADIC(args, format, add(t, FS_CELL_TEXT, fs_marked(t->sheet->arena, format, args), NAN));
}

void fs_cell_head(fs_rows *t, const char *format, ...) {
    FS_VARIADIC(args, format,
                add(t, FS_CELL_TEXT, fs_marked(t->sheet->arena, format, args), NAN)->head = true);
}

void fs_cell_number(fs_rows *t, const char *text, double value) {
    add(t, FS_CELL_NUMBER, isnan(value) ? "\xe2\x80\x93" : fs_marked_plain(t->sheet->arena, text), value);
}

static const double *parts(const fs_rows *t, const double *part, size_t count) {
    double *own = FS_NEW(t->sheet->arena, double, count + 1);
    memcpy(own, part, count * sizeof *own);
    return own;
}

static const char *const *words(const fs_rows *t, const char *const *word, size_t count) {
    const char **own = FS_NEW(t->sheet->arena, const char *, count + 1);
    for (size_t i = 0; i < count; i++)
        own[i] = kept(t, word[i]);
    return own;
}

void fs_cell_bar(fs_rows *t, const char *text, double value, double full, const char *colour) {
    fs_cell_number(t, text, value);
    if (isnan(value))
        return;
    t->end->end->kind = FS_CELL_BAR;
    t->end->end->colour = kept(t, colour);
    t->end->end->part = parts(t, (double[]){full > 0 && value > 0 ? fmin(1, value / full) : 0}, 1);
}

void fs_cell_stack(fs_rows *t, const double *shares, const char *const *names, const char *const *colours,
                   size_t count) {
    fs_cell_one *cell = add(t, FS_CELL_STACK, "", count > 0 ? shares[0] : 0);
    cell->part = parts(t, shares, count);
    cell->name = words(t, names, count);
    cell->colours = words(t, colours, count);
    cell->parts = count;
}

void fs_cell_strip(fs_rows *t, double least, double most, double from, double to, double mean) {
    add(t, FS_CELL_STRIP, "", NAN)->part = parts(t, (double[]){least, most, from, to, mean}, 5);
}

void fs_cell_picture(fs_rows *t, const char *path, const char *alt) {
    fs_error none = {.status = FS_OK}; /* a row without its picture says as much */
    bool reduced;
    add(t, FS_CELL_PICTURE, kept(t, alt), NAN)->png = fs_sheet_png(t->sheet, path, true, &reduced, &none);
}

void fs_cell_chip(fs_rows *t, const char *look, const char *hint, const char *text, const char *strong) {
    fs_sheet *s = t->sheet;
    fs_cell_one *cell = t->end->end;
    const char *end = strong == NULL ? "" : fs_sheet_marked(s, " <b>%s</b>", strong);
    cell->text = fs_arena_append(
        s->arena, cell->text, " ", "%s%s</span>",
        fs_sheet_marked(s, "<span class=\"chip %s\" title=\"%s\">%s", look, hint == NULL ? "" : hint, text),
        end);
}

void fs_cell_pick(fs_rows *t, size_t point, const char *text) {
    fs_cell_say(
        t,
        "<button type=\"button\" class=\"pick\" data-point=\"%zu\" title=\"show the command that makes "
        "its run page\"><code>%s</code></button>",
        point, text);
}

void fs_cell_add(fs_rows *t, fs_cell_more more) {
    fs_cell_one *cell = t->end->end;
    cell->look = more.look == NULL ? cell->look : kept(t, more.look);
    cell->hint = more.hint == NULL ? cell->hint : kept(t, more.hint);
    cell->value = more.value == NULL ? cell->value : *more.value;
    cell->span = more.span > 0 ? more.span : cell->span;
    cell->shade = more.shade > 0 ? more.shade : cell->shade;
}
