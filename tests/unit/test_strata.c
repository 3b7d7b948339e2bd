/* A sum of which few values are worked out: its interval holds it as often as it says, and finer strata keep what is
 * known. */
#include "sim/stats/strata.h"
#include "tests/support/test.h"

enum { VALUES = 600 };

/* Values that are their bounds times a ratio that drifts, and noise; bounds rise and fall. */
typedef struct series {
    uint64_t size[VALUES], value[VALUES];
    double sum;
} series;

static void draw_series(series *s, fs_rng rng) {
    double drift = 0;
    s->sum = 0;
    for (int i = 0; i < VALUES; i++) {
        const double about = 200 + 20000 * sin(3.1 * i / VALUES) * sin(3.1 * i / VALUES);
        drift = 0.97 * drift + 0.015 * fs_rng_normal(&rng);
        s->size[i] = (uint64_t)(about * fs_rng_range(&rng, 0.9, 1.1));
        s->value[i] = (uint64_t)((double)s->size[i] * (1.2 + drift + 0.02 * fs_rng_normal(&rng)));
        s->sum += (double)s->value[i];
    }
}

/* Works out what is missing; how many that were. */
static uint64_t work_out(fs_strata *strata, const series *s) {
    uint64_t list[VALUES];
    const uint64_t n = fs_strata_missing(strata, list);
    for (uint64_t i = 0; i < n; i++) {
        assert_true(strata->value[list[i]] == 0 && (i == 0 || list[i] > list[i - 1]));
        strata->value[list[i]] = s->value[list[i]];
    }
    return n;
}

TEST(its_interval_holds_the_sum) {
    enum { TIMES = 400 };
    int held = 0, few = 0;
    double bias = 0;
    for (uint64_t k = 0; k < TIMES; k++) {
        fs_arena *arena = test_arena();
        static series s;
        uint64_t known = 0;
        draw_series(&s, fs_rng_sub(fs_rng_stream(k, "test/strata"), 0));
        fs_strata strata = fs_strata_create(arena, s.size, VALUES, fs_rng_stream(k, "test/points"));
        do
            known += work_out(&strata, &s);
        while (!fs_strata_within(&strata, 0.01, 0));
        const double error = fs_strata_sum(&strata) - s.sum;
        assert_true(fs_strata_half_width(&strata) <= 0.01 * fs_strata_sum(&strata));
        held += fabs(error) <= fs_strata_half_width(&strata);
        few += known < VALUES / 2;
        bias += error / s.sum / TIMES;
    }
    print_message("held %d of %d, few %d, mean error %g\n", held, TIMES, few, bias);
    assert_true(held >= 0.92 * TIMES && few >= 0.9 * TIMES);
    assert_true(fabs(bias) < 0.001);
}

/* A frame that is quiet to its drain, where few rays meet in other ways: few points lie there, and those elsewhere see no
 * spread. */
TEST(quiet_values_say_nothing_of_the_last_ones) {
    enum { TIMES = 400, COUNT = 78, DRAIN = 6 };
    int held = 0, few = 0;
    for (uint64_t k = 0; k < TIMES; k++) {
        fs_arena *arena = test_arena();
        static series s;
        uint64_t known = 0;
        fs_rng rng = fs_rng_stream(k, "test/drain");
        s.sum = 0;
        for (int i = 0; i < COUNT; i++) {
            const bool drain = i >= COUNT - DRAIN;
            s.size[i] = drain ? 500 / (uint64_t)(i - COUNT + DRAIN + 1) : 626;
            s.value[i] = (uint64_t)((double)s.size[i] * (drain ? fs_rng_range(&rng, 1, 1.6) : 1.08));
            s.sum += (double)s.value[i];
        }
        fs_strata strata = fs_strata_create(arena, s.size, COUNT, fs_rng_stream(k, "test/points"));
        do
            known += work_out(&strata, &s);
        while (!fs_strata_within(&strata, 0.01, 0));
        held += fabs(fs_strata_sum(&strata) - s.sum) <= fs_strata_half_width(&strata);
        few += known < COUNT;
    }
    print_message("held %d of %d, few %d\n", held, TIMES, few);
    assert_true(held >= 0.9 * TIMES && few >= 0.5 * TIMES);
}

/* Nothing is told of the sum but by values; none is asked for twice. */
TEST(all_values_give_the_sum) {
    static series s;
    fs_arena *arena = test_arena();
    draw_series(&s, fs_rng_stream(1, "test/strata"));
    for (uint64_t count = 1; count < VALUES; count += 97) {
        fs_strata strata = fs_strata_create(arena, s.size, count, fs_rng_stream(count, "test/points"));
        uint64_t known = 0;
        double sum = 0;
        do
            known += work_out(&strata, &s);
        while (!fs_strata_within(&strata, 0, 1e9));
        for (uint64_t i = 0; i < count; i++) {
            sum += (double)s.value[i];
            assert_true(fs_strata_like(&strata, i) == i);
        }
        assert_true(known == count && fs_strata_half_width(&strata) <= 0);
        assert_true(fabs(fs_strata_sum(&strata) - sum) < 0.5);
    }
}

/* What is not worked out has a ratio between those of the values beside it that are, and is like the nearer one. */
TEST(others_are_like_their_neighbours) {
    static series s;
    fs_arena *arena = test_arena();
    draw_series(&s, fs_rng_stream(2, "test/strata"));
    fs_strata strata = fs_strata_create(arena, s.size, VALUES, fs_rng_stream(2, "test/points"));
    work_out(&strata, &s);
    for (uint64_t i = 0, before = 0; i < VALUES; i++) {
        uint64_t behind = i;
        before = strata.value[i] > 0 ? i : before;
        while (behind + 1 < VALUES && strata.value[behind] == 0)
            behind++;
        before = strata.value[before] > 0 ? before : behind;
        behind = strata.value[behind] > 0 ? behind : before;
        const double a = (double)s.value[before] / (double)s.size[before],
                     b = (double)s.value[behind] / (double)s.size[behind],
                     ratio = fs_strata_value(&strata, i) / (double)s.size[i];
        const uint64_t like = fs_strata_like(&strata, i);
        assert_true(ratio >= fmin(a, b) - 1e-9 && ratio <= fmax(a, b) + 1e-9);
        assert_true(like == before || like == behind);
    }
}

RUN_TESTS(NULL, NULL)
