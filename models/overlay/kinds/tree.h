/* A tree of routers with `arity` children each over any number of shards: tracers in groups of `arity` under
 * a router, these in groups of `arity` under the next, up to one root. Where the numbers do not divide, the
 * last group of a level is smaller. Arity 4 over 4^n shards is the quadtree.
 *
 * Invariants: ceil(shards / arity) + ceil of that / arity + ... + 1 routers; a router has at most arity + 1
 * neighbours; one way between any two tiles, at most 2 * levels lanes between two tracers.
 */
#ifndef FOAMSIM_MODELS_OVERLAY_KINDS_TREE_H
#define FOAMSIM_MODELS_OVERLAY_KINDS_TREE_H

#include "models/overlay/overlay.h"
#include "models/overlay/plan.h"

typedef struct fs_overlay_tree_params {
    int64_t arity;         /* children of a router, 2 ... 64 */
    int64_t router_buffer; /* bytes of a router for all its lanes; 0: what is left */
    int64_t tracer_buffer; /* bytes of a tracer for its two lanes; 0: what is left */
    fs_plan_generator generator;
} fs_overlay_tree_params;

extern const fs_overlay_kind fs_overlay_tree;
extern const fs_param_table fs_overlay_tree_table; /* "overlay/tree" */

#endif
