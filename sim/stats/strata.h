/* A sum of many values that follow each other, of which few are worked out.
 *
 * Of each a bound is known, which is about proportional to it. Strata are runs of values with equal sums of bounds,
 * since neighbours are alike. In each a point is drawn, as likely anywhere on the sum of bounds, and the value that
 * lies there is worked out. Others are their bound times a ratio that lies between those of the points before and
 * behind them (Cochran: Sampling Techniques, 1977, sections 6.10 and 9A.3). The error of the sum is told by
 * differences of neighbouring points (Wolter: Introduction to Variance Estimation, 2007, section 8.2); its 95 %
 * interval is Student's of two thirds of the strata's degrees, a seventh wider since whoever stops at a narrow
 * interval stops more often where it is too narrow; what is worked out adds none. As long as it is too wide each
 * stratum is cut in two: the point that is there stays, the other half gets one of its own.
 *
 *     fs_strata s = fs_strata_create(arena, bound, count, rng);
 *     do {
 *         for (uint64_t i = 0, n = fs_strata_missing(&s, list); i < n; i++)
 *             s.value[list[i]] = ...;                    // any order, any thread
 *     } while (!fs_strata_within(&s, 0.01, 0));
 *     ... fs_strata_value(&s, i);                        // the others, too
 */
#ifndef FOAMSIM_SIM_STATS_STRATA_H
#define FOAMSIM_SIM_STATS_STRATA_H

#include "sim/base/alloc.h"
#include "sim/base/rng.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct fs_strata {
    uint64_t count;
    const uint64_t *bound; /* [count] above 0; kept */
    uint64_t *value;       /* [count] 0: not worked out */
    double *upto;          /* [count + 1] sums of bounds before each */
    double *point;         /* [strata] ascending, on that sum */
    uint64_t strata;       /* `count`: all values are worked out */
    fs_rng rng;
    fs_arena *arena;
} fs_strata;

/* All memory from the arena. */
fs_strata fs_strata_create(fs_arena *arena, const uint64_t *bound, uint64_t count, fs_rng rng);
/* Values that lie at a point and are not worked out, ascending into out[count]; how many. */
uint64_t fs_strata_missing(const fs_strata *strata, uint64_t *out);
/* With these worked out: half the 95 % interval of the sum, in its unit. */
double fs_strata_half_width(const fs_strata *strata);
/* The sum, as it is known. */
double fs_strata_sum(const fs_strata *strata);
/* Whether the half width is at most that share of the sum and what is added to it; if not strata become finer. */
bool fs_strata_within(fs_strata *strata, double share, double added);
/* The value that a value is like: itself when it is worked out, else the nearer one of the points beside it. */
uint64_t fs_strata_like(const fs_strata *strata, uint64_t value);
/* A value, worked out or not. */
double fs_strata_value(const fs_strata *strata, uint64_t value);

#endif
