/* One section of a loaded configuration, and its check against the table of its kind. */
#pragma once

#include "sim/config/config.h"
#include "sim/config/param.h"
#include "sim/config/value.h"
#include "sim/yaml/tree.h"
#include "sim/yaml/words.h"

/* ---- files and how they refer to one another: names, paths, `base:` (parts.c) ---- */

typedef struct fs_parts fs_parts; /* the files read so far; each is read once */

/* A mapping with every base merged in. */
typedef struct fs_merged {
    fs_node *node;   /* a mapping, or NULL when nothing could be read */
    bool incomplete; /* some base could not be read: its keys are unknown, not missing */
} fs_merged;

fs_parts *fs_parts_create(fs_report *report, fs_arena *arena, const char *configs_dir);

/* The experiment file with its bases; "-" is the standard input. `section_names` are the keys whose scalars
 * refer to parts, so that `machine: gc200` below `machine: { tile: ... }` becomes its base. */
fs_merged fs_parts_experiment(fs_parts *parts, const char *path, const char *const *section_names);

/* The file of the part `top` ("machine") by itself, as it stands; NULL after a report. */
fs_node *fs_parts_file(fs_parts *parts, const char *path, const char *top);

/* One --set "a.b=v" laid over an experiment's mapping. */
fs_node *fs_parts_set(fs_parts *parts, fs_node *root, const char *set, const char *const *section_names);

/* An experiment that stands inside another file, as that file's mapping. */
fs_merged fs_parts_tree(fs_parts *parts, fs_node *root, const char *const *section_names);

/* A value from a file laid over an experiment's mapping at "a.b", as --set would; its place stays. */
fs_node *fs_parts_over(fs_parts *parts, fs_node *root, const char *path, fs_node *value,
                       const char *const *section_names);

/* What a section's entry means: the mapping itself, or the file that it names, with all bases. */
fs_merged fs_parts_section(fs_parts *parts, const fs_section *section, fs_node *node);

/* ---- where the file of a reference lies (reference.c): a word is FOLDER/WORD.yaml, below or beside the folder of the
 * file that names it, the same for the experiment, then in the installed configs/; anything with a slash or ending in
 * .yaml is a path, relative to the file that names it ---- */

typedef struct fs_lookup {
    fs_report *report;
    fs_arena *arena;
    const fs_section *section;
    const char *dirs[2];     /* of the naming file, of the experiment */
    const char *configs_dir; /* "": none */
} fs_lookup;

/* The path to open, or NULL after a report that names what there is. */
const char *fs_config_part_path(const fs_lookup *lookup, const fs_node *node, const char *key);

typedef struct fs_config_part {
    const fs_section *section;
    const fs_section_kind *kind; /* with the rows that are read: those of fs_section_use where it has some */
    const fs_node *node; /* the expanded mapping; NULL when the experiment does not name the section */
    fs_mark mark;        /* of the section, or of the file that lacks it */
    void *params;        /* the kind's struct */
    fs_mark *origin;     /* [rows] place of each value; source NULL: default */
} fs_config_part;

struct fs_config {
    fs_arena *arena;
    const char *name;
    fs_mark name_mark;     /* source NULL: the file's name */
    fs_config_part *parts; /* [count] in the order of the sections */
    size_t count;
};

/* What the rules of a check see, and report to. */
struct fs_check {
    const fs_config *config;
    fs_report *report;
    const fs_param_role *roles; /* of the workload; NULL: none */
};

/* A section as the files have it, before it is bound. */
typedef struct fs_section_text {
    const fs_section *section;
    const fs_entry *entry; /* of the experiment's mapping; NULL when nothing names the section */
    fs_merged content;     /* node NULL with `incomplete` false: an absent section, all defaults */
} fs_section_text;

/* What the workload rules over a section. */
typedef struct fs_section_ruler {
    const char *section, *kind;    /* "workload", "traffic" */
    const fs_section *of;          /* that section; NULL: nothing is ruled */
    const fs_node *kind_node;      /* where its kind is given; NULL: nowhere */
    const fs_section_rules *rules; /* NULL: nothing is ruled */
} fs_section_ruler;

