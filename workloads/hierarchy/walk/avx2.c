/* The tests of plain.c with four or eight lanes: the same operations in the same order, so the same bits. */
#include "workloads/hierarchy/walk/core.h"

#if defined(__x86_64__)

#include <immintrin.h>

#define AVX2        __attribute__((target("avx2")))
#define AVX2_INLINE __attribute__((target("avx2"), always_inline)) static inline

/* ---- boxes ---- */

AVX2_INLINE uint32_t boxes4(const float *box, uint32_t width, const fs_unit_walk_probe *p, float limit,
                            float *distance) {
    __m128 enters = _mm_setzero_ps(), leaves = _mm_set1_ps(INFINITY);
    for (uint32_t a = 0; a < 3; a++) {
        const __m128 o = _mm_set1_ps(p->origin[a]), inverse = _mm_set1_ps(p->inverse[a]);
        const __m128 near = _mm_loadu_ps(box + p->near_row[a] * width),
                     far = _mm_loadu_ps(box + p->far_row[a] * width);
        enters = _mm_max_ps(_mm_mul_ps(_mm_sub_ps(near, o), inverse), enters);
        leaves = _mm_min_ps(_mm_mul_ps(_mm_sub_ps(far, o), inverse), leaves);
    }
    _mm_storeu_ps(distance, enters);
    const __m128 in = _mm_cmple_ps(enters, _mm_mul_ps(leaves, _mm_set1_ps(FS_UNIT_WALK_MARGIN))),
                 on_way = _mm_cmple_ps(enters, _mm_set1_ps(limit));
    return (uint32_t)_mm_movemask_ps(_mm_and_ps(in, on_way));
}

AVX2_INLINE uint32_t boxes8(const float *box, uint32_t width, const fs_unit_walk_probe *p, float limit,
                            float *distance) {
    __m256 enters = _mm256_setzero_ps(), leaves = _mm256_set1_ps(INFINITY);
    for (uint32_t a = 0; a < 3; a++) {
        const __m256 o = _mm256_set1_ps(p->origin[a]), inverse = _mm256_set1_ps(p->inverse[a]);
        const __m256 near = _mm256_loadu_ps(box + p->near_row[a] * width),
                     far = _mm256_loadu_ps(box + p->far_row[a] * width);
        enters = _mm256_max_ps(_mm256_mul_ps(_mm256_sub_ps(near, o), inverse), enters);
        leaves = _mm256_min_ps(_mm256_mul_ps(_mm256_sub_ps(far, o), inverse), leaves);
    }
    _mm256_storeu_ps(distance, enters);
    const __m256 in = _mm256_cmp_ps(enters, _mm256_mul_ps(leaves, _mm256_set1_ps(FS_UNIT_WALK_MARGIN)),
                                    _CMP_LE_OS),
                 on_way = _mm256_cmp_ps(enters, _mm256_set1_ps(limit), _CMP_LE_OS);
    return (uint32_t)_mm256_movemask_ps(_mm256_and_ps(in, on_way));
}

AVX2_INLINE uint32_t boxes(const fs_hierarchy *tree, const fs_unit_walk_probe *p, uint32_t node, float limit,
                           float distance[FS_HIERARCHY_WIDTH]) {
    const uint32_t width = tree->width;
    const float *box = tree->box + (size_t)node * 6 * width;
    if (width == 4)
        return boxes4(box, 4, p, limit, distance);
    if (width == 8)
        return boxes8(box, 8, p, limit, distance);
    if (width == 2) /* four lanes read two of the next row, or of the pad behind the last node */
        return boxes4(box, 2, p, limit, distance) & 3;
    const uint32_t low = boxes8(box, 16, p, limit, distance);
    return low | boxes8(box + 8, 16, p, limit, distance + 8) << 8;
}

/* ---- triangles ---- */

