/* Bytes of subtrees, the rule of bytes, and the cut that comes of any rule. */
#include "workloads/treelets/cut/cut_private.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* B (neural_path_tracing.md 2). */
enum { TRIANGLE = 6, VERTEX = 12, NORMAL = 12, SPHERE = 16, DISC = 28 };

/* ---- bytes ---- */

static void see(cutter *c, uint32_t triangle, fs_treelet *t) {
    const uint32_t *corner = c->scene->triangle[triangle];
    for (int i = 0; i < 3; i++)
        if (c->seen[corner[i]] != c->measures) {
            c->seen[corner[i]] = c->measures;
            t->vertices++;
        }
    t->triangles++;
}

fs_treelet fs_cut_measure(cutter *c, uint32_t node) {
    const fs_mesh_scene *s = c->scene;
    fs_treelet t = {.root = node, .end = c->tree->skip[node]};
    t.bytes = (uint64_t)(t.end - node) * c->tree->node_bytes;
    if (++c->measures == 0) { /* stamps are used up */
        memset(c->seen, 0, s->vertices * sizeof *c->seen);
        c->measures = 1;
    }
    for (uint32_t n = node; n < t.end; n++) {
        const uint32_t p = c->tree->primitive[n];
        if (p < s->triangles)
            see(c, p, &t);
        else if (p != UINT32_MAX)
            t.bytes += p - s->triangles < s->spheres ? SPHERE : DISC;
    }
    const uint64_t vertex = s->normal != NULL ? VERTEX + NORMAL : VERTEX;
    t.bytes += (uint64_t)t.triangles * TRIANGLE + t.vertices * vertex;
    return t;
}

/* ---- the rule of bytes ---- */

static bool fits(cutter *c, uint32_t node, fs_treelet *t) {
    const uint64_t most = c->params->most_bytes;
    if (most > 0 && (uint64_t)(c->tree->skip[node] - node) * c->tree->node_bytes > most)
        return false; /* by its nodes alone */
    *t = fs_cut_measure(c, node);
    return most == 0 || (t->bytes <= most && t->vertices <= FS_TREELET_MOST_VERTICES);
}

static fs_status add(cutter *c, const fs_treelet *t, fs_error *err) {
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
            if (add(c, &t, err))
                return err->status;
            node = t.end;
        } else if (fs_cut_is_leaf(c->tree, node)) {
            return fs_fail(err, FS_INPUT,
                           "treelets: %" PRIu64 " B are less than one primitive with its node, %" PRIu64 " B",
                           c->params->most_bytes, fs_cut_measure(c, node).bytes);
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
                            .top = c->count - 1,
                            .at = FS_NEW(arena, uint16_t, c->tree->nodes)};
    for (uint32_t k = 0; k < c->count; k++)
        out->of[k] = c->of[k];
    memset(out->at, 0xff, c->tree->nodes * sizeof *out->at);
    for (uint32_t k = 0; k < c->count; k++) {
        out->bytes += c->of[k].bytes;
        for (uint32_t n = c->of[k].root; n < c->of[k].end; n++)
            out->at[n] = (uint16_t)k;
    }
    if (c->count > 1)
        out->top_bytes = (uint64_t)(c->tree->node_bytes + 2) * (2 * c->count - 1);
}

fs_status fs_treelet_cut_make(const fs_mesh_scene *scene, const fs_bvh *tree, const fs_treelet_params *params,
                              fs_arena *arena, fs_treelet_cut *out, fs_error *err) {
    cutter c = {.scene = scene,
                .tree = tree,
                .params = params,
                .seen = fs_calloc(scene->vertices + 1, sizeof *c.seen)};
    const fs_status status =
        params->rule == FS_CUT_WORK ? fs_cut_by_work(&c, err) : fs_cut_by_bytes(&c, 0, err);
    if (status == FS_OK)
        finish(&c, arena, out);
    free(c.seen);
    free(c.of);
    return status != FS_OK ? status : fs_treelet_cut_check(out, tree, params, err);
}
