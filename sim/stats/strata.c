#include "sim/stats/strata.h"

#include "sim/stats/drawn.h"

#include <math.h>

enum { FIRST = 24 }; /* strata to begin with: fewer say too little of their error */

static const double WIDER = 1.15; /* for the choice of when to stop: held by tests over many series */

static double all_of(const fs_strata *s) {
    return s->upto[s->count];
}

/* The value at a place of the sum of bounds. */
static uint64_t at(const fs_strata *s, double place) {
    uint64_t low = 0, high = s->count - 1;
    while (low < high) {
        const uint64_t middle = (low + high + 1) / 2;
        if (s->upto[middle] <= place)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

/* Cuts the sum into so many strata, a multiple of those that are there, whose points stay. */
static void cut(fs_strata *s, uint64_t strata) {
    double *point = FS_NEW(s->arena, double, strata);
    const double length = all_of(s) / (double)strata;
    fs_rng rng = fs_rng_sub(s->rng, strata);
    for (uint64_t k = 0, old = 0; k < strata; k++) {
        const double begin = (double)k * length, end = begin + length;
        const bool there = old < s->strata && s->point[old] < end;
        point[k] = there ? s->point[old++] : begin + fs_rng_unit(&rng) * length;
    }
    s->point = point;
    s->strata = strata;
}

static bool sees_all(const fs_strata *s) {
    return s->strata == s->count;
}

fs_strata fs_strata_create(fs_arena *arena, const uint64_t *bound, uint64_t count, fs_rng rng) {
    fs_strata s = {.count = count,
                   .bound = bound,
                   .value = FS_NEW(arena, uint64_t, count + 1),
                   .upto = FS_NEW(arena, double, count + 1),
                   .rng = rng,
                   .arena = arena};
    for (uint64_t i = 0; i < count; i++)
        s.upto[i + 1] = s.upto[i] + (double)bound[i];
    if (count <= FIRST)
        s.strata = count;
    else
        cut(&s, FIRST);
    return s;
}

uint64_t fs_strata_missing(const fs_strata *s, uint64_t *out) {
    uint64_t n = 0;
    for (uint64_t k = 0; k < s->strata; k++) {
        const uint64_t i = sees_all(s) ? k : at(s, s->point[k]);
        if (s->value[i] == 0 && (n == 0 || out[n - 1] != i))
            out[n++] = i;
    }
    return n;
}

static double ratio(const fs_strata *s, uint64_t worked_out) {
    return (double)s->value[worked_out] / (double)s->bound[worked_out];
}

static double middle_of(const fs_strata *s, uint64_t i) {
    return (s->upto[i] + s->upto[i + 1]) / 2;
}

/* Values at points before and behind a value, as far as there are such; the share of the way between them. */
static double between(const fs_strata *s, uint64_t i, uint64_t *before, uint64_t *behind) {
    const double middle = middle_of(s, i);
    uint64_t k = (uint64_t)fmin(middle / all_of(s) * (double)s->strata, (double)s->strata - 1);
    while (k > 0 && middle_of(s, at(s, s->point[k])) > middle)
        k--;
    while (k + 1 < s->strata && middle_of(s, at(s, s->point[k + 1])) <= middle)
        k++;
    *before = at(s, s->point[k]);
    *behind = at(s, s->point[k + 1 < s->strata ? k + 1 : k]);
    const double from = middle_of(s, *before), to = middle_of(s, *behind);
    return middle <= from || to <= from ? 0 : fmin(1, (middle - from) / (to - from));
}

uint64_t fs_strata_like(const fs_strata *s, uint64_t i) {
    uint64_t before, behind;
    if (s->value[i] > 0)
        return i;
    return between(s, i, &before, &behind) < 0.5 ? before : behind;
}

double fs_strata_value(const fs_strata *s, uint64_t i) {
    uint64_t before, behind;
    if (s->value[i] > 0)
        return (double)s->value[i];
    const double part = between(s, i, &before, &behind);
    return ((1 - part) * ratio(s, before) + part * ratio(s, behind)) * (double)s->bound[i];
}

double fs_strata_sum(const fs_strata *s) {
    double sum = 0;
    for (uint64_t i = 0; i < s->count; i++)
        sum += fs_strata_value(s, i);
    return sum;
}

/* Share of the bounds that was worked out. */
static double seen(const fs_strata *s) {
    double sum = 0;
    for (uint64_t i = 0; i < s->count; i++)
        sum += s->value[i] > 0 ? (double)s->bound[i] : 0;
    return sum / all_of(s);
}

double fs_strata_half_width(const fs_strata *s) {
    double squares = 0;
    uint64_t pairs = 0;
    if (sees_all(s))
        return 0;
    for (uint64_t k = 0; k + 1 < s->strata; k++) {
        const uint64_t one = at(s, s->point[k]), other = at(s, s->point[k + 1]);
        const double step = ratio(s, one) - ratio(s, other);
        squares += step * step;
        pairs += one != other;
    }
    if (pairs == 0)
        return INFINITY;
    const double variance = squares / (2 * (double)pairs) / (double)s->strata * (1 - seen(s));
    return WIDER * fs_drawn_student(2 * (s->strata - 1) / 3) * sqrt(variance) * all_of(s);
}

bool fs_strata_within(fs_strata *s, double share, double added) {
    const double half = fs_strata_half_width(s);
    if (half <= share * (fs_strata_sum(s) + added))
        return true;
    const uint64_t strata = isfinite(half) && share > 0 ? 2 * s->strata : s->count;
    if (4 * strata >= 3 * s->count) /* most of them would be worked out */
        s->strata = s->count;
    else
        cut(s, strata);
    return false;
}
