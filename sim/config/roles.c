/* Rows that stand for each role of a workload: written out with the roles' names. */
#include "sim/config/section.h"

#include <string.h>

static const char role_word[] = "ROLE";

/* The text with `with` in the place of ROLE; a text without it as it is. */
static const char *named(fs_arena *arena, const char *text, const char *with) {
    const char *at = strstr(text, role_word);
    return at == NULL
               ? text
               : fs_arena_printf(arena, "%.*s%s%s", (int)(at - text), text, with, at + strlen(role_word));
}

static size_t count_of(const fs_param_role *roles) {
    size_t count = 0;
    while (roles != NULL && roles[count].name != NULL)
        count++;
    return count;
}

bool fs_table_role_key(const fs_param_table *table, const char *name) {
    for (size_t i = 0; i < table->count && table->role_size > 0; i++) {
        const char *row = table->rows[i].name, *at = strstr(row, role_word);
        if (at != NULL)
            return strncmp(row, name, (size_t)(at - row)) == 0;
    }
    return false;
}

const fs_param_table *fs_table_of_roles(fs_arena *arena, const fs_param_table *table,
                                        const fs_param_role *roles) {
    if (table->role_size == 0)
        return table;
    const size_t count = count_of(roles);
    size_t first = 0, last;
    while (first < table->count && strstr(table->rows[first].name, role_word) == NULL)
        first++;
    for (last = first; last < table->count && strstr(table->rows[last].name, role_word) != NULL;)
        last++;
    fs_param *rows = FS_NEW(arena, fs_param, table->count + count * (last - first) + 1);
    size_t n = first;
    memcpy(rows, table->rows, first * sizeof *rows);
    for (size_t i = 0; i < count; i++)
        for (size_t r = first; r < last; r++) {
            fs_param *row = &rows[n++];
            *row = table->rows[r];
            row->name = named(arena, row->name, roles[i].name);
            row->doc = named(arena, row->doc, roles[i].who);
            row->offset += table->role_size * (i < table->role_most ? i : 0);
        }
    for (size_t r = last; r < table->count; r++)
        if (count > 0 || !fs_table_role_key(table, table->rows[r].name))
            rows[n++] = table->rows[r];
    fs_param_table *out = FS_NEW(arena, fs_param_table, 1);
    *out = *table;
    out->rows = rows;
    out->count = n;
    return out;
}

const char *fs_config_roles_text(fs_arena *arena, const fs_param_role *roles) {
    const size_t count = count_of(roles);
    const char **names = FS_NEW(arena, const char *, count + 1);
    for (size_t i = 0; i < count; i++)
        names[i] = roles[i].name;
    return count == 0 ? "no roles"
                      : fs_arena_printf(arena, "the roles %s", fs_listed_words(arena, names, "and"));
}

/* Adds the roles of a kind: those of one name are of every kind that has it, "a tracer's tile (foam, traffic)". */
static void add_roles(fs_arena *arena, const fs_section_kind *kind, fs_param_role *list) {
    const fs_param_role *r = kind->rules == NULL ? NULL : kind->rules->roles;
    for (; r != NULL && r->name != NULL; r++) {
        size_t at = 0;
        while (list[at].name != NULL && strcmp(list[at].name, r->name) != 0)
            at++;
        list[at].who = list[at].name == NULL
                           ? fs_arena_printf(arena, "%s (%s)", r->who, kind->kind)
                           : fs_arena_printf(arena, "%.*s, %s)", (int)strlen(list[at].who) - 1, list[at].who,
                                             kind->kind);
        list[at].name = r->name;
    }
}

const fs_param_role *fs_config_roles(fs_arena *arena, const fs_section *sections, size_t count) {
    size_t most = 0;
    for (size_t s = 0; s < count; s++)
        for (size_t k = 0; k < sections[s].count; k++)
            if (sections[s].kinds[k].rules != NULL)
                most += count_of(sections[s].kinds[k].rules->roles);
    fs_param_role *list = FS_NEW(arena, fs_param_role, most + 1);
    for (size_t s = 0; s < count; s++)
        for (size_t k = 0; k < sections[s].count; k++)
            add_roles(arena, &sections[s].kinds[k], list);
    return list;
}

const fs_section *fs_sections_of_roles(fs_arena *arena, const fs_section *sections, size_t count) {
    const fs_param_role *roles = fs_config_roles(arena, sections, count);
    fs_section *out = FS_NEW(arena, fs_section, count + 1);
    for (size_t s = 0; s < count; s++) {
        fs_section_kind *kinds = FS_NEW(arena, fs_section_kind, sections[s].count + 1);
        out[s] = sections[s];
        out[s].kinds = kinds;
        for (size_t k = 0; k < sections[s].count; k++) {
            kinds[k] = sections[s].kinds[k];
            kinds[k].table = fs_table_of_roles(arena, kinds[k].table, roles);
        }
    }
    return out;
}
