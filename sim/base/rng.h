/* Random numbers from counters: the n-th number of a stream is a pure function of (seed, path, n), so results
 * do not depend on the order in which components draw, nor on threads. */
#pragma once

#include <stdint.h>

typedef struct fs_rng {
    uint64_t key;
    uint64_t counter;
} fs_rng;

/* The stream of component `path` under `seed`; path is any text, such as "scene/garden/leaves". */
fs_rng fs_rng_stream(uint64_t seed, const char *path);
/* The i-th sub-stream: independent of the parent and of its siblings. */
fs_rng fs_rng_sub(fs_rng parent, uint64_t i);

uint64_t fs_rng_u64(fs_rng *rng);               /* uniform over all 64-bit values */
uint32_t fs_rng_below(fs_rng *rng, uint32_t n); /* uniform in [0, n), n > 0, exactly */
double fs_rng_unit(fs_rng *rng);                /* uniform in [0, 1), 53 bits */
double fs_rng_range(fs_rng *rng, double lo, double hi);
double fs_rng_normal(fs_rng *rng); /* mean 0, deviation 1; libm-free (sum of 12 uniforms) */
