/* What every cut holds to. */
#include "workloads/treelets/cut/cut_private.h"

#include <inttypes.h>

static fs_status check_treelet(const fs_treelet_cut *cut, const fs_bvh *tree, const fs_treelet_params *params,
                               uint32_t k, fs_error *err) {
    const fs_treelet *t = &cut->of[k];
    if (t->root >= tree->nodes || t->end != tree->skip[t->root] || cut->at[t->root] != k)
        return fs_fail(err, FS_BROKEN,
                       "treelet %" PRIu32 ": nodes %" PRIu32 " to %" PRIu32 " are no subtree of its own", k,
                       t->root, t->end);
    if (params->most_bytes > 0 && t->bytes > params->most_bytes)
        return fs_fail(err, FS_BROKEN, "treelet %" PRIu32 ": %" PRIu64 " B of at most %" PRIu64, k, t->bytes,
                       params->most_bytes);
    return FS_OK;
}

/* A child is where its parent is, or the root of a treelet; leaves are in one. */
static bool is_in_place(const fs_treelet_cut *cut, const fs_bvh *tree, uint32_t parent, uint32_t child) {
    const uint16_t at = cut->at[child];
    if (at == FS_TREELET_TOP)
        return cut->at[parent] == FS_TREELET_TOP && !fs_cut_is_leaf(tree, child);
    return at < cut->treelets && (cut->of[at].root == child ? cut->nests || cut->at[parent] == FS_TREELET_TOP
                                                            : cut->at[parent] == at);
}

fs_status fs_treelet_cut_check(const fs_treelet_cut *cut, const fs_bvh *tree, const fs_treelet_params *params,
                               fs_error *err) {
    uint32_t top = 0;
    for (uint32_t k = 0; k < cut->treelets; k++)
        if (check_treelet(cut, tree, params, k, err))
            return err->status;
    if (cut->at[0] != (cut->nests || cut->treelets == 1 ? 0 : FS_TREELET_TOP))
        return fs_fail(err, FS_BROKEN, "treelets: the root is in none, or in one of many");
    for (uint32_t n = 0; n < tree->nodes; n++) {
        top += cut->at[n] == FS_TREELET_TOP;
        for (uint32_t c = 0; c < 2 && !fs_cut_is_leaf(tree, n); c++)
            if (!is_in_place(cut, tree, n, c == 0 ? n + 1 : tree->node[n].link))
                return fs_fail(err, FS_BROKEN,
                               "treelets: children of node %" PRIu32 " are in none, or in another", n);
    }
    if (top != cut->top)
        return fs_fail(err, FS_BROKEN, "treelets: %" PRIu32 " nodes above them, counted %" PRIu32, cut->top,
                       top);
    return FS_OK;
}
