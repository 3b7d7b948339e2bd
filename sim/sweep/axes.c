/* Axes of a sweep file: what can be varied, and over which values. */
#include "sim/base/detmath.h"
#include "sim/sweep/private.h"
#include "sim/yaml/quantity.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_VALUES = 10000 };

/* ---- values ---- */

double fs_sweep_value_number(const char *text) {
    double number;
    if (strcmp(text, "true") == 0 || strcmp(text, "false") == 0)
        return text[0] == 't' ? 1 : 0;
    for (int unit = FS_UNIT_NONE; unit <= FS_UNIT_PERCENT; unit++)
        if (fs_quantity_real(text, (fs_unit)unit, &number) == FS_QUANTITY_OK)
            return number;
    return (double)NAN;
}

bool fs_sweep_amount_of(const char *text, fs_sweep_amount *amount) {
    char digits[64], *end = NULL;
    amount->unit = fs_quantity_unit_of(text);
    snprintf(digits, sizeof digits, "%.*s", (int)(amount->unit - text), text);
    amount->number = strtod(digits, &end);
    amount->whole = strpbrk(digits, ".eE") == NULL;
    return end != digits && isfinite(amount->number);
}

const char *fs_sweep_amount_text(fs_arena *arena, double number, int digits, const char *unit) {
    char text[FS_QUANTITY_TEXT], rounded[40];
    snprintf(rounded, sizeof rounded, "%.*g", digits, number);
    fs_quantity_print_real(text, FS_UNIT_NONE, strtod(rounded, NULL));
    return fs_arena_printf(arena, "%s%s%s", text, unit[0] == '\0' ? "" : " ", unit);
}

const char *fs_sweep_value_text(fs_arena *arena, const fs_node *node) {
    if (node->kind == FS_NODE_SCALAR)
        return node->text;
    const bool list = node->kind == FS_NODE_LIST;
    const char *text = list ? "[" : "{";
    for (size_t i = 0; i < node->count; i++) {
        const char *inner = fs_sweep_value_text(arena, list ? node->items[i] : node->entries[i].value);
        text = fs_arena_printf(arena, "%s%s%s%s%s", text, i == 0 ? "" : ", ",
                               list ? "" : node->entries[i].key, list ? "" : ": ", inner);
    }
    return fs_arena_printf(arena, "%s%s", text, list ? "]" : "}");
}

static fs_sweep_option option_of(const fs_yaml *yaml, const char *key, fs_node *value) {
    fs_config_over *set = FS_NEW(yaml->arena, fs_config_over, 1);
    *set = (fs_config_over){.key = key, .value = value};
    fs_sweep_option option = {.value = fs_sweep_value_text(yaml->arena, value), .sets = set, .count = 1};
    option.number = value->kind == FS_NODE_SCALAR ? fs_sweep_value_number(option.value) : (double)NAN;
    return option;
}

static bool read_list(const fs_yaml *yaml, const fs_node *list, const char *key, fs_sweep_axis *axis) {
    if (list->count == 0)
        return fs_yaml_wrong(yaml, list, "expected at least one value, found an empty list");
    fs_sweep_option *options = FS_NEW(yaml->arena, fs_sweep_option, list->count);
    for (size_t i = 0; i < list->count; i++) {
        if (list->items[i]->kind == FS_NODE_BAD)
            return false;
        options[i] = option_of(yaml, key, list->items[i]);
    }
    axis->options = options;
    axis->count = list->count;
    return true;
}

/* A value that stands there twice would be a point that stands there twice. `list`: of the values, for their
 * places. */
static bool each_once(const fs_yaml *yaml, const fs_node *list, const fs_sweep_axis *axis) {
    for (size_t i = 0; i < axis->count; i++)
        if (FS_HAS(axis->options, i, value, axis->options[i].value))
            return fs_yaml_wrong(yaml, list->items[i], "\"%s\" stands there twice", axis->options[i].value);
    return true;
}

/* ---- ranges ---- */

static bool read_amount(const fs_yaml *yaml, const fs_node *range, const char *name, fs_sweep_amount *out) {
    const fs_node *node = fs_yaml_get(yaml, range, name, true);
    if (node == NULL || fs_sweep_amount_of(node->kind == FS_NODE_SCALAR ? node->text : "", out))
        return node != NULL;
    fs_yaml_wrong(yaml, node, "expected a number, found %s", fs_yaml_found(yaml, node));
    return false;
}

