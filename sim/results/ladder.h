/* The ladder: a run's time again with one thing for free after another; the one writer of ladder.csv. What
 * the rungs are is the workload's or the machine's matter. */
#pragma once

#include "sim/results/results.h"

#include <stddef.h>
#include <stdint.h>

typedef struct fs_rung {
    const char *name; /* "free_exchange"; NULL: this run has no such rung, and no row is written */
    const char *kind; /* "measured"; "bound": traffic stays as it was; "estimate": it would change */
    uint64_t cycles;
    double seconds, gain_percent; /* gain: of the measured cycles */
    double joules;                /* of the run with it; NAN: not known */
    const char *detail;           /* one sentence; not copied, as is the next */
    const char *sets; /* texts for --set, separated by spaces, that make it a run; "" or NULL: none do */
} fs_rung;

/* Cycles, seconds and gain of a rung that takes `cycles` where the run takes `measured`, at `clock` Hz. */
static inline void fs_ladder_time(fs_rung *rung, double cycles, double measured, double clock) {
    rung->cycles = (uint64_t)(cycles + 0.5);
    rung->seconds = cycles / clock;
    rung->gain_percent = measured > 0 ? 100 * (measured - cycles) / measured : 0;
}

/* Energy of rungs in which the same happens as measured (rungs[0]), only in another time: of the run's
 * `joules` those that are paid as long as it runs, `standing` (clocks and leakage), follow the cycles. */
void fs_ladder_energy(fs_rung *rungs, size_t count, double joules, double standing);

/* Columns rung (its place in `rungs`), name, cycles, seconds, gain_percent, joules, kind, detail, sets. */
fs_status fs_ladder_write(const fs_rung *rungs, size_t count, fs_results *results, fs_error *err);
