/* The light of eight rays' cells at once. Private to bundle_avx2.c. */
#ifndef FOAMSIM_WORKLOADS_FOAM_MARCH_LIGHT_AVX2_H
#define FOAMSIM_WORKLOADS_FOAM_MARCH_LIGHT_AVX2_H

#include "workloads/foam/march/exit_avx2.h"
#include "workloads/foam/march/march_step.h"

#include <string.h>

/* fs_ray_state of eight rays. */
typedef struct light {
    _Alignas(32) float t[FS_EYE_LANES], T[FS_EYE_LANES], r[FS_EYE_LANES], g[FS_EYE_LANES], b[FS_EYE_LANES],
        depth[FS_EYE_LANES];
} light;

AVX2_INLINE __m256 either(__m256 yes, __m256 no, __m256 which) {
    return _mm256_blendv_ps(no, yes, which);
}

/* fs_expf_neg of eight. */
AVX2_INLINE __m256 expf_neg(__m256 x) {
    const __m256 shift = _mm256_set1_ps(0x1.8p23f);
    __m256 k = _mm256_sub_ps(_mm256_add_ps(_mm256_mul_ps(x, _mm256_set1_ps(0x1.715476p0f)), shift), shift);
    __m256 r = _mm256_sub_ps(_mm256_sub_ps(x, _mm256_mul_ps(k, _mm256_set1_ps(0x1.62e4p-1f))),
                             _mm256_mul_ps(k, _mm256_set1_ps(0x1.7f7d1cp-20f)));
    static const float c[] = {0x1.120be2p-7f, 0x1.555518p-5f, 0x1.5554dcp-3f, 0.5f, 1.0f, 1.0f};
    __m256 p = _mm256_set1_ps(0x1.6d117cp-10f);
    for (unsigned i = 0; i < sizeof c / sizeof c[0]; i++)
        p = _mm256_add_ps(_mm256_mul_ps(p, r), _mm256_set1_ps(c[i]));
    __m256i scale = _mm256_slli_epi32(_mm256_add_epi32(_mm256_cvttps_epi32(k), _mm256_set1_epi32(127)), 23);
    return _mm256_and_ps(_mm256_mul_ps(p, _mm256_castsi256_ps(scale)),
                         _mm256_cmp_ps(x, _mm256_set1_ps(-87.0f), _CMP_GT_OQ));
}

