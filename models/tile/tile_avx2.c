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

/* ---- six workers ---- */

/* What each worker counted of events [first, first + 8 groups), times their prices in a segment: partial sums,
 * four of them a worker. */
AVX2_INLINE void six_products(const fs_priced_program *p, const uint32_t *counts, uint32_t segment,
                              uint32_t first, uint32_t groups, __m256i sum[FS_PUBLISHED_WORKERS]) {
    for (uint32_t w = 0; w < FS_PUBLISHED_WORKERS; w++)
        sum[w] = _mm256_setzero_si256();
    for (uint32_t g = 0; g < groups; g++) {
        const uint32_t at = first + g * EIGHT;
        const __m256i price = _mm256_loadu_si256((const __m256i *)&p->segment_slots[segment][at]);
        for (uint32_t w = 0; w < FS_PUBLISHED_WORKERS; w++) {
            const uint32_t *row = counts + w * FS_MAX_EVENTS + at;
            sum[w] = _mm256_add_epi64(sum[w], products(_mm256_loadu_si256((const __m256i *)row), price));
        }
    }
}

/* a0 + a1, b0 + b1, a2 + a3, b2 + b3 */
AVX2_INLINE __m256i pairs(__m256i a, __m256i b) {
    return _mm256_add_epi64(_mm256_unpacklo_epi64(a, b), _mm256_unpackhi_epi64(a, b));
}

AVX2_INLINE __m256i times_32(__m256i words, __m256i factor) {
    const __m256i high = _mm256_mul_epu32(_mm256_srli_epi64(words, 32), factor);
    return _mm256_add_epi64(_mm256_mul_epu32(words, factor), _mm256_slli_epi64(high, 32));
}

AVX2_INLINE __m256i greater(__m256i a, __m256i b) { /* of numbers below 2^63 */
    return _mm256_blendv_epi8(b, a, _mm256_cmpgt_epi64(a, b));
}

/* Of four workers and of two more, which stand twice in `last`. */
AVX2_INLINE uint64_t longest_of(__m256i first, __m256i last) {
    const __m256i four = greater(first, last);
    const __m256i two = greater(four, _mm256_permute4x64_epi64(four, 0x4e));
    const __m256i one = greater(two, _mm256_shuffle_epi32(two, 0x4e));
    return (uint64_t)_mm_cvtsi128_si64(_mm256_castsi256_si128(one));
}

AVX2_INLINE void store_six(uint64_t *to, __m256i first, __m256i last) {
    _mm256_storeu_si256((__m256i *)to, first);
    _mm_storeu_si128((__m128i *)(to + 4), _mm256_castsi256_si128(last));
}

/* Cycles of the workers in a segment: of the first four, and of the last two, twice. */
typedef struct six_cycles {
    __m256i first, last;
} six_cycles;

AVX2_INLINE six_cycles cycles_of(const fs_priced_program *p, const uint32_t *counts, uint32_t s) {
    const uint32_t begin = p->segment_begin[s], end = p->segment_end[s], last = FS_MAX_EVENTS - EIGHT;
    __m256i sum[FS_PUBLISHED_WORKERS];
    if (end <= begin + EIGHT)
        six_products(p, counts, s, begin < last ? begin : last, 1, sum);
    else if (end <= begin + 2 * EIGHT && begin + 2 * EIGHT <= FS_MAX_EVENTS)
        six_products(p, counts, s, begin, 2, sum);
    else
        six_products(p, counts, s, 0, GROUPS, sum);
    const __m256i a = pairs(sum[0], sum[1]), b = pairs(sum[2], sum[3]), c = pairs(sum[4], sum[5]);
    const __m256i four =
        _mm256_add_epi64(_mm256_permute2x128_si256(a, b, 0x20), _mm256_permute2x128_si256(a, b, 0x31));
    const __m256i two = _mm256_add_epi64(c, _mm256_permute4x64_epi64(c, 0x4e));
    const __m256i other = _mm256_set1_epi64x((long long)p->fixed_other[s]);
    const __m256i fixed = _mm256_insert_epi64(other, (long long)p->fixed_first[s], 0);
    const __m256i each = _mm256_set1_epi64x((long long)p->cycles_per_slot);
    return (six_cycles){times_32(_mm256_add_epi64(four, fixed), each),
                        times_32(_mm256_add_epi64(two, other), each)};
}

AVX2 void fs_six_times_avx2(const fs_priced_program *p, const uint32_t *counts, fs_tile_times *out) {
    six_cycles busy = cycles_of(p, counts, 0), waiting = {_mm256_setzero_si256(), _mm256_setzero_si256()};
    uint64_t takes = longest_of(busy.first, busy.last); /* of the segment before */
    out->cycles = (uint64_t)p->before + p->after + takes;
    six_cycles done = busy;
    for (uint32_t s = 1; s < p->program->segments; s++) {
        const __m256i barrier = _mm256_set1_epi64x((long long)takes);
        waiting.first = _mm256_add_epi64(waiting.first, _mm256_sub_epi64(barrier, done.first));
        waiting.last = _mm256_add_epi64(waiting.last, _mm256_sub_epi64(barrier, done.last));
        done = cycles_of(p, counts, s);
        takes = longest_of(done.first, done.last);
        out->cycles += takes;
        busy.first = _mm256_add_epi64(busy.first, done.first);
        busy.last = _mm256_add_epi64(busy.last, done.last);
    }
    const __m256i cycles = _mm256_set1_epi64x((long long)out->cycles);
    store_six(out->busy, busy.first, busy.last);
    store_six(out->waiting, waiting.first, waiting.last);
    store_six(out->idle, _mm256_sub_epi64(_mm256_sub_epi64(cycles, busy.first), waiting.first),
              _mm256_sub_epi64(_mm256_sub_epi64(cycles, busy.last), waiting.last));
}

#else

void fs_counted_slots_avx2(const fs_priced_program *program, const uint32_t *counts, fs_segment_table slots) {
    (void)program, (void)counts, (void)slots;
    FS_ASSERT(false, "a host without AVX2");
}

void fs_six_times_avx2(const fs_priced_program *p, const uint32_t *counts, fs_tile_times *out) {
    (void)p, (void)counts, (void)out;
    FS_ASSERT(false, "a host without AVX2");
}

#endif
