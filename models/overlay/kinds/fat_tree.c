/* The fat tree: levels of routers in groups, wider towards the top, with a choice of lanes. */
#include "models/overlay/kinds/kinds.h"

#include "models/overlay/tree_plan.h"

#include <inttypes.h>

#define FS_ROWS_OF fs_fat_tree_params
static const fs_param rows[] = {
    FS_INT(arity, NONE, "4", 2, 64, "children of a router: groups of the level below", TRAFFIC),
    FS_INTS(widths, NONE, "none", 1, FS_MAX_PORTS,
            "routers in a group of each level, the leaf level first; without it 1, 1, 2, 4, 8, ... as many "
            "as there are levels",
            TRAFFIC),
    FS_INTS(top, NONE, "none", 1, FS_MAX_PORTS,
            "routers in a group of the upper levels, the root's last, for any number of shards: levels below "
            "have 1, the leaf "
            "level always, and of more numbers than levels the last ones count; instead of widths",
            TRAFFIC),
    FS_ENUM(dispatch, "hash", fs_dispatch_names,
            "how a tile picks one of several lanes: by the ray's pixel, in turn, or the one that got fewest "
            "rays so far in this iteration",
            TRAFFIC),
    FS_PLAN_BUFFER_ROWS(fs_fat_tree_params, "shared equally among them", "shared equally among them"),
    FS_PLAN_GENERATOR_ROWS(fs_fat_tree_params),
};

const fs_param_table fs_overlay_fat_tree_table = FS_PARAM_TABLE(
    "overlay/fat_tree", "tree over any number of shards whose routers are replicated level by level", rows,
    sizeof(fs_fat_tree_params));

/* "[1, 1, 2]" */
static const char *widths_text(fs_arena *arena, const fs_overlay_tree_shape *shape) {
    const char *text = "";
    for (uint32_t l = 1; l <= shape->levels; l++)
        text = fs_arena_printf(arena, "%s%s%" PRIu32, text, l > 1 ? ", " : "[", shape->width[l]);
    return fs_arena_printf(arena, "%s]", text);
}

/* 1, 1, 2, 4, 8, ...: level l has as many routers as its groups need to carry twice what one would. */
static uint32_t default_width(uint32_t level) {
    return level <= 2 ? 1 : UINT32_C(1) << (level - 2);
}

static uint32_t width_from_top(const fs_fat_tree_params *p, uint32_t levels, uint32_t level) {
    const size_t above = levels - level; /* levels between it and the top */
    return level == 1 || above >= p->top.count ? 1 : (uint32_t)p->top.item[p->top.count - 1 - above];
}

static fs_status set_widths(const fs_fat_tree_params *p, const fs_overlay_site *site,
                            fs_overlay_tree_shape *shape, fs_arena *arena, fs_error *err) {
    if (p->widths_given && p->widths.count != shape->levels)
        return fs_fail(err, FS_INPUT,
                       "%s: %" PRIu32 " shards have %" PRIu32
                       " levels of routers, so expected as many widths, the leaf level first; found %zu",
                       fs_overlay_plan_key(site, arena, "widths"), shape->groups[0], shape->levels,
                       p->widths.count);
    if (p->widths_given && p->top_given)
        return fs_fail(err, FS_INPUT, "%s: widths are given, too; expected one of the two",
                       fs_overlay_plan_key(site, arena, "top"));
    for (uint32_t l = 1; l <= shape->levels; l++)
        shape->width[l] = p->widths_given ? (uint32_t)p->widths.item[l - 1]
                          : p->top_given  ? width_from_top(p, shape->levels, l)
                                          : default_width(l);
    return FS_OK;
}

/* Says what would fit when the tiles run out: the same widths, narrowed from the leaf level on, where a
 * router more for each group costs most tiles. */
static fs_status check_tiles(const fs_overlay_tree_shape *shape, const fs_overlay_site *site, fs_arena *arena,
                             fs_error *err) {
    const uint64_t tiles = fs_machine_tiles(site->machine), shards = site->shards;
    if (shards + fs_overlay_tree_routers(shape) < tiles)
        return FS_OK;
    fs_overlay_tree_shape narrow = *shape;
    for (uint32_t l = 1; l <= narrow.levels; l++)
        while (narrow.width[l] > 1 && shards + fs_overlay_tree_routers(&narrow) >= tiles)
            narrow.width[l]--;
    const bool fits = shards + fs_overlay_tree_routers(&narrow) < tiles;
    return fs_fail(err, FS_INPUT,
                   "overlay fat_tree: %" PRIu64 " shards and widths %s need %" PRIu64 " tracers, %" PRIu64
                   " routers and a generator = %" PRIu64 " tiles, machine \"%s\" has %" PRIu64 "; %s%s%s",
                   shards, widths_text(arena, shape), shards, fs_overlay_tree_routers(shape),
                   shards + fs_overlay_tree_routers(shape) + 1, site->machine->name, tiles,
                   fits ? "widths " : "not even widths ", widths_text(arena, &narrow),
                   fits ? " would fit" : " would fit: use fewer shards or a larger machine");
}

static fs_status plan(const void *params, const fs_overlay_site *site, fs_arena *arena, fs_overlay *out,
                      fs_error *err) {
    const fs_fat_tree_params *p = params;
    if (site->shards == 0)
        return fs_fail(err, FS_INPUT, "overlay fat_tree: expected at least one shard, found none");
    fs_overlay_tree_shape shape = fs_overlay_tree_shape_over(site->shards, (uint32_t)p->arity);
    if (set_widths(p, site, &shape, arena, err) || check_tiles(&shape, site, arena, err))
        return err->status;
    const fs_plan_buffers buffers = {p->tracer_buffer, p->router_buffer, p->generator.buffer};
    fs_status status =
        fs_overlay_tree_plan("fat_tree", &shape, &buffers, &p->generator, site, arena, out, err);
    out->dispatch = (fs_dispatch)p->dispatch;
    return status;
}

const fs_overlay_kind fs_overlay_fat_tree = {
    .abi = FS_OVERLAY_ABI,
    .name = "fat_tree",
    .summary = "tree of any arity with several routers in the groups of its upper levels: 1,024 tracers, 376 "
               "routers",
    .table = &fs_overlay_fat_tree_table,
    .plan = plan,
};
