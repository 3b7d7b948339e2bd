/* The rule of work: a ray that meets a box meets a box within it in proportion to their surfaces, so the sum of the
 * surfaces of a subtree is what it is expected to cost. */
#include "workloads/treelets/cut/cut_private.h"
#include "workloads/treelets/cut/heap.h"

#include <stdlib.h>

/* Of every subtree; children come behind their parent. */
static double *sum_work(const fs_bvh *tree) {
    double *work = fs_malloc(tree->nodes * sizeof *work);
    for (uint32_t n = tree->nodes; n-- > 0;) {
        work[n] = fs_cut_half_surface(tree, n);
        if (!fs_cut_is_leaf(tree, n))
            work[n] += work[n + 1] + work[tree->node[n].link];
    }
    return work;
}

fs_status fs_cut_by_work(cutter *c, fs_error *err) {
    const fs_bvh *tree = c->tree;
    const uint32_t asked = c->params->count > 0 ? c->params->count : 1,
                   count = asked < tree->leaves ? asked : tree->leaves;
    double *work = sum_work(tree);
    fs_cut_heap h = {.count = 0};
    uint32_t *root = fs_malloc((count + 1) * sizeof *root), roots = 0;
    for (fs_cut_push(&h, work[0], 0); h.count > 0 && h.count + roots < count;) {
        const uint32_t n = fs_cut_pop(&h).node, second = tree->node[n].link;
        if (fs_cut_is_leaf(tree, n)) {
            root[roots++] = n;
        } else {
            fs_cut_push(&h, work[n + 1], n + 1);
            fs_cut_push(&h, work[second], second);
        }
    }
    while (h.count > 0)
        root[roots++] = fs_cut_pop(&h).node;
    qsort(root, roots, sizeof *root, fs_by_u32);
    fs_status status = FS_OK;
    for (uint32_t i = 0; i < roots && status == FS_OK; i++)
        status = fs_cut_by_bytes(c, root[i], err);
    free(work);
    free(root);
    free(h.entry);
    return status;
}
