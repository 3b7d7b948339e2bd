/* YAML files that are no experiments (the tiles and lanes of an overlay, ...), read by the rules of
 * configurations: keys are unique and known, no anchors or tags, every error names file:line:column, what was
 * found and what is allowed, and all errors of a file are reported at once.
 *
 *     fs_yaml *yaml = fs_yaml_open(arena, path);
 *     const fs_node *list = fs_yaml_list(yaml, yaml->root, "tiles", true);
 *     ...
 *     return fs_yaml_finish(yaml, err);
 *
 * Readers report and go on: what was wrong is NULL or false, and fs_yaml_finish fails. The tree is that of
 * sim/yaml/tree.h; everything belongs to the arena.
 */
#pragma once

#include "sim/base/alloc.h"
#include "sim/base/error.h"
#include "sim/config/param.h"
#include "sim/yaml/tree.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct fs_yaml {
    fs_arena *arena;
    fs_report *report, *silent; /* silent: of values that are tried */
    const fs_node *root;        /* a mapping; NULL when the file could not be read, which is reported */
} fs_yaml;

/* Reads a file; never NULL. */
fs_yaml *fs_yaml_open(fs_arena *arena, const char *path);

/* The `file` of a YAML file's mapping `section`, as it stands there, where no such file exists; else NULL. */
const char *fs_yaml_missing_file(fs_arena *arena, const char *path, const char *section);
/* FS_OK when nothing was wrong; else FS_INPUT or FS_IO with a line for each error. */
fs_status fs_yaml_finish(const fs_yaml *yaml, fs_error *err);
bool fs_yaml_good(const fs_yaml *yaml); /* nothing was wrong so far */

/* "lanes[3].to": where a node stands in the file; "" where too much is wrong already. */
const char *fs_yaml_path(const fs_yaml *yaml, const fs_node *node);
/* Reports a sentence of one's own at a node of the file, which messages call by its path, "lanes[3].to".
 * Returns false. */
