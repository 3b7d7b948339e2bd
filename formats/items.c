#include "formats/items.h"

#include "sim/yaml/tree.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* What may come next. */
typedef enum state { VALUE, FIRST_VALUE, KEY, FIRST_KEY, COMMA, DONE } state;

/* A mapping or list of a YAML tree that is being gone through. */
typedef struct level {
    const fs_node *node;
    size_t at;
    bool key; /* the next item is a key */
} level;

struct fs_items {
    fs_bytes *bytes; /* NULL: YAML */
    bool comments;
    const uint8_t *window, *at, *end; /* what has been looked at */
    uint64_t base, line_base, line;   /* bytes before the window, before the line; lines so far */
    state state;
    uint32_t deep;
    bool object[FS_ITEM_DEEPEST]; /* what each level is */
    uint64_t item_line, item_column;
    size_t length;
    fs_error err;
    /* of YAML */
    fs_arena *arena;
    const fs_node *root;
    level level[FS_ITEM_DEEPEST];
    char text[FS_ITEM_LONGEST + 1];
};

/* ---- errors ---- */

bool fs_items_wrong(fs_items *j, const char *format, ...) {
    char words[1024];
    FS_VARIADIC(args, format, vsnprintf(words, sizeof words, format, args));
    const char *name = j->bytes != NULL ? fs_bytes_name(j->bytes) : j->root->mark.source->name;
    fs_fail(&j->err, FS_INPUT, "%s:%" PRIu64 ":%" PRIu64 ": %s", name, j->item_line, j->item_column, words);
    return false;
}

void fs_items_set_place(fs_items *j, uint64_t line, uint64_t column) {
    j->item_line = line;
    j->item_column = column;
}

bool fs_items_failed(const fs_items *j) {
    return j->err.status != FS_OK;
}

/* At the letter that comes next. */
static fs_items_kind unexpected(fs_items *j, const char *expected) {
    j->item_line = j->line;
    j->item_column = j->base + (uint64_t)(j->at - j->window) - j->line_base + 1;
    if (j->at == j->end)
        fs_items_wrong(j, "expected %s, found the end of the file", expected);
    else if (*j->at >= ' ' && *j->at < 0x7f)
        fs_items_wrong(j, "expected %s, found '%c'", expected, *j->at);
    else
        fs_items_wrong(j, "expected %s, found the byte 0x%02x", expected, *j->at);
    return FS_ITEM_WRONG;
}

/* ---- letters ---- */

/* The next letter, or -1 at the end. */
static int look(fs_items *j) {
    if (j->at < j->end)
        return *j->at;
    fs_bytes_skip(j->bytes, (size_t)(j->at - j->window));
    j->base = fs_bytes_place(j->bytes);
    const size_t there = fs_bytes_peek(j->bytes, 1, &j->window);
    j->at = j->window;
    j->end = j->window + there;
    return there == 0 ? -1 : *j->at;
}

static void new_line(fs_items *j) {
    j->line++;
    j->line_base = j->base + (uint64_t)(j->at - j->window);
}

/* A comment that begins at the slash; false: it is none, or has no end. */
static bool pass_comment(fs_items *j) {
    j->at++;
    const int kind = look(j);
    if (kind != '/' && kind != '*')
        return false;
    j->at++;
    for (int c, last = 0; (c = look(j)) >= 0; last = c) {
        if (kind == '/' && c == '\n')
            return true;
        j->at++;
        if (c == '\n')
            new_line(j);
        if (kind == '*' && last == '*' && c == '/')
            return true;
    }
    return kind == '/';
}

/* The next letter that is no blank and in no comment; -1 at the end. */
static int pass_blanks(fs_items *j) {
    for (;;) {
        const int c = look(j);
        if (c == '/' && j->comments) {
            if (!pass_comment(j))
                return '/';
            continue;
        }
        if (c != ' ' && c != '\n' && c != '\t' && c != '\r')
            return c;
        j->at++;
        if (c == '\n')
            new_line(j);
    }
}

/* ---- values ---- */

static bool put(fs_items *j, int c) {
    if (j->length == FS_ITEM_LONGEST)
        return fs_items_wrong(j, "expected a text of at most %d bytes, found a longer one", FS_ITEM_LONGEST);
    j->text[j->length++] = (char)c;
    return true;
}

