/* Files that are no experiments (sweeps, cases): mappings, lists and scalars, read with their places. */
#include "sim/config/yaml.h"
#include "sim/yaml/paths.h"
#include "sim/yaml/words.h"

#include "sim/config/section.h"
#include "sim/config/value.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

fs_yaml *fs_yaml_open(fs_arena *arena, const char *path) {
    fs_yaml *yaml = FS_NEW(arena, fs_yaml, 1);
    yaml->arena = arena;
    yaml->report = fs_report_create(arena);
    yaml->silent = fs_report_create(arena);
    yaml->root = fs_parts_file(fs_parts_create(yaml->report, arena, NULL), path, "");
    return yaml;
}

const char *fs_yaml_missing_file(fs_arena *arena, const char *path, const char *section) {
    const fs_yaml *yaml = fs_yaml_open(arena, path);
    const fs_node *file = fs_tree_get(fs_tree_get(yaml->root, section), "file");
    if (file == NULL || file->kind != FS_NODE_SCALAR)
        return NULL;
    return fs_path_is_file(fs_path_join(arena, fs_path_dir(arena, path), file->text)) ? NULL : file->text;
}

fs_status fs_yaml_finish(const fs_yaml *yaml, fs_error *err) {
    return fs_report_finish(yaml->report, err);
}

bool fs_yaml_good(const fs_yaml *yaml) {
    return fs_report_count(yaml->report) == 0;
}

/* ---- places ---- */

enum { MOST_PATHS = 256 }; /* errors that have one: further ones are not shown */

static const char *joined(fs_arena *arena, const char *first, const char *rest) {
    const char *dot = first[0] == '\0' || rest[0] == '\0' || rest[0] == '[' ? "" : ".";
    return fs_arena_printf(arena, "%s%s%s", first, dot, rest);
}

/* Also of a part of its text that is read as a node of its own. */
static bool same(const fs_node *a, const fs_node *b) {
    return a == b || (a->kind == b->kind && a->mark.line == b->mark.line && a->mark.column == b->mark.column);
}

/* The path of a node from one above it; NULL: it is not below that. */
static const char *path_from(fs_arena *arena, const fs_node *above, const fs_node *node) {
    if (same(above, node))
        return "";
    for (size_t i = 0; i < above->count; i++) {
        const bool list = above->kind == FS_NODE_LIST;
        const char *rest = path_from(arena, list ? above->items[i] : above->entries[i].value, node);
        if (rest != NULL)
            return joined(arena, list ? fs_arena_printf(arena, "[%zu]", i) : above->entries[i].key, rest);
    }
    return NULL;
}

const char *fs_yaml_path(const fs_yaml *yaml, const fs_node *node) {
    const bool shown = yaml->root != NULL && fs_report_count(yaml->report) < MOST_PATHS;
    const char *path = shown ? path_from(yaml->arena, yaml->root, node) : NULL;
    return path == NULL ? "" : path;
}

bool fs_yaml_wrong(const fs_yaml *yaml, const fs_node *node, const char *format, ...) {
    if (node->kind == FS_NODE_BAD) /* reported where it was read */
        return false;
    char text[1024];
    FS_VARIADIC(args, format, vsnprintf(text, sizeof text, format, args));
    fs_report_add(yaml->report, node->mark, fs_yaml_path(yaml, node), "%s", text);
    return false;
}

const char *fs_yaml_found(const fs_yaml *yaml, const fs_node *node) {
    return fs_node_found(yaml->arena, node);
}

bool fs_yaml_mapping(const fs_yaml *yaml, const fs_node *node, const char *const *keys) {
    if (node->kind != FS_NODE_MAPPING)
        return fs_yaml_wrong(yaml, node, "expected a mapping with %s, found %s",
                             fs_listed_words(yaml->arena, keys, "and"), fs_yaml_found(yaml, node));
    bool good = true;
    for (size_t i = 0; i < node->count; i++) {
        const fs_entry *entry = &node->entries[i];
        if (fs_listed_word(entry->key, keys))
            continue;
        good = false;
        fs_report_add(yaml->report, entry->mark,
                      joined(yaml->arena, fs_yaml_path(yaml, node), fs_shown(yaml->arena, entry->key)),
                      "unknown key; expected one of %s%s", fs_listed_words(yaml->arena, keys, "or"),
                      fs_meant_text(yaml->arena, entry->key, keys));
    }
    return good;
}

const fs_node *fs_yaml_get(const fs_yaml *yaml, const fs_node *mapping, const char *name, bool required) {
    const fs_node *node = fs_tree_get(mapping, name);
    if (node != NULL && !fs_node_is_null(node))
        return node->kind == FS_NODE_BAD ? NULL : node;
    if ((required || node != NULL) && mapping->kind != FS_NODE_BAD)
        fs_report_add(yaml->report, (node == NULL ? mapping : node)->mark,
                      joined(yaml->arena, fs_yaml_path(yaml, mapping), name), "missing");
    return NULL;
}

const fs_node *fs_yaml_list(const fs_yaml *yaml, const fs_node *mapping, const char *name, bool required) {
    const fs_node *node = fs_yaml_get(yaml, mapping, name, required);
    if (node == NULL || node->kind == FS_NODE_LIST)
        return node;
    fs_yaml_wrong(yaml, node, "expected a list, found %s", fs_yaml_found(yaml, node));
    return NULL;
}

