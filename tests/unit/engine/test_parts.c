/* Parts that any machine can use: arbiters, pipelines, clocks, slices of time, links. */
#include "models/link/link.h"
#include "models/part/part.h"
#include "sim/base/arith.h"
#include "sim/base/rng.h"
#include "tests/support/test.h"

/* ---- arbiter ---- */

#define SILENT FS_ARBITER_SILENT

TEST(arbiters) {
    const uint64_t since[] = {SILENT, 7, 3, 9, 3};
    fs_arbiter a;
    fs_arbiter_init(&a, FS_ARBITER_FIXED, 5);
    assert_int_equal(fs_arbiter_pick(&a, since, 2), FS_ARBITER_NONE);
    assert_int_equal(fs_arbiter_pick(&a, since, 3), 2);
    assert_int_equal(fs_arbiter_pick(&a, since, 7), 1);
    fs_arbiter_init(&a, FS_ARBITER_OLDEST, 5);
    assert_int_equal(fs_arbiter_pick(&a, since, 9), 2); /* of equals the lowest */
    fs_arbiter_init(&a, FS_ARBITER_ROUND_ROBIN, 5);
    static const uint32_t round[] = {1, 2, 3, 4, 1, 2};
    for (size_t i = 0; i < sizeof round / sizeof *round; i++)
        assert_int_equal(fs_arbiter_pick(&a, since, 9), round[i]);
    assert_int_equal(fs_arbiter_pick(&a, since, 0), FS_ARBITER_NONE);
    assert_int_equal(fs_arbiter_pick(&a, since, 9), 3); /* nobody served changes nothing */
}

/* ---- pipeline ---- */

/* Item by item, as the header says it. */
static uint64_t by_items(uint64_t *free, uint64_t depth, uint64_t interval, uint64_t first, uint64_t last,
                         uint32_t items) {
    uint64_t out = 0;
    for (uint32_t j = 1; j <= items; j++) {
        const uint64_t there = first + (j * (last - first) + items - 1) / items,
                       enters = there > *free ? there : *free;
        *free = enters + interval;
        out = enters + depth;
    }
    return out;
}

TEST(pipelines) {
    fs_rng rng = fs_rng_stream(3, "test/pipeline");
    for (int round = 0; round < 300; round++) {
        const uint64_t interval = 1 + fs_rng_below(&rng, 6), depth = interval + fs_rng_below(&rng, 90);
        uint64_t free = 0, first = 0, held = 0, items_in = 0;
        fs_pipeline p;
        fs_pipeline_init(&p, (int64_t)depth, (int64_t)interval);
        for (int i = 0; i < 40; i++) {
            const uint32_t items = 1 + fs_rng_below(&rng, 16);
            const uint64_t last = first + 1 + fs_rng_below(&rng, 40);
            const uint64_t out = by_items(&free, depth, interval, first, last, items);
            const fs_pipeline_claim c = fs_pipeline_offer(&p, first, last, items);
            assert_int_equal(c.out, out);
            assert_int_equal(c.to, free);
            assert_true(c.from >= first && c.from < c.to);
            held += c.to - c.from;
            items_in += items;
            first += fs_rng_below(&rng, 50);
        }
        assert_int_equal(p.items, items_in);
        assert_int_equal(p.use.busy, items_in * interval);
        assert_int_equal(p.use.busy + p.use.input, held);
    }
}

/* ---- clocks ---- */

TEST(clocks) {
    fs_clock_pair pair;
    assert_true(fs_clock_pair_of(250000000, 150000000, &pair)); /* ticks of 750 MHz */
    assert_int_equal(pair.a, 3);
    assert_int_equal(pair.b, 5);
    assert_int_equal(fs_clock_edge(7, 3, 5), 5);   /* tick 21: edge 5 of 150 MHz is tick 25 */
    assert_int_equal(fs_clock_edge(5, 3, 5), 3);   /* tick 15 is an edge of both */
    assert_int_equal(fs_clock_edge(11, 5, 3), 19); /* tick 55: edge 19 of 250 MHz is tick 57 */
    assert_false(fs_clock_pair_of(250000000, 150000001, &pair));
    assert_true(fs_clock_pair_of(250000000, 250000000, &pair));
    assert_int_equal(pair.a * pair.b, 1);
    assert_int_equal(fs_common_divisor(84, 36), 12);
}

/* ---- FIFO and credits ---- */

