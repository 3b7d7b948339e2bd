/* A YAML text as a tree that knows its places. One document of scalars, sequences and mappings with scalar
 * keys; anchors, aliases, tags and merge keys are refused (a part that is used twice is a file of its own,
 * named twice). */
#pragma once

#include "sim/base/alloc.h"
#include "sim/base/error.h"
#include <stdbool.h>

/* ---- places, and errors collected with them (report.c), handed over in the order of file and line ---- */

/* A text that was read: a file, or one --set. */
typedef struct fs_source {
    const char *name; /* as shown: "configs/x.yaml", "--set a.b=v" */
    const char *dir;  /* what relative paths in it start from; "" is the current folder */
    const char *real; /* canonical path, "" for a --set */
    int order;        /* of first reading: the experiment is 0 */
} fs_source;

typedef struct fs_mark {
    const fs_source *source;
    int line, column;   /* from 1; line 0: the whole source */
    const char *stated; /* "[P] a source": what the line states after the value, `8 B # [P] a source`; NULL */
} fs_mark;

typedef struct fs_report fs_report;

fs_report *fs_report_create(fs_arena *arena);

/* Adds "source:line:column: key: sentence"; key "" is left out. */
void fs_report_add(fs_report *report, fs_mark mark, const char *key, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* The same for a file that the host failed to read: FS_IO, not the user's fault. */
void fs_report_add_io(fs_report *report, fs_mark mark, const char *key, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* A sentence that has its place in front already; `mark` gives its rank among the others. */
void fs_report_add_placed(fs_report *report, fs_mark mark, const char *text);

size_t fs_report_count(const fs_report *report);

/* FS_OK when nothing was added; else err gets one line for each error, sorted by source, line and column,
 * some dozens of them and then how many more there are. */
fs_status fs_report_finish(fs_report *report, fs_error *err);

/* "file:12:7", "file", or "--set a.b=v". */
const char *fs_mark_text(fs_arena *arena, fs_mark mark);

/* Text of a user as it may stand in a message: control characters replaced, cut when long. */
const char *fs_shown(fs_arena *arena, const char *text);
/* The same in quotes. */
const char *fs_quoted(fs_arena *arena, const char *text);

typedef enum fs_node_kind {
    FS_NODE_BAD, /* wrong and reported: later checks pass over it */
    FS_NODE_SCALAR,
    FS_NODE_LIST,
    FS_NODE_MAPPING,
} fs_node_kind;

typedef struct fs_node fs_node;

typedef struct fs_entry {
    const char *key;
    fs_mark mark; /* of the key */
    fs_node *value;
} fs_entry;

struct fs_node {
    fs_node_kind kind;
    fs_mark mark;
    const char *text;  /* scalar */
    bool plain;        /* scalar without quotes */
    bool over;         /* laid over its file: by --set, or by a point of a sweep */
    fs_node **items;   /* list, [count] */
    fs_entry *entries; /* mapping, [count], keys unique */
    size_t count;
};

/* Parses `length` bytes of what stands under `key` ("machine", "" for an experiment); places are those of
 * `source`, and all nodes take the place "the whole source" when it is a --set. NULL when the text is no
 * YAML; errors go to the report. An empty text is an empty scalar. */
fs_node *fs_tree_parse(fs_report *report, fs_arena *arena, const fs_source *source, const char *key,
                       const char *text, size_t length);

/* The entry of a mapping whose key are the first `length` letters of `key`; NULL: none, or no mapping. */
fs_entry *fs_tree_entry(const fs_node *mapping, const char *key, size_t length);
/* Value of a key, or NULL, as for what is no mapping. */
fs_node *fs_tree_get(const fs_node *mapping, const char *key);
/* `under` with every key that `over` names replaced, mappings key by key, everything else whole. Leaves keep
 * their places; the mapping's own place is over's (under's below a --set). Neither argument is changed. */
fs_node *fs_tree_merge(fs_arena *arena, const fs_node *under, const fs_node *over);
/* A copy of a mapping without one key. */
fs_node *fs_tree_without(fs_arena *arena, const fs_node *mapping, const char *key);
/* A copy of all of it, marked as laid over. */
fs_node *fs_tree_over(fs_arena *arena, const fs_node *node);
/* New nodes. */
fs_node *fs_tree_scalar(fs_arena *arena, fs_mark mark, const char *text);
fs_node *fs_tree_mapping(fs_arena *arena, fs_mark mark, const char *key, fs_mark key_mark, fs_node *value);
/* "a.b" and a value to { a: { b: value } }, every level at `mark`; NULL when a word is empty. */
fs_node *fs_tree_nest(fs_arena *arena, fs_mark mark, const char *path, fs_node *value);

/* `key: ` or `key: ~`: no value at all. */
bool fs_node_is_null(const fs_node *node);
/* What stands there, for a message: "\"two\"", "a list of 3", "a mapping", "nothing". */
const char *fs_node_found(fs_arena *arena, const fs_node *node);
