/* Parameters: one row each. The row alone gives parsing, unit and range check, --set, `foamsim params`, the
 * reference in docs/parameters.md and resolved.yaml.
 *
 * An owner (tile, exchange, quadtree, foam workload, ...) declares a C struct and a table of rows that point
 * into it:
 *
 *     static const fs_param tile_rows[] = {
 *         FS_PARAM_INT("tile.workers", fs_machine_params, workers, FS_UNIT_NONE, "6", 1, 64,
 *                      "worker contexts of a tile", "ipu.md 1, VPG", 'P', FS_TOUCHES_TRAFFIC),
 *     };
 *
 * The macros check at compile time that the member has the C type of the row (_Generic), so a row can't write
 * past its member.
 */
#ifndef FOAMSIM_SIM_CONFIG_PARAM_H
#define FOAMSIM_SIM_CONFIG_PARAM_H

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

typedef struct fs_param {
    const char *name; /* path inside its section, dots between levels: "tile.workers" */
    fs_param_type type;
    fs_unit unit;
    const char *def; /* default as written in YAML, with unit; NULL: required; "": absent is allowed for
                        strings and paths; "none" for VEC3, MAT4 and lists: absent is allowed (see `given`) */
    double min, max; /* inclusive range of numbers (of each element of a list) in base units */
    const char *const *choices; /* ENUM: NULL-terminated words, else NULL */
    const char *doc;            /* one line */
    const char *source;         /* facts sheet row or paper section; "" for choices of foamsim itself */
    char confidence;            /* P M R I A of ipu.md; '-' where no hardware fact is behind it */
    fs_touches touches;
    size_t offset;    /* of the member in the owner's struct */
    const char *was;  /* "section.key": what the row was called before, still read with a word about the new
                        name; NULL: it has always been called so */
    const char *only; /* "section.key=word|word; ...": the settings of others at one of which it changes more
                         than what fits, with a "?" behind those at which it may; NULL: it always may (FS_ONLY) */
    const char *word; /* INT: a word that may stand for the number, which is then FS_WORD_VALUE; NULL: none */
    const char *clock; /* REAL in seconds, once in cycles: the row of the same table with their clock; a value
                          in cycles is still read, with a word about the time it takes. NULL: none */
    size_t given; /* offset of a bool: the member holds a value, the user's or a default that is not "none";
                 SIZE_MAX: the row has no such flag */
} fs_param;

#define FS_PARAM_MEMBER_(S, m, T) (offsetof(S, m) + 0 * sizeof(_Generic(&((S *)0)->m, T * : 1)))
#define FS_PARAM_ROW_(n, ty, un, d, lo, hi, ch, dc, src, cf, off, ...)                                       \
    {                                                                                                        \
        .name = (n), .type = (ty), .unit = (un), .def = (d), .min = (lo), .max = (hi), .choices = (ch),      \
        .doc = (dc), .source = (src), .confidence = (cf), .offset = (off), .given = SIZE_MAX,                \
        .touches = __VA_ARGS__                                                                               \
    }
/* Behind the layer of a row that was renamed: FS_TOUCHES_PRICE FS_WAS("machine.old.key"). */
#define FS_WAS(old) , .was = (old)
/* The same of a row that counts at certain settings of others only: FS_TOUCHES_PRICE
 * FS_ONLY("machine.exchange.mode=dynamic"). What changes nothing in a sweep or a comparison is explained by
 * it (fs_param_fixed). */
#define FS_ONLY(settings) , .only = (settings)
/* The same of a whole number that may be left to a rule: FS_TOUCHES_TRAFFIC FS_WORD("auto"). */
#define FS_WORD(text) , .word = (text)
/* The same of a time whose value was once in cycles of the table's row `row`: FS_CYCLES_OF("clock"). */
#define FS_CYCLES_OF(row) , .clock = (row)
enum { FS_WORD_VALUE = -1 }; /* what the member holds then; below the range of numbers */
#define FS_PARAM_BOOL(n, S, m, d, dc, src, cf, to)                                                           \
    FS_PARAM_ROW_(n, FS_TYPE_BOOL, FS_UNIT_NONE, d, 0, 1, NULL, dc, src, cf, FS_PARAM_MEMBER_(S, m, bool), to)
