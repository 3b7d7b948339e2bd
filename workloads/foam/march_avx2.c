/* The march eight faces at a time. No FMA: every operation rounds as its scalar twin does. */
#include "workloads/foam/march_step.h"

#if defined(__x86_64__)

#include <immintrin.h>

#define AVX2        __attribute__((target("avx2")))
#define AVX2_INLINE __attribute__((target("avx2"), always_inline)) static inline

typedef struct vec3 {
    __m256 x, y, z;
} vec3;

typedef struct vec_counts { /* lanes count down: a true comparison is -1 */
    __m256i front, nearest;
} vec_counts;

AVX2_INLINE vec3 spread(const float *x, const float *y, const float *z) {
    return (vec3){_mm256_broadcast_ss(x), _mm256_broadcast_ss(y), _mm256_broadcast_ss(z)};
}

/* t of eight faces; infinity where a face is no candidate. */
AVX2_INLINE __m256 face_t(const fs_face_block *block, const vec3 *p, const vec3 *o, const vec3 *d,
                          __m256i *front) {
    __m256 half = _mm256_set1_ps(0.5f), zero = _mm256_setzero_ps();
    __m256 qx = _mm256_load_ps(block->x), qy = _mm256_load_ps(block->y), qz = _mm256_load_ps(block->z);
    __m256 nx = _mm256_sub_ps(qx, p->x), ny = _mm256_sub_ps(qy, p->y), nz = _mm256_sub_ps(qz, p->z);
    __m256 mx = _mm256_mul_ps(_mm256_add_ps(p->x, qx), half);
    __m256 my = _mm256_mul_ps(_mm256_add_ps(p->y, qy), half);
    __m256 mz = _mm256_mul_ps(_mm256_add_ps(p->z, qz), half);
    __m256 dn = _mm256_add_ps(_mm256_add_ps(_mm256_mul_ps(nx, d->x), _mm256_mul_ps(ny, d->y)),
                              _mm256_mul_ps(nz, d->z));
    __m256 num = _mm256_add_ps(
        _mm256_add_ps(_mm256_mul_ps(_mm256_sub_ps(mx, o->x), nx), _mm256_mul_ps(_mm256_sub_ps(my, o->y), ny)),
        _mm256_mul_ps(_mm256_sub_ps(mz, o->z), nz));
    __m256 t = _mm256_div_ps(num, dn);
    __m256 facing = _mm256_cmp_ps(dn, zero, _CMP_GT_OQ);
    *front = _mm256_add_epi32(*front, _mm256_castps_si256(facing));
    __m256 ahead = _mm256_and_ps(facing, _mm256_cmp_ps(t, zero, _CMP_GT_OQ));
    return _mm256_blendv_ps(_mm256_set1_ps(__builtin_inff()), t, ahead);
}

/* Lane i: the least t of lanes 0 ... i - 1, infinity in lane 0. */
AVX2_INLINE __m256 least_before(__m256 t) {
    __m256 inf = _mm256_set1_ps(__builtin_inff());
    t = _mm256_min_ps(t, _mm256_permute_ps(t, _MM_SHUFFLE(2, 1, 0, 0)));
    t = _mm256_min_ps(t, _mm256_permute_ps(t, _MM_SHUFFLE(1, 0, 0, 0)));
    __m256 lower = _mm256_permute_ps(t, _MM_SHUFFLE(3, 3, 3, 3));
    t = _mm256_min_ps(t, _mm256_permute2f128_ps(lower, inf, 0x02)); /* [inf, lower half's last] */
    t = _mm256_permutevar8x32_ps(t, _mm256_setr_epi32(0, 0, 1, 2, 3, 4, 5, 6));
    return _mm256_blend_ps(t, inf, 0x01);
}

AVX2_INLINE void count_nearer(__m256 t, __m256 *least, __m256i *nearest) {
    *nearest = _mm256_add_epi32(*nearest, _mm256_castps_si256(_mm256_cmp_ps(t, *least, _CMP_LT_OQ)));
    *least = _mm256_min_ps(t, *least);
}

/* Takes (t, cell) of `other` where it is strictly nearer. */
AVX2_INLINE void take_nearer(__m256 *t, __m256 *cell, __m256 other_t, __m256 other_cell) {
    __m256 nearer = _mm256_cmp_ps(other_t, *t, _CMP_LT_OQ);
    *t = _mm256_min_ps(other_t, *t);
    *cell = _mm256_blendv_ps(*cell, other_cell, nearer);
}

