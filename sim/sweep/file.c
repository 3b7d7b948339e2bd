/* A sweep file as a whole. */
#include "sim/host/file.h"
#include "sim/sweep/private.h"
#include "sim/yaml/paths.h"
#include "sim/yaml/quantity.h"

#include <string.h>

/* `base: demo`, `base: path.yaml`, or the mapping of an experiment in line; `baseline` alike. */
static fs_node *read_base(const fs_yaml *yaml, const char *key, bool wanted) {
    const fs_node *base = fs_yaml_get(yaml, yaml->root, key, wanted);
    if (base == NULL)
        return NULL;
    if (base->kind == FS_NODE_MAPPING)
        return (fs_node *)(uintptr_t)base; /* experiments are laid over it, which does not change it */
    if (base->kind == FS_NODE_SCALAR)
        return fs_tree_mapping(yaml->arena, base->mark, "base", base->mark, (fs_node *)(uintptr_t)base);
    fs_yaml_wrong(yaml, base, "expected the name or path of an experiment, or one in line, found %s",
                  fs_yaml_found(yaml, base));
    return NULL;
}

static void read_excludes(const fs_yaml *yaml, fs_sweep_file *file) {
    const fs_node *list = fs_yaml_list(yaml, yaml->root, "exclude", false);
    if (list == NULL)
        return;
    fs_sweep_condition *all = FS_NEW(yaml->arena, fs_sweep_condition, list->count + 1);
    for (size_t i = 0; i < list->count; i++)
        all[i] = fs_sweep_read_condition(yaml, list->items[i]);
    file->excludes = all;
    file->exclude_count = list->count;
}

/* The whole file, for the store. */
static const char *text_of(fs_arena *arena, const char *path) {
    FILE *in = fs_file_regular(path);
    const char *text = in == NULL ? "" : fs_file_text(arena, in, 1 << 20);
    if (in != NULL)
        fclose(in);
    return text;
}

static void read_name(const fs_yaml *yaml, fs_sweep_file *file) {
    const fs_node *name = fs_yaml_get(yaml, yaml->root, "name", false);
    file->name = fs_path_stem(yaml->arena, file->path);
    if (name != NULL && name->kind == FS_NODE_SCALAR && name->text[0] != '\0')
        file->name = name->text;
    else if (name != NULL)
        fs_yaml_wrong(yaml, name, "expected a text, found %s", fs_yaml_found(yaml, name));
}

/* `losses: allowed`, or `refused`, which is usual. */
static bool read_allowed(const fs_yaml *yaml, const char *key) {
    const fs_node *node = fs_yaml_get(yaml, yaml->root, key, false);
    const char *word = node == NULL ? "refused" : node->kind == FS_NODE_SCALAR ? node->text : "";
    const bool allowed = strcmp(word, "allowed") == 0;
    if (!allowed && strcmp(word, "refused") != 0)
        fs_yaml_wrong(yaml, node, "expected allowed or refused, found %s", fs_yaml_found(yaml, node));
    return allowed;
}

/* `limits: allowed`, or those of the machine that count for every point: { area: 600 mm2, power: 300 W }. */
static void read_limits(const fs_yaml *yaml, fs_sweep_file *file) {
    const fs_node *node = fs_yaml_get(yaml, yaml->root, "limits", false);
    if (node == NULL || node->kind != FS_NODE_MAPPING) {
        file->limits = read_allowed(yaml, "limits");
        return;
    }
    fs_config_over *held = FS_NEW(yaml->arena, fs_config_over, node->count + 1);
    for (size_t i = 0; i < node->count; i++)
        held[i] = (fs_config_over){fs_arena_printf(yaml->arena, "machine.limits.%s", node->entries[i].key),
                                   node->entries[i].value};
    file->held = held;
    file->held_count = node->count;
}

/* An experiment as `base` names one, or the word `base`: the base as it is, without any axis. */
static fs_node *read_baseline(const fs_yaml *yaml, const fs_sweep_file *file) {
    const fs_node *node = fs_yaml_get(yaml, yaml->root, "baseline", false);
    return node != NULL && node->kind == FS_NODE_SCALAR && strcmp(node->text, "base") == 0
               ? file->base
               : read_base(yaml, "baseline", false);
}

/* What a search adds. */
static void read_plan(const fs_yaml *yaml, fs_sweep_search *search) {
    const fs_node *budget = fs_yaml_get(yaml, yaml->root, "budget", false);
    const fs_yaml_in top = {yaml, yaml->root};
    *search = (fs_sweep_search){.batch = FS_SWEEP_USUAL_BATCH, .seed = 1};
    if (budget != NULL && (budget->kind != FS_NODE_SCALAR || !fs_sweep_read_budget(budget->text, search)))
        fs_yaml_wrong(yaml, budget, "expected a number of points or a time such as 30 min, found %s",
                      fs_yaml_found(yaml, budget));
    fs_yaml_int_in(top, "batch", false, FS_UNIT_NONE, 1, FS_SWEEP_MOST_BATCH, &search->batch);
    fs_yaml_int_in(top, "seed", false, FS_UNIT_NONE, 0, INT64_MAX, &search->seed);
}

bool fs_sweep_read_budget(const char *text, fs_sweep_search *search) {
    static const struct {
        const char *word;
        double seconds;
    } units[] = {{"s", 1}, {"min", 60}, {"h", 3600}};
    fs_sweep_amount time;
    const bool amount = fs_sweep_amount_of(text, &time);
    int64_t points = 0;
    if (time.unit[0] == '\0') {
        if (fs_quantity_int(text, FS_UNIT_NONE, &points) != FS_QUANTITY_OK || points < 1 ||
            points > FS_SWEEP_MOST_BUDGET)
            return false;
        search->points = (size_t)points;
        search->seconds = 0;
        return true;
    }
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (amount && strcmp(time.unit, units[i].word) == 0 && time.number > 0) {
            search->points = 0;
            search->seconds = time.number * units[i].seconds;
            return true;
        }
    return false;
}

fs_status fs_sweep_read(fs_arena *arena, const fs_registry *registry, const char *path, fs_sweep_file *file,
                        fs_sweep_search *search, fs_error *err) {
    static const char *const keys[] = {"name",        "base",   "axes",   "exclude",  "objectives",
                                       "constraints", "losses", "limits", "baseline", NULL};
    static const char *const more[] = {"name",        "base",     "axes",   "exclude", "objectives",
                                       "constraints", "losses",   "limits", "budget",  "batch",
                                       "seed",        "baseline", NULL};
    *file = (fs_sweep_file){.registry = registry, .path = path};
    const fs_yaml *yaml = fs_yaml_open(arena, path);
    if (yaml->root == NULL)
        return fs_yaml_finish(yaml, err);
    fs_yaml_mapping(yaml, yaml->root, search == NULL ? keys : more);
    if (search != NULL)
        read_plan(yaml, search);
    read_name(yaml, file);
    file->base = read_base(yaml, "base", true);
    file->baseline = read_baseline(yaml, file);
    file->text = text_of(arena, path);
    const fs_node *axes = fs_yaml_list(yaml, yaml->root, "axes", true);
    if (axes != NULL && file->base != NULL)
        fs_sweep_read_axes(yaml, axes, file);
    read_excludes(yaml, file);
    fs_sweep_read_goals(yaml, file);
    file->losses = read_allowed(yaml, "losses");
    read_limits(yaml, file);
    return fs_yaml_finish(yaml, err);
}
