/* What every tree holds to. */
#include "workloads/paths/tree/tree.h"

#include <inttypes.h>
#include <stdlib.h>

static bool holds(const fs_bvh_node *node, const float low[3], const float high[3]) {
    for (int a = 0; a < 3; a++)
        if (low[a] < node->low[a] || high[a] > node->low[a] + node->extent[a])
            return false;
    return true;
}

static fs_status check_leaf(const fs_bvh *tree, const fs_mesh_scene *scene, uint32_t n, uint8_t *seen,
                            fs_error *err) {
    const uint32_t p = tree->primitive[n];
    float low[3], high[3];
    if (p >= fs_mesh_primitives(scene) || seen[p]++ > 0)
        return fs_fail(err, FS_BROKEN, "tree: leaf %" PRIu32 " holds primitive %" PRIu32 " again or none", n,
                       p);
    fs_mesh_bounds_of(scene, p, low, high);
    if (!holds(&tree->node[n], low, high))
        return fs_fail(err, FS_BROKEN, "tree: leaf %" PRIu32 " does not hold primitive %" PRIu32, n, p);
    return FS_OK;
}

/* Least and greatest corners of the leaves below a node, from its children's, which come behind it. */
static fs_status check_boxes(const fs_bvh *tree, const fs_mesh_scene *scene, fs_error *err) {
    float(*low)[3] = fs_malloc(tree->nodes * sizeof *low), (*high)[3] = fs_malloc(tree->nodes * sizeof *high);
    for (uint32_t n = tree->nodes; n-- > 0 && err->status == FS_OK;) {
        const fs_bvh_node *node = &tree->node[n];
        if (node->geometry != FS_TREE_INNER) {
            fs_mesh_bounds_of(scene, tree->primitive[n], low[n], high[n]);
            continue;
        }
        const uint32_t i = n + 1, j = node->link;
        if (j <= i || j >= tree->nodes || tree->skip[i] != j) {
            fs_fail(err, FS_BROKEN, "tree: node %" PRIu32 " has its second child at %" PRIu32, n, j);
            break;
        }
        for (int a = 0; a < 3; a++) {
            low[n][a] = low[i][a] < low[j][a] ? low[i][a] : low[j][a];
            high[n][a] = high[i][a] > high[j][a] ? high[i][a] : high[j][a];
        }
        if (!holds(node, low[n], high[n]))
            fs_fail(err, FS_BROKEN, "tree: node %" PRIu32 " does not hold what is below it", n);
    }
    free(low);
    free(high);
    return err->status;
}

fs_status fs_bvh_check(const fs_bvh *tree, const fs_mesh_scene *scene, fs_error *err) {
    const uint32_t primitives = fs_mesh_primitives(scene);
    if (tree->leaves != primitives || tree->nodes != 2 * primitives - 1)
        return fs_fail(err, FS_BROKEN,
                       "tree: %" PRIu32 " leaves and %" PRIu32 " nodes for %" PRIu32 " primitives",
                       tree->leaves, tree->nodes, primitives);
    uint8_t *seen = fs_calloc(primitives, 1);
    for (uint32_t n = 0; n < tree->nodes && err->status == FS_OK; n++)
        if (tree->node[n].geometry != FS_TREE_INNER)
            check_leaf(tree, scene, n, seen, err);
    free(seen);
    return err->status != FS_OK ? err->status : check_boxes(tree, scene, err);
}
