/* Where the file of a reference lies. A word is <folder>/<word>.yaml: below or beside the folder of the file
 * that names it, the same for the experiment, then in the installed configs/. Anything with a '/' or ending
 * in .yaml is a path, relative to the file that names it. */
#ifndef FOAMSIM_SIM_CONFIG_REFERENCE_H
#define FOAMSIM_SIM_CONFIG_REFERENCE_H

#include "sim/config/param.h"
#include "sim/yaml/tree.h"

typedef struct fs_lookup {
    fs_report *report;
    fs_arena *arena;
    const fs_section *section;
    const char *dirs[2];     /* of the naming file, of the experiment */
    const char *configs_dir; /* "": none */
} fs_lookup;

/* The path to open, or NULL after a report that names what there is. */
const char *fs_config_part_path(const fs_lookup *lookup, const fs_node *node, const char *key);

#endif
