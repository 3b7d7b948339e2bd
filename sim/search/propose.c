/* The next batch: points that spread over the levels first, then those from which the models expect most. */
#include "sim/base/error.h"
#include "sim/search/private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    FIRST_FOR_AN_AXIS = 2, /* points that spread, for each axis */
    FIRST_AT_LEAST = 12,
    DRAWS = 64, /* of which the one is taken whose levels were seen least */
};
/* Of a logarithm, or of the spread of values: an improvement that is not worth a point. */
static const double negligible = 1e-5;

fs_search *fs_search_create(fs_arena *arena, const fs_search_space *space, const bool *larger, size_t goals,
                            uint64_t seed) {
    FS_ASSERT(goals >= 1 && goals <= FS_SEARCH_MOST_GOALS && space->axes <= FS_SEARCH_MOST_AXES,
              "%zu goals, %zu axes", goals, space->axes);
    fs_search *s = FS_NEW(arena, fs_search, 1);
    s->space = space;
    s->goals = goals;
    memcpy(s->larger, larger, goals * sizeof *larger);
    s->rng = fs_rng_stream(seed, "search");
    s->seen = FS_NEW(arena, fs_search_seen, space->count + 1);
    s->known = FS_NEW(arena, bool, space->count + 1);
    s->expected = FS_NEW(arena, fs_search_range, space->count * goals + 1);
    return s;
}

void fs_search_free(fs_search *s) {
    for (size_t g = 0; g < s->goals; g++)
        fs_search_model_free(&s->goal[g]);
    fs_search_model_free(&s->feasibility);
}

void fs_search_learn(fs_search *s, size_t point, const double *values) {
    fs_search_seen *seen = &s->seen[s->seen_count++];
    *seen = (fs_search_seen){.point = point, .feasible = values != NULL};
    for (size_t g = 0; g < s->goals; g++) {
        seen->value[g] = values == NULL ? (double)NAN : values[g];
        seen->expected[g] = s->expected[point * s->goals + g];
    }
}

/* ---- the first points ---- */

/* How often each level was seen: [axes][stride]. */
typedef struct seen_levels {
    size_t stride, *times;
} seen_levels;

/* How often the levels of a point were seen, each in the measure of its axis. */
static double crowd(const fs_search *s, const seen_levels *seen, size_t point) {
    double sum = 0;
    for (size_t a = 0; a < s->space->axes; a++) {
        const uint16_t level = s->space->at[point * s->space->axes + a];
        if (level != FS_SEARCH_NO_LEVEL)
            sum += (double)(seen->times[a * seen->stride + level] * s->space->levels[a]);
    }
    return sum;
}

size_t fs_search_draw_unknown(fs_search *s) {
    for (;;) {
        const size_t point = fs_rng_below(&s->rng, (uint32_t)s->space->count);
        if (!s->known[point])
            return point;
    }
}

static void note_levels(const fs_search *s, seen_levels *seen, size_t point) {
    for (size_t a = 0; a < s->space->axes; a++) {
        const uint16_t level = s->space->at[point * s->space->axes + a];
        if (level != FS_SEARCH_NO_LEVEL)
            seen->times[a * seen->stride + level]++;
    }
}

static size_t spread(fs_search *s, size_t count, size_t *points) {
    seen_levels seen = {.stride = 1};
    for (size_t a = 0; a < s->space->axes; a++)
        seen.stride = s->space->levels[a] > seen.stride ? s->space->levels[a] : seen.stride;
    seen.times = fs_calloc(s->space->axes * seen.stride + 1, sizeof *seen.times);
    for (size_t i = 0; i < s->seen_count; i++)
        note_levels(s, &seen, s->seen[i].point);
    for (size_t i = 0; i < count; i++) {
        size_t best = fs_search_draw_unknown(s);
        for (int d = 1; d < DRAWS; d++) {
            const size_t other = fs_search_draw_unknown(s);
            if (crowd(s, &seen, other) < crowd(s, &seen, best))
                best = other;
        }
        points[i] = best;
        s->known[best] = true;
        note_levels(s, &seen, best);
    }
    free(seen.times);
    return count;
}

/* ---- a batch ---- */

typedef struct batch {
    fs_search *search;
    const size_t *candidate;
    size_t count;
    fs_search_guess guess[FS_SEARCH_MOST_GOALS];
    double *chance; /* [count] of being feasible */
    bool *chosen;   /* [count] */
    double *front;  /* [front_count][goals] with room for the batch */
    size_t front_count;
    double best[FS_SEARCH_MOST_GOALS], worst[FS_SEARCH_MOST_GOALS];
    double width[FS_SEARCH_MOST_GOALS]; /* of intervals, deviations to either side */
} batch;

static double deviation_of(const batch *b, size_t goal, size_t candidate) {
    return sqrt(b->search->goal[goal].variance * b->guess[goal].part[candidate]);
}

/* The candidate of the greatest score; SIZE_MAX when none is above `least`. Ties: the first. */
static size_t greatest(const batch *b, const double *score, double least) {
    size_t best = SIZE_MAX;
    for (size_t i = 0; i < b->count; i++)
        if (!b->chosen[i] && score[i] > least) {
            least = score[i];
            best = i;
        }
    return best;
}

static size_t by_improvement(const batch *b, size_t goal, double *score) {
    for (size_t i = 0; i < b->count; i++)
        score[i] = b->chance[i] *
                   fs_search_improvement(b->guess[goal].mean[i], deviation_of(b, goal, i), b->best[goal]);
    const double spread = b->worst[goal] - b->best[goal];
    return greatest(b, score, spread > 0 ? negligible * spread : 0);
}

