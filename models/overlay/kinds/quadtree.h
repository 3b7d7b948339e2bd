/* The quadtree of the Radiant Foam paper (RF section 4.3): 4^n tracers are the leaves, each router has
 * four children and a parent, the generator is the root's parent. 1,024 tracers take 256 + 64 + 16 + 4 + 1 =
 * 341 routers on five levels; the longest way between two tracers is 10 lanes.
 *
 * Tiles: tracer of shard s on tile s; routers from tile 4^n on, level by level, the leaf level first; the
 * generator on a free tile after them. Router i of level l serves the shards i * 4^l ... (i + 1) * 4^l - 1.
 *
 * Every tile has buffers of its own for the lanes that begin or end there: its share of a lane is its buffer
 * bytes over its number of lanes, in and out together, rounded down to whole 4-byte words.
 */
#ifndef FOAMSIM_MODELS_OVERLAY_KINDS_QUADTREE_H
#define FOAMSIM_MODELS_OVERLAY_KINDS_QUADTREE_H

#include "models/overlay/overlay.h"
#include "models/overlay/plan.h"
#include "sim/config/param.h"

#include <stdint.h>

typedef struct fs_quadtree_params {
    /* Bytes; 0: what is left of the tile's SRAM. */
    int64_t router_buffer; /* of a router for its ten lanes: 576,000 */
    int64_t tracer_buffer; /* of a tracer for its two lanes: 115,200 */
    fs_plan_generator generator;
} fs_quadtree_params;

extern const fs_overlay_kind fs_overlay_quadtree;
extern const fs_param_table fs_overlay_quadtree_table; /* "overlay/quadtree" */

#endif