static bool put_utf8(fs_items *j, uint32_t code) {
    const int more = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3; /* bytes behind the first */
    static const int first[] = {0, 0xc0, 0xe0, 0xf0};
    bool good = put(j, first[more] | (int)(code >> 6 * more));
    for (int i = more; i > 0 && good; i--)
        good = put(j, 0x80 | (int)(code >> 6 * (i - 1) & 0x3f));
    return good;
}

static bool take_hex(fs_items *j, uint32_t *out) {
    *out = 0;
    for (int i = 0; i < 4; i++) {
        const int c = look(j), low = c | 0x20;
        if (!((c >= '0' && c <= '9') || (low >= 'a' && low <= 'f')))
            return unexpected(j, "four digits of 0 ... f behind \\u"), false;
        *out = *out << 4 | (uint32_t)(c <= '9' ? c - '0' : low - 'a' + 10);
        j->at++;
    }
    return true;
}

/* What stands behind a backslash. */
static bool take_escape(fs_items *j) {
    static const char letters[] = "\"\\/bfnrt", means[] = "\"\\/\b\f\n\r\t";
    const int c = look(j);
    const char *at = c <= 0 ? NULL : strchr(letters, c);
    if (at != NULL) {
        j->at++;
        return put(j, means[at - letters]);
    }
    if (c != 'u')
        return unexpected(j, "a letter of \"\\/bfnrtu behind a backslash"), false;
    uint32_t code, low;
    j->at++;
    if (!take_hex(j, &code))
        return false;
    if (code < 0xd800 || code > 0xdfff)
        return code == 0 ? fs_items_wrong(j, "expected a text without \\u0000") : put_utf8(j, code);
    for (const char *other = "\\u"; *other != '\0'; other++, j->at++)
        if (code > 0xdbff || look(j) != *other)
            return unexpected(j, "the other half of a pair of \\u"), false;
    if (!take_hex(j, &low))
        return false;
    return low >= 0xdc00 && low <= 0xdfff ? put_utf8(j, 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00))
                                          : fs_items_wrong(j, "expected the other half of a pair of \\u");
}

static bool take_text(fs_items *j) {
    j->at++;
    for (int c; (c = look(j)) >= ' ' && c != '"';) {
        j->at++;
        if (!(c == '\\' ? take_escape(j) : put(j, c)))
            return false;
    }
    if (look(j) != '"')
        return unexpected(j, "the end of a text, \""), false;
    j->at++;
    return true;
}

static bool take_digits(fs_items *j) {
    int c = look(j);
    if (c < '0' || c > '9')
        return unexpected(j, "a digit"), false;
    for (; c >= '0' && c <= '9'; c = look(j)) {
        if (!put(j, c))
            return false;
        j->at++;
    }
    return true;
}

/* Keeps the next letter where it is one of two. */
static bool take_one(fs_items *j, int one, int other) {
    const int c = look(j);
    return (c == one || c == other) && put(j, c) && j->at++ != NULL;
}

static bool take_number(fs_items *j) {
    take_one(j, '-', '-');
    if (!take_digits(j) || (take_one(j, '.', '.') && !take_digits(j)))
        return false;
    if (!take_one(j, 'e', 'E'))
        return true;
    take_one(j, '+', '-');
    return take_digits(j);
}

static bool take_word(fs_items *j) {
    for (int c = look(j); c >= 'a' && c <= 'z' && j->length < 8; c = look(j)) {
        put(j, c);
        j->at++;
    }
    j->text[j->length] = '\0';
    return strcmp(j->text, "true") == 0 || strcmp(j->text, "false") == 0 || strcmp(j->text, "null") == 0 ||
           fs_items_wrong(j, "expected true, false or null, found \"%s\"", j->text);
}

static fs_items_kind open_level(fs_items *j, bool object) {
    if (j->deep == FS_ITEM_DEEPEST) {
        fs_items_wrong(j, "expected at most %d levels of nesting, found more", FS_ITEM_DEEPEST);
        return FS_ITEM_WRONG;
    }
    j->at++;
    j->object[j->deep++] = object;
    j->state = object ? FIRST_KEY : FIRST_VALUE;
    return object ? FS_ITEM_OBJECT : FS_ITEM_ARRAY;
}

