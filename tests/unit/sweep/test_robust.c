/* Draws and verdicts against a case whose answer is known in closed form, and files of ranges. */
#include "models/energy/prices.h"
#include "registry/registry.h"
#include "sim/robust/private.h"
#include "tests/support/cli.h"
#include "tests/support/test.h"

#include <jansson.h>

enum { PARAMETERS = 5, FIRST = 16, DRAWS = 64, POINTS = 3 };

/* One of each parameter in each of as many parts of its range. */
static void assert_latin(const fs_robust_draws *d, size_t from, size_t count) {
    for (size_t u = 0; u < d->parameters; u++) {
        bool taken[DRAWS] = {false};
        for (size_t i = from; i < from + count; i++) {
            const size_t part = (size_t)(d->place[i * d->parameters + u] * (double)count);
            assert_true(part < count && !taken[part]);
            taken[part] = true;
        }
    }
}

TEST(draws_fill_the_ranges) {
    fs_arena *arena = test_arena();
    const fs_robust_draws d = fs_robust_draw(arena, PARAMETERS, FIRST, DRAWS, 1);
    assert_true(!d.corners && d.count == DRAWS && d.first == FIRST);
    assert_latin(&d, 0, FIRST);
    assert_latin(&d, FIRST, DRAWS - FIRST);
    const fs_robust_draws again = fs_robust_draw(arena, PARAMETERS, FIRST, DRAWS, 1);
    assert_memory_equal(d.place, again.place, DRAWS * PARAMETERS * sizeof *d.place);
    const fs_robust_draws other = fs_robust_draw(arena, PARAMETERS, FIRST, DRAWS, 2);
    assert_memory_not_equal(d.place, other.place, DRAWS * PARAMETERS * sizeof *d.place);
    for (size_t few = 0; few <= 4; few++) { /* all corners, each once */
        const fs_robust_draws c = fs_robust_draw(arena, few, FIRST, DRAWS, 1);
        bool seen[FIRST] = {false};
        assert_true(c.corners && c.count == (size_t)1 << few && c.first == c.count);
        for (size_t i = 0; i < c.count; i++) {
            size_t corner = 0;
            for (size_t u = 0; u < few; u++)
                corner |= (size_t)(c.place[i * few + u] > 0.5) << u;
            assert_false(seen[corner]);
            seen[corner] = true;
        }
    }
}

/* x is uniform in 0 ... 1. The first point takes 1 + x, the second 1.6, the third 3 and is infeasible above
 * 0.75: the first is best up to x = 0.6, and at most 0.25 behind the second (x = 1). */
