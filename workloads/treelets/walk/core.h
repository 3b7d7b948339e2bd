/* Paths through treelets side by side, the text of plain.c and avx2.c: the top one by one, visits in lanes
 * (workloads/paths/walk/search.h). */
#pragma once

#include "workloads/treelets/walk/nested.h"

#include "sim/base/alloc.h"

#include <stdlib.h>

/* ---- the top ---- */

/* Tests both boxes of a pair: bits of those that are met, and where. */
LANES_INLINE uint32_t test_pair(const fs_top_pair *pair, const fs_walk_ray *ray, float nearest,
                                float entry[2], uint32_t *axes) {
    quad t0 = {0}, t1 = quad_all(nearest);
    uint32_t met = 3;
    for (int a = 0; a < 3; a++) {
        const quad at = (quad_load(pair->box[a]) - quad_all(ray->origin[a])) * quad_all(ray->inverse[a]),
                   other = quad_upper(at);
        t0 = quad_larger(quad_smaller(at, other), t0);
        t1 = quad_smaller(quad_larger(at, other) * FS_WALK_WIDEN, t1);
        *axes += (met & 1) + (met >> 1);
        met &= ~quad_bits(t0 > t1);
        if (met == 0)
            return 0;
    }
    entry[0] = t0[0];
    entry[1] = t0[1];
    return met;
}

/* The root of all, which the ray tests before anything else. */
static inline void begin_top(party *b, traveller *p, const fs_walk_ray *ray, float nearest) {
    const fs_top *top = b->list->top;
    float entry;
    p->waiting = p->taken = p->fresh = 0;
    if (b->list->nest != NULL) {
        p->ways[p->waiting++] = (way){.to = 0};
        return;
    }
    if (top->nodes == 1) { /* one treelet, which all visit */
        p->ways[p->waiting++] = (way){FS_TOP_TREELET, 0};
        return;
    }
    if (b->list->params->order != FS_ORDER_NEAR)
        return;
    p->open.event[FS_PIECE_NODE]++;
    if (fs_walk_meets_box(&top->node[0], ray, nearest, &entry, &p->open.event[FS_PIECE_AXIS]))
        p->ways[p->waiting++] = (way){0, entry};
}

/* The next treelet to visit, UINT32_MAX for none. */
LANES_INLINE uint32_t next_near(const fs_top *top, traveller *p, const fs_walk_ray *ray, float nearest) {
    while (p->waiting > 0) {
        const way w = p->ways[--p->waiting];
        if (w.entry > nearest)
            continue;
        if ((w.to & FS_TOP_TREELET) != 0)
            return w.to - FS_TOP_TREELET;
        const fs_top_pair *pair = &top->pair[w.to];
        float entry[2];
        const uint32_t met = test_pair(pair, ray, nearest, entry, &p->open.event[FS_PIECE_AXIS]);
        p->open.event[FS_PIECE_INNER]++;
        p->open.event[FS_PIECE_NODE] += 2;
        const uint32_t near = met == 3 ? entry[1] < entry[0] : met == 2;
        if (met == 3)
            p->ways[p->waiting++] = (way){pair->child[1 - near], entry[1 - near]};
        if (met != 0)
            p->ways[p->waiting++] = (way){pair->child[near], entry[near]};
    }
    return UINT32_MAX;
}

/* All treelets that the ray meets, whatever it hits, into their order. */
static inline void collect(const fs_top *top, traveller *p, const fs_walk_ray *ray) {
    for (uint32_t i = 0; i < top->nodes;) {
        const fs_walk_node *node = &top->node[i];
        way w = {.to = node->leaf};
        p->open.event[FS_PIECE_NODE]++;
        if (!fs_walk_meets_box(node, ray, INFINITY, &w.entry, &p->open.event[FS_PIECE_AXIS])) {
            i = node->skip;
            continue;
        }
        i++;
        if (w.to == FS_WALK_NO_LEAF) {
            p->open.event[FS_PIECE_INNER]++;
            continue;
        }
        uint32_t at = p->waiting++;
        for (; at > 0 && is_before(w, p->ways[at - 1]); at--)
            p->ways[at] = p->ways[at - 1];
        p->ways[at] = w;
    }
}

