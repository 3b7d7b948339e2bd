/* Quantiles: ranks, the selection of a rank without sorting, weighted samples. */
#include "sim/base/quantile.h"

#include "sim/base/alloc.h"
#include "sim/base/arith.h"
#include "sim/base/detmath.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

uint64_t fs_quantile_rank(double exact) {
    uint64_t rank = exact > 1.0 ? (uint64_t)exact : 1;
    return rank + ((double)rank < exact);
}

double fs_quantile_nearest(double *value, size_t count, double share) {
    size_t n = 0;
    for (size_t i = 0; i < count; i++)
        if (!isnan(value[i]))
            value[n++] = value[i];
    if (n == 0)
        return (double)NAN;
    qsort(value, n, sizeof *value, fs_by_real);
    const uint64_t rank = fs_quantile_rank(share * (double)n);
    return value[(rank < n ? rank : n) - 1];
}

static double middle(const double *sorted, size_t count) {
    return count == 0 ? (double)NAN : (sorted[(count - 1) / 2] + sorted[count / 2]) / 2;
}

double fs_median(const double *values, size_t count) {
    double *sorted = fs_malloc((count + 1) * sizeof *sorted);
    size_t n = 0, finite = 0;
    for (size_t i = 0; i < count; i++) {
        finite += isfinite(values[i]) ? 1 : 0;
        if (!isnan(values[i]))
            sorted[n++] = values[i];
    }
    if (n > 0)
        qsort(sorted, n, sizeof *sorted, fs_by_real);
    double median = middle(sorted, n);
    if (!isfinite(median))
        median = middle(sorted, finite);
    free(sorted);
    return median;
}

fs_between fs_between_ranks(size_t count, double share) {
    const double rank = (double)(count - 1) * share;
    const size_t low = (size_t)rank;
    return (fs_between){.low = low, .high = low + 1 < count ? low + 1 : low, .part = rank - (double)low};
}

double fs_between_of(fs_between where, double low, double high) {
    return low + where.part * (high - low);
}

/* Orders values so far that values[k] is what it would be in ascending order, with none greater before it
 * and none smaller behind it. */
static void place(float *values, uint32_t count, uint32_t k) {
    int64_t low = 0, high = (int64_t)count - 1;
    while (low < high) {
        const float pivot = values[low + (high - low) / 2];
        int64_t i = low, j = high;
        while (i <= j) {
            while (values[i] < pivot)
                i++;
            while (pivot < values[j])
                j--;
            if (i > j)
                break;
            const float other = values[i];
            values[i++] = values[j];
            values[j--] = other;
        }
        if (k <= j)
            high = j;
        else if (k >= i)
            low = i;
        else
            return;
    }
}

double fs_quantile(const float *value, uint32_t count, double share) {
    if (count == 0)
        return 0;
    const fs_between where = fs_between_ranks(count, share);
    float *some = fs_malloc(count * sizeof *some);
    memcpy(some, value, count * sizeof *some);
    place(some, count, (uint32_t)where.low);
    float next = some[where.high];
    for (size_t i = where.high; i < count; i++)
        next = some[i] < next ? some[i] : next;
    const double found = fs_between_of(where, (double)some[where.low], (double)next);
    free(some);
    return found;
}

/* ---- weighted samples ---- */

static int by_value(const void *a, const void *b) {
    return fs_by_real(&((const fs_weighted *)a)->value, &((const fs_weighted *)b)->value);
}

void fs_weighted_sort(fs_weighted *sample, size_t count) {
    qsort(sample, count, sizeof *sample, by_value);
}

static double weight_of(const fs_weighted *sample, size_t count) {
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += sample[i].weight;
    return sum;
}

double fs_weighted_quantile(const fs_weighted *sorted, size_t count, double share) {
    const double all = weight_of(sorted, count), wanted = share * all, slack = 1e-12 * all;
    double below = 0, exact = (double)NAN; /* the value that just `share` is at or below */
    for (size_t i = 0; i < count && all > 0; i++) {
        if (!(sorted[i].weight > 0))
            continue;
        if (!isnan(exact))
            return (exact + sorted[i].value) / 2;
        below += sorted[i].weight;
        if (below > wanted + slack)
            return sorted[i].value;
        if (below >= wanted - slack)
            exact = sorted[i].value;
    }
    return exact;
}

/* The square of a share below, over a stretch of values. */
static double part_of(double share, double from, double to, double observed) {
    const double at = fmin(fmax(observed, from), to), above = 1 - share;
    return share * share * (at - from) + above * above * (to - at);
}

double fs_weighted_crps(const fs_weighted *sorted, size_t count, double observed) {
    const double all = weight_of(sorted, count);
    double below = 0, sum = 0;
    if (count == 0 || !(all > 0))
        return (double)NAN;
    sum += fmax(0, sorted[0].value - observed) + fmax(0, observed - sorted[count - 1].value);
    for (size_t i = 0; i + 1 < count; i++) {
        below += sorted[i].weight;
        sum += part_of(below / all, sorted[i].value, sorted[i + 1].value, observed);
    }
    return sum;
}

/* The share of it below x: x + x^3 / 3 + x^5 / (3 5) + ..., times the density, and a half. */
static double normal_below(double x) {
    static const double root = 2.50662827463100050242; /* of two pi */
    double term = x, sum = x;
    for (int k = 3; fabs(term) > 1e-18 * fabs(sum); k += 2) {
        term *= x * x / k;
        sum += term;
    }
    return 0.5 + sum * fs_exp(-x * x / 2) / root;
}

double fs_normal_quantile(double share) {
    double low = -8, high = 8;
    for (int i = 0; i < 60; i++) {
        const double middle_of = (low + high) / 2;
        *(normal_below(middle_of) < share ? &low : &high) = middle_of;
    }
    return (low + high) / 2;
}
