/* Validation without runs: what a case file may say and what is wrong with it, verdicts worked out by hand,
 * draws and tables by each other, and what is committed. */
#include "registry/registry.h"
#include "validation/cases/words.h"
#include "validation/judge/judge.h"

#include "tests/support/cli.h"
#include "tests/support/test.h"

#include <sys/stat.h>

static const char head[] = "title: T\nsource: S\nabout: A\nensemble: bicycle\n";

/* A folder "v" with one case and the stand-ins bicycle-0 ... bicycle-2. */
static void make_folder(const char *text) {
    char path[64];
    mkdir("v", 0777);
    mkdir("v/cases", 0777);
    mkdir("v/standins", 0777);
    cli_write("v/cases/a.yaml", text);
    for (int i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "v/standins/bicycle-%d.yaml", i);
        cli_write(path, "# Number so and so.\nname: x\n");
    }
}

/* All of a folder that speaks of one paper. */
static fs_status read_folder(fs_arena *arena, const char *folder, fs_validation *v, fs_error *err) {
    const fs_validation_wants all = {.paper = NULL};
    fs_validation *papers = NULL;
    size_t count = 0;
    *err = (fs_error){.status = FS_OK};
    if (fs_validations_read(arena, &fs_registry_all, folder, &all, &papers, &count, err))
        return err->status;
    assert_int_equal(count, 1);
    *v = papers[0];
    return FS_OK;
}

static fs_status read_text(fs_arena *arena, const char *more, fs_validation *v, fs_error *err) {
    make_folder(fs_arena_printf(arena, "%s%s", head, more));
    return read_folder(arena, "v", v, err);
}

