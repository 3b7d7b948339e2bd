/* The search for hits of rays side by side, a text of who walks many: boxes and triangles in lanes. The rays are in
 * groups of lanes, so that one group hides what another waits for; each walks the nodes [node, end) by itself.
 *
 *     begin_search(&s, walk);
 *     aim(&s, p, &ray, INFINITY);          // and its nodes: each(s.node)[p] = root, each(s.end)[p]
 *     do { test_boxes(&s); test_leaves(&s); } while (...);           // until through(&s) has p's bit
 *     s.hit[p].leaf, s.ray[p].t, s.ends[p], each(s.inner)[p]         // what was found and counted
 */
#pragma once

#include "workloads/optics/lanes.h"
#include "workloads/paths/walk/step.h"

/* Tests of triangles in lanes, a text of search.h. */

/* What the test of a triangle asks of a ray. */
typedef struct turned_ray {
    float origin[3], t; /* along kx, ky, kz; the nearest hit so far */
    float shear[3];     /* of x, y, and the scale of z */
    uint32_t kz;
} turned_ray;
_Static_assert(sizeof(turned_ray) == 32, "two turns of four numbers");

typedef enum triangle_end { AT_EDGE, BEHIND, TOO_NEAR, MET, TRIANGLE_ENDS } triangle_end;

static inline turned_ray turned_for(const fs_walk_ray *ray, float nearest) {
    return (turned_ray){.origin = {ray->origin[ray->kx], ray->origin[ray->ky], ray->origin[ray->kz]},
                        .t = nearest,
                        .shear = {ray->shear[0], ray->shear[1], ray->shear[2]},
                        .kz = ray->kz};
}

/* Rays in the frames of their triangle tests. */
typedef struct rays {
    columns origin, shear; /* w: t and kz */
    ints is_x, is_y;       /* kz */
} rays;

/* of: turned_ray. */
LANES_INLINE rays rays_of(const float *const of[LANE_COUNT]) {
    rays ray = {.origin = turned(of, 0), .shear = turned(of, 4)};
    ray.is_x = (ints)ray.shear.w == 0;
    ray.is_y = (ints)ray.shear.w == 1;
    return ray;
}

/* A corner in the sheared frame of each ray. */
LANES_INLINE vec3 sheared(const rays *r, columns p) {
    const floats x = pick(r->is_x, p.y, pick(r->is_y, p.z, p.x)) - r->origin.x,
                 y = pick(r->is_x, p.z, pick(r->is_y, p.x, p.y)) - r->origin.y,
                 z = pick(r->is_x, p.x, pick(r->is_y, p.y, p.z)) - r->origin.z;
    return (vec3){x + r->shear.x * z, y + r->shear.y * z, z};
}

LANES_INLINE floats largest(floats a, floats b, floats c) {
    return larger(larger(magnitude(a), magnitude(b)), magnitude(c));
}

/* Watertight: Woop, Benthin and Wald, 2013, as in PBRT 3, section 3.6.2, without its second try in double
 * precision. Distances, ends of the tests, and how much of a hit is each corner's. */
LANES_INLINE floats test_triangles(const rays *ray, const float *const record[LANE_COUNT], ints *ends,
                                   floats share[3]) {
    const vec3 p = sheared(ray, turned(record, 0)), q = sheared(ray, turned(record, 4)),
               r = sheared(ray, turned(record, 8));
    const floats e0 = q.x * r.y - q.y * r.x, e1 = r.x * p.y - r.y * p.x, e2 = p.x * q.y - p.y * q.x;
    const floats det = e0 + e1 + e2, scale = ray->shear.z;
    const ints below = (e0 < 0.0f) | (e1 < 0.0f) | (e2 < 0.0f),
               above = (e0 > 0.0f) | (e1 > 0.0f) | (e2 > 0.0f), aside = (below & above) | (det == 0.0f);
    const floats pz = p.z * scale, qz = q.z * scale, rz = r.z * scale, scaled = e0 * pz + e1 * qz + e2 * rz;
    const ints behind = ((det < 0.0f) & (scaled >= 0.0f)) | ((det > 0.0f) & (scaled <= 0.0f));
    const floats inverse = 1.0f / det, t = scaled * inverse;
    const floats z = largest(pz, qz, rz), x = largest(p.x, q.x, r.x), y = largest(p.y, q.y, r.y),
                 e = largest(e0, e1, e2);
    const floats delta_z = FS_WALK_GAMMA(3) * z, delta_x = FS_WALK_GAMMA(5) * (x + z),
                 delta_y = FS_WALK_GAMMA(5) * (y + z);
    const floats delta_e = 2.0f * (FS_WALK_GAMMA(2) * x * y + delta_y * x + delta_x * y);
    const floats delta_t = 3.0f * (FS_WALK_GAMMA(3) * e * z + delta_e * z + delta_z * e) * magnitude(inverse);
    *ends = pick_ints(t > delta_t, all_ints(MET), all_ints(TOO_NEAR));
    *ends = pick_ints(aside, all_ints(AT_EDGE), pick_ints(behind, all_ints(BEHIND), *ends));
    share[0] = e0 * inverse;
    share[1] = e1 * inverse;
    share[2] = e2 * inverse;
    return t;
}

