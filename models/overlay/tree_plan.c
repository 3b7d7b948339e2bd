/* Trees of any width: levels of routers, the lanes between them, routes down and up. */
#include "models/overlay/tree_plan.h"

#include <string.h>

fs_overlay_tree_shape fs_overlay_tree_shape_over(uint32_t shards, uint32_t arity) {
    fs_overlay_tree_shape shape = {.arity = arity, .groups = {shards}, .width = {1}};
    uint32_t groups = shards;
    do {
        groups = groups / arity + (groups % arity > 0);
        shape.levels++;
        shape.groups[shape.levels] = groups;
        shape.width[shape.levels] = 1;
    } while (groups > 1);
    return shape;
}

uint64_t fs_overlay_tree_routers(const fs_overlay_tree_shape *shape) {
    uint64_t routers = 0;
    for (uint32_t l = 1; l <= shape->levels; l++)
        routers += (uint64_t)shape->groups[l] * shape->width[l];
    return routers;
}

/* Replica i of a level with `width` of them is joined to those of a level with `other` that this many steps
 * apart begin at i mod step. */
static uint32_t step_between(uint32_t width, uint32_t other) {
    return width < other ? width : other;
}

/* How many replicas of a level of width `other` replica i of a level of width `width` is joined to. */
static uint32_t joined(uint32_t i, uint32_t width, uint32_t other) {
    const uint32_t step = step_between(width, other);
    return (other - i % step + step - 1) / step;
}

static uint32_t children_of(const fs_overlay_tree_shape *shape, uint32_t level, uint32_t group) {
    const uint64_t first = (uint64_t)group * shape->arity, all = shape->groups[level - 1];
    return (uint32_t)(all - first < shape->arity ? all - first : shape->arity);
}

/* Lanes between a level and the one below; returns pairs, joins them when there is a plan. */
static uint64_t join_level(const fs_overlay_tree_shape *shape, uint32_t level, uint32_t below, uint32_t first,
                           fs_plan *plan) {
    const uint32_t width = shape->width[level], under = shape->width[level - 1];
    const uint32_t step = step_between(width, under);
    uint64_t pairs = 0;
    for (uint32_t g = 0; g < shape->groups[level]; g++)
        for (uint32_t i = 0; i < width; i++)
            for (uint32_t c = 0; c < children_of(shape, level, g); c++)
                for (uint32_t j = i % step; j < under; j += step, pairs++)
                    if (plan != NULL)
                        fs_overlay_plan_join(plan, first + g * width + i,
                                             below + (g * shape->arity + c) * under + j);
    return pairs;
}

/* Tile of the first router of each level, and of the tile behind the last; [0] is the first tracer. */
static void first_tiles(const fs_overlay_tree_shape *shape, uint32_t *first) {
    first[0] = 0;
    for (uint32_t l = 0; l <= shape->levels; l++)
        first[l + 1] = first[l] + shape->groups[l] * shape->width[l];
}

static void place_routers(fs_plan *plan, const fs_overlay_tree_shape *shape, const uint32_t *first) {
    for (uint32_t l = 1; l <= shape->levels; l++)
        for (uint32_t t = first[l]; t < first[l + 1]; t++) {
            plan->overlay->role[t] = FS_ROLE_ROUTER;
            plan->overlay->level[t] = (uint8_t)l;
            fs_overlay_plan_table_at(plan, t);
        }
}

static void route_level(fs_overlay *o, const fs_overlay_tree_shape *shape, uint32_t level,
                        const uint32_t *first, uint64_t child_span) {
    const uint32_t width = shape->width[level], under = shape->width[level - 1];
    for (uint32_t t = first[level]; t < first[level + 1]; t++) {
        const uint32_t group = (t - first[level]) / width, i = (t - first[level]) % width;
        const uint32_t down = joined(i, width, under), children = children_of(shape, level, group);
        const uint32_t up = level == shape->levels ? 1 : joined(i, width, shape->width[level + 1]);
        for (uint32_t c = 0; c < children && down > 1; c++)
            fs_overlay_plan_choices(o, t, c * down, down);
        if (up > 1)
            fs_overlay_plan_choices(o, t, children * down, up);
        uint8_t *port = fs_overlay_plan_table(o, t);
        memset(port, (int)(children * down), o->tracers);
        for (uint32_t c = 0; c < children; c++) {
            const uint64_t begin = ((uint64_t)group * shape->arity + c) * child_span,
                           left = o->tracers - begin;
            memset(port + begin, (int)(c * down), left < child_span ? left : child_span);
        }
    }
}

fs_status fs_overlay_tree_plan(const char *kind, const fs_overlay_tree_shape *shape,
                               const fs_plan_buffers *buffers, const fs_plan_generator *generator,
                               const fs_overlay_site *site, fs_arena *arena, fs_overlay *out, fs_error *err) {
    uint32_t tile = 0, first[FS_TREE_MAX_LEVELS + 2];
    fs_status status = fs_overlay_plan_place_generator(
        kind, site, site->shards + fs_overlay_tree_routers(shape), generator->tile, arena, &tile, err);
    if (status)
        return status;
    uint64_t pairs = shape->width[shape->levels];
    for (uint32_t l = 1; l <= shape->levels; l++)
        pairs += join_level(shape, l, 0, 0, NULL);
    first_tiles(shape, first);
    fs_plan plan = fs_overlay_plan_begin(kind, site, (uint32_t)pairs, arena, out);
    fs_overlay_plan_tracers(&plan);
    fs_overlay_plan_generate(&plan, tile, generator, shape->levels);
    place_routers(&plan, shape, first);
    for (uint32_t l = 1; l <= shape->levels; l++)
        join_level(shape, l, first[l - 1], first[l], &plan);
    for (uint32_t t = first[shape->levels]; t < first[shape->levels + 1]; t++)
        fs_overlay_plan_join(&plan, t, tile);
    status = fs_overlay_plan_finish(&plan, buffers, err);
    uint64_t span = 1;
    for (uint32_t l = 1; l <= shape->levels && !status; l++, span *= shape->arity)
        route_level(out, shape, l, first, span);
    return status;
}
