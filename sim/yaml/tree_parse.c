/* libyaml's events to a tree. */
#include "sim/base/alloc.h"
#include "sim/yaml/tree.h"

#include <stdint.h>
#include <string.h>
#include <yaml.h>

enum { MAX_DEPTH = 64, MAX_KEYS = 1000 }; /* of a mapping: no table has a third of it */

typedef struct builder {
    fs_report *report;
    fs_arena *arena;
    const fs_source *source;
    const char *text; /* the whole text, for a hint at what libyaml stumbled over */
    size_t length;
    yaml_parser_t parser;
    const char *line_text; /* where line `line` of the text begins */
    size_t line;
    const char *key; /* path of the node that is being built */
    bool failed;     /* no YAML: reported, no more events */
} builder;

static fs_mark mark_at(const builder *b, size_t line, size_t column) {
    if (b->source->real[0] == '\0') /* a --set is its own place */
        return (fs_mark){.source = b->source};
    return (fs_mark){.source = b->source, .line = (int)line + 1, .column = (int)column + 1};
}

static fs_mark mark_of(const builder *b, yaml_mark_t m) {
    return mark_at(b, m.line, m.column);
}

/* One UTF-8 character that YAML allows: its length in bytes, or 0. */
static size_t character(const unsigned char *s, size_t left) {
    static const uint32_t lowest[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t n = s[0] < 0x80 ? 1 : s[0] >= 0xf0 && s[0] < 0xf8 ? 4 : s[0] >= 0xe0 ? 3 : s[0] >= 0xc0 ? 2 : 0;
    if (n == 0 || n > left || s[0] >= 0xf8)
        return 0;
    uint32_t code = n == 1 ? s[0] : s[0] & (0xffu >> (n + 1));
    for (size_t i = 1; i < n; i++) {
        if ((s[i] & 0xc0) != 0x80)
            return 0;
        code = code << 6 | (s[i] & 0x3f);
    }
    if (code < lowest[n] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000) || code == 0xfffe ||
        code == 0xffff)
        return 0;
    bool control = (code < ' ' && code != '\t' && code != '\n' && code != '\r') || code == 0x7f ||
                   (code >= 0x80 && code < 0xa0 && code != 0x85) || code == 0xfeff;
    return control ? 0 : n;
}

/* libyaml's own reader names a byte offset at best; this names line and column. */
static bool check_text(builder *b) {
    size_t line = 0, column = 0;
    for (size_t i = 0; i < b->length;) {
        unsigned char c = (unsigned char)b->text[i];
        size_t n = character((const unsigned char *)b->text + i, b->length - i);
        if (n == 0) {
            const char *what =
                c < ' ' || c == 0x7f ? "a control character, which no YAML text has" : "not UTF-8 text";
            fs_report_add(b->report, mark_at(b, line, column), "",
                          "expected UTF-8 text, found byte 0x%02x: %s", c, what);
            return false;
        }
        bool end = c == '\n' || (c == '\r' && (i + 1 == b->length || b->text[i + 1] != '\n'));
        line += end;
        column = end ? 0 : column + 1;
        i += n;
    }
    return true;
}

static void report_syntax(builder *b) {
    const yaml_parser_t *p = &b->parser;
    b->failed = true;
    if (p->error == YAML_MEMORY_ERROR)
        fs_no_memory();
    size_t at = p->problem_mark.index, bytes = 0;
    for (size_t i = 0; bytes < b->length && i < at; i++) { /* the mark counts characters */
        size_t n = character((const unsigned char *)b->text + bytes, b->length - bytes);
        bytes += n > 0 ? n : 1;
    }
    const char *hint = "";
    if (bytes < b->length && b->text[bytes] == '\t')
        hint = "; found a tab: YAML indents with spaces only";
    const char *problem = p->problem != NULL ? p->problem : "unreadable text";
    if (p->context != NULL && p->context_mark.line != p->problem_mark.line)
        fs_report_add(b->report, mark_of(b, p->problem_mark), "",
                      "not valid YAML: %s (%s that starts in line %zu)%s", problem, p->context,
                      p->context_mark.line + 1, hint);
    else
        fs_report_add(b->report, mark_of(b, p->problem_mark), "", "not valid YAML: %s%s", problem, hint);
}

/* The next event; false after a syntax error. The caller deletes the event. */
static bool next(builder *b, yaml_event_t *event) {
    if (b->failed)
        return false;
    if (yaml_parser_parse(&b->parser, event))
        return true;
    report_syntax(b);
    return false;
}

static fs_node *new_node(builder *b, fs_node_kind kind, yaml_mark_t m) {
    fs_node *node = FS_NEW(b->arena, fs_node, 1);
    node->kind = kind;
    node->mark = mark_of(b, m);
    return node;
}

