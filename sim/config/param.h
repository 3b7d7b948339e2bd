/* Parameters: one row each. The row alone gives parsing, unit and range check, --set, `foamsim params`, the
 * reference in docs/parameters.md and resolved.yaml.
 *
 * An owner (tile, exchange, quadtree, foam workload, ...) declares a C struct and a table of rows that point
 * into it. A row: member, unit, default, lowest, highest, text, layer, and by name whatever else it has:
 *
 *     #define FS_ROWS_OF fs_machine_params
 *     static const fs_param rows[] = {
 *         FS_INT(tile.workers, NONE, "6", 1, 64, "worker contexts of a tile", TRAFFIC,
 *                .from = {"ipu.md 1, VPG", 'P'}),
 *     };
 *     const fs_param_table table = FS_PARAM_TABLE("machine", "a chip of many tiles", rows,
 *                                                  sizeof(fs_machine_params), .check = check);
 *
 * The key is the path of the member; FS_PARAM_INT and its kin name key, struct and member one by one. The
 * macros check at compile time that the member has the C type of the row (_Generic), so a row can't write
 * past its member. A row names its unit and its layer without FS_UNIT_ and FS_TOUCHES_.
 */
#pragma once

#include "sim/yaml/quantity.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum fs_param_type {
    FS_TYPE_BOOL,      /* bool: true | false */
    FS_TYPE_INT,       /* int64_t */
    FS_TYPE_REAL,      /* double, finite */
    FS_TYPE_ENUM,      /* int64_t: index into choices */
    FS_TYPE_STRING,    /* const char *, arena-owned; "" when absent */
    FS_TYPE_PATH,      /* const char *: as FS_TYPE_STRING, made absolute from the file that names it */
    FS_TYPE_VEC3,      /* double[3], three finite numbers */
    FS_TYPE_MAT4,      /* double[16], four rows of four finite numbers */
    FS_TYPE_INT_LIST,  /* fs_int_list, arena-owned */
    FS_TYPE_VEC3_LIST, /* fs_vec3_list, arena-owned; [x, y, z] alone is a list of one */
} fs_param_type;

/* What changing the parameter invalidates, cheapest layer last (ARCHITECTURE.md, "Three layers"). */
typedef enum fs_touches {
    FS_TOUCHES_GEOMETRY, /* the rays' paths: everything has to be run again */
    FS_TOUCHES_TRAFFIC,  /* who holds which ray when: an itinerary can be replayed */
    FS_TOUCHES_PRICE,    /* only cycles: an activity recording can be re-priced */
    FS_TOUCHES_NOTHING,  /* no result (labels) */
} fs_touches;

typedef struct fs_int_list {
    const int64_t *item; /* [count] */
    size_t count;
} fs_int_list;

typedef struct fs_vec3_list {
    const double (*item)[3]; /* [count], finite */
    size_t count;
} fs_vec3_list;

/* Facts sheet row or paper section, and how sure it is: P M R I A of ipu.md. */
typedef struct fs_param_origin {
    const char *source;
    char confidence;
} fs_param_origin;

/* Is called with each file. */
typedef void (*fs_param_seen)(void *self, const char *path);

typedef struct fs_param {
    const char *name; /* path inside its section, dots between levels: "tile.workers" */
    fs_param_type type;
    fs_unit unit;
    const char *def; /* default as written in YAML, with unit; NULL: required; "": absent is allowed for
                        strings and paths; "none" for VEC3, MAT4 and lists: absent is allowed (see `given`) */
    double min, max; /* inclusive range of numbers (of each element of a list) in base units */
    const char *const *choices; /* ENUM: NULL-terminated words, else NULL */
    const char *doc;            /* one line */
    fs_param_origin from;       /* fs_param_from; left out for choices of foamsim itself */
    fs_touches touches;
    size_t offset; /* of the member in the owner's struct */
    /* PATH: calls `seen` with each further file that is read because the file at `path` names it; what cannot be read is for the
     * reader to say. NULL: it names none. */
    void (*names)(const char *path, fs_param_seen seen, void *self);
    const char *was;  /* "section.key": what the row was called before, still read with a word about the new
                        name; NULL: it has always been called so */
    const char *only; /* "section.key=word|word; ...": the settings of others at one of which it changes more
                         than what fits, with a "?" after those at which it may; NULL: it always may (fs_param_fixed) */
    const char
        *word; /* INT, REAL: a word that may stand for the number, which is then FS_WORD_VALUE; NULL: none */
    const char *clock; /* REAL in seconds, once in cycles: the row of the same table with their clock; a value
                          in cycles is still read, with a word about the time it takes. NULL: none */
    size_t given; /* offset of a bool: the member holds a value, the user's or a default that is not "none";
                 0: the row has no such flag, which never comes first */
} fs_param;

/* The SHA-256 of the file that a row names as a text, valid until its next call; NULL: it cannot be read. */
typedef const char *(*fs_param_digest)(void *self, const fs_param *row, const char *path);