static inline uint32_t next_sorted(const fs_top *top, traveller *p, const fs_walk_ray *ray, float nearest) {
    if (p->taken == 0) { /* the ray's first */
        collect(top, p, ray);
        p->taken = 1;
    }
    const uint32_t at = p->taken - 1;
    if (at >= p->waiting || p->ways[at].entry > nearest)
        return UINT32_MAX;
    p->taken++;
    return p->ways[at].to;
}

static inline uint32_t next_fixed(const fs_top *top, traveller *p, const fs_walk_ray *ray, float nearest) {
    while (p->taken < top->nodes) {
        const fs_walk_node *node = &top->node[p->taken];
        uint32_t axes = 0;
        float entry;
        const bool met = fs_walk_meets_box(node, ray, nearest, &entry, &axes);
        p->taken = met && node->leaf == FS_WALK_NO_LEAF ? p->taken + 1 : node->skip;
        if (met && node->leaf != FS_WALK_NO_LEAF)
            return node->leaf; /* whose visit counts the test */
        p->open.event[FS_PIECE_NODE]++;
        p->open.event[FS_PIECE_AXIS] += axes;
        p->open.event[FS_PIECE_INNER] += met;
    }
    return UINT32_MAX;
}

LANES_INLINE uint32_t next_treelet(const fs_itineraries_list *list, traveller *p, const fs_walk_ray *ray,
                                   float nearest) {
    if (list->top->nodes == 1)
        return p->waiting > 0 ? p->ways[--p->waiting].to - FS_TOP_TREELET : UINT32_MAX;
    switch (list->params->order) {
    case FS_ORDER_NEAR:
        return next_near(list->top, p, ray, nearest);
    case FS_ORDER_SORTED:
        return next_sorted(list->top, p, ray, nearest);
    default:
        return next_fixed(list->top, p, ray, nearest);
    }
}

static inline uint32_t depth_of(const party *b, const traveller *p) {
    const fs_itineraries_order order = b->list->params->order;
    return order == FS_ORDER_NEAR || (b->list->nest != NULL && order == FS_ORDER_SORTED) ? p->waiting : 0;
}

/* ---- visits ---- */

static inline bool is_open(const fs_open_piece *o) {
    return o->does != 0 || o->event[FS_PIECE_NODE] != 0;
}

LANES_INLINE bool begin_whole(party *b, uint32_t i) {
    traveller *p = &b->of[i];
    search *s = &b->s;
    const uint32_t k = next_treelet(b->list, p, s->whole[i], s->ray[i].t);
    if (k == UINT32_MAX)
        return false;
    p->treelet = k;
    forget_counts(s, i);
    each(s->node)[i] = b->list->cut->of[k].root;
    __builtin_prefetch(&s->walk->node[b->list->cut->of[k].root]);
    each(s->end)[i] = b->list->cut->of[k].end;
    return true;
}

LANES_INLINE bool begin_visit(party *b, uint32_t i) {
    traveller *p = &b->of[i];
    if (!(b->list->nest != NULL ? begin_nested(b, i) : begin_whole(b, i)))
        return false;
    p->hit_before = b->s.hit[i].leaf;
    if (is_open(&p->open))
        fs_piece_list_add(&p->pieces, FS_PIECE_ANYWHERE, &p->open, depth_of(b, p));
    return true;
}

