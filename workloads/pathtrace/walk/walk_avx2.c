/* Paths eight at a time, two groups of them so that one hides what the other waits for: boxes and triangles
 * in vectors, ends of segments one by one with the plain definition. Every operation of a lane is that of the
 * plain definition, in its order, so the bits are the same. */
#include "workloads/pathtrace/walk/walk_private.h"

#include "sim/base/error.h"

#include <string.h>

#if defined(__x86_64__)

#include <immintrin.h>

#define AVX2        __attribute__((target("avx2")))
#define AVX2_INLINE __attribute__((target("avx2"), always_inline)) static inline

/* Boxes are tested until fewer than KEEP lanes have one to test, then all leaves that wait, then all segments
 * that are through: lanes that wait cost less than vectors that are half empty. MOST_STEPS keeps the packed
 * counters from overflowing. */
enum { EIGHT = 8, GROUPS = 4, LANES = EIGHT * GROUPS, KEEP = 23, MOST_STEPS = 16384 };

/* What the test of a triangle asks of a ray: the record of a lane. */
typedef struct turned_ray {
    float origin[3], t; /* along kx, ky, kz; the nearest hit so far */
    float shear[3];     /* of x, y, and the scale of z */
    uint32_t kz;
} turned_ray;
_Static_assert(sizeof(turned_ray) == 32, "two halves of a vector's turn");

typedef enum triangle_end { AT_EDGE, BEHIND, TOO_NEAR, MET, TRIANGLE_ENDS } triangle_end;

typedef struct lanes {
    float origin[3][LANES], inverse[3][LANES], t[LANES];
    uint32_t node[LANES];   /* the end's: none to test */
    uint32_t leaf[LANES];   /* to be tested; FS_WALK_NO_LEAF: none */
    uint32_t resume[LANES]; /* node behind that leaf */
    uint32_t packed[LANES]; /* axes passed but the last, and inner nodes << 16, of this round */
    turned_ray ray[LANES];
    uint32_t best[LANES];
    /* of the path so far */
    uint32_t axes[LANES], inner[LANES], leaves[LANES], ends[LANES][TRIANGLE_ENDS];
    fs_walk_state state[LANES];
    uint64_t path[LANES]; /* in the list; UINT64_MAX: no path */
    uint32_t *row[LANES];
    uint32_t spare[LANES][FS_WALK_EVENTS]; /* where nobody asks for counts */
} lanes;

typedef struct batch {
    const fs_walk_scene *walk;
    const fs_walk_params *params;
    const fs_walk_lens *lens;
    const fs_walk_key *list;
    uint64_t next, count;
    fs_walk_path *paths;
    uint32_t (*counts)[FS_WALK_EVENTS];
    uint32_t end; /* node that is none */
} batch;

/* ---- vectors ---- */

AVX2_INLINE __m256i ints(const uint32_t *from) {
    return _mm256_loadu_si256((const __m256i *)(const void *)from);
}

AVX2_INLINE void put_ints(uint32_t *to, __m256i v) {
    _mm256_storeu_si256((__m256i *)(void *)to, v);
}

AVX2_INLINE __m256 choose(__m256 no, __m256 yes, __m256 mask) {
    return _mm256_blendv_ps(no, yes, mask);
}

AVX2_INLINE __m256i choose_ints(__m256i no, __m256i yes, __m256 mask) {
    return _mm256_castps_si256(choose(_mm256_castsi256_ps(no), _mm256_castsi256_ps(yes), mask));
}

typedef struct columns {
    __m256 x, y, z, w;
} columns;

/* Four numbers of each of eight records, as four vectors. */
AVX2_INLINE columns turn(const float *const record[EIGHT], size_t at) {
    __m256 row[4];
    for (int i = 0; i < 4; i++)
        row[i] = _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(record[i] + at)),
                                      _mm_loadu_ps(record[i + 4] + at), 1);
    const __m256 xy = _mm256_unpacklo_ps(row[0], row[1]), zw = _mm256_unpackhi_ps(row[0], row[1]);
    const __m256 xy2 = _mm256_unpacklo_ps(row[2], row[3]), zw2 = _mm256_unpackhi_ps(row[2], row[3]);
    return (columns){_mm256_shuffle_ps(xy, xy2, 0x44), _mm256_shuffle_ps(xy, xy2, 0xee),
                     _mm256_shuffle_ps(zw, zw2, 0x44), _mm256_shuffle_ps(zw, zw2, 0xee)};
}

