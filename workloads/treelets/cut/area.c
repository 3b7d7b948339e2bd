/* The rule of area: treelets that nest. From a root a treelet grows by the node at its edge that has the greatest
 * surface for its bytes; each treelet costs what meets its root, its half surface, and as much again for the trip (eps);
 * where to stop growing is the stop of least cost, with the best of what is below, from the leaves up (Aila and Karras,
 * Architecture Considerations for Tracing Incoherent Rays, HPG 2010; scores as R2E2's, Fouladi and others, 2022). What
 * fits as a whole is not cut. */
#include "workloads/treelets/cut/cut_private.h"
#include "workloads/treelets/cut/heap.h"

#include <inttypes.h>
#include <stdlib.h>

enum { SHARE = 10 }; /* eps = root's surface x bytes of a treelet / (SHARE x bytes of all): R2E2's */

typedef struct plan {
    cutter *c;
    double eps;
    uint32_t *tall;  /* [nodes] 1 + place among nodes whose subtree does not fit; 0: it fits */
    double *best;    /* [talls] least cost of all below a node, with it as a root */
    uint32_t *steps; /* [talls] nodes added until there */
    uint32_t talls;
} plan;

/* A treelet that grows. */
typedef struct growth {
    const plan *plan;
    fs_treelet treelet;
    fs_cut_heap small, large,
        bytes;        /* of the edge, by: surface a byte; surface; bytes (to find small ones that are large
                                        by now: larger than the room left) */
    uint8_t *at_edge; /* [nodes] 1: in small and bytes, 2: in large */
    double below;     /* best costs of the edge, summed */
} growth;

static double best_of(const plan *p, uint32_t node) {
    return p->tall[node] > 0 ? p->best[p->tall[node] - 1] : fs_cut_half_surface(p->c->tree, node) + p->eps;
}

/* Bytes of a subtree, about. */
static double bytes_below(const fs_bvh *tree, uint32_t node) {
    const double leaves = (double)fs_cut_leaves(tree, node);
    return (2 * leaves - 1) * (double)tree->node_bytes + 12 * leaves;
}

static uint64_t room_of(const growth *g) {
    return g->plan->c->params->most_bytes - g->treelet.bytes;
}

static void put_at_edge(growth *g, uint32_t node) {
    const fs_bvh *tree = g->plan->c->tree;
    const double bytes = bytes_below(tree, node);
    fs_cut_push(&g->small, fs_cut_half_surface(tree, node) / bytes, node);
    fs_cut_push(&g->bytes, bytes, node);
    g->at_edge[node] = 1;
    g->below += best_of(g->plan, node);
    g->treelet.bytes += tree->node_bytes + 2;
}

static void open_node(growth *g, uint32_t node) {
    put_at_edge(g, node + 1);
    put_at_edge(g, g->plan->c->tree->node[node].link);
}

/* The node at the edge with the greatest score; UINT32_MAX: there is none. It stays there. */
static uint32_t greatest(growth *g) {
    const double room = (double)room_of(g);
    while (g->bytes.count > 0 && (g->at_edge[g->bytes.entry[0].node] != 1 || g->bytes.entry[0].key > room)) {
        const uint32_t node = fs_cut_pop(&g->bytes).node;
        if (g->at_edge[node] != 1)
            continue;
        g->at_edge[node] = 2;
        fs_cut_push(&g->large, fs_cut_half_surface(g->plan->c->tree, node), node);
    }
    while (g->small.count > 0 && g->at_edge[g->small.entry[0].node] != 1)
        fs_cut_pop(&g->small);
    while (g->large.count > 0 && g->at_edge[g->large.entry[0].node] != 2)
        fs_cut_pop(&g->large);
    if (g->small.count == 0)
        return g->large.count == 0 ? UINT32_MAX : g->large.entry[0].node;
    const bool is_large = g->large.count > 0 && g->large.entry[0].key > g->small.entry[0].key * room;
    return is_large ? g->large.entry[0].node : g->small.entry[0].node;
}

/* Adds the node of the edge that is due. False: none fits. */
static bool add_one(growth *g) {
    cutter *c = g->plan->c;
    const uint32_t node = greatest(g), entry = c->tree->node_bytes + 2;
    if (node == UINT32_MAX)
        return false;
    fs_treelet with = g->treelet;
    with.bytes -= entry; /* it was there as a root of another */
    fs_cut_add_node(c, node, &with, false);
    const bool inner = !fs_cut_is_leaf(c->tree, node);
    if (with.bytes + (inner ? 2 * entry : 0) > c->params->most_bytes ||
        with.vertices > FS_TREELET_MOST_VERTICES)
        return false;
    fs_cut_add_node(c, node, &g->treelet, true);
    g->treelet.bytes -= entry;
    g->at_edge[node] = 0;
    g->below -= best_of(g->plan, node);
    if (inner)
        open_node(g, node);
    return true;
}