/* fs_f16_round of the lanes in `which`. */
AVX2_INLINE void round_half(float *x, __m256 which) {
    const __m256 most = _mm256_set1_ps(65504.0f);
    __m256 now = _mm256_load_ps(x);
    __m256 number = _mm256_and_ps(now, _mm256_cmp_ps(now, now, _CMP_ORD_Q));
    __m256 bounded = _mm256_max_ps(_mm256_min_ps(number, most), _mm256_sub_ps(_mm256_setzero_ps(), most));
    __m256 half = _mm256_cvtph_ps(_mm256_cvtps_ph(bounded, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
    _mm256_store_ps(x, either(half, now, which));
}

/* What a payload does to the rays that have been handed over, as masks. */
typedef struct rounding {
    __m256 t, rgb, no_depth;
} rounding;

AVX2_INLINE __m256 all_if(bool yes) {
    return _mm256_castsi256_ps(_mm256_set1_epi32(yes ? -1 : 0));
}

/* handed: all bits of the lanes whose rays have been. */
AVX2_INLINE void hand_over(light *s, const uint32_t *handed, const rounding *how) {
    const __m256 crossed = _mm256_load_ps((const float *)(const void *)handed);
    const __m256 t = _mm256_and_ps(crossed, how->t), rgb = _mm256_and_ps(crossed, how->rgb);
    round_half(s->t, t);
    round_half(s->T, t);
    round_half(s->r, rgb);
    round_half(s->g, rgb);
    round_half(s->b, rgb);
    round_half(s->depth, rgb);
    _mm256_store_ps(s->depth,
                    _mm256_andnot_ps(_mm256_and_ps(crossed, how->no_depth), _mm256_load_ps(s->depth)));
}

/* Eight cells on the way out. */
typedef struct eight_cells {
    __m256 density, r, g, b; /* colour from 0 to 1 */
    __m256 t_out, stays;     /* stays: all bits where there is no way out */
    const uint64_t *look;    /* density in the low half */
} eight_cells;

AVX2_INLINE __m256 colour_of(__m256i rgb, int shift) {
    __m256i byte = _mm256_and_si256(_mm256_srli_epi32(rgb, shift), _mm256_set1_epi32(255));
    return _mm256_div_ps(_mm256_cvtepi32_ps(byte), _mm256_set1_ps(255.0f));
}

/* look: density and colour as they lie in fs_eye_cell; key: t_out as exit_face.key. */
AVX2_INLINE eight_cells look_at(const uint64_t *look, const uint32_t *key) {
    const __m256 a = _mm256_load_ps((const float *)(const void *)look),
                 b = _mm256_load_ps((const float *)(const void *)(look + 4));
    const __m256 even = _mm256_shuffle_ps(a, b, _MM_SHUFFLE(2, 0, 2, 0)),
                 odd = _mm256_shuffle_ps(a, b, _MM_SHUFFLE(3, 1, 3, 1)); /* pairs 0 2 1 3 */
    const __m256i rgb = _mm256_permute4x64_epi64(_mm256_castps_si256(odd), _MM_SHUFFLE(3, 1, 2, 0)),
                  density = _mm256_permute4x64_epi64(_mm256_castps_si256(even), _MM_SHUFFLE(3, 1, 2, 0)),
                  t = _mm256_load_si256((const __m256i *)(const void *)key);
    return (eight_cells){
        .density = _mm256_castsi256_ps(density),
        .r = colour_of(rgb, 0),
        .g = colour_of(rgb, 8),
        .b = colour_of(rgb, 16),
        .t_out = _mm256_castsi256_ps(_mm256_add_epi32(t, _mm256_set1_epi32(1))),
        .stays = _mm256_castsi256_ps(_mm256_cmpeq_epi32(t, _mm256_set1_epi32(NO_EXIT))),
        .look = look,
    };
}

AVX2_INLINE uint32_t lanes_of(__m256 which) {
    return (uint32_t)_mm256_movemask_ps(which);
}

AVX2_INLINE void add_colour(float *sum, __m256 colour, __m256 weight) {
    _mm256_store_ps(sum, _mm256_add_ps(_mm256_load_ps(sum), _mm256_mul_ps(weight, colour)));
}

static inline float density_of(uint64_t look) {
    float density;
    memcpy(&density, &look, sizeof density);
    return density;
}

/* fs_march_absorb of eight. Returns the lanes whose rays end there; *passes, those whose transmittance passes
 * 0.5: their depth is set. Lanes without a ray may be in both. */
AVX2_INLINE uint32_t absorb(light *s, const eight_cells *c, float threshold, uint32_t *passes) {
    const __m256 zero = _mm256_setzero_ps(), one = _mm256_set1_ps(1.0f), half = _mm256_set1_ps(0.5f);
    const __m256 t = _mm256_load_ps(s->t), T = _mm256_load_ps(s->T);
    const __m256 dt = _mm256_sub_ps(c->t_out, t);
    const __m256 moves = _mm256_andnot_ps(c->stays, _mm256_cmp_ps(dt, zero, _CMP_GT_OQ));
    const __m256 dims = _mm256_and_ps(moves, _mm256_cmp_ps(c->density, zero, _CMP_GT_OQ));
    const __m256 minus = _mm256_xor_ps(c->density, _mm256_set1_ps(-0.0f));
    const __m256 alpha = _mm256_sub_ps(one, expf_neg(_mm256_mul_ps(minus, dt)));
    const __m256 after = either(_mm256_mul_ps(T, _mm256_sub_ps(one, alpha)), T, dims);
    const __m256 weight = _mm256_and_ps(_mm256_mul_ps(T, alpha), dims);
    const __m256 halves =
        _mm256_and_ps(_mm256_cmp_ps(after, half, _CMP_LT_OQ), _mm256_cmp_ps(T, half, _CMP_GE_OQ));
    *passes = lanes_of(_mm256_and_ps(halves, _mm256_cmp_ps(_mm256_load_ps(s->depth), zero, _CMP_EQ_OQ)));
    for (uint32_t left = *passes; __builtin_expect(left != 0, 0); left &= left - 1) {
        const int k = __builtin_ctz(left);
        s->depth[k] = fs_march_depth(s->t[k], s->T[k], density_of(c->look[k]));
    }
    _mm256_store_ps(s->t, either(c->t_out, t, moves));
    _mm256_store_ps(s->T, after);
    add_colour(s->r, c->r, weight);
    add_colour(s->g, c->g, weight);
    add_colour(s->b, c->b, weight);
    return lanes_of(_mm256_or_ps(_mm256_cmp_ps(after, _mm256_set1_ps(threshold), _CMP_LT_OQ), c->stays));
}

#endif
