/* A file of another tool written into the current folder and read by its format. */
#pragma once

#include "formats/format.h"

typedef struct reading {
    fs_arena *arena;
    fs_format_asked asked;
    fs_format_told told;
    fs_notes notes;
    fs_error err; /* of telling, else of what is refused */
} reading;

/* Everything asked of the whole file; its arena is the test's. */
reading reading_begin(void);
/* Tells a file, and what of it is refused. */
fs_status reading_tell(reading *r, const fs_format *format, const char *path);
/* A note of that kind whose `what` begins so; NULL: none. */
const fs_note *reading_note(const reading *r, fs_note_kind kind, const char *what);

/* Told of after Ctrl-C, in a process of its own: FS_RUN with these words. */
bool reading_is_interrupted(const fs_format *format, const char *path, const char *words);

/* The tasks of a file that reads: [count], their `after` in `waits` one after another. */
typedef struct reading_tasks {
    fs_task task[256];
    uint64_t waits[1024];
    size_t count, wait_count;
} reading_tasks;
void reading_take(reading *r, const fs_format *format, const char *path, reading_tasks *out);