static void begin(growth *g, uint32_t root) {
    cutter *c = g->plan->c;
    g->treelet = (fs_treelet){.root = root, .end = c->tree->skip[root]};
    g->below = 0;
    fs_cut_begin_measure(c);
    fs_cut_add_node(c, root, &g->treelet, true);
    open_node(g, root);
}

/* Forgets the edge, and lists it where that is wanted. */
static uint32_t end(growth *g, uint32_t *edge) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < g->small.count + g->large.count; i++) {
        const uint32_t node =
            i < g->small.count ? g->small.entry[i].node : g->large.entry[i - g->small.count].node;
        if (g->at_edge[node] != 0 && edge != NULL)
            edge[count++] = node;
        g->at_edge[node] = 0;
    }
    g->small.count = g->large.count = g->bytes.count = 0;
    return count;
}

static void plan_root(plan *p, growth *g, uint32_t root) {
    const uint32_t at = p->tall[root] - 1;
    const double own = fs_cut_half_surface(p->c->tree, root) + p->eps;
    begin(g, root);
    p->best[at] = own + g->below;
    p->steps[at] = 0;
    for (uint32_t steps = 1; add_one(g); steps++)
        if (own + g->below < p->best[at]) {
            p->best[at] = own + g->below;
            p->steps[at] = steps;
        }
    end(g, NULL);
}

/* Nodes that do not fit, from the last, so that what is below is known. */
static void plan_all(plan *p, growth *g) {
    for (uint32_t n = p->c->tree->nodes; n-- > 0;)
        if (p->tall[n] > 0)
            plan_root(p, g, n);
}

/* Treelets from the root down as planned. */
static fs_status cut_all(const plan *p, growth *g, fs_error *err) {
    uint32_t *root = fs_malloc((size_t)p->c->tree->nodes * sizeof *root), roots = 0;
    root[roots++] = 0;
    while (roots > 0 && err->status == FS_OK) {
        const uint32_t n = root[--roots];
        if (p->tall[n] == 0) {
            fs_cut_by_bytes(p->c, n, err);
            continue;
        }
        begin(g, n);
        for (uint32_t s = 0; s < p->steps[p->tall[n] - 1]; s++)
            add_one(g);
        roots += end(g, root + roots);
        fs_cut_add(p->c, &g->treelet, err);
    }
    free(root);
    return err->status;
}

fs_status fs_cut_by_area(cutter *c, fs_error *err) {
    const fs_bvh *tree = c->tree;
    if (fs_cut_by_bytes(c, 0, err)) /* what fits, and that something does */
        return err->status;
    if (c->count == 1)
        return FS_OK;
    if (c->params->most_bytes < 3 * tree->node_bytes + 4)
        return fs_fail(err, FS_INPUT,
                       "treelets: %" PRIu64 " B are less than a node with the boxes of two treelets, %u B",
                       c->params->most_bytes, 3 * tree->node_bytes + 4);
    plan p = {.c = c, .talls = c->count - 1, .tall = fs_calloc(tree->nodes, sizeof *p.tall)};
    uint64_t bytes = 0;
    for (uint32_t k = 0, n = 0, talls = 0; k < c->count; n = c->of[k++].end) {
        bytes += c->of[k].bytes;
        for (; n < c->of[k].root; n++)
            p.tall[n] = ++talls;
    }
    p.eps = fs_cut_half_surface(tree, 0) * (double)c->params->most_bytes / (SHARE * (double)bytes);
    p.best = fs_malloc(p.talls * sizeof *p.best);
    p.steps = fs_malloc(p.talls * sizeof *p.steps);
    growth g = {.plan = &p, .at_edge = fs_calloc(tree->nodes, 1)};
    c->count = 0;
    plan_all(&p, &g);
    if (cut_all(&p, &g, err) == FS_OK)
        qsort(c->of, c->count, sizeof *c->of, fs_by_u32); /* by root */
    free(p.tall);
    free(p.best);
    free(p.steps);
    free(g.at_edge);
    free(g.small.entry);
    free(g.large.entry);
    free(g.bytes.entry);
    return err->status;
}
