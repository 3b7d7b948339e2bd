/* Nodes of treelets that nest, made ready for the walk: a root of one is no way on for the one that it is in. */
#include "workloads/treelets/walk/walk_private.h"

#include "sim/base/alloc.h"

#include <stdlib.h>
#include <string.h>

/* The treelet that holds the parent of its root. Roots are in the order of nodes, so those that a treelet is in are behind
 * each other before it. */
static void write_parents(const fs_treelet_cut *cut, uint32_t *parent) {
    parent[0] = 0;
    for (uint32_t k = 1; k < cut->treelets; k++) {
        uint32_t in = k - 1;
        while (cut->of[in].end <= cut->of[k].root)
            in = parent[in];
        parent[k] = in;
    }
}

fs_nest fs_nest_of(const fs_walk_scene *walk, const fs_treelet_cut *cut) {
    fs_nest nest = {.walk = *walk,
                    .node = fs_malloc(((size_t)walk->nodes + 1) * sizeof *nest.node),
                    .leaf = fs_malloc(cut->treelets * sizeof *nest.leaf),
                    .parent = fs_malloc(cut->treelets * sizeof *nest.parent)};
    memcpy(nest.node, walk->node, ((size_t)walk->nodes + 1) * sizeof *nest.node);
    for (uint32_t k = 0; k < cut->treelets; k++) {
        fs_walk_node *root = &nest.node[cut->of[k].root];
        nest.leaf[k] = root->leaf;
        if (k > 0)
            root->leaf = FS_NEST_ROOT + k;
    }
    write_parents(cut, nest.parent);
    nest.walk.node = nest.node;
    return nest;
}

void fs_nest_free(fs_nest *nest) {
    free(nest->node);
    free(nest->leaf);
    free(nest->parent);
}
