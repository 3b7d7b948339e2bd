/* The whole way from triangles to nodes: a builder, then levels left out. */
#include "workloads/hierarchy/tree/private.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

enum { AXES = 3, SIDES = 6 };

const char *const fs_hierarchy_kinds[] = {"sah", "median", "kd", NULL};

typedef struct layer {
    const fs_hierarchy_job *job;
    const fs_binary *binary;
    uint32_t width, levels; /* levels of the binary tree that a node takes: 2^levels = width */
    fs_hierarchy *out;
    float *box;
    uint32_t *child;
    uint32_t *triangle;
    float *edge[FS_EDGE_ROWS];
    float (*cell)[SIDES]; /* NULL: boxes, not cells */
} layer;

/* The children of a node: what lies `levels` below, and leaves above that. Returns how many. */
static uint32_t children(const layer *l, uint32_t binary, uint32_t levels, uint32_t *list, uint32_t count) {
    const fs_binary_node *node = &l->binary->node[binary];
    if (levels == 0 || node->count > 0 || node->child[0] == node->child[1]) {
        list[count] = binary;
        return count + 1;
    }
    count = children(l, node->child[0], levels - 1, list, count);
    return children(l, node->child[1], levels - 1, list, count);
}

/* A leaf of a kd-tree may be empty: neither triangles nor children. */
static bool is_leaf(const fs_binary_node *node) {
    return node->count > 0 || node->child[0] == node->child[1];
}

/* ---- laying ---- */

static void lay_triangle(layer *l, uint32_t triangle) {
    const uint32_t slot = l->out->slots++;
    const float(*v)[AXES] = l->job->corner[triangle];
    l->triangle[slot] = triangle;
    for (int a = 0; a < AXES; a++) {
        l->edge[FS_EDGE_CORNER + a][slot] = v[0][a];
        l->edge[FS_EDGE_FIRST + a][slot] = v[1][a] - v[0][a];
        l->edge[FS_EDGE_SECOND + a][slot] = v[2][a] - v[0][a];
    }
}

/* Slots of a leaf: whole groups. */
static uint32_t slots_of(const layer *l, const fs_binary_node *leaf) {
    const uint32_t group = l->job->shape->group;
    return (leaf->count + group - 1) / group * group;
}

static uint32_t lay_leaf(layer *l, const fs_binary_node *leaf) {
    const uint32_t first = l->out->slots;
    for (uint32_t i = 0; i < leaf->count; i++)
        lay_triangle(l, l->binary->order[leaf->first + i]);
    if (l->cell != NULL)
        for (int a = 0; a < AXES; a++) {
            l->cell[first][a] = leaf->bounds.low[a];
            l->cell[first][AXES + a] = leaf->bounds.high[a];
        }
    for (uint32_t left = slots_of(l, leaf) - leaf->count; left > 0; left--)
        l->triangle[l->out->slots++] = UINT32_MAX; /* edges of no length: hit by nothing */
    l->out->leaves++;
    return fs_encoded_leaf(first, leaf->count);
}

/* Nodes and slots that laying will take, and the depth. */
static void count_room(layer *l, uint32_t binary, uint32_t depth, uint64_t *slots) {
    uint32_t list[FS_HIERARCHY_WIDTH];
    const uint32_t most = children(l, binary, l->levels, list, 0);
    l->out->nodes++;
    l->out->depth = depth > l->out->depth ? depth : l->out->depth;
    for (uint32_t i = 0; i < most; i++)
        if (is_leaf(&l->binary->node[list[i]]))
            *slots += slots_of(l, &l->binary->node[list[i]]);
        else
            count_room(l, list[i], depth + 1, slots);
}

static void lay_node(layer *l, uint32_t binary) {
    uint32_t list[FS_HIERARCHY_WIDTH];
    const uint32_t count = children(l, binary, l->levels, list, 0), id = l->out->nodes++;
    float *box = l->box + (size_t)id * SIDES * l->width;
    for (uint32_t i = 0; i < l->width; i++) {
        uint32_t *reference = &l->child[(size_t)id * l->width + i];
        const fs_binary_node *node = i < count ? &l->binary->node[list[i]] : NULL;
        const bool empty = node == NULL || (is_leaf(node) && node->count == 0);
        for (int a = 0; a < AXES; a++) {
            box[(uint32_t)a * l->width + i] = empty ? INFINITY : node->bounds.low[a];
            box[(uint32_t)(AXES + a) * l->width + i] = empty ? -INFINITY : node->bounds.high[a];
        }
        *reference = FS_REFERENCE_EMPTY;
        if (empty)
            continue;
        if (is_leaf(node)) {
            *reference = lay_leaf(l, node);
        } else {
            *reference = fs_encoded_node(l->out->nodes);
            lay_node(l, list[i]);
        }
    }
}

