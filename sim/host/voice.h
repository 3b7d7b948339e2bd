/* Messages to the user, on stderr, in between results and errors: none with --quiet.
 *
 * The process has one voice, as it has one stderr. Whoever silences it for a while gives it back as it was:
 *
 *     const bool was = fs_say_quiet(true);
 *     ...
 *     fs_say_quiet(was);
 */
#pragma once

#include "sim/base/alloc.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Silences the voice or lets it speak; returns whether it was silent. From the main thread. */
bool fs_say_quiet(bool quiet);
bool fs_is_quiet(void);

/* Words go to `hear` instead of stderr, quiet or not, until it is NULL again: for a caller that says many
 * alike once. From the main thread; calls do not nest. */
typedef void fs_voice_hearer(void *self, const char *line);
void fs_voice_heard(fs_voice_hearer *hear, void *self);

/* One line; ends in '\n' by itself. */
void fs_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Prints a text that somebody else may have written: of control characters only ends of lines and tabs reach
 * the terminal, which would do as they say; each other one is a question mark. */
void fs_put_plain(const char *text, FILE *out);

/* The same of what was printed in pieces to a stream into memory, which is closed and freed. */
void fs_put_plain_stream(fs_memory *memory, FILE *out);

/* The terminal's last line is a progress bar (progress.c), which words wipe away. */
void fs_voice_bar(bool stands);
