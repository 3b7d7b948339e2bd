/* Roles of tiles: those of the page's plan first, then those that tables name, in the order of their
 * appearance. A role's place gives its colour, on the page (class "role-2") and in pictures. */
#ifndef FOAMSIM_REPORTS_READ_RUN_ROLES_H
#define FOAMSIM_REPORTS_READ_RUN_ROLES_H

#include "sim/base/alloc.h"
#include "sim/results/page_plan.h"

#include <stdbool.h>
#include <stdint.h>

enum { FS_ROLES = 32 };
/* The role of a tile that nothing uses. */
extern const char fs_role_unused[];

typedef struct fs_roles {
    fs_arena *arena;
    const char *name[FS_ROLES], *label[FS_ROLES], *mark[FS_ROLES];
    size_t count;
} fs_roles;

void fs_roles_begin(fs_roles *roles, fs_arena *arena, const fs_page_plan *plan);
/* The place of a role, which is added when it is new; FS_ROLES - 1 for all when there are too many. */
size_t fs_roles_at(fs_roles *roles, const char *name);
/* "role-2": a class of page.css and a name of fs_plot_colour; of an unused tile "idle". */
const char *fs_roles_colour(fs_roles *roles, const char *name);
/* "routers, level 3", "generator": a group of `count` tiles; levels: tell the level. */
const char *fs_roles_group(fs_roles *roles, const char *name, bool levels, int64_t level, size_t count);
/* What a tile bears on a map of the chip: "3", "G", "". */
const char *fs_roles_mark(fs_roles *roles, const char *name, int64_t level);
/* Marks carry levels for this role, so that its level is worth telling. */
bool fs_roles_levelled(fs_roles *roles, const char *name);

#endif
