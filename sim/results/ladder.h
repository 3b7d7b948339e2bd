/* The ladder: a run's time again with one thing for free after another; the one writer of ladder.csv. What
 * the rungs are is the workload's or the machine's matter. */
#ifndef FOAMSIM_SIM_RESULTS_LADDER_H
#define FOAMSIM_SIM_RESULTS_LADDER_H

#include "sim/results/results.h"

#include <stddef.h>
#include <stdint.h>

enum { FS_RUNG_TEXT = 512 };

typedef struct fs_rung {
    const char *name; /* "free_exchange"; NULL: this run has no such rung, and no row is written */
    const char *kind; /* "measured"; "bound": traffic stays as it was; "estimate": it would change */
    uint64_t cycles;
    double seconds, gain_percent; /* gain: of the measured cycles */
    double joules;                /* of the run with it; NAN: not known */
    char detail[FS_RUNG_TEXT];    /* one sentence */
    char sets[FS_RUNG_TEXT]; /* texts for --set, separated by spaces, that make it a run; empty: none do */
} fs_rung;

/* Energy of rungs in which the same happens as measured (rungs[0]), only in another time: of the run's
 * `joules` those that are paid as long as it runs, `standing` (clocks and leakage), follow the cycles. */
void fs_ladder_energy(fs_rung *rungs, size_t count, double joules, double standing);

/* Columns rung (its place in `rungs`), name, cycles, seconds, gain_percent, joules, kind, detail, sets. */
fs_status fs_ladder_write(const fs_rung *rungs, size_t count, fs_results *results, fs_error *err);

#endif