static fs_items_kind close_level(fs_items *j) {
    j->at++;
    const bool object = j->object[--j->deep];
    j->state = j->deep == 0 ? DONE : COMMA;
    return object ? FS_ITEM_OBJECT_END : FS_ITEM_ARRAY_END;
}

static fs_items_kind value(fs_items *j, int c) {
    if (c == '{' || c == '[')
        return open_level(j, c == '{');
    const fs_items_kind kind = c == '"'                             ? FS_ITEM_TEXT
                               : c == '-' || (c >= '0' && c <= '9') ? FS_ITEM_NUMBER
                               : c >= 'a' && c <= 'z'               ? FS_ITEM_WORD
                                                                    : FS_ITEM_END;
    if (kind == FS_ITEM_END)
        return unexpected(j, "a value");
    if (!(kind == FS_ITEM_TEXT ? take_text(j) : kind == FS_ITEM_NUMBER ? take_number(j) : take_word(j)))
        return FS_ITEM_WRONG;
    j->text[j->length] = '\0';
    j->state = j->deep == 0 ? DONE : COMMA;
    return kind;
}

static fs_items_kind key(fs_items *j, int c) {
    if (c != '"')
        return unexpected(j, j->state == FIRST_KEY ? "a key in quotes, or }" : "a key in quotes");
    if (!take_text(j))
        return FS_ITEM_WRONG;
    j->text[j->length] = '\0';
    if (pass_blanks(j) != ':')
        return unexpected(j, "a colon behind the key");
    j->at++;
    j->state = VALUE;
    return FS_ITEM_KEY;
}

static fs_items_kind next_json(fs_items *j) {
    int c = pass_blanks(j);
    if (j->state == COMMA && c == ',') {
        j->at++;
        c = pass_blanks(j);
        j->state = j->object[j->deep - 1] ? KEY : VALUE;
    } else if (j->state == COMMA && c != (j->object[j->deep - 1] ? '}' : ']')) {
        return unexpected(j, j->object[j->deep - 1] ? "a comma or }" : "a comma or ]");
    }
    j->item_line = j->line;
    j->item_column = j->base + (uint64_t)(j->at - j->window) - j->line_base + 1;
    j->length = 0;
    switch (j->state) {
    case DONE:
        return c < 0 ? FS_ITEM_END : unexpected(j, "the end of the file");
    case COMMA:
        return close_level(j);
    case FIRST_KEY:
        return c == '}' ? close_level(j) : key(j, c);
    case KEY:
        return key(j, c);
    case FIRST_VALUE:
        return c == ']' ? close_level(j) : value(j, c);
    case VALUE:
        break;
    }
    return value(j, c);
}

/* ---- YAML ---- */

static bool is_number(const char *text) {
    char *end;
    strtod(text, &end);
    return end != text && *end == '\0' && text[strspn(text, "+-0123456789.eE")] == '\0';
}

static bool keep(fs_items *j, const char *text) {
    for (j->length = 0; *text != '\0'; text++)
        if (!put(j, (unsigned char)*text))
            return false;
    j->text[j->length] = '\0';
    return true;
}

static fs_items_kind enter(fs_items *j, const fs_node *n) {
    j->item_line = (uint64_t)n->mark.line;
    j->item_column = (uint64_t)n->mark.column;
    if (n->kind == FS_NODE_SCALAR) {
        if (!keep(j, n->text))
            return FS_ITEM_WRONG;
        return n->plain && is_number(n->text)   ? FS_ITEM_NUMBER
               : n->plain && fs_node_is_null(n) ? FS_ITEM_WORD
                                                : FS_ITEM_TEXT;
    }
    if (j->deep == FS_ITEM_DEEPEST) {
        fs_items_wrong(j, "expected at most %d levels of nesting, found more", FS_ITEM_DEEPEST);
        return FS_ITEM_WRONG;
    }
    j->level[j->deep++] = (level){.node = n, .key = n->kind == FS_NODE_MAPPING};
    return n->kind == FS_NODE_MAPPING ? FS_ITEM_OBJECT : FS_ITEM_ARRAY;
}

