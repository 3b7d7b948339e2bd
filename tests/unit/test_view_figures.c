/* Views: mean, worst and which view is the worst go by what each figure says is better. */
#include "sim/workload/run_request.h"
#include "tests/support/scratch.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

typedef struct sample {
    double seconds, latency, psnr;
    uint64_t finished, dropped, tile;
    bool complete;
} sample;

static const fs_stat rows[] = {
    FS_STAT_VALUE("seconds", sample, seconds, .unit = "s", .better = FS_BETTER_LESS, .doc = ""),
    FS_STAT_VALUE("latency", sample, latency, .unit = "s", .better = FS_BETTER_LESS, .null_is = "never",
                  .doc = ""),
    FS_STAT_VALUE("psnr", sample, psnr, .unit = "dB", .better = FS_BETTER_MORE, .null_is = "exact",
                  .doc = ""),
    FS_STAT_COUNT("rays.finished", sample, finished, .unit = "rays", .better = FS_BETTER_MORE, .doc = ""),
    FS_STAT_COUNT("rays.dropped", sample, dropped, .unit = "rays", .better = FS_BETTER_LESS, .doc = ""),
    FS_STAT_COUNT("tile", sample, tile, .says = FS_SAYS_LABEL, .doc = ""),
    FS_STAT_FLAG("complete", sample, complete, .better = FS_BETTER_MORE, .doc = ""),
};
static const fs_stat_table table = FS_STAT_TABLE("sample", rows);

/* The figures of a set of these views, as its summary.json has them. */
static json_t *set_of(const sample *views, size_t count, const char *time, char *line, size_t size) {
    static const fs_view cameras[4];
    const fs_workload workload = {.abi = FS_ABI, .kind = "sample", .stats = &table, .time = time};
    fs_error err = {0};
    fs_results *results = fs_results_open("set", true, &err);
    assert_non_null(results);
    for (size_t v = 0; v < count; v++) {
        char name[64];
        snprintf(name, sizeof name, "view-%zu", v);
        assert_int_equal(mkdir(fs_results_path(results, name), 0777), 0);
        json_t *root = json_object();
        fs_results_stats_json(&table, &views[v], root);
        snprintf(name, sizeof name, "view-%zu/summary.json", v);
        assert_int_equal(json_dump_file(root, fs_results_path(results, name), 0), 0);
        json_decref(root);
    }
    if (fs_views_figures(&workload, cameras, count, results, line, size, &err) != FS_OK)
        fail_msg("%s", err.text);
    json_t *summary = json_load_file(fs_results_path(results, "summary.json"), 0, NULL);
    assert_non_null(summary);
    fs_results_discard(results);
    return summary;
}

static double number(const json_t *summary, const char *name) {
    const json_t *value = fs_results_json_get(summary, name);
    return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

static void worst_goes_by_better(void **state) {
    (void)state;
    const sample views[] = {{1, 0.5, 40, 7646, 12, 412, true}, {3, 0.75, 30, 9443, 5, 17, true}};
    char line[256];
    json_t *s = set_of(views, 2, "seconds", line, sizeof line);
    assert_string_equal(line, "2 views; seconds: mean 2 s, worst 3 s (view 1)");
    assert_true(number(s, "seconds") == 2);
    assert_true(number(s, "worst.seconds") == 3);
    assert_true(number(s, "worst_view.psnr") == 1);
    /* The view that lost most is the worst in both. */
    assert_true(number(s, "worst_view.rays.dropped") == 0);
    assert_true(number(s, "worst_view.rays.finished") == 0);
    assert_true(number(s, "worst.rays.finished") == 7646);
    /* A name has no mean, and none is the worst. */
    assert_true(json_is_null(fs_results_json_get(s, "tile")));
    assert_null(fs_results_json_get(s, "worst.tile"));
    json_decref(s);
}

static void infinite_is_the_worst_where_less_is_better(void **state) {
    (void)state;
    const sample views[] = {{1, 0.5, (double)NAN, 1, 0, 3, true}, {1, (double)NAN, 30, 1, 0, 3, false}};
    char line[256];
    json_t *s = set_of(views, 2, NULL, line, sizeof line);
    assert_string_equal(line, "2 views");
    assert_true(json_is_null(fs_results_json_get(s, "worst.latency"))); /* never */
    assert_true(number(s, "worst_view.latency") == 1);
    assert_true(number(s, "latency") == 0.5);   /* of those that have one */
    assert_true(number(s, "worst.psnr") == 30); /* exact is no worst */
    assert_true(number(s, "worst_view.psnr") == 1);
    assert_true(number(s, "tile") == 3);
    assert_true(json_is_false(fs_results_json_get(s, "complete")));
    assert_true(number(s, "worst_view.complete") == 1);
    json_decref(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(worst_goes_by_better),
        cmocka_unit_test(infinite_is_the_worst_where_less_is_better),
    };
    return cmocka_run_group_tests_name("view figures", tests, scratch_enter, scratch_leave);
}