TEST(fifos_and_credits) {
    fs_arena *arena = test_arena();
    fs_fifo f;
    fs_fifo_init(&f, arena, 3);
    uint64_t put = 0, taken = 0;
    for (int round = 0; round < 20; round++) {
        while (!fs_fifo_full(&f))
            fs_fifo_put(&f, put++);
        for (int i = 0; i <= round % 3; i++) {
            assert_int_equal(fs_fifo_front(&f), taken);
            assert_int_equal(fs_fifo_take(&f), taken++);
        }
    }
    assert_int_equal(f.count, put - taken);
    fs_credits c = {.limit = 2};
    fs_credits_take(&c);
    fs_credits_take(&c);
    assert_false(fs_credits_left(&c));
    fs_credits_give(&c);
    assert_true(fs_credits_left(&c));
}

/* ---- slices ---- */

/* Sums stay, whatever the order, and each slice holds what falls into it. */
TEST(slices) {
    enum { SPANS = 400, LAST = 100000 };
    static fs_series one, other;
    static uint64_t each[LAST];
    uint64_t from[SPANS], to[SPANS], sum = 0;
    fs_rng rng = fs_rng_stream(5, "test/series");
    fs_series_init(&one, 2);
    fs_series_init(&other, 2);
    for (int i = 0; i < SPANS; i++) {
        from[i] = fs_rng_below(&rng, LAST - 1000);
        to[i] = from[i] + fs_rng_below(&rng, 1000);
        sum += to[i] - from[i];
        for (uint64_t c = from[i]; c < to[i]; c++)
            each[c]++;
        fs_series_add(&one, 1, from[i], to[i]);
    }
    for (int i = SPANS; i-- > 0;)
        fs_series_add(&other, 1, from[i], to[i]);
    assert_memory_equal(&one, &other, sizeof one);
    assert_true(fs_series_slices(&one, LAST) <= FS_SERIES_SLICES);
    uint64_t total = 0;
    for (uint64_t s = 0; s < fs_series_slices(&one, LAST); s++) {
        uint64_t expected = 0;
        for (uint64_t c = s * one.slice; c < (s + 1) * one.slice && c < LAST; c++)
            expected += each[c];
        assert_int_equal(one.at[1][s], expected);
        assert_int_equal(one.at[0][s], 0);
        total += one.at[1][s];
    }
    assert_int_equal(total, sum);
}

/* ---- link ---- */

static const fs_link_params pcie = {.kind = FS_LINK_PCIE,
                                    .generation = 1,
                                    .lanes = 8,
                                    .payload = 128,
                                    .header = 20,
                                    .outstanding = 16,
                                    .latency = 1e-6};

/* 1.0 x8: 2 GB/s, 8 B a cycle of 250 MHz; 3.0 x16: 15.75 GB/s. */
TEST(link_rates) {
    assert_int_equal(fs_link_bandwidth(&pcie), 2000000000);
    fs_link_params fast = pcie;
    fast.generation = 3;
    fast.lanes = 16;
    assert_true(fs_link_bandwidth(&fast) > 15740000000 && fs_link_bandwidth(&fast) < 15760000000);
    fs_link_lane lane;
    fs_link_lane_init(&lane, &pcie, 250000000, false);
    assert_int_equal(fs_link_send(&lane, 0, 128), 19); /* 148 / 8 = 18.5 */
    assert_int_equal(fs_link_send(&lane, 5, 128), 37); /* the stream goes on in mid-cycle */
    assert_int_equal(fs_link_send(&lane, 100, 36), 107);
    assert_int_equal(lane.busy, 37 + 7);
    assert_int_equal(lane.stood, 63);
    assert_int_equal(lane.sent, 292);
}

/* Packet by packet: a read is asked for when the one `outstanding` before it has come, and comes a latency
 * later or behind the one before. */
TEST(reads_outstanding) {
    for (int64_t outstanding = 1; outstanding <= 20; outstanding++)
        for (int64_t latency = 0; latency <= 300; latency += 60) {
            fs_link_params link = pcie;
            link.outstanding = outstanding;
            link.latency = (double)latency / 250e6;
            link.header = 32; /* 160 B: 20 cycles a packet */
            fs_link_lane lane;
            fs_link_lane_init(&lane, &link, 250000000, true);
            uint64_t arrived[64] = {0};
            for (int64_t k = 0; k < 64; k++) {
                const uint64_t asked = k < outstanding ? 0 : arrived[k - outstanding],
                               there = asked + (uint64_t)latency, before = k == 0 ? 0 : arrived[k - 1];
                arrived[k] = (there > before ? there : before) + 20;
                assert_int_equal(fs_link_send(&lane, 0, 128), arrived[k]);
            }
        }
}

TEST(no_link) {
    const fs_link_params none = {.kind = FS_LINK_NONE};
    fs_link_lane lane;
    fs_link_lane_init(&lane, &none, 250000000, true);
    assert_int_equal(fs_link_send(&lane, 77, 1 << 30), 77);
    assert_int_equal(lane.sent, 1 << 30);
    assert_int_equal(lane.busy, 0);
}

RUN_TESTS(NULL, NULL)
