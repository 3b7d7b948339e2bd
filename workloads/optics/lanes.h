/* Numbers side by side, as vectors of the compiler. What is written with them is one text that two small files
 * include: one for hosts with AVX2, which defines FS_LANES_AVX2 first, with eight lanes; one for all others
 * with four. Every operation of a lane rounds as that of a lone number, so both have the same bits.
 *
 *     LANES_INLINE floats half(floats a) { return a * 0.5f; }          // core.h
 *     #define FS_LANES_AVX2                                            // avx2.c
 *     #include "workloads/foo/core.h"
 *     LANES void half_avx2(floats *a) { *a = half(*a); }
 *
 * Names are short, as they are the language of such a text; nobody else includes this.
 */
#pragma once

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(FS_LANES_AVX2) && defined(__x86_64__)
#include <immintrin.h>
#define LANES __attribute__((target("avx2,f16c,popcnt,bmi"))) /* fs_host_has_avx2 */
#define LANES_ARE_AVX2
#define ON_HOST(operation) _mm256_##operation##_ps
enum { LANE_COUNT = 8 };
#else
#define LANES
enum { LANE_COUNT = 4 };
#if defined(__x86_64__)
#include <xmmintrin.h>
#define ON_HOST(operation) _mm_##operation##_ps
#endif
#endif
#define LANES_INLINE LANES __attribute__((always_inline)) static inline

typedef float floats __attribute__((vector_size(4 * LANE_COUNT)));
typedef uint32_t words __attribute__((vector_size(4 * LANE_COUNT)));
/* A comparison gives all bits of a lane, or none: a mask. */
typedef int32_t ints __attribute__((vector_size(4 * LANE_COUNT)));

/* The lanes of vectors in memory, one by one. */
/* clang-format off */
#define each(v) _Generic((v), floats *: (float *)(v), const floats *: (const float *)(v), \
                         words *: (uint32_t *)(v), const words *: (const uint32_t *)(v))
/* clang-format on */

LANES_INLINE floats all(float a) {
    return a - (floats){0};
}
LANES_INLINE ints all_ints(int32_t a) {
    return a - (ints){0};
}
LANES_INLINE words all_words(uint32_t a) {
    return a - (words){0};
}
LANES_INLINE floats to_floats(ints a) {
    return __builtin_convertvector(a, floats);
}

/* A vector of numbers anywhere in memory. */
LANES_INLINE floats load(const float *from) {
    floats a;
    memcpy(&a, from, sizeof a);
    return a;
}
LANES_INLINE void store(float *to, floats a) {
    memcpy(to, &a, sizeof a);
}

/* Words of four bytes, each lane's `at` of them after `from`. */
LANES_INLINE ints gather(const void *from, ints at) {
#if defined(LANES_ARE_AVX2)
    return (ints)_mm256_i32gather_epi32(from, (__m256i)at, 4);
#else
    ints found = at;
    for (int i = 0; i < LANE_COUNT; i++)
        memcpy((int32_t *)&found + i, (const char *)from + 4 * (ptrdiff_t)at[i], 4);
    return found;
#endif
}

/* `yes` where the mask is set, else `no`. */
LANES_INLINE ints pick_ints(ints mask, ints yes, ints no) {
#if defined(LANES_ARE_AVX2)
    return (ints)_mm256_blendv_epi8((__m256i)no, (__m256i)yes, (__m256i)mask);
#else
    return (mask & yes) | (~mask & no);
#endif
}
LANES_INLINE words pick_words(ints mask, words yes, words no) {
    return (words)pick_ints(mask, (ints)yes, (ints)no);
}
LANES_INLINE floats pick(ints mask, floats yes, floats no) {
#if defined(LANES_ARE_AVX2)
    return (floats)_mm256_blendv_ps((__m256)no, (__m256)yes, (__m256)mask);
#else
    return (floats)pick_ints(mask, (ints)yes, (ints)no);
#endif
}
/* `a` where the mask is set, else 0. */
LANES_INLINE floats only(ints mask, floats a) {
#if defined(ON_HOST)
    return ON_HOST(and)((floats)mask, a);
#else
    return (floats)(mask & (ints)a);
#endif
}