static inline void end_visit(party *b, uint32_t i) {
    traveller *p = &b->of[i];
    const search *s = &b->s;
    const uint32_t *ends = s->ends[i], inner = each(s->inner)[i] + p->root_inner;
    const bool found = s->hit[i].leaf != p->hit_before;
    fs_open_piece visit = {.does = found ? FS_PIECE_FOUND : 0};
    uint32_t *n = visit.event;
    n[FS_PIECE_NODE] = p->root_tests + each(s->nodes)[i];
    n[FS_PIECE_AXIS] = p->root_axes + each(s->nodes)[i] + each(s->axes)[i];
    n[FS_PIECE_INNER] = inner;
    n[FS_PIECE_EDGE] = ends[AT_EDGE];
    n[FS_PIECE_RANGE] = ends[BEHIND];
    n[FS_PIECE_TRIANGLE] = ends[TOO_NEAR] + ends[MET];
    n[FS_PIECE_NORMAL] = ends[MET];
    n[FS_PIECE_SPHERE] = p->row[FS_WALK_SPHERE];
    n[FS_PIECE_ROOT] = p->row[FS_WALK_SPHERE_ROOT];
    n[FS_PIECE_DISC] = p->row[FS_WALK_DISC];
    p->row[FS_WALK_SPHERE] = p->row[FS_WALK_SPHERE_ROOT] = p->row[FS_WALK_DISC] = 0;
    fs_piece_list_add(&p->pieces, p->treelet, &visit, depth_of(b, p));
}

/* Shadow rays end at whatever they meet: the rest of the visit and of the top falls away. */
static inline void cut_shadows(party *b) {
    search *s = &b->s;
    for (uint32_t left = b->shadows; left != 0; left &= left - 1) {
        const uint32_t i = (uint32_t)__builtin_ctz(left);
        if (s->hit[i].leaf == FS_WALK_NO_LEAF)
            continue;
        each(s->node)[i] = each(s->end)[i];
        b->of[i].waiting = 0;
        b->of[i].taken = UINT32_MAX;
    }
}

/* ---- rays ---- */

static inline void begin_segment(party *b, uint32_t i) {
    traveller *p = &b->of[i];
    aim(&b->s, i, &p->state.ray, INFINITY);
    p->open.does |= FS_PIECE_SEGMENT;
    begin_top(b, p, &p->state.ray, INFINITY);
}

/* Takes the next path of the list; false: there is none, and the lane stays idle. */
static inline bool take(party *b, uint32_t i) {
    const fs_itineraries_list *list = b->list;
    traveller *p = &b->of[i];
    if (b->next == list->count)
        return false;
    p->path = b->next++;
    const uint64_t number = list->first + p->path, n = list->params->samples;
    const fs_walk_key key =
        list->key != NULL ? list->key[number] : (fs_walk_key){(uint32_t)(number / n), (uint32_t)(number % n)};
    fs_walk_begin(list->lens, key, &p->state, p->row);
    memset(p->row, 0, sizeof p->row);
    p->random = fs_paths_random_of(list->stream, key.pixel, key.sample);
    p->asked = false;
    p->open.does = FS_PIECE_CAMERA;
    begin_segment(b, i);
    return true;
}

/* What a shading did, as bits of its piece. */
static inline uint32_t bits_of_row(const uint32_t *row) {
    static const uint16_t bit[FS_WALK_EVENTS] = {
        [FS_WALK_EMISSION] = FS_PIECE_EMISSION,     [FS_WALK_SPECULAR] = FS_PIECE_SPECULAR,
        [FS_WALK_REFRACTIVE] = FS_PIECE_REFRACTIVE, [FS_WALK_ROULETTE] = FS_PIECE_ROULETTE,
        [FS_WALK_ESCAPE] = FS_PIECE_ESCAPE,         [FS_WALK_HIT] = FS_PIECE_HIT};
    uint32_t bits = 0;
    for (int e = FS_WALK_HIT; e <= FS_WALK_ESCAPE; e++)
        bits |= row[e] > 0 ? bit[e] : 0;
    return bits;
}

static inline void begin_shadow(party *b, uint32_t i) {
    traveller *p = &b->of[i];
    p->in_shadow = true;
    b->shadows |= 1u << i;
    p->open.does |= FS_PIECE_SHADOW;
    aim(&b->s, i, &p->shadow.ray, p->shadow.reach);
    begin_top(b, p, &p->shadow.ray, p->shadow.reach);
}