TEST(a_case_in_closed_form) {
    fs_arena *arena = test_arena();
    const fs_robust_draws d = fs_robust_draw(arena, PARAMETERS, FIRST, DRAWS, 1);
    for (int larger = 0; larger < 2; larger++) {
        double value[DRAWS * POINTS], mean = 0, third = 0;
        size_t above = 0, below = 0;
        for (size_t i = 0; i < DRAWS; i++) {
            const double x = d.place[i * PARAMETERS + 2],
                         own[POINTS] = {1 + x, 1.6, x > 0.75 ? (double)NAN : 3};
            for (size_t p = 0; p < POINTS; p++)
                value[i * POINTS + p] = larger ? -own[p] : own[p];
            above += x > 0.75;
            below += x <= 0.6;
            mean += x > 0.6 ? (x - 0.6) / 1.6 / DRAWS : 0;
            third += x > 0.75 ? 0 : 3 / fmin(1 + x, 1.6) - 1; /* over the draws where it can be had */
        }
        /* 0.6 of each hypercube but for the part that 0.6 lies in; 0.75 lies between two parts. */
        assert_true(below >= 9 + 28 && below <= 10 + 29 && above == 4 + 12);
        const double nominal[POINTS] = {larger ? -1.5 : 1.5, larger ? -1.6 : 1.6, larger ? -3 : 3};
        fs_robust_cases cases = {.points = POINTS,
                                 .draws = DRAWS,
                                 .larger = larger == 1,
                                 .nominal = nominal,
                                 .value = value,
                                 .first = FIRST};
        fs_robust_verdict v;
        fs_robust_judge(arena, &cases, &v);
        assert_int_equal(v.best, 0);
        assert_int_equal(v.next, 1);
        assert_true(v.point[0].best == below && v.point[1].best == DRAWS - below && v.point[2].best == 0);
        assert_true(v.point[2].infeasible == above && v.point[0].infeasible == 0 &&
                    v.point[0].draws == DRAWS);
        assert_true(fabs(v.point[0].regret_mean - mean) < 1e-12);
        assert_true(fabs(v.point[2].regret_mean - third / (double)(DRAWS - above)) < 1e-12);
        assert_true(v.point[0].regret_most < 0.25 && v.point[0].regret_most > 0.25 - 1.0 / 48 / 1.6);
        assert_true(fabs(v.point[1].regret_most - 0.6) < 1.0 / 16); /* at x = 0: 1.6 against 1 */
        assert_true(v.point[1].low == v.point[1].high);
        for (size_t i = 0; i < DRAWS; i++)
            assert_int_equal(v.turned[i], d.place[i * PARAMETERS + 2] > 0.6);
        /* A price that failed is no infeasible draw, and turns nothing. */
        bool failed[DRAWS * POINTS] = {false};
        double gap[DRAWS * POINTS];
        memcpy(gap, value, sizeof gap);
        failed[0] = failed[7 * POINTS] = true;
        gap[0] = gap[7 * POINTS] = (double)NAN;
        cases.failed = failed;
        cases.value = gap;
        fs_robust_judge(arena, &cases, &v);
        assert_true(v.point[0].infeasible == 0 && v.point[0].draws == DRAWS - 2);
        assert_true(!v.turned[0] && !v.turned[7]);
        cases.failed = NULL;
        fs_robust_judge(arena, &cases, &v);
        assert_true(v.point[0].infeasible == 2 && v.turned[0] && v.turned[7]);
        cases.value = value;
        /* Two are within reach; the third is judged by the first draws alone. */
        bool within[POINTS] = {false};
        fs_robust_reach(&cases, 2, within);
        assert_true(within[0] && within[1] && !within[2]);
        cases.within = within;
        fs_robust_judge(arena, &cases, &v);
        assert_true(v.point[0].best == below && v.point[2].draws == FIRST && v.point[2].infeasible == 4);
    }
}

/* The first is best as things are, and in half of the draws; where it is not, it takes twice the best. The second is never
 * more than a tenth behind. The third would be better, and is infeasible at a draw. */
TEST(the_safest_loses_least_at_the_worst) {
    fs_arena *arena = test_arena();
    const double nominal[3] = {1, 1.02, 1.01}, value[2 * 3] = {1, 1.1, 1, 2, 1, (double)NAN};
    fs_robust_cases cases = {.points = 3, .draws = 2, .nominal = nominal, .value = value, .first = 2};
    fs_robust_verdict v;
    fs_robust_judge(arena, &cases, &v);
    assert_true(v.best == 0 && v.safe == 1);
    const bool within[3] = {true, false, true}; /* nobody knows the second at all draws */
    cases.first = 1;
    cases.within = within;
    fs_robust_judge(arena, &cases, &v);
    assert_int_equal(v.safe, 0);
}

/* A constraint on a flag: true is 1, false is 0; null keeps none. */
TEST(flags_are_ones_and_zeros) {
    fs_store_objective objective = {.figure = "device.seconds"};
    fs_store_constraint constraint = {.figure = "complete", .op = FS_STORE_EQUALS, .number = 1};
    const fs_store_sweep sweep = {
        .objectives = &objective, .objective_count = 1, .constraints = &constraint, .constraint_count = 1};
    double place[3] = {(double)NAN, (double)NAN, (double)NAN}, *value[1] = {place};
    const fs_robust r = {.registry = &fs_registry_all, .sweep = &sweep, .value = value};
    static const char *const complete[3] = {"true", "false", "null"};
    for (size_t i = 0; i < 3; i++) {
        char text[80];
        snprintf(text, sizeof text, "{\"device.seconds\": 2.5, \"complete\": %s}", complete[i]);
        json_t *figures = json_loads(text, 0, NULL);
        fs_robust_note(&r, figures, i);
        json_decref(figures);
    }
    assert_true(place[0] == 2.5 && isnan(place[1]) && isnan(place[2]));
}

