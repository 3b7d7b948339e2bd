/* Distributions of whole numbers: one bin each, the last for all that is larger. */
#include "sim/base/quantile.h"
#include "sim/stats/stats.h"

static size_t bin_of(uint64_t value) {
    return value < FS_DIST_MAX ? (size_t)value : FS_DIST_MAX - 1;
}

void fs_dist_add(fs_dist *d, uint64_t value) {
    d->bin[bin_of(value)]++;
    d->count++;
    d->sum += value;
    if (value > d->max)
        d->max = value;
}

void fs_dist_merge(fs_dist *into, const fs_dist *from) {
    for (size_t i = 0; i < FS_DIST_MAX; i++)
        into->bin[i] += from->bin[i];
    into->count += from->count;
    into->sum += from->sum;
    if (from->max > into->max)
        into->max = from->max;
}

double fs_dist_mean(const fs_dist *d) {
    return d->count == 0 ? 0.0 : (double)d->sum / (double)d->count;
}

uint64_t fs_dist_percentile(const fs_dist *d, double percent) {
    if (d->count == 0)
        return 0;
    const uint64_t rank = fs_quantile_rank(percent * (double)d->count / 100.0);
    uint64_t below = 0;
    for (size_t i = 0; i < FS_DIST_MAX - 1; i++) {
        below += d->bin[i];
        if (below >= rank)
            return i;
    }
    return d->max; /* in the last bin, which holds all that is larger */
}
