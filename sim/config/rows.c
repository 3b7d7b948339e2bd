/* Mappings and lists of YAML files by the rows of their shapes. */
#include "sim/config/yaml.h"

#include "sim/config/value.h"

#include <string.h>

enum { VALUE_BYTES = 24 }; /* of the largest value: three doubles */

static const fs_yaml_row text_row = {.kind = FS_YAML_IS_TEXT, .bytes = sizeof(const char *)};
const fs_yaml_shape fs_yaml_texts = {
    .rows = &text_row, .count = 1, .size = sizeof(const char *), .bare = true};

static bool has(const fs_yaml_row *row, uint32_t kinds) {
    return row->of == 0 || (row->of & kinds) != 0;
}

/* The keys that a mapping may have. */
static const char *const *words_of(fs_arena *arena, const fs_yaml_shape *shape, uint32_t kinds) {
    const char **words = FS_NEW(arena, const char *, shape->count + 1);
    size_t count = 0;
    for (size_t i = 0; i < shape->count; i++)
        if (shape->rows[i].name != NULL && has(&shape->rows[i], kinds))
            words[count++] = shape->rows[i].name;
    return words;
}

/* ---- values ---- */

static void put_whole(int64_t value, size_t bytes, void *member) {
    switch (bytes) {
    case sizeof(uint8_t):
        *(uint8_t *)member = (uint8_t)value;
        break;
    case sizeof(uint16_t):
        *(uint16_t *)member = (uint16_t)value;
        break;
    case sizeof(uint32_t):
        *(uint32_t *)member = (uint32_t)value;
        break;
    default:
        *(int64_t *)member = value;
    }
}

/* A value as fs_value_bind gives it, in the type of the member. */
static void put(const fs_yaml_row *row, const void *value, void *member) {
    const double *real = value;
    if (row->type == FS_TYPE_BOOL)
        *(bool *)member = *(const bool *)value;
    else if (row->type == FS_TYPE_INT || row->type == FS_TYPE_ENUM)
        put_whole(*(const int64_t *)value, row->bytes, member);
    else
        for (size_t i = 0, n = row->type == FS_TYPE_VEC3 ? 3 : 1; i < n; i++)
            if (row->bytes == n * sizeof(float))
                ((float *)member)[i] = (float)real[i];
            else
                ((double *)member)[i] = real[i];
}

static fs_param param_of(const fs_yaml_row *row) {
    return (fs_param){.name = row->name == NULL ? "" : row->name,
                      .type = row->type,
                      .unit = row->unit,
                      .def = row->def,
                      .min = row->min,
                      .max = row->max,
                      .choices = row->choices};
}

static bool read_value(const fs_yaml *yaml, const fs_node *node, const fs_yaml_row *row, void *member) {
    const fs_param param = param_of(row);
    _Alignas(double) char value[VALUE_BYTES];
    if (!fs_yaml_bind(yaml, node, &param, value))
        return false;
    put(row, value, member);
    return true;
}

/* What a member has without its key. */
static void put_default(const fs_yaml *yaml, const fs_yaml_row *row, void *member) {
    if (row->def == NULL || strcmp(row->def, FS_YAML_MAY) == 0)
        return;
    if (row->kind == FS_YAML_IS_TEXT) {
        *(const char **)member = row->def;
        return;
    }
    FS_ASSERT(row->kind == FS_YAML_IS_VALUE, "a default of what is no value");
    const fs_param param = param_of(row);
    _Alignas(double) char value[VALUE_BYTES];
    fs_value_default(yaml->arena, &param, value);
    put(row, value, member);
}

/* ---- items ---- */

static bool right_number(const fs_yaml *yaml, const fs_node *node, const fs_yaml_row *row) {
    if (row->item == NULL || (node->count >= row->least && (row->most == 0 || node->count <= row->most)))
        return true;
    if (row->most > 0)
        return fs_yaml_wrong(yaml, node, "expected %zu to %zu %ss, found %zu", row->least, row->most,
                             row->item, node->count);
    return fs_yaml_wrong(yaml, node, "expected at least one %s, found an empty list", row->item);
}

