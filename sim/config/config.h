/* Experiment files: YAML (libyaml) to typed, checked structs.
 *
 * A file is a mapping with `name` (optional text), `base` (optional: another experiment) and one entry for
 * each section; a section that is not there has all defaults. A section is a mapping in line, or a scalar
 * that names one: a word is <folder>/<word>.yaml, looked up below and beside the folder of the file that
 * names it, the same for the experiment file, then in the installed configs/; anything with a '/' or ending
 * in .yaml is a path relative to the file that names it. An experiment that is loaded may be such a word too,
 * where no file has its name. A mapping with `base: X` takes X first and changes
 * only what it names, mappings key by key, all else whole; bases nest, a cycle is an error. `--set
 * section.key=value` comes last; its value is YAML, and a path in it starts from the current folder. Dots in
 * a row's name are nested mappings in YAML. Where --set (or a file over its base) says another `kind` of a
 * section, the keys below that only the old kind has are left out, with a line that names them; keys that
 * both have stay. A workload names the sections that it reads (fs_section_rules): one that it does not read
 * is refused where it is written, and left out, with a line, where a base brings it for another workload or
 * where it says nothing but defaults; so are single keys that it does not read. Anchors, aliases, tags and
 * merge keys are refused: `base` is the one way to share.
 *
 * Every error names file:line:column, the key's full path, what was found, what is allowed, and the nearest
 * valid word; all errors of a file are reported, not just the first. Lines and columns count from 1.
 */
#pragma once

#include "sim/base/alloc.h"
#include "sim/base/error.h"
#include "sim/config/param.h"

#include <stdbool.h>
#include <stdio.h>

typedef struct fs_config fs_config;

/* Reads and checks `path` ("-": standard input) against `sections` ([section_count], from the registry; kept,
 * not copied). sets: [set_count] texts "a.b=v" of --set. configs_dir: the folder of named parts. All memory
 * belongs to `arena`. NULL on FS_INPUT / FS_IO, err then holds one line for each error. */
fs_config *fs_config_load(fs_arena *arena, const char *path, const fs_section *sections, size_t section_count,
                          const char *const *sets, size_t set_count, const char *configs_dir, fs_error *err);

/* A value of a YAML file (sim/config/yaml.h) that is laid over an experiment as --set would: errors and
 * origins name its place in that file, and paths in it start from there. */
struct fs_node;
typedef struct fs_config_over {
    const char *key; /* "overlay.kind" */
    struct fs_node *value;
} fs_config_over;

/* The same as fs_config_load for an experiment that stands inside a file: `root` is its mapping (with `base`
 * and all), `overs` [over_count] come over it in turn. Neither is changed. */
fs_config *fs_config_load_tree(fs_arena *arena, struct fs_node *root, const fs_section *sections,
                               size_t section_count, const fs_config_over *overs, size_t over_count,
                               const char *configs_dir, fs_error *err);

/* The filled struct of a section (layout: the chosen table's struct), never NULL for a loaded config. Panics
 * for a section that the workload does not read. */
const void *fs_config_section(const fs_config *config, const char *section);
/* The chosen `kind` of a section; "" for a section without kinds. */
const char *fs_config_kind(const fs_config *config, const char *section);
/* What the chosen kind is beside its table (fs_section_kind.descriptor); NULL: nothing. */
const void *fs_config_descriptor(const fs_config *config, const char *section);
/* Whether the workload reads a section of that name. */
bool fs_config_has(const fs_config *config, const char *section);
/* The member of a section's struct that a row fills (its type is the row's), or NULL when the chosen kind has
 * no such row or the row has no value. */
const void *fs_config_value(const fs_config *config, const char *section, const char *key);
/* The experiment's name: `name:`, else the file's name without folder and ending. */
const char *fs_config_name(const fs_config *config);
/* Where a parameter came from, for a later check that concerns it: "file:line:column: section.key". Falls
 * back to the place of the innermost mapping around it when the key was defaulted. `key` may have an index,
 * "widths[2]", or be "" for the section. "--set a.b=v: section.key" when it was set. Arena-owned. */
const char *fs_config_where(const fs_config *config, const char *section, const char *key);

/* ---- rows that stand for roles (fs_param_table.role_size) ---- */

/* The table with those rows written out for `roles` (may be NULL: none). Tables without such rows as they are. */
const fs_param_table *fs_table_of_roles(fs_arena *arena, const fs_param_table *table,
                                        const fs_param_role *roles);
/* The roles of all kinds, each name once, with the kinds that have it in its text. */
const fs_param_role *fs_config_roles(fs_arena *arena, const fs_section *sections, size_t count);
/* The sections with their tables written out for those: what may be set, whatever the workload. */
const fs_section *fs_sections_of_roles(fs_arena *arena, const fs_section *sections, size_t count);

/* ---- what a parameter depends on ---- */

