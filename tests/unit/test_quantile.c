/* Quantiles against sorting, for values in any order, with ties, and few of them. */
#include "workloads/foam/scene_cloud.h"

#include "sim/base/rng.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 3000 };

static int by_value(const void *a, const void *b) {
    float x = *(const float *)a, y = *(const float *)b;
    return x < y ? -1 : x > y;
}

static double by_sorting(const float *values, uint32_t count, double q) {
    static float sorted[MOST];
    memcpy(sorted, values, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, by_value);
    double at = q * (count - 1);
    uint32_t below = (uint32_t)at, above = below + 1 < count ? below + 1 : below;
    return (double)sorted[below] + ((double)sorted[above] - (double)sorted[below]) * (at - below);
}

static void quantiles_are_those_of_the_sorted_values(void **state) {
    (void)state;
    static const double quantile[] = {0, 0.005, 0.05, 0.25, 0.5, 0.75, 0.95, 0.995, 1};
    uint64_t seed = getenv("FOAMSIM_SEED") ? strtoull(getenv("FOAMSIM_SEED"), NULL, 10) : 31;
    print_message("seed %llu\n", (unsigned long long)seed);
    fs_rng rng = fs_rng_stream(seed, "test/quantile");
    for (int i = 0; i < 300; i++) {
        static float values[MOST], kept[MOST];
        uint32_t count = 1 + fs_rng_below(&rng, i % 2 ? 12 : MOST), order = fs_rng_below(&rng, 4);
        uint32_t different = 1 + fs_rng_below(&rng, i % 3 ? count : 4);
        for (uint32_t k = 0; k < count; k++) /* drawn, rising, falling, rising and falling */
            values[k] = (float)(order == 0   ? fs_rng_below(&rng, different)
                                : order == 1 ? k
                                : order == 2 ? count - k
                                             : (k < count / 2 ? k : count - k));
        memcpy(kept, values, sizeof kept);
        for (size_t q = 0; q < sizeof quantile / sizeof quantile[0]; q++)
            assert_true(fs_quantile(values, count, quantile[q]) == by_sorting(values, count, quantile[q]));
        assert_memory_equal(kept, values, sizeof kept);
    }
    assert_true(fs_quantile(NULL, 0, 0.5) == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(quantiles_are_those_of_the_sorted_values)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
