/* Quantiles against sorting, for values in any order, with ties, and few of them. */
#include "sim/base/arith.h"
#include "sim/base/quantile.h"
#include "sim/base/rng.h"
#include "tests/support/test.h"

enum { MOST = 3000 };

static int by_value(const void *a, const void *b) {
    float x = *(const float *)a, y = *(const float *)b;
    return x < y ? -1 : x > y;
}

static double by_sorting(const float *values, uint32_t count, double q) {
    static float sorted[MOST];
    memcpy(sorted, values, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, by_value);
    double at = q * (count - 1);
    uint32_t below = (uint32_t)at, above = below + 1 < count ? below + 1 : below;
    return (double)sorted[below] + ((double)sorted[above] - (double)sorted[below]) * (at - below);
}

TEST(quantiles_are_those_of_the_sorted_values) {
    static const double quantile[] = {0, 0.005, 0.05, 0.25, 0.5, 0.75, 0.95, 0.995, 1};
    fs_rng rng = fs_rng_stream(test_seed(31), "test/quantile");
    for (int i = 0; i < 300; i++) {
        static float values[MOST], kept[MOST];
        uint32_t count = 1 + fs_rng_below(&rng, i % 2 ? 12 : MOST), order = fs_rng_below(&rng, 4);
        uint32_t different = 1 + fs_rng_below(&rng, i % 3 ? count : 4);
        for (uint32_t k = 0; k < count; k++) /* drawn, rising, falling, rising and falling */
            values[k] = (float)(order == 0   ? fs_rng_below(&rng, different)
                                : order == 1 ? k
                                : order == 2 ? count - k
                                             : (k < count / 2 ? k : count - k));
        memcpy(kept, values, sizeof kept);
        for (size_t q = 0; q < sizeof quantile / sizeof quantile[0]; q++)
            assert_true(fs_quantile(values, count, quantile[q]) == by_sorting(values, count, quantile[q]));
        assert_memory_equal(kept, values, sizeof kept);
    }
    assert_true(fs_quantile(NULL, 0, 0.5) == 0);
}

/* The nearest rank is a value of which at least the share is not above it, and the least such. */
TEST(nearest_ranks_are_values_that_occur) {
    assert_int_equal(fs_quantile_rank(0), 1);
    assert_int_equal(fs_quantile_rank(1), 1);
    assert_int_equal(fs_quantile_rank(1.000001), 2);
    assert_int_equal(fs_quantile_rank(7), 7);
    const double all[] = {5, (double)NAN, 1, 4, 2, 3, (double)NAN};
    static const double share[] = {0, 0.2, 0.21, 0.5, 0.99, 1}, expected[] = {1, 1, 2, 3, 5, 5};
    for (size_t i = 0; i < sizeof share / sizeof share[0]; i++) {
        double value[7];
        memcpy(value, all, sizeof value);
        assert_true(fs_quantile_nearest(value, 7, share[i]) == expected[i]);
    }
    assert_true(isnan(fs_quantile_nearest((double[]){(double)NAN}, 1, 0.5)));
}

TEST(medians_pass_over_what_is_no_number) {
    assert_true(fs_median((const double[]){3, 1, 2}, 3) == 2);
    assert_true(fs_median((const double[]){4, 1, (double)NAN, 2, 3}, 5) == 2.5);
    assert_true(fs_median((const double[]){(double)INFINITY, 1, (double)INFINITY}, 3) == 1);
    assert_true(isnan(fs_median(NULL, 0)));
}

/* The small helpers beside: orders at the ends of the ranges, divisions rounded up. */
TEST(small_arithmetic) {
    const uint32_t u32[] = {UINT32_MAX, 0};
    const uint64_t u64[] = {UINT64_MAX, 1};
    const int64_t i64[] = {INT64_MIN, INT64_MAX};
    const double real[] = {-(double)INFINITY, -1e300};
    const char *const text[] = {"ab", "b"};
    assert_true(fs_by_u32(&u32[0], &u32[1]) > 0 && fs_by_u32(&u32[1], &u32[0]) < 0);
    assert_true(fs_by_u64(&u64[0], &u64[1]) > 0 && fs_by_u64(&u64[1], &u64[1]) == 0);
    assert_true(fs_by_i64(&i64[0], &i64[1]) < 0 && fs_by_i64(&i64[1], &i64[0]) > 0);
    assert_true(fs_by_real(&real[0], &real[1]) < 0 && fs_by_real(&real[0], &real[0]) == 0);
    assert_true(fs_by_text(&text[0], &text[1]) < 0 && fs_by_text(&text[1], &text[0]) > 0);
    assert_true(fs_most(3, 7) == 7 && fs_least(3, 7) == 3 && fs_least(UINT64_MAX, 0) == 0);
    assert_true(fs_up(0, 6) == 0 && fs_up(6, 6) == 1 && fs_up(7, 6) == 2);
    assert_true(fs_ratio(3, 2) == 1.5 && isnan(fs_ratio(3, 0)) && isnan(fs_ratio(0, -1)));
    assert_true(fs_begins("bc", "") && fs_begins("bc", "b") && !fs_begins("b", "bc"));
}

