/* Private to workloads/hierarchy/walk: one ray's way, once for plain C and once for vectors. What they do not
 * share are the three tests of fs_unit_walk_tests, given as constants, so that compilers put them in place.
 */
#ifndef FOAMSIM_WORKLOADS_HIERARCHY_WALK_CORE_H
#define FOAMSIM_WORKLOADS_HIERARCHY_WALK_CORE_H

#include "sim/base/alloc.h"
#include "workloads/hierarchy/walk/queue.h"
#include "workloads/hierarchy/walk/walk.h"

#include <math.h>

#define FS_UNIT_WALK_INLINE __attribute__((always_inline)) static inline
#define FS_UNIT_WALK_MARGIN (1.0f + 0x1p-16f)
enum { FS_UNIT_WALK_QUEUE_PAD = 4 }; /* entries behind a queue that vectors may read */

/* A ray as the tests want it. */
typedef struct fs_unit_walk_probe {
    float origin[3], direction[3], inverse[3];
    uint32_t near_row[3], far_row[3]; /* rows of a node's boxes: which side of a slab is entered */
    fs_unit_walk_hit best;            /* distance INFINITY: none so far */
} fs_unit_walk_probe;

typedef struct fs_unit_walk_tests {
    /* Distances of the boxes of a node that the ray hits no farther than `limit`; returns their bits. */
    uint32_t (*boxes)(const fs_hierarchy *tree, const fs_unit_walk_probe *p, uint32_t node, float limit,
                      float distance[FS_HIERARCHY_WIDTH]);
    /* Tests triangles of slots [first, first + count), at most FS_REFERENCE_LEAF; hits up to `limit` that are
     * nearer than p->best replace it. */
    void (*triangles)(const fs_hierarchy *tree, fs_unit_walk_probe *p, uint32_t first, uint32_t count,
                      float limit);
    /* fs_queue_farther. */
    uint32_t (*farther)(const fs_unit_queue *q, uint64_t entry);
} fs_unit_walk_tests;

/* What a thread walks with. */
typedef struct fs_unit_walk_desk {
    fs_unit_queue queue;
    uint32_t *stack;               /* [depth x width] */
    fs_unit_walk_request *request; /* [request_room] heap: of the rays walked so far, one after the other */
    size_t requests, request_room;
    struct fs_unit_walk_watch *watch; /* of all threads */
} fs_unit_walk_desk;

/* Whether the walk ends here: somebody asked the process to, or it takes more than its rules bear. Asked each
 * FS_UNIT_WALK_LOOK requests of a thread. */
enum { FS_UNIT_WALK_LOOK = 1024 };
bool fs_unit_walk_over(const fs_unit_walk_desk *desk);

/* Ways of one ray, by plain C and by vectors. */
typedef struct fs_unit_walk_ways {
    void (*walk)(const fs_hierarchy *tree, const fs_unit_walk_ray *ray, fs_unit_walk_stop stop,
                 fs_unit_walk_desk *desk, fs_unit_walk_end *end);
    void (*depth_first)(const fs_hierarchy *tree, const fs_unit_walk_ray *ray, uint32_t *stack,
                        fs_unit_walk_hit *hit, fs_unit_walk_visits *visits);
    void (*brute)(const fs_hierarchy *tree, const fs_unit_walk_ray *ray, fs_unit_walk_hit *hit);
} fs_unit_walk_ways;
extern const fs_unit_walk_ways fs_unit_walk_plain;
const fs_unit_walk_ways *fs_unit_walk_avx2(void); /* NULL: this host has none */

FS_UNIT_WALK_INLINE fs_unit_walk_probe fs_unit_walk_probe_of(const fs_unit_walk_ray *ray) {
    fs_unit_walk_probe p = {.best = {.distance = INFINITY, .triangle = FS_UNIT_WALK_MISS}};
    for (uint32_t a = 0; a < 3; a++) {
        p.origin[a] = ray->origin[a];
        p.direction[a] = ray->direction[a];
        p.inverse[a] = 1.0f / ray->direction[a];
        p.near_row[a] = signbit(ray->direction[a]) ? 3 + a : a;
        p.far_row[a] = signbit(ray->direction[a]) ? a : 3 + a;
    }
    return p;
}

FS_UNIT_WALK_INLINE fs_unit_walk_hit fs_unit_walk_hit_of(const fs_unit_walk_probe *p) {
    return p->best.triangle == FS_UNIT_WALK_MISS ? (fs_unit_walk_hit){.triangle = FS_UNIT_WALK_MISS}
                                                 : p->best;
}

/* Where the ray leaves a leaf's cell; INFINITY where leaves have none. */
FS_UNIT_WALK_INLINE float fs_unit_walk_exit(const fs_hierarchy *tree, const fs_unit_walk_probe *p,
                                            uint32_t first) {
    float leaves = INFINITY;
    if (tree->cell != NULL)
        for (int a = 0; a < 3; a++) {
            const float t = (tree->cell[first][p->far_row[a]] - p->origin[a]) * p->inverse[a];
            leaves = t < leaves ? t : leaves;
        }
    return leaves * FS_UNIT_WALK_MARGIN;
}

/* ---- the engine's way ---- */

FS_UNIT_WALK_INLINE void fs_unit_walk_note(fs_unit_walk_desk *d, fs_unit_walk_request request) {
    if (d->requests == d->request_room) {
        d->request_room = d->request_room == 0 ? 4096 : 2 * d->request_room;
        d->request = fs_realloc(d->request, d->request_room * sizeof *d->request);
    }
    d->request[d->requests++] = request;
}

