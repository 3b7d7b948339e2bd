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

/* Numbers are finite: no call for the sake of one that is not. */
static float least(float a, float b) {
    return a < b ? a : b;
}
static float most(float a, float b) {
    return a > b ? a : b;
}

static void extend(box *b, const box *by) {
    for (int a = 0; a < 3; a++) {
        b->low[a] = least(b->low[a], by->low[a]);
        b->high[a] = most(b->high[a], by->high[a]);
    }
}

static void extend_to(box *b, const float point[3]) {
    for (int a = 0; a < 3; a++) {
        b->low[a] = least(b->low[a], point[a]);
        b->high[a] = most(b->high[a], point[a]);
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
    box centres = nothing;
    for (uint32_t i = 0; i < count; i++) {
        const float c[3] = {centre2(&items[i], 0), centre2(&items[i], 1), centre2(&items[i], 2)};
        extend_to(&centres, c);
    }
    for (int a = 0; a < 3; a++) {
        const float reach = centres.high[a] - centres.low[a];
        m.offset[a] = centres.low[a];
        m.scale[a] = reach > 1e-34f ? 0.99f * (float)m.bins / reach : 0;
    }
    return m;
}

static uint32_t bin_of(const mapping *m, const item *i, int axis) {
    const float at = (centre2(i, axis) - m->offset[axis]) * m->scale[axis];
    const uint32_t bin = at > 0 ? (uint32_t)at : 0;
    return bin < m->bins ? bin : m->bins - 1;
}

/* What lies in the bins of the axes. */
typedef struct bins {
    box bounds[3][MOST_BINS];
    uint32_t in[3][MOST_BINS];
} bins;

static void fill_bins(const mapping *m, const item *items, uint32_t count, bins *b) {
    for (int a = 0; a < 3; a++)
        for (uint32_t i = 0; i < m->bins; i++) {
            b->bounds[a][i] = nothing;
            b->in[a][i] = 0;
        }
    for (uint32_t i = 0; i < count; i++)
        for (int a = 0; a < 3; a++) {
            const uint32_t bin = bin_of(m, &items[i], a);
            extend(&b->bounds[a][bin], &items[i].bounds);
            b->in[a][bin]++;
        }
}

/* Cheapest plane of an axis: counts on both sides times their surfaces. */
static void try_axis(const mapping *m, const bins *of, int axis, split *best) {
    const box *bounds = of->bounds[axis];
    const uint32_t *in = of->in[axis];
    box right[MOST_BINS];
    uint32_t on_right[MOST_BINS];
    if (m->scale[axis] == 0)
        return;
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
static uint32_t divide(item *items, item *other, uint32_t count) {
    const mapping m = map_bins(items, count);
    split best = {.cost = INFINITY};
    bins b;
    fill_bins(&m, items, count, &b);
    for (int a = 0; a < 3; a++)
        try_axis(&m, &b, a, &best);
    if (!(best.cost < INFINITY))
        return count / 2;
    uint32_t left = 0, right = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (bin_of(&m, &items[i], best.axis) < best.bin)
            items[left++] = items[i];
        else
            other[right++] = items[i];
    }
    memcpy(items + left, other, right * sizeof *items);
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

/* Items still to be put into the tree. A subtree of n of them has 2 n - 1 nodes, so that its place is known before
 * what is in front of it has been built. */
typedef struct task {
    uint32_t begin, end, node, depth;
} task;

static void write_node(builder *b, task t) {
    fs_bvh *tree = b->tree;
    const uint32_t n = t.node;
    box bounds = nothing;
    for (uint32_t i = t.begin; i < t.end; i++)
        extend(&bounds, &b->items[i].bounds);
    fs_bvh_node *node = &tree->node[n];
    write_box(tree, node, &bounds);
    node->geometry = FS_TREE_INNER;
    tree->primitive[n] = NONE;
    if (t.end - t.begin == 1) {
        const uint32_t p = b->items[t.begin].primitive;
        node->geometry = fs_mesh_geometry_of(b->scene, p);
        node->link = p - first_of(b->scene, p);
        tree->primitive[n] = p;
    }
}

/* The larger half comes first. */
static uint32_t order_halves(builder *b, uint32_t begin, uint32_t middle, uint32_t end) {
    const uint32_t left = middle - begin, right = end - middle;
    if (left >= right)
        return middle;
    memcpy(b->other + begin, b->items + begin, left * sizeof *b->items);
    memmove(b->items + begin, b->items + middle, right * sizeof *b->items);
    memcpy(b->items + begin + right, b->other + begin, left * sizeof *b->items);
    return begin + right;
}

/* Writes a task's node; true: two tasks are left, and it has become the first of them. */
static bool grow_node(builder *b, task *t, task *second) {
    const uint32_t n = t->node, count = t->end - t->begin;
    write_node(b, *t);
    if (count == 1)
        return false;
    const uint32_t middle =
        order_halves(b, t->begin, t->begin + divide(b->items + t->begin, b->other + t->begin, count), t->end);
    *second = (task){middle, t->end, n + 2 * (middle - t->begin), t->depth + 1};
    b->tree->node[n].link = second->node;
    *t = (task){t->begin, middle, n + 1, t->depth + 1};
    return true;
}

/* All of a task, first children first; returns the depth of its deepest leaf. A second child waits for all that is
 * below the first: at most as many as the task has items. */
static uint32_t grow(builder *b, task t) {
    task *stack = fs_malloc((size_t)(t.end - t.begin) * sizeof *stack);
    uint32_t waiting = 0, depth = 0;
    stack[waiting++] = t;
    while (waiting > 0) {
        t = stack[--waiting];
        while (grow_node(b, &t, &stack[waiting]))
            waiting++;
        depth = t.depth > depth ? t.depth : depth;
    }
    free(stack);
    return depth;
}

/* Tasks of more items are divided one after the other, what comes of them over the threads of the process. */
enum { GRAIN = 1 << 16 };

static void grow_all(builder *b, uint32_t count) {
    task *jobs = fs_grow(NULL, 0, sizeof *jobs), second;
    uint32_t job_count = 1, depth = 0;
    jobs[0] = (task){0, count, 0, 1};
    for (uint32_t j = 0; j < job_count; j++)
        while (jobs[j].end - jobs[j].begin > GRAIN && grow_node(b, &jobs[j], &second)) {
            jobs = fs_grow(jobs, job_count, sizeof *jobs);
            jobs[job_count++] = second;
        }
#pragma omp parallel for schedule(dynamic) reduction(max : depth)
    for (uint32_t j = 0; j < job_count; j++) {
        const uint32_t found = grow(b, jobs[j]);
        depth = found > depth ? found : depth;
    }
    b->tree->nodes = 2 * count - 1;
    b->tree->leaves = count;
    b->tree->depth = depth;
    free(jobs);
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
                    .node = FS_NEW(arena, fs_bvh_node, nodes + 1),
                    .primitive = FS_NEW(arena, uint32_t, nodes),
                    .skip = FS_NEW(arena, uint32_t, nodes)};
    builder b = {.items = fs_malloc(count * sizeof *b.items),
                 .other = fs_malloc(count * sizeof *b.other),
                 .tree = out,
                 .scene = scene};
#pragma omp parallel for schedule(static)
    for (uint32_t p = 0; p < count; p++) {
        b.items[p].primitive = p;
        fs_mesh_bounds_of(scene, p, b.items[p].bounds.low, b.items[p].bounds.high);
    }
    grow_all(&b, count);
    write_skips(out);
    free(b.items);
    free(b.other);
    return fs_bvh_check(out, scene, err);
}
