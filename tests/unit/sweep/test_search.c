/* The parts of a search: fronts and volumes against counting, what a search finds and says where the answer
 * is known, and that neither threads nor compilers change it. */
#include "sim/base/digest.h"
#include "sim/base/rng.h"
#include "sim/search/search.h"
#include "tests/support/test.h"

#include <omp.h>

/* ---- volumes ---- */

/* Of whole coordinates: the unit cells that some point dominates. */
static double by_counting(const double *points, size_t count, size_t goals, int side) {
    int cells = 1, dominated = 0;
    for (size_t g = 0; g < goals; g++)
        cells *= side;
    for (int c = 0; c < cells; c++) {
        bool any = false;
        for (size_t i = 0; i < count && !any; i++) {
            any = true;
            for (int g = 0, rest = c; g < (int)goals; g++, rest /= side)
                any &= points[i * goals + (size_t)g] <= rest % side;
        }
        dominated += any;
    }
    return dominated;
}

TEST(volumes_are_those_that_are_counted) {
    enum { SIDE = 7 };
    fs_rng rng = fs_rng_stream(5, "test/volume");
    for (int n = 0; n < 400; n++) {
        const size_t goals = 1 + fs_rng_below(&rng, 4), count = fs_rng_below(&rng, 12);
        double points[12 * 4], reference[4] = {SIDE, SIDE, SIDE, SIDE};
        for (size_t i = 0; i < count * goals; i++)
            points[i] = fs_rng_below(&rng, SIDE + 2);
        assert_true(fs_search_volume(points, count, goals, reference) ==
                    by_counting(points, count, goals, SIDE));
    }
}

/* ---- a space whose values are known ---- */

enum { AXES = 6, LEVELS = 4, COUNT = 4096 };

static uint16_t at[COUNT * AXES];
static size_t levels[AXES];
static bool ordered[AXES];

static fs_search_space grid(void) {
    for (size_t a = 0; a < AXES; a++) {
        levels[a] = LEVELS;
        ordered[a] = a < 4;
        for (size_t i = 0; i < COUNT; i++)
            at[i * AXES + a] = (uint16_t)((i >> (2 * a)) % LEVELS);
    }
    at[AXES - 1] = FS_SEARCH_NO_LEVEL; /* an axis that does not apply to one point */
    return (fs_search_space){.axes = AXES, .levels = levels, .ordered = ordered, .count = COUNT, .at = at};
}

/* Time falls with the levels, cost grows with some; the last axis but one does nothing. */
static void values_of(size_t point, double values[2]) {
    static const double cut[AXES] = {0.30, 0.20, 0.10, 0.05, 0.0, 0.02};
    values[0] = values[1] = 1;
    for (size_t a = 0; a < AXES; a++) {
        const double level = at[point * AXES + a] == FS_SEARCH_NO_LEVEL ? 0 : at[point * AXES + a];
        values[0] *= 1 - cut[a] * level / LEVELS;
        values[1] += a < 2 ? level * (double)(1 + a) : 0;
    }
}

static bool is_feasible(size_t point, bool all) {
    return all || at[point * AXES] + at[point * AXES + 1] <= 4;
}

/* Searches so many points; the digest of what was proposed, in order. */
static void search_grid(fs_search *s, size_t budget, bool all_feasible, char hex[FS_DIGEST_HEX],
                        double best[2]) {
    static bool known[COUNT];
    fs_digest d;
    fs_digest_begin(&d);
    memset(known, 0, sizeof known);
    best[0] = best[1] = (double)INFINITY;
    for (size_t seen = 0; seen < budget;) {
        size_t points[8];
        const size_t count = fs_search_propose(s, budget - seen < 8 ? budget - seen : 8, points);
        assert_true(count > 0);
        for (size_t i = 0; i < count; i++) {
            double values[2];
            assert_true(points[i] < COUNT && !known[points[i]]);
            known[points[i]] = true;
            values_of(points[i], values);
            fs_digest_add(&d, &(uint32_t){(uint32_t)points[i]}, sizeof(uint32_t));
            const bool feasible = is_feasible(points[i], all_feasible);
            fs_search_learn(s, points[i], feasible ? values : NULL);
            for (int g = 0; g < 2 && feasible; g++)
                best[g] = values[g] < best[g] ? values[g] : best[g];
        }
        seen += count;
    }
    fs_digest_end(&d, hex);
}

static double best_of_all(int goal, bool all_feasible) {
    double best = (double)INFINITY, values[2];
    for (size_t i = 0; i < COUNT; i++) {
        values_of(i, values);
        best = is_feasible(i, all_feasible) && values[goal] < best ? values[goal] : best;
    }
    return best;
}