/* The settings of an experiment, wherever they come from: the canonical text of "section.key", or NULL. */
typedef struct fs_param_values {
    const char *(*of)(void *self, const char *name);
    void *self;
} fs_param_values;
/* Why "section.key" can change nothing at these settings, by its row's `only`, as part of a sentence:
 * "overlay.router_buffer = 576000 B decides what it would: machine.memory.sram counts with
 * overlay.router_buffer=0 B only". NULL: it may change something, or no row says what it needs. idle: it is
 * known that nothing came of it, so that a setting at which it may count ("auto?") did not let it.
 * Arena-owned.
 */
const char *fs_param_fixed(const fs_section *sections, size_t count, const char *name,
                           const fs_param_values *values, bool idle, fs_arena *arena);

/* ---- rules ---- */

/* Reports that a rule is broken, at the place of a key: "workload.camera.look_at", "machine" for a section.
 * For the `check` of tables and kinds, while the experiment is loaded. */
void fs_check_wrong(fs_check *check, const char *key, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The rule that the file of a path's key exists, "" apart. `where` is a sentence on where such files are from. */
void fs_check_file(fs_check *check, const char *key, const char *path, const char *where);

/* The rule that no key below `under` ("workload", "machine.exchange.noc") is written that can change nothing at
 * the settings of the others (fs_param.only), in the experiment's own file or by --set. A file that lists all keys, as
 * resolved.yaml does, says nothing by one of them, nor does a file that --set overrules in those others. */
void fs_check_idle(fs_check *check, const char *under);
/* Whether a key is written that way. */
bool fs_check_says(const fs_check *check, const char *key);

/* fs_check_wrong for an error that has its place in front already (fs_config_where); `section` is that of its key. */
void fs_check_failed(fs_check *check, const char *section, const fs_error *why);
/* The name of role i of the workload; NULL past the last. For the `check` of a table whose rows stand for roles. */
const char *fs_check_role(const fs_check *check, size_t i);

/* ---- what a loaded configuration writes ---- */

/* Writes resolved.yaml: every parameter of every section with its value in canonical form and its origin as a
 * comment; loading it again gives the same values. Paths are written absolute, each with `# sha256 ...` when
 * digest_of (may be NULL) returns a text for it. */
void fs_config_write_resolved(const fs_config *config, FILE *out, fs_param_digest digest_of, void *self);
/* The same without name, comments and parameters that touch nothing: the text that digests are taken of. */
void fs_config_write_canonical(const fs_config *config, FILE *out);

/* Writes the rows of parameters.csv: one for each parameter of the experiment, and one for the kind of a
 * section that has kinds. Value and default in the canonical form of resolved.yaml ("none": absent;
 * "required": there is no default); changed: yes when the two texts differ, whoever wrote the value; unit:
 * the base unit; origin: "default", "FILE:LINE" without folders, or "--set"; confidence and source of a
 * number of the hardware that was changed are what its line states (`8 B # [P] a source`), else "Y" for yours
 * and "". The header line is the caller's. */
enum { FS_PARAMETER_COLUMNS = 11 };
extern const char *const fs_parameter_columns[FS_PARAMETER_COLUMNS];
void fs_config_write_parameters(const fs_config *config, FILE *out);

/* What such a row says, as texts of an arena. */
typedef struct fs_config_row {
    const char *section, *key, *value, *unit, *usual, *source, *doc, *origin;
    char confidence;
    fs_touches touches;
    const fs_param *param; /* NULL: the kind of a section, one of `kinds` */
    const fs_section *kinds;
    const char *range; /* of a number: "1 to 64"; "" */
} fs_config_row;
/* All of a configuration, in their order: [*count]. */
const fs_config_row *fs_config_rows(fs_arena *arena, const fs_config *config, size_t *count);

/* Reads a part by itself (a machine or a scene file) into a struct of one section: what `foamsim scene
 * generate
 * --config` and tests use. Same rules and errors as fs_config_load. */
const void *fs_config_load_section(fs_arena *arena, const char *path, const fs_section *section,
                                   const char *const *sets, size_t set_count, const char *configs_dir,
                                   const char **kind_out, fs_error *err);

/* Fills a struct with a table's defaults (tests, and code that builds an experiment without a file).
 * Rows without a default are left zero, texts "". A default that breaks its own row's rules is a defect:
 * panic. */
void fs_params_default(fs_arena *arena, const fs_param_table *table, void *out);

/* ---- rows of a table, without a file ---- */

/* A selection of rows: the one called `below`, and those below it ("exchange"); "" is all of them. */

/* Whether two structs have equal values in these rows. */
bool fs_params_equal(const fs_param_table *table, const char *below, const void *a, const void *b);
/* Writes "NAME: VALUE" for each of these rows, in the order of the table and in canonical form ("none": no
 * value): what a digest can be taken of. */
void fs_params_write(const fs_param_table *table, const char *below, const void *params, FILE *out);

/* `foamsim params`: one table as text for a terminal, or as Markdown for docs/parameters.md. */
void fs_params_print(const fs_param_table *table, FILE *out);
void fs_params_print_markdown(const fs_param_table *table, FILE *out);