/* The text of a line, counted from 0; lines are asked for in their order. */
static const char *text_of_line(builder *b, size_t line) {
    const char *end = b->text + b->length;
    while (b->line < line) {
        const char *stop = memchr(b->line_text, '\n', (size_t)(end - b->line_text));
        b->line_text = stop == NULL ? end : stop + 1;
        b->line++;
    }
    return b->line_text;
}

/* "[P] a source" of `8 B # [P] a source`, where nothing else but a comment stands behind the value; NULL. */
static const char *stated_behind(builder *b, yaml_mark_t from, yaml_mark_t to) {
    if (b->source->real[0] == '\0' || from.line != to.line || to.line < b->line)
        return NULL;
    const char *at = text_of_line(b, to.line), *end = b->text + b->length;
    for (size_t i = 0; i < to.column && at < end; i++) {
        size_t n = character((const unsigned char *)at, (size_t)(end - at));
        at += n > 0 ? n : 1;
    }
    const char *stop = at;
    while (stop < end && *stop != '\n' && *stop != '\r')
        stop++;
    while (at < stop && (*at == ' ' || *at == '\t'))
        at++;
    for (bool comment = at < stop && *at == '#'; comment && stop - at > 5; at++)
        if (memcmp(at, " [", 2) == 0 && memcmp(at + 3, "] ", 2) == 0)
            return fs_arena_printf(b->arena, "%.*s", (int)(stop - at - 1), at + 1);
    return NULL;
}

static void refuse_anchor_and_tag(builder *b, fs_node *node, const yaml_char_t *anchor,
                                  const yaml_char_t *tag) {
    if (anchor != NULL)
        fs_report_add(
            b->report, node->mark, b->key,
            "found the anchor %s: anchors are not read; put what is used twice in a file of its own "
            "and name it with `base:`",
            fs_quoted(b->arena, (const char *)anchor));
    if (tag != NULL)
        fs_report_add(b->report, node->mark, b->key, "found the tag %s: tags are not read; leave it out",
                      fs_quoted(b->arena, (const char *)tag));
}

static fs_node *build(builder *b, yaml_event_t *event, int depth);

static fs_node *build_next(builder *b, int depth) {
    yaml_event_t event;
    if (!next(b, &event))
        return NULL;
    fs_node *node = build(b, &event, depth);
    yaml_event_delete(&event);
    return node;
}

static fs_node *build_scalar(builder *b, const yaml_event_t *event) {
    fs_node *node = new_node(b, FS_NODE_SCALAR, event->start_mark);
    const char *text = (const char *)event->data.scalar.value;
    node->text = fs_arena_strdup(b->arena, text);
    node->plain = event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
    node->mark.stated = stated_behind(b, event->start_mark, event->end_mark);
    if (strlen(text) != event->data.scalar.length) {
        fs_report_add(b->report, node->mark, b->key, "expected text, found a NUL character in it");
        node->kind = FS_NODE_BAD;
    }
    refuse_anchor_and_tag(b, node, event->data.scalar.anchor, event->data.scalar.tag);
    return node;
}

static fs_node *build_list(builder *b, const yaml_event_t *event, int depth) {
    fs_node *node = new_node(b, FS_NODE_LIST, event->start_mark);
    refuse_anchor_and_tag(b, node, event->data.sequence_start.anchor, event->data.sequence_start.tag);
    for (;;) {
        yaml_event_t inner;
        if (!next(b, &inner))
            return NULL;
        if (inner.type == YAML_SEQUENCE_END_EVENT) {
            node->mark.stated = stated_behind(b, inner.start_mark, inner.end_mark);
            yaml_event_delete(&inner);
            return node;
        }
        const char *outer = b->key;
        b->key = fs_arena_printf(b->arena, "%s[%zu]", outer, node->count);
        fs_node *item = build(b, &inner, depth + 1);
        b->key = outer;
        yaml_event_delete(&inner);
        if (item == NULL)
            return NULL;
        node->items = fs_arena_grow(b->arena, node->items, node->count, sizeof(fs_node *));
        node->items[node->count++] = item;
    }
}

/* The path of a mapping's key. */
static const char *key_below(const builder *b, const fs_node *key) {
    const char *word = key->kind == FS_NODE_SCALAR ? fs_shown(b->arena, key->text) : "?";
    return b->key[0] == '\0' ? word : fs_arena_printf(b->arena, "%s.%s", b->key, word);
}

