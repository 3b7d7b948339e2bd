/* Statements `key = value;` of a configuration, each key with the types that the original has for it. */
#include "formats/booksim/private.h"
#include "sim/yaml/words.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A file while it is split. */
typedef struct reader {
    fs_booksim *b;
    char *at;
    uint32_t line, column;
    fs_error *err;
} reader;

__attribute__((format(printf, 4, 5))) static fs_status wrong(const reader *r, uint32_t line, uint32_t column,
                                                             const char *format, ...) {
    const char *words;
    FS_VARIADIC(args, format, words = fs_arena_vprintf(r->b->arena, format, args));
    return fs_fail(r->err, FS_INPUT, "%s:%u:%u: %s", r->b->path, line, column, words);
}

static void step(reader *r) {
    r->column = *r->at == '\n' ? 1 : r->column + 1;
    r->line += *r->at++ == '\n';
}

static void pass_blanks(reader *r) {
    for (;;) {
        if (r->at[0] == '/' && r->at[1] == '/')
            while (*r->at != '\0' && *r->at != '\n')
                step(r);
        else if (*r->at == ' ' || *r->at == '\t' || *r->at == '\r' || *r->at == '\n')
            step(r);
        else
            return;
    }
}

/* What stands where something else was expected, for a sentence. */
static const char *found(const reader *r) {
    size_t n = 0;
    while (n < 24 && isgraph((unsigned char)r->at[n]) && r->at[n] != ';')
        n++;
    return *r->at == '\0'
               ? "the end of the file"
               : fs_quoted(r->b->arena, fs_arena_printf(r->b->arena, "%.*s", (int)(n > 0 ? n : 1), r->at));
}

