/* Conditions on the values of a point: `when:` of an axis, and `exclude:`. */
#include "sim/sweep/private.h"

#include <math.h>
#include <string.h>

static bool same(const char *a, const char *b) {
    double x = fs_sweep_value_number(a), y = fs_sweep_value_number(b);
    return isnan(x) || isnan(y) ? strcmp(a, b) == 0 : x == y;
}

static const char *const *read_values(const fs_yaml *yaml, const fs_node *node, size_t *count) {
    const bool list = node->kind == FS_NODE_LIST;
    *count = list ? node->count : 1;
    const char **values = FS_NEW(yaml->arena, const char *, *count + 1);
    for (size_t i = 0; i < *count; i++)
        values[i] = fs_sweep_value_text(yaml->arena, list ? node->items[i] : node);
    return values;
}

/* `value`, `[value, value]`, `{ not: value }`, `{ at_least: number }`, `{ at_most: number }`. */
static bool read_term(const fs_yaml *yaml, const fs_node *node, fs_sweep_term *term) {
    static const char *const tests[] = {"is", "not", "at_least", "at_most", NULL};
    if (node->kind == FS_NODE_BAD)
        return false;
    if (node->kind != FS_NODE_MAPPING) {
        term->test = FS_SWEEP_IS;
        term->values = read_values(yaml, node, &term->count);
        return true;
    }
    if (!fs_yaml_mapping(yaml, node, tests))
        return false;
    if (node->count != 1)
        return fs_yaml_wrong(yaml, node, "expected one of is, not, at_least and at_most, found %zu keys",
                             node->count);
    const fs_node *value = node->entries[0].value;
    for (int t = 0; tests[t] != NULL; t++)
        if (strcmp(node->entries[0].key, tests[t]) == 0)
            term->test = (fs_sweep_test)t;
    term->values = read_values(yaml, value, &term->count);
    if (term->test < FS_SWEEP_AT_LEAST ||
        (term->count == 1 && !isnan(fs_sweep_value_number(term->values[0]))))
        return true;
    return fs_yaml_wrong(yaml, value, "expected a number, found %s", fs_yaml_found(yaml, value));
}

fs_sweep_condition fs_sweep_read_condition(const fs_yaml *yaml, const fs_node *node) {
    fs_sweep_condition condition = {.count = 0};
    if (node->kind != FS_NODE_MAPPING || node->count == 0) {
        fs_yaml_wrong(yaml, node, "expected a mapping such as { overlay.kind: fat_tree }, found %s",
                      fs_yaml_found(yaml, node));
        return condition;
    }
    fs_sweep_term *terms = FS_NEW(yaml->arena, fs_sweep_term, node->count);
    for (size_t i = 0; i < node->count; i++) {
        fs_sweep_term *term = &terms[condition.count];
        term->key = node->entries[i].key;
        condition.count += read_term(yaml, node->entries[i].value, term);
    }
    condition.terms = terms;
    return condition;
}

static bool holds(const fs_sweep_term *term, const char *value) {
    if (term->test >= FS_SWEEP_AT_LEAST) {
        double x = value == NULL ? (double)NAN : fs_sweep_value_number(value),
               y = fs_sweep_value_number(term->values[0]);
        return term->test == FS_SWEEP_AT_LEAST ? x >= y : x <= y;
    }
    bool any = false;
    for (size_t i = 0; i < term->count && value != NULL; i++)
        any |= same(value, term->values[i]);
    return any == (term->test == FS_SWEEP_IS);
}

bool fs_sweep_holds(const fs_sweep_condition *condition, const char *(*value_of)(void *self, const char *key),
                    void *self) {
    for (size_t i = 0; i < condition->count; i++)
        if (!holds(&condition->terms[i], value_of(self, condition->terms[i].key)))
            return false;
    return true;
}
