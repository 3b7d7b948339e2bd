/* Clock domains on a common tick: the tick is the least common multiple of both frequencies, a clock is a
 * period in ticks, and edges of all clocks meet at tick 0. 250 and 150 MHz meet at 750 MHz: periods 3 and 5.
 */
#ifndef FOAMSIM_MODELS_PART_CLOCK_H
#define FOAMSIM_MODELS_PART_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#define FS_CLOCK_TICK_HZ 100000000000 /* a tick takes 10 ps at least */

/* The greatest that divides both; both > 0. */
uint64_t fs_common_divisor(uint64_t a, uint64_t b);

/* Periods of two clocks in ticks. */
typedef struct fs_clock_pair {
    uint64_t a, b;
} fs_clock_pair;

/* Frequencies in Hz, > 0. false: the common tick would be shorter than 10 ps. */
bool fs_clock_pair_of(uint64_t a, uint64_t b, fs_clock_pair *pair);

/* Whole cycles at `hz` that a time of so many seconds takes, rounded up; what a multiple of the period is
 * written as (184 ns at 250 MHz: 46) stays that multiple. seconds >= 0, at most 1e18 cycles. */
uint64_t fs_clock_cycles(double seconds, uint64_t hz);

/* The first edge of a clock of period `to` that is not before edge `cycle` of one of period `from`. */
static inline uint64_t fs_clock_edge(uint64_t cycle, uint64_t from, uint64_t to) {
    return (cycle * from + to - 1) / to;
}

#endif
