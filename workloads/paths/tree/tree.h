/* The tree of a scene as the path tracer has it on each tile: an array of nodes, the first child of a node
 * after it, one primitive a leaf (neural_path_tracing.md 2; IRL). */
#pragma once

#include "sim/base/alloc.h"
#include "sim/base/error.h"
#include "workloads/scene/mesh/mesh.h"

#include <stdint.h>

enum {
    FS_TREE_NODE_HALF = 24, /* bytes of a node with f16 extents */
    FS_TREE_NODE_FULL = 32, /* with f32 extents */
    FS_TREE_INNER = 0xffff, /* geometry of an inner node */
};

/* A node with its numbers as f32: `extent` has been through f16 when the tile's node holds f16. */
typedef struct fs_bvh_node {
    float low[3], extent[3]; /* the box reaches from low to low + extent, worked out in f32 */
    uint32_t link;           /* inner: the second child; leaf: primitive within its geometry */
    uint32_t geometry;       /* of a leaf (fs_mesh_geometry_of); FS_TREE_INNER */
} fs_bvh_node;

typedef struct fs_bvh {
    uint32_t nodes, leaves; /* nodes = 2 leaves - 1 */
    uint32_t depth;         /* of the deepest leaf; the root has 1 */
    uint32_t node_bytes;    /* FS_TREE_NODE_HALF, FS_TREE_NODE_FULL */
    fs_bvh_node *node;      /* [nodes], and room for one more */
    uint32_t *primitive;    /* [nodes] of a leaf in the scene's numbering; UINT32_MAX: inner */
    uint32_t *skip;         /* [nodes] the node that a walk goes on with after the subtree; `nodes`: none */
} fs_bvh;

/* Bytes of the nodes on a tile. */
static inline uint64_t fs_bvh_bytes(const fs_bvh *tree) {
    return (uint64_t)tree->nodes * tree->node_bytes;
}

/* The smallest half that is not below `extent` (0 ... 65504): the nearest, and the next one if that is
 * smaller (IRL). */
uint16_t fs_bvh_half_not_below(float extent);

/* Builds by the surface area heuristic in bins with Embree's rules: two children, traversal 1, intersection
 * 8, the child of more primitives first. The scene's coordinates are taken as they stand. node_bytes:
 * FS_TREE_NODE_HALF or FS_TREE_NODE_FULL. FS_INPUT: no primitives, more than 65,534 geometries, an extent
 * above 65,504 with f16. Ends with fs_bvh_check. */
fs_status fs_bvh_build(const fs_mesh_scene *scene, uint32_t node_bytes, fs_arena *arena, fs_bvh *out,
                       fs_error *err);

/* FS_BROKEN unless every primitive is in one leaf and every box holds what is below it. */
fs_status fs_bvh_check(const fs_bvh *tree, const fs_mesh_scene *scene, fs_error *err);
