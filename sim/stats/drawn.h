/* Drawn samples: n of S repetitions are run; this estimates all S, with an interval.
 *
 * The mean of n values drawn without replacement has the standard error of n independent values times
 * sqrt(1 - n / S) (Cochran: Sampling Techniques, 1977, section 2.6). Its 95 % interval is Student's of n - 1
 * degrees. With n = S error and interval are 0.
 *
 * The slowest of many tiles. The greatest of their drawn means is too great, because chance helped to choose it.
 * Means shrunk towards the common mean by fs_drawn_shrinkage have the spread of the true ones, as far as n tells it,
 * and their greatest is unbiased (Louis: Estimating a Population of Parameter Values Using Bayes and Empirical Bayes
 * Methods, 1984).
 *
 * Where errors of tiles differ in size, fs_drawn_left needs no such model. With
 *     m     the common mean,
 *     most  the greatest drawn mean: too great, as above,
 *     chosen  in each sample the value of the tile that the other samples choose, on average: too small, because
 *           a wrong tile may be chosen (Stone: Cross-Validatory Choice, 1974),
 *     c     (chosen - m) / (most - m),
 * the true greatest is m + sqrt(c) (most - m) if the means are normal. Equal tiles give 0, one far ahead gives 1.
 */
#pragma once

#include "sim/base/rng.h"

#include <stdint.h>

/* Chooses `draw` <= `of` numbers of 0 ... of - 1, each set of that size as likely as any other; ascending
 * into out[draw]. */
void fs_drawn_choose(fs_rng rng, uint64_t of, uint64_t draw, uint64_t *out);

/* Values seen one by one (Welford); begin with zeros and `of`, the number of all. */
typedef struct fs_drawn {
    uint64_t of, count;
    double mean, squares; /* sum of squared distances from the mean */
} fs_drawn;

void fs_drawn_add(fs_drawn *drawn, double value);
/* Of the values, by count - 1; 0 for fewer than two. */
double fs_drawn_variance(const fs_drawn *drawn);
/* Of the mean; 0 when all were seen, infinite for fewer than two of more. */
double fs_drawn_error(const fs_drawn *drawn);
/* Half the 95 % interval around the mean. */
double fs_drawn_half_width(const fs_drawn *drawn);

/* Student's t: 97.5 % of its values are below; error below 0.1 %. degrees > 0. */
double fs_drawn_student(uint64_t degrees);

/* Share of their distance from the common mean that drawn means keep: sqrt(1 - noise / seen), where seen is
 * the variance of the means over all, and noise the mean of the squared standard errors of each; 0 when the
 * noise explains all. */
double fs_drawn_shrinkage(double seen, double noise);

/* m, most and chosen, as above. Sums of several are one as well. */
typedef struct fs_drawn_greatest {
    double mean, most, chosen;
} fs_drawn_greatest;

/* Factor on most - m that gives the greatest over `of` samples, of which `drawn` were seen; 1 when all were. */
double fs_drawn_left(const fs_drawn_greatest *greatest, double drawn, double of);