size_t fs_yaml_which(const fs_node *mapping, const char *const *keys, int *found) {
    size_t which = SIZE_MAX;
    *found = 0;
    for (size_t i = 0; keys[i] != NULL; i++)
        if (fs_tree_get(mapping, keys[i]) != NULL) {
            which = i;
            (*found)++;
        }
    return which;
}

/* ---- values ---- */

/* A value as the row of a parameter table that it would be. Its path is looked for where it is wrong only. */
bool fs_yaml_bind(const fs_yaml *yaml, const fs_node *node, const fs_param *row, void *out) {
    if (node == NULL)
        return false;
    if (fs_value_bind(yaml->silent, yaml->arena, row, "", node, out))
        return true;
    fs_value_bind(yaml->report, yaml->arena, row, fs_yaml_path(yaml, node), node, out);
    return false;
}

bool fs_yaml_int(const fs_yaml *yaml, const fs_node *node, fs_unit unit, int64_t least, int64_t most,
                 int64_t *out) {
    const fs_param row = {.type = FS_TYPE_INT, .unit = unit, .min = (double)least, .max = (double)most};
    return fs_yaml_bind(yaml, node, &row, out);
}

bool fs_yaml_word(const fs_yaml *yaml, const fs_node *node, const char *const *words, int64_t *out) {
    return fs_yaml_bind(yaml, node, &(const fs_param){.type = FS_TYPE_ENUM, .choices = words}, out);
}

bool fs_yaml_bool(const fs_yaml *yaml, const fs_node *node, bool *out) {
    return fs_yaml_bind(yaml, node, &(const fs_param){.type = FS_TYPE_BOOL}, out);
}

bool fs_yaml_real(const fs_yaml *yaml, const fs_node *node, fs_unit unit, double least, double most,
                  double *out) {
    const fs_param row = {.type = FS_TYPE_REAL, .unit = unit, .min = least, .max = most};
    return fs_yaml_bind(yaml, node, &row, out);
}

bool fs_yaml_text(const fs_yaml *yaml, const fs_node *node, const char **out) {
    if (node == NULL)
        return false;
    if (node->kind == FS_NODE_SCALAR && node->text[0] != '\0') {
        *out = node->text;
        return true;
    }
    return fs_yaml_wrong(yaml, node, "expected a text, found %s", fs_yaml_found(yaml, node));
}

/* ---- numbers in ranges ---- */

/* Digits and nothing else, at most `most`. */
static bool number(const char *text, size_t length, uint32_t most, uint32_t *out) {
    uint64_t value = 0;
    for (size_t i = 0; i < length; i++) {
        if (text[i] < '0' || text[i] > '9' || value > most)
            return false;
        value = value * 10 + (uint64_t)(text[i] - '0');
    }
    *out = (uint32_t)value;
    return length > 0 && value <= most;
}

typedef struct number_range {
    uint32_t first, last, step;
} number_range;

static size_t without_blanks(const char *text, size_t length) {
    while (length > 0 && text[length - 1] == ' ')
        length--;
    return length;
}

/* "7", "0-63" or "0-63/4", blanks around dash and slash allowed. */
static bool range(const fs_yaml *yaml, const fs_node *node, uint32_t most, number_range *out) {
    const char *text = node->kind == FS_NODE_SCALAR ? node->text : "";
    const char *dash = strchr(text, '-'), *slash = dash == NULL ? NULL : strchr(dash, '/');
    const char *right = dash == NULL ? text : dash + 1 + strspn(dash + 1, " ");
    const size_t left = without_blanks(text, dash == NULL ? strlen(text) : (size_t)(dash - text));
    size_t length = dash == NULL ? left : strlen(right);
    bool good = true;
    out->step = 1;
    if (slash != NULL) {
        const char *step = slash + 1 + strspn(slash + 1, " ");
        length = slash > right ? without_blanks(right, (size_t)(slash - right)) : 0;
        good = number(step, strlen(step), most, &out->step) && out->step > 0;
    }
    if (good && number(text, left, most, &out->first) && number(right, length, most, &out->last) &&
        out->first <= out->last)
        return true;
    fs_yaml_wrong(yaml, node,
                  "expected a number from 0 to %" PRIu32 ", a range such as 0-%" PRIu32
                  ", one with a step such as 0-%" PRIu32 "/2, or a list of these, found %s",
                  most, most, most, fs_yaml_found(yaml, node));
    return false;
}

bool fs_yaml_ranges(const fs_yaml *yaml, const fs_node *node, uint32_t most, uint32_t **numbers,
                    uint32_t *count) {
    const bool list = node->kind == FS_NODE_LIST;
    const size_t items = list ? node->count : 1;
    uint64_t all = 0;
    number_range r = {0, 0, 1};
    bool good = true;
    *count = 0;
    for (size_t i = 0; i < items; i++)
        if (range(yaml, list ? node->items[i] : node, most, &r))
            all += (r.last - r.first) / r.step + 1;
        else
            good = false;
    if (good && (all == 0 || all > (uint64_t)most + 1))
        fs_yaml_wrong(yaml, node, "expected 1 to %" PRIu64 " numbers, found %" PRIu64, (uint64_t)most + 1,
                      all);
    if (!good || all == 0 || all > (uint64_t)most + 1)
        return false;
    *numbers = FS_NEW(yaml->arena, uint32_t, all);
    for (size_t i = 0; i < items; i++) {
        range(yaml, list ? node->items[i] : node, most, &r);
        for (uint64_t n = r.first; n <= r.last; n += r.step)
            (*numbers)[(*count)++] = (uint32_t)n;
    }
    return true;
}
