/* One section of a loaded configuration, and its check against the table of its kind. */
#ifndef FOAMSIM_SIM_CONFIG_SECTION_H
#define FOAMSIM_SIM_CONFIG_SECTION_H

#include "sim/config/config.h"
#include "sim/config/parts.h"

typedef struct fs_config_part {
    const fs_section *section;
    const fs_section_kind *kind;
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

/* Chooses the kind, fills params and origin, and reports every unknown, missing and wrong value.
 * part->section and part->mark are set; `content.node` NULL with `incomplete` false is an absent section: all
 * defaults. */
void fs_section_bind(fs_report *report, fs_arena *arena, fs_config_part *part, fs_part content);

/* True when the section's `kind` picks among tables. */
bool fs_section_has_kinds(const fs_section *section);

/* The words that may follow `prefix` ("" or "tile") in a table, NULL-terminated. */
const char *const *fs_table_words(fs_arena *arena, const fs_param_table *table, const char *prefix);

#endif