/* Chooses the kind, fills params and origin, and reports every unknown, missing and wrong value.
 * part->section and part->mark are set. */
void fs_section_bind(fs_report *report, fs_arena *arena, fs_config_part *part, fs_merged content,
                     const fs_section_ruler *ruler);

/* The place of "a.b[2]" in a section: of the value, or of the innermost thing on the way that exists. */
fs_mark fs_section_place(const fs_config_part *part, const char *key);
/* What digest_of (may be NULL) tells of the file that a row names; NULL: the row names none. */
const char *fs_section_digest(const fs_config_part *part, const fs_param *row, fs_param_digest digest_of,
                              void *self);

/* ---- what is read (uses.c) ---- */

/* Whose rules hold: those of the section whose kinds have some. The kind is looked at only, and reported by
 * fs_section_bind when it is wrong. */
fs_section_ruler fs_section_ruler_of(const fs_section_text *texts, size_t count);
/* The row of its uses for a section; NULL when it is not read. The ruler's own section is read whole, and so
 * is every section where nothing is ruled. */
const fs_section_use *fs_section_use_of(const fs_section_ruler *ruler, const char *section);
/* A section that is not read: refused at its place, or left out with a line. */
void fs_section_refuse(fs_report *report, fs_arena *arena, const fs_section_ruler *ruler,
                       const fs_section_text *text);
/* The rows that any workload reads of a kind. */
const fs_param_table *fs_section_whole(fs_arena *arena, const fs_section_ruler *ruler,
                                       const fs_config_part *part);
/* The same for a key of a section that is read; false: `entry` is no row of the kind at all. */
bool fs_section_refuse_row(fs_report *report, fs_arena *arena, const fs_section_ruler *ruler,
                           const fs_config_part *part, const fs_entry *entry, const char *name);
/* Whether a kind was said over the place of an entry: by --set or a sweep over a file, or by a file over its
 * base. Files are read from the experiment down, so a base has the higher order. */
bool fs_kind_is_over(const fs_node *kind, const fs_entry *entry);

/* ---- a named work (named_work.c) ---- */

#define FS_SECTION_WORK "work"
/* Lays what the section `work` says over the workload's keys and the scene, by the rules' `work`. Reports keys that
 * contradict it, what the workload can't do, and a work for a workload that takes none. `texts` [count] are all
 * sections of the experiment. */
void fs_section_work(fs_report *report, fs_arena *arena, fs_parts *parts, const fs_section_ruler *ruler,
                     fs_section_text *texts, size_t count);

/* Lays values under the new names of keys that were renamed (fs_param.was), with a line for each. `texts`
 * [count] are all sections of the experiment. */
void fs_sections_rename(fs_report *report, fs_arena *arena, fs_section_text *texts, size_t count);

/* The kind of that name, or NULL. */
const fs_section_kind *fs_section_find_kind(const fs_section *section, const char *word);

/* True when the section's `kind` picks among tables. */
bool fs_section_has_kinds(const fs_section *section);

/* The row of that name; table->count when there is none. */
size_t fs_table_row(const fs_param_table *table, const char *name);

/* Whether a key is one of those that roles have, or lies beside them: "roles.tracer", "roles.spare.sram". */
bool fs_table_role_key(const fs_param_table *table, const char *name);
/* "the roles tracer and router", or "no roles". */
const char *fs_config_roles_text(fs_arena *arena, const fs_param_role *roles);

/* What follows `prefix` ("tile"; "": all follow it) and a dot in a row's name; NULL: the row lies elsewhere. */
const char *fs_table_below(const char *name, const char *prefix);
/* What changing the most far-reaching of its rows invalidates. */
fs_touches fs_table_reach(const fs_param_table *table);

/* The words that may follow `prefix` ("" or "tile") in a table, NULL-terminated. */
const char *const *fs_table_words(fs_arena *arena, const fs_param_table *table, const char *prefix);