/* ---- boxes ---- */

AVX2_INLINE void slab(const float *origins, const float *inverses, __m256 low, __m256 high, __m256 *t0,
                      __m256 *t1) {
    const __m256 origin = _mm256_loadu_ps(origins), inverse = _mm256_loadu_ps(inverses);
    const __m256 one = _mm256_mul_ps(_mm256_sub_ps(low, origin), inverse);
    const __m256 two = _mm256_mul_ps(_mm256_sub_ps(high, origin), inverse);
    const __m256 far = _mm256_mul_ps(_mm256_max_ps(one, two), _mm256_set1_ps(FS_WALK_WIDEN));
    *t0 = _mm256_max_ps(_mm256_min_ps(one, two), *t0);
    *t1 = _mm256_min_ps(far, *t1);
}

AVX2_INLINE __m256 still(__m256 mask, __m256 t0, __m256 t1) {
    return _mm256_and_ps(mask, _mm256_cmp_ps(t0, t1, _CMP_NGT_UQ));
}

/* One box of each lane of a group, from lane `f`, that has one. Returns how many have one afterwards. */
AVX2_INLINE int step(lanes *s, size_t f, const fs_walk_node *nodes, __m256i end) {
    const float *record[EIGHT];
    for (int l = 0; l < EIGHT; l++)
        record[l] = nodes[s->node[f + (size_t)l]].low;
    const columns low = turn(record, 0), high = turn(record, 4);
    const __m256i node = ints(s->node + f), none = _mm256_set1_epi32(-1);
    __m256 t0 = _mm256_setzero_ps(), t1 = _mm256_loadu_ps(s->t + f);
    __m256 mask = _mm256_castsi256_ps(_mm256_xor_si256(_mm256_cmpeq_epi32(node, end), none));
    slab(s->origin[0] + f, s->inverse[0] + f, low.x, high.x, &t0, &t1);
    const __m256 first = still(mask, t0, t1);
    slab(s->origin[1] + f, s->inverse[1] + f, low.y, high.y, &t0, &t1);
    const __m256 second = still(first, t0, t1);
    slab(s->origin[2] + f, s->inverse[2] + f, low.z, high.z, &t0, &t1);
    mask = still(second, t0, t1);
    const __m256i leaf = _mm256_castps_si256(high.w), skip = _mm256_castps_si256(low.w);
    const __m256 is_inner = _mm256_castsi256_ps(_mm256_cmpeq_epi32(leaf, none));
    const __m256 down = _mm256_and_ps(mask, is_inner), met = _mm256_andnot_ps(is_inner, mask);
    const __m256i axes = _mm256_add_epi32(_mm256_castps_si256(first), _mm256_castps_si256(second));
    const __m256i inner = _mm256_slli_epi32(_mm256_castps_si256(down), 16);
    put_ints(s->packed + f, _mm256_sub_epi32(ints(s->packed + f), _mm256_add_epi32(axes, inner)));
    __m256i to = choose_ints(skip, _mm256_sub_epi32(node, none), down);
    put_ints(s->leaf + f, choose_ints(ints(s->leaf + f), leaf, met));
    put_ints(s->resume + f, choose_ints(ints(s->resume + f), skip, met));
    to = choose_ints(to, end, met);
    put_ints(s->node + f, to);
    const __m256 at_end = _mm256_castsi256_ps(_mm256_cmpeq_epi32(to, end));
    return EIGHT - __builtin_popcount((unsigned)_mm256_movemask_ps(at_end));
}

