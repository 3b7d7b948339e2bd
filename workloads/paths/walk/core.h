/* Paths side by side, the text of plain.c and avx2.c: hits by search.h, ends of segments one by one (walk.c). */
#pragma once

#include "workloads/paths/walk/search.h"
#include "workloads/paths/walk/walk_private.h"

typedef struct batch {
    search s;
    fs_walk_state state[PATHS];
    uint64_t path[PATHS];                  /* in the list */
    uint32_t spare[PATHS][FS_WALK_EVENTS]; /* where nobody asks for counts */
    const fs_walk_list *list;
    uint64_t next;
} batch;

/* Path p begins the segment of its state. */
static inline void begin_segment(batch *b, uint32_t p) {
    aim(&b->s, p, &b->state[p].ray, INFINITY);
    each(b->s.node)[p] = 0;
}

/* Takes the next path of the list; false: there is none, and p stays idle. */
static inline bool take(batch *b, uint32_t p) {
    const fs_walk_list *list = b->list;
    if (b->next == list->count)
        return false;
    b->path[p] = b->next++;
    b->s.row[p] = list->counts == NULL ? b->spare[p] : list->counts[b->path[p]];
    memset(b->s.row[p], 0, sizeof b->spare[p]);
    forget_counts(&b->s, p);
    fs_walk_begin(list->lens, list->key[b->path[p]], &b->state[p], b->s.row[p]);
    begin_segment(b, p);
    return true;
}

/* What the lanes counted of a path, into its row. */
static inline void write_row(const search *s, uint32_t p) {
    uint32_t *row = s->row[p];
    const uint32_t *ends = s->ends[p], through = ends[TOO_NEAR] + ends[MET];
    row[FS_WALK_INNER] = each(s->inner)[p];
    row[FS_WALK_NODE] = row[FS_WALK_SEGMENT] + 2 * row[FS_WALK_INNER];
    row[FS_WALK_AXIS] = row[FS_WALK_NODE] + each(s->axes)[p];
    row[FS_WALK_LEAF] = each(s->leaves)[p];
    row[FS_WALK_SHEAR] = ends[AT_EDGE] + ends[BEHIND] + through;
    row[FS_WALK_EDGE_EXIT] = ends[AT_EDGE];
    row[FS_WALK_RANGE_EXIT] = ends[BEHIND];
    row[FS_WALK_TRIANGLE] = through;
    row[s->walk->mesh->normal != NULL ? FS_WALK_SMOOTH : FS_WALK_NORMAL] = ends[MET];
}

/* Ends p's segment and begins the next one, of its path or of another. False: there is none. */
static inline bool end_segment(batch *b, uint32_t p) {
    const fs_walk_list *list = b->list;
    search *s = &b->s;
    s->hit[p].t = s->ray[p].t;
    if (!fs_walk_end_segment(s->walk, list->params, &s->hit[p], &b->state[p], &list->paths[b->path[p]],
                             s->row[p])) {
        begin_segment(b, p);
        return true;
    }
    write_row(s, p);
    return take(b, p);
}

LANES_INLINE void walk_list(const fs_walk_scene *walk, const fs_walk_list *list) {
    batch b = {.list = list};
    uint32_t alive = 0;
    begin_search(&b.s, walk);
    for (uint32_t g = 0; g < GROUPS; g++)
        b.s.node[g] = b.s.end[g] = all_words(walk->nodes);
    for (uint32_t p = 0; p < PATHS; p++)
        alive |= (uint32_t)take(&b, p) << p;
    while (alive != 0) {
        test_boxes(&b.s);
        test_leaves(&b.s);
        for (uint32_t left = through(&b.s) & alive; left != 0; left &= left - 1)
            if (!end_segment(&b, (uint32_t)__builtin_ctz(left)))
                alive &= ~(left & -left);
    }
}