static fs_items_kind next_yaml(fs_items *j) {
    if (j->deep == 0) {
        const bool done = j->state == DONE;
        j->state = DONE;
        return done ? FS_ITEM_END : enter(j, j->root);
    }
    level *l = &j->level[j->deep - 1];
    if (l->at == l->node->count) {
        j->deep--;
        return l->node->kind == FS_NODE_MAPPING ? FS_ITEM_OBJECT_END : FS_ITEM_ARRAY_END;
    }
    if (l->node->kind != FS_NODE_MAPPING)
        return enter(j, l->node->items[l->at++]);
    const fs_entry *e = &l->node->entries[l->at];
    if (!l->key) {
        l->key = true;
        l->at++;
        return enter(j, e->value);
    }
    l->key = false;
    j->item_line = (uint64_t)e->mark.line;
    j->item_column = (uint64_t)e->mark.column;
    return keep(j, e->key) ? FS_ITEM_KEY : FS_ITEM_WRONG;
}

/* ---- from outside ---- */

fs_items *fs_items_of(fs_bytes *bytes, bool comments) {
    fs_items *j = fs_malloc(sizeof *j);
    memset(j, 0, offsetof(fs_items, text));
    j->bytes = bytes;
    j->comments = comments;
    j->line = 1;
    j->window = j->at = j->end = (const uint8_t *)"";
    if (look(j) == 0xef && j->end - j->at >= 3 && memcmp(j->at, "\xef\xbb\xbf", 3) == 0)
        j->at += 3;
    return j;
}

fs_items *fs_items_yaml(const char *path, fs_error *err) {
    fs_arena *arena = fs_arena_create();
    fs_bytes *bytes = fs_bytes_open(path, err);
    fs_memory memory;
    const uint8_t *at;
    if (bytes == NULL) {
        fs_arena_free(arena);
        return NULL;
    }
    FILE *out = fs_memory_open(&memory);
    for (size_t n; (n = fs_bytes_peek(bytes, 1, &at)) > 0; fs_bytes_skip(bytes, n))
        fwrite(at, 1, n, out);
    char *text = fs_memory_close(&memory);
    fs_source *source = FS_NEW(arena, fs_source, 1);
    *source =
        (fs_source){.name = fs_arena_strdup(arena, path), .dir = "", .real = fs_arena_strdup(arena, path)};
    fs_report *report = fs_report_create(arena);
    const fs_node *root = fs_tree_parse(report, arena, source, "", text, memory.bytes);
    free(text);
    if (fs_bytes_close(bytes, err) || fs_report_finish(report, err) || root == NULL) {
        if (err->status == FS_OK)
            fs_fail(err, FS_INPUT, "%s: expected YAML", path);
        fs_arena_free(arena);
        return NULL;
    }
    fs_items *j = fs_malloc(sizeof *j);
    memset(j, 0, offsetof(fs_items, text));
    j->arena = arena;
    j->root = root;
    return j;
}

fs_status fs_items_finish(fs_items *j, fs_error *err) {
    const fs_status status = j->err.status == FS_OK ? FS_OK : fs_fail(err, j->err.status, "%s", j->err.text);
    fs_arena_free(j->arena);
    free(j);
    return status;
}

fs_items_kind fs_items_next(fs_items *j) {
    return fs_items_failed(j) ? FS_ITEM_WRONG : j->bytes == NULL ? next_yaml(j) : next_json(j);
}

const char *fs_items_text(const fs_items *j) {
    return j->text;
}

uint64_t fs_items_line(const fs_items *j) {
    return j->item_line;
}

uint64_t fs_items_column(const fs_items *j) {
    return j->item_column;
}

bool fs_items_more(fs_items *j) {
    if (fs_items_failed(j))
        return false;
    if (j->bytes == NULL) {
        const level *l = &j->level[j->deep - 1];
        j->deep -= l->at == l->node->count;
        return l->at < l->node->count;
    }
    const int c = pass_blanks(j);
    if (c == ']') {
        close_level(j);
        return false;
    }
    if (j->state == FIRST_VALUE)
        return true;
    if (c != ',') {
        unexpected(j, "a comma or ]");
        return false;
    }
    j->at++;
    j->state = VALUE;
    return true;
}
