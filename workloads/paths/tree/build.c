/* Building a tree: binned surface area heuristic, as Embree 3 builds what the public program hands to it
 * (RenderKit/embree, heuristic_binning.h and bvh_builder_sah.h: IRL). */
#include "workloads/paths/tree/tree.h"

#include "sim/base/fp16.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BINS = 32 };
#define NONE UINT32_MAX

typedef struct box {
    float low[3], high[3];
} box;

typedef struct item {
    box bounds;
    uint32_t primitive;
} item;

/* Bins of one set of items: of the sums of their corners, which are twice their centres. */
typedef struct mapping {
    uint32_t bins;
    float offset[3], scale[3];
} mapping;

typedef struct split {
    float cost; /* infinite: no plane has something on both sides */
    int axis;
    uint32_t bin; /* items of lower bins go left */
} split;

typedef struct builder {
    item *items, *other; /* [count] */
    fs_bvh *tree;
    const fs_mesh_scene *scene;
} builder;

static const box nothing = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};

static void extend(box *b, const box *by) {
    for (int a = 0; a < 3; a++) {
        b->low[a] = fminf(b->low[a], by->low[a]);
        b->high[a] = fmaxf(b->high[a], by->high[a]);
    }
}

/* Half of its surface. */
static float area(const box *b) {
    const float x = b->high[0] - b->low[0], y = b->high[1] - b->low[1], z = b->high[2] - b->low[2];
    return x * (y + z) + y * z;
}

static float centre2(const item *i, int axis) {
    return i->bounds.low[axis] + i->bounds.high[axis];
}

/* ---- bins ---- */

static mapping map_bins(const item *items, uint32_t count) {
    const uint32_t wanted = (uint32_t)(4.0f + 0.05f * (float)count);
    mapping m = {.bins = wanted < MOST_BINS ? wanted : MOST_BINS};
    for (int a = 0; a < 3; a++) {
        float low = INFINITY, high = -INFINITY;
        for (uint32_t i = 0; i < count; i++) {
            low = fminf(low, centre2(&items[i], a));
            high = fmaxf(high, centre2(&items[i], a));
        }
        const float reach = high - low;
        m.offset[a] = low;
        m.scale[a] = reach > 1e-34f ? 0.99f * (float)m.bins / reach : 0;
    }
    return m;
}

static uint32_t bin_of(const mapping *m, const item *i, int axis) {
    const float at = (centre2(i, axis) - m->offset[axis]) * m->scale[axis];
    const uint32_t bin = at > 0 ? (uint32_t)at : 0;
    return bin < m->bins ? bin : m->bins - 1;
}

/* Cheapest plane of an axis: counts on both sides times their surfaces. */
static void try_axis(const mapping *m, const item *items, uint32_t count, int axis, split *best) {
    box bounds[MOST_BINS], right[MOST_BINS];
    uint32_t in[MOST_BINS] = {0}, on_right[MOST_BINS];
    if (m->scale[axis] == 0)
        return;
    for (uint32_t b = 0; b < m->bins; b++)
        bounds[b] = nothing;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t b = bin_of(m, &items[i], axis);
        extend(&bounds[b], &items[i].bounds);
        in[b]++;
    }
    box so_far = nothing;
    uint32_t sum = 0;
    for (uint32_t b = m->bins; b-- > 1;) {
        extend(&so_far, &bounds[b]);
        sum += in[b];
        right[b] = so_far;
        on_right[b] = sum;
    }
    so_far = nothing;
    sum = 0;
    for (uint32_t b = 1; b < m->bins; b++) {
        extend(&so_far, &bounds[b - 1]);
        sum += in[b - 1];
        if (sum == 0 || on_right[b] == 0)
            continue;
        const float cost = area(&so_far) * (float)sum + area(&right[b]) * (float)on_right[b];
        if (cost < best->cost)
            *best = (split){.cost = cost, .axis = axis, .bin = b};
    }
}

/* Puts items of the left side in front, both sides in their order; returns how many. Where no plane divides
 * them, the first half. */
static uint32_t divide(builder *b, item *items, uint32_t count) {
    const mapping m = map_bins(items, count);
    split best = {.cost = INFINITY};
    for (int a = 0; a < 3; a++)
        try_axis(&m, items, count, a, &best);
    if (!(best.cost < INFINITY))
        return count / 2;
    uint32_t left = 0, right = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (bin_of(&m, &items[i], best.axis) < best.bin)
            items[left++] = items[i];
        else
            b->other[right++] = items[i];
    }
    memcpy(items + left, b->other, right * sizeof *items);
    return left;
}

/* ---- nodes ---- */

uint16_t fs_bvh_half_not_below(float extent) {
    uint16_t half = fs_f16_from_f32(extent);
    if (fs_f32_from_f16(half) < extent)
        half++;
    return half;
}

/* What is stored for an extent, so that low + stored, worked out in f32, is not below high. */
static float stored_extent(const fs_bvh *tree, float low, float high) {
    const float extent = high - low;
    if (tree->node_bytes == FS_TREE_NODE_FULL)
        return low + extent < high ? nextafterf(extent, INFINITY) : extent;
    uint16_t half = fs_bvh_half_not_below(extent);
    while (low + fs_f32_from_f16(half) < high && fs_f32_from_f16(half) < FS_F16_MAX)
        half++;
    return fs_f32_from_f16(half);
}