FS_UNIT_WALK_INLINE void fs_unit_walk_room(fs_unit_queue *q, uint32_t more) {
    if (q->capacity == UINT32_MAX && q->count + more > q->room) {
        q->room = 2 * (q->count + more);
        q->entry = fs_realloc(q->entry, ((size_t)q->room + FS_UNIT_WALK_QUEUE_PAD) * sizeof *q->entry);
    }
}

/* Children of a node into the queue. */
FS_UNIT_WALK_INLINE void fs_unit_walk_node(const fs_hierarchy *tree, const fs_unit_walk_probe *p,
                                           const fs_unit_walk_tests *tests, uint32_t id, float limit,
                                           fs_unit_queue *q, fs_unit_walk_request *request) {
    float distance[FS_HIERARCHY_WIDTH];
    const uint32_t *child = tree->child + (size_t)id * tree->width;
    fs_unit_walk_room(q, tree->width);
    for (uint32_t hit = tests->boxes(tree, p, id, limit, distance); hit != 0; hit &= hit - 1) {
        const uint32_t i = (uint32_t)__builtin_ctz(hit);
        const uint64_t entry = fs_queue_entry(distance[i], child[i]);
        request->inserted++;
        request->lost = (uint8_t)(request->lost + fs_queue_put(q, entry, tests->farther(q, entry)));
    }
}

FS_UNIT_WALK_INLINE void fs_unit_walk_one(const fs_hierarchy *tree, const fs_unit_walk_ray *ray,
                                          fs_unit_walk_stop stop, fs_unit_walk_desk *d, fs_unit_walk_end *end,
                                          const fs_unit_walk_tests *tests) {
    fs_unit_walk_probe p = fs_unit_walk_probe_of(ray);
    fs_unit_queue *q = &d->queue;
    *end = (fs_unit_walk_end){.most = 1};
    q->count = 0;
    fs_unit_walk_room(q, 1);
    q->entry[q->count++] = fs_queue_entry(0, FS_REFERENCE_ROOT);
    while (q->count > 0) {
        const uint64_t next = q->entry[q->count - 1];
        const float limit = p.best.distance * FS_UNIT_WALK_MARGIN; /* INFINITY until a hit */
        if (fs_queue_distance(next) > limit)
            break;
        q->count--;
        const uint32_t reference = (uint32_t)next;
        fs_unit_walk_request request = {.reference = reference};
        if (fs_encoded_is_leaf(reference)) {
            const uint32_t first = fs_encoded_first(reference);
            tests->triangles(tree, &p, first, fs_encoded_count(reference),
                             fs_unit_walk_exit(tree, &p, first));
        } else {
            fs_unit_walk_node(tree, &p, tests, fs_encoded_id(reference), limit, q, &request);
        }
        request.held = (uint16_t)(q->count < UINT16_MAX ? q->count : UINT16_MAX);
        end->lost += request.lost;
        end->most = q->count > end->most ? q->count : end->most;
        fs_unit_walk_note(d, request);
        if (d->requests % FS_UNIT_WALK_LOOK == 0 && fs_unit_walk_over(d))
            break;
        if (stop == FS_UNIT_WALK_FIRST && p.best.triangle != FS_UNIT_WALK_MISS)
            break;
    }
    end->left = q->count;
    end->hit = fs_unit_walk_hit_of(&p);
}

/* ---- the processor's way ---- */

FS_UNIT_WALK_INLINE void fs_unit_walk_down(const fs_hierarchy *tree, const fs_unit_walk_ray *ray,
                                           uint32_t *stack, fs_unit_walk_hit *hit,
                                           fs_unit_walk_visits *visits, const fs_unit_walk_tests *tests) {
    fs_unit_walk_probe p = fs_unit_walk_probe_of(ray);
    uint32_t count = 0;
    stack[count++] = FS_REFERENCE_ROOT;
    while (count > 0) {
        const uint32_t reference = stack[--count];
        if (fs_encoded_is_leaf(reference)) {
            const uint32_t first = fs_encoded_first(reference);
            tests->triangles(tree, &p, first, fs_encoded_count(reference),
                             fs_unit_walk_exit(tree, &p, first));
            visits->leaves++;
            continue;
        }
        float distance[FS_HIERARCHY_WIDTH];
        const uint32_t id = fs_encoded_id(reference);
        const uint32_t *child = tree->child + (size_t)id * tree->width;
        visits->nodes++;
        for (uint32_t in = tests->boxes(tree, &p, id, p.best.distance * FS_UNIT_WALK_MARGIN, distance);
             in != 0; in &= in - 1)
            stack[count++] = child[__builtin_ctz(in)];
    }
    *hit = fs_unit_walk_hit_of(&p);
}

FS_UNIT_WALK_INLINE void fs_unit_walk_every(const fs_hierarchy *tree, const fs_unit_walk_ray *ray,
                                            fs_unit_walk_hit *hit, const fs_unit_walk_tests *tests) {
    fs_unit_walk_probe p = fs_unit_walk_probe_of(ray);
    for (uint32_t slot = 0; slot < tree->slots; slot += FS_REFERENCE_LEAF) {
        const uint32_t left = tree->slots - slot;
        tests->triangles(tree, &p, slot, left < FS_REFERENCE_LEAF ? left : FS_REFERENCE_LEAF, INFINITY);
    }
    *hit = fs_unit_walk_hit_of(&p);
}

#endif
