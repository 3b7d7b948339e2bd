/* Counts of paths in columns: what is kept comes back, and prices and sums are those of the rows. */
#include "sim/base/rng.h"
#include "tests/support/test.h"
#include "workloads/paths/walk/counts.h"

enum { ROWS = 3000 };

/* A row whose events follow from each other; `most` of those that are free. */
static void random_row(fs_rng *rng, uint32_t most, uint32_t *n) {
    static const int of_its_own[] = {
        FS_WALK_AXIS,       FS_WALK_INNER,    FS_WALK_EDGE_EXIT, FS_WALK_RANGE_EXIT, FS_WALK_TRIANGLE,
        FS_WALK_NORMAL,     FS_WALK_SPHERE,   FS_WALK_DISC,      FS_WALK_DIFFUSE,    FS_WALK_SPECULAR,
        FS_WALK_REFRACTIVE, FS_WALK_ROULETTE, FS_WALK_ESCAPE,    FS_WALK_END};
    memset(n, 0, FS_WALK_EVENTS * sizeof *n);
    for (size_t i = 0; i < sizeof of_its_own / sizeof *of_its_own; i++)
        n[of_its_own[i]] = fs_rng_below(rng, i < 3 ? most : 9);
    n[FS_WALK_HIT] = n[FS_WALK_DIFFUSE] + n[FS_WALK_SPECULAR] + n[FS_WALK_REFRACTIVE];
    n[FS_WALK_SEGMENT] = n[FS_WALK_HIT] + n[FS_WALK_ESCAPE];
    n[FS_WALK_NODE] = n[FS_WALK_SEGMENT] + 2 * n[FS_WALK_INNER];
    n[FS_WALK_SHEAR] = n[FS_WALK_EDGE_EXIT] + n[FS_WALK_RANGE_EXIT] + n[FS_WALK_TRIANGLE];
    n[FS_WALK_LEAF] = n[FS_WALK_SHEAR] + n[FS_WALK_SPHERE] + n[FS_WALK_DISC];
    n[FS_WALK_CAMERA] = n[FS_WALK_END];
}

static void expect_sums(const fs_walk_counts *counts, uint32_t (*rows)[FS_WALK_EVENTS],
                        const uint32_t *price) {
    static uint64_t slots[ROWS];
    const uint64_t first = 7, count = ROWS - 20;
    uint64_t sum[FS_WALK_EVENTS], all[FS_WALK_EVENTS] = {0};
    fs_walk_counts_price(counts, first, count, price, slots);
    fs_walk_counts_sum(counts, 0, counts->rows, sum);
    for (uint64_t r = 0; r < ROWS; r++) {
        uint64_t expected = 0;
        for (int e = 0; e < FS_WALK_EVENTS; e++) {
            expected += (uint64_t)rows[r][e] * price[e];
            all[e] += rows[r][e];
        }
        if (r >= first && r < first + count)
            assert_true(slots[r - first] == expected);
    }
    assert_memory_equal(sum, all, sizeof sum);
}

/* Columns of one, two and four bytes, widened on the way; sums within 32 bits and beyond. */
TEST(rows_come_back_and_prices_are_theirs) {
    static const uint32_t most[] = {2, 200, 60000, 1u << 24}, dearest[] = {1, 300, 1000000, UINT32_MAX};
    for (uint64_t k = 0; k < 16; k++) {
        fs_rng rng = fs_rng_stream(k, "counts");
        static uint32_t rows[ROWS][FS_WALK_EVENTS], back[ROWS][FS_WALK_EVENTS];
        uint32_t price[FS_WALK_EVENTS];
        fs_walk_counts counts;
        fs_walk_counts_create(&counts, ROWS);
        for (uint64_t r = 0; r < ROWS; r++)
            random_row(&rng, r < ROWS / 2 ? 2 : most[k % 4], rows[r]);
        for (int e = 0; e < FS_WALK_EVENTS; e++)
            price[e] = fs_rng_below(&rng, dearest[k / 4]);
        fs_walk_counts_keep(&counts, ROWS / 3, ROWS - ROWS / 3, rows + ROWS / 3);
        fs_walk_counts_keep(&counts, 0, ROWS / 3, rows);
        fs_walk_counts_rows(&counts, 0, ROWS, back);
        assert_memory_equal(rows, back, sizeof rows);
        expect_sums(&counts, rows, price);
        fs_walk_counts_free(&counts);
    }
}

RUN_TESTS(NULL, NULL)