static void write_box(const fs_bvh *tree, fs_bvh_node *node, const box *bounds) {
    for (int a = 0; a < 3; a++) {
        node->low[a] = bounds->low[a];
        node->extent[a] = stored_extent(tree, bounds->low[a], bounds->high[a]);
    }
}

static uint32_t first_of(const fs_mesh_scene *s, uint32_t primitive) {
    return primitive < s->triangles ? s->mesh[s->mesh_of[primitive]].first_triangle : primitive;
}

/* Items still to be put into the tree; second: of a second child, whose parent waits for its number. */
typedef struct task {
    uint32_t begin, end, parent, depth;
} task;

static void add_node(builder *b, task t) {
    fs_bvh *tree = b->tree;
    const uint32_t n = tree->nodes++;
    box bounds = nothing;
    for (uint32_t i = t.begin; i < t.end; i++)
        extend(&bounds, &b->items[i].bounds);
    fs_bvh_node *node = &tree->node[n];
    write_box(tree, node, &bounds);
    if (t.parent != NONE)
        tree->node[t.parent].link = n;
    tree->depth = t.depth > tree->depth ? t.depth : tree->depth;
    node->geometry = FS_TREE_INNER;
    tree->primitive[n] = NONE;
    if (t.end - t.begin == 1) {
        const uint32_t p = b->items[t.begin].primitive;
        node->geometry = fs_mesh_geometry_of(b->scene, p);
        node->link = p - first_of(b->scene, p);
        tree->primitive[n] = p;
        tree->leaves++;
    }
}

/* The larger half comes first. */
static uint32_t order_halves(builder *b, uint32_t begin, uint32_t middle, uint32_t end) {
    const uint32_t left = middle - begin, right = end - middle;
    if (left >= right)
        return middle;
    memcpy(b->other, b->items + begin, left * sizeof *b->items);
    memmove(b->items + begin, b->items + middle, right * sizeof *b->items);
    memcpy(b->items + begin + right, b->other, left * sizeof *b->items);
    return begin + right;
}

/* Depth first, first children first. A task waits for every second child on the way: as many as the tree is
 * deep, which is at most the number of its primitives. */
static void grow(builder *b, uint32_t count) {
    task *stack = fs_malloc((count + 1) * sizeof *stack);
    uint32_t waiting = 0;
    stack[waiting++] = (task){0, count, NONE, 1};
    while (waiting > 0) {
        const task t = stack[--waiting];
        const uint32_t n = b->tree->nodes;
        add_node(b, t);
        if (t.end - t.begin == 1)
            continue;
        uint32_t middle = t.begin + divide(b, b->items + t.begin, t.end - t.begin);
        middle = order_halves(b, t.begin, middle, t.end);
        stack[waiting++] = (task){middle, t.end, n, t.depth + 1};
        stack[waiting++] = (task){t.begin, middle, NONE, t.depth + 1};
    }
    free(stack);
}

/* Where a walk goes on behind a subtree: a second child's is its parent's, a first child's the second. */
static void write_skips(fs_bvh *tree) {
    tree->skip[0] = tree->nodes;
    for (uint32_t n = 0; n < tree->nodes; n++)
        if (tree->node[n].geometry == FS_TREE_INNER) {
            tree->skip[n + 1] = tree->node[n].link;
            tree->skip[tree->node[n].link] = tree->skip[n];
        }
}

static fs_status check_limits(const fs_mesh_scene *s, uint32_t node_bytes, fs_error *err) {
    if (fs_mesh_primitives(s) == 0)
        return fs_fail(err, FS_INPUT, "tree: no primitives; a tree has at least one");
    if (fs_mesh_geometries(s) >= FS_TREE_INNER)
        return fs_fail(err, FS_INPUT, "tree: %" PRIu32 " geometries; a node's u16 holds at most 65534",
                       fs_mesh_geometries(s));
    for (int a = 0; a < 3; a++)
        if (node_bytes == FS_TREE_NODE_HALF && !(s->high[a] - s->low[a] <= FS_F16_MAX))
            return fs_fail(err, FS_INPUT,
                           "tree: the scene reaches over %g along %c; an f16 extent holds at most 65504: "
                           "scale the scene or take nodes of 32 B",
                           (double)(s->high[a] - s->low[a]), "xyz"[a]);
    return FS_OK;
}

fs_status fs_bvh_build(const fs_mesh_scene *scene, uint32_t node_bytes, fs_arena *arena, fs_bvh *out,
                       fs_error *err) {
    if (check_limits(scene, node_bytes, err))
        return err->status;
    const uint32_t count = fs_mesh_primitives(scene);
    const size_t nodes = 2 * (size_t)count - 1;
    *out = (fs_bvh){.node_bytes = node_bytes,
                    .node = FS_NEW(arena, fs_bvh_node, nodes),
                    .primitive = FS_NEW(arena, uint32_t, nodes),
                    .skip = FS_NEW(arena, uint32_t, nodes)};
    builder b = {.items = fs_malloc(count * sizeof *b.items),
                 .other = fs_malloc(count * sizeof *b.other),
                 .tree = out,
                 .scene = scene};
    for (uint32_t p = 0; p < count; p++) {
        b.items[p].primitive = p;
        fs_mesh_bounds_of(scene, p, b.items[p].bounds.low, b.items[p].bounds.high);
    }
    grow(&b, count);
    write_skips(out);
    free(b.items);
    free(b.other);
    return fs_bvh_check(out, scene, err);
}
