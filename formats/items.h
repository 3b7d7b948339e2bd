/* JSON (RFC 8259), an item at a time, with places: a file of any length takes the memory of its longest text. Nesting
 * above FS_ITEM_DEEPEST and texts above FS_ITEM_LONGEST are refused. YAML gives the same items, from its tree.
 *
 *     while ((kind = fs_items_next(j)) == FS_ITEM_KEY)
 *         if (strcmp(fs_items_text(j), "cycles") == 0)
 *             fs_items_whole(j, 0, UINT64_MAX, &cycles);
 *         else
 *             fs_items_skip(j);
 */
#pragma once

#include "formats/bytes.h"

#include <stdbool.h>

enum { FS_ITEM_DEEPEST = 64, FS_ITEM_LONGEST = 32 << 10 };

typedef enum fs_items_kind {
    FS_ITEM_END,   /* of the text */
    FS_ITEM_WRONG, /* fs_items_finish has the error; it comes again and again */
    FS_ITEM_OBJECT,
    FS_ITEM_OBJECT_END,
    FS_ITEM_ARRAY,
    FS_ITEM_ARRAY_END,
    FS_ITEM_KEY,
    FS_ITEM_TEXT,
    FS_ITEM_NUMBER,
    FS_ITEM_WORD, /* true, false, null */
} fs_items_kind;

typedef struct fs_items fs_items;

/* comments: what begins with // or stands between / * and * / is passed over. The bytes stay the caller's. */
fs_items *fs_items_of(fs_bytes *bytes, bool comments);
/* A YAML file. NULL: it is none. */
fs_items *fs_items_yaml(const char *path, fs_error *err);
/* FS_OK, or the first error, with its place in front; frees. */
fs_status fs_items_finish(fs_items *json, fs_error *err);

/* The next item. Of a key, a text, a number or a word: its text (fs_items_text). */
fs_items_kind fs_items_next(fs_items *json);
const char *fs_items_text(const fs_items *json); /* until the next item */
uint64_t fs_items_line(const fs_items *json);    /* where the item begins, from 1 */
uint64_t fs_items_column(const fs_items *json);  /* the same */

/* In an array: another item follows; else its end has been read, or something is wrong. */
bool fs_items_more(fs_items *json);
/* The value behind a key, or the next of an array: passed over, with all that is in it. */
void fs_items_skip(fs_items *json);
/* A whole number from least to most; a text; a number: else the error "LINE:COLUMN: KEY: expected ..., found ..." and
 * false. The value was read either way. */
bool fs_items_whole(fs_items *json, int64_t least, uint64_t most, uint64_t *out);
bool fs_items_signed(fs_items *json, int64_t least, int64_t most, int64_t *out);
bool fs_items_real(fs_items *json, double *out);
/* Into `out`, ended by a NUL; a text that does not fit is an error. */
bool fs_items_string(fs_items *json, char *out, size_t room);
/* The next item is of that kind; else an error that says what was expected. */
bool fs_items_expect(fs_items *json, fs_items_kind kind, const char *expected);
/* An array of exactly `count` whole numbers, 0 to most; `expected`: "a place, [x, y]". */
bool fs_items_wholes(fs_items *json, const char *expected, uint64_t most, uint64_t *out, size_t count);

/* A value: read into *to. */
typedef bool fs_items_take(fs_items *json, void *to);
/* A key of an object, and what its value becomes. */
typedef struct fs_items_key {
    const char *key;
    size_t at;           /* where in the owner's struct */
    fs_items_take *take; /* NULL: a whole number into an int64_t, least to most */
    int64_t least, most;
} fs_items_key;
/* The next item, an object, into the struct `self` by its keys; `other` takes what stands behind any other key, NULL: it is passed
 * over. `expected`: "an event, an object". Behind it the item read last is the whole object. */
bool fs_items_object(fs_items *json, const char *expected, const fs_items_key *keys, size_t count, void *self,
                     fs_items_take *other);
/* The items of an array, one by one. */
bool fs_items_array(fs_items *json, const char *expected, fs_items_take *take, void *to);
/* The item read last as a number of 0 ... most, as keys of an object have it: "7". */
bool fs_items_numbered(fs_items *json, const char *what, uint64_t most, uint64_t *out);

/* ---- what a file begins with ---- */

/* Where the first letter stands that is no blank and in no mark of UTF-8; bytes: there is none. */
size_t fs_items_first(const uint8_t *head, size_t bytes);
bool fs_items_hold(const uint8_t *head, size_t bytes, const char *what);

/* An error at the item read last: "FILE:LINE:COLUMN: ...". Returns false. The first one counts. */
bool fs_items_wrong(fs_items *json, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The item read last stands there, as the object that was read to its end does. */
void fs_items_set_place(fs_items *json, uint64_t line, uint64_t column);
bool fs_items_failed(const fs_items *json);
