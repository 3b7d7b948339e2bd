/* How a figure of one run is held against that of another: signs, zeros, nulls, and texts for people. */
#include "registry/registry.h"
#include "reports/compare/compare.h"
#include "sim/workload/workload.h"
#include "tests/support/test.h"

#include <limits.h>

static const fs_stat seconds = {.name = "device.seconds", .better = FS_BETTER_LESS};

TEST(test_percent) {
    assert_true(fs_compare_percent(&seconds, 2, 2) == 0);
    assert_true(fs_compare_percent(&seconds, 2, 3) == 50);
    assert_true(fs_compare_percent(&seconds, 2, 1.5) == -25);
    assert_true(fs_compare_percent(&seconds, -2, -1) == 50); /* more is more on both sides of 0 */
    assert_true(fs_compare_percent(&seconds, 0, 0) == 0);
    assert_true(fs_compare_percent(&seconds, 0, 1) == INFINITY);
    assert_true(fs_compare_percent(&seconds, 0, -1) == -INFINITY);
}

/* null: a frame that is never done takes for ever, the PSNR of equal pictures has no bound; a period of one
 * frame is nothing to compare. */
TEST(test_null) {
    fs_stat latency, psnr, period;
    assert_true(fs_stats_find_in(fs_registry_stats, "device.frame_latency_seconds", &latency));
    assert_true(latency.better == FS_BETTER_LESS);
    assert_true(fs_compare_percent(&latency, 1, NAN) == INFINITY);
    assert_true(fs_compare_percent(&latency, NAN, 1) < 0);
    assert_true(fs_compare_percent(&latency, NAN, NAN) == 0);
    assert_true(fs_stats_find_in(fs_registry_stats, "image.psnr_db", &psnr));
    assert_true(psnr.better == FS_BETTER_MORE);
    assert_true(fs_compare_percent(&psnr, 60, NAN) == INFINITY);
    assert_true(fs_compare_percent(&psnr, NAN, 60) < 0);
    assert_true(fs_stats_find_in(fs_registry_stats, "device.frame_period_seconds", &period));
    assert_true(isnan(fs_compare_percent(&period, 1, NAN)));
    assert_true(isnan(fs_compare_percent(NULL, NAN, 1)));
}

/* Rows of every workload: names and places are told apart, what stands in the main table is called something
 * and has a direction unless it is a share or a word, and only reals are null. */
TEST(test_rows) {
    for (const fs_stat_table *const *t = fs_registry_stats; *t != NULL; t++) {
        const size_t count = fs_stats_count(*t);
        for (size_t i = 0; i < count; i++) {
            const fs_stat row = fs_stats_row(*t, i);
            assert_true(row.doc != NULL && row.doc[0] != '\0');
            assert_true(row.place == 0 || row.label != NULL);
            const bool ranked = row.better != FS_BETTER_NEITHER || row.says == FS_SAYS_SHARE;
            if (row.place != 0 && row.type != FS_STAT_TEXT && !ranked)
                fail_msg("%s stands in the main table without a better side", row.name);
            assert_true(row.wrong == NULL ||
                        strstr(row.wrong, "{value|") == NULL); /* sweeps fill in {value} */
            assert_true(row.null_is == NULL || (row.type == FS_STAT_REAL && row.better != FS_BETTER_NEITHER));
            assert_true(row.says != FS_SAYS_LABEL || row.better == FS_BETTER_NEITHER);
            for (size_t k = 0; k < i; k++) {
                const fs_stat other = fs_stats_row(*t, k);
                assert_string_not_equal(other.name, row.name);
                assert_true(row.place == 0 || other.place != row.place);
            }
        }
    }
}

/* A name means the same in every workload, so that a figure can be looked up by its name alone - but for its unit, as a
 * load may be of rays or of flits: that is looked up by the workload first; and the first figure of every workload is
 * one of which less is better. */
TEST(test_names) {
    for (const fs_stat_table *const *t = fs_registry_stats; *t != NULL; t++) {
        for (size_t i = 0, count = fs_stats_count(*t); i < count; i++) {
            const fs_stat row = fs_stats_row(*t, i);
            fs_stat first;
            assert_true(fs_stats_find_in(fs_registry_stats, row.name, &first));
            if (first.better != row.better || first.says != row.says || first.type != row.type ||
                (first.unit == NULL) != (row.unit == NULL) ||
                (first.null_is == NULL) != (row.null_is == NULL))
                fail_msg("%s: %s says it in another way than the first workload", row.name, (*t)->name);
        }
    }
    for (const fs_workload *const *w = fs_registry_workloads; *w != NULL; w++) {
        fs_stat first = {.place = UINT_MAX}, row;
        for (size_t i = 0, count = fs_stats_count((*w)->stats); i < count; i++) {
            row = fs_stats_row((*w)->stats, i);
            first = row.place > 0 && row.place < first.place ? row : first;
        }
        assert_int_equal(first.better, FS_BETTER_LESS);
        assert_true(fs_stats_find((*w)->stats, FS_STAT_COMPLETE, &row) && row.type == FS_STAT_BOOL);
        assert_true((*w)->time == NULL ||
                    (fs_stats_find((*w)->stats, (*w)->time, &row) && strcmp(row.unit, "s") == 0));
    }
}

TEST(test_texts) {
    fs_arena *arena = test_arena();
    assert_string_equal(fs_text_count(arena, 1234567), "1,234,567");
    assert_string_equal(fs_text_count(arena, -1000), "-1,000");
    assert_string_equal(fs_text_count(arena, 0), "0");
    assert_string_equal(fs_text_count(arena, 9.8842), "9.884");
    assert_string_equal(fs_text_count(arena, NAN), "-");
    assert_string_equal(fs_text_seconds(arena, 0.60088), "600.9 ms");
    assert_string_equal(fs_text_seconds(arena, 1.5), "1.5 s");
    assert_string_equal(fs_text_seconds(arena, 0.00001234), "12.34 µs");
    assert_string_equal(fs_text_seconds(arena, 0), "0 s");
}

RUN_TESTS(NULL, NULL)
