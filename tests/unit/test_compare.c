/* How a figure of one run is held against that of another: signs, zeros, nulls, and texts for people. */
#include "reports/compare.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void test_percent(void **state) {
    (void)state;
    const fs_figure_rule *seconds = fs_figure_rule_of("device.seconds");
    assert_true(fs_compare_percent(seconds, 2, 2) == 0);
    assert_true(fs_compare_percent(seconds, 2, 3) == 50);
    assert_true(fs_compare_percent(seconds, 2, 1.5) == -25);
    assert_true(fs_compare_percent(seconds, -2, -1) == 50); /* more is more on both sides of 0 */
    assert_true(fs_compare_percent(seconds, 0, 0) == 0);
    assert_true(fs_compare_percent(seconds, 0, 1) == INFINITY);
    assert_true(fs_compare_percent(seconds, 0, -1) == -INFINITY);
}

/* null: a frame that is never done takes for ever, the PSNR of equal pictures has no bound; a period of one
 * frame is nothing to compare. */
static void test_null(void **state) {
    (void)state;
    const fs_figure_rule *latency = fs_figure_rule_of("device.frame_latency_seconds");
    assert_true(latency->better == FS_BETTER_LESS);
    assert_true(fs_compare_percent(latency, 1, NAN) == INFINITY);
    assert_true(fs_compare_percent(latency, NAN, 1) < 0);
    assert_true(fs_compare_percent(latency, NAN, NAN) == 0);
    const fs_figure_rule *psnr = fs_figure_rule_of("image.psnr_db");
    assert_true(psnr->better == FS_BETTER_MORE);
    assert_true(fs_compare_percent(psnr, 60, NAN) == INFINITY);
    assert_true(fs_compare_percent(psnr, NAN, 60) < 0);
    assert_true(isnan(fs_compare_percent(fs_figure_rule_of("device.frame_period_seconds"), 1, NAN)));
    assert_true(isnan(fs_compare_percent(NULL, NAN, 1)));
}

/* A rule of its own, that of the group, that of the figure under "worst.", none. */
static void test_rules(void **state) {
    (void)state;
    assert_true(fs_figure_rule_of("hops.anything")->better == FS_BETTER_LESS);
    assert_true(fs_figure_rule_of("pace.tracer")->better == FS_BETTER_NEITHER);
    assert_ptr_equal(fs_figure_rule_of("worst.image.psnr_db"), fs_figure_rule_of("image.psnr_db"));
    assert_null(fs_figure_rule_of("something.else"));
    assert_null(fs_figure_rule_of("device"));
    size_t rows = 0;
    while (fs_figure_rule_main(rows) != NULL) {
        const fs_figure_rule *rule = fs_figure_rule_main(rows++);
        assert_ptr_equal(fs_figure_rule_of(rule->name), rule); /* no row hides another */
    }
    assert_true(rows > 20);
}

static void test_texts(void **state) {
    (void)state;
    fs_arena *arena = fs_arena_create();
    assert_string_equal(fs_text_count(arena, 1234567), "1,234,567");
    assert_string_equal(fs_text_count(arena, -1000), "-1,000");
    assert_string_equal(fs_text_count(arena, 0), "0");
    assert_string_equal(fs_text_count(arena, 9.8842), "9.884");
    assert_string_equal(fs_text_count(arena, NAN), "-");
    assert_string_equal(fs_text_seconds(arena, 0.60088), "600.9 ms");
    assert_string_equal(fs_text_seconds(arena, 1.5), "1.500 s");
    assert_string_equal(fs_text_seconds(arena, 0.00001234), "12.34 us");
    assert_string_equal(fs_text_seconds(arena, 0), "0.000 s");
    assert_string_equal(fs_text_change(arena, -7.44), "-7.4 %");
    assert_string_equal(fs_text_change(arena, 0.0374), "+0.037 %");
    assert_string_equal(fs_text_change(arena, 0), "=");
    fs_arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_percent),
        cmocka_unit_test(test_null),
        cmocka_unit_test(test_rules),
        cmocka_unit_test(test_texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