TEST(mistakes_are_named_with_their_place) {
    static const struct {
        const char *text, *said;
    } cases[] = {
        {"figurs: []\n", "v/cases/a.yaml:5:1: figurs: unknown key"},
        {"variants:\n  - { nam: x }\n", "v/cases/a.yaml:6:7: variants[0].nam: unknown key"},
        {"scored: perhaps\n", "scored: expected true or false, found \"perhaps\""},
        {"order: device.second\n", "did you mean \"device.seconds\"?"},
        {"standins: [bicycle-0]\n", "expected one of ensemble, standins and base, found 2"},
        {"axes:\n  - { key: run.seed, values: [] }\n", "axes[0].values: expected at least one value"},
        {"axes:\n  - { key: run.seed, values: [1, 2], names: [one] }\n",
         "axes[0].names: expected a name for each of the 2 values, found 1"},
        {"axes:\n  - { key: run.seed, values: [1], saturated: [2] }\n",
         "axes[0].saturated[0]: expected one of the axis's values, found \"2\""},
        {"axes:\n  - { key: run.seed, values: [1], again: [2] }\n",
         "axes[0].again[0]: expected one of the axis's values, found \"2\""},
        {"figures:\n  - { name: n, figure: device.seconds / device.itertions, use: predict, published: 1 }\n",
         "figures[0].figure: "},
        {"axes:\n  - { key: run.seed, values: [1, 2] }\n"
         "figures:\n  - { name: n, figure: device.seconds, use: predict, published: [1, 2], rank: [1] }\n",
         "figures[0].rank: expected a list of 2, one for each value of run.seed"},
        {"figures:\n  - { name: n, figure: device.seconds, use: guess, published: 1 }\n",
         "figures[0].use: expected one of structure, calibrate, predict or input, found \"guess\""},
        {"figures:\n  - { name: n, figure: device.seconds, use: predict, published: one }\n",
         "figures[0].published: expected a number, found \"one\""},
        {"figures:\n  - { name: n, figure: device.seconds, use: predict, variant: x, published: 1 }\n",
         "figures[0].variant: expected a variant of this case, found \"x\""},
        {"axes:\n  - { key: run.seed, values: [1, 2] }\n"
         "figures:\n  - { name: n, figure: device.seconds, use: predict, published: [1] }\n",
         "v/cases/a.yaml:8:65: figures[0].published: expected a list of 2, one for each value of run.seed, "
         "found a list of 1"},
        {"variants:\n  - { name: a }\n  - { name: a }\n", "the name \"a\" stands there twice"},
        {"relations:\n  - { name: r, figure: device.seconds }\n",
         "relations[0]: expected one of smaller (with larger), falls, above (with variant) and fails"},
        {"variants:\n  - { name: a }\n  - { name: b }\nrelations:\n"
         "  - { name: r, figure: device.seconds, smaller: a, larger: b, by: 2, at_most: 1 }\n",
         "relations[0].at_most: expected at least `by`, 2, found 1"},
        {"variants:\n  - { name: a }\n  - { name: b }\nrelations:\n  - { name: r, smaller: a, larger: b }\n",
         "expected `figures` here, or `figure` for the whole relation"},
        {"", "expected figures or relations, found neither"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fs_arena *arena = test_arena();
        static fs_error err;
        fs_validation v = {0};
        assert_int_equal(read_text(arena, cases[i].text, &v, &err), FS_INPUT);
        if (strstr(err.text, cases[i].said) == NULL)
            fail_msg("case %zu: expected \"%s\", found \"%s\"", i, cases[i].said, err.text);
    }
}

static const char two_by_two[] =
    "scored: true\norder: device.seconds\n"
    "axes:\n"
    "  - { key: workload.batching.per_batch, values: [1, 2], names: [one, two], place: series, saturated: "
    "[2] }\n"
    "  - { key: workload.batching.idle, values: [0, 100], place: x }\n"
    "figures:\n"
    "  - { name: time, figure: device.seconds, use: predict, best: true, published: [[1.0, 0.8], [2.0, 1.0]] "
    "}\n";

TEST(a_table_becomes_variants_and_claims) {
    fs_arena *arena = test_arena();
    static fs_error err;
    fs_validation v = {0};
    assert_ok(read_text(arena, two_by_two, &v, &err), &err);
    assert_int_equal(v.case_count, 1);
    assert_int_equal(v.standin_count, 3);
    assert_string_equal(v.standins[1].name, "bicycle-1");
    assert_string_equal(v.standins[1].ensemble, "bicycle");
    assert_string_equal(v.standins[1].about, "Number so and so.");
    const fs_validation_case *c = &v.cases[0];
    assert_int_equal(c->standin_count, 3);
    assert_int_equal(c->variant_count, 4);
    assert_int_equal(c->claim_count, 6); /* four times and two best settings */
    assert_string_equal(c->variants[1].name, "one, idle 100");
    assert_true(c->variants[1].x == 100 && c->variants[1].series == 1);
    assert_string_equal(c->claims[2].name, "time, two, idle 0");
    assert_true(c->claims[2].published == 2.0 && c->claims[2].saturated && !c->claims[1].saturated);
    assert_string_equal(c->claims[2].unit, "s");
    assert_string_equal(c->claims[4].name, "best time, one");
    assert_int_equal(c->claims[4].use, FS_USE_BEHAVIOUR);
}

/* Points by hand: seconds of variant and stand-in; NAN: it failed. */
static void put_points(fs_arena *arena, fs_validation_case *c, const double *seconds) {
    for (size_t i = 0; i < c->variant_count; i++) {
        const fs_store_point **points = FS_NEW(arena, const fs_store_point *, c->standin_count);
        for (size_t s = 0; s < c->standin_count; s++) {
            const double value = seconds[i * c->standin_count + s];
            fs_store_figure *figure = FS_NEW(arena, fs_store_figure, 1);
            fs_store_point *point = FS_NEW(arena, fs_store_point, 1);
            *figure = (fs_store_figure){.name = "device.seconds", .unit = "s", .number = value};
            *point = (fs_store_point){.status = "done", .figures = figure, .figure_count = 1};
            points[s] = isnan(value) ? NULL : point;
        }
        c->variants[i].points = points;
    }
}

static bool near(double a, double b) {
    return fabs(a - b) < 1e-12;
}

TEST(verdicts_are_those_worked_out_by_hand) {
    static const double seconds[] = {
        1.1, 0.9, 1.3, /* median 1.1: 10 % over 1.0, which is within 0.9 ... 1.3 */
        0.7, 0.8, NAN, /* what fails is slower than all: median 0.8, nothing off 0.8 */
        2.0, 2.2, 2.1, /* median 2.1: 5 % over 2.0 */
        1.2, 1.0, 1.4, /* median 1.2: 20 % over 1.0 */
    };
    fs_arena *arena = test_arena();
    static fs_error err;
    fs_validation v = {0};
    assert_ok(read_text(arena, two_by_two, &v, &err), &err);
    fs_validation_case *c = &v.cases[0];
    put_points(arena, c, seconds);
    fs_validation_judge(&v);
    assert_true(near(c->claims[0].median, 1.1) && near(c->claims[0].error, 0.1));
    assert_true(c->claims[0].low == 0.9 && c->claims[0].high == 1.3 && c->claims[0].within);
    assert_false(c->claims[0].reached); /* 7 % are allowed */
    assert_true(near(c->claims[1].median, 0.8) && c->claims[1].reached);
    assert_true(c->claims[1].low == 0.7 && c->claims[1].high == 0.8);
    assert_true(near(c->mean_error, (0.1 + 0 + 0.05 + 0.2) / 4));
    assert_true(near(v.scores.mean_error_plain, (0.1 + 0) / 2));
    assert_true(near(v.scores.mean_error_saturated, (0.05 + 0.2) / 2));
    /* Pairs: 1.0 and 1.0 have no order; of the other five 0.8 < 1.0 (first), 1.0 < 2.0, 0.8 < 2.0, 0.8 < 1.0
     * and 1.0 < 2.0 are all kept. */
    assert_true(near(v.scores.order, 1));
    assert_true(v.compared == 7 && v.compared_right == 7); /* these five, and the best of two rows */
    /* The best is at idle 100 in both rows. */
    assert_true(c->claims[4].reached && c->claims[4].median == 0);
    assert_true(c->claims[5].reached && c->claims[5].simulated[0] == 0);
    assert_true(isnan(c->claims[4].simulated[2]) || c->claims[4].simulated[2] == -1);
}

/* Where at least half of the stand-ins fail the figure failed: there is no value and no error, and it counts as
 * 100 % in every mean error; before the runs nothing counts. */
TEST(what_mostly_fails) {
    static const double seconds[] = {1.1, NAN, NAN, NAN, NAN, NAN, 2, 2, 2, 1, 1, 1};
    fs_arena *arena = test_arena();
    static fs_error err;
    fs_validation v = {0};
    assert_ok(read_text(arena, two_by_two, &v, &err), &err);
    fs_validation_judge(&v);
    assert_true(isnan(v.scores.mean_error) && v.scores.predicted == 0);
    put_points(arena, &v.cases[0], seconds);
    fs_validation_judge(&v);
    for (size_t i = 0; i < 2; i++) {
        const fs_claim *f = &v.cases[0].claims[i];
        assert_true(f->failed && isnan(f->median) && isnan(f->error));
    }
    assert_true(v.scores.mean_error == (1 + 1 + 0 + 0) / 4.0 && v.cases[0].mean_error == 0.5);
    assert_true(v.scores.mean_error_plain == 1 && v.scores.mean_error_saturated == 0);
    assert_true(v.scores.predicted == 4 && v.scores.failed == 2);
    assert_true(near(v.scores.order, 1.0 / 5)); /* a pair with a figure that failed is in no order */
}

/* One of two is half of them; one of three is not. */
TEST(half_of_the_scenes_is_enough_to_fail) {
    static const double seconds[] = {1.1, NAN, NAN, 0.8, 0.8, 0.8, 2, 2, 2, 1, 1, 1};
    fs_arena *arena = test_arena();
    static fs_error err;
    for (size_t scenes = 2; scenes <= 3; scenes++) {
        fs_validation v = {0};
        assert_ok(read_text(arena, two_by_two, &v, &err), &err);
        v.cases[0].standin_count = scenes;
        put_points(arena, &v.cases[0],
                   scenes == 2 ? seconds : (const double[]){1, 1, NAN, 1, 1, 1, 2, 2, 2, 1, 1, 1});
        fs_validation_judge(&v);
        const fs_claim *f = &v.cases[0].claims[0];
        assert_true(f->failed == (scenes == 2) && isnan(f->median) == (scenes == 2));
    }
}

/* A quotient of two statistics, what knows nothing of the machine, and figures that another table has. */
TEST(what_stands_beside_is_worked_out_by_hand) {
    static const char text[] =
        "scored: true\norder: device.seconds\n"
        "axes:\n  - { key: workload.batching.idle, values: [0, 100, 150], place: x, again: [0] }\n"
        "figures:\n"
        "  - { name: time, figure: device.seconds, use: predict, published: [2, 1, 4], baseline: 2, rank: "
        "[2, 3, 1] }\n"
        "  - { name: each, figure: device.seconds / device.iterations, use: predict, published: [1, 1, 1],\n"
        "      baseline: [1, 2, 1] }\n";
    static const double seconds[] = {3, 3, 3, 1.2, 1.2, 1.2, 4, 4, 4};
    fs_arena *arena = test_arena();
    static fs_error err;
    fs_validation v = {0};
    assert_ok(read_text(arena, text, &v, &err), &err);
    fs_validation_case *c = &v.cases[0];
    put_points(arena, c, seconds);
    for (size_t i = 0; i < c->variant_count; i++) /* 2 iterations beside each time */
        for (size_t s = 0; s < c->standin_count; s++) {
            fs_store_point *p = (fs_store_point *)(uintptr_t)c->variants[i].points[s];
            fs_store_figure *both = FS_NEW(arena, fs_store_figure, 2);
            both[0] = (fs_store_figure){.name = "device.iterations", .unit = "iterations", .number = 2};
            both[1] = p->figures[0];
            p->figures = both;
            p->figure_count = 2;
        }
    fs_validation_judge(&v);
    assert_string_equal(c->claims[3].figure, "device.seconds / device.iterations");
    assert_string_equal(c->claims[3].unit, "s/iterations");
    assert_true(c->claims[0].again && !c->claims[1].again && near(c->claims[4].median, 0.6));
    /* Counted are 1.2 for 1, 4 for 4, 0.6 for 1 and 2 for 1. */
    assert_true(v.scores.predicted == 4 && v.scores.failed == 0);
    assert_true(near(v.scores.mean_error, (0.2 + 0 + 0.4 + 1) / 4));
    /* A baseline's constant is the median of what all figures like it leave: 1.25 times 2, 0.75 times 2 and 1. */
    assert_true(near(v.scores.baseline_error, (1.5 + 0.375 + 0.5 + 0.25) / 4));
    /* Pairs 2 and 1, 2 and 4, 1 and 4: kept by the times; by the ranks none. */
    assert_true(near(v.scores.order, 1) && v.scores.baseline_order == 0);
}

/* Another reading of a table is judged like the table, and counts only where it is alone. */
TEST(another_reading_counts_alone) {
    static const double good[] = {1, 1, 1, 0.8, 0.8, 0.8, 2, 2, 2, 1, 1, 1};
    static const double bad[] = {2, 2, 2, 1.6, 1.6, 1.6, 4, 4, 4, 2, 2, 2};
    fs_arena *arena = test_arena();
    static fs_error err;
    fs_validation v = {0}, other = {0};
    assert_ok(read_text(arena, two_by_two, &v, &err) || read_text(arena, two_by_two, &other, &err), &err);
    put_points(arena, &v.cases[0], good);
    put_points(arena, &other.cases[0], bad);
    fs_validation_case both[] = {v.cases[0], other.cases[0]};
    both[1].aside = true;
    both[1].reading = "the other";
    v.cases = both;
    v.case_count = 2;
    fs_validation_judge(&v);
    assert_true(near(v.scores.mean_error, 0) && near(v.cases[1].mean_error, 1) && v.cases[1].left_aside);
    assert_true(v.reading_count == 1 && near(v.readings[0].scores.mean_error, 1));
    assert_string_equal(v.readings[0].name, "the other");
    assert_true(v.readings[0].scores.predicted == v.scores.predicted && v.readings[0].scores.failed == 0);
    v.cases = both + 1;
    v.case_count = 1;
    fs_validation_judge(&v);
    assert_true(near(v.scores.mean_error, 1) && !v.cases[0].left_aside && v.reading_count == 0);
}

/* ---- draws, and tables by each other ---- */

/* Two tables of one figure each, with values at three draws; `first` is published in the first. */
static void two_tables(fs_arena *arena, fs_validation *v, fs_validation_case *both, double first,
                       const double *a, const double *b) {
    static const char text[] =
        "scored: true\nfigures:\n"
        "  - { name: t, figure: device.seconds, published: %g, use: predict, baseline: %g }\n";
    static fs_error err;
    const double *const drawn[] = {a, b}, published[] = {first, 10}, work[] = {2, 5};
    const double good[] = {1, 1, 1};
    for (size_t k = 0; k < 2; k++) {
        assert_ok(read_text(arena, fs_arena_printf(arena, text, published[k], work[k]), v, &err), &err);
        both[k] = v->cases[0];
        both[k].name = k == 0 ? "first" : "second";
        put_points(arena, &both[k], good);
        both[k].claims[0].drawn = drawn[k];
    }
    v->cases = both;
    v->case_count = 2;
    v->draw_count = 3;
    v->drawn = true;
    fs_validation_judge(v);
}

/* What is predicted of a table is the draws that give the other ones, and its own published value has no part in it: not in
 * the model's, and not in the baseline's. */
TEST(each_table_is_predicted_by_the_others) {
    static const double a[] = {1, 2, 4}, b[] = {40, 10, 20};
    fs_arena *arena = test_arena();
    fs_validation v = {0}, w = {0};
    fs_validation_case of_v[2], of_w[2];
    two_tables(arena, &v, of_v, 4, a, b);
    const fs_claim *f = &of_v[0].claims[0], *g = &of_v[1].claims[0];
    assert_true(f->median == 2 && f->low == 1 && f->high == 4); /* before: of all draws */
    assert_true(
        near(f->held.median, 2)); /* the second draw gives 10; its neighbours are 100 % off and more */
    assert_true(near(g->held.median, 20)); /* the third gives 4 */
    /* The stated discrepancy about one draw: 10 and 90 % lie 1.2816 of it away; score of a normal forecast. */
    assert_true(fabs(f->held.low - 2 * (1 - 0.12816)) < 1e-3 &&
                fabs(f->held.high - 2 * (1 + 0.12816)) < 1e-3);
    assert_true(near(f->held.miss, 0.5) && !f->held.in_range && fabs(g->held.miss - 1) < 1e-12);
    /* A constant of the other table: 10 / 5 times 2, and 4 / 2 times 5. */
    assert_true(near(f->held_baseline.median, 4) && near(g->held_baseline.median, 10));
    assert_true(f->held_baseline.in_range && fabs(f->held_baseline.crps - 0.1 * 0.2337) < 1e-3);
    assert_true(v.table_count == 2 && near(v.all_tables.mean_error, 0.75) && v.all_tables.in_range == 0);
    assert_true(near(v.tables[0].baseline, 0) && v.tables[0].figures == 1);
    /* Planted: another value is published in the first table. */
    two_tables(arena, &w, of_w, 1.1, a, b);
    assert_true(memcmp(&of_w[0].claims[0].held.median, &f->held.median, 3 * sizeof(double)) == 0);
    assert_true(of_w[0].claims[0].held_baseline.median == f->held_baseline.median);
    assert_true(near(of_w[1].claims[0].held.median, 40)); /* now the first draw gives it */
}

/* A draw in which a run fails that completes in others contradicts what was published; what fails in all of them failed. */
TEST(draws_that_contradict_are_dropped) {
    static const double some[] = {1, NAN, 4}, none[] = {NAN, NAN, NAN}, all[] = {10, 11, 12};
    fs_arena *arena = test_arena();
    fs_validation v = {0}, w = {0};
    fs_validation_case of_v[2], of_w[2];
    two_tables(arena, &v, of_v, 2.5, some, all);
    assert_true(v.kept_count == 2 && v.kept[0] && !v.kept[1] && v.kept[2]);
    assert_true(near(of_v[0].claims[0].median, 2.5) && near(of_v[1].claims[0].median, 11)); /* 10 and 12 */
    assert_true(v.scores.failed == 0 && v.scores.ranged == 2 && v.scores.in_range == 2);
    assert_string_equal(fs_words_ranged(arena, &v.scores), "2 of 2");
    two_tables(arena, &w, of_w, 2.5, none, all);
    of_w[0].variants[0].points = FS_NEW(arena, const fs_store_point *, 3); /* nor as the stand-ins are */
    fs_validation_judge(&w);
    assert_true(w.kept_count == 3 && of_w[0].claims[0].failed && w.scores.failed == 1);
    assert_true(near(w.scores.mean_error, (1 + 0.1) / 2));
    assert_true(of_w[0].claims[0].held.miss == 1 && of_w[0].claims[0].held.crps == 1);
    assert_true(w.tables[0].failed == 1 && near(w.tables[0].mean_error, 1));
}

/* Cases of one table: pairs of which each has one are put in order, too. */
TEST(cases_of_a_table_are_put_in_order_together) {
    static const char text[] = "scored: true\norder: device.seconds\ntable: 2\nfigures:\n"
                               "  - { name: a, figure: device.seconds, published: %d, use: predict }\n";
    static const double three[] = {3, 3, 3}, one[] = {1, 1, 1};
    fs_arena *arena = test_arena();
    static fs_error err;
    fs_validation v = {0}, other = {0};
    assert_ok(read_text(arena, fs_arena_printf(arena, text, 2), &v, &err) ||
                  read_text(arena, fs_arena_printf(arena, text, 4), &other, &err),
              &err);
    put_points(arena, &v.cases[0], three);
    put_points(arena, &other.cases[0], one);
    fs_validation_case both[] = {v.cases[0], other.cases[0]};
    v.cases = both;
    v.case_count = 2;
    fs_validation_judge(&v);
    assert_true(v.scores.order == 0); /* 2 < 4 was published, 3 > 1 simulated */
    put_points(arena, &both[0], one);
    put_points(arena, &both[1], three);
    fs_validation_judge(&v);
    assert_true(v.scores.order == 1);
    both[1].table = NULL;
    fs_validation_judge(&v);
    assert_true(isnan(v.scores.order));
}

TEST(relations_are_judged_on_every_standin) {
    static const char text[] =
        "variants: [{ name: a }, { name: b }, { name: c }, { name: d }]\n"
        "relations:\n"
        "  - { name: small, figure: device.seconds, smaller: c, larger: a, by: 2 }\n"
        "  - { name: falls, figure: device.seconds, falls: [a, b, c], flattens: true }\n"
        "  - { name: above, figure: device.seconds, above: 1, variant: b }\n"
        "  - { name: sum, smaller: { variant: a, figures: [device.seconds] },\n"
        "      larger: { variant: b, figures: [device.seconds, device.seconds] } }\n"
        "  - { name: fails, fails: d }\n"
        "  - { name: between, figure: device.seconds, smaller: c, larger: b, by: 1, at_most: 1.5 }\n"
        "  - { name: beyond, figure: device.seconds, smaller: c, larger: b, by: 1, at_most: 1.4 }\n"
        "  - { name: below, figure: device.seconds, above: 0, at_most: 3, variant: b }\n"
        "  - { name: too much, figure: device.seconds, above: 0, at_most: 2, variant: b }\n";
    static const double seconds[] = {4, 4,   4, /* a */
                                     3, 3,   1, /* b */
                                     2, 2.5, 0.9, NAN, NAN, NAN};
    static const bool reached[] = {false, false, false, false, true, true, false, true, false};
    fs_arena *arena = test_arena();
    static fs_error err;
    fs_validation v = {0};
    assert_ok(read_text(arena, text, &v, &err), &err);
    fs_validation_case *c = &v.cases[0];
    put_points(arena, c, seconds);
    fs_validation_judge(&v);
    for (size_t i = 0; i < 9; i++)
        assert_int_equal(c->claims[i].reached, reached[i]);
    assert_true(near(c->claims[0].simulated[0], 2) && near(c->claims[0].simulated[1], 1.6));
    assert_string_equal(c->claims[0].words, "2 times; holds on 2 of 3");   /* 1.6 is less than 2 */
    assert_string_equal(c->claims[1].words, "2 times; holds on 2 of 3");   /* 4, 3, 2 falls but is straight */
    assert_string_equal(c->claims[2].words, "3 s; holds on 2 of 3");       /* 1 is not above 1 */
    assert_string_equal(c->claims[3].words, "1.5 times; holds on 2 of 3"); /* 2 is less than 4 */
    assert_string_equal(c->claims[5].words, "1.2 times, at most 1.5 wanted; holds on 3 of 3");
    assert_int_equal(v.behaviour_count, 9);
    assert_int_equal(v.behaviour_holds, 3);
}

/* ---- several papers ---- */

static const char second[] =
    "tag: XY\ntitle: Second\nauthors: A. Nonymous\nwhere: a journal\nyear: 2001\nheading: The second\n"
    "document: second\ngoals: { aim: 10 %, stretch: 1 %, order: 60 % }\n"
    "measures:\n  - { figure: device.seconds, name: rates, one: rate, priced: true, better: more }\n";

/* A case names its paper: goals, tolerances, what a failed run is worth and the scores are that paper's. */
TEST(cases_belong_to_papers) {
    static const double seconds[] = {1.05, 1.1, NAN};
    fs_arena *arena = test_arena();
    static fs_error err;
    const fs_validation_wants all = {.paper = NULL}, one = {.paper = "second"}, none = {.paper = "secnd"};
    static const char figures[] =
        "scored: true\nfigures:\n  - { name: n, figure: device.seconds, use: predict, published: 1 }\n";
    fs_validation *v = NULL;
    size_t count = 0;
    err = (fs_error){.status = FS_OK};
    make_folder(fs_arena_printf(arena, "%s%s", head, figures));
    mkdir("v/papers", 0777);
    cli_write("v/papers/second.yaml", second);
    cli_write("v/cases/b.yaml", fs_arena_printf(arena, "%spaper: second\n%s", head, figures));
    assert_ok(fs_validations_read(arena, &fs_registry_all, "v", &all, &v, &count, &err), &err);
    assert_int_equal(count, 2);
    fs_validation *usual = strcmp(v[0].paper->name, FS_PAPER_DEFAULT) == 0 ? &v[0] : &v[1];
    fs_validation *other = usual == &v[0] ? &v[1] : &v[0];
    assert_string_equal(usual->cases[0].name, "a");
    assert_string_equal(other->cases[0].name, "b");
    assert_true(usual->cases[0].claims[0].tolerance == 0.07 && other->cases[0].claims[0].tolerance == 0.1);
    assert_true(usual->standin_count == 3 && other->standin_count == 3 && usual->standins != other->standins);
    for (size_t i = 0; i < 2; i++) {
        put_points(arena, &v[i].cases[0], seconds);
        fs_validation_judge(&v[i]);
    }
    /* Failed runs are slower than all others: infinite times, rates of 0. */
    assert_true(near(usual->cases[0].claims[0].median, 1.1));
    assert_true(near(other->cases[0].claims[0].median, 1.05));
    assert_true(near(usual->scores.mean_error, 0.1) && near(other->scores.mean_error, 0.05));
    assert_ok(fs_validations_read(arena, &fs_registry_all, "v", &one, &v, &count, &err), &err);
    assert_true(count == 1 && strcmp(v[0].paper->name, "second") == 0 && v[0].case_count == 1);
    assert_fails(fs_validations_read(arena, &fs_registry_all, "v", &none, &v, &count, &err), FS_INPUT, &err,
                 "found \"secnd\"; did you mean \"second\"?");
    remove("v/cases/b.yaml");
    remove("v/papers/second.yaml");
}

TEST(mistakes_of_papers_are_named_with_their_place) {
    static const struct {
        const char *was, *is, *said;
    } cases[] = {
        {"year: 2001", "year: soon", "v/papers/second.yaml:5:7: year: expected"},
        {"tag: XY\n", "", "tag: "},
        {"document: second", "document: a/b", "document: expected a name without folders"},
        {"aim: 10 %", "aim: 200 %", "goals.aim"},
        {"figure: device.seconds", "figure: device.second", "measures[0].figure: expected a figure of"},
        {"better: more", "better: most", "measures[0].better: expected one of less or more"},
        {"tag: XY", "tag: XY\npriors: [{ key: run.seed, low: 3, high: 2, source: s }]",
         "priors[0]: expected low below high"},
        {"tag: XY", "tag: XY\npriors: [{ key: run.seed, low: 2, high: 3 }]", "priors[0].source"},
        {"tag: XY", "tag: XY\npriors: [{ key: standin, low: 2, high: 3, source: s }]",
         "priors[0]: expected a list without values"},
        {"tag: XY",
         "tag: XY\npriors: [{ key: a, prior: list, values: [{ b: 1 }, 2], on: [rays.mde], source: s }]",
         "priors[0].on[0]: expected a figure of"},
        {"tag: XY", "tag: XY\ndraws: { count: 1 }", "draws.count"},
    };
    mkdir("v/papers", 0777);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fs_arena *arena = test_arena();
        static fs_error err;
        fs_validation v = {0};
        const char *at = strstr(second, cases[i].was);
        assert_non_null(at);
        cli_write("v/papers/second.yaml", fs_arena_printf(arena, "%.*s%s%s", (int)(at - second), second,
                                                          cases[i].is, at + strlen(cases[i].was)));
        assert_int_equal(read_text(arena, two_by_two, &v, &err), FS_INPUT);
        if (strstr(err.text, cases[i].said) == NULL)
            fail_msg("case %zu: expected \"%s\", found \"%s\"", i, cases[i].said, err.text);
    }
    remove("v/papers/second.yaml");
}

