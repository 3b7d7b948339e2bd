/* Trees of scalars and mappings: made, searched, merged, with a part left out. */
#include "sim/yaml/tree.h"

#include <string.h>

static fs_node *node_create(fs_arena *arena, fs_node_kind kind, fs_mark mark) {
    fs_node *node = FS_NEW(arena, fs_node, 1);
    node->kind = kind;
    node->mark = mark;
    return node;
}

fs_node *fs_tree_scalar(fs_arena *arena, fs_mark mark, const char *text) {
    fs_node *node = node_create(arena, FS_NODE_SCALAR, mark);
    node->text = fs_arena_strdup(arena, text);
    node->plain = true;
    return node;
}

fs_node *fs_tree_mapping(fs_arena *arena, fs_mark mark, const char *key, fs_mark key_mark, fs_node *value) {
    fs_node *node = node_create(arena, FS_NODE_MAPPING, mark);
    node->entries = FS_NEW(arena, fs_entry, 1);
    node->entries[0] = (fs_entry){.key = fs_arena_strdup(arena, key), .mark = key_mark, .value = value};
    node->count = 1;
    return node;
}

fs_entry *fs_tree_entry(const fs_node *mapping, const char *key, size_t length) {
    for (size_t i = 0; mapping != NULL && mapping->kind == FS_NODE_MAPPING && i < mapping->count; i++)
        if (strncmp(mapping->entries[i].key, key, length) == 0 && mapping->entries[i].key[length] == '\0')
            return &mapping->entries[i];
    return NULL;
}

fs_node *fs_tree_get(const fs_node *mapping, const char *key) {
    const fs_entry *entry = fs_tree_entry(mapping, key, strlen(key));
    return entry == NULL ? NULL : entry->value;
}

fs_node *fs_tree_nest(fs_arena *arena, fs_mark mark, const char *path, fs_node *value) {
    const size_t n = strcspn(path, ".");
    if (path[n] != '\0')
        value = fs_tree_nest(arena, mark, path + n + 1, value);
    return n == 0 || value == NULL
               ? NULL
               : fs_tree_mapping(arena, mark, fs_arena_printf(arena, "%.*s", (int)n, path), mark, value);
}

fs_node *fs_tree_merge(fs_arena *arena, const fs_node *under, const fs_node *over) {
    fs_node *merged = node_create(arena, FS_NODE_MAPPING, over->mark.line == 0 ? under->mark : over->mark);
    merged->entries = FS_NEW(arena, fs_entry, under->count + over->count);
    for (size_t i = 0; i < under->count; i++)
        merged->entries[i] = under->entries[i];
    merged->count = under->count;
    for (size_t i = 0; i < over->count; i++) {
        const char *key = over->entries[i].key;
        fs_entry *old = fs_tree_entry(merged, key, strlen(key));
        if (old == NULL) {
            merged->entries[merged->count++] = over->entries[i];
            continue;
        }
        const fs_node *below = old->value, *above = over->entries[i].value;
        *old = over->entries[i];
        if (below->kind == FS_NODE_MAPPING && above->kind == FS_NODE_MAPPING)
            old->value = fs_tree_merge(arena, below, above);
    }
    return merged;
}

fs_node *fs_tree_without(fs_arena *arena, const fs_node *mapping, const char *key) {
    fs_node *copy = node_create(arena, FS_NODE_MAPPING, mapping->mark);
    copy->entries = FS_NEW(arena, fs_entry, mapping->count);
    for (size_t i = 0; i < mapping->count; i++)
        if (strcmp(mapping->entries[i].key, key) != 0)
            copy->entries[copy->count++] = mapping->entries[i];
    return copy;
}

bool fs_node_is_null(const fs_node *node) {
    return node->kind == FS_NODE_SCALAR && node->plain &&
           (node->text[0] == '\0' || strcmp(node->text, "~") == 0 || strcmp(node->text, "null") == 0);
}

const char *fs_node_found(fs_arena *arena, const fs_node *node) {
    if (fs_node_is_null(node))
        return "nothing";
    if (node->kind == FS_NODE_SCALAR)
        return fs_quoted(arena, node->text);
    if (node->kind == FS_NODE_LIST)
        return fs_arena_printf(arena, "a list of %zu", node->count);
    return "a mapping";
}

fs_node *fs_tree_over(fs_arena *arena, const fs_node *node) {
    fs_node *copy = FS_NEW(arena, fs_node, 1);
    *copy = *node;
    copy->over = true;
    if (node->kind == FS_NODE_LIST) {
        copy->items = FS_NEW(arena, fs_node *, node->count);
        for (size_t i = 0; i < node->count; i++)
            copy->items[i] = fs_tree_over(arena, node->items[i]);
    } else if (node->kind == FS_NODE_MAPPING) {
        copy->entries = FS_NEW(arena, fs_entry, node->count);
        for (size_t i = 0; i < node->count; i++) {
            copy->entries[i] = node->entries[i];
            copy->entries[i].value = fs_tree_over(arena, node->entries[i].value);
        }
    }
    return copy;
}