/* Of the lanes that were hit those that are nearer than the best so far, in the order of the leaf. */
AVX2_INLINE void take(const fs_hierarchy *tree, fs_unit_walk_probe *p, uint32_t first, uint32_t hit,
                      const float *t, const float *u, const float *w) {
    for (; hit != 0; hit &= hit - 1) {
        const uint32_t i = (uint32_t)__builtin_ctz(hit), triangle = tree->triangle[first + i];
        if (t[i] < p->best.distance || (t[i] == p->best.distance && triangle < p->best.triangle))
            p->best = (fs_unit_walk_hit){t[i], u[i], w[i], triangle};
    }
}

/* Q = a x b, and a . b. */
#define CROSS4(x, a, b)                                                                                      \
    _mm_sub_ps(_mm_mul_ps(a[(x + 1) % 3], b[(x + 2) % 3]), _mm_mul_ps(a[(x + 2) % 3], b[(x + 1) % 3]))
#define DOT4(a, b)                                                                                           \
    _mm_add_ps(_mm_add_ps(_mm_mul_ps(a[0], b[0]), _mm_mul_ps(a[1], b[1])), _mm_mul_ps(a[2], b[2]))

AVX2_INLINE void triangles4(const fs_hierarchy *tree, fs_unit_walk_probe *p, uint32_t first, uint32_t lanes,
                            float limit) {
    __m128 d[3], e[3], f[3], t[3];
    for (int a = 0; a < 3; a++) {
        d[a] = _mm_set1_ps(p->direction[a]);
        e[a] = _mm_loadu_ps(tree->edge[FS_EDGE_FIRST + a] + first);
        f[a] = _mm_loadu_ps(tree->edge[FS_EDGE_SECOND + a] + first);
        t[a] = _mm_sub_ps(_mm_set1_ps(p->origin[a]), _mm_loadu_ps(tree->edge[FS_EDGE_CORNER + a] + first));
    }
    const __m128 one = _mm_set1_ps(1), zero = _mm_setzero_ps();
    const __m128 cross[3] = {CROSS4(0, d, f), CROSS4(1, d, f), CROSS4(2, d, f)};
    const __m128 inverse = _mm_div_ps(one, DOT4(cross, e)), u = _mm_mul_ps(DOT4(cross, t), inverse);
    const __m128 q[3] = {CROSS4(0, t, e), CROSS4(1, t, e), CROSS4(2, t, e)};
    const __m128 w = _mm_mul_ps(DOT4(q, d), inverse), at = _mm_mul_ps(DOT4(q, f), inverse);
    __m128 in = _mm_and_ps(_mm_cmpge_ps(u, zero), _mm_cmpge_ps(w, zero));
    in = _mm_and_ps(in, _mm_and_ps(_mm_cmple_ps(_mm_add_ps(u, w), one), _mm_cmpgt_ps(at, zero)));
    in = _mm_and_ps(in, _mm_and_ps(_mm_cmple_ps(at, _mm_set1_ps(limit)),
                                   _mm_cmple_ps(at, _mm_set1_ps(p->best.distance))));
    const uint32_t hit = (uint32_t)_mm_movemask_ps(in) & lanes;
    if (hit == 0)
        return;
    float ts[4], us[4], ws[4];
    _mm_storeu_ps(ts, at);
    _mm_storeu_ps(us, u);
    _mm_storeu_ps(ws, w);
    take(tree, p, first, hit, ts, us, ws);
}

#define CROSS8(x, a, b)                                                                                      \
    _mm256_sub_ps(_mm256_mul_ps(a[(x + 1) % 3], b[(x + 2) % 3]),                                             \
                  _mm256_mul_ps(a[(x + 2) % 3], b[(x + 1) % 3]))
#define DOT8(a, b)                                                                                           \
    _mm256_add_ps(_mm256_add_ps(_mm256_mul_ps(a[0], b[0]), _mm256_mul_ps(a[1], b[1])),                       \
                  _mm256_mul_ps(a[2], b[2]))
#define BOTH(a, b)         _mm256_and_ps(a, b)
#define COMPARE(a, how, b) _mm256_cmp_ps(a, b, _CMP_##how##_OS)

