/* What rules of cuts share; of this folder alone. */
#pragma once

#include "workloads/paths/tree/tree.h"
#include "workloads/treelets/cut/cut.h"

#include <stdbool.h>

typedef struct cutter {
    const fs_mesh_scene *scene;
    const fs_bvh *tree;
    const fs_treelet_params *params;
    uint32_t *seen; /* [vertices] by the last measure that met them */
    uint32_t measures;
    fs_treelet *of; /* [count] found so far, heap */
    uint32_t count, room;
} cutter;

static inline bool fs_cut_is_leaf(const fs_bvh *tree, uint32_t node) {
    return tree->node[node].geometry != FS_TREE_INNER;
}
/* Leaves of a whole subtree. */
static inline uint32_t fs_cut_leaves(const fs_bvh *tree, uint32_t node) {
    return (tree->skip[node] - node + 1) / 2;
}

static inline double fs_cut_half_surface(const fs_bvh *tree, uint32_t node) {
    const float *e = tree->node[node].extent;
    const double x = (double)e[0], y = (double)e[1], z = (double)e[2];
    return x * (y + z) + y * z;
}

/* A treelet node by node: bytes and triangles of each; vertices of those that none before it has had. keep: they have been
 * had from now on. */
void fs_cut_begin_measure(cutter *cutter);
void fs_cut_add_node(cutter *cutter, uint32_t node, fs_treelet *to, bool keep);
/* One more treelet. FS_INPUT: too many, or too many vertices. */
fs_status fs_cut_add(cutter *cutter, const fs_treelet *treelet, fs_error *err);

/* Rule `bytes` from a node on: subtrees that fit, in the tree's order. FS_INPUT as fs_treelet_cut_make. */
fs_status fs_cut_by_bytes(cutter *cutter, uint32_t node, fs_error *err);
/* Rule `work`: opens what is expected to be visited most until there are params->count, each then by bytes. */
fs_status fs_cut_by_work(cutter *cutter, fs_error *err);
/* Rule `area`: treelets nest. */
fs_status fs_cut_by_area(cutter *cutter, fs_error *err);
