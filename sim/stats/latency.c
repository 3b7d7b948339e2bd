/* Latencies in bins that grow with them. */
#include "sim/stats/latency.h"

#include "sim/base/quantile.h"

static uint32_t bin_of(uint64_t value) {
    uint32_t top = 63 - (uint32_t)__builtin_clzll(value | 1);
    uint32_t shift = top > FS_LATENCY_BITS ? top - FS_LATENCY_BITS : 0;
    return (shift << FS_LATENCY_BITS) + (uint32_t)(value >> shift);
}

uint64_t fs_latency_bin_begin(uint32_t bin) {
    uint32_t shift = bin >> FS_LATENCY_BITS;
    if (shift == 0)
        return bin;
    shift--;
    return (uint64_t)(bin - (shift << FS_LATENCY_BITS)) << shift;
}

void fs_latency_add_cycles(fs_latency *l, uint64_t cycles, uint64_t times) {
    l->bin[bin_of(cycles)] += times;
    l->count += times;
    l->sum += cycles * times;
    l->max = cycles > l->max ? cycles : l->max;
}

void fs_latency_add(fs_latency *l, uint64_t cycles, uint64_t iterations, uint64_t hops) {
    fs_latency_add_cycles(l, cycles, 1);
    fs_dist_add(&l->iterations, iterations);
    fs_dist_add(&l->hops, hops);
}

double fs_latency_mean(const fs_latency *l) {
    return l->count > 0 ? (double)l->sum / (double)l->count : 0;
}

uint64_t fs_latency_percentile(const fs_latency *l, double percent) {
    const uint64_t rank = fs_quantile_rank(percent / 100.0 * (double)l->count);
    uint64_t below = 0;
    for (uint32_t b = 0; b < FS_LATENCY_BINS; b++) {
        below += l->bin[b];
        if (below >= rank)
            return fs_latency_bin_begin(b);
    }
    return 0;
}
