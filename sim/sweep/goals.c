/* What a sweep wants: objectives, and the constraints that a point must keep. */
#include "sim/sweep/private.h"
#include "sim/workload/workload.h"
#include "sim/yaml/words.h"

#include <math.h>

static const char *const *figure_words(const fs_registry *registry, fs_arena *arena) {
    size_t count = 0, n = 0;
    for (const fs_stat_table *const *t = registry->figures; *t != NULL; t++)
        count += fs_stats_count(*t);
    const char **words = FS_NEW(arena, const char *, count + 1);
    for (const fs_stat_table *const *t = registry->figures; *t != NULL; t++)
        for (size_t i = 0, rows = fs_stats_count(*t); i < rows; i++)
            words[n++] = fs_stats_row(*t, i).name;
    return words;
}

const char *fs_sweep_figure(const fs_registry *registry, const fs_yaml *yaml, const fs_node *node) {
    const char *name = node->kind == FS_NODE_SCALAR ? node->text : "";
    fs_stat row;
    if (fs_stats_find_in(registry->figures, name, &row))
        return name;
    fs_yaml_wrong(yaml, node, "expected a figure of docs/statistics.md, found %s%s",
                  fs_yaml_found(yaml, node),
                  fs_meant_text(yaml->arena, name, figure_words(registry, yaml->arena)));
    return NULL;
}

static const char *read_figure(const fs_registry *registry, const fs_yaml *yaml, const fs_node *goal) {
    const fs_node *node = fs_yaml_get(yaml, goal, "figure", true);
    return node == NULL ? NULL : fs_sweep_figure(registry, yaml, node);
}

static void read_objectives(const fs_yaml *yaml, const fs_node *list, fs_sweep_file *file) {
    static const char *const keys[] = {"figure", "better", NULL}, *const ways[] = {"smaller", "larger", NULL};
    fs_store_objective *all = FS_NEW(yaml->arena, fs_store_objective, list->count + 1);
    for (size_t i = 0; i < list->count; i++) {
        const fs_node *node = list->items[i];
        if (!fs_yaml_mapping(yaml, node, keys))
            continue;
        const fs_node *better = fs_yaml_get(yaml, node, "better", false);
        int64_t way = 0;
        fs_stat row = {0};
        all[i].figure = read_figure(file->registry, yaml, node);
        if (all[i].figure == NULL)
            continue;
        if (better != NULL) {
            if (fs_yaml_word(yaml, better, ways, &way))
                all[i].larger = way == 1;
        } else if (fs_stats_find_in(file->registry->figures, all[i].figure, &row) &&
                   row.better != FS_BETTER_NEITHER) {
            all[i].larger = row.better == FS_BETTER_MORE;
        } else {
            fs_yaml_wrong(yaml, node, "%s does not say which way is better: write better: smaller or larger",
                          all[i].figure);
        }
    }
    file->objectives = all;
    file->objective_count = list->count;
}

static void read_bound(const fs_yaml *yaml, const fs_node *node, fs_store_constraint *c) {
    static const char *const ops[] = {"equals", "at_least", "at_most"};
    int found = 0;
    for (int op = 0; op < 3; op++) {
        const fs_node *value = fs_tree_get(node, ops[op]);
        if (value == NULL)
            continue;
        found++;
        c->op = (fs_store_op)op;
        c->number = value->kind == FS_NODE_SCALAR ? fs_sweep_value_number(value->text) : (double)NAN;
        if (isnan(c->number) && op == 0 && value->kind == FS_NODE_SCALAR)
            c->text = value->text;
        else if (isnan(c->number))
            fs_yaml_wrong(yaml, value, "expected a number, found %s", fs_yaml_found(yaml, value));
    }
    if (found != 1)
        fs_yaml_wrong(yaml, node, "expected one of equals, at_least and at_most, found %d", found);
}

static void read_constraints(const fs_yaml *yaml, const fs_node *list, fs_sweep_file *file) {
    static const char *const keys[] = {"figure", "equals", "at_least", "at_most", NULL};
    fs_store_constraint *all = FS_NEW(yaml->arena, fs_store_constraint, list->count + 1);
    for (size_t i = 0; i < list->count; i++) {
        if (!fs_yaml_mapping(yaml, list->items[i], keys))
            continue;
        all[i].figure = read_figure(file->registry, yaml, list->items[i]);
        read_bound(yaml, list->items[i], &all[i]);
    }
    file->constraints = all;
    file->constraint_count = list->count;
}

void fs_sweep_read_goals(const fs_yaml *yaml, fs_sweep_file *file) {
    const fs_node *objectives = fs_yaml_list(yaml, yaml->root, "objectives", false);
    const fs_node *constraints = fs_yaml_list(yaml, yaml->root, "constraints", false);
    if (objectives != NULL)
        read_objectives(yaml, objectives, file);
    if (constraints != NULL)
        read_constraints(yaml, constraints, file);
}
