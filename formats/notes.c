#include "formats/notes.h"

#include <inttypes.h>
#include <stdlib.h>

/* Letters of a file as they may stand on a terminal. */
static char letter(char c) {
    return (char)(c != '\0' && ((unsigned char)c < ' ' || c == 0x7f) ? '?' : c);
}

static bool is_same(const char *kept, const char *what) {
    while (*kept != '\0' && *kept == letter(*what)) {
        kept++;
        what++;
    }
    return *kept == *what;
}

void fs_notes_add(fs_notes *notes, fs_note note) {
    if (notes == NULL)
        return;
    for (size_t i = 0; i < notes->count; i++) {
        fs_note *n = &notes->item[i];
        if ((n->kind == note.kind && is_same(n->what, note.what)) || i + 1 == FS_NOTES_MOST) {
            n->count++;
            return;
        }
    }
    notes->item = fs_arena_grow(notes->arena, notes->item, notes->count, sizeof *notes->item);
    fs_note *n = &notes->item[notes->count++];
    *n = note;
    char *what = fs_arena_strdup(notes->arena, note.what);
    n->what = what;
    for (; *what != '\0'; what++)
        *what = letter(*what);
    n->words = fs_arena_strdup(notes->arena, note.words == NULL ? "" : note.words);
    n->file = fs_arena_strdup(notes->arena, note.file == NULL ? "" : note.file);
    n->count = 1;
}

size_t fs_notes_of(const fs_notes *notes, fs_note_kind kind) {
    size_t count = 0;
    for (size_t i = 0; i < notes->count; i++)
        count += notes->item[i].kind == kind;
    return count;
}

static bool is_refused(const fs_note *n, bool strict) {
    return n->kind == FS_NOTE_REFUSED || (strict && n->kind == FS_NOTE_NEAR);
}

/* What stands nowhere comes last. */
static int by_place(const void *a, const void *b) {
    const fs_note *x = *(const fs_note *const *)a, *y = *(const fs_note *const *)b;
    if (x->line != y->line)
        return x->line - 1 < y->line - 1 ? -1 : 1;
    return x->column != y->column ? (x->column < y->column ? -1 : 1) : x < y ? -1 : x > y;
}

fs_status fs_notes_refuse(const fs_notes *notes, bool strict, bool all, fs_error *err) {
    const fs_note **list = FS_NEW(notes->arena, const fs_note *, notes->count + 1);
    size_t count = 0;
    for (size_t i = 0; i < notes->count; i++)
        if (is_refused(&notes->item[i], strict))
            list[count++] = &notes->item[i];
    qsort(list, count, sizeof *list, by_place);
    for (size_t i = 0; i < (all || count == 0 ? count : 1); i++) {
        const fs_note *n = list[i];
        const char *place =
            n->line > 0 ? fs_arena_printf(notes->arena, ":%" PRIu64 ":%" PRIu64, n->line, n->column) : "";
        const char *more =
            all || count == 1
                ? ""
                : fs_arena_printf(notes->arena, " (%zu more cannot be had: --all lists them)", count - 1);
        fs_fail_also(err, FS_INPUT, "%s%s: %s: %s%s", n->file, place, n->what, n->words, more);
    }
    return count > 0 ? FS_INPUT : FS_OK;
}
