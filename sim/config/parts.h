/* Files of a configuration and how they refer to one another: names, paths, `base:`. */
#ifndef FOAMSIM_SIM_CONFIG_PARTS_H
#define FOAMSIM_SIM_CONFIG_PARTS_H

#include "sim/config/param.h"
#include "sim/yaml/tree.h"

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

#endif
