/* Random numbers of paths, keyed by (seed, pixel, sample): a path draws from a small generator of its own
 * that is seeded from its key, so its numbers depend on no other path, thread, tile or order. The generator
 * is xoshiro128** (Blackman and Vigna: Scrambled Linear Pseudorandom Number Generators, 2018), the family of
 * the chip's hardware generator (PWP), in 32-bit additions, shifts and multiplications alone: eight of them
 * side by side in vectors give the same bits.
 *
 *     const fs_rng stream = fs_rng_stream(seed, "paths");           // once
 *     fs_path_random random = fs_paths_random_of(stream, pixel, sample);
 *     const float u = fs_paths_unit(fs_paths_u32(&random));           // in [0, 1), 24 bits
 */
#pragma once

#include "sim/base/rng.h"

#include <stdint.h>

typedef struct fs_path_random {
    uint32_t s[4]; /* never all zero */
} fs_path_random;

/* The generator of a path. stream: of the seed and of what the numbers are for. Pure; any thread. */
static inline fs_path_random fs_paths_random_of(fs_rng stream, uint64_t pixel, uint64_t sample) {
    fs_rng key = fs_rng_sub(fs_rng_sub(stream, pixel), sample);
    const uint64_t a = fs_rng_u64(&key), b = fs_rng_u64(&key);
    fs_path_random r = {{(uint32_t)a, (uint32_t)(a >> 32), (uint32_t)b, (uint32_t)(b >> 32)}};
    if ((a | b) == 0)
        r.s[0] = 1;
    return r;
}

static inline uint32_t fs_paths_rotate(uint32_t x, int by) {
    return (x << by) | (x >> (32 - by));
}

/* The next number, uniform over all 32-bit values. */
static inline uint32_t fs_paths_u32(fs_path_random *r) {
    uint32_t *s = r->s;
    const uint32_t result = fs_paths_rotate(s[1] * 5u, 7) * 9u, shifted = s[1] << 9;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= shifted;
    s[3] = fs_paths_rotate(s[3], 11);
    return result;
}

/* A number as a uniform f32 in [0, 1): its upper 24 bits, exact. */
static inline float fs_paths_unit(uint32_t number) {
    return (float)(int32_t)(number >> 8) * 0x1p-24f;
}

/* The same as an f16 holds it: its upper 11 bits, exact in f16 and f32. */
static inline float fs_paths_unit_half(uint32_t number) {
    return (float)(int32_t)(number >> 21) * 0x1p-11f;
}
