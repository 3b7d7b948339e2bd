/* One ray's way, the text of plain.c and avx2.c: boxes and triangles in lanes. */
#pragma once

#include "sim/base/alloc.h"
#include "workloads/hierarchy/walk/ways.h"
#include "workloads/optics/lanes.h"

#include <math.h>

#define MARGIN   (1.0f + 0x1p-16f)
#define SHORT_OF (1.0f - 0x1p-16f)

/* A little beyond a distance of either sign. */
LANES_INLINE float beyond(float distance) {
    return distance * (distance < 0 ? SHORT_OF : MARGIN);
}

/* A ray as the tests want it. */
typedef struct probe {
    float origin[3], direction[3], inverse[3];
    uint32_t near_row[3], far_row[3]; /* rows of a node's boxes: which side of a slab is entered */
    float begins;                     /* nothing is hit before it: 0, or -INFINITY */
    fs_unit_walk_hit best;            /* distance INFINITY: none so far */
} probe;

LANES_INLINE probe probe_of(const fs_unit_walk_ray *ray, bool behind) {
    probe p = {.begins = behind ? -INFINITY : 0,
               .best = {.distance = INFINITY, .triangle = FS_UNIT_WALK_MISS}};
    for (uint32_t a = 0; a < 3; a++) {
        p.origin[a] = ray->origin[a];
        p.direction[a] = ray->direction[a];
        p.inverse[a] = 1.0f / ray->direction[a];
        p.near_row[a] = signbit(ray->direction[a]) ? 3 + a : a;
        p.far_row[a] = signbit(ray->direction[a]) ? a : 3 + a;
    }
    return p;
}

LANES_INLINE fs_unit_walk_hit hit_of(const probe *p) {
    return p->best.triangle == FS_UNIT_WALK_MISS ? (fs_unit_walk_hit){.triangle = FS_UNIT_WALK_MISS}
                                                 : p->best;
}

/* Where the ray leaves a leaf's cell; INFINITY where leaves have none. */
LANES_INLINE float leaves_cell_at(const fs_hierarchy *tree, const probe *p, uint32_t first) {
    float leaves = INFINITY;
    if (tree->cell != NULL)
        for (int a = 0; a < 3; a++) {
            const float t = (tree->cell[first][p->far_row[a]] - p->origin[a]) * p->inverse[a];
            leaves = t < leaves ? t : leaves;
        }
    return beyond(leaves);
}

/* ---- tests ---- */

/* Distances of the boxes of a node that the ray hits no farther than `limit`; returns their bits. Lanes beyond
 * the node's width read the next row, or the pads behind the last node. */
LANES_INLINE uint32_t boxes(const fs_hierarchy *tree, const probe *p, uint32_t node, float limit,
                            float distance[FS_HIERARCHY_WIDTH]) {
    const uint32_t width = tree->width;
    const float *box = tree->box + (size_t)node * 6 * width;
    uint32_t hit = 0;
    for (uint32_t i = 0; i < width; i += LANE_COUNT) {
        floats enters = all(p->begins), leaves = all(INFINITY);
        for (uint32_t a = 0; a < 3;
             a++) { /* a slab that the ray lies in gives no number, and is passed over */
            const floats near = load(box + p->near_row[a] * width + i),
                         far = load(box + p->far_row[a] * width + i);
            enters = larger((near - p->origin[a]) * p->inverse[a], enters);
            leaves = smaller((far - p->origin[a]) * p->inverse[a], leaves);
        }
        store(distance + i, enters);
        hit |= bits_of((enters <= larger(leaves * MARGIN, leaves * SHORT_OF)) & (enters <= limit)) << i;
    }
    return hit & (((uint32_t)1 << width) - 1);
}

