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

/* How a quantity is written in YAML. A quantity with a unit must carry one; the value is stored in the base
 * unit (first in the list). Decimal and binary prefixes: B, kB, KiB, MB, MiB, GB, GiB. */
typedef enum fs_unit {
    FS_UNIT_NONE,
    FS_UNIT_BYTES,            /* B, kB, KiB, MB, MiB, GB, GiB */
    FS_UNIT_HZ,               /* Hz, kHz, MHz, GHz */
    FS_UNIT_CYCLES,           /* cycles */
    FS_UNIT_SLOTS,            /* slots: issue slots of one worker */
    FS_UNIT_BYTES_PER_CYCLE,  /* B/cycle */
    FS_UNIT_BYTES_PER_SECOND, /* B/s, kB/s, MB/s, GB/s (decimal), KiB/s, MiB/s, GiB/s */
    FS_UNIT_SECONDS,          /* s, ms, us, ns */
    FS_UNIT_DEGREES,          /* deg, rad (converted to deg) */
    FS_UNIT_PERCENT,          /* % (60 % is stored as 60) */
} fs_unit;

/* What changing the parameter invalidates, cheapest layer last (design.md section 9). */
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
    char confidence;            /* P M R I A of facts/ipu.md; '-' where no hardware fact is behind it */
    fs_touches touches;
    size_t offset; /* of the member in the owner's struct */
    size_t given;  /* offset of a bool: the member holds a value, the user's or a default that is not "none";
                      SIZE_MAX: the row has no such flag */
} fs_param;

#define FS_PARAM_MEMBER_(S, m, T) (offsetof(S, m) + 0 * sizeof(_Generic(&((S *)0)->m, T * : 1)))
#define FS_PARAM_ROW_(n, ty, un, d, lo, hi, ch, dc, src, cf, to, off)                                        \
    {                                                                                                        \
        .name = (n), .type = (ty), .unit = (un), .def = (d), .min = (lo), .max = (hi), .choices = (ch),      \
        .doc = (dc), .source = (src), .confidence = (cf), .touches = (to), .offset = (off),                  \
        .given = SIZE_MAX                                                                                    \
    }
#define FS_PARAM_BOOL(n, S, m, d, dc, src, cf, to)                                                           \
    FS_PARAM_ROW_(n, FS_TYPE_BOOL, FS_UNIT_NONE, d, 0, 1, NULL, dc, src, cf, to, FS_PARAM_MEMBER_(S, m, bool))
#define FS_PARAM_INT(n, S, m, un, d, lo, hi, dc, src, cf, to)                                                \
    FS_PARAM_ROW_(n, FS_TYPE_INT, un, d, lo, hi, NULL, dc, src, cf, to, FS_PARAM_MEMBER_(S, m, int64_t))
#define FS_PARAM_REAL(n, S, m, un, d, lo, hi, dc, src, cf, to)                                               \
    FS_PARAM_ROW_(n, FS_TYPE_REAL, un, d, lo, hi, NULL, dc, src, cf, to, FS_PARAM_MEMBER_(S, m, double))
#define FS_PARAM_ENUM(n, S, m, d, ch, dc, src, cf, to)                                                       \
    FS_PARAM_ROW_(n, FS_TYPE_ENUM, FS_UNIT_NONE, d, 0, 0, ch, dc, src, cf, to,                               \
                  FS_PARAM_MEMBER_(S, m, int64_t))
#define FS_PARAM_STRING(n, S, m, d, dc, src, cf, to)                                                         \
    FS_PARAM_ROW_(n, FS_TYPE_STRING, FS_UNIT_NONE, d, 0, 0, NULL, dc, src, cf, to,                           \
                  FS_PARAM_MEMBER_(S, m, const char *))
#define FS_PARAM_PATH(n, S, m, d, dc, src, cf, to)                                                           \
    FS_PARAM_ROW_(n, FS_TYPE_PATH, FS_UNIT_NONE, d, 0, 0, NULL, dc, src, cf, to,                             \
                  FS_PARAM_MEMBER_(S, m, const char *))
/* The remaining types carry a `given` flag g, a bool member of the same struct. */
#define FS_PARAM_VEC3(n, S, m, g, un, d, lo, hi, dc, src, cf, to)                                            \
    {                                                                                                        \
        .name = (n), .type = FS_TYPE_VEC3, .unit = (un), .def = (d), .min = (lo), .max = (hi), .doc = (dc),  \
        .source = (src), .confidence = (cf), .touches = (to), .offset = FS_PARAM_MEMBER_(S, m[0], double),   \
        .given = FS_PARAM_MEMBER_(S, g, bool)                                                                \
    }
#define FS_PARAM_MAT4(n, S, m, g, d, dc, src, cf, to)                                                        \
    {                                                                                                        \
        .name = (n), .type = FS_TYPE_MAT4, .unit = FS_UNIT_NONE, .def = (d), .min = -1e30, .max = 1e30,      \
        .doc = (dc), .source = (src), .confidence = (cf), .touches = (to),                                   \
        .offset = FS_PARAM_MEMBER_(S, m[0], double), .given = FS_PARAM_MEMBER_(S, g, bool)                   \
    }
#define FS_PARAM_VEC3S(n, S, m, g, un, d, lo, hi, dc, src, cf, to)                                           \
    {                                                                                                        \
        .name = (n), .type = FS_TYPE_VEC3_LIST, .unit = (un), .def = (d), .min = (lo), .max = (hi),          \
        .doc = (dc), .source = (src), .confidence = (cf), .touches = (to),                                   \
        .offset = FS_PARAM_MEMBER_(S, m, fs_vec3_list), .given = FS_PARAM_MEMBER_(S, g, bool)                \
    }
#define FS_PARAM_INTS(n, S, m, g, un, d, lo, hi, dc, src, cf, to)                                            \
    {                                                                                                        \
        .name = (n), .type = FS_TYPE_INT_LIST, .unit = (un), .def = (d), .min = (lo), .max = (hi),           \
        .doc = (dc), .source = (src), .confidence = (cf), .touches = (to),                                   \
        .offset = FS_PARAM_MEMBER_(S, m, fs_int_list), .given = FS_PARAM_MEMBER_(S, g, bool)                 \
    }

/* A named table for one C struct. */
typedef struct fs_param_table {
    const char *name; /* as `foamsim params NAME` knows it: "machine", "overlay/quadtree", "workload/foam" */
    const char *doc;  /* one line */
    const fs_param *rows; /* [count] */
    size_t count;
    size_t size; /* sizeof the struct */
} fs_param_table;

/* A section of an experiment file ("machine", "overlay", "scene", "workload", "run"). With several kinds, the
 * key `kind` of the section picks the table; `kind` itself is not a row. */
typedef struct fs_section_kind {
    const char *kind; /* value of `kind`; "" for a section without kinds (then it is the only entry) */
    const fs_param_table *table;
} fs_section_kind;

typedef struct fs_section {
    const char *name;   /* "machine" */
    const char *folder; /* configs/<folder>/<name>.yaml holds named ones; NULL: must be written in line */
    const fs_section_kind *kinds; /* [count] */
    size_t count;
    const char *default_kind; /* when `kind` is absent; NULL: required */
} fs_section;

#endif
