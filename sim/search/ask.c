/* What the models are told, and whom they are asked about. */
#include "sim/base/detmath.h"
#include "sim/search/private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_TRAINED = 1024, /* points that a model is fitted to */
    MOST_ASKED = 8192,   /* unseen points that the models are asked about */
    NEAR = 2,            /* axes in which a point near the front may differ from one of it */
};

/* ---- values and costs ---- */

bool fs_search_in_ratios(const fs_search *s, size_t goal) {
    for (size_t i = 0; i < s->seen_count; i++)
        if (s->seen[i].feasible && !(s->seen[i].value[goal] > 0))
            return false;
    return true;
}

double fs_search_cost_of(const fs_search *s, size_t goal, bool ratios, double value) {
    const double cost = ratios ? fs_log(value) : value;
    return s->larger[goal] ? -cost : cost;
}

double fs_search_value_of(const fs_search *s, size_t goal, bool ratios, double cost) {
    const double value = s->larger[goal] ? -cost : cost;
    return ratios ? fs_exp(value) : value;
}

size_t fs_search_costs(const fs_search *s, size_t *points, double *costs) {
    bool ratios[FS_SEARCH_MOST_GOALS];
    size_t count = 0;
    for (size_t g = 0; g < s->goals; g++)
        ratios[g] = fs_search_in_ratios(s, g);
    for (size_t i = 0; i < s->seen_count; i++) {
        if (!s->seen[i].feasible)
            continue;
        points[count] = s->seen[i].point;
        for (size_t g = 0; g < s->goals; g++)
            costs[count * s->goals + g] = fs_search_cost_of(s, g, ratios[g], s->seen[i].value[g]);
        count++;
    }
    return count;
}

/* ---- the models ---- */

/* Of many points those of the front and an even part of the others, in their order; their number. */
static size_t thin(const fs_search *s, size_t *points, double *costs, size_t count) {
    const size_t m = s->goals;
    if (count <= MOST_TRAINED)
        return count;
    double *front = fs_calloc(count * m, sizeof *front);
    memcpy(front, costs, count * m * sizeof *front);
    const size_t members = fs_search_front(front, count, m);
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        bool member = (i + 1) * MOST_TRAINED / count > i * MOST_TRAINED / count;
        for (size_t k = 0; k < members && !member && kept < 2 * MOST_TRAINED; k++)
            member = memcmp(front + k * m, costs + i * m, m * sizeof *costs) == 0;
        if (!member)
            continue;
        points[kept] = points[i];
        memmove(costs + kept * m, costs + i * m, m * sizeof *costs);
        kept++;
    }
    free(front);
    return kept;
}

bool fs_search_fit_all(fs_search *s) {
    const size_t room = s->seen_count + 1;
    fs_arena *arena = fs_arena_create();
    size_t *points = FS_NEW(arena, size_t, room);
    double *costs = FS_NEW(arena, double, room * s->goals), *column = FS_NEW(arena, double, room);
    const size_t feasible = fs_search_costs(s, points, costs), count = thin(s, points, costs, feasible);
    for (size_t g = 0; g < s->goals && count > 0; g++) {
        for (size_t i = 0; i < count; i++)
            column[i] = costs[i * s->goals + g];
        fs_search_fit(&s->goal[g], s->space, points, column, count);
    }
    if (feasible > 0 && feasible < s->seen_count) {
        const size_t all = s->seen_count < MOST_TRAINED ? s->seen_count : MOST_TRAINED;
        for (size_t i = 0; i < all; i++) {
            const fs_search_seen *seen = &s->seen[i * s->seen_count / all];
            points[i] = seen->point;
            column[i] = seen->feasible ? 1 : 0;
        }
        fs_search_fit(&s->feasibility, s->space, points, column, all);
    }
    fs_arena_free(arena);
    return count > 0;
}

/* ---- whom to ask ---- */

static bool near_front(const fs_search *s, const size_t *front, size_t count, size_t point) {
    const size_t axes = s->space->axes;
    for (size_t k = 0; k < count; k++) {
        size_t differ = 0;
        for (size_t a = 0; a < axes && differ <= NEAR; a++)
            differ += s->space->at[point * axes + a] != s->space->at[front[k] * axes + a];
        if (differ <= NEAR)
            return true;
    }
    return false;
}

size_t *fs_search_candidates(fs_search *s, fs_arena *arena, const double *costs, const size_t *points,
                             size_t feasible, size_t *count) {
    const size_t unknown = s->space->count - s->seen_count, m = s->goals;
    const size_t room = unknown < MOST_ASKED ? unknown : MOST_ASKED;
    size_t *all = FS_NEW(arena, size_t, room + s->seen_count + 1);
    size_t *front = FS_NEW(arena, size_t, feasible + 1);
    size_t members = 0;
    *count = 0;
    for (size_t i = 0; i < feasible && unknown > room; i++) {
        bool beaten = false;
        for (size_t k = 0; k < feasible && !beaten; k++)
            beaten = fs_search_dominates(costs + k * m, costs + i * m, m);
        if (!beaten)
            front[members++] = points[i];
    }
    bool *taken = FS_NEW(arena, bool, s->space->count);
    /* From a drawn place on, so that another part is near when there are too many. */
    const size_t begin = unknown > room ? fs_rng_below(&s->rng, (uint32_t)s->space->count) : 0;
    const size_t most_near = unknown > room ? room / 2 : room;
    for (size_t i = 0; i < s->space->count && *count < most_near; i++) {
        const size_t p = (begin + i) % s->space->count;
        if (!s->known[p] && (unknown <= room || near_front(s, front, members, p))) {
            taken[p] = true;
            all[(*count)++] = p;
        }
    }
    while (*count < room) {
        const size_t p = fs_search_draw_unknown(s);
        if (!taken[p]) {
            taken[p] = true;
            all[(*count)++] = p;
        }
    }
    return all;
}

/* ---- what is expected of them ---- */

static const double root_of_turn = 2.50662827463100050242; /* of 2 pi */

/* Abramowitz and Stegun 26.2.17: error below 7.5e-8. */
double fs_search_normal(double x) {
    static const double b[] = {0.319381530, -0.356563782, 1.781477937, -1.821255978, 1.330274429};
    static const double p = 0.2316419;
    const double t = 1 / (1 + p * fabs(x));
    double sum = 0;
    for (int i = 4; i >= 0; i--)
        sum = (sum + b[i]) * t;
    const double above = fs_exp(-0.5 * x * x) / root_of_turn * sum;
    return x < 0 ? above : 1 - above;
}

double fs_search_improvement(double mean, double deviation, double best) {
    if (!(deviation > 0))
        return best > mean ? best - mean : 0;
    const double z = (best - mean) / deviation;
    const double gain = (best - mean) * fs_search_normal(z) + deviation * fs_exp(-0.5 * z * z) / root_of_turn;
    return gain > 0 ? gain : 0;
}

double *fs_search_chances(const fs_search *s, fs_arena *arena, const size_t *point, size_t count) {
    double *chance = FS_NEW(arena, double, count + 1);
    for (size_t i = 0; i < count; i++)
        chance[i] = 1;
    if (s->feasibility.count == 0)
        return chance;
    fs_search_guess guess;
    fs_search_guess_at(&guess, &s->feasibility, point, count, 0);
    for (size_t i = 0; i < count; i++)
        chance[i] = guess.mean[i] < 0.01 ? 0.01 : guess.mean[i] > 1 ? 1 : guess.mean[i];
    fs_search_guess_free(&guess);
    return chance;
}
