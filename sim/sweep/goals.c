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

bool fs_sweep_read_figure(const fs_yaml *yaml, const fs_node *node, void *self, void *member) {
    const fs_registry *const *registry = self;
    const char *figure = fs_sweep_figure(*registry, yaml, node);
    *(const char **)member = figure;
    return figure != NULL;
}

/* Where the file does not say which way is better, the figure does. */
static bool check_objective(const fs_yaml *yaml, const fs_node *node, void *self, void *item) {
    const fs_sweep_file *file = self;
    fs_store_objective *o = item;
    fs_stat row = {0};
    if (fs_tree_get(node, "better") != NULL)
        return true;
    fs_stats_find_in(file->registry->figures, o->figure, &row);
    o->larger = row.better == FS_BETTER_MORE;
    return row.better != FS_BETTER_NEITHER ||
           fs_yaml_wrong(yaml, node, "%s does not say which way is better: write better: smaller or larger",
                         o->figure);
}

#define FS_ROWS_OF fs_store_objective
static const char *const ways[] = {"smaller", "larger", NULL};
static const fs_yaml_row objective_rows[] = {
    FS_YAML_READ("figure", figure, fs_sweep_read_figure, NULL),
    FS_YAML_WORD("better", larger, ways, "smaller"),
};
const fs_yaml_shape fs_sweep_objective =
    FS_YAML_SHAPE(objective_rows, sizeof(fs_store_objective), check_objective);
#undef FS_ROWS_OF

static bool check_bound(const fs_yaml *yaml, const fs_node *node, void *self, void *item) {
    (void)self;
    static const char *const ops[] = {"equals", "at_least", "at_most", NULL};
    fs_store_constraint *c = item;
    int found;
    const size_t op = fs_yaml_which(node, ops, &found);
    if (found != 1)
        return fs_yaml_wrong(yaml, node, "expected one of equals, at_least and at_most, found %d", found);
    const fs_node *value = fs_tree_get(node, ops[op]);
    c->op = (fs_store_op)op;
    c->number = value->kind == FS_NODE_SCALAR ? fs_sweep_value_number(value->text) : (double)NAN;
    if (isnan(c->number) && op == FS_STORE_EQUALS && value->kind == FS_NODE_SCALAR)
        c->text = value->text;
    return !isnan(c->number) || c->text != NULL ||
           fs_yaml_wrong(yaml, value, "expected a number, found %s", fs_yaml_found(yaml, value));
}

#define FS_ROWS_OF fs_store_constraint
static const fs_yaml_row constraint_rows[] = {
    FS_YAML_READ("figure", figure, fs_sweep_read_figure, NULL),
    FS_YAML_KEY("equals", FS_YAML_MAY),
    FS_YAML_KEY("at_least", FS_YAML_MAY),
    FS_YAML_KEY("at_most", FS_YAML_MAY),
};
const fs_yaml_shape fs_sweep_constraint =
    FS_YAML_SHAPE(constraint_rows, sizeof(fs_store_constraint), check_bound);
