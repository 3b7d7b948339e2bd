/* A two-dimensional mesh of the tracers themselves: each shard's tile traces, then routes. No tile is spent
 * on routers, and a tile's lanes live beside its shard.
 *
 * Shards lie on a grid of `columns` (0: as square as possible, a column more than rows where it must). For a
 * power of two of shards and of columns the bits of the shard's number, which a k-d partition makes of its
 * cuts, are dealt to x and y in turn, first cut to x, so that shards of one subtree lie in one rectangle
 * (Morton order); other numbers go row by row, the last row being short where they do not divide. Rays go
 * along x first, then along y; only in a short last row, where the way along x may end, they go to the row
 * above first.
 *
 * Invariants: every way is a shortest way in the grid, |dx| + |dy| lanes between two tracers and 0 from a
 * tracer to itself; at most four neighbours, five where the generator hangs; 2 rows columns - rows - columns
 * pairs of lanes when no row is short; no routers.
 */
#ifndef FOAMSIM_MODELS_OVERLAY_KINDS_MESH_H
#define FOAMSIM_MODELS_OVERLAY_KINDS_MESH_H

#include "models/overlay/overlay.h"
#include "models/overlay/plan.h"

typedef struct fs_mesh_params {
    int64_t columns; /* 0: as square as possible */
    int64_t buffer;  /* bytes of a tile for all its lanes; 0: what is left of its SRAM */
    int64_t entry;   /* shard at whose tile the generator hangs; -1: the camera's, else one in the middle */
    fs_plan_generator generator;
} fs_mesh_params;

extern const fs_overlay_kind fs_overlay_mesh;
extern const fs_param_table fs_overlay_mesh_table; /* "overlay/mesh" */

#endif
