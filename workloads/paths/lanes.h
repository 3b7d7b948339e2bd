/* Numbers side by side, as vectors of the compiler. What is written with them is one text that two small files
 * include: one for hosts with AVX2, which defines FS_LANES_AVX2 first, with eight lanes; one for all others
 * with four. Every operation of a lane rounds as that of a lone number, so both have the same bits.
 *
 *     LANES_INLINE floats half(floats a) { return a * 0.5f; }
 *     LANES void FS_LANES_NAME(fs_foo)(float *x)    // fs_foo_avx2, fs_foo_plain
 *
 * Names are short, as they are the language of such a text; nobody else includes this.
 */
#ifndef FOAMSIM_WORKLOADS_PATHS_LANES_H
#define FOAMSIM_WORKLOADS_PATHS_LANES_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#if defined(FS_LANES_AVX2)
#define FS_LANES_NAME(name) name##_avx2
#else
#define FS_LANES_NAME(name) name##_plain
#endif

#if defined(FS_LANES_AVX2) && defined(__x86_64__)
#define LANES __attribute__((target("avx2")))
enum { LANE_COUNT = 8 };
#else
#define LANES
enum { LANE_COUNT = 4 };
#endif
#define LANES_INLINE LANES __attribute__((always_inline)) static inline

typedef float floats __attribute__((vector_size(4 * LANE_COUNT)));
typedef uint32_t words __attribute__((vector_size(4 * LANE_COUNT)));
/* A comparison gives all bits of a lane, or none: a mask. */
typedef int32_t ints __attribute__((vector_size(4 * LANE_COUNT)));

/* The lanes of a vector in memory, one by one. */
LANES_INLINE float *each(floats *a) {
    return (float *)a;
}
LANES_INLINE uint32_t *each_word(words *a) {
    return (uint32_t *)a;
}

LANES_INLINE floats all(float a) {
    return a - (floats){0};
}
LANES_INLINE ints all_ints(int32_t a) {
    return a - (ints){0};
}
LANES_INLINE floats to_floats(ints a) {
    return __builtin_convertvector(a, floats);
}

/* Words of four bytes, each lane's `at` of them behind `from`. */
LANES_INLINE ints gather(const void *from, ints at) {
#if defined(FS_LANES_AVX2) && defined(__x86_64__)
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
    return (mask & yes) | (~mask & no);
}
LANES_INLINE floats pick(ints mask, floats yes, floats no) {
#if defined(FS_LANES_AVX2) && defined(__x86_64__)
    return (floats)_mm256_blendv_ps((__m256)no, (__m256)yes, (__m256)mask);
#else
    return (floats)pick_ints(mask, (ints)yes, (ints)no);
#endif
}
/* `a` where the mask is set, else 0. */
LANES_INLINE floats only(ints mask, floats a) {
    return (floats)(mask & (ints)a);
}

/* A bit for each lane whose mask is set. */
LANES_INLINE uint32_t bits_of(ints mask) {
#if defined(FS_LANES_AVX2) && defined(__x86_64__)
    return (uint32_t)_mm256_movemask_ps((__m256)mask);
#elif defined(__x86_64__)
    return (uint32_t)_mm_movemask_ps((__m128)mask);
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
#if defined(FS_LANES_AVX2) && defined(__x86_64__)
    return (floats)_mm256_sqrt_ps((__m256)a);
#elif defined(__x86_64__)
    return (floats)_mm_sqrt_ps((__m128)a);
#else
    floats root = a;
    for (int i = 0; i < LANE_COUNT; i++)
        root[i] = sqrtf(a[i]);
    return root;
#endif
}

#endif