/* The array goes to `member`, the count beside it in `out`. */
static bool read_items(const fs_yaml *yaml, const fs_node *node, const fs_yaml_row *row, void *self,
                       void *member, void *out) {
    const fs_yaml_shape *shape = row->items;
    const bool map = row->kind == FS_YAML_IS_MAP;
    if (node->kind != (map ? FS_NODE_MAPPING : FS_NODE_LIST))
        return fs_yaml_wrong(yaml, node, "expected a %s, found %s", map ? "mapping" : "list",
                             fs_yaml_found(yaml, node));
    FS_ASSERT(shape->size == row->bytes, "items of another type than the list's");
    char *items = fs_arena_alloc(yaml->arena, node->count + 1, shape->size);
    bool good = right_number(yaml, node, row);
    for (size_t i = 0; i < node->count; i++) {
        const fs_node *item = map ? node->entries[i].value : node->items[i];
        char *at = items + i * shape->size;
        for (size_t k = 0; map && k < shape->count; k++)
            if (shape->rows[k].kind == FS_YAML_IS_NAME)
                *(const char **)(void *)(at + shape->rows[k].offset) = node->entries[i].key;
        good &= shape->bare ? fs_yaml_read_row(yaml, item, shape->rows, self, at)
                            : fs_yaml_fill(yaml, item, shape, self, at);
    }
    *(void **)member = items;
    put_whole((int64_t)node->count, row->count_bytes, (char *)out + row->count_at);
    return good;
}

/* ---- rows ---- */

bool fs_yaml_read_row(const fs_yaml *yaml, const fs_node *node, const fs_yaml_row *row, void *self,
                      void *out) {
    void *member = (char *)out + row->offset;
    switch (row->kind) {
    case FS_YAML_IS_VALUE:
        return read_value(yaml, node, row, member);
    case FS_YAML_IS_TEXT:
        return fs_yaml_text(yaml, node, member);
    case FS_YAML_IS_RANGES:
        return fs_yaml_ranges(yaml, node, (uint32_t)row->max, member,
                              (uint32_t *)(void *)((char *)out + row->count_at));
    case FS_YAML_IS_NODE:
        *(const fs_node **)member = node;
        return true;
    case FS_YAML_IS_READ:
        return row->read(yaml, node, self, member);
    case FS_YAML_IS_PART:
        FS_ASSERT(row->items->size == row->bytes, "a part of another type than its member");
        return fs_yaml_fill(yaml, node, row->items, self, member);
    case FS_YAML_IS_LIST:
    case FS_YAML_IS_MAP:
        return read_items(yaml, node, row, self, member, out);
    case FS_YAML_IS_NAME:
    case FS_YAML_IS_KEY:
        break;
    }
    return true;
}

bool fs_yaml_fill_as(const fs_yaml *yaml, const fs_node *node, const fs_yaml_shape *shape, uint32_t kinds,
                     void *self, void *out) {
    if (!fs_yaml_mapping(yaml, node, words_of(yaml->arena, shape, kinds)))
        return false;
    bool good = true;
    for (size_t i = 0; i < shape->count; i++) {
        const fs_yaml_row *row = &shape->rows[i];
        if (row->name == NULL || !has(row, kinds))
            continue;
        const fs_node *value = fs_yaml_get(yaml, node, row->name, row->def == NULL);
        if (value != NULL)
            good &= fs_yaml_read_row(yaml, value, row, self, out);
        else
            put_default(yaml, row, (char *)out + row->offset);
        good &= value != NULL || row->def != NULL;
    }
    return good && (shape->check == NULL || shape->check(yaml, node, self, out));
}

bool fs_yaml_fill(const fs_yaml *yaml, const fs_node *node, const fs_yaml_shape *shape, void *self,
                  void *out) {
    return fs_yaml_fill_as(yaml, node, shape, UINT32_MAX, self, out);
}
