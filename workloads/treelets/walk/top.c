/* The top of a cut, made ready for the walk. */
#include "workloads/treelets/walk/walk_private.h"

#include "sim/base/alloc.h"

#include <stdlib.h>

/* The nodes of the top in the tree's order; returns how many. */
static uint32_t list_nodes(uint32_t nodes, const fs_treelet_cut *cut, uint32_t *list) {
    uint32_t count = 0;
    for (uint32_t n = 0; n < nodes;) {
        list[count++] = n;
        n = cut->at[n] == FS_TREELET_TOP ? n + 1 : cut->of[cut->at[n]].end;
    }
    return count;
}

/* Its place in the list. */
static uint32_t place_of(const uint32_t *list, uint32_t count, uint32_t node) {
    uint32_t low = 0, high = count;
    while (low < high) {
        const uint32_t middle = (low + high) / 2;
        if (list[middle] < node)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void write_pair(fs_top *top, const uint32_t *pair_of, uint32_t at) {
    fs_top_pair *pair = &top->pair[pair_of[at]];
    const uint32_t child[2] = {at + 1, top->node[at + 1].skip};
    for (int c = 0; c < 2; c++) {
        const fs_walk_node *node = &top->node[child[c]];
        for (int a = 0; a < 3; a++) {
            pair->box[a][c] = node->low[a];
            pair->box[a][2 + c] = node->high[a];
        }
        pair->child[c] = node->leaf == FS_WALK_NO_LEAF ? pair_of[child[c]] : FS_TOP_TREELET + node->leaf;
    }
}

static uint32_t depth_of(const fs_top *top) {
    uint32_t *level = fs_malloc(top->nodes * sizeof *level), depth = 1;
    level[0] = 1;
    for (uint32_t i = 0; i < top->nodes; i++) {
        depth = level[i] > depth ? level[i] : depth;
        if (top->node[i].leaf == FS_WALK_NO_LEAF)
            level[i + 1] = level[top->node[i + 1].skip] = level[i] + 1;
    }
    free(level);
    return depth;
}

fs_top fs_top_of(const fs_walk_scene *walk, const fs_treelet_cut *cut) {
    const size_t most = 2 * (size_t)cut->treelets;
    uint32_t *list = fs_malloc(most * sizeof *list), *pair_of = fs_calloc(most, sizeof *pair_of), pairs = 0;
    fs_top top = {.nodes = list_nodes(walk->nodes, cut, list),
                  .node = fs_malloc(most * sizeof *top.node),
                  .pair = fs_malloc(cut->treelets * sizeof *top.pair)};
    for (uint32_t i = 0; i < top.nodes; i++) {
        const uint16_t at = cut->at[list[i]];
        top.node[i] = walk->node[list[i]];
        top.node[i].skip = place_of(list, top.nodes, walk->node[list[i]].skip);
        top.node[i].leaf = at == FS_TREELET_TOP ? FS_WALK_NO_LEAF : at;
        pair_of[i] = pairs;
        pairs += at == FS_TREELET_TOP;
    }
    for (uint32_t i = 0; i < top.nodes; i++)
        if (top.node[i].leaf == FS_WALK_NO_LEAF)
            write_pair(&top, pair_of, i);
    top.depth = depth_of(&top);
    free(list);
    free(pair_of);
    return top;
}

void fs_top_free(fs_top *top) {
    free(top->node);
    free(top->pair);
}
