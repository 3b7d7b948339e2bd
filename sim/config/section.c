/* A section of an experiment, bound to the struct of its kind: unknown keys, defaults, kinds. */
#include "sim/config/section.h"
#include "sim/base/arith.h"

#include "sim/host/voice.h"

#include <string.h>

enum { SHOWN_WORDS = 16, HINTS = 100 }; /* HINTS: errors with words that are near; fewer are printed */

typedef struct binder {
    fs_report *report;
    fs_arena *arena;
    fs_config_part *part;
    const fs_param_table *table;
    const fs_section_ruler *ruler;
    bool *seen;          /* [rows] a value stands there, right or wrong */
    const char *dropped; /* keys of a kind that another one replaced, for one line to the person */
} binder;

bool fs_section_has_kinds(const fs_section *section) {
    return section->count > 1 || section->kinds[0].kind[0] != '\0';
}

/* ---- names of rows ---- */

const char *fs_table_below(const char *name, const char *prefix) {
    size_t n = strlen(prefix);
    if (n == 0)
        return name;
    return strncmp(name, prefix, n) == 0 && name[n] == '.' ? name + n + 1 : NULL;
}

const char *const *fs_table_words(fs_arena *arena, const fs_param_table *table, const char *prefix) {
    const char **words = FS_NEW(arena, const char *, table->count + 1);
    size_t n = 0;
    for (size_t i = 0; i < table->count; i++) {
        const char *rest = fs_table_below(table->rows[i].name, prefix);
        if (rest == NULL)
            continue;
        const char *word = fs_arena_printf(arena, "%.*s", (int)strcspn(rest, "."), rest);
        if (FS_WORD_PLACE(words, n, word) == n)
            words[n++] = word;
    }
    return words;
}

fs_touches fs_table_reach(const fs_param_table *table) {
    fs_touches reach = FS_TOUCHES_NOTHING;
    for (size_t i = 0; i < table->count; i++)
        if (table->rows[i].touches < reach)
            reach = table->rows[i].touches;
    return reach;
}

size_t fs_table_row(const fs_param_table *table, const char *name) {
    return FS_PLACE(table->rows, table->count, name, name);
}

static bool has_rows_below(const fs_param_table *table, const char *prefix) {
    for (size_t i = 0; i < table->count; i++)
        if (fs_table_below(table->rows[i].name, prefix) != NULL)
            return true;
    return false;
}

static const char *last_word(const char *name) {
    const char *dot = strrchr(name, '.');
    return dot == NULL ? name : dot + 1;
}

static const char *join(fs_arena *arena, const char *prefix, const char *word) {
    return prefix[0] == '\0' ? word : fs_arena_printf(arena, "%s.%s", prefix, word);
}

/* ---- unknown keys ---- */

/* Where the word would be right: another level, another kind, nested instead of dotted; or "". */
static const char *elsewhere(const binder *b, const char *name, const char *word) {
    const fs_section *section = b->part->section;
    if (fs_table_row(b->table, name) < b->table->count)
        return fs_arena_printf(b->arena, "; levels nest: write \"%.*s: { %s: ... }\"",
                               (int)(last_word(word) - word - 1), word, last_word(word));
    for (size_t i = 0; i < b->table->count; i++)
        if (strcmp(last_word(b->table->rows[i].name), word) == 0)
            return fs_arena_printf(b->arena, "; did you mean \"%s.%s\"?", section->name,
                                   b->table->rows[i].name);
    for (size_t k = 0; k < section->count; k++)
        if (fs_table_row(section->kinds[k].table, name) < section->kinds[k].table->count)
            return fs_arena_printf(b->arena, "; kind \"%s\" has it, this is kind \"%s\"",
                                   section->kinds[k].kind, b->part->kind->kind);
    return "";
}

static const char *words_text(fs_arena *arena, const char *const *words) {
    size_t n = 0;
    while (words[n] != NULL)
        n++;
    if (n <= SHOWN_WORDS)
        return fs_listed_words(arena, words, "or");
    const char *few[SHOWN_WORDS + 2] = {NULL};
    memcpy(few, words, SHOWN_WORDS * sizeof *few);
    few[SHOWN_WORDS] = fs_arena_printf(arena, "%zu more", n - SHOWN_WORDS);
    return fs_listed_words(arena, few, "or");
}

