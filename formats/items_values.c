/* Values of items: what is expected, and what was found. */
#include "formats/items.h"

#include "sim/base/arith.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

void fs_items_skip(fs_items *j) {
    uint32_t deep = 0;
    do {
        const fs_items_kind kind = fs_items_next(j);
        if (kind == FS_ITEM_WRONG || kind == FS_ITEM_END)
            return;
        deep += kind == FS_ITEM_OBJECT || kind == FS_ITEM_ARRAY;
        deep -= kind == FS_ITEM_OBJECT_END || kind == FS_ITEM_ARRAY_END;
    } while (deep > 0);
}

/* What stands there, for a message. */
static const char *found(const fs_items *j, fs_items_kind kind, char words[64]) {
    static const char *const names[] = {[FS_ITEM_END] = "the end of the file",
                                        [FS_ITEM_OBJECT] = "an object",
                                        [FS_ITEM_OBJECT_END] = "the end of an object",
                                        [FS_ITEM_ARRAY] = "an array",
                                        [FS_ITEM_ARRAY_END] = "the end of an array"};
    if (kind < FS_COUNT(names) && names[kind] != NULL)
        return names[kind];
    snprintf(words, 64, kind == FS_ITEM_TEXT || kind == FS_ITEM_KEY ? "\"%.40s\"" : "%.40s",
             fs_items_text(j));
    return words;
}

bool fs_items_expect(fs_items *j, fs_items_kind wanted, const char *expected) {
    char words[64];
    const fs_items_kind kind = fs_items_next(j);
    return kind == wanted || fs_items_wrong(j, "expected %s, found %s", expected, found(j, kind, words));
}

/* The next item is a whole number, in strtoll's letters. */
static bool is_whole(fs_items *j, fs_items_kind kind) {
    return kind == FS_ITEM_NUMBER && fs_items_text(j)[strspn(fs_items_text(j), "-0123456789")] == '\0';
}

static bool no_whole(fs_items *j, fs_items_kind kind, int64_t least, uint64_t most) {
    char words[64];
    return fs_items_wrong(j, "expected a whole number, %" PRId64 " ... %" PRIu64 ", found %s", least, most,
                          found(j, kind, words));
}

bool fs_items_whole(fs_items *j, int64_t least, uint64_t most, uint64_t *out) {
    const fs_items_kind kind = fs_items_next(j);
    errno = 0;
    const bool is = is_whole(j, kind) && fs_items_text(j)[0] != '-';
    *out = is ? strtoull(fs_items_text(j), NULL, 10) : 0;
    return (is && errno == 0 && *out >= (uint64_t)least && *out <= most) || no_whole(j, kind, least, most);
}

bool fs_items_signed(fs_items *j, int64_t least, int64_t most, int64_t *out) {
    const fs_items_kind kind = fs_items_next(j);
    errno = 0;
    const bool is = is_whole(j, kind);
    *out = is ? strtoll(fs_items_text(j), NULL, 10) : 0;
    return (is && errno == 0 && *out >= least && *out <= most) || no_whole(j, kind, least, (uint64_t)most);
}

bool fs_items_real(fs_items *j, double *out) {
    if (!fs_items_expect(j, FS_ITEM_NUMBER, "a number"))
        return false;
    *out = strtod(fs_items_text(j), NULL);
    return isfinite(*out) || fs_items_wrong(j, "expected a number, found %.40s", fs_items_text(j));
}

bool fs_items_string(fs_items *j, char *out, size_t room) {
    if (!fs_items_expect(j, FS_ITEM_TEXT, "a text"))
        return false;
    const size_t length = strlen(fs_items_text(j));
    if (length >= room)
        return fs_items_wrong(j, "expected a text of at most %zu bytes, found %zu", room - 1, length);
    memcpy(out, fs_items_text(j), length + 1);
    return true;
}

bool fs_items_wholes(fs_items *j, const char *expected, uint64_t most, uint64_t *out, size_t count) {
    bool good = fs_items_expect(j, FS_ITEM_ARRAY, expected);
    for (size_t i = 0; i < count && good; i++)
        good = fs_items_whole(j, 0, most, &out[i]);
    return good && fs_items_expect(j, FS_ITEM_ARRAY_END, expected);
}

/* ---- objects and arrays ---- */

static bool take_value(fs_items *j, const fs_items_key *k, void *self) {
    void *to = (char *)self + k->at;
    return k->take != NULL ? k->take(j, to) : fs_items_signed(j, k->least, k->most, to);
}

static bool pass_value(fs_items *j, void *to) {
    (void)to;
    fs_items_skip(j);
    return true;
}

bool fs_items_object(fs_items *j, const char *expected, const fs_items_key *keys, size_t count, void *self,
                     fs_items_take *other) {
    fs_items_kind kind;
    if (!fs_items_expect(j, FS_ITEM_OBJECT, expected))
        return false;
    const uint64_t line = fs_items_line(j), column = fs_items_column(j);
    while ((kind = fs_items_next(j)) == FS_ITEM_KEY) {
        const char *text = fs_items_text(j);
        size_t i = 0;
        while (i < count &&
               (keys[i].key[0] != text[0] || strcmp(keys[i].key, text) != 0)) /* often, so by its letter */
            i++;
        if (!(i < count ? take_value(j, &keys[i], self) : (other != NULL ? other : pass_value)(j, self)))
            return false;
    }
    if (kind == FS_ITEM_OBJECT_END)
        fs_items_set_place(j, line, column);
    return kind == FS_ITEM_OBJECT_END;
}

bool fs_items_array(fs_items *j, const char *expected, fs_items_take *take, void *to) {
    if (!fs_items_expect(j, FS_ITEM_ARRAY, expected))
        return false;
    while (fs_items_more(j))
        if (!take(j, to))
            return false;
    return !fs_items_failed(j);
}

bool fs_items_numbered(fs_items *j, const char *what, uint64_t most, uint64_t *out) {
    const char *text = fs_items_text(j);
    char *rest;
    *out = strtoull(text, &rest, 10);
    return (text[0] >= '0' && text[0] <= '9' && *rest == '\0' && *out <= most) ||
           fs_items_wrong(j, "expected %s, 0 ... %" PRIu64 ", found \"%.40s\"", what, most, text);
}

/* ---- what a file begins with ---- */

size_t fs_items_first(const uint8_t *head, size_t bytes) {
    size_t at = 0;
    while (at < bytes && (head[at] == ' ' || (head[at] >= '\t' && head[at] <= '\r') || head[at] >= 0x80))
        at++;
    return at;
}

bool fs_items_hold(const uint8_t *head, size_t bytes, const char *what) {
    for (size_t k = 0; k + strlen(what) <= bytes; k++)
        if (memcmp(head + k, what, strlen(what)) == 0)
            return true;
    return false;
}
