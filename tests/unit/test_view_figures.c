/* Views: mean, worst and which view is the worst go by what each figure says is better. */
#include "sim/base/detmath.h"
#include "sim/base/rng.h"
#include "sim/stats/drawn.h"
#include "sim/workload/run_request.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"

#include <sys/stat.h>

enum { MOST = 12, MOST_OF = 60 }; /* views that are run, and of a set */

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

/* The figures of a set of these views, drawn from `of`, as its summary.json has them. */
static json_t *drawn_set(const sample *views, size_t count, size_t of, const char *time, char *line,
                         size_t size) {
    fs_view cameras[MOST] = {0};
    const fs_workload workload = {.abi = FS_ABI, .kind = "sample", .stats = &table, .time = time};
    fs_error err = {0};
    fs_results *results = fs_results_open("set", true, &err);
    assert_non_null(results);
    for (size_t v = 0; v < count; v++) {
        char name[64];
        cameras[v].number = (uint32_t)v;
        cameras[v].of = (uint32_t)of;
        snprintf(name, sizeof name, "view-%zu", v);
        assert_int_equal(mkdir(fs_results_path(results, name), 0777), 0);
        json_t *root = json_object();
        fs_results_stats_json(&table, &views[v], root);
        snprintf(name, sizeof name, "view-%zu/summary.json", v);
        assert_int_equal(json_dump_file(root, fs_results_path(results, name), 0), 0);
        json_decref(root);
    }
    assert_ok(fs_views_figures(&workload, cameras, count, results, line, size, &err), &err);
    json_t *summary = json_load_file(fs_results_path(results, "summary.json"), 0, NULL);
    assert_non_null(summary);
    fs_results_discard(results);
    return summary;
}

static json_t *set_of(const sample *views, size_t count, const char *time, char *line, size_t size) {
    return drawn_set(views, count, count, time, line, size);
}

static double number(const json_t *summary, const char *name) {
    const json_t *value = fs_results_json_get(summary, name);
    return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

TEST(worst_goes_by_better) {
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

TEST(infinite_is_the_worst_where_less_is_better) {
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

/* ---- drawn sets ---- */

/* A set as cameras on a way see it: a slow change, a quick one, and now and then a view that is much slower. */
static void make_set(fs_rng *rng, double *seconds, size_t count) {
    const double wave = fs_rng_range(rng, 0, 0.3), noise = fs_rng_range(rng, 0.01, 0.2),
                 phase = fs_rng_unit(rng), rare = fs_rng_range(rng, 0, 0.15),
                 slow = fs_rng_range(rng, 0, 0.6);
    for (size_t i = 0; i < count; i++) {
        const double at = phase + (double)i / (double)count;
        seconds[i] = 1 + wave * fs_cos(at * FS_TURN) + noise * fs_rng_normal(rng) / 3 +
                     (fs_rng_unit(rng) < rare ? slow * fs_rng_unit(rng) : 0);
    }
}

/* The interval of one random set, by the writer of figures; whether it holds the mean of all. */
static bool holds(fs_rng *rng, double *width) {
    double all[MOST_OF];
    sample drawn[MOST] = {0};
    uint64_t chosen[MOST];
    const uint32_t of = 12 + fs_rng_below(rng, MOST_OF - 12), count = 4 + fs_rng_below(rng, MOST - 4);
    make_set(rng, all, of);
    fs_drawn_choose(fs_rng_sub(*rng, fs_rng_u64(rng)), of, count, chosen);
    double mean = 0;
    for (uint32_t i = 0; i < of; i++)
        mean += all[i] / of;
    for (uint32_t i = 0; i < count; i++)
        drawn[i].seconds = all[chosen[i]];
    char line[256];
    json_t *s = drawn_set(drawn, count, of, "seconds", line, sizeof line);
    const double low = number(s, "low.seconds"), high = number(s, "high.seconds");
    assert_true(low <= number(s, "seconds") && number(s, "seconds") <= high);
    assert_true(number(s, "sample.of") == of);
    *width += high - low;
    json_decref(s);
    return low <= mean && mean <= high;
}

TEST(intervals_hold_what_they_say) {
    enum { SETS = 600 };
    fs_rng rng = fs_rng_stream(test_seed(1), "test/views");
    unsigned held = 0;
    double width = 0;
    for (int i = 0; i < SETS; i++)
        held += holds(&rng, &width);
    print_message("%u of %d intervals hold the mean of all views; mean width %.3f\n", held, SETS,
                  width / SETS);
    assert_true((double)held >= FS_VIEWS_STATED * SETS);
    assert_true(width / SETS < 0.5); /* and are worth having: half of what is estimated */
}

TEST(a_drawn_set_says_so) {
    const sample views[] = {{1, 0.5, 40, 10, 0, 3, true}, {3, (double)NAN, 30, 20, 0, 3, true}};
    char line[256];
    json_t *s = drawn_set(views, 2, 8, "seconds", line, sizeof line);
    /* t of one degree 12.706205, deviation sqrt(2), sqrt(1/2), share unseen 6 / 8 */
    const double half = 12.706205 * sqrt(2) * sqrt(0.5) * sqrt(0.75);
    assert_true(fabs(number(s, "high.seconds") - 2 - half) < 1e-12);
    assert_true(fabs(number(s, "low.rays.finished") - 15 + 5 * half) < 1e-9);
    assert_true(json_is_null(fs_results_json_get(s, "low.latency"))); /* one of them has none */
    assert_null(fs_results_json_get(s, "low.complete"));
    assert_true(number(s, "sample.share") == 0.25);
    assert_true(json_array_size(fs_results_json_get(s, "sample.views")) == 2);
    assert_string_equal(line, "2 of 8 views; seconds: mean 2 s, over all views -9.004 s ... 13 s (90 %)");
    json_decref(s);
    s = drawn_set(views, 2, 2, NULL, line, sizeof line);
    assert_null(fs_results_json_get(s, "low"));
    assert_null(fs_results_json_get(s, "sample"));
    json_decref(s);
}

RUN_TESTS(scratch_enter, scratch_leave)