TEST(the_best_of_a_grid_is_found_and_known_to_be) {
    for (int all = 0; all < 2; all++) {
        const fs_search_space space = grid();
        fs_arena *arena = test_arena();
        fs_search *s = fs_search_create(arena, &space, (bool[]){false, false}, 2, 7);
        char hex[FS_DIGEST_HEX];
        double best[2];
        search_grid(s, 120, all == 1, hex, best);
        fs_search_judgement j;
        fs_search_judge(s, arena, &j);
        assert_true(best[0] <= best_of_all(0, all == 1) && best[1] <= best_of_all(1, all == 1));
        assert_int_equal(j.seen, 120);
        assert_int_equal(j.space, COUNT);
        assert_true(all == 1 ? j.feasible == 120 : j.feasible < 120 && j.feasible > 60);
        assert_true(j.left[0].best == best[0] && j.left[1].best == best[1]);
        assert_true(j.left[0].gain < 0.01 && j.left[0].better < 4);
        assert_true(j.volume > 0 && j.volume_expected >= j.volume && j.volume_expected < 1.2);
        for (size_t i = 1; i < j.seen; i++)
            assert_true(j.volumes[i] >= j.volumes[i - 1]);
        /* The first axis moves the time most, the fifth not at all, and the cost knows two. */
        const double *share = j.left[0].share, *cost = j.left[1].share;
        assert_true(share[0] > share[1] && share[1] > share[2] && share[4] < 0.01 && share[0] > 0.5);
        assert_true(cost[1] > cost[0] && cost[0] > 0.1 && cost[2] < 0.01 && cost[5] < 0.01);
        fs_search_free(s);
    }
}

/* All that is feasible was seen: nothing is left. */
TEST(nothing_is_left_of_a_space_that_was_seen) {
    fs_search_space space = grid();
    space.count = 64;
    fs_arena *arena = test_arena();
    fs_search *s = fs_search_create(arena, &space, (bool[]){true}, 1, 3);
    size_t points[16], count, seen = 0;
    double values[2];
    while ((count = fs_search_propose(s, 16, points)) > 0)
        for (size_t i = 0; i < count; i++, seen++) {
            values_of(points[i], values);
            fs_search_learn(s, points[i], values);
        }
    fs_search_judgement j;
    fs_search_judge(s, arena, &j);
    assert_int_equal(seen, 64);
    assert_true(j.left[0].better <= 0 && j.left[0].gain <= 0 && j.left[0].best == 1);
    assert_true(j.volume == 1 && j.volume_expected == 1);
    fs_search_free(s);
}

/* Everything infeasible, everything alike: nothing to learn from, and the search goes on. */
TEST(dull_spaces_are_searched_to_their_end) {
    for (int all = 0; all < 2; all++) {
        fs_search_space space = grid();
        space.count = 50;
        fs_arena *arena = test_arena();
        fs_search *s = fs_search_create(arena, &space, (bool[]){false, true}, 2, 3);
        size_t points[8], count, seen = 0;
        while ((count = fs_search_propose(s, 8, points)) > 0)
            for (size_t i = 0; i < count; i++, seen++)
                fs_search_learn(s, points[i], all ? (double[]){0, -3} : NULL);
        fs_search_judgement j;
        fs_search_judge(s, arena, &j);
        assert_int_equal(seen, 50);
        assert_int_equal(j.feasible, all ? 50 : 0);
        assert_true(all ? j.left[0].best == 0 && j.left[1].best == -3 : isnan(j.left[0].best) != 0);
        fs_search_free(s);
    }
}

/* The digest is that of every compiler, level and number of threads: strictly ordered doubles. */
TEST(the_same_points_on_every_host) {
    static const char expected[] = "2246bec1166f1f44f6a6e6ef41b5342fedd2ecc7fabe26ca9f0cfff4af6d3bcd";
    const int threads = omp_get_max_threads();
    for (int n = 1; n <= 2; n++) {
        const fs_search_space space = grid();
        fs_arena *arena = test_arena();
        fs_search *s = fs_search_create(arena, &space, (bool[]){false, false}, 2, 11);
        char hex[FS_DIGEST_HEX];
        double best[2];
        omp_set_num_threads(n);
        search_grid(s, 100, false, hex, best);
        assert_string_equal(hex, expected);
        fs_search_free(s);
    }
    omp_set_num_threads(threads);
}

RUN_TESTS(NULL, NULL)
