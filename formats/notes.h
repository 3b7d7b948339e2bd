/* What became of the things that a file says, for the person who reads it: each once, with the place where it stood first
 * and how often it came. */
#pragma once

#include "sim/base/alloc.h"
#include "sim/base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum fs_note_kind {
    FS_NOTE_TAKEN,   /* became something of this machine or workload */
    FS_NOTE_NEAR,    /* was set aside, and may change a result: refused where the reading is strict */
    FS_NOTE_IGNORED, /* changes no result */
    FS_NOTE_REFUSED, /* cannot be had */
} fs_note_kind;

typedef struct fs_note {
    fs_note_kind kind;
    const char *what;  /* "vc", "input_speedup 2" */
    const char *words; /* what was done instead: "takes the next free channel" */
    const char *file;
    uint64_t line, column; /* of the first; 0: none */
    uint64_t count;
} fs_note;

typedef struct fs_notes {
    fs_arena *arena;
    fs_note *item; /* [count] in the order in which they came */
    size_t count;
} fs_notes;

enum { FS_NOTES_MOST = 256 }; /* different ones; what comes after them is counted with the last */

/* Notes it, or counts one that is there: of the same kind and `what`. Texts are copied. NULL: nobody asks. */
void fs_notes_add(fs_notes *notes, fs_note note);
size_t fs_notes_of(const fs_notes *notes, fs_note_kind kind); /* how many different ones */
/* FS_INPUT with the first thing that is refused, in the order of the file, and how many more; all: with each of them; strict: what
 * is near is refused, too. FS_OK: nothing is. */
fs_status fs_notes_refuse(const fs_notes *notes, bool strict, bool all, fs_error *err);
