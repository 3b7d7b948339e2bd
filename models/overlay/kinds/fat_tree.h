/* The fat tree (docs/overlays.md): the quadtree with several equal routers, replicas, where one would be
 * the bottleneck. 4^L shards have L levels of routers; level l (1 next to the tracers) has 4^(L - l) groups
 * of `widths[l - 1]` replicas. Replica j of a child group reaches the replicas i of its parent group with i =
 * j mod min(replicas of the child's level, of the parent's), so that doubled levels above one another are two
 * trees side by side and wider ones fan out. The generator has a lane to each replica of the root. Where a
 * ray may take several lanes, `dispatch` picks one; all are equally far, so distances are the quadtree's.
 *
 * 1,024 shards and widths [1, 1, 2, 4, 8]: 256 + 64 + 16 * 2 + 4 * 4 + 8 = 376 routers; with all widths 1 it
 * is the quadtree, lane for lane.
 *
 * A router's buffer is shared equally among its lanes, so a router with two parents has smaller lanes than
 * one with one: 12 instead of 10 ends.
 */
#ifndef FOAMSIM_MODELS_OVERLAY_KINDS_FAT_TREE_H
#define FOAMSIM_MODELS_OVERLAY_KINDS_FAT_TREE_H

#include "models/overlay/overlay.h"
#include "models/overlay/plan.h"

typedef struct fs_fat_tree_params {
    int64_t arity;         /* children of a router */
    fs_int_list widths;    /* [levels] replicas of a group, leaf level first */
    bool widths_given;     /* false: 1, 1, 2, 4, 8, ... as many as there are levels */
    int64_t dispatch;      /* fs_dispatch */
    int64_t router_buffer; /* bytes of a router for all its lanes; 0: what is left */
    int64_t tracer_buffer; /* bytes of a tracer for all its lanes; 0: what is left */
    fs_plan_generator generator;
} fs_fat_tree_params;

extern const fs_overlay_kind fs_overlay_fat_tree;
extern const fs_param_table fs_overlay_fat_tree_table; /* "overlay/fat_tree" */

#endif