LANES_INLINE vec3 cross(vec3 a, vec3 b) {
    return (vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
LANES_INLINE vec3 edge_of(const fs_hierarchy *tree, uint32_t row, uint32_t slot) {
    return (vec3){load(tree->edge[row] + slot), load(tree->edge[row + 1] + slot),
                  load(tree->edge[row + 2] + slot)};
}

/* Triangles from slot `first` on, of which the lanes in `bits` count. */
LANES_INLINE void triangles_beside(const fs_hierarchy *tree, probe *p, uint32_t first, uint32_t bits,
                                   float limit) {
    const vec3 v = edge_of(tree, FS_EDGE_CORNER, first), e = edge_of(tree, FS_EDGE_FIRST, first),
               f = edge_of(tree, FS_EDGE_SECOND, first),
               d = {all(p->direction[0]), all(p->direction[1]), all(p->direction[2])},
               to = {p->origin[0] - v.x, p->origin[1] - v.y, p->origin[2] - v.z};
    const vec3 across = cross(d, f), q = cross(to, e);
    const floats inverse = 1.0f / dot(across, e), u = dot(across, to) * inverse, w = dot(q, d) * inverse,
                 t = dot(q, f) * inverse;
    const ints in = (u >= 0.0f) & (w >= 0.0f) & (u + w <= 1.0f) & (t > p->begins) & (t <= limit) &
                    (t <= p->best.distance);
    for (uint32_t hit = bits_of(in) & bits; hit != 0; hit &= hit - 1) {
        const uint32_t i = (uint32_t)__builtin_ctz(hit), triangle = tree->triangle[first + i];
        if (t[i] < p->best.distance || (t[i] == p->best.distance && triangle < p->best.triangle))
            p->best = (fs_unit_walk_hit){t[i], u[i], w[i], triangle};
    }
}

/* Tests triangles of slots [first, first + count), at most FS_REFERENCE_LEAF; hits up to `limit` that are
 * nearer than p->best replace it. */
LANES_INLINE void triangles(const fs_hierarchy *tree, probe *p, uint32_t first, uint32_t count, float limit) {
    for (uint32_t i = 0; i < count; i += LANE_COUNT)
        triangles_beside(tree, p, first + i,
                         count - i < LANE_COUNT ? ((uint32_t)1 << (count - i)) - 1 : UINT32_MAX, limit);
}

/* fs_queue_farther: counts where the queue is short; its entries have room for whole vectors. */
LANES_INLINE uint32_t farther(const fs_unit_queue *q, uint64_t entry) {
#if defined(LANES_ARE_AVX2)
    enum { SHORT = 64 };
    if (q->count > SHORT)
        return fs_queue_farther(q, entry);
    const __m256i equal = _mm256_set1_epi64x((long long)(entry | UINT32_MAX));
    uint32_t place = 0;
    for (uint32_t i = 0; i < q->count; i += 4) {
        const __m256i four = _mm256_loadu_si256((const __m256i *)(q->entry + i));
        uint32_t more = (uint32_t)_mm256_movemask_pd(_mm256_castsi256_pd(_mm256_cmpgt_epi64(four, equal)));
        if (q->count - i < 4)
            more &= ((uint32_t)1 << (q->count - i)) - 1;
        place += (uint32_t)__builtin_popcount(more);
    }
    return place;
#else
    return fs_queue_farther(q, entry);
#endif
}

/* ---- the engine's way ---- */

LANES_INLINE void note(fs_unit_walk_desk *d, fs_unit_walk_request request) {
    if (d->requests == d->request_room) {
        d->request_room = d->request_room == 0 ? 4096 : 2 * d->request_room;
        d->request = fs_realloc(d->request, d->request_room * sizeof *d->request);
    }
    d->request[d->requests++] = request;
}

LANES_INLINE void make_room(fs_unit_queue *q, uint32_t more) {
    if (q->capacity == UINT32_MAX && q->count + more > q->room) {
        q->room = 2 * (q->count + more);
        q->entry = fs_realloc(q->entry, ((size_t)q->room + FS_UNIT_WALK_QUEUE_PAD) * sizeof *q->entry);
    }
}

/* Children of a node into the queue. */
LANES_INLINE void put_children(const fs_hierarchy *tree, const probe *p, uint32_t id, float limit,
                               fs_unit_queue *q, fs_unit_walk_request *request) {
    float distance[FS_HIERARCHY_WIDTH];
    const uint32_t *child = tree->child + (size_t)id * tree->width;
    make_room(q, tree->width);
    for (uint32_t hit = boxes(tree, p, id, limit, distance); hit != 0; hit &= hit - 1) {
        const uint32_t i = (uint32_t)__builtin_ctz(hit);
        const uint64_t entry = fs_queue_entry(distance[i], child[i]);
        request->inserted++;
        request->lost = (uint8_t)(request->lost + fs_queue_put(q, entry, farther(q, entry)));
    }
}

LANES static void walk_one(const fs_hierarchy *tree, const fs_unit_walk_ray *ray,
                           const fs_unit_walk_rules *rules, fs_unit_walk_desk *d, fs_unit_walk_end *end) {
    probe p = probe_of(ray, rules->behind);
    fs_unit_queue *q = &d->queue;
    *end = (fs_unit_walk_end){.most = 1};
    q->count = 0;
    make_room(q, 1);
    q->entry[q->count++] = fs_queue_entry(0, FS_REFERENCE_ROOT);
    while (q->count > 0) {
        const uint64_t next = q->entry[q->count - 1];
        const float limit = beyond(p.best.distance); /* INFINITY until a hit */
        if (fs_queue_distance(next) > limit)
            break;
        q->count--;
        const uint32_t reference = (uint32_t)next;
        fs_unit_walk_request request = {.reference = reference};
        if (fs_encoded_is_leaf(reference)) {
            const uint32_t first = fs_encoded_first(reference);
            triangles(tree, &p, first, fs_encoded_count(reference), leaves_cell_at(tree, &p, first));
        } else {
            put_children(tree, &p, fs_encoded_id(reference), limit, q, &request);
        }
        request.held = (uint16_t)(q->count < UINT16_MAX ? q->count : UINT16_MAX);
        end->lost += request.lost;
        end->most = q->count > end->most ? q->count : end->most;
        note(d, request);
        if (d->requests % FS_UNIT_WALK_LOOK == 0 && fs_unit_walk_over(d))
            break;
        if (rules->stop == FS_UNIT_WALK_FIRST && p.best.triangle != FS_UNIT_WALK_MISS)
            break;
    }
    end->left = q->count;
    end->hit = hit_of(&p);
}

/* ---- the processor's way ---- */

LANES static void walk_down(const fs_hierarchy *tree, const fs_unit_walk_ray *ray, uint32_t *stack,
                            fs_unit_walk_hit *hit, fs_unit_walk_visits *visits) {
    probe p = probe_of(ray, false);
    uint32_t count = 0;
    stack[count++] = FS_REFERENCE_ROOT;
    while (count > 0) {
        const uint32_t reference = stack[--count];
        if (fs_encoded_is_leaf(reference)) {
            const uint32_t first = fs_encoded_first(reference);
            triangles(tree, &p, first, fs_encoded_count(reference), leaves_cell_at(tree, &p, first));
            visits->leaves++;
            continue;
        }
        float distance[FS_HIERARCHY_WIDTH];
        const uint32_t id = fs_encoded_id(reference);
        const uint32_t *child = tree->child + (size_t)id * tree->width;
        visits->nodes++;
        for (uint32_t in = boxes(tree, &p, id, beyond(p.best.distance), distance); in != 0; in &= in - 1)
            stack[count++] = child[__builtin_ctz(in)];
    }
    *hit = hit_of(&p);
}

LANES static void walk_every(const fs_hierarchy *tree, const fs_unit_walk_ray *ray, fs_unit_walk_hit *hit) {
    probe p = probe_of(ray, false);
    for (uint32_t slot = 0; slot < tree->slots; slot += FS_REFERENCE_LEAF) {
        const uint32_t left = tree->slots - slot;
        triangles(tree, &p, slot, left < FS_REFERENCE_LEAF ? left : FS_REFERENCE_LEAF, INFINITY);
    }
    *hit = hit_of(&p);
}
