/* Validation without runs: what a case file may say and what is wrong with it, verdicts worked out by hand,
 * the fit on a formula, and the committed calibration against what it was fitted to. */
#include "validation/private.h"

#include "sim/cli/cli.h"
#include "tests/support/cli.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

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

static fs_status read_text(fs_arena *arena, const char *more, fs_validation *v, fs_error *err) {
    const fs_validation_wants all = {NULL, NULL};
    make_folder(fs_arena_printf(arena, "%s%s", head, more));
    *err = (fs_error){.status = FS_OK};
    return fs_validation_read(arena, "v", &all, v, err);
}

static void mistakes_are_named_with_their_place(void **state) {
    (void)state;
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
        {"figures:\n  - { name: n, figure: device.seconds, use: guess, published: 1 }\n",
         "figures[0].use: expected one of structure, calibrate or predict, found \"guess\""},
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
        {"variants:\n  - { name: a }\n  - { name: b }\nrelations:\n  - { name: r, smaller: a, larger: b }\n",
         "expected `figures` here, or `figure` for the whole relation"},
        {"", "expected figures or relations, found neither"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fs_arena *arena = fs_arena_create();
        static fs_error err;
        fs_validation v;
        assert_int_equal(read_text(arena, cases[i].text, &v, &err), FS_INPUT);
        if (strstr(err.text, cases[i].said) == NULL)
            fail_msg("case %zu: expected \"%s\", found \"%s\"", i, cases[i].said, err.text);
        fs_arena_free(arena);
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

static void a_table_becomes_variants_and_claims(void **state) {
    (void)state;
    fs_arena *arena = fs_arena_create();
    static fs_error err;
    fs_validation v;
    if (read_text(arena, two_by_two, &v, &err))
        fail_msg("%s", err.text);
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
    fs_arena_free(arena);
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

static void verdicts_are_those_worked_out_by_hand(void **state) {
    (void)state;
    static const double seconds[] = {
        1.1, 0.9, 1.3, /* median 1.1: 10 % over 1.0, which is within 0.9 ... 1.3 */
        0.7, 0.8, NAN, /* what fails is slower than all: median 0.8, nothing off 0.8 */
        2.0, 2.2, 2.1, /* median 2.1: 5 % over 2.0 */
        1.2, 1.0, 1.4, /* median 1.2: 20 % over 1.0 */
    };
    fs_arena *arena = fs_arena_create();
    static fs_error err;
    fs_validation v;
    if (read_text(arena, two_by_two, &v, &err))
        fail_msg("%s", err.text);
    fs_validation_case *c = &v.cases[0];
    put_points(arena, c, seconds);
    fs_validation_judge(&v);
    assert_true(near(c->claims[0].median, 1.1) && near(c->claims[0].error, 0.1));
    assert_true(c->claims[0].low == 0.9 && c->claims[0].high == 1.3 && c->claims[0].within);
    assert_false(c->claims[0].reached); /* 7 % are allowed */
    assert_true(near(c->claims[1].median, 0.8) && c->claims[1].reached);
    assert_true(c->claims[1].low == 0.7 && c->claims[1].high == 0.8);
    assert_true(near(c->mean_error, (0.1 + 0 + 0.05 + 0.2) / 4));
    assert_true(near(v.mean_error_plain, (0.1 + 0) / 2));
    assert_true(near(v.mean_error_saturated, (0.05 + 0.2) / 2));
    assert_true(near(v.within, 1)); /* 1.0, 0.8, 2.0 and 1.0 at the ends count */
    /* Pairs: 1.0 and 1.0 have no order; of the other five 0.8 < 1.0 (first), 1.0 < 2.0, 0.8 < 2.0, 0.8 < 1.0
     * and 1.0 < 2.0 are all kept. */
    assert_true(near(v.order, 1));
    /* The best is at idle 100 in both rows. */
    assert_true(c->claims[4].reached && c->claims[4].median == 0);
    assert_true(c->claims[5].reached && c->claims[5].simulated[0] == 0);
    assert_true(isnan(c->claims[4].simulated[2]) || c->claims[4].simulated[2] == -1);
    fs_arena_free(arena);
}

/* Where most stand-ins fail the others speak; where all fail there is no value, and so no error. */
static void what_mostly_fails(void **state) {
    (void)state;
    static const double seconds[] = {1.1, NAN, NAN, NAN, NAN, NAN, 2, 2, 2, 1, 1, 1};
    fs_arena *arena = fs_arena_create();
    static fs_error err;
    fs_validation v;
    if (read_text(arena, two_by_two, &v, &err))
        fail_msg("%s", err.text);
    put_points(arena, &v.cases[0], seconds);
    fs_validation_judge(&v);
    assert_true(near(v.cases[0].claims[0].median, 1.1));
    assert_true(isnan(v.cases[0].claims[1].median) && isnan(v.cases[0].claims[1].error));
    assert_true(near(v.mean_error, 0.1 / 3));
    fs_arena_free(arena);
}

/* Another reading of a table is judged like the table, and counts only where it is alone. */
static void another_reading_counts_alone(void **state) {
    (void)state;
    static const double good[] = {1, 1, 1, 0.8, 0.8, 0.8, 2, 2, 2, 1, 1, 1};
    static const double bad[] = {2, 2, 2, 1.6, 1.6, 1.6, 4, 4, 4, 2, 2, 2};
    fs_arena *arena = fs_arena_create();
    static fs_error err;
    fs_validation v, other;
    if (read_text(arena, two_by_two, &v, &err) || read_text(arena, two_by_two, &other, &err))
        fail_msg("%s", err.text);
    put_points(arena, &v.cases[0], good);
    put_points(arena, &other.cases[0], bad);
    fs_validation_case both[] = {v.cases[0], other.cases[0]};
    both[1].aside = true;
    v.cases = both;
    v.case_count = 2;
    fs_validation_judge(&v);
    assert_true(near(v.mean_error, 0) && near(v.cases[1].mean_error, 1) && v.cases[1].left_aside);
    v.cases = both + 1;
    v.case_count = 1;
    fs_validation_judge(&v);
    assert_true(near(v.mean_error, 1) && !v.cases[0].left_aside);
    fs_arena_free(arena);
}

static void relations_are_judged_on_every_standin(void **state) {
    (void)state;
    static const char text[] =
        "variants: [{ name: a }, { name: b }, { name: c }, { name: d }]\n"
        "relations:\n"
        "  - { name: small, figure: device.seconds, smaller: c, larger: a, by: 2 }\n"
        "  - { name: falls, figure: device.seconds, falls: [a, b, c], flattens: true }\n"
        "  - { name: above, figure: device.seconds, above: 1, variant: b }\n"
        "  - { name: sum, smaller: { variant: a, figures: [device.seconds] },\n"
        "      larger: { variant: b, figures: [device.seconds, device.seconds] } }\n"
        "  - { name: fails, fails: d }\n";
    static const double seconds[] = {4, 4,   4, /* a */
                                     3, 3,   1, /* b */
                                     2, 2.5, 0.9, NAN, NAN, NAN};
    static const bool reached[] = {false, false, false, false, true};
    fs_arena *arena = fs_arena_create();
    static fs_error err;
    fs_validation v;
    if (read_text(arena, text, &v, &err))
        fail_msg("%s", err.text);
    fs_validation_case *c = &v.cases[0];
    put_points(arena, c, seconds);
    fs_validation_judge(&v);
    for (size_t i = 0; i < 5; i++)
        assert_int_equal(c->claims[i].reached, reached[i]);
    assert_true(near(c->claims[0].simulated[0], 2) && near(c->claims[0].simulated[1], 1.6));
    assert_string_equal(c->claims[0].words, "2 times; holds on 2 of 3"); /* 1.6 is less than 2 */
    assert_string_equal(c->claims[1].words, "2 times; holds on 2 of 3"); /* 4, 3, 2 falls but is straight */
    assert_string_equal(c->claims[2].words, "3 s; holds on 2 of 3");     /* 1 is not above 1 */
    assert_string_equal(c->claims[3].words, "1.500 times; holds on 2 of 3"); /* 2 is less than 4 */
    assert_int_equal(v.behaviour_count, 5);
    assert_int_equal(v.behaviour_holds, 1);
    fs_arena_free(arena);
}

/* ---- the fit ---- */

typedef struct curve {
    double at_1000, slope; /* ratio = at_1000 + slope * (permille - 1000) */
    int asked;
} curve;

static fs_status curve_at(void *self, uint32_t permille, double *out, fs_error *err) {
    (void)err;
    curve *c = self;
    c->asked++;
    *out = c->at_1000 + c->slope * ((double)permille - 1000);
    return FS_OK;
}

static void the_fit_finds_the_nearest_thousandth(void **state) {
    (void)state;
    fs_error err = {.status = FS_OK};
    uint32_t best = 0;
    curve c = {.at_1000 = 0.9, .slope = 0.0007};
    assert_int_equal(fs_fit_permille(500, 2000, curve_at, &c, &best, &err), FS_OK);
    assert_int_equal(best, 1143); /* 0.1 / 0.0007 = 142.86 */
    assert_true(c.asked <= 13);
    c = (curve){.at_1000 = 1.0, .slope = 0.001};
    assert_int_equal(fs_fit_permille(500, 2000, curve_at, &c, &best, &err), FS_OK);
    assert_int_equal(best, 1000);
    c = (curve){.at_1000 = 3.0, .slope = 0.001};
    assert_int_equal(fs_fit_permille(500, 2000, curve_at, &c, &best, &err), FS_RUN);
    assert_non_null(strstr(err.text, "no scale from 50.0 % to 200.0 %"));
}

/* ---- what is committed ---- */

static void committed_files_are_read(void **state) {
    (void)state;
    fs_arena *arena = fs_arena_create();
    static fs_error err;
    const fs_validation_wants all = {NULL, NULL};
    const char *folder = fs_arena_printf(arena, "%s/validation", fs_configs_dir());
    const char *stale = NULL;
    fs_validation v;
    if (fs_validation_read(arena, folder, &all, &v, &err) || fs_validation_read_calibration(&v, &stale, &err))
        fail_msg("%s", err.text);
    if (stale != NULL)
        fail_msg("calibration.yaml was fitted with another %s: foamsim validate --calibrate", stale);
    size_t timed = 0;
    for (size_t k = 0; k < v.case_count; k++)
        for (size_t i = 0; i < v.cases[k].claim_count; i++) {
            const fs_claim *f = &v.cases[k].claims[i];
            assert_true(f->name != NULL && f->name[0] != '\0' && f->source[0] != '\0');
            timed += f->use == FS_USE_CALIBRATE && strcmp(f->unit, "s") == 0;
        }
    assert_in_range(timed, 0, 1); /* published.md marks one time as open to calibration */
    fs_arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mistakes_are_named_with_their_place),
        cmocka_unit_test(a_table_becomes_variants_and_claims),
        cmocka_unit_test(verdicts_are_those_worked_out_by_hand),
        cmocka_unit_test(what_mostly_fails),
        cmocka_unit_test(another_reading_counts_alone),
        cmocka_unit_test(relations_are_judged_on_every_standin),
        cmocka_unit_test(the_fit_finds_the_nearest_thousandth),
        cmocka_unit_test(committed_files_are_read),
    };
    return cmocka_run_group_tests(tests, cli_enter, cli_leave);
}
