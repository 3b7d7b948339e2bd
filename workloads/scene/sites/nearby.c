/* A k-d tree of points: nearest ones, and whether any is near. */
#include "workloads/scene/sites/sites.h"

#include "sim/base/alloc.h"

#include <stdlib.h>

enum { LEAF = 8, DEPTH_MAX = 64 };

typedef struct node { /* the points order[begin, end); a leaf has no axis */
    uint32_t begin, end;
    uint32_t left, right;
    int axis;     /* -1: leaf */
    double split; /* left has coordinates <= split, right >= split */
} node;

struct fs_nearby {
    const float *axis[3];
    uint32_t count;
    uint32_t *order;
    node *nodes;
    uint32_t used;
};

/* ---- building ---- */

static void swap(uint32_t *a, uint32_t *b) {
    uint32_t t = *a;
    *a = *b;
    *b = t;
}

/* Moves the `middle` smallest by coordinate to the front (Hoare's selection, middle of three as pivot). */
static void select_middle(uint32_t *order, uint32_t begin, uint32_t end, uint32_t middle, const float *c) {
    while (end - begin > 1) {
        float a = c[order[begin]], b = c[order[begin + (end - begin) / 2]], d = c[order[end - 1]];
        float pivot = a < b ? (b < d ? b : a < d ? d : a) : (a < d ? a : b < d ? d : b);
        uint32_t i = begin, j = end - 1;
        for (;;) {
            while (c[order[i]] < pivot)
                i++;
            while (c[order[j]] > pivot)
                j--;
            if (i >= j)
                break;
            swap(&order[i], &order[j]);
            i++;
            j--;
        }
        /* [begin, i) <= pivot <= [i, end); i is begin only if the pivot is the one smallest */
        uint32_t cut = i == begin ? begin + 1 : i;
        if (middle < cut)
            end = cut;
        else
            begin = cut;
    }
}

static int widest_axis(const fs_nearby *t, uint32_t begin, uint32_t end) {
    int widest = -1;
    float width = 0;
    for (int a = 0; a < 3; a++) {
        float lo = t->axis[a][t->order[begin]], hi = lo;
        for (uint32_t i = begin + 1; i < end; i++) {
            float c = t->axis[a][t->order[i]];
            lo = c < lo ? c : lo;
            hi = c > hi ? c : hi;
        }
        if (hi - lo > width) {
            width = hi - lo;
            widest = a;
        }
    }
    return widest;
}

static uint32_t build(fs_nearby *t, uint32_t begin, uint32_t end) {
    uint32_t self = t->used++;
    node n = {.begin = begin, .end = end, .axis = -1};
    if (end - begin > LEAF && (n.axis = widest_axis(t, begin, end)) >= 0) {
        uint32_t middle = begin + (end - begin) / 2;
        select_middle(t->order, begin, end, middle, t->axis[n.axis]);
        n.split = (double)t->axis[n.axis][t->order[middle]];
        n.left = build(t, begin, middle);
        n.right = build(t, middle, end);
    }
    t->nodes[self] = n;
    return self;
}

fs_nearby *fs_nearby_create(const float *x, const float *y, const float *z, uint32_t count) {
    fs_nearby *t = fs_calloc(1, sizeof *t);
    t->axis[0] = x;
    t->axis[1] = y;
    t->axis[2] = z;
    t->count = count;
    t->order = fs_malloc(count * sizeof *t->order);
    for (uint32_t i = 0; i < count; i++)
        t->order[i] = i;
    t->nodes = fs_malloc(((size_t)count / (LEAF / 2) * 2 + 2) * sizeof *t->nodes);
    if (count > 0)
        build(t, 0, count);
    return t;
}

void fs_nearby_free(fs_nearby *tree) {
    if (tree == NULL)
        return;
    free(tree->order);
    free(tree->nodes);
    free(tree);
}

/* ---- asking ---- */

typedef struct search {
    const fs_nearby *tree;
    const double *p;
    uint32_t except, k, found;
    uint32_t *index;
    double *distance2;
    double bound; /* squared: farther points are of no interest */
} search;

static double distance2_to(const fs_nearby *t, const double p[3], uint32_t i) {
    double dx = (double)t->axis[0][i] - p[0], dy = (double)t->axis[1][i] - p[1],
           dz = (double)t->axis[2][i] - p[2];
    return (dx * dx + dy * dy) + dz * dz;
}

static void consider(search *s, uint32_t i) {
    double d = distance2_to(s->tree, s->p, i);
    if (i == s->except || d > s->bound)
        return;
    uint32_t at = s->found;
    while (at > 0 && (d < s->distance2[at - 1] || (d == s->distance2[at - 1] && i < s->index[at - 1])))
        at--;
    if (at == s->k)
        return;
    uint32_t last = s->found < s->k ? s->found++ : s->k - 1;
    for (uint32_t m = last; m > at; m--) {
        s->index[m] = s->index[m - 1];
        s->distance2[m] = s->distance2[m - 1];
    }
    s->index[at] = i;
    s->distance2[at] = d;
    if (s->found == s->k && s->distance2[s->k - 1] < s->bound)
        s->bound = s->distance2[s->k - 1];
}

static void walk(search *s, uint32_t number) {
    const node *n = &s->tree->nodes[number];
    if (n->axis < 0) {
        for (uint32_t i = n->begin; i < n->end; i++)
            consider(s, s->tree->order[i]);
        return;
    }
    double off = s->p[n->axis] - n->split;
    walk(s, off <= 0 ? n->left : n->right);
    if (off * off <= s->bound)
        walk(s, off <= 0 ? n->right : n->left);
}

uint32_t fs_nearby_nearest(const fs_nearby *tree, const double p[3], uint32_t except, uint32_t k,
                           uint32_t index[], double distance2[]) {
    search s = {.tree = tree,
                .p = p,
                .except = except,
                .k = k,
                .index = index,
                .distance2 = distance2,
                .bound = 1e300};
    if (tree->count > 0)
        walk(&s, 0);
    return s.found;
}

bool fs_nearby_any(const fs_nearby *tree, const double p[3], uint32_t except, double radius) {
    uint32_t index;
    double distance2;
    search s = {.tree = tree,
                .p = p,
                .except = except,
                .k = 1,
                .index = &index,
                .distance2 = &distance2,
                .bound = radius * radius};
    if (tree->count > 0)
        walk(&s, 0);
    return s.found > 0 && distance2 < radius * radius;
}