/* Where a row's value comes from; "" and '-' where no hardware fact supports it. */
static inline fs_param_origin fs_param_from(const fs_param *row) {
    return row->from.source == NULL ? (fs_param_origin){"", '-'} : row->from;
}

/* What the member of a row holds whose `word` was given; below the range of numbers. */
enum { FS_WORD_VALUE = -1 };

#define FS_PARAM_MEMBER_(S, m, T) (offsetof(S, m) + 0 * sizeof(_Generic(&((S *)0)->m, T * : 1)))
#define FS_PARAM_ROW_(n, ty, off, un, d, lo, hi, dc, ...)                                                    \
    {                                                                                                        \
        .name = (n), .type = FS_TYPE_##ty, .offset = (off), .unit = FS_UNIT_##un, .def = (d), .min = (lo),   \
        .max = (hi), .doc = (dc), .touches = FS_TOUCHES_##__VA_ARGS__                                        \
    }
/* `...`: the layer, and what else the row has by name. */
#define FS_PARAM_BOOL(n, S, m, d, dc, ...)                                                                   \
    FS_PARAM_ROW_(n, BOOL, FS_PARAM_MEMBER_(S, m, bool), NONE, d, 0, 1, dc, __VA_ARGS__)
#define FS_PARAM_INT(n, S, m, un, ...) FS_PARAM_ROW_(n, INT, FS_PARAM_MEMBER_(S, m, int64_t), un, __VA_ARGS__)
#define FS_PARAM_REAL(n, S, m, un, ...)                                                                      \
    FS_PARAM_ROW_(n, REAL, FS_PARAM_MEMBER_(S, m, double), un, __VA_ARGS__)
#define FS_PARAM_ENUM(n, S, m, d, ch, dc, ...)                                                               \
    FS_PARAM_ROW_(n, ENUM, FS_PARAM_MEMBER_(S, m, int64_t), NONE, d, 0, 0, dc, __VA_ARGS__, .choices = (ch))
#define FS_PARAM_STRING(n, S, m, d, dc, ...)                                                                 \
    FS_PARAM_ROW_(n, STRING, FS_PARAM_MEMBER_(S, m, const char *), NONE, d, 0, 0, dc, __VA_ARGS__)
#define FS_PARAM_PATH(n, S, m, d, dc, ...)                                                                   \
    FS_PARAM_ROW_(n, PATH, FS_PARAM_MEMBER_(S, m, const char *), NONE, d, 0, 0, dc, __VA_ARGS__)