/* The text of a value of a range: as few digits as say it to twelve (six on a logarithmic range), so that it
 * does not depend on the last bit of a sum. */
static fs_node *range_node(const fs_yaml *yaml, const fs_node *range, double value, int digits,
                           const char *unit) {
    return fs_tree_scalar(yaml->arena, range->mark, fs_sweep_amount_text(yaml->arena, value, digits, unit));
}

static bool same_units(const fs_yaml *yaml, const fs_node *range, const fs_sweep_amount *a,
                       const fs_sweep_amount *b) {
    if (strcmp(a->unit, b->unit) == 0)
        return true;
    return fs_yaml_wrong(yaml, range, "expected the same unit everywhere, found \"%s\" and \"%s\"", a->unit,
                         b->unit);
}

static bool read_range(const fs_yaml *yaml, const fs_node *range, const char *key, fs_sweep_axis *axis) {
    static const char *const keys[] = {"from", "to", "step", NULL};
    fs_sweep_amount from, to, step;
    if (!fs_yaml_mapping(yaml, range, keys) || !read_amount(yaml, range, "from", &from) ||
        !read_amount(yaml, range, "to", &to) || !read_amount(yaml, range, "step", &step) ||
        !same_units(yaml, range, &from, &to) || !same_units(yaml, range, &from, &step))
        return false;
    const double span = (to.number - from.number) / step.number;
    if (!(span >= 0 && span < MOST_VALUES))
        return fs_yaml_wrong(
            yaml, range, "expected a step that leads from `from` to `to` in at most %d values", MOST_VALUES);
    const size_t count = (size_t)floor(span + 1e-9) + 1;
    fs_sweep_option *options = FS_NEW(yaml->arena, fs_sweep_option, count);
    for (size_t i = 0; i < count; i++)
        options[i] = option_of(yaml, key,
                               range_node(yaml, range, from.number + (double)i * step.number, 12, from.unit));
    axis->options = options;
    axis->count = count;
    return true;
}

static bool read_log_range(const fs_yaml *yaml, const fs_node *range, const char *key, fs_sweep_axis *axis) {
    static const char *const keys[] = {"from", "to", "count", NULL};
    fs_sweep_amount from, to, count;
    if (!fs_yaml_mapping(yaml, range, keys) || !read_amount(yaml, range, "from", &from) ||
        !read_amount(yaml, range, "to", &to) || !read_amount(yaml, range, "count", &count) ||
        !same_units(yaml, range, &from, &to))
        return false;
    if (!(from.number > 0 && to.number > 0) || !count.whole || count.unit[0] != '\0' || count.number < 2 ||
        count.number > MOST_VALUES)
        return fs_yaml_wrong(yaml, range, "expected from and to above 0 and a count from 2 to %d",
                             MOST_VALUES);
    /* From and to in whole numbers: whole numbers, each once. */
    const bool whole = from.whole && to.whole && from.unit[0] == '\0';
    const size_t most = (size_t)count.number;
    fs_sweep_option *options = FS_NEW(yaml->arena, fs_sweep_option, most);
    for (size_t i = 0; i < most; i++) {
        double part = (double)i / (double)(most - 1);
        double value = i == 0          ? from.number
                       : i == most - 1 ? to.number
                                       : from.number * fs_pow(to.number / from.number, part);
        if (whole)
            value = floor(value + 0.5);
        const int digits = whole || i == 0 || i == most - 1 ? 12 : 6;
        options[axis->count] = option_of(yaml, key, range_node(yaml, range, value, digits, from.unit));
        if (axis->count == 0 || strcmp(options[axis->count].value, options[axis->count - 1].value) != 0)
            axis->count++;
    }
    axis->options = options;
    return true;
}

/* ---- axes of one key ---- */

static const char *const axis_keys[] = {"key",    "values", "range", "log_range", "zip",
                                        "points", "views",  "when",  "condition", NULL};

