/* The kinds of overlays and their parameters; clique.c keeps its own. */
#pragma once

#include "models/overlay/overlay.h"
#include "models/overlay/plan.h"

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
typedef struct fs_quadtree_params {
    /* Bytes; 0: what is left of the tile's SRAM. */
    int64_t router_buffer; /* of a router for its ten lanes: 576,000 */
    int64_t tracer_buffer; /* of a tracer for its two lanes: 115,200 */
    fs_plan_generator generator;
} fs_quadtree_params;
extern const fs_overlay_kind fs_overlay_quadtree;
extern const fs_param_table fs_overlay_quadtree_table; /* "overlay/quadtree" */

/* A tree of routers with `arity` children each over any number of shards: tracers in groups of `arity` under
 * a router, these in groups of `arity` under the next, up to one root. Where the numbers do not divide, the
 * last group of a level is smaller. Arity 4 over 4^n shards is the quadtree.
 *
 * Invariants: ceil(shards / arity) + ceil of that / arity + ... + 1 routers; a router has at most arity + 1
 * neighbours; one way between any two tiles, at most 2 * levels lanes between two tracers.
 */
typedef struct fs_overlay_tree_params {
    int64_t arity;         /* children of a router, 2 ... 64 */
    int64_t router_buffer; /* bytes of a router for all its lanes; 0: what is left */
    int64_t tracer_buffer; /* bytes of a tracer for its two lanes; 0: what is left */
    fs_plan_generator generator;
} fs_overlay_tree_params;
extern const fs_overlay_kind fs_overlay_tree;
extern const fs_param_table fs_overlay_tree_table; /* "overlay/tree" */

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
typedef struct fs_fat_tree_params {
    int64_t arity;      /* children of a router */
    fs_int_list widths; /* [levels] replicas of a group, leaf level first */
    bool widths_given;  /* false, and no `top`: 1, 1, 2, 4, 8, ... as many as there are levels */
    fs_int_list top;    /* replicas of a group of the upper levels, the root's last */
    bool top_given;
    int64_t dispatch;      /* fs_dispatch */
    int64_t router_buffer; /* bytes of a router for all its lanes; 0: what is left */
    int64_t tracer_buffer; /* bytes of a tracer for all its lanes; 0: what is left */
    fs_plan_generator generator;
} fs_fat_tree_params;
extern const fs_overlay_kind fs_overlay_fat_tree;
extern const fs_param_table fs_overlay_fat_tree_table; /* "overlay/fat_tree" */

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
typedef struct fs_mesh_params {
    int64_t columns; /* 0: as square as possible */
    int64_t buffer;  /* bytes of a tile for all its lanes; 0: what is left of its SRAM */
    int64_t entry;   /* shard at whose tile the generator hangs; -1: the camera's, else one in the middle */
    fs_plan_generator generator;
} fs_mesh_params;
extern const fs_overlay_kind fs_overlay_mesh;
extern const fs_param_table fs_overlay_mesh_table; /* "overlay/mesh" */

/* A lane between every two shards that share a face: a ray goes straight to the shard it enters, one lane
 * away. No routers; each shard's tile traces, and passes on what is not its own (finished rays on the way to
 * their pixel, unless the framebuffer is local) on a shortest way, the lowest port first.
 *
 * What it costs is SRAM: shards of a real scene touch ten to twenty others, and each lane wants a buffer at
 * both ends. The default buffer is the quadtree tracer's, which so many lanes do not leave room for: the
 * ledger refuses it. 0 B makes do with what is left, split evenly.
 *
 * Invariants: a shortest way in the graph of shards between any two; as many neighbours as the shard has, one
 * more where rays begin; no routers.
 */
typedef struct fs_direct_params {
    /* bytes that a tracer gives each end of a lane; 0: its part of what is left; FS_WORD_VALUE: lanes share it */
    int64_t lane_buffer;
    int64_t entry; /* shard that the generator sends to; -1: those of the cameras, else the middle one */
    fs_plan_generator generator;
} fs_direct_params;
extern const fs_overlay_kind fs_overlay_direct;
extern const fs_param_table fs_overlay_direct_table; /* "overlay/direct" */

/* A user's own overlay, from a YAML file: tiles with roles, lanes between them, routing tables where shortest
 * ways are not wanted. docs/overlays-file.md has the format, configs/overlays/ examples.
 *
 * What the file leaves out is chosen so that a regular network is a few lines: ports are numbered in the
 * order in which lanes are written, a tile's buffer is shared equally among its lanes, routes are shortest
 * ways and equally short ones that are written side by side are choices. fs_overlay_check's findings are the
 * file's mistakes.
 */
typedef struct fs_file_params {
    const char *file;         /* absolute path */
    int64_t dispatch;         /* fs_dispatch */
    int64_t router_buffer;    /* bytes of a router for all its lanes; 0: what is left */
    int64_t tracer_buffer;    /* of a tracer */
    int64_t generator_buffer; /* of the generator */
    int64_t generator_ring;   /* rays that its backlog ring holds */
} fs_file_params;
extern const fs_overlay_kind fs_overlay_file;
extern const fs_param_table fs_overlay_file_table; /* "overlay/file" */