/* The nearest of eight lanes ends in lane 0, the lowest lane on a tie: neighbours meet first, so that what
 * comes from the left always is of lower lanes. */
AVX2_INLINE void reduce(__m256 *t, __m256 *cell) {
    take_nearer(t, cell, _mm256_permute_ps(*t, _MM_SHUFFLE(3, 3, 1, 1)),
                _mm256_permute_ps(*cell, _MM_SHUFFLE(3, 3, 1, 1)));
    take_nearer(t, cell, _mm256_permute_ps(*t, _MM_SHUFFLE(2, 2, 2, 2)),
                _mm256_permute_ps(*cell, _MM_SHUFFLE(2, 2, 2, 2)));
    take_nearer(t, cell, _mm256_permute2f128_ps(*t, *t, 0x11), _mm256_permute2f128_ps(*cell, *cell, 0x11));
}

AVX2_INLINE __m256 places(const fs_face_block *block) {
    return _mm256_castsi256_ps(_mm256_load_si256((const __m256i *)(const void *)block->cell));
}

/* Small enough to come back in a register: the next cell must not wait for a trip through memory. */
typedef struct exit_face {
    float t; /* infinity: none */
    uint32_t cell;
} exit_face;

AVX2_INLINE exit_face nearest_of(__m256 t, __m256 cell) {
    reduce(&t, &cell);
    return (exit_face){_mm256_cvtss_f32(t), (uint32_t)_mm256_cvtsi256_si32(_mm256_castps_si256(cell))};
}

/* Cells with more than 24 faces (one in fifty): blocks in a loop, worked out twice, the second time to count
 * with the prefix minimum known. Takes nothing by address that the hot loop keeps in registers. */
AVX2 __attribute__((noinline)) static exit_face exit_of_many(const fs_march_scene *scene, uint32_t at,
                                                             const float origin[3], const float direction[3],
                                                             vec_counts *counts) {
    const fs_march_cell *c = &scene->cell[at];
    const fs_face_block *near = &scene->near[2 * (size_t)at], *more = &scene->more[c->more];
    vec3 p = spread(&c->x, &c->y, &c->z), o = spread(&origin[0], &origin[1], &origin[2]);
    vec3 d = spread(&direction[0], &direction[1], &direction[2]);
    uint32_t blocks = (c->faces + 7u) / 8u;
    __m256 t = face_t(near, &p, &o, &d, &counts->front), cell = places(near);
    for (uint32_t b = 1; b < blocks; b++) {
        const fs_face_block *block = b < 2 ? near + 1 : more + (b - 2);
        take_nearer(&t, &cell, face_t(block, &p, &o, &d, &counts->front), places(block));
    }
    __m256 least = least_before(t);
    __m256i counted = _mm256_setzero_si256();
    for (uint32_t b = 0; b < blocks; b++)
        count_nearer(face_t(b < 2 ? near + b : more + (b - 2), &p, &o, &d, &counted), &least,
                     &counts->nearest);
    return nearest_of(t, cell);
}

AVX2_INLINE exit_face exit_of_few(const fs_march_scene *scene, uint32_t at, const vec3 *p, const vec3 *o,
                                  const vec3 *d, vec_counts *counts) {
    const fs_face_block *near = &scene->near[2 * (size_t)at], *more = &scene->more[scene->cell[at].more];
    __m256 t0 = face_t(near, p, o, d, &counts->front);
    __m256 t1 = face_t(near + 1, p, o, d, &counts->front);
    __m256 t2 = face_t(more, p, o, d, &counts->front);
    __m256 t = t0, cell = places(near);
    take_nearer(&t, &cell, t1, places(near + 1));
    take_nearer(&t, &cell, t2, places(more));
    exit_face exit = nearest_of(t, cell);
    __m256 least = least_before(t);
    count_nearer(t0, &least, &counts->nearest);
    count_nearer(t1, &least, &counts->nearest);
    count_nearer(t2, &least, &counts->nearest);
    return exit;
}

AVX2_INLINE uint32_t total(__m256i counts_down) {
    __m128i sum =
        _mm_add_epi32(_mm256_castsi256_si128(counts_down), _mm256_extracti128_si256(counts_down, 1));
    sum = _mm_add_epi32(sum, _mm_shuffle_epi32(sum, _MM_SHUFFLE(1, 0, 3, 2)));
    sum = _mm_add_epi32(sum, _mm_shuffle_epi32(sum, _MM_SHUFFLE(2, 3, 0, 1)));
    return 0u - (uint32_t)_mm_cvtsi128_si32(sum);
}

