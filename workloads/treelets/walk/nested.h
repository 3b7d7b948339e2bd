/* Visits of treelets that nest (cut: area), a text of core.h. There is no top: a visit of a treelet that meets the root of
 * another keeps it with its entry distance. `near` goes on with the nearest of the last visit, `sorted` with the nearest of
 * all. `fixed` goes there at once and comes back to go on behind it: there the test of its root counts where it was met. */
#pragma once

#include "workloads/paths/walk/search.h"
#include "workloads/treelets/walk/walk_private.h"

/* Paths on their way side by side, what core.h and nested.h work on. */

/* A part of the top that waits: a pair, or FS_TOP_TREELET + a treelet; of treelets that nest: a treelet. */
typedef struct way {
    uint32_t to;
    float entry;
} way;

/* What a path is about, beside its ray. */
typedef struct traveller {
    fs_walk_state state;
    fs_shadow shadow;             /* the ray to the light, if it is on its way */
    fs_path_random random;        /* of the lights */
    uint32_t row[FS_WALK_EVENTS]; /* of a shading; of a visit's spheres and discs */
    fs_open_piece open;           /* what is done anywhere */
    fs_piece_list pieces;         /* of the path so far */
    way *ways; /* near: a stack; sorted: treelets met, in their order; nesting: the least on top */
    uint32_t waiting, taken;      /* of `ways`; sorted: of these are visited. fixed: taken: the next node */
    uint32_t treelet, hit_before; /* of the visit */
    /* Of a visit of treelets that nest: ways that waited before it; its root, which no lane tests: */
    uint32_t fresh, root_tests, root_axes, root_inner;
    uint64_t path;          /* in the list */
    bool asked;             /* the last hit asked emitters: what the next one gives is known */
    bool in_shadow, at_end; /* at_end: of the path, behind its shadow ray */
} traveller;

typedef struct party {
    search s;
    traveller of[PATHS];
    const fs_itineraries_list *list;
    uint64_t next;
    uint32_t shadows; /* bits: in_shadow */
} party;

static inline bool is_before(way a, way b) {
    return a.entry < b.entry || (a.entry == b.entry && a.to < b.to);
}

/* What the last visit met, or all that waits, so that the least is on top. */
static inline void sort_ways(const party *b, traveller *p) {
    const uint32_t first = b->list->params->order == FS_ORDER_NEAR ? p->fresh : 0;
    for (uint32_t i = p->fresh; i < p->waiting; i++) {
        const way w = p->ways[i];
        uint32_t at = i;
        for (; at > first && is_before(p->ways[at - 1], w); at--)
            p->ways[at] = p->ways[at - 1];
        p->ways[at] = w;
    }
    p->fresh = p->waiting;
}

/* Roots of others that rays have met: they wait, and the visit goes on; in `fixed` it is over. */
static inline void meet_roots(party *b) {
    search *s = &b->s;
    for (uint32_t i = 0; i < PATHS; i++) {
        const uint32_t leaf = each(s->leaf)[i];
        if (leaf < FS_NEST_ROOT || leaf == FS_WALK_NO_LEAF)
            continue;
        traveller *p = &b->of[i];
        const uint32_t k = leaf - FS_NEST_ROOT;
        each(s->leaf)[i] = FS_WALK_NO_LEAF;
        if (b->list->params->order == FS_ORDER_FIXED) {
            p->ways[p->waiting++] = (way){.to = k};
            continue; /* its node is the end */
        }
        uint32_t axes = 0;
        way w = {.to = k};
        fs_walk_meets_box(&s->walk->node[b->list->cut->of[k].root], s->whole[i], s->ray[i].t, &w.entry,
                          &axes);
        p->ways[p->waiting++] = w;
        each(s->node)[i] = each(s->resume)[i];
    }
}

/* Behind the last visit in the tree's order: false when it was the last of all. */
static inline bool come_back(const party *b, traveller *p, uint32_t *node) {
    const fs_treelet *of = b->list->cut->of;
    uint32_t k = p->treelet;
    *node = of[k].end;
    while (k > 0 && of[k].end == *node)
        k = b->list->nest->parent[k];
    p->treelet = k;
    return of[k].end != *node;
}

/* From its root on, which has been met. */
static inline void enter(party *b, uint32_t i, uint32_t k) {
    traveller *p = &b->of[i];
    search *s = &b->s;
    const fs_treelet *t = &b->list->cut->of[k];
    if (k == 0) { /* met by nobody yet, and no root to the lanes */
        each(s->node)[i] = t->root;
        return;
    }
    if (b->list->params->order != FS_ORDER_FIXED) {
        float entry;
        p->root_tests = 1;
        fs_walk_meets_box(&s->walk->node[t->root], s->whole[i], s->ray[i].t, &entry, &p->root_axes);
    }
    if (b->list->nest->leaf[k] == FS_WALK_NO_LEAF) {
        p->root_inner = 1;
        each(s->node)[i] = t->root + 1;
    } else {
        each(s->leaf)[i] = b->list->nest->leaf[k];
        each(s->node)[i] = each(s->resume)[i] = t->end;
    }
}

/* The next visit of the ray; false: there is none. */
static inline bool begin_nested(party *b, uint32_t i) {
    traveller *p = &b->of[i];
    search *s = &b->s;
    uint32_t node = 0;
    bool enters = false;
    p->root_tests = p->root_axes = p->root_inner = 0;
    sort_ways(b, p);
    while (p->waiting > 0 && !enters) {
        const way w = p->ways[--p->waiting];
        enters = !(w.entry > s->ray[i].t);
        p->treelet = w.to;
    }
    p->fresh = p->waiting;
    if (!enters &&
        (b->list->params->order != FS_ORDER_FIXED || p->taken == UINT32_MAX || !come_back(b, p, &node)))
        return false;
    forget_counts(s, i);
    each(s->end)[i] = b->list->cut->of[p->treelet].end;
    if (enters)
        enter(b, i, p->treelet);
    else
        each(s->node)[i] = node;
    return true;
}
