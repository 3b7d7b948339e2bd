/* The tree: routers with a given number of children over all shards. */
#include "models/overlay/kinds/kinds.h"

#include "models/overlay/tree_plan.h"

#define FS_ROWS_OF fs_overlay_tree_params
static const fs_param rows[] = {
    FS_INT(arity, NONE, "4", 2, 64, "children of a router", TRAFFIC),
    FS_PLAN_BUFFER_ROWS(fs_overlay_tree_params, "shared equally among them", "one in and one out"),
    FS_PLAN_GENERATOR_ROWS(fs_overlay_tree_params),
};

const fs_param_table fs_overlay_tree_table =
    FS_PARAM_TABLE("overlay/tree", "tree of routers with any number of children over any number of tracers",
                   rows, sizeof(fs_overlay_tree_params));

static fs_status plan(const void *params, const fs_overlay_site *site, fs_arena *arena, fs_overlay *out,
                      fs_error *err) {
    const fs_overlay_tree_params *p = params;
    if (site->shards == 0)
        return fs_fail(err, FS_INPUT, "overlay tree: expected at least one shard, found none");
    const fs_overlay_tree_shape shape = fs_overlay_tree_shape_over(site->shards, (uint32_t)p->arity);
    const fs_plan_buffers buffers = {p->tracer_buffer, p->router_buffer, p->generator.buffer};
    return fs_overlay_tree_plan("tree", &shape, &buffers, &p->generator, site, arena, out, err);
}

const fs_overlay_kind fs_overlay_tree = {
    .abi = FS_OVERLAY_ABI,
    .name = "tree",
    .summary = "tree of routers of any arity over any number of shards: arity 8 takes 147 over 1,024",
    .table = &fs_overlay_tree_table,
    .plan = plan,
};
