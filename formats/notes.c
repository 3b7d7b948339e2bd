#include "formats/notes.h"

#include <string.h>

void fs_notes_add(fs_notes *notes, fs_note note) {
    for (size_t i = 0; i < notes->count; i++) {
        fs_note *n = &notes->item[i];
        if ((n->kind == note.kind && strcmp(n->what, note.what) == 0) || i + 1 == FS_NOTES_MOST) {
            n->count++;
            return;
        }
    }
    notes->item = fs_arena_grow(notes->arena, notes->item, notes->count, sizeof *notes->item);
    fs_note *n = &notes->item[notes->count++];
    *n = note;
    n->what = fs_arena_strdup(notes->arena, note.what);
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
