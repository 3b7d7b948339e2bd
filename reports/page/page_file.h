/* What sheets, plots and documents are made of: growing text, whole files, PNG files in few bytes. */
#pragma once

#include "sim/base/alloc.h"
#include "sim/base/error.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct fs_text {
    char *text; /* NUL after `used`; NULL while nothing was added; owner: who holds the struct, free() */
    size_t used, room;
} fs_text;

void fs_page_text_add(fs_text *text, const char *bytes, size_t count);
/* By printf rules, of any length. */
void fs_page_text_print(fs_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void fs_page_text_vprint(fs_text *text, const char *format, va_list args)
    __attribute__((format(printf, 2, 0)));
/* Writes the text as FOLDER/NAME.ENDING and empties it. */
fs_status fs_page_text_save(fs_text *text, const char *folder, const char *name, const char *ending,
                            fs_error *err);

/* A whole file with a NUL after it; its length in *bytes unless that is NULL. Owner: caller, free(). NULL
 * and FS_IO when it cannot be read. */
char *fs_page_read(const char *path, size_t *bytes, fs_error *err);
/* Escapes & < > " ' into `out` (room for 6 bytes for each of text and one more): its length. */
size_t fs_page_escape(const char *text, char *out);
/* A path as part of an address: "a%20b.html", of the arena. */
const char *fs_page_address(fs_arena *arena, const char *path);
/* Base64 (RFC 4648, padded) into `out` (room for 4 * ((bytes + 2) / 3) + 1), with a final NUL: its length. */
size_t fs_page_base64(const void *bytes, size_t count, char *out);

/* A PNG file as a page holds it, [*bytes]: what is more than `light` bytes with 256 colours and, beyond `dots` pixels, means
 * of as many as it takes (*reduced). Owner: caller, free(). NULL and FS_IO when it cannot be read. */
char *fs_page_small_png(const char *path, size_t light, uint64_t dots, size_t *bytes, bool *reduced,
                        fs_error *err);

/* Rewrites the PNG file `from` as `to` (they may be the same) with a palette of its 256 most frequent
 * colours; all others become the nearest of them. FS_IO. */
fs_status fs_page_shrink_png(const char *from, const char *to, fs_error *err);