AVX2_INLINE void triangles8(const fs_hierarchy *tree, fs_unit_walk_probe *p, uint32_t first, uint32_t lanes,
                            float limit) {
    __m256 d[3], e[3], f[3], t[3];
    for (int a = 0; a < 3; a++) {
        d[a] = _mm256_set1_ps(p->direction[a]);
        e[a] = _mm256_loadu_ps(tree->edge[FS_EDGE_FIRST + a] + first);
        f[a] = _mm256_loadu_ps(tree->edge[FS_EDGE_SECOND + a] + first);
        t[a] = _mm256_sub_ps(_mm256_set1_ps(p->origin[a]),
                             _mm256_loadu_ps(tree->edge[FS_EDGE_CORNER + a] + first));
    }
    const __m256 one = _mm256_set1_ps(1), zero = _mm256_setzero_ps();
    const __m256 cross[3] = {CROSS8(0, d, f), CROSS8(1, d, f), CROSS8(2, d, f)};
    const __m256 inverse = _mm256_div_ps(one, DOT8(cross, e)), u = _mm256_mul_ps(DOT8(cross, t), inverse);
    const __m256 q[3] = {CROSS8(0, t, e), CROSS8(1, t, e), CROSS8(2, t, e)};
    const __m256 w = _mm256_mul_ps(DOT8(q, d), inverse), at = _mm256_mul_ps(DOT8(q, f), inverse);
    __m256 in = BOTH(COMPARE(u, GE, zero), COMPARE(w, GE, zero));
    in = BOTH(in, BOTH(COMPARE(_mm256_add_ps(u, w), LE, one), COMPARE(at, GT, zero)));
    in = BOTH(
        in, BOTH(COMPARE(at, LE, _mm256_set1_ps(limit)), COMPARE(at, LE, _mm256_set1_ps(p->best.distance))));
    const uint32_t hit = (uint32_t)_mm256_movemask_ps(in) & lanes;
    if (hit == 0)
        return;
    float ts[8], us[8], ws[8];
    _mm256_storeu_ps(ts, at);
    _mm256_storeu_ps(us, u);
    _mm256_storeu_ps(ws, w);
    take(tree, p, first, hit, ts, us, ws);
}

AVX2_INLINE void triangles(const fs_hierarchy *tree, fs_unit_walk_probe *p, uint32_t first, uint32_t count,
                           float limit) {
    if (count <= 4) {
        triangles4(tree, p, first, ((uint32_t)1 << count) - 1, limit);
        return;
    }
    for (uint32_t i = 0; i < count; i += 8)
        triangles8(tree, p, first + i, count - i < 8 ? ((uint32_t)1 << (count - i)) - 1 : 0xff, limit);
}

/* ---- places in a queue ---- */

/* Counts where the queue is short; its entries have room for whole vectors. */
AVX2_INLINE uint32_t farther(const fs_unit_queue *q, uint64_t entry) {
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
}

/* ---- ways ---- */

static const fs_unit_walk_tests tests = {boxes, triangles, farther};

AVX2 static void walk(const fs_hierarchy *tree, const fs_unit_walk_ray *ray, fs_unit_walk_stop stop,
                      fs_unit_walk_desk *desk, fs_unit_walk_end *end) {
    fs_unit_walk_one(tree, ray, stop, desk, end, &tests);
}

AVX2 static void depth_first(const fs_hierarchy *tree, const fs_unit_walk_ray *ray, uint32_t *stack,
                             fs_unit_walk_hit *hit, fs_unit_walk_visits *visits) {
    fs_unit_walk_down(tree, ray, stack, hit, visits, &tests);
}

AVX2 static void brute(const fs_hierarchy *tree, const fs_unit_walk_ray *ray, fs_unit_walk_hit *hit) {
    fs_unit_walk_every(tree, ray, hit, &tests);
}

const fs_unit_walk_ways *fs_unit_walk_avx2(void) {
    static const fs_unit_walk_ways ways = {walk, depth_first, brute};
    return __builtin_cpu_supports("avx2") ? &ways : NULL;
}

#else

const fs_unit_walk_ways *fs_unit_walk_avx2(void) {
    return NULL;
}

#endif
