/* Space cut in two: a triangle goes to every cell that its box touches, so cells never overlap and leaves
 * repeat triangles. */
#include "workloads/hierarchy/tree/private.h"

#include <stdlib.h>
#include <string.h>

/* A cell is cut while a plane makes a ray cheaper that passes through it: a step of the way counts as one
 * triangle's test. A cell that is not worth a cut, or lies deeper than DEEP plus twice the levels that the
 * triangles fill, and has more triangles than a leaf takes, becomes several leaves of the same cell. */
enum { AXES = 3, BINS = FS_HIERARCHY_BINS, DEEP = 8 };
static const float step = 1;

typedef struct cutter {
    const fs_hierarchy_job *job;
    fs_binary *tree;
    uint32_t deepest;
    bool full; /* more triangles than references can tell apart */
} cutter;

/* ---- leaves ---- */

static uint32_t append(cutter *c, const uint32_t *list, uint32_t count) {
    fs_binary *t = c->tree;
    if (count > FS_REFERENCE_SLOTS - t->slots) {
        c->full = true;
        return 0;
    }
    if (t->slots + count > t->slot_room) {
        t->slot_room = 2 * (t->slots + count);
        t->order = fs_realloc(t->order, t->slot_room * sizeof *t->order);
    }
    memcpy(t->order + t->slots, list, count * sizeof *list);
    t->slots += count;
    return t->slots - count;
}

/* A leaf, or as many of one cell as its triangles need. */
static uint32_t leaves(cutter *c, const fs_bounds *cell, const uint32_t *list, uint32_t count) {
    const uint32_t node = fs_binary_add(c->tree);
    c->tree->node[node].bounds = *cell;
    if (count <= c->job->shape->leaf) {
        c->tree->node[node].first = append(c, list, count);
        c->tree->node[node].count = count;
        return node;
    }
    const uint32_t half = (count + 1) / 2, left = leaves(c, cell, list, half),
                   right = leaves(c, cell, list + half, count - half);
    c->tree->node[node].child[0] = left;
    c->tree->node[node].child[1] = right;
    return node;
}

/* ---- planes ---- */

typedef struct plane {
    float cost, at;
    int axis;
} plane;

static float plane_at(const fs_bounds *cell, int axis, int b) {
    return cell->low[axis] + (cell->high[axis] - cell->low[axis]) * ((float)b / (float)BINS);
}

static float area_of_part(const fs_bounds *cell, int axis, float low, float high) {
    fs_bounds b = *cell;
    b.low[axis] = low;
    b.high[axis] = high;
    return fs_bounds_area(&b);
}

/* A triangle that lies in the plane goes below. */
static bool is_below(const fs_bounds *b, int axis, float at) {
    return b->low[axis] < at || b->high[axis] <= at;
}

static bool is_above(const fs_bounds *b, int axis, float at) {
    return b->high[axis] > at;
}

static plane best_plane(const cutter *c, const fs_bounds *cell, const uint32_t *list, uint32_t count) {
    const float whole = fs_bounds_area(cell);
    plane best = {.cost = (float)count, .axis = -1};
    for (int axis = 0; axis < AXES; axis++)
        for (int b = 1; b < BINS; b++) {
            const float at = plane_at(cell, axis, b);
            if (!(at > cell->low[axis] && at < cell->high[axis]))
                continue;
            uint32_t below = 0, above = 0;
            for (uint32_t i = 0; i < count; i++) {
                below += is_below(&c->job->bounds[list[i]], axis, at);
                above += is_above(&c->job->bounds[list[i]], axis, at);
            }
            const float cost = step + (area_of_part(cell, axis, cell->low[axis], at) * (float)below +
                                       area_of_part(cell, axis, at, cell->high[axis]) * (float)above) /
                                          whole;
            if (cost < best.cost)
                best = (plane){.cost = cost, .at = at, .axis = axis};
        }
    return best;
}

static uint32_t cut(cutter *c, const fs_bounds *cell, const uint32_t *list, uint32_t count, uint32_t depth) {
    plane p = {.axis = -1};
    if (count > c->job->shape->leaf && depth < c->deepest && !c->full)
        p = best_plane(c, cell, list, count);
    if (p.axis < 0)
        return leaves(c, cell, list, count);
    uint32_t *part = fs_malloc(((size_t)count + 1) * sizeof *part);
    const uint32_t node = fs_binary_add(c->tree);
    c->tree->node[node].bounds = *cell;
    for (int side = 0; side < 2; side++) {
        uint32_t n = 0;
        fs_bounds half = *cell;
        *(side == 0 ? &half.high[p.axis] : &half.low[p.axis]) = p.at;
        for (uint32_t i = 0; i < count; i++)
            if (side == 0 ? is_below(&c->job->bounds[list[i]], p.axis, p.at)
                          : is_above(&c->job->bounds[list[i]], p.axis, p.at))
                part[n++] = list[i];
        const uint32_t child = cut(c, &half, part, n, depth + 1);
        c->tree->node[node].child[side] = child;
    }
    free(part);
    return node;
}

fs_status fs_binary_kd(const fs_hierarchy_job *job, fs_binary *out, fs_error *err) {
    *out = (fs_binary){0};
    cutter c = {.job = job, .tree = out, .deepest = DEEP};
    for (uint32_t n = job->count; n > job->shape->leaf; n /= 2)
        c.deepest += 2;
    uint32_t *all = fs_malloc(job->count * sizeof *all);
    fs_bounds cell = fs_bounds_none();
    for (uint32_t i = 0; i < job->count; i++) {
        all[i] = i;
        fs_bounds_add(&cell, &job->bounds[i]);
    }
    cut(&c, &cell, all, job->count, 0);
    free(all);
    return c.full
               ? fs_fail(err, FS_INPUT,
                         "%s: cells repeat %u triangles more often than the %u primitives that a reference "
                         "can tell apart",
                         job->where, job->count, FS_REFERENCE_SLOTS)
               : FS_OK;
}
