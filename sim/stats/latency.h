/* Latencies of many rays or packets in little memory: exact under 2,048, and to a thousandth of the value beyond. */
#pragma once

#include "sim/stats/stats.h"

#include <stdint.h>

/* Bins of 1,024 to an octave. */
enum { FS_LATENCY_BITS = 10, FS_LATENCY_BINS = (64 - FS_LATENCY_BITS + 1) << FS_LATENCY_BITS };

typedef struct fs_latency {
    uint64_t bin[FS_LATENCY_BINS]; /* cycles */
    uint64_t count, sum, max;      /* of the cycles, exact */
    fs_dist iterations, hops;
} fs_latency;

void fs_latency_add(fs_latency *l, uint64_t cycles, uint64_t iterations, uint64_t hops);
/* Of so many alike the cycles alone. */
void fs_latency_add_cycles(fs_latency *l, uint64_t cycles, uint64_t times);
double fs_latency_mean(const fs_latency *l);                         /* cycles; 0 when empty */
uint64_t fs_latency_percentile(const fs_latency *l, double percent); /* nearest rank, lower end of its bin */
uint64_t fs_latency_bin_begin(uint32_t bin);                         /* least value of a bin */
