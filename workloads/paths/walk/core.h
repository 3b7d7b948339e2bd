/* Paths side by side, the text of plain.c and avx2.c: boxes and triangles in lanes, ends of segments one by one
 * (walk.c). */
#ifndef FOAMSIM_WORKLOADS_PATHS_WALK_CORE_H
#define FOAMSIM_WORKLOADS_PATHS_WALK_CORE_H

#include "workloads/paths/walk/triangles.h"

/* Paths are in groups of lanes, so that one group hides what another waits for. Boxes are tested until fewer than
 * KEEP paths have one to test, then all leaves that wait, then all segments that are through: paths that wait
 * cost less than lanes that are empty. MOST_STEPS keeps the packed counters from overflowing. */
enum { PATHS = 32, GROUPS = PATHS / LANE_COUNT, KEEP = 23, MOST_STEPS = 16384 };

typedef struct batch {
    floats origin[3][GROUPS], inverse[3][GROUPS], t[GROUPS];
    words node[GROUPS];   /* the end's: none to test */
    words leaf[GROUPS];   /* to be tested; FS_WALK_NO_LEAF: none */
    words resume[GROUPS]; /* node behind that leaf */
    words packed[GROUPS]; /* axes passed but the last, and inner nodes << 16, of this round */
    /* of the path so far */
    words axes[GROUPS], inner[GROUPS], leaves[GROUPS];
    uint32_t ends[PATHS][TRIANGLE_ENDS];
    turned_ray ray[PATHS];
    fs_walk_hit hit[PATHS]; /* but for its t */
    fs_walk_state state[PATHS];
    uint64_t path[PATHS]; /* in the list */
    uint32_t *row[PATHS];
    uint32_t spare[PATHS][FS_WALK_EVENTS]; /* where nobody asks for counts */
    uint32_t end;                          /* node that is none */
    const fs_walk_scene *walk;
    const fs_walk_list *list;
    uint64_t next;
} batch;

/* ---- boxes ---- */

LANES_INLINE void slab(floats origin, floats inverse, floats low, floats high, floats *t0, floats *t1) {
    const floats one = (low - origin) * inverse, two = (high - origin) * inverse;
    *t0 = larger(smaller(one, two), *t0);
    *t1 = smaller(larger(one, two) * FS_WALK_WIDEN, *t1);
}

/* One box of each lane of group g that has one. Returns how many have one afterwards. */
LANES_INLINE int step(batch *b, uint32_t g, const fs_walk_node *nodes, uint32_t end) {
    const float *record[LANE_COUNT];
    for (uint32_t l = 0; l < LANE_COUNT; l++)
        record[l] = nodes[each(&b->node[g])[l]].low;
    const columns low = turned(record, 0), high = turned(record, 4);
    const words node = b->node[g], skip = (words)low.w, leaf = (words)high.w;
    floats t0 = all(0), t1 = b->t[g];
    slab(b->origin[0][g], b->inverse[0][g], low.x, high.x, &t0, &t1);
    const ints first = (node != end) & ~(t0 > t1);
    slab(b->origin[1][g], b->inverse[1][g], low.y, high.y, &t0, &t1);
    const ints second = first & ~(t0 > t1);
    slab(b->origin[2][g], b->inverse[2][g], low.z, high.z, &t0, &t1);
    const ints in = second & ~(t0 > t1), is_inner = leaf == FS_WALK_NO_LEAF, down = in & is_inner,
               met = in & ~is_inner;
    b->packed[g] -= (words)(first + second + (down << 16));
    b->leaf[g] = pick_words(met, leaf, b->leaf[g]);
    b->resume[g] = pick_words(met, skip, b->resume[g]);
    b->node[g] = pick_words(met, all_words(end), pick_words(down, node + 1, skip));
    return LANE_COUNT - __builtin_popcount(bits_of(b->node[g] == end));
}

LANES_INLINE void test_boxes(batch *b) {
    const fs_walk_node *nodes = b->walk->node;
    const uint32_t end = b->end;
    int busy = PATHS;
    for (int n = 0; n < MOST_STEPS && busy >= KEEP; n++) {
        busy = 0;
        for (uint32_t g = 0; g < GROUPS; g++)
            busy += step(b, g, nodes, end);
    }
    for (uint32_t g = 0; g < GROUPS; g++) {
        b->axes[g] += b->packed[g] & 0xffff;
        b->inner[g] += b->packed[g] >> 16;
        b->packed[g] = all_words(0);
    }
}

/* ---- triangles ---- */

/* The triangles that `count` paths wait for, at most a vector of them; other lanes repeat the first. */
LANES_INLINE void test_waiting(batch *b, const uint32_t path[LANE_COUNT], uint32_t count) {
    const float *record[LANE_COUNT], *of_ray[LANE_COUNT];
    floats share[3];
    ints ends;
    for (uint32_t i = 0; i < LANE_COUNT; i++) {
        const uint32_t p = path[i < count ? i : 0];
        record[i] = b->walk->leaf[each(b->leaf)[p]].a;
        of_ray[i] = b->ray[p].origin;
    }
    const rays ray = rays_of(of_ray);
    const floats t = test_triangles(&ray, record, &ends, share);
    const uint32_t nearer = bits_of((ends == MET) & (t < ray.origin.w));
    for (uint32_t i = 0; i < count; i++)
        b->ends[path[i]][ends[i]]++;
    for (uint32_t hits = nearer & ((1u << count) - 1); hits != 0; hits &= hits - 1) {
        const uint32_t i = (uint32_t)__builtin_ctz(hits), p = path[i];
        each(b->t)[p] = b->ray[p].t = t[i];
        b->hit[p] = (fs_walk_hit){.leaf = each(b->leaf)[p], .share = {share[0][i], share[1][i], share[2][i]}};
    }
}