/* Adds what the boxes of a round counted to the paths' own. */
AVX2_INLINE void unpack(lanes *s) {
    for (size_t f = 0; f < LANES; f += EIGHT) {
        const __m256i packed = ints(s->packed + f);
        put_ints(s->axes + f,
                 _mm256_add_epi32(ints(s->axes + f), _mm256_and_si256(packed, _mm256_set1_epi32(0xffff))));
        put_ints(s->inner + f, _mm256_add_epi32(ints(s->inner + f), _mm256_srli_epi32(packed, 16)));
        put_ints(s->packed + f, _mm256_setzero_si256());
    }
}

AVX2_INLINE void test_boxes(lanes *s, const fs_walk_node *nodes, uint32_t end_node) {
    const __m256i end = _mm256_set1_epi32((int)end_node);
    int busy = LANES;
    for (int n = 0; n < MOST_STEPS && busy >= KEEP; n++) {
        busy = 0;
        for (size_t f = 0; f < LANES; f += EIGHT)
            busy += step(s, f, nodes, end);
    }
    unpack(s);
}

/* ---- triangles ---- */

typedef struct corner {
    __m256 x, y, z;
} corner;

/* Eight rays in the frames of their triangle tests. */
typedef struct rays {
    columns origin, shear; /* w: t and kz */
    __m256 is_x, is_y;     /* kz */
} rays;

/* A corner in the sheared frame of each ray. */
AVX2_INLINE corner sheared(const rays *r, columns p) {
    const __m256 x = choose(choose(p.x, p.z, r->is_y), p.y, r->is_x),
                 y = choose(choose(p.y, p.x, r->is_y), p.z, r->is_x),
                 z = choose(choose(p.z, p.y, r->is_y), p.x, r->is_x);
    const __m256 cx = _mm256_sub_ps(x, r->origin.x), cy = _mm256_sub_ps(y, r->origin.y),
                 cz = _mm256_sub_ps(z, r->origin.z);
    return (corner){_mm256_add_ps(cx, _mm256_mul_ps(r->shear.x, cz)),
                    _mm256_add_ps(cy, _mm256_mul_ps(r->shear.y, cz)), cz};
}

AVX2_INLINE __m256 cross(__m256 ax, __m256 ay, __m256 bx, __m256 by) {
    return _mm256_sub_ps(_mm256_mul_ps(ax, by), _mm256_mul_ps(ay, bx));
}

AVX2_INLINE __m256 largest(__m256 a, __m256 b, __m256 c) {
    const __m256 sign = _mm256_set1_ps(-0.0f);
    return _mm256_max_ps(_mm256_max_ps(_mm256_andnot_ps(sign, a), _mm256_andnot_ps(sign, b)),
                         _mm256_andnot_ps(sign, c));
}

AVX2_INLINE __m256 times(float by, __m256 v) {
    return _mm256_mul_ps(_mm256_set1_ps(by), v);
}

/* The bound of t's rounding error. */
AVX2_INLINE __m256 error_of(__m256 e, __m256 x, __m256 y, __m256 z, __m256 inverse) {
    const __m256 delta_z = times(FS_WALK_GAMMA(3), z), delta_x = times(FS_WALK_GAMMA(5), _mm256_add_ps(x, z)),
                 delta_y = times(FS_WALK_GAMMA(5), _mm256_add_ps(y, z));
    const __m256 of_e =
        _mm256_add_ps(_mm256_add_ps(_mm256_mul_ps(times(FS_WALK_GAMMA(2), x), y), _mm256_mul_ps(delta_y, x)),
                      _mm256_mul_ps(delta_x, y));
    const __m256 delta_e = times(2.0f, of_e);
    const __m256 of_t =
        _mm256_add_ps(_mm256_add_ps(_mm256_mul_ps(times(FS_WALK_GAMMA(3), e), z), _mm256_mul_ps(delta_e, z)),
                      _mm256_mul_ps(delta_z, e));
    return _mm256_mul_ps(times(3.0f, of_t), _mm256_andnot_ps(_mm256_set1_ps(-0.0f), inverse));
}

AVX2_INLINE __m256 any_of(__m256 a, __m256 b, __m256 c) {
    return _mm256_or_ps(_mm256_or_ps(a, b), c);
}

