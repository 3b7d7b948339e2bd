/* The exit of a cell eight faces at a time. Private to bundle_core.h. */
#pragma once

#include "workloads/foam/march/exit.h"

enum { FEW_BLOCKS = 4 }; /* up to so many the exit is found without a loop */

/* In memory, where an operand costs nothing, since the step has more constants than registers. */
/* clang-format off */
#define EIGHT(x) {x, x, x, x, x, x, x, x}
/* clang-format on */
_Alignas(32) static const int32_t eight_none[FS_EYE_LANES] = EIGHT(NO_EXIT);
_Alignas(32) static const int32_t eight_less_one[FS_EYE_LANES] = EIGHT(-1);
_Alignas(32) static const int32_t one_on[FS_EYE_LANES] = {0, 0, 1, 2, 3, 4, 5, 6};
_Alignas(32) static const int32_t low_bytes[FS_EYE_LANES] = EIGHT(0x00ff00ff);

LANES_INLINE __m256i constant(const int32_t *x) {
    return _mm256_load_si256((const __m256i *)(const void *)x);
}

LANES_INLINE __m256i key_of(const fs_eye_block *block, __m256 x, __m256 y, __m256 z, __m256i *dn_bits) {
    __m256 dn = _mm256_add_ps(
        _mm256_add_ps(_mm256_mul_ps(_mm256_load_ps(block->x), x), _mm256_mul_ps(_mm256_load_ps(block->y), y)),
        _mm256_mul_ps(_mm256_load_ps(block->z), z));
    __m256i t = _mm256_castps_si256(_mm256_div_ps(_mm256_load_ps(block->ahead), dn));
    *dn_bits = _mm256_castps_si256(dn);
    return _mm256_min_epu32(_mm256_add_epi32(t, constant(eight_less_one)), constant(eight_none));
}

/* Lane i: the least of lanes 0 ... i. */
LANES_INLINE __m256i least_so_far(__m256i key) {
    key = _mm256_min_epu32(key, _mm256_shuffle_epi32(key, _MM_SHUFFLE(2, 1, 0, 0)));
    key = _mm256_min_epu32(key, _mm256_shuffle_epi32(key, _MM_SHUFFLE(1, 0, 0, 0)));
    __m256i lower = _mm256_shuffle_epi32(key, _MM_SHUFFLE(3, 3, 3, 3)); /* all ones, lower half's last */
    return _mm256_min_epu32(
        key, _mm256_inserti128_si256(constant(eight_less_one), _mm256_castsi256_si128(lower), 1));
}

/* From that, lane i: the least of lanes 0 ... i - 1. */
LANES_INLINE __m256i least_before(__m256i so_far) {
    so_far = _mm256_permutevar8x32_epi32(so_far, constant(one_on));
    return _mm256_blend_epi32(so_far, constant(eight_none), 0x01);
}

LANES_INLINE uint32_t last_of(__m256i so_far) {
    return (uint32_t)_mm_extract_epi32(_mm256_extracti128_si256(so_far, 1), 3);
}

/* How many of four vectors' floats are positive: packing keeps signs. A dn that is no number comes from an
 * operation without a result, and such a NaN is negative. */
LANES_INLINE uint32_t positive(__m256i a, __m256i b, __m256i c, __m256i d) {
    __m256i bytes = _mm256_packs_epi16(_mm256_packs_epi32(a, b), _mm256_packs_epi32(c, d));
    __m256i above = _mm256_cmpgt_epi8(bytes, _mm256_setzero_si256());
    return (uint32_t)_mm_popcnt_u32((uint32_t)_mm256_movemask_epi8(above));
}

/* Bit 4 i + j is lane i of the j-th of four comparisons. */
LANES_INLINE uint32_t four_bits(__m256i a, __m256i b, __m256i c, __m256i d) {
    __m256i even = _mm256_blend_epi16(a, c, 0xaa), odd = _mm256_blend_epi16(b, d, 0xaa);
    __m256i low = constant(low_bytes);
    return (uint32_t)_mm256_movemask_epi8(
        _mm256_or_si256(_mm256_and_si256(low, even), _mm256_andnot_si256(low, odd)));
}

/* The exit of a cell with any number of blocks. */
LANES __attribute__((noinline)) static exit_face exit_of_any(const fs_eye_cell *c, const float *d) {
    const __m256 x = _mm256_set1_ps(d[0]), y = _mm256_set1_ps(d[FS_EYE_LANES]),
                 z = _mm256_set1_ps(d[2 * FS_EYE_LANES]);
    const __m256i none = _mm256_setzero_si256();
    __m256i dn, key = _mm256_set1_epi32(NO_EXIT);
    exit_face exit = {0};
    for (uint32_t b = 0; b < c->blocks; b++) {
        key = _mm256_min_epu32(key, key_of(&c->block[b], x, y, z, &dn));
        exit.front += positive(dn, none, none, none);
    }
    const __m256i so_far = least_so_far(key);
    __m256i least = least_before(so_far);
    uint32_t last = 0;
    for (uint32_t b = 0; b < c->blocks; b++) {
        key = key_of(&c->block[b], x, y, z, &dn);
        uint32_t nearer = (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpgt_epi32(least, key)));
        least = _mm256_min_epu32(least, key);
        if (nearer != 0) {
            uint32_t face = (31u - (uint32_t)__builtin_clz(nearer)) * c->blocks + b;
            last = face > last ? face : last;
            exit.nearest += (uint32_t)_mm_popcnt_u32(nearer);
        }
    }
    exit.key = last_of(so_far);
    exit.cell = fs_eye_places(c)[last];
    return exit;
}

/* Up to FEW_BLOCKS blocks. The exit is the last face that was nearer than all before it. */
LANES_INLINE exit_face exit_of_few(const unsigned char *memory, const fs_eye_cell *c, const float *d) {
    const __m256 x = _mm256_broadcast_ss(&d[0]), y = _mm256_broadcast_ss(&d[FS_EYE_LANES]),
                 z = _mm256_broadcast_ss(&d[2 * FS_EYE_LANES]);
    __m256i dn0, dn1, dn2, dn3;
    __m256i k0 = key_of(&c->block[0], x, y, z, &dn0), k1 = key_of(&c->block[1], x, y, z, &dn1),
            k2 = key_of(fs_eye_at(memory, c->third), x, y, z, &dn2),
            k3 = key_of(fs_eye_at(memory, c->fourth), x, y, z, &dn3);
    __m256i so_far = least_so_far(_mm256_min_epu32(_mm256_min_epu32(k0, k1), _mm256_min_epu32(k2, k3)));
    __m256i before0 = least_before(so_far), before1 = _mm256_min_epu32(before0, k0),
            before2 = _mm256_min_epu32(before1, k1), before3 = _mm256_min_epu32(before2, k2);
    uint32_t nearer = four_bits(_mm256_cmpgt_epi32(before0, k0), _mm256_cmpgt_epi32(before1, k1),
                                _mm256_cmpgt_epi32(before2, k2), _mm256_cmpgt_epi32(before3, k3));
    uint64_t last = 31u ^ (uint32_t)__builtin_clz(nearer | 1), face = last / 4 * c->blocks + last % 4;
    return (exit_face){.key = last_of(so_far),
                       .cell = fs_eye_places(c)[face],
                       .front = positive(dn0, dn1, dn2, dn3),
                       .nearest = (uint32_t)_mm_popcnt_u32(nearer)};
}