/* What a point adds to the front if it comes out as much better as it usually would (one deviation). */
static size_t by_volume(const batch *b, double *score) {
    const size_t m = b->search->goals;
#pragma omp parallel
    {
        double *scratch = fs_calloc((b->front_count + 1) * m * (m + 2), sizeof *scratch);
#pragma omp for schedule(dynamic, 64)
        for (size_t i = 0; i < b->count; i++) {
            double point[FS_SEARCH_MOST_GOALS];
            for (size_t g = 0; g < m; g++)
                point[g] = b->guess[g].mean[i] - deviation_of(b, g, i);
            score[i] = b->chosen[i] ? 0
                                    : b->chance[i] * fs_search_adds(b->front, b->front_count, m, b->worst,
                                                                    point, scratch);
        }
        free(scratch);
    }
    return greatest(b, score, 0);
}

static size_t by_doubt(const batch *b, double *score) {
    for (size_t i = 0; i < b->count; i++) {
        score[i] = 0;
        for (size_t g = 0; g < b->search->goals; g++)
            score[i] += b->chance[i] * b->guess[g].part[i];
    }
    const size_t best = greatest(b, score, 0);
    return best == SIZE_MAX ? greatest(b, b->chance, -1) : best;
}

static fs_search_range range_of(const batch *b, size_t goal, double mean, double deviation) {
    const bool ratios = fs_search_in_ratios(b->search, goal);
    const double away = b->width[goal] * deviation;
    const double low = fs_search_value_of(b->search, goal, ratios, mean - away);
    const double high = fs_search_value_of(b->search, goal, ratios, mean + away);
    return (fs_search_range){.value = fs_search_value_of(b->search, goal, ratios, mean),
                             .low = low < high ? low : high,
                             .high = low < high ? high : low,
                             .cost = mean,
                             .deviation = deviation,
                             .ratios = ratios,
                             .known = true};
}

static void take(batch *b, size_t candidate) {
    fs_search *s = b->search;
    const size_t m = s->goals, point = b->candidate[candidate];
    double mean[FS_SEARCH_MOST_GOALS];
    for (size_t g = 0; g < m; g++) {
        mean[g] = b->guess[g].mean[candidate];
        s->expected[point * m + g] = range_of(b, g, mean[g], deviation_of(b, g, candidate));
    }
    for (size_t g = 0; g < m; g++) {
        fs_search_guess_chosen(&b->guess[g], candidate);
        if (b->chance[candidate] > 0.5 && mean[g] < b->best[g])
            b->best[g] = mean[g];
    }
    if (b->chance[candidate] > 0.5) {
        memcpy(b->front + b->front_count * m, mean, m * sizeof *mean);
        b->front_count = fs_search_front(b->front, b->front_count + 1, m);
    }
    b->chosen[candidate] = true;
    s->known[point] = true;
}

static size_t by_models(fs_search *s, size_t most, size_t *points) {
    const size_t m = s->goals;
    fs_arena *arena = fs_arena_create();
    size_t *known = FS_NEW(arena, size_t, s->seen_count + 1);
    batch b = {.search = s, .front = FS_NEW(arena, double, (s->seen_count + most + 1) * m)};
    const size_t feasible = fs_search_costs(s, known, b.front);
    for (size_t g = 0; g < m; g++) {
        b.best[g] = (double)INFINITY;
        b.worst[g] = (double)-INFINITY;
        for (size_t i = 0; i < feasible; i++) {
            const double cost = b.front[i * m + g];
            b.best[g] = cost < b.best[g] ? cost : b.best[g];
            b.worst[g] = cost > b.worst[g] ? cost : b.worst[g];
        }
    }
    b.candidate = fs_search_candidates(s, arena, b.front, known, feasible, &b.count);
    b.chosen = FS_NEW(arena, bool, b.count + 1);
    b.front_count = fs_search_front(b.front, feasible, m);
    b.chance = fs_search_chances(s, arena, b.candidate, b.count);
    for (size_t g = 0; g < m; g++) {
        b.width[g] = fs_search_width(s, g);
        fs_search_guess_at(&b.guess[g], &s->goal[g], b.candidate, b.count, most);
    }
    double *score = FS_NEW(arena, double, b.count + 1);
    const size_t count = most < b.count ? most : b.count;
    for (size_t i = 0; i < count; i++) {
        const size_t turn = (s->seen_count + i) % (m + 1);
        size_t next = turn < m ? by_improvement(&b, turn, score) : SIZE_MAX;
        if (next == SIZE_MAX)
            next = by_volume(&b, score);
        if (next == SIZE_MAX)
            next = by_doubt(&b, score);
        points[i] = b.candidate[next];
        take(&b, next);
    }
    for (size_t g = 0; g < m; g++)
        fs_search_guess_free(&b.guess[g]);
    fs_arena_free(arena);
    return count;
}

size_t fs_search_propose(fs_search *s, size_t most, size_t *points) {
    const size_t left = s->space->count - s->seen_count;
    size_t first = FIRST_FOR_AN_AXIS * s->space->axes;
    first = first < FIRST_AT_LEAST ? FIRST_AT_LEAST : first;
    if (most > left)
        most = left;
    if (most == 0)
        return 0;
    if (s->seen_count < first)
        return spread(s, most < first - s->seen_count ? most : first - s->seen_count, points);
    return fs_search_fit_all(s) ? by_models(s, most, points) : spread(s, most, points);
}