static bool read_keyed(const fs_yaml *yaml, const fs_node *node, fs_sweep_axis *axis) {
    static const char *const ways[] = {"values", "range", "log_range", NULL};
    const fs_node *key = fs_yaml_get(yaml, node, "key", true), *way = NULL;
    if (key == NULL)
        return false;
    if (key->kind != FS_NODE_SCALAR || key->text[0] == '\0')
        return fs_yaml_wrong(yaml, key, "expected a key such as overlay.kind, found %s",
                             fs_yaml_found(yaml, key));
    int found;
    const size_t which = fs_yaml_which(node, ways, &found);
    if (found != 1)
        return fs_yaml_wrong(yaml, node,
                             "expected one of values, range and log_range beside the key, found %d", found);
    axis->name = key->text;
    way = which == 0 ? fs_yaml_list(yaml, node, ways[0], true) : fs_yaml_get(yaml, node, ways[which], true);
    if (way == NULL)
        return false;
    return which == 0   ? read_list(yaml, way, axis->name, axis)
           : which == 1 ? read_range(yaml, way, axis->name, axis)
                        : read_log_range(yaml, way, axis->name, axis);
}

/* ---- several keys in step, and named points ---- */

static bool read_zip(const fs_yaml *yaml, const fs_node *list, fs_sweep_axis *axis) {
    fs_sweep_axis *inner = FS_NEW(yaml->arena, fs_sweep_axis, list->count + 1);
    static const char *const keys[] = {"key", "values", "range", "log_range", NULL};
    for (size_t i = 0; i < list->count; i++) {
        if (!fs_yaml_mapping(yaml, list->items[i], keys) || !read_keyed(yaml, list->items[i], &inner[i]))
            return false;
        if (inner[i].count != inner[0].count)
            return fs_yaml_wrong(yaml, list->items[i], "expected as many values as in %s[0] (%zu), found %zu",
                                 fs_yaml_path(yaml, list), inner[0].count, inner[i].count);
    }
    if (list->count < 2)
        return fs_yaml_wrong(yaml, list, "expected at least two axes to go in step, found %zu", list->count);
    fs_sweep_option *options = FS_NEW(yaml->arena, fs_sweep_option, inner[0].count);
    for (size_t v = 0; v < inner[0].count; v++) {
        fs_config_over *sets = FS_NEW(yaml->arena, fs_config_over, list->count);
        options[v] = (fs_sweep_option){
            .value = "", .number = inner[0].options[v].number, .sets = sets, .count = list->count};
        for (size_t i = 0; i < list->count; i++) {
            sets[i] = inner[i].options[v].sets[0];
            options[v].value = fs_arena_printf(yaml->arena, "%s%s%s", options[v].value, i == 0 ? "" : " + ",
                                               inner[i].options[v].value);
        }
    }
    axis->name = inner[0].name;
    for (size_t i = 1; i < list->count; i++)
        axis->name = fs_arena_printf(yaml->arena, "%s+%s", axis->name, inner[i].name);
    axis->options = options;
    axis->count = inner[0].count;
    const fs_node *first = fs_tree_get(list->items[0], "values");
    return first == NULL || each_once(yaml, first, axis); /* the values of a range differ */
}

static bool read_point(const fs_yaml *yaml, const fs_node *node, fs_sweep_option *option) {
    static const char *const keys[] = {"name", "set", NULL};
    if (!fs_yaml_mapping(yaml, node, keys))
        return false;
    const fs_node *name = fs_yaml_get(yaml, node, "name", true);
    const fs_node *set = fs_tree_get(node, "set");
    if (name == NULL || (set != NULL && set->kind == FS_NODE_BAD))
        return false;
    if (name->kind != FS_NODE_SCALAR || (set != NULL && set->kind != FS_NODE_MAPPING))
        return fs_yaml_wrong(yaml, node, "expected a name and `set: { key: value, ... }`");
    const size_t count = set == NULL ? 0 : set->count;
    fs_config_over *sets = FS_NEW(yaml->arena, fs_config_over, count + 1);
    for (size_t i = 0; i < count; i++)
        sets[i] = (fs_config_over){.key = set->entries[i].key, .value = set->entries[i].value};
    *option = (fs_sweep_option){
        .value = name->text, .name = name->text, .number = (double)NAN, .sets = sets, .count = count};
    return true;
}

static bool read_points(const fs_yaml *yaml, const fs_node *list, fs_sweep_axis *axis) {
    fs_sweep_option *options = FS_NEW(yaml->arena, fs_sweep_option, list->count + 1);
    for (size_t i = 0; i < list->count; i++) {
        if (!read_point(yaml, list->items[i], &options[i]))
            return false;
        if (FS_HAS(options, i, name, options[i].name))
            return fs_yaml_wrong(yaml, list->items[i], "the name %s stands there twice", options[i].name);
    }
    if (list->count == 0)
        fs_yaml_wrong(yaml, list, "expected at least one named point, found an empty list");
    axis->name = "points";
    axis->options = options;
    axis->count = list->count;
    return list->count > 0;
}

