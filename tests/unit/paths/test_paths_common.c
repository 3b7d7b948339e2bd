/* What all path tracers share: keyed random numbers, drawn samples, optics. */
#include "sim/base/detmath.h"
#include "sim/stats/drawn.h"
#include "tests/support/test.h"
#include "workloads/optics/optics.h"
#include "workloads/optics/random.h"

/* ---- random numbers ---- */

/* xoshiro128** from the state 1 2 3 4: worked out by hand for the first two numbers. s1 * 5 = 10, rotated by
 * 7 is 1280, times 9 is 11520; then s = (7, 0, 1026, 12288), so 0. */
TEST(the_first_numbers_are_those_of_the_generator) {
    fs_path_random r = {{1, 2, 3, 4}};
    assert_int_equal(fs_paths_u32(&r), 11520);
    assert_int_equal(r.s[0], 7);
    assert_int_equal(r.s[1], 0);
    assert_int_equal(r.s[2], 1026);
    assert_int_equal(r.s[3], 12288);
    assert_int_equal(fs_paths_u32(&r), 0);
}

TEST(paths_have_numbers_of_their_own) {
    const fs_rng stream = fs_rng_stream(1, "paths");
    fs_path_random a = fs_paths_random_of(stream, 5, 7), b = fs_paths_random_of(stream, 7, 5), c = a;
    assert_int_not_equal(fs_paths_u32(&a), fs_paths_u32(&b));
    a = fs_paths_random_of(stream, 5, 7);
    for (int i = 0; i < 100; i++)
        assert_int_equal(fs_paths_u32(&a), fs_paths_u32(&c));
}

/* Mean of the k-th number over many keys: 1/2 within 4 standard errors, in both roundings. */
TEST(numbers_are_uniform_over_keys) {
    enum { KEYS = 40000, NUMBERS = 4 };
    const fs_rng stream = fs_rng_stream(3, "paths");
    double sum[NUMBERS] = {0}, half[NUMBERS] = {0};
    for (uint64_t key = 0; key < KEYS; key++) {
        fs_path_random r = fs_paths_random_of(stream, key % 200, key / 200);
        for (int i = 0; i < NUMBERS; i++) {
            const uint32_t number = fs_paths_u32(&r);
            const float unit = fs_paths_unit(number), rough = fs_paths_unit_half(number);
            assert_true(unit >= 0.0f && unit < 1.0f && rough <= unit && unit - rough < 0x1p-11f);
            sum[i] += (double)unit;
            half[i] += (double)rough;
        }
    }
    const double error = sqrt(1.0 / 12.0 / KEYS);
    for (int i = 0; i < NUMBERS; i++) {
        assert_true(fabs(sum[i] / KEYS - 0.5) < 4.0 * error);
        assert_true(fabs(half[i] / KEYS - (0.5 - 0x1p-12)) < 4.0 * error);
    }
}

/* ---- drawn samples ---- */

TEST(choices_are_sets_of_that_size) {
    uint64_t out[50], seen[50] = {0};
    for (uint64_t seed = 0; seed < 2000; seed++) {
        fs_drawn_choose(fs_rng_stream(seed, "choose"), 50, 5, out);
        for (int i = 0; i < 5; i++) {
            assert_true(out[i] < 50 && (i == 0 || out[i] > out[i - 1]));
            seen[out[i]]++;
        }
    }
    for (int i = 0; i < 50; i++) /* 200 expected, deviation 13.4 */
        assert_true(seen[i] > 140 && seen[i] < 260);
    fs_drawn_choose(fs_rng_stream(1, "choose"), 50, 50, out);
    for (uint64_t i = 0; i < 50; i++)
        assert_int_equal(out[i], i);
}

TEST(errors_are_those_of_the_book) {
    fs_drawn d = {.of = 10};
    const double value[] = {2, 4, 4, 6};
    assert_true(isinf(fs_drawn_half_width(&d)));
    for (int i = 0; i < 4; i++)
        fs_drawn_add(&d, value[i]);
    assert_true(fabs(d.mean - 4.0) < 1e-15 && fabs(fs_drawn_variance(&d) - 8.0 / 3.0) < 1e-15);
    assert_true(fabs(fs_drawn_error(&d) - sqrt(8.0 / 3.0 / 4.0 * 0.6)) < 1e-15);
    assert_true(fabs(fs_drawn_half_width(&d) - 3.182446 * fs_drawn_error(&d)) < 1e-12);
    d.of = 4;
    assert_true(fs_drawn_error(&d) == 0.0 && fs_drawn_half_width(&d) == 0.0);
    assert_true(fabs(fs_drawn_student(11) - 2.200985) < 1e-3 &&
                fabs(fs_drawn_student(30) - 2.042272) < 1e-4 &&
                fabs(fs_drawn_student(1000) - 1.962339) < 1e-5);
}

