/* Keys that were renamed: a value under the old name counts under the new one, and a line says so. Keys that
 * are no more are left out, cycles of what is a time today become that time, with a line too. */
#include "sim/config/section.h"
#include "sim/host/voice.h"

#include <string.h>

static fs_section_text *find(fs_section_text *texts, size_t count, const char *key, const char **rest) {
    const size_t n = strcspn(key, ".");
    for (size_t i = 0; i < count && key[n] == '.'; i++)
        if (strncmp(texts[i].section->name, key, n) == 0 && texts[i].section->name[n] == '\0') {
            *rest = key + n + 1;
            return &texts[i];
        }
    return NULL;
}

/* The entry at "a.b" below a mapping, or NULL. */
static const fs_entry *entry_at(const fs_node *node, const char *path) {
    while (node != NULL) {
        const size_t n = strcspn(path, ".");
        const fs_entry *entry = fs_tree_entry(node, path, n);
        if (entry == NULL || path[n] == '\0')
            return entry;
        node = entry->value;
        path += n + 1;
    }
    return NULL;
}

/* A copy of the mapping without "a.b", and without mappings that this leaves empty. */
static fs_node *without(fs_arena *arena, const fs_node *node, const char *path) {
    const size_t n = strcspn(path, ".");
    const char *word = fs_arena_printf(arena, "%.*s", (int)n, path);
    fs_node *copy = fs_tree_without(arena, node, word);
    fs_node *inner = fs_tree_get(node, word);
    if (path[n] == '\0' || inner == NULL)
        return copy;
    inner = without(arena, inner, path + n + 1);
    if (inner->count == 0)
        return copy;
    fs_node *kept = fs_tree_mapping(arena, node->mark, word, inner->mark, inner);
    return fs_tree_merge(arena, copy, kept);
}

static void rename_row(fs_report *report, fs_arena *arena, fs_section_text *texts, size_t count,
                       fs_section_text *to, const fs_param *row) {
    const char *path = NULL;
    fs_section_text *from = find(texts, count, row->was, &path);
    if (from == NULL || from->content.node == NULL)
        return;
    const fs_entry *old = entry_at(from->content.node, path);
    if (old == NULL)
        return;
    const char *name = fs_arena_printf(arena, "%s.%s", to->section->name, row->name);
    if (to->content.node != NULL && entry_at(to->content.node, row->name) != NULL) {
        fs_report_add(report, old->mark, row->was, "is called %s now, which is given too: leave one out",
                      name);
        return;
    }
    fs_say("%s: %s is called %s now", fs_mark_text(arena, old->mark), row->was, name);
    fs_node *moved = fs_tree_nest(arena, old->mark, row->name, old->value);
    from->content.node = without(arena, from->content.node, path);
    to->content.node = to->content.node == NULL ? moved : fs_tree_merge(arena, moved, to->content.node);
    if (to->entry == NULL)
        to->entry = old;
}

/* "46 cycles" of a row that is a time now: as long as they take at the table's clock. */
static void time_row(fs_arena *arena, fs_section_text *text, const fs_param_table *table,
                     const fs_param *row) {
    const fs_entry *old = entry_at(text->content.node, row->name);
    int64_t cycles, hz;
    if (old == NULL || old->value->kind != FS_NODE_SCALAR ||
        fs_quantity_int(old->value->text, FS_UNIT_CYCLES, &cycles) != FS_QUANTITY_OK)
        return;
    const fs_entry *given = entry_at(text->content.node, row->clock);
    const char *clock = given == NULL || given->value->kind != FS_NODE_SCALAR
                            ? table->rows[fs_table_row(table, row->clock)].def
                            : given->value->text;
    if (fs_quantity_int(clock, FS_UNIT_HZ, &hz) != FS_QUANTITY_OK || hz <= 0)
        return; /* the clock is refused at its own place */
    char time[FS_QUANTITY_TEXT];
    fs_quantity_print_real(time, FS_UNIT_SECONDS, (double)cycles / (double)hz);
    fs_say("%s: %s.%s is a time: %s at %s are %s", fs_mark_text(arena, old->mark), text->section->name,
           row->name, old->value->text, clock, time);
    fs_node *now = fs_tree_scalar(arena, old->value->mark, time);
    text->content.node =
        fs_tree_merge(arena, text->content.node, fs_tree_nest(arena, old->mark, row->name, now));
}

/* A key that is no more: its value has no effect, as it had none. */
static void pass_over(fs_arena *arena, fs_section_text *texts, size_t count, const char *key) {
    const char *path = NULL;
    fs_section_text *from = find(texts, count, key, &path);
    const fs_entry *old = from == NULL ? NULL : entry_at(from->content.node, path);
    if (old == NULL)
        return;
    fs_say("%s: %s had no effect and is no more: left out", fs_mark_text(arena, old->mark), key);
    from->content.node = without(arena, from->content.node, path);
}

void fs_sections_rename(fs_report *report, fs_arena *arena, fs_section_text *texts, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const fs_section *section = texts[i].section;
        for (size_t k = 0; k < section->count; k++) {
            const char *const *gone = section->kinds[k].table->gone;
            for (size_t g = 0; gone != NULL && gone[g] != NULL; g++)
                pass_over(arena, texts, count, gone[g]);
            const fs_param_table *table = section->kinds[k].table;
            for (size_t r = 0; r < table->count; r++) {
                if (table->rows[r].was != NULL)
                    rename_row(report, arena, texts, count, &texts[i], &table->rows[r]);
                if (table->rows[r].clock != NULL)
                    time_row(arena, &texts[i], table, &table->rows[r]);
            }
        }
    }
}