/* ---- all axes ---- */

/* Whether a key says what is asked of a machine: load, scene, camera, resolution. */
static bool is_asked(const char *key, size_t length) {
    static const char *const asked[] = {
        "views",         "work",           "scene",           "scene.*",
        "workload.load", "workload.width", "workload.height", "workload.camera.*"};
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
        const size_t n = strcspn(asked[i], "*");
        if (strncmp(key, asked[i], n) == 0 && (asked[i][n] == '*' || n == length))
            return true;
    }
    return false;
}

/* An axis is a condition where all its keys are, or as it says itself. */
static bool read_condition(const fs_yaml *yaml, const fs_node *node, fs_sweep_axis *axis) {
    const fs_node *said = fs_yaml_get(yaml, node, "condition", false);
    if (said != NULL)
        return fs_yaml_bool(yaml, said, &axis->condition);
    axis->condition = true;
    for (const char *key = axis->name; *key != '\0'; key += strspn(key, "+")) {
        const size_t length = strcspn(key, "+");
        axis->condition = axis->condition && is_asked(key, length);
        key += length;
    }
    return true;
}

static bool read_values(const fs_yaml *yaml, const fs_node *node, fs_sweep_file *file, fs_sweep_axis *axis) {
    static const char *const kinds[] = {"key", "zip", "points", "views", NULL};
    enum { KEY, ZIP, POINTS };
    int found;
    const size_t kind = fs_yaml_which(node, kinds, &found);
    if (found != 1)
        return fs_yaml_wrong(yaml, node, "expected one of key, zip, points and views, found %d of them",
                             found);
    const fs_node *values = fs_tree_get(node, "values"),
                  *inner = kind == ZIP || kind == POINTS ? fs_yaml_list(yaml, node, kinds[kind], true)
                                                         : fs_yaml_get(yaml, node, kinds[kind], true);
    if (inner == NULL)
        return false;
    if (kind == KEY)
        return read_keyed(yaml, node, axis) && (values == NULL || each_once(yaml, values, axis));
    if (kind == ZIP)
        return read_zip(yaml, inner, axis);
    if (kind == POINTS)
        return read_points(yaml, inner, axis);
    return file->base != NULL && fs_sweep_read_views(yaml, inner, file, axis);
}

static bool read_axis(const fs_yaml *yaml, const fs_node *node, void *self, void *member) {
    fs_sweep_axis *axis = member;
    axis->name = "";
    if (!fs_yaml_mapping(yaml, node, axis_keys))
        return false;
    const fs_node *when = fs_yaml_get(yaml, node, "when", false);
    if (when != NULL)
        axis->when = fs_sweep_read_condition(yaml, when);
    return read_values(yaml, node, self, axis) && read_condition(yaml, node, axis);
}

const fs_yaml_shape fs_sweep_axis_shape = FS_YAML_EACH(fs_sweep_axis, read_axis);

/* The last word of a name, where that is the name of no other axis. */
static const char *short_name(const fs_sweep_axis *axes, size_t count, size_t which) {
    const char *dot = strrchr(axes[which].name, '.');
    const char *word = dot == NULL || strchr(axes[which].name, '+') != NULL ? axes[which].name : dot + 1;
    for (size_t i = 0; i < count; i++) {
        const char *other = strrchr(axes[i].name, '.');
        if (i != which && strcmp(other == NULL ? axes[i].name : other + 1, word) == 0)
            return axes[which].name;
    }
    return word;
}

bool fs_sweep_check_axes(const fs_yaml *yaml, const fs_node *node, void *self, void *item) {
    (void)self;
    const fs_sweep_file *file = item;
    fs_sweep_axis *axes = (fs_sweep_axis *)(uintptr_t)file->axes; /* just read */
    const size_t count = file->axis_count;
    bool good = true;
    for (size_t i = 0; i < count; i++) {
        axes[i].label = short_name(axes, count, i);
        for (size_t k = 0; k < i; k++)
            if (strcmp(axes[k].name, axes[i].name) == 0 && axes[i].when.count == 0)
                good = fs_yaml_wrong(yaml, fs_tree_get(node, "axes")->items[i],
                                     "%s is an axis already: axes[%zu]", axes[i].name, k);
    }
    return good;
}
