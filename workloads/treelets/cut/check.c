/* What every cut holds to. */
#include "workloads/treelets/cut/cut_private.h"

#include <inttypes.h>

static fs_status check_treelet(const fs_treelet_cut *cut, const fs_bvh *tree, const fs_treelet_params *params,
                               uint32_t k, fs_error *err) {
    const fs_treelet *t = &cut->of[k];
    if (t->root >= tree->nodes || t->end != tree->skip[t->root])
        return fs_fail(err, FS_BROKEN, "treelet %" PRIu32 ": nodes %" PRIu32 " to %" PRIu32 " are no subtree",
                       k, t->root, t->end);
    if (params->most_bytes > 0 && t->bytes > params->most_bytes)
        return fs_fail(err, FS_BROKEN, "treelet %" PRIu32 ": %" PRIu64 " B of at most %" PRIu64, k, t->bytes,
                       params->most_bytes);
    for (uint32_t n = t->root; n < t->end; n++)
        if (cut->at[n] != k)
            return fs_fail(err, FS_BROKEN, "treelet %" PRIu32 " does not hold its node %" PRIu32, k, n);
    return FS_OK;
}

fs_status fs_treelet_cut_check(const fs_treelet_cut *cut, const fs_bvh *tree, const fs_treelet_params *params,
                               fs_error *err) {
    uint32_t node = 0, top = 0;
    for (uint32_t k = 0; k < cut->treelets; k++) {
        for (; node < cut->of[k].root && node < tree->nodes; node++, top++)
            if (cut->at[node] != FS_TREELET_TOP || fs_cut_is_leaf(tree, node))
                return fs_fail(err, FS_BROKEN, "treelets: node %" PRIu32 " is in none", node);
        if (node != cut->of[k].root)
            return fs_fail(err, FS_BROKEN, "treelets: node %" PRIu32 " is in two", cut->of[k].root);
        if (check_treelet(cut, tree, params, k, err))
            return err->status;
        node = cut->of[k].end;
    }
    if (node != tree->nodes || top != cut->top)
        return fs_fail(err, FS_BROKEN,
                       "treelets: %" PRIu32 " inner nodes above %" PRIu32 ", up to node %" PRIu32, top,
                       cut->treelets, node);
    return FS_OK;
}