bool fs_yaml_wrong(const fs_yaml *yaml, const fs_node *node, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* "\"two\"", "a list of 3", "a mapping", "nothing": what stands there, for a sentence. */
const char *fs_yaml_found(const fs_yaml *yaml, const fs_node *node);

/* `node` is a mapping with none but these keys (NULL-terminated). */
bool fs_yaml_mapping(const fs_yaml *yaml, const fs_node *node, const char *const *keys);
/* The value of a key of a mapping; NULL when it is not there, which is reported when it is required. */
const fs_node *fs_yaml_get(const fs_yaml *yaml, const fs_node *mapping, const char *name, bool required);
/* The same for a list. */
const fs_node *fs_yaml_list(const fs_yaml *yaml, const fs_node *mapping, const char *name, bool required);

/* Which of some keys (NULL-terminated) a mapping has: the last of them; SIZE_MAX: none. How many: *found. */
size_t fs_yaml_which(const fs_node *mapping, const char *const *keys, int *found);

/* One value: an integer (with a unit where there is one), a word of `words` (its index), true or false. NULL, where
 * fs_yaml_get found none: false, and *out stays as it was, as where the value is wrong. */
bool fs_yaml_int(const fs_yaml *yaml, const fs_node *node, fs_unit unit, int64_t least, int64_t most,
                 int64_t *out);
bool fs_yaml_word(const fs_yaml *yaml, const fs_node *node, const char *const *words, int64_t *out);
bool fs_yaml_bool(const fs_yaml *yaml, const fs_node *node, bool *out);
/* A real number in the base unit; a text that is not empty. */
bool fs_yaml_real(const fs_yaml *yaml, const fs_node *node, fs_unit unit, double least, double most,
                  double *out);
bool fs_yaml_text(const fs_yaml *yaml, const fs_node *node, const char **out);
/* A value by the row of a parameter that it would be; stored at the row's offset in `out`. */
bool fs_yaml_bind(const fs_yaml *yaml, const fs_node *node, const fs_param *row, void *out);
/* Numbers in ranges: 7, 0-63, 0-63/4 (every fourth from the first on), or a list of such, in the order of
 * writing; each at most `most`, `count` at least 1. */
bool fs_yaml_ranges(const fs_yaml *yaml, const fs_node *node, uint32_t most, uint32_t **numbers,
                    uint32_t *count);

/* ---- mappings and lists as rows ----
 *
 * What a mapping of a file holds is a shape: a row for each key, into the member of a struct, as the rows of a section
 * are (sim/config/param.h). From the rows follow the known keys, what is missing, unit and range of each value, and the
 * items of lists:
 *
 *     #define FS_ROWS_OF fs_choice
 *     static const fs_yaml_row rows[] = {
 *         FS_YAML_TEXT("name", name, NULL),
 *         FS_YAML_REAL("weight", weight, NONE, 0, 100, "1"),
 *     };
 *     static const fs_yaml_shape choice = FS_YAML_SHAPE(rows, sizeof(fs_choice), .check = check_choice);
 *
 * and in the rows of the whole file FS_YAML_LIST("choices", choices, choice_count, &choice, FS_YAML_MAY). Where only a
 * reader knows a limit, rows and shape are variables of its function. A row's default is written as in YAML; NULL: the
 * key must be there; FS_YAML_MAY: it may be absent, and the member stays as it was. */
#define FS_YAML_MAY "none"

/* Reads a value that no other row can, into `member`; reports what is wrong and returns false. */
typedef bool fs_yaml_reader(const fs_yaml *yaml, const fs_node *node, void *self, void *member);

typedef enum fs_yaml_row_kind {
    FS_YAML_IS_VALUE, /* bool, a word's index or a number in any C type that holds its range, three numbers */
    FS_YAML_IS_TEXT,  /* const char *, not empty */
    FS_YAML_IS_NAME,  /* const char *: the key of an item of a map */
    FS_YAML_IS_RANGES, /* uint32_t *, with its count: fs_yaml_ranges up to `max` */
    FS_YAML_IS_NODE,   /* const fs_node *: the value as it stands */
    FS_YAML_IS_KEY,    /* nothing: the key is known, and its value looked at elsewhere */
    FS_YAML_IS_READ,   /* what `read` makes of it */
    FS_YAML_IS_PART,   /* a struct with a shape of its own: a mapping */
    FS_YAML_IS_LIST,   /* an array of items, with its count */
    FS_YAML_IS_MAP,    /* the same of a mapping of names to items */
} fs_yaml_row_kind;

typedef struct fs_yaml_shape fs_yaml_shape;

typedef struct fs_yaml_row {
    const char *name;
    fs_yaml_row_kind kind;
    size_t offset, bytes; /* of the member; bytes: of its value, or of an item of a list */
    fs_param_type type;   /* of values, as in fs_param */
    fs_unit unit;
    double min, max;
    const char *const *choices;
    size_t count_at, count_bytes; /* the member with the count of ranges, lists, maps */
    const fs_yaml_shape *items;   /* of parts, lists and maps */
    fs_yaml_reader *read;
    const char *def;
    const char *item;   /* "figure": what a message calls an item; NULL: any number of them will do */
    size_t least, most; /* then: so many; most 0: no limit */
    uint32_t of;        /* bits of the kinds of its shape that have it; 0: all */
} fs_yaml_row;

struct fs_yaml_shape {
    const fs_yaml_row *rows; /* [count] */
    size_t count, size;      /* size: of the struct */
    /* Rules between rows that are right one by one, and members that follow from others. NULL: none. */
    bool (*check)(const fs_yaml *yaml, const fs_node *node, void *self, void *item);
    bool bare; /* an item is no mapping but a value, of the one row */
};
/* `...`: sizeof the struct, and by name whatever else the shape has. */
#define FS_YAML_SHAPE(r, ...)                                                                                \
    { .rows = (r), .count = sizeof(r) / sizeof *(r), .size = __VA_ARGS__ }
extern const fs_yaml_shape fs_yaml_texts; /* bare: items are texts */
/* Bare: items of a type that a reader makes; for variables of a file. */
#define FS_YAML_EACH(type, reader)                                                                           \
    {                                                                                                        \
        .rows = &(const fs_yaml_row){.kind = FS_YAML_IS_READ, .read = (reader)}, .count = 1,                 \
        .size = sizeof(type), .bare = true                                                                   \
    }

/* Fills the struct `out` of a shape from a mapping. `self` is handed to readers and checks. False: something is wrong,
 * and reported; what is right is filled in. */
bool fs_yaml_fill(const fs_yaml *yaml, const fs_node *node, const fs_yaml_shape *shape, void *self,
                  void *out);
/* The same of a mapping of one of several kinds: it has the rows of all, and those of that bit (fs_yaml_row.of). */
bool fs_yaml_fill_as(const fs_yaml *yaml, const fs_node *node, const fs_yaml_shape *shape, uint32_t kinds,
                     void *self, void *out);

/* One value as its row says, into `out`, the struct of the row. */
bool fs_yaml_read_row(const fs_yaml *yaml, const fs_node *node, const fs_yaml_row *row, void *self,
                      void *out);

#define FS_YAML_MEMBER_(m) (((FS_ROWS_OF *)0)->m)
#define FS_YAML_SIZED_(m)  .offset = offsetof(FS_ROWS_OF, m), .bytes = sizeof FS_YAML_MEMBER_(m)
/* Compiles for a member of one of the types only. */
#define FS_YAML_TYPED_(m, ...)                                                                               \
    .offset = offsetof(FS_ROWS_OF, m) + 0 * sizeof(_Generic(&FS_YAML_MEMBER_(m), __VA_ARGS__)),              \
    .bytes = sizeof FS_YAML_MEMBER_(m)
#define FS_YAML_WHOLE_(m)                                                                                    \
    FS_YAML_TYPED_(m, int64_t * : 1, uint64_t * : 1, uint32_t * : 1, int32_t * : 1, uint16_t * : 1,          \
                   uint8_t * : 1, bool * : 1)
#define FS_YAML_ITEMS_(m, c)                                                                                 \
    .offset = offsetof(FS_ROWS_OF, m), .bytes = sizeof *FS_YAML_MEMBER_(m),                                  \
    .count_at = offsetof(FS_ROWS_OF, c), .count_bytes = sizeof FS_YAML_MEMBER_(c)
/* Rows: key, member, what its values are, and `...`: the default, and by name what else the row has. */
#define FS_YAML_BOOL(k, m, ...)                                                                              \
    { .name = (k), .type = FS_TYPE_BOOL, FS_YAML_WHOLE_(m), .def = __VA_ARGS__ }
#define FS_YAML_WORD(k, m, words, ...)                                                                       \
    { .name = (k), .type = FS_TYPE_ENUM, FS_YAML_WHOLE_(m), .choices = (words), .def = __VA_ARGS__ }
#define FS_YAML_INT(k, m, u, lo, hi, ...)                                                                    \
    {                                                                                                        \
        .name = (k), .type = FS_TYPE_INT, FS_YAML_WHOLE_(m), .unit = FS_UNIT_##u, .min = (double)(lo),       \
        .max = (double)(hi), .def = __VA_ARGS__                                                              \
    }
#define FS_YAML_REAL(k, m, u, lo, hi, ...)                                                                   \
    {                                                                                                        \
        .name = (k), .type = FS_TYPE_REAL, FS_YAML_TYPED_(m, double * : 1, float * : 1),                     \
        .unit = FS_UNIT_##u, .min = (lo), .max = (hi), .def = __VA_ARGS__                                    \
    }
/* Three doubles or floats. */
#define FS_YAML_VEC3(k, m, lo, hi, ...)                                                                      \
    { .name = (k), .type = FS_TYPE_VEC3, FS_YAML_SIZED_(m), .min = (lo), .max = (hi), .def = __VA_ARGS__ }
#define FS_YAML_TEXT(k, m, ...)                                                                              \
    { .name = (k), .kind = FS_YAML_IS_TEXT, FS_YAML_TYPED_(m, const char ** : 1), .def = __VA_ARGS__ }
#define FS_YAML_NAME(m)                                                                                      \
    { .kind = FS_YAML_IS_NAME, FS_YAML_TYPED_(m, const char ** : 1) }
#define FS_YAML_NODE(k, m, ...)                                                                              \
    {                                                                                                        \
        .name = (k), .kind = FS_YAML_IS_NODE, FS_YAML_TYPED_(m, const fs_node ** : 1, fs_node ** : 1),       \
        .def = __VA_ARGS__                                                                                   \
    }
#define FS_YAML_KEY(k, ...)                                                                                  \
    { .name = (k), .kind = FS_YAML_IS_KEY, .def = __VA_ARGS__ }
#define FS_YAML_READ(k, m, reader, ...)                                                                      \
    { .name = (k), .kind = FS_YAML_IS_READ, FS_YAML_SIZED_(m), .read = (reader), .def = __VA_ARGS__ }
#define FS_YAML_RANGES(k, m, c, hi, ...)                                                                     \
    { .name = (k), .kind = FS_YAML_IS_RANGES, FS_YAML_ITEMS_(m, c), .max = (hi), .def = __VA_ARGS__ }
#define FS_YAML_PART(k, m, shape, ...)                                                                       \
    { .name = (k), .kind = FS_YAML_IS_PART, FS_YAML_SIZED_(m), .items = (shape), .def = __VA_ARGS__ }
#define FS_YAML_LIST(k, m, c, shape, ...)                                                                    \
    { .name = (k), .kind = FS_YAML_IS_LIST, FS_YAML_ITEMS_(m, c), .items = (shape), .def = __VA_ARGS__ }
#define FS_YAML_MAP(k, m, c, shape, ...)                                                                     \
    { .name = (k), .kind = FS_YAML_IS_MAP, FS_YAML_ITEMS_(m, c), .items = (shape), .def = __VA_ARGS__ }
