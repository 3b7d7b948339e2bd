/* The rule of work: a ray that meets a box meets a box within it in proportion to their surfaces, so the sum of the
 * surfaces of a subtree is what it is expected to cost. */
#include "workloads/treelets/cut/cut_private.h"

#include <stdlib.h>

/* Subtrees by their work, the greatest on top; of equals the one that is first in the tree. */
typedef struct heap {
    const double *work; /* [nodes] */
    uint32_t *node;     /* [count] */
    uint32_t count;
} heap;

static bool before(const heap *h, uint32_t a, uint32_t b) {
    return h->work[a] > h->work[b] || (h->work[a] == h->work[b] && a < b);
}

static void push(heap *h, uint32_t node) {
    uint32_t at = h->count++;
    while (at > 0 && before(h, node, h->node[(at - 1) / 2])) {
        h->node[at] = h->node[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    h->node[at] = node;
}

static uint32_t pop(heap *h) {
    const uint32_t top = h->node[0], last = h->node[--h->count];
    uint32_t at = 0;
    for (uint32_t child = 1; child < h->count; child = 2 * at + 1) {
        if (child + 1 < h->count && before(h, h->node[child + 1], h->node[child]))
            child++;
        if (!before(h, h->node[child], last))
            break;
        h->node[at] = h->node[child];
        at = child;
    }
    h->node[at] = last;
    return top;
}

static double half_surface(const fs_bvh_node *node) {
    const double x = (double)node->extent[0], y = (double)node->extent[1], z = (double)node->extent[2];
    return x * (y + z) + y * z;
}

/* Of every subtree; children come behind their parent. */
static double *sum_work(const fs_bvh *tree) {
    double *work = fs_malloc(tree->nodes * sizeof *work);
    for (uint32_t n = tree->nodes; n-- > 0;) {
        work[n] = half_surface(&tree->node[n]);
        if (!fs_cut_is_leaf(tree, n))
            work[n] += work[n + 1] + work[tree->node[n].link];
    }
    return work;
}

static int by_position(const void *a, const void *b) {
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

fs_status fs_cut_by_work(cutter *c, fs_error *err) {
    const fs_bvh *tree = c->tree;
    const uint32_t asked = c->params->count > 0 ? c->params->count : 1,
                   count = asked < tree->leaves ? asked : tree->leaves;
    double *work = sum_work(tree);
    heap h = {.work = work, .node = fs_malloc((count + 1) * sizeof *h.node)};
    uint32_t *leaf = fs_malloc(count * sizeof *leaf), leaves = 0;
    for (push(&h, 0); h.count > 0 && h.count + leaves < count;) {
        const uint32_t n = pop(&h);
        if (fs_cut_is_leaf(tree, n)) {
            leaf[leaves++] = n;
        } else {
            push(&h, n + 1);
            push(&h, tree->node[n].link);
        }
    }
    while (leaves > 0)
        h.node[h.count++] = leaf[--leaves];
    qsort(h.node, h.count, sizeof *h.node, by_position);
    fs_status status = FS_OK;
    for (uint32_t i = 0; i < h.count && status == FS_OK; i++)
        status = fs_cut_by_bytes(c, h.node[i], err);
    free(work);
    free(leaf);
    free(h.node);
    return status;
}