static void add_entry(builder *b, fs_node *node, const fs_node *key, fs_node *value) {
    if (key->kind == FS_NODE_BAD)
        return;
    if (key->kind != FS_NODE_SCALAR || key->text[0] == '\0') {
        fs_report_add(b->report, key->mark, b->key, "expected a word as key, found %s",
                      fs_node_found(b->arena, key));
        return;
    }
    if (strcmp(key->text, "<<") == 0) {
        fs_report_add(b->report, key->mark, b->key,
                      "found the merge key <<: it is not read; name a file with `base:`");
        return;
    }
    for (size_t i = 0; i < node->count; i++)
        if (strcmp(node->entries[i].key, key->text) == 0) {
            fs_report_add(b->report, key->mark, key_below(b, key),
                          "duplicate key; its first place is line %d", node->entries[i].mark.line);
            return;
        }
    if (node->count == MAX_KEYS) {
        fs_report_add(b->report, key->mark, b->key, "expected at most %d keys in a mapping", MAX_KEYS);
        b->failed = true;
        return;
    }
    node->entries = fs_arena_grow(b->arena, node->entries, node->count, sizeof(fs_entry));
    node->entries[node->count++] = (fs_entry){.key = key->text, .mark = key->mark, .value = value};
}

static fs_node *build_mapping(builder *b, const yaml_event_t *event, int depth) {
    fs_node *node = new_node(b, FS_NODE_MAPPING, event->start_mark);
    refuse_anchor_and_tag(b, node, event->data.mapping_start.anchor, event->data.mapping_start.tag);
    for (;;) {
        yaml_event_t inner;
        if (!next(b, &inner))
            return NULL;
        if (inner.type == YAML_MAPPING_END_EVENT) {
            yaml_event_delete(&inner);
            return node;
        }
        fs_node *key = build(b, &inner, depth + 1);
        yaml_event_delete(&inner);
        if (key == NULL)
            return NULL;
        const char *outer = b->key;
        b->key = key_below(b, key);
        fs_node *value = build_next(b, depth + 1);
        b->key = outer;
        if (value == NULL)
            return NULL;
        add_entry(b, node, key, value);
    }
}

static fs_node *build(builder *b, yaml_event_t *event, int depth) {
    if (depth > MAX_DEPTH) {
        fs_report_add(b->report, mark_of(b, event->start_mark), b->key, "nested more than %d levels deep",
                      MAX_DEPTH);
        b->failed = true;
        return NULL;
    }
    switch (event->type) {
    case YAML_SCALAR_EVENT:
        return build_scalar(b, event);
    case YAML_SEQUENCE_START_EVENT:
        return build_list(b, event, depth);
    case YAML_MAPPING_START_EVENT:
        return build_mapping(b, event, depth);
    default: /* an alias: the parser gives nothing else here */
        fs_report_add(b->report, mark_of(b, event->start_mark), b->key,
                      "found an alias (*name): aliases are not read; write the value out");
        return new_node(b, FS_NODE_BAD, event->start_mark);
    }
}

/* stream start, document start, the root, document end, stream end */
static fs_node *build_document(builder *b) {
    fs_node *root = NULL;
    for (bool done = false; !done;) {
        yaml_event_t event;
        if (!next(b, &event))
            return NULL;
        done = event.type == YAML_STREAM_END_EVENT;
        if (event.type == YAML_DOCUMENT_START_EVENT && root != NULL) {
            fs_report_add(b->report, mark_of(b, event.start_mark), "",
                          "found a second document (---): expected one document in a file");
            done = true;
        } else if (event.type != YAML_STREAM_START_EVENT && event.type != YAML_DOCUMENT_START_EVENT &&
                   event.type != YAML_DOCUMENT_END_EVENT && !done) {
            root = build(b, &event, 0);
            done = root == NULL;
        }
        yaml_event_delete(&event);
    }
    if (b->failed)
        return NULL;
    return root != NULL ? root : fs_tree_scalar(b->arena, mark_at(b, 0, 0), "");
}

fs_node *fs_tree_parse(fs_report *report, fs_arena *arena, const fs_source *source, const char *key,
                       const char *text, size_t length) {
    static const char byte_order_mark[] = "\xef\xbb\xbf";
    if (length >= 3 && memcmp(text, byte_order_mark, 3) == 0) {
        text += 3;
        length -= 3;
    }
    builder b = {.report = report,
                 .arena = arena,
                 .source = source,
                 .key = key,
                 .text = text,
                 .length = length,
                 .line_text = text};
    if (!check_text(&b))
        return NULL;
    if (!yaml_parser_initialize(&b.parser))
        fs_no_memory();
    yaml_parser_set_encoding(&b.parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&b.parser, (const unsigned char *)text, length);
    fs_node *root = build_document(&b);
    yaml_parser_delete(&b.parser);
    return root;
}
