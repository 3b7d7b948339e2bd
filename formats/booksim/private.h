/* Private to formats/booksim: a configuration while it becomes an experiment. */
#pragma once

#include "formats/format.h"
#include "sim/yaml/tree.h"

#include <stdio.h>

/* What a value may be, bits: the original has up to two types for a key. */
enum { FS_BOOKSIM_WHOLE = 1, FS_BOOKSIM_REAL = 2, FS_BOOKSIM_WORD = 4 };

/* A key of the original. */
typedef struct fs_booksim_key {
    const char *name;
    int types;
    const char *usual; /* its default, as a file would have it */
    const char *idle;  /* why it changes no figure here; NULL: it counts */
} fs_booksim_key;
extern const fs_booksim_key fs_booksim_keys[]; /* up to one without a name */
enum { FS_BOOKSIM_KEYS = 144 };                /* at most */

/* `key = value;` as it stands in the file, or the default. */
typedef struct fs_booksim_setting {
    const char *value;     /* without blanks */
    uint32_t line, column; /* of the value; line 0: the key is not in the file */
} fs_booksim_setting;

typedef struct fs_booksim {
    fs_arena *arena;
    const char *path, *stem; /* stem: of the path, which begins the names of files beside the experiment */
    const fs_format_asked *asked;
    fs_notes *notes;
    FILE *noc, *workload;   /* rows of the experiment below machine.exchange.noc and workload */
    fs_format_file file[2]; /* [files] beside it */
    size_t files;
    fs_booksim_setting of[FS_BOOKSIM_KEYS]; /* one for each of fs_booksim_keys */
    /* What follows from them: */
    int64_t longer; /* cycles of a router beyond those of foamsim's */
    uint32_t nodes; /* 0: not known, as the network is refused */
    double flits;   /* of a packet, the mean */
} fs_booksim;

/* Splits a file into settings. FS_INPUT: it is none of the original's. */
fs_status fs_booksim_split(fs_booksim *b, char *text, fs_error *err);

const fs_booksim_setting *fs_booksim_of(const fs_booksim *b, const char *key);
const char *fs_booksim_word(const fs_booksim *b, const char *key);
bool fs_booksim_is(const fs_booksim *b, const char *key, const char *word);
int64_t fs_booksim_whole(const fs_booksim *b, const char *key);
double fs_booksim_real(const fs_booksim *b, const char *key);

/* A sentence about a key. Returns false. */
bool fs_booksim_say(fs_booksim *b, fs_note_kind kind, const char *key, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* The key cannot be had so. Returns false. */
#define fs_booksim_refuse(b, key, ...) fs_booksim_say(b, FS_NOTE_REFUSED, key, __VA_ARGS__)

/* The elements of a list "{a,{b,c}}"; a text without braces is the only one. Of the arena. */
const char **fs_booksim_list(const fs_booksim *b, const char *text, size_t *count);
/* What stands in parentheses behind a name, "hotspot(...)"; NULL without them. name: its length. */
const char *fs_booksim_inside(const fs_booksim *b, const char *text, size_t *name);
/* A text as YAML, in single quotes. Of the arena. */
const char *fs_booksim_quoted(const fs_booksim *b, const char *text);
/* A text that is a whole number, with a sign or without; one that is any number. */
bool fs_booksim_is_real(const char *text);
bool fs_booksim_number(const char *text, int64_t *out);

/* Parts of the experiment, in this order: routers and their delays; packets, their sizes and rate; topology and ways;
 * where packets go. FS_INPUT, at a place in network_file. */
void fs_booksim_router(fs_booksim *b);
void fs_booksim_load(fs_booksim *b);
fs_status fs_booksim_network(fs_booksim *b, fs_error *err);
bool fs_booksim_traffic(fs_booksim *b); /* false: refused */
/* The graph of network_file as STEM-graph.yaml, and its nodes. */
fs_status fs_booksim_anynet(fs_booksim *b, fs_error *err);
