/* A sweep file as a whole. */
#include "sim/host/file.h"
#include "sim/sweep/private.h"
#include "sim/yaml/paths.h"
#include "sim/yaml/quantity.h"

#include <string.h>

/* `base: demo`, `base: path.yaml`, or the mapping of an experiment in line. */
static bool read_base(const fs_yaml *yaml, const fs_node *base, void *self, void *member) {
    (void)self;
    fs_node *node = (fs_node *)(uintptr_t)base; /* experiments are laid over it, which does not change it */
    if (base->kind != FS_NODE_MAPPING && base->kind != FS_NODE_SCALAR)
        return fs_yaml_wrong(yaml, base,
                             "expected the name or path of an experiment, or one in line, found %s",
                             fs_yaml_found(yaml, base));
    *(fs_node **)member = base->kind == FS_NODE_MAPPING
                              ? node
                              : fs_tree_mapping(yaml->arena, base->mark, "base", base->mark, node);
    return true;
}

/* An experiment as `base` names one, or the word `base`: the base as it is, without any axis. */
static bool read_baseline(const fs_yaml *yaml, const fs_node *node, void *self, void *member) {
    if (node->kind != FS_NODE_SCALAR || strcmp(node->text, "base") != 0)
        return read_base(yaml, node, self, member);
    *(fs_node **)member = ((fs_sweep_file *)self)->base;
    return true;
}

static bool read_condition(const fs_yaml *yaml, const fs_node *node, void *self, void *member) {
    (void)self;
    *(fs_sweep_condition *)member = fs_sweep_read_condition(yaml, node);
    return true;
}

/* `losses: allowed`, or `refused`, which is usual. */
static bool read_allowed(const fs_yaml *yaml, const fs_node *node, void *self, void *member) {
    (void)self;
    const char *word = node->kind == FS_NODE_SCALAR ? node->text : "";
    *(bool *)member = strcmp(word, "allowed") == 0;
    return *(bool *)member || strcmp(word, "refused") == 0 ||
           fs_yaml_wrong(yaml, node, "expected allowed or refused, found %s", fs_yaml_found(yaml, node));
}

/* `limits: allowed`, or those of the machine that count for every point: { area: 600 mm2, power: 300 W }. */
static bool read_limits(const fs_yaml *yaml, const fs_node *node, void *self, void *member) {
    fs_sweep_file *file = self;
    if (node->kind != FS_NODE_MAPPING)
        return read_allowed(yaml, node, self, member);
    fs_config_over *held = FS_NEW(yaml->arena, fs_config_over, node->count + 1);
    for (size_t i = 0; i < node->count; i++)
        held[i] = (fs_config_over){fs_arena_printf(yaml->arena, "machine.limits.%s", node->entries[i].key),
                                   node->entries[i].value};
    file->held = held;
    file->held_count = node->count;
    return true;
}

/* The whole file, for the store. */
static const char *text_of(fs_arena *arena, const char *path) {
    FILE *in = fs_file_regular(path);
    const char *text = in == NULL ? "" : fs_file_text(arena, in, 1 << 20);
    if (in != NULL)
        fclose(in);
    return text;
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

static bool read_budget(const fs_yaml *yaml, const fs_node *node, void *self, void *member) {
    (void)self;
    return (node->kind == FS_NODE_SCALAR && fs_sweep_read_budget(node->text, member)) ||
           fs_yaml_wrong(yaml, node, "expected a number of points or a time such as 30 min, found %s",
                         fs_yaml_found(yaml, node));
}

static const fs_yaml_shape condition = FS_YAML_EACH(fs_sweep_condition, read_condition);

enum { SWEEP = 1, SEARCH };

typedef struct sweep_text {
    fs_sweep_file file;
    fs_sweep_search search;
} sweep_text;

#define FS_ROWS_OF sweep_text
static const fs_yaml_row rows[] = {
    FS_YAML_TEXT("name", file.name, FS_YAML_MAY),
    FS_YAML_READ("base", file.base, read_base, NULL),
    FS_YAML_LIST("axes", file.axes, file.axis_count, &fs_sweep_axis_shape, NULL),
    FS_YAML_LIST("exclude", file.excludes, file.exclude_count, &condition, FS_YAML_MAY),
    FS_YAML_LIST("objectives", file.objectives, file.objective_count, &fs_sweep_objective, FS_YAML_MAY),
    FS_YAML_LIST("constraints", file.constraints, file.constraint_count, &fs_sweep_constraint, FS_YAML_MAY),
    FS_YAML_READ("losses", file.losses, read_allowed, FS_YAML_MAY),
    FS_YAML_READ("limits", file.limits, read_limits, FS_YAML_MAY),
    FS_YAML_READ("budget", search, read_budget, FS_YAML_MAY, .of = SEARCH),
    FS_YAML_INT("batch", search.batch, NONE, 1, FS_SWEEP_MOST_BATCH, "8", .of = SEARCH),
    FS_YAML_INT("seed", search.seed, NONE, 0, INT64_MAX, "1", .of = SEARCH),
    FS_YAML_READ("baseline", file.baseline, read_baseline, FS_YAML_MAY),
};
static const fs_yaml_shape shape = FS_YAML_SHAPE(rows, sizeof(sweep_text), fs_sweep_check_axes);

/* A file with a workload of its own and without axes is refused as a whole. */
static bool refuse_experiment(const fs_yaml *yaml) {
    const fs_node *workload = fs_tree_get(yaml->root, "workload");
    return workload != NULL && fs_tree_get(yaml->root, "axes") == NULL &&
           !fs_yaml_wrong(
               yaml, workload,
               "a file with a workload and no axes is an experiment: run it by `foamsim run`, or make it "
               "the base of a sweep");
}

fs_status fs_sweep_read(fs_arena *arena, const fs_registry *registry, const char *path, fs_sweep_file *file,
                        fs_sweep_search *search, fs_error *err) {
    const fs_yaml *yaml = fs_yaml_open(arena, path);
    sweep_text t = {.file = {.registry = registry,
                             .path = path,
                             .name = fs_path_stem(arena, path),
                             .text = text_of(arena, path)}};
    if (yaml->root != NULL && !refuse_experiment(yaml))
        fs_yaml_fill_as(yaml, yaml->root, &shape, search == NULL ? SWEEP : SEARCH, &t, &t);
    *file = t.file;
    if (search != NULL)
        *search = t.search;
    return fs_yaml_finish(yaml, err);
}
