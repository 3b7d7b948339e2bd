/* Files of parameters that no source fixes, with their ranges. */
#include "sim/robust/robust.h"

#include <math.h>
#include <string.h>

static const char *const keys[] = {"key", "low", "high", NULL};

static bool number_of(const fs_node *node, fs_sweep_amount *amount) {
    return node->kind == FS_NODE_SCALAR && fs_sweep_amount_of(node->text, amount);
}

static void check_ends(const fs_yaml *yaml, const fs_node *node, const fs_uncertain *u) {
    fs_sweep_amount low, high;
    const bool numbers = number_of(u->end[0], &low) && number_of(u->end[1], &high);
    if (u->end[0]->kind != FS_NODE_SCALAR || u->end[1]->kind != FS_NODE_SCALAR)
        fs_yaml_wrong(yaml, node, "expected a number or a word at each end");
    else if (numbers && strcmp(low.unit, high.unit) != 0)
        fs_yaml_wrong(yaml, node, "expected the same unit at both ends, found \"%s\" and \"%s\"", low.unit,
                      high.unit);
    else if (numbers && !(low.number < high.number))
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
    fs_sweep_amount low, high;
    if (place <= 0 || place >= 1 || !number_of(u->end[0], &low) || !number_of(u->end[1], &high))
        return u->end[place < 0.5 ? 0 : 1]->text;
    double value = low.number + place * (high.number - low.number);
    if (low.whole && high.whole) {
        /* Each whole number has an equal part of the range. */
        value = low.number + floor(place * (high.number - low.number + 1));
        value = value > high.number ? high.number : value;
    }
    return fs_sweep_amount_text(arena, value, 6, low.unit);
}