/* Ends the path: its pieces go to the list's, the lane takes another path. */
static inline bool end_path(party *b, uint32_t i) {
    traveller *p = &b->of[i];
    const fs_itineraries_list *list = b->list;
    p->open.does |= FS_PIECE_END;
    fs_piece_list_add(&p->pieces, FS_PIECE_ANYWHERE, &p->open, 0);
    list->begin[p->path] = list->pieces->count;
    list->pieces_of[p->path] = p->pieces.count;
    fs_piece_list_append(list->pieces, &p->pieces);
    p->pieces.count = 0;
    return take(b, i);
}

static inline float *emitted_of(const party *b, traveller *p) {
    return p->at_end ? b->list->paths[p->path].emitted : p->state.emitted;
}

/* The ray met its hit or nothing: shades, and goes on with the shadow ray, the next segment or another path. False:
 * there is none. */
static inline bool end_segment(party *b, uint32_t i) {
    traveller *p = &b->of[i];
    search *s = &b->s;
    const fs_itineraries_list *list = b->list;
    fs_walk_hit hit = s->hit[i];
    hit.t = s->ray[i].t;
    const fs_walk_state in = p->state;
    p->at_end =
        fs_walk_end_segment(s->walk, &list->params->walk, &hit, &p->state, &list->paths[p->path], p->row);
    p->open.does |= bits_of_row(p->row);
    if (p->asked) /* what this hit gives was asked for */
        memcpy(emitted_of(b, p), in.emitted, sizeof in.emitted);
    p->asked = list->params->light == FS_SHADOW_EMITTERS && p->row[FS_WALK_DIFFUSE] > 0;
    memset(p->row, 0, sizeof p->row);
    if (hit.t < INFINITY && fs_shadow_of(list, &hit, &in.ray, in.throughput, &p->random, &p->shadow)) {
        begin_shadow(b, i);
        return true;
    }
    if (p->at_end)
        return end_path(b, i);
    begin_segment(b, i);
    return true;
}

static inline bool end_shadow(party *b, uint32_t i) {
    traveller *p = &b->of[i];
    p->in_shadow = false;
    b->shadows &= ~(1u << i);
    float *emitted = emitted_of(b, p);
    for (int c = 0; c < 3 && b->s.hit[i].leaf == FS_WALK_NO_LEAF; c++)
        emitted[c] += p->shadow.lit[c];
    if (p->at_end)
        return end_path(b, i);
    begin_segment(b, i);
    return true;
}

/* On to the next visit, of whatever ray or path; false: there is none. */
LANES_INLINE bool go_on(party *b, uint32_t i) {
    while (!begin_visit(b, i))
        if (!(b->of[i].in_shadow ? end_shadow(b, i) : end_segment(b, i)))
            return false;
    return true;
}

/* ---- the list ---- */

static inline void make_room(party *b) {
    const fs_top *top = b->list->top;
    const bool all = b->list->nest != NULL || b->list->params->order == FS_ORDER_SORTED;
    const size_t ways = all ? b->list->cut->treelets + 1 : top->depth + 1;
    for (uint32_t i = 0; i < PATHS; i++) {
        b->of[i].ways = fs_malloc(ways * sizeof *b->of[i].ways);
        b->s.row[i] = b->of[i].row;
    }
}

LANES_INLINE void walk_list(const fs_itineraries_list *list) {
    party here = {.list = list}, *b = &here; /* aligned as its vectors ask */
    uint32_t alive = 0;
    begin_search(&b->s, list->walk);
    make_room(b);
    for (uint32_t i = 0; i < PATHS; i++)
        alive |= (uint32_t)(take(b, i) && go_on(b, i)) << i;
    while (alive != 0) {
        test_boxes(&b->s);
        if (list->nest != NULL)
            meet_roots(b);
        test_leaves(&b->s);
        cut_shadows(b);
        for (uint32_t left = through(&b->s) & alive; left != 0; left &= left - 1) {
            const uint32_t i = (uint32_t)__builtin_ctz(left);
            end_visit(b, i);
            if (!go_on(b, i))
                alive &= ~(1u << i);
        }
    }
    for (uint32_t i = 0; i < PATHS; i++) {
        free(b->of[i].ways);
        free(b->of[i].pieces.piece);
    }
}
