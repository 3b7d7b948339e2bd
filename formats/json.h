/* JSON (RFC 8259), an item at a time, with places: a file of any length takes the memory of its longest text. Nesting
 * above FS_JSON_DEEPEST and texts above FS_JSON_LONGEST are refused. YAML gives the same items, from its tree.
 *
 *     while ((kind = fs_json_next(j)) == FS_JSON_KEY)
 *         if (fs_json_is(j, "cycles"))
 *             fs_json_whole(j, 0, UINT64_MAX, &cycles);
 *         else
 *             fs_json_skip(j);
 */
#ifndef FOAMSIM_FORMATS_JSON_H
#define FOAMSIM_FORMATS_JSON_H

#include "formats/bytes.h"

#include "sim/base/alloc.h"

enum { FS_JSON_DEEPEST = 64, FS_JSON_LONGEST = 32 << 10 };

typedef enum fs_json_kind {
    FS_JSON_END,   /* of the text */
    FS_JSON_WRONG, /* fs_json_finish has the error; it comes again and again */
    FS_JSON_OBJECT,
    FS_JSON_OBJECT_END,
    FS_JSON_ARRAY,
    FS_JSON_ARRAY_END,
    FS_JSON_KEY,
    FS_JSON_TEXT,
    FS_JSON_NUMBER,
    FS_JSON_WORD, /* true, false, null */
} fs_json_kind;

typedef struct fs_json fs_json;

/* comments: what begins with // or stands between / * and * / is passed over. The bytes stay the caller's. */
fs_json *fs_json_of(fs_bytes *bytes, bool comments);
/* A YAML file. NULL: it is none. */
fs_json *fs_json_yaml(const char *path, fs_error *err);
/* FS_OK, or the first error, with its place in front; frees. */
fs_status fs_json_finish(fs_json *json, fs_error *err);

/* The next item. Of a key, a text, a number or a word: its text (fs_json_text). */
fs_json_kind fs_json_next(fs_json *json);
const char *fs_json_text(const fs_json *json); /* until the next item */
bool fs_json_is(const fs_json *json, const char *text);
uint64_t fs_json_line(const fs_json *json);   /* where the item begins, from 1 */
uint64_t fs_json_column(const fs_json *json); /* the same */

/* The value behind a key, or the next of an array: passed over, with all that is in it. */
void fs_json_skip(fs_json *json);
/* A whole number from least to most; a text; a number: else the error "LINE:COLUMN: KEY: expected ..., found ..." and
 * false. The value was read either way. */
bool fs_json_whole(fs_json *json, int64_t least, uint64_t most, uint64_t *out);
bool fs_json_signed(fs_json *json, int64_t least, int64_t most, int64_t *out);
bool fs_json_real(fs_json *json, double *out);
/* Into `out`, ended by a NUL; a text that does not fit is an error. */
bool fs_json_string(fs_json *json, char *out, size_t room);
/* The next item is of that kind; else an error that says what was expected. */
bool fs_json_expect(fs_json *json, fs_json_kind kind, const char *expected);

/* An error at the item read last, or at a place: "FILE:LINE:COLUMN: ...". Returns false. The first one counts. */
bool fs_json_wrong(fs_json *json, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool fs_json_wrong_at(fs_json *json, uint64_t line, uint64_t column, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
bool fs_json_failed(const fs_json *json);

#endif