static void take_room(layer *l, uint32_t slots, fs_arena *arena) {
    fs_hierarchy *out = l->out;
    l->box = FS_NEW(arena, float, (size_t)out->nodes *SIDES * l->width + FS_HIERARCHY_PADS);
    l->child = FS_NEW(arena, uint32_t, (size_t)out->nodes * l->width);
    l->triangle = FS_NEW(arena, uint32_t, slots);
    for (int row = 0; row < FS_EDGE_ROWS; row++)
        out->edge[row] = l->edge[row] = FS_NEW(arena, float, (size_t)slots + FS_HIERARCHY_PADS);
    if (l->job->shape->kind == FS_HIERARCHY_KD)
        l->cell = fs_arena_alloc(arena, slots, sizeof *l->cell);
    out->box = l->box;
    out->child = l->child;
    out->triangle = l->triangle;
    out->cell = (const float(*)[SIDES])l->cell;
}

/* The n-ary tree of a binary one. FS_INPUT: more slots than FS_REFERENCE_SLOTS. */
static fs_status collapse(const fs_hierarchy_job *job, const fs_binary *binary, fs_arena *arena,
                          fs_hierarchy *out, fs_error *err) {
    layer l = {.job = job, .binary = binary, .width = job->shape->width, .out = out};
    uint64_t slots = 0;
    while ((uint32_t)1 << l.levels < l.width)
        l.levels++;
    *out = (fs_hierarchy){.width = l.width};
    count_room(&l, 0, 1, &slots);
    if (slots > FS_REFERENCE_SLOTS)
        return fs_fail(
            err, FS_INPUT,
            "%s: expected at most %u primitives, as a reference has 27 bits for the first of a leaf; "
            "found %" PRIu64,
            job->where, FS_REFERENCE_SLOTS, slots);
    take_room(&l, (uint32_t)slots, arena);
    for (int a = 0; a < AXES; a++) {
        out->low[a] = binary->node[0].bounds.low[a];
        out->high[a] = binary->node[0].bounds.high[a];
    }
    out->nodes = 0;
    lay_node(&l, 0);
    return FS_OK;
}

/* ---- the way ---- */

static fs_bounds *bounds_of(const fs_corners *corner, uint32_t count) {
    fs_bounds *bounds = fs_malloc(count * sizeof *bounds);
    for (uint32_t i = 0; i < count; i++) {
        bounds[i] = fs_bounds_none();
        for (int k = 0; k < 3; k++) {
            fs_bounds one;
            for (int a = 0; a < AXES; a++)
                one.low[a] = one.high[a] = corner[i][k][a];
            fs_bounds_add(&bounds[i], &one);
        }
    }
    return bounds;
}

fs_status fs_hierarchy_build(const fs_corners *corner, uint32_t count, const fs_hierarchy_shape *shape,
                             const char *where, fs_arena *arena, fs_hierarchy *out, fs_error *err) {
    FS_ASSERT(count > 0 && shape->leaf > 0 && shape->leaf <= FS_REFERENCE_LEAF,
              "a tree of %u triangles, %u a leaf", count, shape->leaf);
    if (count > FS_REFERENCE_SLOTS)
        return fs_fail(
            err, FS_INPUT,
            "%s: expected at most %u triangles, as a reference has 27 bits for the first of a leaf; "
            "found %u",
            where, FS_REFERENCE_SLOTS, count);
    fs_bounds *bounds = bounds_of(corner, count);
    const fs_hierarchy_job job = {
        .corner = corner, .bounds = bounds, .count = count, .shape = shape, .where = where};
    fs_binary binary;
    fs_status status = FS_OK;
    if (shape->kind == FS_HIERARCHY_KD)
        status = fs_binary_kd(&job, &binary, err);
    else
        fs_binary_objects(&job, shape->kind == FS_HIERARCHY_SAH, &binary);
    if (status == FS_OK)
        status = collapse(&job, &binary, arena, out, err);
    free(binary.node);
    free(binary.order);
    free(bounds);
    return status;
}