/* The remaining types carry a flag: the bool member m##_given. */
#define FS_PARAM_GIVEN_(n, S, m, ty, off, ...)                                                               \
    FS_PARAM_ROW_(n, ty, off, __VA_ARGS__, .given = FS_PARAM_MEMBER_(S, m##_given, bool))
#define FS_PARAM_VEC3(n, S, m, un, ...)                                                                      \
    FS_PARAM_GIVEN_(n, S, m, VEC3, FS_PARAM_MEMBER_(S, m[0], double), un, __VA_ARGS__)
#define FS_PARAM_MAT4(n, S, m, d, dc, ...)                                                                   \
    FS_PARAM_GIVEN_(n, S, m, MAT4, FS_PARAM_MEMBER_(S, m[0], double), NONE, d, -1e30, 1e30, dc, __VA_ARGS__)
#define FS_PARAM_VEC3S(n, S, m, un, ...)                                                                     \
    FS_PARAM_GIVEN_(n, S, m, VEC3_LIST, FS_PARAM_MEMBER_(S, m, fs_vec3_list), un, __VA_ARGS__)
#define FS_PARAM_INTS(n, S, m, un, ...)                                                                      \
    FS_PARAM_GIVEN_(n, S, m, INT_LIST, FS_PARAM_MEMBER_(S, m, fs_int_list), un, __VA_ARGS__)
/* The same where the key is the member's path, of the struct FS_ROWS_OF. */
#define FS_BOOL(m, ...)   FS_PARAM_BOOL(#m, FS_ROWS_OF, m, __VA_ARGS__)
#define FS_INT(m, ...)    FS_PARAM_INT(#m, FS_ROWS_OF, m, __VA_ARGS__)
#define FS_REAL(m, ...)   FS_PARAM_REAL(#m, FS_ROWS_OF, m, __VA_ARGS__)
#define FS_ENUM(m, ...)   FS_PARAM_ENUM(#m, FS_ROWS_OF, m, __VA_ARGS__)
#define FS_STRING(m, ...) FS_PARAM_STRING(#m, FS_ROWS_OF, m, __VA_ARGS__)
#define FS_PATH(m, ...)   FS_PARAM_PATH(#m, FS_ROWS_OF, m, __VA_ARGS__)
#define FS_VEC3(m, ...)   FS_PARAM_VEC3(#m, FS_ROWS_OF, m, __VA_ARGS__)
#define FS_MAT4(m, ...)   FS_PARAM_MAT4(#m, FS_ROWS_OF, m, __VA_ARGS__)
#define FS_INTS(m, ...)   FS_PARAM_INTS(#m, FS_ROWS_OF, m, __VA_ARGS__)

/* Where the rules of a check report to: fs_check_wrong (sim/config/config.h). */
typedef struct fs_check fs_check;
struct fs_config;

/* A named table for one C struct. */
typedef struct fs_param_table {
    const char *name; /* as `foamsim params NAME` knows it: "machine", "overlay/quadtree", "workload/foam" */
    const char *doc;  /* one line */
    const fs_param *rows; /* [count] */
    size_t count;
    size_t size; /* sizeof the struct */
    /* Rules between rows whose values are right one by one; reports all that is wrong. NULL: none. */
    void (*check)(const void *params, fs_check *check);
    /* "section.key" of rows that had no effect and are no more: passed over with a word, so that yesterday's
     * files are read. Ends in NULL; NULL: none. */
    const char *const *gone;
    /* Rows with ROLE in their names ("roles.ROLE.sram"), which stand together: each role of the workload has
     * them, with its name for ROLE there and what it is in their texts. Those of role i, up to role_most, fill
     * the member that lies role_size * i bytes after the row's. Where the workload has no roles, other rows
     * after them with that beginning ("roles.") are not read either. 0: the table has no such rows. */
    size_t role_size, role_most;
} fs_param_table;
/* `...`: sizeof the struct, and by name whatever else the table has. */
#define FS_PARAM_TABLE(n, dc, r, ...)                                                                        \
    { .name = n, .doc = dc, .rows = r, .count = sizeof(r) / sizeof *(r), .size = __VA_ARGS__ }

/* What parts of the machine do in a workload, where that can have numbers of its own ("machine.roles.NAME"). */
typedef struct fs_param_role {
    const char *name; /* "tracer"; NULL: the end of a list */
    const char *who;  /* "a tracer's tile": the ROLE of texts */
} fs_param_role;

/* ---- the sections of an experiment ---- */

/* A section that a kind of another section reads. */
typedef struct fs_section_use {
    const char *section;         /* "machine"; NULL: the end of a list */
    const char *const *kinds;    /* those of its kinds that will do, NULL-terminated; NULL: all */
    const fs_param_table *table; /* the rows that are read, where they are fewer; NULL: those of the kind */
} fs_section_use;

/* Parameters that change something at certain settings of others only (fs_param.only). */
typedef struct fs_param_only {
    const char *names;    /* "machine.memory.sram machine.memory.reserved"; NULL: the end of a list */
    const char *settings; /* as fs_param.only */
} fs_param_only;

/* How a named work (section `work`, sim/workload/work.h) becomes a workload's own keys. */
typedef struct fs_work_key {
    const char *work; /* key of the work, "samples"; NULL, with `own`: the workload's key is always `must` */
    const char *own;  /* the workload's key that takes its value, "camera.width"; NULL: it has none */
    const char *must; /* the one value that the workload can do, as it is written; NULL: any */
    const char *why;  /* then: "has no paths", after the workload's name */
} fs_work_key;

/* What a kind rules over the whole experiment. */
typedef struct fs_section_rules {
    const fs_section_use *uses; /* sections that are read beside its own; NULL: all */
    /* Rules between sections, each of which is right by itself; reports all that is wrong. NULL: none. */
    void (*check)(const struct fs_config *config, fs_check *check);
    const fs_param_role
        *roles; /* whose names stand for ROLE in rows of the sections that it reads; NULL: none */
    /* fs_param.only of rows of other sections: where they count in what the kind does. NULL: none. */
    const fs_param_only *only;
    /* Of each key of a work what it is here, the last all NULL. NULL: it takes no named work, as `no_work` says. */
    const fs_work_key *work;
    const char *no_work; /* "its scenes have no meshes"; NULL: a common sentence */
} fs_section_rules;

/* With several kinds, the key `kind` of a section picks the table; `kind` itself is not a row. */
typedef struct fs_section_kind {
    const char *kind; /* value of `kind`; "" for a section without kinds (then it is the only entry) */
    const fs_param_table *table;
    const fs_section_rules *rules; /* a workload's; NULL: the kind rules nothing */
    const void
        *descriptor; /* fs_workload of a workload, fs_overlay_kind of an overlay; NULL: a table is all */
    const char
        *plugin; /* digest of the plug-in that brought it, part of every key; NULL: the program's own */
} fs_section_kind;

/* A section of an experiment file ("machine", "overlay", "scene", "workload", "run"). */
typedef struct fs_section {
    const char *name;   /* "machine" */
    const char *folder; /* configs/<folder>/<name>.yaml holds named ones; NULL: must be written in line */
    const fs_section_kind *kinds; /* [count] */
    size_t count;
    const char *default_kind; /* when `kind` is absent; NULL: required */
    /* The default kind is not in keys (sim/config/key.h): the section had no kinds when keys were first made,
     * and a key of then is still the key of the same experiment. */
    bool unkeyed_default;
} fs_section;