/* 20 of 2,000 skewed values: the interval holds the mean of all in at least 90 of 100 choices. */
TEST(intervals_hold_the_mean_of_all) {
    enum { OF = 2000, DRAW = 20, SEEDS = 100 };
    double value[OF], mean = 0.0;
    fs_rng rng = fs_rng_stream(9, "values");
    for (int i = 0; i < OF; i++) {
        value[i] = -fs_log(1.0 - fs_rng_unit(&rng)) + fs_rng_unit(&rng);
        mean += value[i] / OF;
    }
    int held = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        uint64_t which[DRAW];
        fs_drawn d = {.of = OF};
        fs_drawn_choose(fs_rng_stream(seed, "draw"), OF, DRAW, which);
        for (int i = 0; i < DRAW; i++)
            fs_drawn_add(&d, value[which[i]]);
        held += fabs(d.mean - mean) <= fs_drawn_half_width(&d);
    }
    assert_true(held >= 90 && held < 100);
}

/* 1,000 tiles with means of deviation 3 around 100, known with an error of deviation 4: the greatest drawn
 * mean is far too great, the greatest shrunk one is within 2 % of the true greatest on average. */
TEST(shrunk_means_have_the_true_spread) {
    enum { TILES = 1000, SEEDS = 20 };
    double excess = 0.0, plain = 0.0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        fs_rng rng = fs_rng_stream(seed, "tiles");
        double seen[TILES], most = 0.0, most_seen = 0.0;
        fs_drawn all = {.of = TILES};
        for (int t = 0; t < TILES; t++) {
            const double truth = 100.0 + 3.0 * fs_rng_normal(&rng);
            seen[t] = truth + 4.0 * fs_rng_normal(&rng);
            most = truth > most ? truth : most;
            most_seen = seen[t] > most_seen ? seen[t] : most_seen;
            fs_drawn_add(&all, seen[t]);
        }
        const double shrinkage = fs_drawn_shrinkage(fs_drawn_variance(&all), 16.0);
        excess += (all.mean + shrinkage * (most_seen - all.mean) - most) / SEEDS;
        plain += (most_seen - most) / SEEDS;
    }
    assert_true(fabs(excess) < 2.0 && plain > 4.0);
    assert_true(fs_drawn_shrinkage(1.0, 2.0) == 0.0 && fs_drawn_shrinkage(1.0, 0.0) == 1.0);
}

/* 600 workers in 40 batches whose chance is skewed and grows with their mean: the greatest of six drawn means
 * is far too great, what is left of its distance is not. Of equal workers nothing is left, of one far ahead
 * all. */
TEST(the_greatest_is_what_is_left) {
    enum { WORKERS = 600, BATCHES = 40, DRAWN = 6 };
    double truth = 0.0;
    fs_drawn_greatest sum = {0};
    for (uint64_t b = 0; b < BATCHES; b++) {
        fs_rng rng = fs_rng_stream(b, "greatest");
        static double value[WORKERS][DRAWN];
        double total[WORKERS] = {0}, most_true = 0.0, most = 0.0;
        for (int w = 0; w < WORKERS; w++) {
            const double mean = 100.0 + 20.0 * -log(1.0 - fs_rng_unit(&rng));
            most_true = fmax(most_true, mean);
            for (int s = 0; s < DRAWN; s++) {
                value[w][s] = mean * (0.5 + 0.5 * -log(1.0 - fs_rng_unit(&rng)));
                total[w] += value[w][s];
            }
            sum.mean += total[w] / DRAWN / WORKERS;
            most = fmax(most, total[w] / DRAWN);
        }
        for (int s = 0; s < DRAWN; s++) {
            int chosen = 0;
            for (int w = 1; w < WORKERS; w++)
                chosen = total[w] - value[w][s] > total[chosen] - value[chosen][s] ? w : chosen;
            sum.chosen += value[chosen][s] / DRAWN;
        }
        sum.most += most;
        truth += most_true;
    }
    const double found = sum.mean + fs_drawn_left(&sum, DRAWN, 1e9) * (sum.most - sum.mean);
    print_message("greatest drawn %.3f, chosen %.3f, told %.3f of the true ones\n", sum.most / truth,
                  sum.chosen / truth, found / truth);
    assert_true(sum.most > 1.15 * truth && sum.chosen < 0.85 * truth);
    assert_true(fabs(found - truth) < 0.06 * truth);
    assert_true(fs_drawn_left(&(fs_drawn_greatest){10.0, 12.0, 9.5}, 4, 1e12) < 1e-5);
    assert_true(fs_drawn_left(&(fs_drawn_greatest){10.0, 12.0, 12.5}, 4, 1000) == 1.0);
    assert_true(fs_drawn_left(&(fs_drawn_greatest){10.0, 12.0, 11.0}, 1000, 1000) == 1.0);
}