static void report_unknown(const binder *b, const fs_entry *entry, const char *prefix, const char *name) {
    if (fs_report_count(b->report) >= HINTS) {
        fs_report_add(b->report, entry->mark,
                      join(b->arena, b->part->section->name, fs_shown(b->arena, name)), "unknown key");
        return;
    }
    const char *const *words = fs_table_words(b->arena, b->table, prefix);
    const char *hint = fs_meant_text(b->arena, entry->key, words);
    if (hint[0] == '\0')
        hint = elsewhere(b, name, entry->key);
    bool one = words[0] == NULL || words[1] == NULL;
    fs_report_add(b->report, entry->mark, join(b->arena, b->part->section->name, fs_shown(b->arena, name)),
                  words[0] == NULL ? "unknown key; expected none%s%s" : "unknown key; expected %s%s",
                  words[0] == NULL
                      ? ""
                      : fs_arena_printf(b->arena, "%s%s", one ? "" : "one of ", words_text(b->arena, words)),
                  hint);
}

/* ---- keys of a kind that was replaced ---- */

/* "overlay: { kind: fat_tree }" over a quadtree's keys: those that mean something in a fat tree stay, the
 * others go, as long as some kind has them. */
static bool drop_replaced(binder *b, const fs_entry *entry, const char *name) {
    const fs_node *kind = fs_tree_get(b->part->node, "kind");
    if (!fs_section_has_kinds(b->part->section) || !fs_kind_is_over(kind, entry))
        return false;
    bool known = false;
    for (size_t k = 0; k < b->part->section->count; k++) {
        const fs_param_table *table = b->part->section->kinds[k].table;
        known |= fs_table_row(table, name) < table->count || has_rows_below(table, name);
    }
    if (known)
        b->dropped =
            fs_arena_append(b->arena, b->dropped, ", ", "%s (%s)", name, fs_mark_text(b->arena, entry->mark));
    return known;
}

static void tell_dropped(const binder *b) {
    if (b->dropped[0] == '\0' || b->table->count == 0) /* that `none` has nothing is no news */
        return;
    const fs_node *kind = fs_tree_get(b->part->node, "kind");
    fs_say("%s: %s.kind: %s has no %s: left out", fs_mark_text(b->arena, kind->mark), b->part->section->name,
           b->part->kind->kind, b->dropped);
}

/* ---- values ---- */

static void mark_seen(const binder *b, const char *prefix) {
    for (size_t i = 0; i < b->table->count; i++)
        if (fs_table_below(b->table->rows[i].name, prefix) != NULL)
            b->seen[i] = true;
}

static void bind_mapping(binder *b, const fs_node *mapping, const char *prefix);

static void bind_entry(binder *b, const fs_entry *entry, const char *prefix) {
    const char *name = join(b->arena, prefix, entry->key);
    const char *key = join(b->arena, b->part->section->name, name);
    bool dotted = strchr(entry->key, '.') != NULL;
    size_t row = dotted ? b->table->count : fs_table_row(b->table, name);
    if (row < b->table->count) {
        b->seen[row] = true;
        b->part->origin[row] = entry->value->mark;
        fs_value_bind(b->report, b->arena, &b->table->rows[row], key, entry->value, b->part->params);
    } else if (!dotted && entry->value->kind == FS_NODE_MAPPING &&
               (has_rows_below(b->table, name) ||
                has_rows_below(fs_section_whole(b->arena, b->ruler, b->part), name))) {
        bind_mapping(b, entry->value, name);
    } else if (dotted || !has_rows_below(b->table, name)) {
        if (dotted || (!drop_replaced(b, entry, name) &&
                       !fs_section_refuse_row(b->report, b->arena, b->ruler, b->part, entry, name)))
            report_unknown(b, entry, prefix, name);
    } else {
        mark_seen(b, name);
        if (entry->value->kind != FS_NODE_BAD)
            fs_report_add(b->report, entry->value->mark, key, "expected a mapping with %s, found %s",
                          words_text(b->arena, fs_table_words(b->arena, b->table, name)),
                          fs_node_found(b->arena, entry->value));
    }
}

static void bind_mapping(binder *b, const fs_node *mapping, const char *prefix) {
    bool top = prefix[0] == '\0';
    for (size_t i = 0; i < mapping->count; i++)
        if (!(top && strcmp(mapping->entries[i].key, "kind") == 0 && fs_section_has_kinds(b->part->section)))
            bind_entry(b, &mapping->entries[i], prefix);
}

/* ---- what is not there ---- */

static void fill_missing(const binder *b, bool incomplete) {
    for (size_t i = 0; i < b->table->count; i++) {
        const fs_param *row = &b->table->rows[i];
        if (b->seen[i])
            continue;
        if (row->def != NULL)
            fs_value_default(b->arena, row, b->part->params);
        else if (!incomplete)
            fs_report_add(b->report, fs_section_place(b->part, row->name),
                          join(b->arena, b->part->section->name, row->name), "missing; expected %s (%s)",
                          fs_value_expected(b->arena, row), row->doc);
    }
}