/* Tests eight triangles with eight rays: distances, and the ends of the tests (triangle_end). */
AVX2_INLINE __m256 test_triangles(const rays *ray, const float *const record[EIGHT], uint32_t ends[EIGHT]) {
    const __m256 zero = _mm256_setzero_ps();
    const corner p = sheared(ray, turn(record, 0)), q = sheared(ray, turn(record, 4)),
                 r = sheared(ray, turn(record, 8));
    const __m256 e0 = cross(q.x, q.y, r.x, r.y), e1 = cross(r.x, r.y, p.x, p.y),
                 e2 = cross(p.x, p.y, q.x, q.y);
    const __m256 det = _mm256_add_ps(_mm256_add_ps(e0, e1), e2);
    const __m256 below = any_of(_mm256_cmp_ps(e0, zero, _CMP_LT_OQ), _mm256_cmp_ps(e1, zero, _CMP_LT_OQ),
                                _mm256_cmp_ps(e2, zero, _CMP_LT_OQ));
    const __m256 above = any_of(_mm256_cmp_ps(e0, zero, _CMP_GT_OQ), _mm256_cmp_ps(e1, zero, _CMP_GT_OQ),
                                _mm256_cmp_ps(e2, zero, _CMP_GT_OQ));
    const __m256 aside = _mm256_or_ps(_mm256_and_ps(below, above), _mm256_cmp_ps(det, zero, _CMP_EQ_OQ));
    const __m256 scale = ray->shear.z;
    const __m256 pz = _mm256_mul_ps(p.z, scale), qz = _mm256_mul_ps(q.z, scale),
                 rz = _mm256_mul_ps(r.z, scale);
    const __m256 scaled =
        _mm256_add_ps(_mm256_add_ps(_mm256_mul_ps(e0, pz), _mm256_mul_ps(e1, qz)), _mm256_mul_ps(e2, rz));
    const __m256 behind = _mm256_or_ps(
        _mm256_and_ps(_mm256_cmp_ps(det, zero, _CMP_LT_OQ), _mm256_cmp_ps(scaled, zero, _CMP_GE_OQ)),
        _mm256_and_ps(_mm256_cmp_ps(det, zero, _CMP_GT_OQ), _mm256_cmp_ps(scaled, zero, _CMP_LE_OQ)));
    const __m256 inverse = _mm256_div_ps(_mm256_set1_ps(1.0f), det), t = _mm256_mul_ps(scaled, inverse);
    const __m256 error = error_of(largest(e0, e1, e2), largest(p.x, q.x, r.x), largest(p.y, q.y, r.y),
                                  largest(pz, qz, rz), inverse);
    const __m256 far = _mm256_cmp_ps(t, error, _CMP_GT_OQ);
    const __m256i end = choose_ints(_mm256_set1_epi32(TOO_NEAR), _mm256_set1_epi32(MET), far);
    put_ints(ends, choose_ints(choose_ints(end, _mm256_set1_epi32(BEHIND), behind),
                               _mm256_set1_epi32(AT_EDGE), aside));
    return t;
}

/* The triangles that `count` lanes wait for, at most eight; the others of the vector repeat the first. */
AVX2_INLINE void test_waiting(lanes *s, const fs_walk_scene *walk, const uint32_t lane[EIGHT], int count) {
    const float *record[EIGHT], *turned[EIGHT];
    uint32_t ends[EIGHT];
    float t[EIGHT];
    rays ray;
    for (int i = 0; i < EIGHT; i++) {
        const uint32_t l = lane[i < count ? i : 0];
        record[i] = walk->leaf[s->leaf[l]].a;
        turned[i] = s->ray[l].origin;
    }
    ray.origin = turn(turned, 0);
    ray.shear = turn(turned, 4);
    const __m256i kz = _mm256_castps_si256(ray.shear.w);
    ray.is_x = _mm256_castsi256_ps(_mm256_cmpeq_epi32(kz, _mm256_setzero_si256()));
    ray.is_y = _mm256_castsi256_ps(_mm256_cmpeq_epi32(kz, _mm256_set1_epi32(1)));
    const __m256 at = test_triangles(&ray, record, ends);
    const __m256i met = _mm256_cmpeq_epi32(ints(ends), _mm256_set1_epi32(MET));
    const __m256 nearer =
        _mm256_and_ps(_mm256_castsi256_ps(met), _mm256_cmp_ps(at, ray.origin.w, _CMP_LT_OQ));
    _mm256_storeu_ps(t, at);
    for (int i = 0; i < count; i++)
        s->ends[lane[i]][ends[i]]++;
    unsigned hits = (unsigned)_mm256_movemask_ps(nearer) & ((1u << count) - 1u);
    for (; hits != 0; hits &= hits - 1) {
        const int i = __builtin_ctz(hits);
        s->t[lane[i]] = s->ray[lane[i]].t = t[i];
        s->best[lane[i]] = s->leaf[lane[i]];
    }
}

