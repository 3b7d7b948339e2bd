/* Quantiles by the two usual rules: the nearest rank, which is a value that occurs, and the line between two
 * ranks. Ranks are of values in ascending order. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Nearest rank: the least whole number that is not below `exact` = share * count, and 1 at least. */
uint64_t fs_quantile_rank(double exact);

/* The value of that rank among those of `value` that are no NAN, which are sorted in place to its front; NAN
 * when there is none. */
double fs_quantile_nearest(double *value, size_t count, double share);

/* The median, of an even number the mean of the two in the middle. NANs do not count; infinite values do,
 * unless one is the median: then it is that of the finite ones. NAN when there is none. */
double fs_median(const double *value, size_t count);

/* Between ranks: quantile `share` of `count` > 0 values is between those at the indices low and high. */
typedef struct fs_between {
    size_t low, high;
    double part; /* of the way from low to high */
} fs_between;
fs_between fs_between_ranks(size_t count, double share);
double fs_between_of(fs_between where, double low, double high);

/* The quantile of values in any order, between ranks; 0 when there are none. Takes memory for a copy. */
double fs_quantile(const float *value, uint32_t count, double share);

/* ---- weighted samples, and what a forecast that they are is worth ---- */

typedef struct fs_weighted {
    double value, weight; /* value: may be infinite, no NAN; weight: 0 or more */
} fs_weighted;
/* By value, in place. */
void fs_weighted_sort(fs_weighted *sample, size_t count);
/* Of a sorted sample: the least value that `share` of the weight is at or below; where it is just that share, the
 * middle between it and the next one. NAN without weight. */
double fs_weighted_quantile(const fs_weighted *sorted, size_t count, double share);
/* Continuous ranked probability score of a sorted, finite sample against what was observed: the integral over x of
 * (weight at or below x, as a share, less 1 from the observed value on) squared, in the values' unit. Of a single value
 * its distance. */
double fs_weighted_crps(const fs_weighted *sorted, size_t count, double observed);

/* Standard normal distribution: the value below which `share` of it lies, 0 < share < 1; to 1e-12, within 8 of 0. */
double fs_normal_quantile(double share);