/* Equal weights: the middle of the sample; three times the weight as three of a value; weights of nothing count not. */
TEST(weighted_quantiles_are_those_of_repeated_values) {
    fs_weighted four[] = {{4, 1}, {2, 1}, {3, 1}, {1, 1}}, uneven[] = {{5, 1}, {1, 3}, {9, 0}, {7, 2}};
    fs_weighted_sort(four, 4);
    assert_true(fs_weighted_quantile(four, 4, 0.5) == 2.5 && fs_weighted_quantile(four, 4, 0.1) == 1);
    assert_true(fs_weighted_quantile(four, 4, 0.9) == 4 && fs_weighted_quantile(four, 4, 0.25) == 1.5);
    fs_weighted_sort(uneven, 4); /* 1 1 1 5 7 7 */
    assert_true(fs_weighted_quantile(uneven, 4, 0.5) == 3 && fs_weighted_quantile(uneven, 4, 0.6) == 5);
    assert_true(fs_weighted_quantile(uneven, 4, 0.9) == 7 && fs_weighted_quantile(uneven, 4, 1) == 7);
    assert_true(isnan(fs_weighted_quantile(uneven + 3, 1, 0.5))); /* 9, of no weight */
    const fs_weighted failed[] = {{1, 1}, {INFINITY, 1.5}};
    assert_true(isinf(fs_weighted_quantile(failed, 2, 0.5)) && fs_weighted_quantile(failed, 2, 0.3) == 1);
}

/* Of one value its distance; of two values a closed form; of many even ones the uniform distribution's, of normal ones
 * the normal's: sigma (z (2 Phi(z) - 1) + 2 phi(z) - 1 / sqrt(pi)). */
TEST(ranked_probability_scores_have_closed_forms) {
    enum { MANY = 4000 };
    static fs_weighted even[MANY], normal[MANY];
    const fs_weighted one = {3, 7}, two[] = {{0, 3}, {4, 1}};
    assert_true(fs_weighted_crps(&one, 1, 5) == 2 && fs_weighted_crps(&one, 1, 3) == 0);
    /* (3/4)^2 before what was observed, (1/4)^2 behind it; beyond the values all of the way */
    assert_true(fabs(fs_weighted_crps(two, 2, 1) - (9.0 / 16 + 3.0 / 16)) < 1e-15);
    assert_true(fabs(fs_weighted_crps(two, 2, -2) - (2 + 4.0 / 16)) < 1e-15);
    assert_true(fabs(fs_weighted_crps(two, 2, 9) - (5 + 4 * 9.0 / 16)) < 1e-15);
    for (int i = 0; i < MANY; i++) {
        even[i] = (fs_weighted){(i + 0.5) / MANY, 2};
        normal[i] = (fs_weighted){10 + 2 * fs_normal_quantile((i + 0.5) / MANY), 1};
    }
    assert_true(fabs(fs_weighted_crps(even, MANY, 0.3) - (1.0 / 3 - 0.3 + 0.3 * 0.3)) < 1e-6);
    assert_true(fabs(fs_weighted_crps(even, MANY, 1.5) - (1.0 / 3 + 0.5)) < 1e-3);
    assert_true(fabs(fs_weighted_crps(normal, MANY, 10) - 2 * (2 / sqrt(2 * acos(-1)) - 1 / sqrt(acos(-1)))) <
                2e-4);
    assert_true(isnan(fs_weighted_crps(even, 0, 1)));
}

TEST(normal_quantiles_are_those_of_the_tables) {
    static const double known[][2] = {{0.5, 0},
                                      {0.9, 1.2815515655446004},
                                      {0.975, 1.9599639845400545},
                                      {0.999, 3.090232306167814},
                                      {1e-6, -4.753424308822899}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        assert_true(fabs(fs_normal_quantile(known[i][0]) - known[i][1]) < 1e-9);
    for (int i = 1; i < 100; i++)
        assert_true(fabs(erfc(-fs_normal_quantile(i / 100.0) / sqrt(2)) / 2 - i / 100.0) < 1e-12);
}

RUN_TESTS(NULL, NULL)