static void test_other(lanes *s, const fs_walk_leaf *leaf, uint32_t l) {
    const float t = fs_walk_test(leaf, &s->state[l].ray, s->row[l]);
    if (t < s->t[l]) {
        s->t[l] = s->ray[l].t = t;
        s->best[l] = s->leaf[l];
    }
}

/* Tests every leaf that waits, and sends the lanes on. */
AVX2_INLINE void test_leaves(lanes *s, const fs_walk_scene *walk) {
    const __m256i none = _mm256_set1_epi32(-1);
    uint32_t lane[EIGHT];
    int count = 0;
    for (size_t f = 0; f < LANES; f += EIGHT) {
        const __m256i idle = _mm256_cmpeq_epi32(ints(s->leaf + f), none);
        unsigned waits = ~(unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(idle)) & 0xffu;
        for (; waits != 0; waits &= waits - 1) {
            const uint32_t l = (uint32_t)f + (uint32_t)__builtin_ctz(waits);
            const fs_walk_leaf *leaf = &walk->leaf[s->leaf[l]];
            if (leaf->shape != FS_WALK_IS_TRIANGLE) {
                test_other(s, leaf, l);
                continue;
            }
            lane[count++] = l;
            if (count == EIGHT) {
                test_waiting(s, walk, lane, EIGHT);
                count = 0;
            }
        }
        const __m256i on = _mm256_blendv_epi8(ints(s->resume + f), ints(s->node + f), idle);
        put_ints(s->node + f, on);
        put_ints(s->leaves + f,
                 _mm256_add_epi32(ints(s->leaves + f), _mm256_add_epi32(idle, _mm256_set1_epi32(1))));
    }
    if (count > 0)
        test_waiting(s, walk, lane, count);
    for (size_t f = 0; f < LANES; f += EIGHT)
        put_ints(s->leaf + f, none);
}

/* ---- lanes ---- */

/* A lane begins the segment of its state. */
static void aim(lanes *s, uint32_t l) {
    const fs_walk_ray *ray = &s->state[l].ray;
    const uint32_t k[3] = {ray->kx, ray->ky, ray->kz};
    turned_ray *turned = &s->ray[l];
    for (int a = 0; a < 3; a++) {
        s->origin[a][l] = ray->origin[a];
        s->inverse[a][l] = ray->inverse[a];
        turned->origin[a] = ray->origin[k[a]];
        turned->shear[a] = ray->shear[a];
    }
    turned->kz = ray->kz;
    s->t[l] = turned->t = INFINITY;
    s->node[l] = 0;
}

/* The lane's next path; without one it stays idle. */
static bool take(batch *b, lanes *s, uint32_t l) {
    s->path[l] = UINT64_MAX;
    if (b->next == b->count)
        return false;
    s->path[l] = b->next++;
    s->row[l] = b->counts == NULL ? s->spare[l] : b->counts[s->path[l]];
    memset(s->row[l], 0, sizeof s->spare[l]);
    memset(s->ends[l], 0, sizeof s->ends[l]);
    s->axes[l] = s->inner[l] = s->leaves[l] = 0;
    fs_walk_begin(b->lens, b->list[s->path[l]], &s->state[l], s->row[l]);
    aim(s, l);
    return true;
}