/* A bit for each lane whose mask is set. */
LANES_INLINE uint32_t bits_of(ints mask) {
#if defined(ON_HOST)
    return (uint32_t)ON_HOST(movemask)((floats)mask);
#else
    uint32_t bits = 0;
    for (int i = 0; i < LANE_COUNT; i++)
        bits |= (uint32_t)(mask[i] & 1) << i;
    return bits;
#endif
}
/* The mask of the lanes whose bits are set. */
LANES_INLINE ints lanes_of(uint32_t bits) {
    ints own = all_ints(0);
    for (int i = 0; i < LANE_COUNT; i++)
        own[i] = 1 << i;
    return (all_ints((int32_t)bits) & own) == own;
}

LANES_INLINE floats root_of(floats a) {
#if defined(ON_HOST)
    return ON_HOST(sqrt)(a);
#else
    floats root = a;
    for (int i = 0; i < LANE_COUNT; i++)
        root[i] = sqrtf(a[i]);
    return root;
#endif
}

/* a > b ? a : b, and a < b ? a : b. */
LANES_INLINE floats larger(floats a, floats b) {
#if defined(ON_HOST)
    return ON_HOST(max)(a, b);
#else
    return pick(a > b, a, b);
#endif
}
LANES_INLINE floats smaller(floats a, floats b) {
#if defined(ON_HOST)
    return ON_HOST(min)(a, b);
#else
    return pick(a < b, a, b);
#endif
}
LANES_INLINE floats magnitude(floats a) {
    return (floats)((ints)a & 0x7fffffff);
}

/* ---- four numbers on hosts of any kind ---- */

typedef float quad __attribute__((vector_size(16)));
typedef int32_t quad_ints __attribute__((vector_size(16)));

LANES_INLINE quad quad_all(float a) {
    return a - (quad){0};
}
LANES_INLINE quad quad_load(const float from[4]) {
    quad a;
    memcpy(&a, from, sizeof a);
    return a;
}
/* The last two in place of the first two. */
LANES_INLINE quad quad_upper(quad a) {
#if defined(__x86_64__)
    return _mm_movehl_ps(a, a);
#else
    return (quad){a[2], a[3], a[2], a[3]};
#endif
}
LANES_INLINE quad quad_larger(quad a, quad b) {
#if defined(__x86_64__)
    return _mm_max_ps(a, b);
#else
    const quad_ints mask = a > b;
    return (quad)((mask & (quad_ints)a) | (~mask & (quad_ints)b));
#endif
}
LANES_INLINE quad quad_smaller(quad a, quad b) {
#if defined(__x86_64__)
    return _mm_min_ps(a, b);
#else
    const quad_ints mask = a < b;
    return (quad)((mask & (quad_ints)a) | (~mask & (quad_ints)b));
#endif
}
LANES_INLINE uint32_t quad_bits(quad_ints mask) {
#if defined(__x86_64__)
    return (uint32_t)_mm_movemask_ps((quad)mask);
#else
    uint32_t bits = 0;
    for (int i = 0; i < 4; i++)
        bits |= (uint32_t)(mask[i] & 1) << i;
    return bits;
#endif
}

typedef struct vec3 {
    floats x, y, z;
} vec3;

LANES_INLINE floats dot(vec3 a, vec3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

/* ---- records ---- */

/* Numbers at, at + 1, at + 2 and at + 3 of a record for each lane, as four vectors. */
typedef struct columns {
    floats x, y, z, w;
} columns;

LANES_INLINE columns turned(const float *const record[LANE_COUNT], size_t at) {
#if defined(LANES_ARE_AVX2)
    __m256 row[4];
    for (int i = 0; i < 4; i++)
        row[i] = _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(record[i] + at)),
                                      _mm_loadu_ps(record[i + 4] + at), 1);
    const __m256 xy = _mm256_unpacklo_ps(row[0], row[1]), zw = _mm256_unpackhi_ps(row[0], row[1]);
    const __m256 xy2 = _mm256_unpacklo_ps(row[2], row[3]), zw2 = _mm256_unpackhi_ps(row[2], row[3]);
    return (columns){_mm256_shuffle_ps(xy, xy2, 0x44), _mm256_shuffle_ps(xy, xy2, 0xee),
                     _mm256_shuffle_ps(zw, zw2, 0x44), _mm256_shuffle_ps(zw, zw2, 0xee)};
#else
    columns c;
    for (int i = 0; i < LANE_COUNT; i++) {
        each(&c.x)[i] = record[i][at];
        each(&c.y)[i] = record[i][at + 1];
        each(&c.z)[i] = record[i][at + 2];
        each(&c.w)[i] = record[i][at + 3];
    }
    return c;
#endif
}