/* ---- optics ---- */

static fs_vec3f direction(fs_rng *rng) {
    for (;;) {
        const fs_vec3f v = {(float)fs_rng_range(rng, -1, 1), (float)fs_rng_range(rng, -1, 1),
                            (float)fs_rng_range(rng, -1, 1)};
        const float length = fs_vec3f_dot(v, v);
        if (length > 0.01f && length < 1.0f)
            return fs_vec3f_unit(v);
    }
}

TEST(mirrors_and_glass_obey_their_laws) {
    fs_rng rng = fs_rng_stream(4, "optics");
    int total = 0;
    for (int i = 0; i < 2000; i++) {
        const fs_vec3f n = direction(&rng);
        fs_vec3f in = direction(&rng), out;
        if (fs_vec3f_dot(in, n) > 0)
            in = fs_vec3f_scale(in, -1.0f);
        const fs_vec3f back = fs_reflect(in, n);
        assert_true(fabsf(fs_vec3f_dot(back, n) + fs_vec3f_dot(in, n)) < 1e-5f);
        assert_true(fabsf(fs_vec3f_dot(back, back) - 1.0f) < 1e-5f);
        const float ratio = i % 2 == 0 ? 1.5f : 1.0f / 1.5f;
        const fs_vec3f a = fs_vec3f_cross(in, n);
        const float sine = sqrtf(fs_vec3f_dot(a, a));
        if (!fs_refract(in, n, ratio, &out)) {
            assert_true(ratio * sine > 0.9999f);
            total++;
            continue;
        }
        const fs_vec3f b = fs_vec3f_cross(out, n);
        assert_true(fabsf(sqrtf(fs_vec3f_dot(b, b)) - ratio * sine) < 1e-4f && fs_vec3f_dot(out, n) <= 0.0f);
    }
    assert_true(total > 0);
    assert_true(fabsf(fs_schlick(1.0f, 1.5f) - 0.04f) < 1e-6f &&
                fabsf(fs_schlick(0.0f, 1.5f) - 1.0f) < 1e-6f);
}

TEST(turns_are_sines_and_cosines) {
    for (int i = 0; i < 1 << 16; i++) {
        float c, s;
        const float u = (float)i * 0x1p-16f;
        fs_turn(u, &c, &s);
        assert_true(fabs((double)c - fs_cos((double)u * FS_TURN)) < 4e-7);
        assert_true(fabs((double)s - fs_sin((double)u * FS_TURN)) < 4e-7);
    }
}

TEST(directions_follow_the_cosine) {
    enum { N = 20000 };
    fs_rng rng = fs_rng_stream(5, "cosine");
    const fs_vec3f normal[] = {{0, 0, 1}, {0, 0, -1}, {0.6f, 0, -0.8f}};
    for (int k = 0; k < 3; k++) {
        double mean = 0.0;
        for (int i = 0; i < N; i++) {
            const fs_vec3f d = fs_cosine_direction(normal[k], (float)((double)(i % 200) / 200.0),
                                                   (float)fs_rng_unit(&rng) * 0.9999999f);
            assert_true(fabsf(fs_vec3f_dot(d, d) - 1.0f) < 1e-5f);
            mean += (double)fs_vec3f_dot(d, normal[k]) / N;
        }
        assert_true(fabs(mean - 2.0 / 3.0) < 0.01);
    }
}

RUN_TESTS(NULL, NULL)