#define FS_PARAM_INT(n, S, m, un, d, lo, hi, dc, src, cf, to)                                                \
    FS_PARAM_ROW_(n, FS_TYPE_INT, un, d, lo, hi, NULL, dc, src, cf, FS_PARAM_MEMBER_(S, m, int64_t), to)
#define FS_PARAM_REAL(n, S, m, un, d, lo, hi, dc, src, cf, to)                                               \
    FS_PARAM_ROW_(n, FS_TYPE_REAL, un, d, lo, hi, NULL, dc, src, cf, FS_PARAM_MEMBER_(S, m, double), to)
#define FS_PARAM_ENUM(n, S, m, d, ch, dc, src, cf, to)                                                       \
    FS_PARAM_ROW_(n, FS_TYPE_ENUM, FS_UNIT_NONE, d, 0, 0, ch, dc, src, cf, FS_PARAM_MEMBER_(S, m, int64_t),  \
                  to)
#define FS_PARAM_STRING(n, S, m, d, dc, src, cf, to)                                                         \
    FS_PARAM_ROW_(n, FS_TYPE_STRING, FS_UNIT_NONE, d, 0, 0, NULL, dc, src, cf,                               \
                  FS_PARAM_MEMBER_(S, m, const char *), to)
#define FS_PARAM_PATH(n, S, m, d, dc, src, cf, to)                                                           \
    FS_PARAM_ROW_(n, FS_TYPE_PATH, FS_UNIT_NONE, d, 0, 0, NULL, dc, src, cf,                                 \
                  FS_PARAM_MEMBER_(S, m, const char *), to)
/* The remaining types carry a `given` flag g, a bool member of the same struct. */
#define FS_PARAM_GIVEN_(n, ty, un, d, lo, hi, dc, src, cf, off, gv, ...)                                     \
    {                                                                                                        \
        .name = (n), .type = (ty), .unit = (un), .def = (d), .min = (lo), .max = (hi), .doc = (dc),          \
        .source = (src), .confidence = (cf), .offset = (off), .given = (gv), .touches = __VA_ARGS__          \
    }
#define FS_PARAM_VEC3(n, S, m, g, un, d, lo, hi, dc, src, cf, to)                                            \
    FS_PARAM_GIVEN_(n, FS_TYPE_VEC3, un, d, lo, hi, dc, src, cf, FS_PARAM_MEMBER_(S, m[0], double),          \
                    FS_PARAM_MEMBER_(S, g, bool), to)
#define FS_PARAM_MAT4(n, S, m, g, d, dc, src, cf, to)                                                        \
    FS_PARAM_GIVEN_(n, FS_TYPE_MAT4, FS_UNIT_NONE, d, -1e30, 1e30, dc, src, cf,                              \
                    FS_PARAM_MEMBER_(S, m[0], double), FS_PARAM_MEMBER_(S, g, bool), to)
#define FS_PARAM_VEC3S(n, S, m, g, un, d, lo, hi, dc, src, cf, to)                                           \
    FS_PARAM_GIVEN_(n, FS_TYPE_VEC3_LIST, un, d, lo, hi, dc, src, cf, FS_PARAM_MEMBER_(S, m, fs_vec3_list),  \
                    FS_PARAM_MEMBER_(S, g, bool), to)
#define FS_PARAM_INTS(n, S, m, g, un, d, lo, hi, dc, src, cf, to)                                            \
    FS_PARAM_GIVEN_(n, FS_TYPE_INT_LIST, un, d, lo, hi, dc, src, cf, FS_PARAM_MEMBER_(S, m, fs_int_list),    \
                    FS_PARAM_MEMBER_(S, g, bool), to)

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
} fs_param_table;

/* ---- the sections of an experiment ---- */

/* A section that a kind of another section reads. */
typedef struct fs_section_use {
    const char *section;         /* "machine"; NULL: the end of a list */
    const char *const *kinds;    /* those of its kinds that will do, NULL-terminated; NULL: all */
    const fs_param_table *table; /* the rows that are read, where they are fewer; NULL: those of the kind */
} fs_section_use;

/* What a kind rules over the whole experiment. */
typedef struct fs_section_rules {
    const fs_section_use *uses; /* sections that are read beside its own; NULL: all */
    /* Rules between sections, each of which is right by itself; reports all that is wrong. NULL: none. */
    void (*check)(const struct fs_config *config, fs_check *check);
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

#endif