const char *fs_section_digest(const fs_config_part *part, const fs_param *row, fs_param_digest digest_of,
                              void *self) {
    const char *const *path = (const char *const *)((const char *)part->params + row->offset);
    return row->type != FS_TYPE_PATH || digest_of == NULL || (*path)[0] == '\0' ? NULL
                                                                                : digest_of(self, row, *path);
}

/* ---- kinds ---- */

static const char *const *kind_words(fs_arena *arena, const fs_section *section) {
    const char **words = FS_NEW(arena, const char *, section->count + 1);
    for (size_t k = 0; k < section->count; k++)
        words[k] = section->kinds[k].kind;
    return words;
}

const fs_section_kind *fs_section_find_kind(const fs_section *section, const char *word) {
    for (size_t k = 0; k < section->count; k++)
        if (section->kinds[k].kind != NULL && strcmp(section->kinds[k].kind, word) == 0)
            return &section->kinds[k];
    return NULL;
}

static const fs_section_kind *choose_kind(fs_report *report, fs_arena *arena, const fs_config_part *part,
                                          bool incomplete) {
    const fs_section *section = part->section;
    if (!fs_section_has_kinds(section))
        return &section->kinds[0];
    const char *key = fs_arena_printf(arena, "%s.kind", section->name);
    const char *const *words = kind_words(arena, section);
    const char *list =
        fs_arena_printf(arena, "%s%s", words[1] == NULL ? "" : "one of ", words_text(arena, words));
    const fs_node *node = fs_tree_get(part->node, "kind");
    if (node == NULL) {
        if (section->default_kind == NULL && !incomplete)
            fs_report_add(report, part->mark, key, "missing; expected %s", list);
        if (section->default_kind == NULL || incomplete)
            return NULL;
        const fs_section_kind *usual = fs_section_find_kind(section, section->default_kind);
        FS_ASSERT(usual != NULL, "section %s has no kind %s", section->name, section->default_kind);
        return usual;
    }
    const fs_section_kind *kind =
        node->kind == FS_NODE_SCALAR ? fs_section_find_kind(section, node->text) : NULL;
    if (kind == NULL && node->kind != FS_NODE_BAD) {
        const char *meant = node->kind == FS_NODE_SCALAR ? fs_meant_text(arena, node->text, words) : "";
        const bool pluggable =
            node->kind == FS_NODE_SCALAR && meant[0] == '\0' &&
            (strcmp(section->name, "overlay") == 0 || strcmp(section->name, "workload") == 0);
        fs_report_add(report, node->mark, key, "expected %s, found %s%s%s", list, fs_node_found(arena, node),
                      meant, pluggable ? "; one that a plug-in brings needs --plugin FILE.so" : "");
    }
    return kind;
}

/* The rows that are read of the kind, if it is one that will do; NULL after a report. */
static const fs_section_kind *read_kind(fs_report *report, fs_arena *arena, const fs_config_part *part,
                                        const fs_section_ruler *ruler) {
    const fs_section_use *use = fs_section_use_of(ruler, part->section->name);
    const fs_section_kind *kind = part->kind;
    if (use != NULL && use->kinds != NULL && !fs_listed_word(kind->kind, use->kinds)) {
        const fs_node *node = fs_tree_get(part->node, "kind");
        fs_report_add(report, node == NULL ? part->mark : node->mark,
                      fs_arena_printf(arena, "%s.kind", part->section->name), "the %s %s takes %s, found %s",
                      ruler->section, ruler->kind, fs_listed_words(arena, use->kinds, "or"), kind->kind);
        return NULL;
    }
    const fs_param_role *roles = ruler->rules == NULL ? NULL : ruler->rules->roles;
    fs_section_kind *read = FS_NEW(arena, fs_section_kind, 1);
    *read = *kind;
    read->table =
        fs_table_of_roles(arena, use == NULL || use->table == NULL ? kind->table : use->table, roles);
    return read;
}

void fs_section_bind(fs_report *report, fs_arena *arena, fs_config_part *part, fs_merged content,
                     const fs_section_ruler *ruler) {
    part->node = content.node;
    part->kind = choose_kind(report, arena, part, content.incomplete);
    if (part->kind != NULL)
        part->kind = read_kind(report, arena, part, ruler);
    if (part->kind == NULL)
        return;
    const fs_param_table *table = part->kind->table;
    part->params = fs_arena_alloc(arena, 1, table->size);
    part->origin = FS_NEW(arena, fs_mark, table->count);
    binder b = {
        .report = report, .arena = arena, .part = part, .table = table, .ruler = ruler, .dropped = ""};
    b.seen = FS_NEW(arena, bool, table->count);
    if (content.node != NULL)
        bind_mapping(&b, content.node, "");
    tell_dropped(&b);
    fill_missing(&b, content.incomplete);
}
