/* Eight floats at a time: the operations of workloads/paths/optics.h, one for one. Included by AVX2 code
 * alone. */
#ifndef FOAMSIM_WORKLOADS_SMALLPAINT_WALK_VECTORS_H
#define FOAMSIM_WORKLOADS_SMALLPAINT_WALK_VECTORS_H

#include "workloads/paths/optics.h"

#include <immintrin.h>
#include <stdint.h>

#define AVX2        __attribute__((target("avx2")))
#define AVX2_INLINE __attribute__((target("avx2"), always_inline)) static inline

typedef struct vec3 {
    __m256 x, y, z;
} vec3;

AVX2_INLINE __m256 all(float a) {
    return _mm256_set1_ps(a);
}
AVX2_INLINE vec3 all3(fs_vec3f a) {
    return (vec3){all(a.x), all(a.y), all(a.z)};
}
AVX2_INLINE __m256 add(__m256 a, __m256 b) {
    return _mm256_add_ps(a, b);
}
AVX2_INLINE __m256 sub(__m256 a, __m256 b) {
    return _mm256_sub_ps(a, b);
}
AVX2_INLINE __m256 mul(__m256 a, __m256 b) {
    return _mm256_mul_ps(a, b);
}
AVX2_INLINE __m256 negative(__m256 a) {
    return _mm256_xor_ps(a, all(-0.0f));
}
/* a where the mask is set, else b */
AVX2_INLINE __m256 pick(__m256 mask, __m256 a, __m256 b) {
    return _mm256_blendv_ps(b, a, mask);
}
AVX2_INLINE vec3 pick3(__m256 mask, vec3 a, vec3 b) {
    return (vec3){pick(mask, a.x, b.x), pick(mask, a.y, b.y), pick(mask, a.z, b.z)};
}
AVX2_INLINE __m256 is(__m256i a, int32_t value) {
    return _mm256_castsi256_ps(_mm256_cmpeq_epi32(a, _mm256_set1_epi32(value)));
}
/* The lanes whose bits are set. */
AVX2_INLINE __m256 lane_mask(uint32_t bits) {
    const __m256i bit = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
    return _mm256_castsi256_ps(_mm256_cmpeq_epi32(_mm256_and_si256(_mm256_set1_epi32((int)bits), bit), bit));
}

AVX2_INLINE vec3 plus(vec3 a, vec3 b) {
    return (vec3){add(a.x, b.x), add(a.y, b.y), add(a.z, b.z)};
}
AVX2_INLINE vec3 minus(vec3 a, vec3 b) {
    return (vec3){sub(a.x, b.x), sub(a.y, b.y), sub(a.z, b.z)};
}
AVX2_INLINE vec3 times(vec3 a, __m256 b) {
    return (vec3){mul(a.x, b), mul(a.y, b), mul(a.z, b)};
}
AVX2_INLINE __m256 dot(vec3 a, vec3 b) {
    return add(add(mul(a.x, b.x), mul(a.y, b.y)), mul(a.z, b.z));
}

AVX2_INLINE vec3 unit8(vec3 a) {
    return times(a, _mm256_div_ps(all(1.0f), _mm256_sqrt_ps(dot(a, a))));
}

AVX2_INLINE vec3 reflect8(vec3 in, vec3 normal) {
    return minus(in, times(normal, mul(all(2.0f), dot(in, normal))));
}

AVX2_INLINE void basis8(vec3 n, vec3 *along, vec3 *across) {
    const __m256 sign = pick(_mm256_cmp_ps(n.z, all(0.0f), _CMP_LT_OQ), all(-1.0f), all(1.0f));
    const __m256 a = _mm256_div_ps(all(-1.0f), add(sign, n.z)), b = mul(mul(n.x, n.y), a);
    *along = (vec3){add(all(1.0f), mul(mul(mul(sign, n.x), n.x), a)), mul(sign, b), mul(negative(sign), n.x)};
    *across = (vec3){b, add(sign, mul(mul(n.y, n.y), a)), negative(n.y)};
}

AVX2_INLINE void turn8(__m256 u, __m256 *cosine, __m256 *sine) {
    const __m256 eighths = mul(u, all(8.0f)), one = all(1.0f);
    const __m256i octant = _mm256_cvttps_epi32(eighths), bit = _mm256_set1_epi32(1);
    const __m256 odd = _mm256_castsi256_ps(_mm256_cmpeq_epi32(_mm256_and_si256(octant, bit), bit));
    const __m256 part = sub(eighths, _mm256_cvtepi32_ps(octant)), t = pick(odd, sub(one, part), part);
    const __m256 x = mul(t, all(0.785398163397448310f)), x2 = mul(x, x);
    __m256 s = add(all(8.33333310e-3f), mul(x2, all(-1.98395e-4f)));
    s = mul(x, add(one, mul(x2, add(all(-0.166666666f), mul(x2, s)))));
    __m256 c = add(all(-1.38888e-3f), mul(x2, all(2.43904e-5f)));
    c = add(one, mul(x2, add(all(-0.5f), mul(x2, add(all(4.16666418e-2f), mul(x2, c))))));
    const __m256i two = _mm256_set1_epi32(2);
    const __m256 swap =
        _mm256_castsi256_ps(_mm256_cmpeq_epi32(_mm256_and_si256(_mm256_add_epi32(octant, bit), two), two));
    const __m256 near = pick(swap, s, c), far = pick(swap, c, s);
    const __m256i left = _mm256_andnot_si256(_mm256_cmpgt_epi32(octant, _mm256_set1_epi32(5)),
                                             _mm256_cmpgt_epi32(octant, bit));
    *cosine = pick(_mm256_castsi256_ps(left), negative(near), near);
    *sine = pick(_mm256_castsi256_ps(_mm256_cmpgt_epi32(octant, _mm256_set1_epi32(3))), negative(far), far);
}

#endif
