/* A sum of many values that follow each other, of which few are worked out.
 *
 * Of each a size is known, which is about proportional to it. Points lie a golden section of the whole apart, so that the
 * first so many of them are always about evenly spread, each alone as likely anywhere; a value is met in proportion to the root
 * of its size: small ones are less regular and cost less (Cochran: Sampling Techniques, 1977, 5.5). The first and the last value
 * and those at points are worked out, and at every sixth point the neighbour as well. Others are their size times a ratio
 * that lies between those of the values before and behind them. As long as the sum is not known well enough points follow.
 *
 * The error of the sum has two parts. Chance differs from value to value: twice its variance is the mean square of the
 * differences of neighbours. Drift is what a ratio differs from the line between those beside it beyond chance; of that
 * the sum keeps less than a third, since what lies between two that are known is held at both ends (a quarter where
 * ratios walk at random). Chance is taken as at least 1.5 % of a value, as quiet values say nothing of the others. The 95 %
 * interval is Student's of as many degrees as there are pairs, a twentieth wider since whoever stops at a narrow interval
 * stops more often where it is too narrow. Tests hold this over many series, and over frames of a network.
 *
 *     fs_strata s = fs_strata_create(arena, size, count, rng);
 *     do {
 *         for (uint64_t i = 0, n = fs_strata_missing(&s, list); i < n; i++)
 *             s.value[list[i]] = ...;                    // any order, any thread
 *     } while (!fs_strata_within(&s, 0.01, 0));
 *     ... fs_strata_value(&s, i);                        // the others, too
 */
#pragma once

#include "sim/base/alloc.h"
#include "sim/base/rng.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct fs_strata {
    uint64_t count;
    const uint64_t *size; /* [count] above 0; kept */
    uint64_t *value;      /* [count] 0: not worked out */
    double *upto;         /* [count + 1] sums of the sizes' roots before each */
    double start;         /* of the points, as a share of that sum */
    uint64_t points;      /* so far */
    bool *asked;          /* [count] worked out, or to be */
    uint64_t *known;      /* [known_count] these, ascending */
    uint64_t known_count, wanted;
    uint64_t *pair; /* [pairs] values that are known together with the next one for the sake of chance */
    uint64_t pairs;
} fs_strata;

/* All memory from the arena. */
fs_strata fs_strata_create(fs_arena *arena, const uint64_t *size, uint64_t count, fs_rng rng);
/* Values that are to be worked out and are not, ascending into out[count]; how many. */
uint64_t fs_strata_missing(fs_strata *strata, uint64_t *out);
/* With these worked out: half the 95 % interval of the sum, in its unit. */
double fs_strata_half_width(const fs_strata *strata);
/* The sum, as it is known. */
double fs_strata_sum(const fs_strata *strata);
/* Whether the half width is at most that share of the sum and what is added to it; if not more values are missing. */
bool fs_strata_within(fs_strata *strata, double share, double added);
/* The value that a value is like: itself when it is worked out, else the nearer one of those beside it. */
uint64_t fs_strata_like(const fs_strata *strata, uint64_t value);
/* A value, worked out or not. */
double fs_strata_value(const fs_strata *strata, uint64_t value);