AVX2_INLINE __m128 colour(const fs_march_cell *c) {
    int32_t rgb;
    __builtin_memcpy(&rgb, c->rgb, sizeof rgb);
    return _mm_div_ps(_mm_cvtepi32_ps(_mm_cvtepu8_epi32(_mm_cvtsi32_si128(rgb))), _mm_set1_ps(255.0f));
}

AVX2_INLINE float load_one(const float *x) {
    return _mm_cvtss_f32(_mm_load_ss(x));
}

AVX2 fs_march_exit fs_march_avx2(const fs_march_scene *scene, const fs_march_params *params,
                                 const float origin[3], const float direction[3], uint32_t begin,
                                 uint32_t end, uint32_t *cell, fs_ray_state *out, fs_march_counts *counts) {
    vec3 o = spread(&origin[0], &origin[1], &origin[2]);
    vec3 d = spread(&direction[0], &direction[1], &direction[2]);
    vec_counts lanes = {_mm256_setzero_si256(), _mm256_setzero_si256()};
    /* field by field, as the hand-over between two visits writes them: a wide load would wait for narrow
     * stores */
    fs_ray_state ray = {.t = load_one(&out->t), .T = load_one(&out->T), .depth = load_one(&out->depth)};
    __m128 rgb = _mm_setr_ps(load_one(&out->r), load_one(&out->g), load_one(&out->b), 0.0f);
    float threshold = (float)params->threshold;
    uint32_t at = *cell, size = end - begin, faces = 0, depth_marks = 0;
    uint64_t cells = 0, limit = (uint64_t)params->step_limit;
    fs_march_exit kind;
    for (;;) {
        const fs_march_cell *c = &scene->cell[at];
        if (++cells > limit)
            fs_march_lost(params);
        faces += c->faces;
        vec3 p = spread(&c->x, &c->y, &c->z);
        exit_face exit;
        if (__builtin_expect(c->faces > 24, 0)) {
            vec_counts many = {_mm256_setzero_si256(), _mm256_setzero_si256()};
            exit = exit_of_many(scene, at, origin, direction, &many);
            lanes.front = _mm256_add_epi32(lanes.front, many.front);
            lanes.nearest = _mm256_add_epi32(lanes.nearest, many.nearest);
        } else {
            exit = exit_of_few(scene, at, &p, &o, &d, &lanes);
        }
        if (!(exit.t < __builtin_inff())) {
            kind = FS_EXIT_HULL;
            break;
        }
        float weight = fs_march_absorb(c->density, exit.t, &ray, &depth_marks);
        rgb = _mm_add_ps(rgb, _mm_mul_ps(_mm_set1_ps(weight), colour(c)));
        if (ray.T < threshold) {
            kind = FS_EXIT_OPAQUE;
            break;
        }
        at = exit.cell;
        if (at - begin >= size) {
            kind = FS_EXIT_CROSSED;
            break;
        }
    }
    ray.r = _mm_cvtss_f32(rgb);
    ray.g = _mm_cvtss_f32(_mm_movehdup_ps(rgb));
    ray.b = _mm_cvtss_f32(_mm_movehl_ps(rgb, rgb));
    if (kind == FS_EXIT_HULL && params->hull_opaque)
        fs_march_hull(&scene->cell[at], &ray, &depth_marks);
    *out = ray;
    *cell = at;
    counts->cells += (uint32_t)cells;
    counts->faces += faces;
    counts->front += total(lanes.front);
    counts->nearest += total(lanes.nearest);
    counts->depth_marks += depth_marks;
    return kind;
}

bool fs_march_has_avx2(void) {
    return __builtin_cpu_supports("avx2") != 0;
}

#else

fs_march_exit fs_march_avx2(const fs_march_scene *scene, const fs_march_params *params, const float origin[3],
                            const float direction[3], uint32_t begin, uint32_t end, uint32_t *cell,
                            fs_ray_state *ray, fs_march_counts *counts) {
    return fs_march_plain(scene, params, origin, direction, begin, end, cell, ray, counts);
}

bool fs_march_has_avx2(void) {
    return false;
}

#endif
