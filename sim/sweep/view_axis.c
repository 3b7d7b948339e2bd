/* The cameras of a view set as an axis: one point each, where `views` in an experiment makes one run of all. */
#include "sim/sweep/private.h"
#include "sim/workload/views.h"
#include "sim/workload/workload.h"

static fs_node *node_of_point(fs_arena *arena, fs_mark mark, const double point[3]) {
    fs_node *node = FS_NEW(arena, fs_node, 1);
    *node = (fs_node){.kind = FS_NODE_LIST, .mark = mark, .count = 3, .items = FS_NEW(arena, fs_node *, 3)};
    for (size_t i = 0; i < 3; i++)
        node->items[i] = fs_tree_scalar(arena, mark, FS_REAL_WORD(point[i]));
    return node;
}

static fs_sweep_option option_of(const fs_yaml *yaml, const fs_node *node, const fs_workload *workload,
                                 const fs_view *view, size_t i) {
    fs_arena *arena = yaml->arena;
    const fs_mark mark = node->mark;
    fs_config_over *sets = FS_NEW(arena, fs_config_over, 3);
    size_t count = 0;
    sets[count++] = (fs_config_over){"views.kind", fs_tree_scalar(arena, mark, "none")};
    sets[count++] = (fs_config_over){fs_arena_printf(arena, "workload.%s", workload->camera.position),
                                     node_of_point(arena, mark, view->position)};
    if (view->look_at_given)
        sets[count++] = (fs_config_over){fs_arena_printf(arena, "workload.%s", workload->camera.look_at),
                                         node_of_point(arena, mark, view->look_at)};
    const char *name = fs_arena_printf(arena, "view %zu", i);
    return (fs_sweep_option){.value = name, .name = name, .number = (double)i, .sets = sets, .count = count};
}

bool fs_sweep_read_views(const fs_yaml *yaml, const fs_node *node, fs_sweep_file *file, fs_sweep_axis *axis) {
    fs_error err = {.status = FS_OK};
    const fs_config_over over = {"views", (fs_node *)(uintptr_t)node}; /* it is not changed */
    const fs_view *views = NULL;
    size_t count = 0;
    const fs_config *config =
        fs_config_load_tree(yaml->arena, file->base, file->registry->sections, file->registry->section_count,
                            &over, 1, fs_configs_dir(), &err);
    const fs_workload *workload = config == NULL ? NULL : fs_workload_of(config);
    if (config == NULL || fs_views_make(config, yaml->arena, &views, &count, &err) || count == 0 ||
        workload->camera.position == NULL) {
        return fs_yaml_wrong(yaml, node, "%s", err.text[0] != '\0' ? err.text : "there are no views in it");
    }
    fs_sweep_option *options = FS_NEW(yaml->arena, fs_sweep_option, count);
    for (size_t i = 0; i < count; i++)
        options[i] = option_of(yaml, node, workload, &views[i], i);
    axis->name = "views";
    axis->options = options;
    axis->count = count;
    return true;
}
