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
 *
 * The slowest of many whose chance is of unlike size needs no such model: the greatest drawn mean is too
 * great; what the one takes in a sample that the other samples choose is, on average, too little, since no
 * chance is left in it and a wrong one may be chosen (Stone: Cross-Validatory Choice, 1974). With c the
 * second's distance from the common mean over the first's, all means being normal the true greatest stands at
 * sqrt(c) of the first's distance, where c is what the means' true variance has of the seen one; of equal
 * ones it stands at 0, of one that is far ahead at 1, as it must.
 */
#ifndef FOAMSIM_SIM_STATS_DRAWN_H
#define FOAMSIM_SIM_STATS_DRAWN_H

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

/* Of many: the common mean, the greatest of their drawn means, and what is taken on average in each sample by
 * the one that the others choose. Sums of several such are one as well. */
typedef struct fs_drawn_greatest {
    double mean, most, chosen;
} fs_drawn_greatest;

/* Share of the greatest drawn mean's distance from the common mean that the greatest has over `of` samples,
 * `drawn` of which were seen: 1 when all were. */
double fs_drawn_left(const fs_drawn_greatest *greatest, double drawn, double of);

#endif
