/* Files of parameters that no source fixes, with their ranges. */
#include "sim/robust/robust.h"
#include "sim/yaml/quantity.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const keys[] = {"key", "low", "high", NULL};

static bool number_of(const fs_node *node, double *number, const char **unit) {
    char digits[64], *end = NULL;
    if (node->kind != FS_NODE_SCALAR)
        return false;
    *unit = fs_quantity_unit_of(node->text);
    snprintf(digits, sizeof digits, "%.*s", (int)(*unit - node->text), node->text);
    *number = strtod(digits, &end);
    return end != digits && isfinite(*number);
}

static bool is_whole(const fs_node *node) {
    return strpbrk(node->text, ".eE") == NULL ||
           strpbrk(node->text, ".eE") >= fs_quantity_unit_of(node->text);
}

static void check_ends(const fs_yaml *yaml, const fs_node *node, const fs_uncertain *u) {
    double low = 0, high = 0;
    const char *low_unit = "", *high_unit = "";
    const bool numbers = number_of(u->end[0], &low, &low_unit) && number_of(u->end[1], &high, &high_unit);
    if (u->end[0]->kind != FS_NODE_SCALAR || u->end[1]->kind != FS_NODE_SCALAR)
        fs_yaml_wrong(yaml, node, "expected a number or a word at each end");
    else if (numbers && strcmp(low_unit, high_unit) != 0)
        fs_yaml_wrong(yaml, node, "expected the same unit at both ends, found \"%s\" and \"%s\"", low_unit,
                      high_unit);
    else if (numbers && !(low < high))
        fs_yaml_wrong(yaml, node, "expected low below high, found %s and %s", u->end[0]->text,
                      u->end[1]->text);
}

static void read_parameter(const fs_yaml *yaml, const fs_node *node, fs_uncertain *out) {
    if (!fs_yaml_mapping(yaml, node, keys))
        return;
    for (int e = 0; e < 2; e++)
        out->end[e] = (fs_node *)(uintptr_t)fs_yaml_get(yaml, node, keys[1 + e], true); /* not changed */
    fs_yaml_text_in((fs_yaml_in){yaml, node}, "key", true, &out->key);
    if (out->end[0] != NULL && out->end[1] != NULL)
        check_ends(yaml, node, out);
}

fs_status fs_uncertain_read(fs_arena *arena, const char *path, const fs_uncertain **parameters, size_t *count,
                            fs_error *err) {
    static const char *const top[] = {"parameters", NULL};
    *parameters = NULL;
    *count = 0;
    const fs_yaml *yaml = fs_yaml_open(arena, path);
    if (yaml->root == NULL || !fs_yaml_mapping(yaml, yaml->root, top))
        return fs_yaml_finish(yaml, err);
    const fs_node *list = fs_yaml_list(yaml, yaml->root, "parameters", true);
    fs_uncertain *all = FS_NEW(arena, fs_uncertain, list == NULL ? 1 : list->count + 1);
    for (size_t i = 0; list != NULL && i < list->count; i++)
        read_parameter(yaml, list->items[i], &all[i]);
    *parameters = all;
    *count = list == NULL ? 0 : list->count;
    return fs_yaml_finish(yaml, err);
}

const char *fs_uncertain_at(fs_arena *arena, const fs_uncertain *u, double place) {
    double low = 0, high = 0;
    const char *unit, *same;
    char text[FS_QUANTITY_TEXT], rounded[40];
    if (place <= 0 || place >= 1 || !number_of(u->end[0], &low, &unit) || !number_of(u->end[1], &high, &same))
        return u->end[place < 0.5 ? 0 : 1]->text;
    double value = low + place * (high - low);
    if (is_whole(u->end[0]) && is_whole(u->end[1])) {
        /* Each whole number has an equal part of the range. */
        value = low + floor(place * (high - low + 1));
        value = value > high ? high : value;
    }
    snprintf(rounded, sizeof rounded, "%.6g", value);
    fs_quantity_print_real(text, FS_UNIT_NONE, strtod(rounded, NULL));
    return fs_arena_printf(arena, "%s%s%s", text, unit[0] == '\0' ? "" : " ", unit);
}
