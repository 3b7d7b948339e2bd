/* All errors of a file: collected with their places, sorted, told at once. */
#include "sim/yaml/tree.h"

#include <stdlib.h>
#include <string.h>

enum { ROOM_FOR_LAST_LINE = 64, SHOWN_BYTES = 60, SHOWN_ERRORS = 48 };

typedef struct item {
    fs_mark mark;
    const char *text;
    fs_status status;
    size_t number; /* keeps the order of errors at one place */
} item;

struct fs_report {
    fs_arena *arena;
    item *items;
    size_t count;
};

fs_report *fs_report_create(fs_arena *arena) {
    fs_report *report = FS_NEW(arena, fs_report, 1);
    report->arena = arena;
    return report;
}

static void add_text(fs_report *report, fs_status status, fs_mark mark, const char *text) {
    report->items = fs_arena_grow(report->arena, report->items, report->count, sizeof *report->items);
    report->items[report->count] =
        (item){.mark = mark, .text = text, .status = status, .number = report->count};
    report->count++;
}

static void add(fs_report *report, fs_status status, fs_mark mark, const char *key, const char *sentence) {
    add_text(report, status, mark,
             fs_arena_printf(report->arena, "%s: %s%s%s", fs_mark_text(report->arena, mark), key,
                             key[0] == '\0' ? "" : ": ", sentence));
}

void fs_report_add_placed(fs_report *report, fs_mark mark, const char *text) {
    add_text(report, FS_INPUT, mark, fs_arena_strdup(report->arena, text));
}

void fs_report_add(fs_report *report, fs_mark mark, const char *key, const char *format, ...) {
    FS_VARIADIC(args, format,
                add(report, FS_INPUT, mark, key, fs_arena_vprintf(report->arena, format, args)));
}

void fs_report_add_io(fs_report *report, fs_mark mark, const char *key, const char *format, ...) {
    FS_VARIADIC(args, format, add(report, FS_IO, mark, key, fs_arena_vprintf(report->arena, format, args)));
}

size_t fs_report_count(const fs_report *report) {
    return report->count;
}

static int compare(const void *pa, const void *pb) {
    const item *a = pa, *b = pb;
    if (a->mark.source->order != b->mark.source->order)
        return a->mark.source->order < b->mark.source->order ? -1 : 1;
    if (a->mark.line != b->mark.line)
        return a->mark.line < b->mark.line ? -1 : 1;
    if (a->mark.column != b->mark.column)
        return a->mark.column < b->mark.column ? -1 : 1;
    return a->number < b->number ? -1 : a->number > b->number;
}

fs_status fs_report_finish(fs_report *report, fs_error *err) {
    if (report->count == 0)
        return FS_OK;
    fs_status status = FS_IO;
    qsort(report->items, report->count, sizeof *report->items, compare);
    for (size_t i = 0; i < report->count; i++)
        if (report->items[i].status == FS_INPUT)
            status = FS_INPUT;
    for (size_t i = 0; i < report->count; i++) {
        size_t used = err->status == FS_OK ? 0 : strlen(err->text);
        const bool full = used + strlen(report->items[i].text) + ROOM_FOR_LAST_LINE > sizeof err->text;
        if (full || (i == SHOWN_ERRORS && report->count - i > 1))
            return fs_fail_also(err, status, "... and %zu errors more", report->count - i);
        fs_fail_also(err, status, "%s", report->items[i].text);
    }
    return status;
}

const char *fs_mark_text(fs_arena *arena, fs_mark mark) {
    if (mark.line == 0)
        return mark.source->name;
    return fs_arena_printf(arena, "%s:%d:%d", mark.source->name, mark.line, mark.column);
}

const char *fs_shown(fs_arena *arena, const char *text) {
    size_t length = strlen(text), shown = length;
    if (length > SHOWN_BYTES) {
        shown = SHOWN_BYTES;
        while (shown > 0 && ((unsigned char)text[shown] & 0xc0) == 0x80) /* not inside a character */
            shown--;
    }
    char *copy = fs_arena_printf(arena, "%.*s%s", (int)shown, text, shown < length ? "..." : "");
    for (char *c = copy; *c != '\0'; c++)
        if ((unsigned char)*c < ' ' || *c == 0x7f)
            *c = '?';
    return copy;
}

const char *fs_quoted(fs_arena *arena, const char *text) {
    return fs_arena_printf(arena, "\"%s\"", fs_shown(arena, text));
}
