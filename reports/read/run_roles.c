#include "reports/read/run_folder.h"

#include <string.h>

const char fs_role_unused[] = "spare";

void fs_roles_begin(fs_roles *roles, fs_arena *arena, const fs_page_plan *plan) {
    *roles = (fs_roles){.arena = arena};
    for (size_t i = 0; i < plan->role_count && i < FS_ROLES; i++) {
        const fs_plan_role *role = &plan->roles[i];
        roles->name[i] = role->name == NULL ? "" : role->name;
        roles->label[i] = role->label == NULL ? roles->name[i] : role->label;
        roles->mark[i] = role->mark;
        roles->count = i + 1;
    }
}

size_t fs_roles_at(fs_roles *roles, const char *name) {
    for (size_t i = 0; i < roles->count; i++)
        if (strcmp(roles->name[i], name) == 0)
            return i;
    if (roles->count == FS_ROLES)
        return FS_ROLES - 1;
    roles->name[roles->count] = fs_arena_strdup(roles->arena, name);
    roles->label[roles->count] = roles->name[roles->count];
    return roles->count++;
}

const char *fs_roles_colour(fs_roles *roles, const char *name) {
    static const char *const colour[] = {"role-0", "role-1", "role-2", "role-3",
                                         "role-4", "role-5", "role-6", "role-7"};
    if (strcmp(name, fs_role_unused) == 0)
        return "idle";
    return colour[fs_roles_at(roles, name) % (sizeof colour / sizeof *colour)];
}

bool fs_roles_levelled(fs_roles *roles, const char *name) {
    const char *mark = roles->mark[fs_roles_at(roles, name)];
    return mark != NULL && strcmp(mark, "level") == 0;
}

const char *fs_roles_group(fs_roles *roles, const char *name, bool levels, int64_t level, size_t count) {
    const char *text = count == 1 && !levels ? name : roles->label[fs_roles_at(roles, name)];
    return levels ? fs_arena_printf(roles->arena, "%s, level %lld", text, (long long)level) : text;
}

const char *fs_roles_mark(fs_roles *roles, const char *name, int64_t level) {
    const char *mark = roles->mark[fs_roles_at(roles, name)];
    if (mark == NULL)
        return "";
    return fs_roles_levelled(roles, name) ? fs_arena_printf(roles->arena, "%lld", (long long)level) : mark;
}