static bool is_name(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

/* ---- values ---- */

bool fs_booksim_number(const char *text, int64_t *out) {
    char *end = NULL;
    const char *digits = text + (*text == '-');
    *out = *digits >= '0' && *digits <= '9' ? strtoll(text, &end, 10) : 0;
    return end != NULL && *end == '\0' && strlen(digits) <= 18;
}

bool fs_booksim_is_real(const char *text) {
    char *end = NULL;
    return strspn(text, "-+.0123456789eE") == strlen(text) && isfinite(strtod(text, &end)) && end != text &&
           *end == '\0';
}

/* Braces and parentheses close what they open. */
static bool is_closed(const char *value) {
    char open[64];
    size_t depth = 0;
    for (; *value != '\0'; value++) {
        if (*value == '{' || *value == '(') {
            if (depth == sizeof open)
                return false;
            open[depth++] = *value;
        } else if ((*value == '}' || *value == ')') &&
                   (depth == 0 || open[--depth] != (*value == '}' ? '{' : '('))) {
            return false;
        }
    }
    return depth == 0;
}

/* The value up to its semicolon; blanks stand around it and inside its braces alone. NULL with an error. */
static const char *take_value(reader *r) {
    const uint32_t line = r->line, column = r->column;
    char *value = r->at, *out = r->at;
    uint64_t depth = 0;
    while (*r->at != ';') {
        const char *before = r->at;
        pass_blanks(r);
        const bool apart = out == value || strchr("{(,", out[-1]) != NULL || strchr(",})", *r->at) != NULL;
        if (r->at != before && (depth == 0 || !apart) && *r->at != ';') {
            wrong(r, r->line, r->column, "expected a semicolon behind the value before, found %s", found(r));
            return NULL;
        }
        if (*r->at == ';')
            break;
        if (*r->at == '\0' || !isprint((unsigned char)*r->at) || strchr("=\"'", *r->at) != NULL) {
            wrong(r, r->line, r->column, "expected a value and a semicolon, found %s", found(r));
            return NULL;
        }
        depth += *r->at == '{' || *r->at == '(';
        depth -= depth > 0 && (*r->at == '}' || *r->at == ')');
        const char c = *r->at;
        step(r);
        *out++ = c;
    }
    step(r);
    *out = '\0';
    if (*value != '\0' && is_closed(value))
        return value;
    wrong(r, line, column, *value == '\0' ? "expected a value, found none" : "braces do not close, found %s",
          fs_quoted(r->b->arena, value));
    return NULL;
}

static const char *types_of(int types) {
    return (types & FS_BOOKSIM_WORD) == 0   ? types & FS_BOOKSIM_REAL ? "a number" : "a whole number"
           : types == FS_BOOKSIM_WORD       ? "a word"
           : (types & FS_BOOKSIM_REAL) != 0 ? "a number or a list"
                                            : "a whole number, a word or a list";
}

/* The original takes a whole number for no key of numbers with a point; here it is one. */
static bool fits(const fs_booksim_key *key, const char *value, bool *pointless) {
    int64_t n;
    const bool whole = fs_booksim_number(value, &n), real = fs_booksim_is_real(value);
    *pointless = whole && (key->types & (FS_BOOKSIM_WHOLE | FS_BOOKSIM_REAL)) == FS_BOOKSIM_REAL;
    if (real)
        return (whole && (key->types & FS_BOOKSIM_WHOLE) != 0) || (key->types & FS_BOOKSIM_REAL) != 0;
    return (key->types & FS_BOOKSIM_WORD) != 0 &&
           (value[0] == '{' || isalpha((unsigned char)value[0]) || strchr("_-/.", value[0]) != NULL);
}

/* ---- statements ---- */

static const fs_booksim_key *key_of(const char *name, size_t *at) {
    for (*at = 0; fs_booksim_keys[*at].name != NULL; ++*at)
        if (strcmp(fs_booksim_keys[*at].name, name) == 0)
            return &fs_booksim_keys[*at];
    return NULL;
}

/* A key that the original does not know would end it. */
static fs_status unknown(const reader *r, const char *name, uint32_t line, uint32_t column) {
    const char *names[FS_BOOKSIM_KEYS + 1] = {NULL};
    for (size_t i = 0; fs_booksim_keys[i].name != NULL; i++)
        names[i] = fs_booksim_keys[i].name;
    return wrong(r, line, column, "%s: the original has no such key%s", name, FS_MEANT(name, names));
}

static fs_status take_statement(reader *r) {
    const uint32_t line = r->line, column = r->column;
    char *name = r->at;
    while (is_name(*r->at))
        step(r);
    const size_t length = (size_t)(r->at - name);
    if (length == 0 || isdigit((unsigned char)name[0]))
        return wrong(r, line, column, "expected a key, found %s", (r->at = name, found(r)));
    pass_blanks(r);
    if (*r->at != '=')
        return wrong(r, r->line, r->column, "expected = behind the key %.*s, found %s", (int)length, name,
                     found(r));
    step(r);
    name[length] = '\0';
    size_t k;
    const fs_booksim_key *key = key_of(name, &k);
    if (key == NULL)
        return unknown(r, name, line, column);
    pass_blanks(r);
    fs_booksim_setting now = {.line = r->line, .column = r->column};
    if ((now.value = take_value(r)) == NULL)
        return r->err->status;
    bool pointless;
    if (!fits(key, now.value, &pointless))
        return wrong(r, now.line, now.column, "%s: expected %s, found %s", name, types_of(key->types),
                     fs_quoted(r->b->arena, now.value));
    const uint32_t before = r->b->of[k].line;
    r->b->of[k] = now;
    if (pointless)
        fs_booksim_say(r->b, FS_NOTE_IGNORED, name,
                       "the original wants a point in this number; taken as %s.0", now.value);
    if (before > 0)
        fs_booksim_say(r->b, FS_NOTE_IGNORED, name, "stands in line %u, too; the last one counts", before);
    return FS_OK;
}

fs_status fs_booksim_split(fs_booksim *b, char *text, fs_error *err) {
    reader r = {.b = b, .at = text, .line = 1, .column = 1, .err = err};
    for (size_t k = 0; fs_booksim_keys[k].name != NULL; k++)
        b->of[k] = (fs_booksim_setting){.value = fs_booksim_keys[k].usual};
    for (pass_blanks(&r); *r.at != '\0'; pass_blanks(&r))
        if (take_statement(&r))
            return err->status;
    return FS_OK;
}

/* ---- asked ---- */

const fs_booksim_setting *fs_booksim_of(const fs_booksim *b, const char *key) {
    size_t k;
    const bool known = key_of(key, &k) != NULL;
    FS_ASSERT(known, "no key %s", key);
    return &b->of[k];
}

const char *fs_booksim_word(const fs_booksim *b, const char *key) {
    return fs_booksim_of(b, key)->value;
}

bool fs_booksim_is(const fs_booksim *b, const char *key, const char *word) {
    return strcmp(fs_booksim_word(b, key), word) == 0;
}

int64_t fs_booksim_whole(const fs_booksim *b, const char *key) {
    int64_t n = 0;
    fs_booksim_number(fs_booksim_word(b, key), &n);
    return n;
}

double fs_booksim_real(const fs_booksim *b, const char *key) {
    return strtod(fs_booksim_word(b, key), NULL);
}

bool fs_booksim_say(fs_booksim *b, fs_note_kind kind, const char *key, const char *format, ...) {
    const fs_booksim_setting *s = fs_booksim_of(b, key);
    const char *words;
    FS_VARIADIC(args, format, words = fs_arena_vprintf(b->arena, format, args));
    const char *what = fs_arena_printf(b->arena, "%s %s%s", key, fs_shown(b->arena, s->value),
                                       s->line > 0 ? "" : " (its default)");
    fs_notes_add(b->notes, (fs_note){.kind = kind,
                                     .what = what,
                                     .words = words,
                                     .file = b->path,
                                     .line = s->line,
                                     .column = s->column});
    return false;
}

const char *fs_booksim_quoted(const fs_booksim *b, const char *text) {
    char *out = fs_arena_alloc(b->arena, 2 * strlen(text) + 3, 1), *to = out;
    for (*to++ = '\''; *text != '\0'; *to++ = *text++)
        if (*text == '\'')
            *to++ = '\'';
    *to = '\'';
    return out;
}

/* ---- lists ---- */

const char **fs_booksim_list(const fs_booksim *b, const char *text, size_t *count) {
    const char **list = NULL;
    size_t depth = 0;
    *count = 0;
    if (text[0] != '{') {
        list = FS_NEW(b->arena, const char *, 1);
        list[0] = text;
        *count = text[0] != '\0';
        return list;
    }
    for (const char *begin = text + 1, *at = begin; *at != '\0'; at++) {
        if (depth == 0 && (*at == ',' || *at == '}')) {
            list = fs_arena_grow(b->arena, list, *count, sizeof *list);
            if (at > begin)
                list[(*count)++] = fs_arena_printf(b->arena, "%.*s", (int)(at - begin), begin);
            begin = at + 1;
            if (*at == '}')
                break;
        }
        depth += *at == '{' || *at == '(';
        depth -= depth > 0 && (*at == '}' || *at == ')');
    }
    return list;
}

const char *fs_booksim_inside(const fs_booksim *b, const char *text, size_t *name) {
    *name = strcspn(text, "(");
    const char *end = strrchr(text, ')');
    if (text[*name] == '\0' || end == NULL)
        return NULL;
    return fs_arena_printf(b->arena, "%.*s", (int)(end - text - 1) - (int)*name, text + *name + 1);
}
