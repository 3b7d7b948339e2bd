#include "sim/base/rng.h"

/* The finaliser of SplitMix64 (Steele, Lea, Flood 2014): a bijection with full avalanche. */
static uint64_t mix(uint64_t x) {
    x ^= x >> 30;
    x *= UINT64_C(0xbf58476d1ce4e5b9);
    x ^= x >> 27;
    x *= UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

static const uint64_t golden = UINT64_C(0x9e3779b97f4a7c15); /* 2^64 / golden ratio, odd */

fs_rng fs_rng_stream(uint64_t seed, const char *path) {
    uint64_t hash = UINT64_C(0xcbf29ce484222325); /* FNV-1a */
    for (const char *c = path; *c != '\0'; c++)
        hash = (hash ^ (unsigned char)*c) * UINT64_C(0x100000001b3);
    return (fs_rng){.key = mix(mix(seed + golden) ^ hash)};
}

fs_rng fs_rng_sub(fs_rng parent, uint64_t i) {
    return (fs_rng){.key = mix(parent.key ^ mix(i + golden))};
}

uint64_t fs_rng_u64(fs_rng *rng) {
    rng->counter++;
    return mix(mix(rng->key + rng->counter * golden) ^ rng->key);
}

uint32_t fs_rng_below(fs_rng *rng, uint32_t n) {
    for (;;) {
        const uint64_t product = (uint64_t)(uint32_t)(fs_rng_u64(rng) >> 32) * n;
        const uint32_t low = (uint32_t)product;
        /* Values under 2^32 modulo n would make the first ones likelier; that is below n, so that few need the division. */
        if (low >= n || low >= (uint32_t)-n % n)
            return (uint32_t)(product >> 32);
    }
}

double fs_rng_unit(fs_rng *rng) {
    return (double)(fs_rng_u64(rng) >> 11) * 0x1p-53;
}

double fs_rng_range(fs_rng *rng, double lo, double hi) {
    return lo + (hi - lo) * fs_rng_unit(rng);
}

double fs_rng_normal(fs_rng *rng) {
    double sum = -6.0;
    for (int i = 0; i < 12; i++)
        sum += fs_rng_unit(rng);
    return sum;
}
