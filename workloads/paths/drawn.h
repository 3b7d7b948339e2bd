/* Drawn samples: n of S repetitions are run, all of them are spoken of, and it is said how well that is
 * known.
 *
 * What is drawn without replacement has a mean, and the mean a standard error: that of n independent values
 * less the share that was seen (Cochran: Sampling Techniques, 1977, section 2.6). The interval around the
 * mean is Student's of n - 1 degrees. With n = S nothing is left to chance: error and interval are 0.
 *
 * The slowest of many. Where each of many (a tile) is known by its drawn repetitions only, the greatest of
 * their means is too great: chance adds to the slow ones' slowness. Means that are drawn towards their common
 * mean by fs_drawn_trust have the spread of the true ones, as far as n tells it, so that their greatest is no
 * longer biased by it (Louis: Estimating a Population of Parameter Values Using Bayes and Empirical Bayes
 * Methods, 1984).
 */
#ifndef FOAMSIM_WORKLOADS_PATHS_DRAWN_H
#define FOAMSIM_WORKLOADS_PATHS_DRAWN_H

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
double fs_drawn_trust(double seen, double noise);

#endif
