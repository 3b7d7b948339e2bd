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
#ifndef FOAMSIM_SIM_CONFIG_YAML_H
#define FOAMSIM_SIM_CONFIG_YAML_H

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

/* One value: an integer (with a unit where there is one), a word of `words` (its index), true or false. */
bool fs_yaml_int(const fs_yaml *yaml, const fs_node *node, fs_unit unit, int64_t least, int64_t most,
                 int64_t *out);
bool fs_yaml_word(const fs_yaml *yaml, const fs_node *node, const char *const *words, int64_t *out);
bool fs_yaml_bool(const fs_yaml *yaml, const fs_node *node, bool *out);
/* A real number in the base unit; a text that is not empty. */
bool fs_yaml_real(const fs_yaml *yaml, const fs_node *node, fs_unit unit, double least, double most,
                  double *out);
bool fs_yaml_text(const fs_yaml *yaml, const fs_node *node, const char **out);
/* A mapping: the value of the key `name` in it, as the functions above read it. False, and *out as
 * it was, where there is none (which is reported when it is required) or it is wrong. */
typedef struct fs_yaml_in {
    const fs_yaml *yaml;
    const fs_node *node;
} fs_yaml_in;
bool fs_yaml_int_in(fs_yaml_in in, const char *name, bool required, fs_unit unit, int64_t least, int64_t most,
                    int64_t *out);
bool fs_yaml_word_in(fs_yaml_in in, const char *name, bool required, const char *const *words, int64_t *out);
bool fs_yaml_bool_in(fs_yaml_in in, const char *name, bool required, bool *out);
bool fs_yaml_real_in(fs_yaml_in in, const char *name, bool required, fs_unit unit, double least, double most,
                     double *out);
bool fs_yaml_text_in(fs_yaml_in in, const char *name, bool required, const char **out);
/* Numbers in ranges: 7, 0-63, 0-63/4 (every fourth from the first on), or a list of such, in the order of
 * writing; each at most `most`, `count` at least 1. */
bool fs_yaml_ranges(const fs_yaml *yaml, const fs_node *node, uint32_t most, uint32_t **numbers,
                    uint32_t *count);

#endif