/* Pairs just closer than FS_PAIR_DIFFERENCE have no order, pairs just further apart have. */
TEST(pairs_that_are_close_have_no_order) {
    static const double seconds[] = {2, 2, 2, 1, 1, 1};
    for (int apart = 0; apart < 2; apart++) {
        fs_arena *arena = test_arena();
        static fs_error err;
        fs_validation v = {0};
        const char *text = fs_arena_printf(
            arena,
            "scored: true\norder: device.seconds\naxes:\n  - { key: run.seed, values: [1, 2] }\n"
            "figures:\n  - { name: n, figure: device.seconds, use: predict, published: [1, %.6f] }\n",
            1 + FS_PAIR_DIFFERENCE * (apart == 0 ? 0.99 : 1.01));
        assert_ok(read_text(arena, text, &v, &err), &err);
        put_points(arena, &v.cases[0], seconds);
        fs_validation_judge(&v);
        assert_true(apart == 0 ? isnan(v.cases[0].order) : v.cases[0].order == 0);
    }
}

/* ---- what is committed ---- */

TEST(committed_files_are_read) {
    fs_arena *arena = test_arena();
    static fs_error err;
    const char *folder = fs_arena_printf(arena, "%s/validation", fs_configs_dir());
    const fs_validation_wants all = {.paper = NULL};
    fs_validation *v = NULL;
    size_t papers = 0, timed = 0;
    err = (fs_error){.status = FS_OK};
    assert_ok(fs_validations_read(arena, &fs_registry_all, folder, &all, &v, &papers, &err), &err);
    assert_true(papers >= 1);
    for (size_t p = 0; p < papers; p++) {
        for (size_t k = 0; k < v[p].case_count; k++)
            for (size_t i = 0; i < v[p].cases[k].claim_count; i++) {
                const fs_claim *f = &v[p].cases[k].claims[i];
                assert_true(f->name != NULL && f->name[0] != '\0' && f->source[0] != '\0');
                timed += f->use == FS_USE_CALIBRATE && strcmp(f->unit, "s") == 0;
            }
    }
    assert_int_equal(timed, 0); /* nothing is fitted on a time */
}

RUN_TESTS(cli_enter, cli_leave)
