/* Statistics: texts of reals, CSV, merge rules, distributions against a plain sort. */
#include "sim/base/rng.h"
#include "sim/stats/stats.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static double from_bits(uint64_t bits) {
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static const double not_applicable = (double)__builtin_nanf("");

static void real_texts(void **state) {
    (void)state;
    static const struct {
        double value;
        const char *text;
    } cases[] = {
        {0.0, "0.0"},    {-0.0, "-0.0"},         {3.0, "3.0"},          {0.1, "0.1"},
        {0.3, "0.3"},    {1e30, "1e+30"},        {-2.5e-7, "-2.5e-07"}, {1.0 / 3.0, "0.3333333333333333"},
        {1e16, "1e+16"}, {123456.0, "123456.0"}, {5e-324, "5e-324"},
    };
    char text[FS_REAL_TEXT];
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_string_equal(fs_real_text(cases[i].value, text), cases[i].text);
    assert_string_equal(fs_real_text(not_applicable, text), "null");
    assert_string_equal(fs_real_text(from_bits(UINT64_C(0xfff0000000000000)), text), "null");
}

/* Reads back to the same bits, and no shorter %g text does. */
static void real_round_trip(void **state) {
    (void)state;
    uint64_t seed = 7;
    print_message("seed %" PRIu64 "\n", seed);
    fs_rng rng = fs_rng_stream(seed, "test/stats/real");
    for (int i = 0; i < 100000; i++) {
        double x = from_bits(fs_rng_u64(&rng));
        if (i % 2)
            x = (double)fs_rng_below(&rng, 1000000) / 1000.0;
        if (x - x != 0.0)
            continue;
        char text[FS_REAL_TEXT];
        double back = strtod(fs_real_text(x, text), NULL);
        assert_memory_equal(&back, &x, sizeof x);
    }
}

typedef struct sample {
    uint64_t rays, peak, fewest, tiles;
    double mean, seconds, psnr;
    bool complete, exact;
    const char *payload;
} sample;

static const fs_stat rows[] = {
    FS_STAT_COUNT("rays.generated", sample, rays, "rays", FS_MERGE_SUM, "rays, \"all\" of them"),
    FS_STAT_COUNT("memory.peak", sample, peak, "B", FS_MERGE_MAX, "peak"),
    FS_STAT_COUNT("fewest", sample, fewest, "", FS_MERGE_MIN, "least"),
    FS_STAT_COUNT("tiles", sample, tiles, "tiles", FS_MERGE_SAME, "of the machine"),
    FS_STAT_VALUE("mean", sample, mean, "", FS_MERGE_MEAN, "mean"),
    FS_STAT_VALUE("seconds", sample, seconds, "s", FS_MERGE_SUM, "time"),
    FS_STAT_VALUE("psnr", sample, psnr, "dB", FS_MERGE_MIN, "worst"),
    FS_STAT_FLAG("complete", sample, complete, FS_MERGE_MIN, "all done"),
    FS_STAT_FLAG("exact", sample, exact, FS_MERGE_MAX, "any exact"),
    FS_STAT_WORD("payload", sample, payload, "layout"),
};
static const fs_stat_table table = {"sample", rows, sizeof rows / sizeof rows[0]};

static void merge(void **state) {
    (void)state;
    sample a = {10, 5, 7, 1472, 2.0, 0.5, not_applicable, true, false, "half"};
    sample b = {30, 4, 3, 1472, 6.0, 0.25, 40.0, false, true, "half"};
    fs_stats_merge(&table, &a, 1.0, &b, 3.0);
    assert_int_equal(a.rays, 40);
    assert_int_equal(a.peak, 5);
    assert_int_equal(a.fewest, 3);
    assert_int_equal(a.tiles, 1472);
    assert_true(a.mean == 5.0);
    assert_true(a.seconds == 0.75);
    assert_true(a.psnr == 40.0);
    assert_false(a.complete);
    assert_true(a.exact);
}

static void csv(void **state) {
    (void)state;
    sample a = {10, 5, 7, 1472, 0.1, 1e-9, not_applicable, true, false, "half"};
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    fs_stats_write_csv(&table, &a, out);
    fclose(out);
    assert_string_equal(text, "rays.generated,rays,10,\"rays, \"\"all\"\" of them\"\n"
                              "memory.peak,B,5,peak\n"
                              "fewest,,7,least\n"
                              "tiles,tiles,1472,of the machine\n"
                              "mean,,0.1,mean\n"
                              "seconds,s,1e-09,time\n"
                              "psnr,dB,null,worst\n"
                              "complete,,true,all done\n"
                              "exact,,false,any exact\n"
                              "payload,,half,layout\n");
    free(text);
}

static int ascending(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Nearest rank on a sorted copy is the definition. */
static void distribution(void **state) {
    (void)state;
    uint64_t seed = 11;
    print_message("seed %" PRIu64 "\n", seed);
    fs_rng rng = fs_rng_stream(seed, "test/stats/dist");
    enum { N = 1000 };
    static fs_dist whole, half[2];
    static uint64_t values[N];
    uint64_t sum = 0;
    assert_int_equal(fs_dist_percentile(&whole, 50), 0);
    for (int i = 0; i < N; i++) {
        values[i] = fs_rng_below(&rng, 1u << fs_rng_below(&rng, 12));
        sum += values[i];
        fs_dist_add(&whole, values[i]);
        fs_dist_add(&half[i % 2], values[i]);
    }
    fs_dist_merge(&half[0], &half[1]);
    assert_memory_equal(&half[0], &whole, sizeof whole);
    qsort(values, N, sizeof values[0], ascending);
    for (uint64_t percent = 1; percent <= 100; percent++)
        assert_int_equal(fs_dist_percentile(&whole, (double)percent), values[percent * N / 100 - 1]);
    assert_int_equal(fs_dist_percentile(&whole, 0), values[0]);
    assert_int_equal(fs_dist_percentile(&whole, 7.01), values[70]);
    assert_true(fs_dist_mean(&whole) == (double)sum / N);
    fs_dist_add(&whole, 1000000);
    assert_int_equal(fs_dist_percentile(&whole, 100), 1000000);
    assert_int_equal(whole.max, 1000000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(real_texts), cmocka_unit_test(real_round_trip), cmocka_unit_test(merge),
        cmocka_unit_test(csv),        cmocka_unit_test(distribution),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
