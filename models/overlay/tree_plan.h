/* Trees of routers: the shape that `tree` and `fat_tree` share. Private to models/overlay.
 *
 * Level 0 is the shards; groups of level l have up to `arity` groups of level l - 1 as children; a group of
 * level l is width[l] equal routers (replicas). Replica j of a child group and replica i of its parent group
 * are joined when i = j mod min(width of the child's level, width of the parent's). The generator is joined
 * to each replica of the root.
 *
 * Tiles: tracer of shard s on tile s; then routers level by level from the leaves, group by group, replica by
 * replica. Ports of a router: the replicas of child 0 that it is joined to, those of child 1, ..., then its
 * parents (the generator at the root); so lanes that lead to the same group lie side by side and are choices.
 */
#pragma once

#include "models/overlay/plan.h"

enum { FS_TREE_MAX_LEVELS = 32 };

typedef struct fs_overlay_tree_shape {
    uint32_t arity;
    uint32_t levels;
    uint32_t groups[FS_TREE_MAX_LEVELS + 1]; /* [0] shards, [levels] 1 */
    uint32_t width[FS_TREE_MAX_LEVELS + 1];  /* [0] 1: a shard has one tracer */
} fs_overlay_tree_shape;

/* The levels and groups over `shards` tracers, all widths 1; the last group of a level may be small. */
fs_overlay_tree_shape fs_overlay_tree_shape_over(uint32_t shards, uint32_t arity);
uint64_t fs_overlay_tree_routers(const fs_overlay_tree_shape *shape);

/* Plans the whole tree. FS_INPUT as fs_overlay_plan_place_generator and fs_overlay_plan_finish. */
fs_status fs_overlay_tree_plan(const char *kind, const fs_overlay_tree_shape *shape,
                               const fs_plan_buffers *buffers, const fs_plan_generator *generator,
                               const fs_overlay_site *site, fs_arena *arena, fs_overlay *out, fs_error *err);