static inline void test_round(batch *b, const fs_walk_leaf *leaf, uint32_t p) {
    const float t = fs_walk_test_round(leaf, &b->state[p].ray, b->row[p]);
    if (t < b->ray[p].t) {
        each(b->t)[p] = b->ray[p].t = t;
        b->hit[p].leaf = each(b->leaf)[p];
    }
}

/* Tests every leaf that waits, and sends the paths on. */
LANES_INLINE void test_leaves(batch *b) {
    uint32_t path[LANE_COUNT], count = 0;
    for (uint32_t g = 0; g < GROUPS; g++) {
        const ints waits = b->leaf[g] != FS_WALK_NO_LEAF;
        for (uint32_t left = bits_of(waits); left != 0; left &= left - 1) {
            const uint32_t p = g * LANE_COUNT + (uint32_t)__builtin_ctz(left);
            const fs_walk_leaf *leaf = &b->walk->leaf[each(b->leaf)[p]];
            if (leaf->shape != FS_WALK_IS_TRIANGLE) {
                test_round(b, leaf, p);
                continue;
            }
            path[count++] = p;
            if (count == LANE_COUNT) {
                test_waiting(b, path, LANE_COUNT);
                count = 0;
            }
        }
        b->node[g] = pick_words(waits, b->resume[g], b->node[g]);
        b->leaves[g] -= (words)waits;
    }
    if (count > 0)
        test_waiting(b, path, count);
    for (uint32_t g = 0; g < GROUPS; g++)
        b->leaf[g] = all_words(FS_WALK_NO_LEAF);
}

/* ---- paths ---- */

/* Path p begins the segment of its state. */
static inline void aim(batch *b, uint32_t p) {
    const fs_walk_ray *ray = &b->state[p].ray;
    for (int a = 0; a < 3; a++) {
        each(b->origin[a])[p] = ray->origin[a];
        each(b->inverse[a])[p] = ray->inverse[a];
    }
    b->ray[p] = turned_for(ray, INFINITY);
    each(b->t)[p] = INFINITY;
    each(b->node)[p] = 0;
}

/* Takes the next path of the list; false: there is none, and p stays idle. */
static inline bool take(batch *b, uint32_t p) {
    const fs_walk_list *list = b->list;
    if (b->next == list->count)
        return false;
    b->path[p] = b->next++;
    b->row[p] = list->counts == NULL ? b->spare[p] : list->counts[b->path[p]];
    memset(b->row[p], 0, sizeof b->spare[p]);
    memset(b->ends[p], 0, sizeof b->ends[p]);
    each(b->axes)[p] = each(b->inner)[p] = each(b->leaves)[p] = 0;
    fs_walk_begin(list->lens, list->key[b->path[p]], &b->state[p], b->row[p]);
    aim(b, p);
    return true;
}

/* What the lanes counted of a path, into its row. */
static inline void write_row(batch *b, uint32_t p) {
    uint32_t *row = b->row[p];
    const uint32_t *ends = b->ends[p], through = ends[TOO_NEAR] + ends[MET];
    row[FS_WALK_INNER] = each(b->inner)[p];
    row[FS_WALK_NODE] = row[FS_WALK_SEGMENT] + 2 * row[FS_WALK_INNER];
    row[FS_WALK_AXIS] = row[FS_WALK_NODE] + each(b->axes)[p];
    row[FS_WALK_LEAF] = each(b->leaves)[p];
    row[FS_WALK_SHEAR] = ends[AT_EDGE] + ends[BEHIND] + through;
    row[FS_WALK_EDGE_EXIT] = ends[AT_EDGE];
    row[FS_WALK_RANGE_EXIT] = ends[BEHIND];
    row[FS_WALK_TRIANGLE] = through;
    row[b->walk->mesh->normal != NULL ? FS_WALK_SMOOTH : FS_WALK_NORMAL] = ends[MET];
}

/* Ends p's segment and begins the next one, of its path or of another. False: there is none. */
static inline bool end_segment(batch *b, uint32_t p) {
    const fs_walk_list *list = b->list;
    b->hit[p].t = b->ray[p].t;
    if (!fs_walk_end_segment(b->walk, list->params, &b->hit[p], &b->state[p], &list->paths[b->path[p]],
                             b->row[p])) {
        aim(b, p);
        return true;
    }
    write_row(b, p);
    return take(b, p);
}

LANES_INLINE void begin(batch *b, const fs_walk_scene *walk, const fs_walk_list *list) {
    memset(b, 0, sizeof *b);
    b->walk = walk;
    b->list = list;
    b->end = walk->tree->nodes;
    for (uint32_t g = 0; g < GROUPS; g++) {
        b->node[g] = all_words(b->end);
        b->leaf[g] = all_words(FS_WALK_NO_LEAF);
    }
}

LANES_INLINE void walk_list(const fs_walk_scene *walk, const fs_walk_list *list) {
    batch b;
    uint32_t alive = 0;
    begin(&b, walk, list);
    for (uint32_t p = 0; p < PATHS; p++)
        alive |= (uint32_t)take(&b, p) << p;
    while (alive != 0) {
        uint32_t through = 0;
        test_boxes(&b);
        test_leaves(&b);
        for (uint32_t g = 0; g < GROUPS; g++)
            through |= bits_of(b.node[g] == b.end) << g * LANE_COUNT;
        for (uint32_t left = through & alive; left != 0; left &= left - 1)
            if (!end_segment(&b, (uint32_t)__builtin_ctz(left)))
                alive &= ~(left & -left);
    }
}

#endif
