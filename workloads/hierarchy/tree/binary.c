/* Lists of triangles cut in two: by surface area or by the median. */
#include "workloads/hierarchy/tree/private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { AXES = 3, BINS = FS_HIERARCHY_BINS, STEEP = 96 }; /* deeper than STEEP lists are halved */

fs_bounds fs_bounds_none(void) {
    return (fs_bounds){.low = {INFINITY, INFINITY, INFINITY}, .high = {-INFINITY, -INFINITY, -INFINITY}};
}

void fs_bounds_add(fs_bounds *to, const fs_bounds *more) {
    for (int a = 0; a < AXES; a++) {
        to->low[a] = more->low[a] < to->low[a] ? more->low[a] : to->low[a];
        to->high[a] = more->high[a] > to->high[a] ? more->high[a] : to->high[a];
    }
}

float fs_bounds_area(const fs_bounds *b) {
    const float x = b->high[0] - b->low[0], y = b->high[1] - b->low[1], z = b->high[2] - b->low[2];
    return x < 0 ? 0 : x * y + y * z + z * x;
}

uint32_t fs_binary_add(fs_binary *tree) {
    if (tree->nodes == tree->room) {
        tree->room = tree->room == 0 ? 1024 : 2 * tree->room;
        tree->node = fs_realloc(tree->node, tree->room * sizeof *tree->node);
    }
    tree->node[tree->nodes] = (fs_binary_node){.bounds = fs_bounds_none()};
    return tree->nodes++;
}

typedef struct keyed {
    float centre;
    uint32_t triangle;
} keyed;

typedef struct cutter {
    const fs_hierarchy_job *job;
    fs_binary *tree;
    bool sah;
    keyed *keyed;    /* [count] */
    uint32_t *aside; /* [count] the upper part of a list while it is cut */
} cutter;

/* The centre of a triangle's box. */
static float centre(const cutter *c, uint32_t triangle, int axis) {
    const fs_bounds *b = &c->job->bounds[triangle];
    return 0.5f * b->low[axis] + 0.5f * b->high[axis];
}

static fs_bounds bounds_of_centres(const cutter *c, uint32_t first, uint32_t count) {
    fs_bounds all = fs_bounds_none();
    for (uint32_t i = first; i < first + count; i++) {
        fs_bounds one;
        for (int a = 0; a < AXES; a++)
            one.low[a] = one.high[a] = centre(c, c->tree->order[i], a);
        fs_bounds_add(&all, &one);
    }
    return all;
}

static int longest(const fs_bounds *b) {
    int best = 0;
    for (int a = 1; a < AXES; a++)
        if (b->high[a] - b->low[a] > b->high[best] - b->low[best])
            best = a;
    return best;
}

/* ---- the median ---- */

static int by_centre(const void *a, const void *b) {
    const keyed *x = a, *y = b;
    if (x->centre != y->centre)
        return x->centre < y->centre ? -1 : 1;
    return x->triangle < y->triangle ? -1 : 1;
}

static uint32_t halve(cutter *c, uint32_t first, uint32_t count, int axis) {
    uint32_t *order = c->tree->order + first;
    for (uint32_t i = 0; i < count; i++)
        c->keyed[i] = (keyed){centre(c, order[i], axis), order[i]};
    qsort(c->keyed, count, sizeof *c->keyed, by_centre);
    for (uint32_t i = 0; i < count; i++)
        order[i] = c->keyed[i].triangle;
    return (count + 1) / 2;
}

/* ---- surface area ---- */

typedef struct bin {
    fs_bounds bounds;
    uint32_t count;
} bin;

static int bin_of(float x, float low, float high) {
    const int b = (int)((float)BINS * ((x - low) / (high - low)));
    return b < 0 ? 0 : b >= BINS ? BINS - 1 : b;
}

/* The cheapest plane along an axis: cost, and the first bin behind it; INFINITY when all would be on one
 * side. */
static float cheapest(const bin bins[BINS], int *plane) {
    float behind[BINS], best = INFINITY;
    fs_bounds sum = fs_bounds_none();
    uint32_t count = 0;
    for (int b = BINS - 1; b > 0; b--) {
        fs_bounds_add(&sum, &bins[b].bounds);
        count += bins[b].count;
        behind[b] = count > 0 ? fs_bounds_area(&sum) * (float)count : INFINITY;
    }
    sum = fs_bounds_none();
    count = 0;
    for (int b = 1; b < BINS; b++) {
        fs_bounds_add(&sum, &bins[b - 1].bounds);
        count += bins[b - 1].count;
        const float cost = count > 0 ? fs_bounds_area(&sum) * (float)count + behind[b] : INFINITY;
        if (cost < best) {
            best = cost;
            *plane = b;
        }
    }
    return best;
}

/* Cuts a list by bins along the longest axis of its centres; 0 when no plane parts it. */
static uint32_t part(cutter *c, uint32_t first, uint32_t count, const fs_bounds *centres) {
    uint32_t *order = c->tree->order + first;
    const int axis = longest(centres);
    const float low = centres->low[axis], high = centres->high[axis];
    int plane = 0;
    bin bins[BINS];
    for (int b = 0; b < BINS; b++)
        bins[b] = (bin){.bounds = fs_bounds_none()};
    if (!(high - low > 0) || isinf(high - low))
        return 0;
    for (uint32_t i = 0; i < count; i++) {
        bin *in = &bins[bin_of(centre(c, order[i], axis), low, high)];
        fs_bounds_add(&in->bounds, &c->job->bounds[order[i]]);
        in->count++;
    }
    if (isinf(cheapest(bins, &plane)))
        return 0;
    uint32_t below = 0, above = 0;
    for (uint32_t i = 0; i < count; i++)
        if (bin_of(centre(c, order[i], axis), low, high) < plane)
            order[below++] = order[i];
        else
            c->aside[above++] = order[i];
    memcpy(order + below, c->aside, above * sizeof *order);
    return below;
}

/* ---- both ---- */

static uint32_t cut(cutter *c, uint32_t first, uint32_t count, uint32_t depth) {
    const uint32_t node = fs_binary_add(c->tree);
    for (uint32_t i = first; i < first + count; i++)
        fs_bounds_add(&c->tree->node[node].bounds, &c->job->bounds[c->tree->order[i]]);
    if (count <= c->job->shape->leaf) {
        c->tree->node[node].first = first;
        c->tree->node[node].count = count;
        return node;
    }
    const fs_bounds centres = bounds_of_centres(c, first, count);
    uint32_t below = c->sah && depth < STEEP ? part(c, first, count, &centres) : 0;
    if (below == 0)
        below = halve(c, first, count, longest(&centres));
    const uint32_t left = cut(c, first, below, depth + 1),
                   right = cut(c, first + below, count - below, depth + 1);
    c->tree->node[node].child[0] = left;
    c->tree->node[node].child[1] = right;
    return node;
}

void fs_binary_objects(const fs_hierarchy_job *job, bool sah, fs_binary *out) {
    cutter c = {.job = job,
                .tree = out,
                .sah = sah,
                .keyed = fs_malloc(job->count * sizeof *c.keyed),
                .aside = fs_malloc(job->count * sizeof *c.aside)};
    *out = (fs_binary){.slots = job->count, .order = fs_malloc(job->count * sizeof *out->order)};
    for (uint32_t i = 0; i < job->count; i++)
        out->order[i] = i;
    cut(&c, 0, job->count, 0);
    free(c.keyed);
    free(c.aside);
}
