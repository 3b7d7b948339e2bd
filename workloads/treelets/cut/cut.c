/* Bytes of subtrees, the rule of bytes, and the cut that comes of any rule. */
#include "workloads/treelets/cut/cut_private.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* B (neural_path_tracing.md 2). */
enum { TRIANGLE = 6, VERTEX = 12, NORMAL = 12, SPHERE = 16, DISC = 28 };

/* ---- bytes ---- */

void fs_cut_begin_measure(cutter *c) {
    if (++c->measures == 0) { /* stamps are used up */
        memset(c->seen, 0, c->scene->vertices * sizeof *c->seen);
        c->measures = 1;
    }
}

static uint32_t new_vertices(cutter *c, const uint32_t corner[3], bool keep) {
    uint32_t vertices = 0;
    for (int i = 0; i < 3; i++) {
        bool seen = c->seen[corner[i]] == c->measures;
        for (int j = 0; j < i; j++)
            seen |= corner[j] == corner[i];
        vertices += !seen;
    }
    for (int i = 0; i < 3 && keep; i++)
        c->seen[corner[i]] = c->measures;
    return vertices;
}

void fs_cut_add_node(cutter *c, uint32_t node, fs_treelet *to, bool keep) {
    const fs_mesh_scene *s = c->scene;
    const uint32_t p = c->tree->primitive[node];
    to->bytes += c->tree->node_bytes;
    if (p < s->triangles) {
        const uint32_t vertices = new_vertices(c, s->triangle[p], keep);
        to->triangles++;
        to->vertices += vertices;
        to->bytes += TRIANGLE + vertices * (uint64_t)(s->normal != NULL ? VERTEX + NORMAL : VERTEX);
    } else if (p != UINT32_MAX) {
        to->bytes += p - s->triangles < s->spheres ? SPHERE : DISC;
    }
}

/* The whole subtree of a node as a treelet. */
static fs_treelet measure(cutter *c, uint32_t node) {
    fs_treelet t = {.root = node, .end = c->tree->skip[node]};
    fs_cut_begin_measure(c);
    for (uint32_t n = node; n < t.end; n++)
        fs_cut_add_node(c, n, &t, true);
    return t;
}

/* ---- the rule of bytes ---- */

static bool fits(cutter *c, uint32_t node, fs_treelet *t) {
    const uint64_t most = c->params->most_bytes;
    if (most > 0 && (uint64_t)(c->tree->skip[node] - node) * c->tree->node_bytes > most)
        return false; /* by its nodes alone */
    *t = measure(c, node);
    return most == 0 || (t->bytes <= most && t->vertices <= FS_TREELET_MOST_VERTICES);
}

fs_status fs_cut_add(cutter *c, const fs_treelet *t, fs_error *err) {
    if (t->vertices > FS_TREELET_MOST_VERTICES)
        return fs_fail(err, FS_INPUT,
                       "treelets: %" PRIu32 " vertices in one treelet; a triangle's u16 indices reach %d: "
                       "set treelet.bytes",
                       t->vertices, FS_TREELET_MOST_VERTICES);
    if (c->count == FS_TREELETS_MOST)
        return fs_fail(err, FS_INPUT,
                       "treelets: more than %d of at most %" PRIu64
                       " B; set treelet.bytes to at least %" PRIu64,
                       FS_TREELETS_MOST, c->params->most_bytes, 2 * c->params->most_bytes);
    if (c->count == c->room) {
        c->room = c->room == 0 ? 256 : 2 * c->room;
        c->of = fs_realloc(c->of, c->room * sizeof *c->of);
    }
    c->of[c->count++] = *t;
    return FS_OK;
}

fs_status fs_cut_by_bytes(cutter *c, uint32_t node, fs_error *err) {
    const uint32_t end = c->tree->skip[node];
    while (node < end) {
        fs_treelet t;
        if (fits(c, node, &t)) {
            if (fs_cut_add(c, &t, err))
                return err->status;
            node = t.end;
        } else if (fs_cut_is_leaf(c->tree, node)) {
            return fs_fail(err, FS_INPUT,
                           "treelets: %" PRIu64 " B are less than one primitive with its node, %" PRIu64 " B",
                           c->params->most_bytes, measure(c, node).bytes);
        } else {
            node++;
        }
    }
    return FS_OK;
}

/* ---- the cut ---- */

static void finish(const cutter *c, fs_arena *arena, fs_treelet_cut *out) {
    *out = (fs_treelet_cut){.treelets = c->count,
                            .of = FS_NEW(arena, fs_treelet, c->count),
                            .nests = c->params->rule == FS_CUT_AREA && c->count > 1,
                            .at = FS_NEW(arena, uint16_t, c->tree->nodes)};
    for (uint32_t k = 0; k < c->count; k++)
        out->of[k] = c->of[k];
    memset(out->at, 0xff, c->tree->nodes * sizeof *out->at);
    for (uint32_t k = 0; k < c->count; k++) { /* what nests comes behind what it is in */
        out->bytes += c->of[k].bytes;
        for (uint32_t n = c->of[k].root; n < c->of[k].end; n++)
            out->at[n] = (uint16_t)k;
    }
    out->top = out->nests ? 0 : c->count - 1;
    if (out->top > 0)
        out->top_bytes = (uint64_t)(c->tree->node_bytes + 2) * (2 * c->count - 1);
}

fs_status fs_treelet_cut_make(const fs_mesh_scene *scene, const fs_bvh *tree, const fs_treelet_params *params,
                              fs_arena *arena, fs_treelet_cut *out, fs_error *err) {
    cutter c = {.scene = scene,
                .tree = tree,
                .params = params,
                .seen = fs_calloc(scene->vertices + 1, sizeof *c.seen)};
    const fs_status status = params->rule == FS_CUT_AREA   ? fs_cut_by_area(&c, err)
                             : params->rule == FS_CUT_WORK ? fs_cut_by_work(&c, err)
                                                           : fs_cut_by_bytes(&c, 0, err);
    if (status == FS_OK)
        finish(&c, arena, out);
    free(c.seen);
    free(c.of);
    return status != FS_OK ? status : fs_treelet_cut_check(out, tree, params, err);
}

/* ---- what every cut holds to ---- */

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
