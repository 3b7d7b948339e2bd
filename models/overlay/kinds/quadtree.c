/* The quadtree of the Radiant Foam paper: the tree of arity 4 over a power of four of shards. */
#include "models/overlay/kinds/kinds.h"

#include "models/overlay/tree_plan.h"

#include <inttypes.h>

enum { CHILDREN = 4 };

static const fs_param rows[] = {
    FS_PLAN_BUFFER_ROWS(fs_quadtree_params, "shared equally among five in and five out",
                        "one in and one out"),
    FS_PLAN_GENERATOR_ROWS(fs_quadtree_params),
};

const fs_param_table fs_overlay_quadtree_table = FS_PARAM_TABLE(
    "overlay/quadtree", "tree of routers with four children each over a power of four of tracers", rows,
    sizeof(fs_quadtree_params));

static fs_status check_shards(uint32_t shards, fs_error *err) {
    uint64_t power = CHILDREN;
    while (power < shards)
        power *= CHILDREN;
    if (power == shards)
        return FS_OK;
    if (shards < CHILDREN)
        return fs_fail(err, FS_INPUT,
                       "overlay quadtree: expected a power of four of shards (4, 16, 64, 256, "
                       "1024, ...), found %" PRIu32
                       "; the smallest is 4, and overlay.kind fat_tree or tree takes any number",
                       shards);
    return fs_fail(err, FS_INPUT,
                   "overlay quadtree: expected a power of four of shards (4, 16, 64, 256, 1024, "
                   "...), found %" PRIu32 "; the nearest are %" PRIu64 " and %" PRIu64
                   ", and overlay.kind fat_tree or tree takes any number",
                   shards, power / CHILDREN, power);
}

static fs_status plan(const void *params, const fs_overlay_site *site, fs_arena *arena, fs_overlay *out,
                      fs_error *err) {
    const fs_quadtree_params *p = params;
    const fs_plan_buffers buffers = {p->tracer_buffer, p->router_buffer, p->generator.buffer};
    if (check_shards(site->shards, err))
        return err->status;
    const fs_overlay_tree_shape shape = fs_overlay_tree_shape_over(site->shards, CHILDREN);
    return fs_overlay_tree_plan("quadtree", &shape, &buffers, &p->generator, site, arena, out, err);
}

const fs_overlay_kind fs_overlay_quadtree = {
    .abi = FS_OVERLAY_ABI,
    .name = "quadtree",
    .summary = "tree of routers with four children each (as in the Radiant Foam paper): 1,024 tracers, 341 "
               "routers, 1 generator",
    .table = &fs_overlay_quadtree_table,
    .plan = plan,
};