/* Boxes are tested until fewer than KEEP rays have one to test, then all leaves that wait: rays that wait cost less
 * than lanes that are empty. MOST_STEPS keeps the packed counters from overflowing. */
enum { PATHS = 32, GROUPS = PATHS / LANE_COUNT, KEEP = 23, MOST_STEPS = 1000 };

typedef struct search {
    floats origin[3][GROUPS], inverse[3][GROUPS], t[GROUPS];
    words node[GROUPS], end[GROUPS]; /* the same: none to test */
    words leaf[GROUPS];              /* to be tested; FS_WALK_NO_LEAF: none */
    words resume[GROUPS];            /* node behind that leaf */
    words packed[GROUPS]; /* of this round: axes passed but the last, inner nodes << 11, nodes << 21 */
    /* counted since who asks set them to zero */
    words nodes[GROUPS], axes[GROUPS], inner[GROUPS], leaves[GROUPS];
    uint32_t ends[PATHS][TRIANGLE_ENDS];
    turned_ray ray[PATHS];
    fs_walk_hit hit[PATHS];          /* but for its t */
    const fs_walk_ray *whole[PATHS]; /* the ray, and where spheres and discs count: */
    uint32_t *row[PATHS];            /* [FS_WALK_EVENTS] */
    const fs_walk_scene *walk;
} search;

/* ---- boxes ---- */

LANES_INLINE void slab(floats origin, floats inverse, floats low, floats high, floats *t0, floats *t1) {
    const floats one = (low - origin) * inverse, two = (high - origin) * inverse;
    *t0 = larger(smaller(one, two), *t0);
    *t1 = smaller(larger(one, two) * FS_WALK_WIDEN, *t1);
}

/* One box of each lane of group g that has one. Returns how many have one afterwards. */
LANES_INLINE int step(search *b, uint32_t g, const fs_walk_node *nodes) {
    const float *record[LANE_COUNT];
    for (uint32_t l = 0; l < LANE_COUNT; l++)
        record[l] = nodes[each(&b->node[g])[l]].low;
    const columns low = turned(record, 0), high = turned(record, 4);
    const words node = b->node[g], end = b->end[g], skip = (words)low.w, leaf = (words)high.w;
    floats t0 = all(0), t1 = b->t[g];
    slab(b->origin[0][g], b->inverse[0][g], low.x, high.x, &t0, &t1);
    const ints idle = node == end, first = ~idle & ~(t0 > t1);
    slab(b->origin[1][g], b->inverse[1][g], low.y, high.y, &t0, &t1);
    const ints second = first & ~(t0 > t1);
    slab(b->origin[2][g], b->inverse[2][g], low.z, high.z, &t0, &t1);
    const ints in = second & ~(t0 > t1), is_inner = leaf == FS_WALK_NO_LEAF, down = in & is_inner,
               met = in & ~is_inner;
    b->packed[g] -= (words)(first + second + (down << 11) + (~idle << 21));
    b->leaf[g] = pick_words(met, leaf, b->leaf[g]);
    b->resume[g] = pick_words(met, skip, b->resume[g]);
    b->node[g] = pick_words(met | idle, end, pick_words(down, node + 1, skip));
    return LANE_COUNT - __builtin_popcount(bits_of(b->node[g] == end));
}