/* Points out of reach are judged by the first draws. */
TEST(cases_are_those_of_the_draws) {
    fs_store_objective objective = {.figure = "device.seconds", .larger = true};
    const fs_store_sweep sweep = {.objectives = &objective, .objective_count = 1};
    double none, *value[1] = {&none};
    const fs_robust r = {.sweep = &sweep, .value = value, .draws = {.count = 64, .first = 16}};
    const fs_robust_cases c = fs_robust_cases_of(&r, 0, &none);
    assert_true(c.draws == 64 && c.first == 16 && c.larger && c.points == 0 && c.value == &none);
}

/* Values of a prior at even places: its quantiles by closed forms. */
TEST(priors_have_their_quantiles) {
    fs_arena *arena = test_arena();
    const fs_uncertain *u = NULL;
    size_t count = 0;
    fs_error err = {.status = FS_OK};
    cli_write("u.yaml",
              "parameters:\n  - { key: a.log, prior: log, low: 0.5 ms, high: 8.0 ms }\n"
              "  - { key: a.whole, prior: log, low: 1 slots, high: 7 slots }\n"
              "  - { key: a.normal, prior: normal, low: 2.0 s, high: 9.5 s, mean: 5 s, deviation: 2 s }\n"
              "  - { key: a.list, prior: list, values: [merged, merged, serial] }\n");
    assert_int_equal(fs_uncertain_read(arena, "u.yaml", &u, &count, &err), FS_OK);
    assert_int_equal(count, 4);
    assert_string_equal(fs_uncertain_at(arena, &u[0], 0.25), "1 ms"); /* 16 to the quarter */
    assert_string_equal(fs_uncertain_at(arena, &u[0], 0.5), "2 ms");
    assert_string_equal(fs_uncertain_at(arena, &u[1], 0.333), "1 slots"); /* 8 to the third is 2 */
    assert_string_equal(fs_uncertain_at(arena, &u[1], 0.334), "2 slots");
    assert_string_equal(fs_uncertain_at(arena, &u[1], 0.999), "7 slots");
    assert_string_equal(fs_uncertain_at(arena, &u[2], 0.5), "5 s");
    assert_true(fabs(atof(fs_uncertain_at(arena, &u[2], 0.9)) - (5 + 2 * 1.2815515655)) < 1e-5);
    assert_string_equal(fs_uncertain_at(arena, &u[2], 0.01), "2 s"); /* 0.35 lies beyond the end */
    assert_string_equal(fs_uncertain_at(arena, &u[2], 0.999), "9.5 s");
    size_t serial = 0;
    for (int i = 0; i < 300; i++)
        serial += strcmp(fs_uncertain_at(arena, &u[3], ((double)i + 0.5) / 300), "serial") == 0;
    assert_int_equal(serial, 100);
    static const char *const wrong[][2] = {
        {"{ key: a, prior: log, low: 0 s, high: 1 s }", "expected low above 0 of a logarithm, found 0 s"},
        {"{ key: a, prior: log, low: one, high: two }", "expected a number at each end"},
        {"{ key: a, prior: list, low: 1, high: 2 }", "expected values alone of a prior that is a list"},
        {"{ key: a, low: 1, high: 2, values: [1] }", "expected values of a prior that is a list alone"},
        {"{ key: a, prior: list, values: [{ b: 1 }] }",
         "parameters[0].values[0]: expected a number or a word"},
        {"{ key: a, prior: normal, low: 1, high: 2 }",
         "expected mean and deviation in the unit of both ends"},
        {"{ key: a, low: 1, high: 2, mean: 1 }", "expected mean and deviation of a normal prior alone"},
        {"{ key: a, prior: flat, low: 1, high: 2 }", "expected one of uniform, log, normal or list"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        err = (fs_error){.status = FS_OK};
        cli_write("u.yaml", fs_arena_printf(arena, "parameters:\n  - %s\n", wrong[i][0]));
        assert_int_equal(fs_uncertain_read(arena, "u.yaml", &u, &count, &err), FS_INPUT);
        assert_says(err.text, wrong[i][1]);
    }
}

TEST(ranges_are_read_and_filled) {
    fs_arena *arena = test_arena();
    const fs_uncertain *u = NULL;
    size_t count = 0;
    fs_error err = {.status = FS_OK};
    cli_write("u.yaml",
              "parameters:\n  - { key: a.b, low: 1 slots, high: 3 slots }\n"
              "  - { key: a.c, low: 0.1 ms, high: 1 ms }\n  - { key: a.d, low: merged, high: serial }\n");
    assert_int_equal(fs_uncertain_read(arena, "u.yaml", &u, &count, &err), FS_OK);
    assert_int_equal(count, 3);
    size_t times[4] = {0};
    for (int i = 0; i < 300; i++)
        times[atoi(fs_uncertain_at(arena, &u[0], ((double)i + 0.5) / 300))]++;
    assert_true(times[0] == 0 && times[1] == 100 && times[2] == 100 && times[3] == 100);
    assert_string_equal(fs_uncertain_at(arena, &u[0], 0), "1 slots");
    assert_string_equal(fs_uncertain_at(arena, &u[0], 1), "3 slots");
    assert_string_equal(fs_uncertain_at(arena, &u[1], 0.5), "0.55 ms");
    assert_string_equal(fs_uncertain_at(arena, &u[2], 0.49), "merged");
    assert_string_equal(fs_uncertain_at(arena, &u[2], 0.5), "serial");
    static const char *const wrong[][2] = {
        {"parameters:\n  - { key: a.b, low: 3 slots, high: 1 slots }\n",
         "u.yaml:2:5: parameters[0]: expected low"},
        {"parameters:\n  - { key: a.b, low: 1 s, high: 2 ms }\n", "expected the same unit at both ends"},
        {"parameters:\n  - { key: a.b, low: 1 s }\n", "parameters[0].high"},
        {"parameters:\n  - { key: a.b, low: [1], high: 2 }\n", "expected a number or a word at each end"},
        {"others: []\n", "others"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        err = (fs_error){.status = FS_OK};
        cli_write("u.yaml", wrong[i][0]);
        assert_int_equal(fs_uncertain_read(arena, "u.yaml", &u, &count, &err), FS_INPUT);
        assert_says(err.text, wrong[i][1]);
    }
}

/* The ranges of energies and areas stand in a file of their own: they are the factors of the prices. */
static void assert_range(const fs_uncertain *u, const char *key, const char *central, double low,
                         double high) {
    const double value = strtod(central, NULL);
    assert_string_equal(u->key, key);
    assert_true(fabs(strtod(u->end[0]->text, NULL) - value * low) < 1e-4 * value);
    assert_true(fabs(strtod(u->end[1]->text, NULL) - value * high) < 1e-4 * value);
    assert_string_equal(strchr(u->end[0]->text, ' '), strchr(central, ' '));
}

TEST(ranges_of_energies_are_those_of_the_prices) {
    fs_arena *arena = test_arena();
    const fs_uncertain *u = NULL;
    size_t count = 0, i = 0;
    fs_error err = {.status = FS_OK};
    const char *path = fs_arena_printf(arena, "%s/validation/uncertain-energy.yaml", fs_configs_dir());
    assert_ok(fs_uncertain_read(arena, path, &u, &count, &err), &err);
#define X(key, central, low, high, ...) assert_range(&u[i++], "machine.energy." #key, central, low, high);
    FS_ENERGY_PRICES(X)
#undef X
    assert_range(&u[i++], "machine.energy.leakage", "20 mW", 0.6, 1.5);
#define X(key, central, low, high, ...) assert_range(&u[i++], "machine.area." #key, central, low, high);
    FS_AREA_PRICES(X)
#undef X
    assert_int_equal(i, count);
}

RUN_TESTS(cli_enter, cli_leave)
