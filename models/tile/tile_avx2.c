/* Prices of counted events, eight events at a time: every product is 32 x 32 = 64 bits, as in tile.c. */
#include "models/tile/tile_internal.h"
#include "sim/base/error.h"

#if defined(__x86_64__)

#include <immintrin.h>

#define AVX2        __attribute__((target("avx2")))
#define AVX2_INLINE __attribute__((target("avx2"), always_inline)) static inline

enum { EIGHT = 8, GROUPS = FS_MAX_EVENTS / EIGHT };
_Static_assert(FS_MAX_EVENTS % EIGHT == 0, "a worker's row is whole vectors");

AVX2_INLINE __m256i products(__m256i counts, __m256i slots) {
    __m256i even = _mm256_mul_epu32(counts, slots);
    __m256i odd = _mm256_mul_epu32(_mm256_srli_epi64(counts, 32), _mm256_srli_epi64(slots, 32));
    return _mm256_add_epi64(even, odd);
}

AVX2_INLINE uint64_t total(__m256i four) {
    __m128i two = _mm_add_epi64(_mm256_castsi256_si128(four), _mm256_extracti128_si256(four, 1));
    return (uint64_t)_mm_cvtsi128_si64(two) + (uint64_t)_mm_extract_epi64(two, 1);
}

/* Events [first, first + 8 groups). */
AVX2_INLINE void add_segment(const fs_priced_program *p, const uint32_t *counts, uint32_t segment,
                             uint32_t first, uint32_t groups, uint64_t slots[FS_MAX_WORKERS]) {
    __m256i price[GROUPS];
    for (uint32_t g = 0; g < groups; g++)
        price[g] = _mm256_loadu_si256((const __m256i *)&p->segment_slots[segment][first + g * EIGHT]);
    for (uint32_t w = 0; w < p->workers; w++, counts += FS_MAX_EVENTS) {
        __m256i sum = _mm256_setzero_si256();
        for (uint32_t g = 0; g < groups; g++) {
            __m256i row = _mm256_loadu_si256((const __m256i *)&counts[first + g * EIGHT]);
            sum = _mm256_add_epi64(sum, products(row, price[g]));
        }
        slots[w] += total(sum);
    }
}

/* Vectors are cut where they suit a segment: one or two of them, as a rule, and unrolled. */
AVX2 void fs_counted_slots_avx2(const fs_priced_program *p, const uint32_t *counts, fs_segment_table slots) {
    for (uint32_t s = 0; s < p->program->segments; s++) {
        const uint32_t begin = p->segment_begin[s], end = p->segment_end[s], last = FS_MAX_EVENTS - EIGHT;
        if (end == 0)
            continue;
        if (end <= begin + EIGHT)
            add_segment(p, counts, s, begin < last ? begin : last, 1, slots[s]);
        else if (end <= begin + 2 * EIGHT && begin + 2 * EIGHT <= FS_MAX_EVENTS)
            add_segment(p, counts, s, begin, 2, slots[s]);
        else
            add_segment(p, counts, s, 0, GROUPS, slots[s]);
    }
}

bool fs_tile_has_avx2(void) {
    return __builtin_cpu_supports("avx2") != 0;
}

#else

void fs_counted_slots_avx2(const fs_priced_program *program, const uint32_t *counts, fs_segment_table slots) {
    (void)program, (void)counts, (void)slots;
    FS_ASSERT(false, "a host without AVX2");
}

bool fs_tile_has_avx2(void) {
    return false;
}

#endif