LANES_INLINE void test_boxes(search *b) {
    const fs_walk_node *nodes = b->walk->node;
    int busy = PATHS;
    for (int n = 0; n < MOST_STEPS && busy >= KEEP; n++) {
        busy = 0;
        for (uint32_t g = 0; g < GROUPS; g++)
            busy += step(b, g, nodes);
    }
    for (uint32_t g = 0; g < GROUPS; g++) {
        b->axes[g] += b->packed[g] & 0x7ff;
        b->inner[g] += b->packed[g] >> 11 & 0x3ff;
        b->nodes[g] += b->packed[g] >> 21;
        b->packed[g] = all_words(0);
    }
}

/* ---- triangles ---- */

/* Of two at one distance the lower leaf's is: so the nearest hit depends on no order of tests. */
static inline bool is_nearer(const search *b, uint32_t p, float t, uint32_t leaf) {
    return t < b->ray[p].t || (t == b->ray[p].t && leaf < b->hit[p].leaf);
}

/* The triangles that `count` paths wait for, at most a vector of them; other lanes repeat the first. */
LANES_INLINE void test_waiting(search *b, const uint32_t path[LANE_COUNT], uint32_t count) {
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
    const uint32_t met = bits_of((ends == MET) & (t <= ray.origin.w));
    for (uint32_t i = 0; i < count; i++)
        b->ends[path[i]][ends[i]]++;
    for (uint32_t hits = met & ((1u << count) - 1); hits != 0; hits &= hits - 1) {
        const uint32_t i = (uint32_t)__builtin_ctz(hits), p = path[i], leaf = each(b->leaf)[p];
        if (is_nearer(b, p, t[i], leaf)) {
            each(b->t)[p] = b->ray[p].t = t[i];
            b->hit[p] = (fs_walk_hit){.leaf = leaf, .share = {share[0][i], share[1][i], share[2][i]}};
        }
    }
}

static inline void test_round(search *b, const fs_walk_leaf *leaf, uint32_t p) {
    const float t = fs_walk_test_round(leaf, b->whole[p], b->row[p]);
    if (is_nearer(b, p, t, each(b->leaf)[p])) {
        each(b->t)[p] = b->ray[p].t = t;
        b->hit[p].leaf = each(b->leaf)[p];
    }
}

/* All at once: a large scene's are far away. */
LANES_INLINE void fetch_leaves(const search *b) {
    for (uint32_t g = 0; g < GROUPS; g++)
        for (uint32_t left = bits_of(b->leaf[g] != FS_WALK_NO_LEAF); left != 0; left &= left - 1)
            __builtin_prefetch(&b->walk->leaf[each(&b->leaf[g])[__builtin_ctz(left)]]);
}

/* Tests every leaf that waits, and sends the paths on. */
LANES_INLINE void test_leaves(search *b) {
    uint32_t path[LANE_COUNT], count = 0;
    fetch_leaves(b);
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

/* ---- rays ---- */

/* Ray p of the batch, whose hits farther than `nearest` are of no interest; it has no nodes to walk. */
static inline void aim(search *b, uint32_t p, const fs_walk_ray *ray, float nearest) {
    for (int a = 0; a < 3; a++) {
        each(b->origin[a])[p] = ray->origin[a];
        each(b->inverse[a])[p] = ray->inverse[a];
    }
    b->whole[p] = ray;
    b->ray[p] = turned_for(ray, nearest);
    each(b->t)[p] = nearest;
    b->hit[p].leaf = FS_WALK_NO_LEAF;
}

static inline void forget_counts(search *b, uint32_t p) {
    memset(b->ends[p], 0, sizeof b->ends[p]);
    each(b->nodes)[p] = each(b->axes)[p] = each(b->inner)[p] = each(b->leaves)[p] = 0;
}

LANES_INLINE void begin_search(search *b, const fs_walk_scene *walk) {
    memset(b, 0, sizeof *b);
    b->walk = walk;
    for (uint32_t g = 0; g < GROUPS; g++)
        b->leaf[g] = all_words(FS_WALK_NO_LEAF);
}

/* A bit for each ray that has no node left to test. */
LANES_INLINE uint32_t through(const search *b) {
    uint32_t bits = 0;
    for (uint32_t g = 0; g < GROUPS; g++)
        bits |= bits_of(b->node[g] == b->end[g]) << g * LANE_COUNT;
    return bits;
}
