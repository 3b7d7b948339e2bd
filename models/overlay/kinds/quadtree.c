/* The quadtree of the Radiant Foam paper: routers level by level, ports by shard. */
#include "models/overlay/kinds/quadtree.h"

#include "models/overlay/plan.h"

#include <inttypes.h>
#include <string.h>

enum { CHILDREN = 4, PARENT_PORT = CHILDREN };

static const fs_param rows[] = {
    FS_PLAN_BUFFER_ROWS(fs_quadtree_params, "shared equally among five in and five out",
                        "one in and one out"),
    FS_PLAN_GENERATOR_ROWS(fs_quadtree_params),
};

const fs_param_table fs_overlay_quadtree_table = FS_PARAM_TABLE(
    "overlay/quadtree", "tree of routers with four children each over a power of four of tracers", rows,
    sizeof(fs_quadtree_params));

static uint32_t routers_over(uint32_t shards) {
    return (shards - 1) / (CHILDREN - 1); /* shards/4 + shards/16 + ... + 1 */
}

static fs_status check_shards(uint32_t shards, uint32_t *levels, fs_error *err) {
    uint64_t power = CHILDREN;
    *levels = 1;
    for (; power < shards; power *= CHILDREN)
        ++*levels;
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

/* Routers follow the tracers level by level; router i has the children 4 i ... 4 i + 3 of the level below. */
static void plan_routers(fs_plan *plan) {
    fs_overlay *o = plan->overlay;
    uint32_t below = 0, first = o->tracers, count = o->tracers;
    for (uint32_t level = 1; level <= o->levels; level++) {
        count /= CHILDREN;
        for (uint32_t i = 0; i < count; i++) {
            o->role[first + i] = FS_ROLE_ROUTER;
            o->level[first + i] = (uint8_t)level;
            fs_overlay_plan_table_at(plan, first + i);
            for (uint32_t c = 0; c < CHILDREN; c++)
                fs_overlay_plan_join(plan, first + i, below + i * CHILDREN + c);
        }
        below = first;
        first += count;
    }
    fs_overlay_plan_join(plan, below, o->generator_tile);
}

/* Router i of a level serves `width` shards from i * width on: those go to the child that has them, all
 * others to the parent. */
static void route(const fs_overlay *o) {
    uint32_t router = o->tracers;
    for (uint32_t width = CHILDREN; width <= o->tracers; width *= CHILDREN)
        for (uint32_t i = 0; i < o->tracers / width; i++, router++) {
            uint8_t *port = fs_overlay_plan_table(o, router);
            memset(port, PARENT_PORT, o->tracers);
            for (uint32_t c = 0; c < CHILDREN; c++)
                memset(port + (size_t)i * width + (size_t)c * (width / CHILDREN), (int)c, width / CHILDREN);
        }
}

static fs_status plan(const void *params, const fs_overlay_site *site, fs_arena *arena, fs_overlay *out,
                      fs_error *err) {
    const fs_quadtree_params *p = params;
    const fs_plan_buffers buffers = {p->tracer_buffer, p->router_buffer, p->generator.buffer};
    const uint32_t shards = site->shards;
    uint32_t levels = 0, tile = 0;
    fs_status status = check_shards(shards, &levels, err);
    if (!status)
        status = fs_overlay_plan_place_generator("quadtree", site, (uint64_t)shards + routers_over(shards),
                                                 p->generator.tile, arena, &tile, err);
    if (status)
        return status;
    /* Two lanes for each tracer and each router (to its parent; the root's to the generator). */
    fs_plan tree = fs_overlay_plan_begin("quadtree", site, shards + routers_over(shards), arena, out);
    fs_overlay_plan_tracers(&tree);
    fs_overlay_plan_generate(&tree, tile, &p->generator, levels);
    plan_routers(&tree);
    status = fs_overlay_plan_finish(&tree, &buffers, err);
    if (!status)
        route(out);
    return status;
}

const fs_overlay_kind fs_overlay_quadtree = {
    .abi = FS_OVERLAY_ABI,
    .name = "quadtree",
    .summary = "tree of routers with four children each (as in the Radiant Foam paper): 1,024 tracers, 341 "
               "routers, 1 generator",
    .table = &fs_overlay_quadtree_table,
    .plan = plan,
};
