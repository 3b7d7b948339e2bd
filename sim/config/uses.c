/* Sections and keys that a workload does not read: refused where they are written, left out where a base
 * brings them for another workload, or where they say nothing but defaults. */
#include "sim/config/section.h"
#include "sim/host/voice.h"

#include <string.h>

enum { MOST_USES = 32 };

static const fs_section_use all = {.section = ""};

fs_section_ruler fs_section_ruler_of(const fs_section_text *texts, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const fs_section *section = texts[i].section;
        const fs_node *said = fs_tree_get(texts[i].content.node, "kind");
        const char *word = said == NULL                   ? section->default_kind
                           : said->kind == FS_NODE_SCALAR ? said->text
                                                          : NULL;
        const fs_section_kind *kind = word == NULL ? NULL : fs_section_find_kind(section, word);
        if (kind != NULL && kind->rules != NULL && kind->rules->uses != NULL)
            return (fs_section_ruler){section->name, kind->kind, section, said, kind->rules};
    }
    return (fs_section_ruler){.section = ""};
}

const fs_section_use *fs_section_use_of(const fs_section_ruler *ruler, const char *section) {
    if (ruler->rules == NULL || strcmp(ruler->section, section) == 0 ||
        (ruler->rules->work != NULL && strcmp(section, FS_SECTION_WORK) == 0))
        return &all;
    for (const fs_section_use *use = ruler->rules->uses; use->section != NULL; use++)
        if (strcmp(use->section, section) == 0)
            return use;
    return NULL;
}

bool fs_kind_is_over(const fs_node *kind, const fs_entry *entry) {
    if (kind == NULL || entry->value->over || entry->mark.line == 0)
        return false;
    return kind->over || kind->mark.line == 0 || entry->mark.source->order > kind->mark.source->order;
}

/* "machine, overlay and run": what is read, for a message. */
static const char *uses_text(fs_arena *arena, const fs_section_ruler *ruler) {
    const char *names[MOST_USES + 1] = {NULL};
    for (size_t i = 0; i < MOST_USES && ruler->rules->uses[i].section != NULL; i++)
        names[i] = ruler->rules->uses[i].section;
    return fs_listed_words(arena, names, "and");
}

static void tell_left_out(fs_arena *arena, const fs_section_ruler *ruler, fs_mark mark, const char *key) {
    fs_say("%s: the %s %s does not read %s: left out", fs_mark_text(arena, mark), ruler->section, ruler->kind,
           key);
}

/* ---- sections ---- */

/* Whether all that the section says are defaults. */
static bool says_nothing(fs_arena *arena, const fs_section_text *text) {
    if (text->content.node == NULL)
        return false;
    fs_report *report = fs_report_create(arena);
    fs_config_part part = {.section = text->section, .mark = text->entry->mark};
    const fs_section_ruler nobody = {.section = ""};
    fs_section_bind(report, arena, &part, text->content, &nobody);
    if (fs_report_count(report) > 0)
        return false;
    if (fs_section_has_kinds(text->section) &&
        (text->section->default_kind == NULL || strcmp(part.kind->kind, text->section->default_kind) != 0))
        return false;
    void *usual = fs_arena_alloc(arena, 1, part.kind->table->size);
    fs_params_default(arena, part.kind->table, usual);
    return fs_params_equal(part.kind->table, "", part.params, usual);
}

void fs_section_refuse(fs_report *report, fs_arena *arena, const fs_section_ruler *ruler,
                       const fs_section_text *text) {
    if (text->entry == NULL)
        return;
    const char *name = text->section->name;
    if (fs_kind_is_over(ruler->kind_node, text->entry) || says_nothing(arena, text))
        tell_left_out(arena, ruler, text->entry->mark, name);
    else
        fs_report_add(report, text->entry->mark, name,
                      "the %s %s does not read this section, it reads %s: leave it out", ruler->section,
                      ruler->kind, uses_text(arena, ruler));
}

/* ---- keys ---- */

/* A value of a row that is not read, in a struct of its own: is it the default? */
static bool is_default(fs_arena *arena, const fs_param_table *table, size_t row, const fs_node *value) {
    const fs_param *p = &table->rows[row];
    if (p->def == NULL)
        return false;
    fs_report *report = fs_report_create(arena);
    void *found = fs_arena_alloc(arena, 1, table->size), *usual = fs_arena_alloc(arena, 1, table->size);
    fs_value_default(arena, p, usual);
    return fs_value_bind(report, arena, p, "", value, found) && fs_params_equal(table, p->name, found, usual);
}

const fs_param_table *fs_section_whole(fs_arena *arena, const fs_section_ruler *ruler,
                                       const fs_config_part *part) {
    const fs_section_kind *whole = fs_section_find_kind(part->section, part->kind->kind);
    if (whole == NULL || whole->table == part->kind->table || ruler->of == NULL)
        return part->kind->table;
    return fs_table_of_roles(arena, whole->table, fs_config_roles(arena, ruler->of, 1));
}

bool fs_section_refuse_row(fs_report *report, fs_arena *arena, const fs_section_ruler *ruler,
                           const fs_config_part *part, const fs_entry *entry, const char *name) {
    const fs_param_table *table = fs_section_whole(arena, ruler, part);
    const size_t row = fs_table_row(table, name);
    if (row == table->count)
        return false;
    const char *key = fs_arena_printf(arena, "%s.%s", part->section->name, name);
    if (fs_kind_is_over(ruler->kind_node, entry) || is_default(arena, table, row, entry->value))
        tell_left_out(arena, ruler, entry->mark, key);
    else if (fs_table_role_key(fs_section_find_kind(part->section, part->kind->kind)->table, name))
        fs_report_add(report, entry->mark, key, "the %s %s has %s", ruler->section, ruler->kind,
                      fs_config_roles_text(arena, ruler->rules->roles));
    else
        fs_report_add(report, entry->mark, key, "the %s %s does not read this key: leave it out",
                      ruler->section, ruler->kind);
    return true;
}