/* What the vectors counted of a path, into its row. */
static void write_row(const batch *b, const lanes *s, uint32_t l) {
    uint32_t *row = s->row[l];
    const uint32_t *ends = s->ends[l], through = ends[TOO_NEAR] + ends[MET];
    row[FS_WALK_INNER] = s->inner[l];
    row[FS_WALK_NODE] = row[FS_WALK_SEGMENT] + 2 * s->inner[l];
    row[FS_WALK_AXIS] = row[FS_WALK_NODE] + s->axes[l];
    row[FS_WALK_LEAF] = s->leaves[l];
    row[FS_WALK_SHEAR] = ends[AT_EDGE] + ends[BEHIND] + through;
    row[FS_WALK_EDGE_EXIT] = ends[AT_EDGE];
    row[FS_WALK_RANGE_EXIT] = ends[BEHIND];
    row[FS_WALK_TRIANGLE] = through;
    row[b->walk->mesh->normal != NULL ? FS_WALK_SMOOTH : FS_WALK_NORMAL] = ends[MET];
}

/* Ends a lane's segment and begins the next one, of its path or of another. False: there is none. */
static bool end_segment(batch *b, lanes *s, uint32_t l) {
    const fs_walk_hit hit = {.t = s->t[l], .leaf = s->best[l]};
    if (!fs_walk_end_segment(b->walk, b->params, hit, &s->state[l], &b->paths[s->path[l]], s->row[l])) {
        aim(s, l);
        return true;
    }
    write_row(b, s, l);
    return take(b, s, l);
}

/* Of all lanes that are through. alive: bits of lanes with paths. */
AVX2_INLINE uint32_t end_segments(batch *b, lanes *s, uint32_t alive) {
    const __m256i end = _mm256_set1_epi32((int)b->end);
    uint32_t through = 0;
    for (size_t f = 0; f < LANES; f += EIGHT) {
        const __m256 at_end = _mm256_castsi256_ps(_mm256_cmpeq_epi32(ints(s->node + f), end));
        through |= (uint32_t)_mm256_movemask_ps(at_end) << f;
    }
    for (uint32_t left = through & alive; left != 0; left &= left - 1) {
        const uint32_t l = (uint32_t)__builtin_ctz(left);
        if (!end_segment(b, s, l))
            alive &= ~(UINT32_C(1) << l);
    }
    return alive;
}

AVX2 void fs_walk_list_avx2(const fs_walk_scene *walk, const fs_walk_params *params, const fs_walk_lens *lens,
                            const fs_walk_key *list, uint64_t count, fs_walk_path *paths,
                            uint32_t (*counts)[FS_WALK_EVENTS]) {
    batch b = {.walk = walk,
               .params = params,
               .lens = lens,
               .list = list,
               .count = count,
               .paths = paths,
               .counts = counts,
               .end = walk->tree->nodes};
    lanes s;
    uint32_t alive = 0;
    memset(&s, 0, sizeof s);
    for (uint32_t l = 0; l < LANES; l++) {
        s.node[l] = b.end;
        s.leaf[l] = FS_WALK_NO_LEAF;
        alive |= (uint32_t)take(&b, &s, l) << l;
    }
    while (alive != 0) {
        test_boxes(&s, walk->node, b.end);
        test_leaves(&s, walk);
        alive = end_segments(&b, &s, alive);
    }
}

bool fs_walk_has_avx2(void) {
    return __builtin_cpu_supports("avx2") != 0;
}

#else

void fs_walk_list_avx2(const fs_walk_scene *walk, const fs_walk_params *params, const fs_walk_lens *lens,
                       const fs_walk_key *list, uint64_t count, fs_walk_path *paths,
                       uint32_t (*counts)[FS_WALK_EVENTS]) {
    (void)walk, (void)params, (void)lens, (void)list, (void)count, (void)paths, (void)counts;
    FS_ASSERT(false, "a host without AVX2");
}

bool fs_walk_has_avx2(void) {
    return false;
}

#endif
