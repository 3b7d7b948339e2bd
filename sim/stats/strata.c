#include "sim/stats/strata.h"

#include "sim/stats/drawn.h"

#include <math.h>

enum {
    FIRST = 24, /* values to begin with: fewer say too little of their error */
    STEP = 2,   /* and at least so many more at a time */
    PAIR_AT = 6,
    LEAST_PAIRS = 4,
};

static const double GOLDEN = 0.61803398874989485, /* of the whole, from point to point */
    LEAST_CHANCE = 0.015,                         /* of a value */
    DRIFT_KEPT = 0.3,                             /* of its variance, in the sum */
    WIDER = 1.05;                                 /* for the choice of when to stop */

/* The value at a place of the sum of roots. */
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

static void ask(fs_strata *s, uint64_t i) {
    s->known_count += !s->asked[i];
    s->asked[i] = true;
}

static void ask_at_point(fs_strata *s) {
    const double place = s->start + GOLDEN * (double)s->points;
    const uint64_t i = at(s, (place - floor(place)) * s->upto[s->count]);
    ask(s, i);
    if (s->points++ % PAIR_AT > 0)
        return;
    const uint64_t first = i + 1 < s->count ? i : i - 1;
    ask(s, first);
    ask(s, first + 1);
    s->pair[s->pairs++] = first;
}

/* So many, or all where most of them would be worked out. */
static uint64_t as_many(uint64_t wanted, uint64_t count) {
    return 4 * wanted < 3 * count ? wanted : count;
}

static void list_known(fs_strata *s) {
    for (uint64_t i = 0, n = 0; n < s->known_count; i++)
        if (s->asked[i])
            s->known[n++] = i;
}

fs_strata fs_strata_create(fs_arena *arena, const uint64_t *size, uint64_t count, fs_rng rng) {
    fs_strata s = {.count = count,
                   .size = size,
                   .value = FS_NEW(arena, uint64_t, count + 1),
                   .upto = FS_NEW(arena, double, count + 1),
                   .start = fs_rng_unit(&rng),
                   .asked = FS_NEW(arena, bool, count + 1),
                   .known = FS_NEW(arena, uint64_t, count + 1),
                   .wanted = as_many(FIRST, count),
                   .pair = FS_NEW(arena, uint64_t, count + 1)};
    for (uint64_t i = 0; i < count; i++)
        s.upto[i + 1] = s.upto[i] + sqrt((double)size[i]);
    return s;
}

uint64_t fs_strata_missing(fs_strata *s, uint64_t *out) {
    uint64_t n = 0;
    if (s->count > 0) {
        ask(s, 0);
        ask(s, s->count - 1);
    }
    while (s->known_count < s->wanted && s->wanted < s->count && s->points < s->count)
        ask_at_point(s);
    for (uint64_t i = 0; i < s->count && s->known_count < s->wanted; i++)
        ask(s, i);
    list_known(s);
    for (uint64_t k = 0; k < s->known_count; k++)
        if (s->value[s->known[k]] == 0)
            out[n++] = s->known[k];
    return n;
}

static double ratio(const fs_strata *s, uint64_t known) {
    return (double)s->value[known] / (double)s->size[known];
}

/* The known value at or behind a value. */
static uint64_t behind(const fs_strata *s, uint64_t i) {
    uint64_t low = 0, high = s->known_count - 1;
    while (low < high) {
        const uint64_t middle = (low + high) / 2;
        if (s->known[middle] < i)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* How far a value lies from one that is known to another. */
static double share(uint64_t from, uint64_t i, uint64_t to) {
    return (double)(i - from) / (double)(to - from);
}

uint64_t fs_strata_like(const fs_strata *s, uint64_t i) {
    if (s->value[i] > 0)
        return i;
    const uint64_t k = behind(s, i);
    return s->known[share(s->known[k - 1], i, s->known[k]) < 0.5 ? k - 1 : k];
}

double fs_strata_value(const fs_strata *s, uint64_t i) {
    if (s->value[i] > 0)
        return (double)s->value[i];
    const uint64_t k = behind(s, i), from = s->known[k - 1], to = s->known[k];
    const double part = share(from, i, to);
    return ((1 - part) * ratio(s, from) + part * ratio(s, to)) * (double)s->size[i];
}

double fs_strata_sum(const fs_strata *s) {
    double sum = 0;
    for (uint64_t i = 0; i < s->count; i++)
        sum += fs_strata_value(s, i);
    return sum;
}

/* Sizes of others that take a known value's ratio. */
static double stands_for(const fs_strata *s, uint64_t k) {
    double sum = 0;
    for (uint64_t i = k > 0 ? s->known[k - 1] + 1 : 0; i < s->known[k]; i++)
        sum += (double)s->size[i] * share(s->known[k - 1], i, s->known[k]);
    for (uint64_t i = s->known[k] + 1; k + 1 < s->known_count && i < s->known[k + 1]; i++)
        sum += (double)s->size[i] * (1 - share(s->known[k], i, s->known[k + 1]));
    return sum;
}

/* Square of what a ratio differs from the line between those beside it, as a variance of one. */
static double bend(const fs_strata *s, uint64_t k) {
    const uint64_t from = s->known[k - 1], to = s->known[k + 1];
    const double part = share(from, s->known[k], to),
                 off = ratio(s, s->known[k]) - (1 - part) * ratio(s, from) - part * ratio(s, to);
    return off * off / (1 + part * part + (1 - part) * (1 - part));
}

/* Variance of a ratio by neighbours; large ones count more. */
static double chance_of(const fs_strata *s) {
    double squares = 0, weights = 0;
    for (uint64_t p = 0; p < s->pairs; p++) {
        const double step = ratio(s, s->pair[p]) - ratio(s, s->pair[p] + 1),
                     size = (double)s->size[s->pair[p]];
        squares += step * step / 2 * size * size;
        weights += size * size;
    }
    return squares / weights;
}

double fs_strata_half_width(const fs_strata *s) {
    double bends = 0, weights = 0, sizes = 0, values = 0;
    if (s->known_count == s->count)
        return 0;
    if (s->pairs < LEAST_PAIRS)
        return INFINITY;
    for (uint64_t k = 0; k < s->known_count; k++) {
        const double size = (double)s->size[s->known[k]], others = stands_for(s, k),
                     weight = others * (others + size);
        weights += weight;
        bends += k > 0 && k + 1 < s->known_count ? weight * bend(s, k) : 0;
        sizes += size;
        values += (double)s->value[s->known[k]];
    }
    bends *= (double)s->known_count / (double)(s->known_count - 2);
    const double chance = fmin(chance_of(s) * weights, bends), least = LEAST_CHANCE * values / sizes;
    const double variance = fmax(DRIFT_KEPT * bends + (1 - DRIFT_KEPT) * chance, least * least * weights);
    return WIDER * fs_drawn_student(s->pairs) * sqrt(variance);
}

/* Half as many more as a width that falls with their number would need, at most half of them: what is seen of it changes. */
static uint64_t more_for(const fs_strata *s, double half, double wanted) {
    const double far = fmin(half / wanted - 1, 1);
    const uint64_t more = (uint64_t)(far / 2 * (double)s->known_count) / STEP * STEP;
    return more > STEP ? more : STEP;
}

bool fs_strata_within(fs_strata *s, double part, double added) {
    const double half = fs_strata_half_width(s), wanted = part * (fs_strata_sum(s) + added);
    if (half <= wanted)
        return true;
    s->wanted = part > 0 ? as_many(s->known_count + more_for(s, half, wanted), s->count) : s->count;
    return false;
}
