/* DRAM against times counted by hand from the rows of its standard. */
#include "models/dram/dram.h"

#include "sim/base/rng.h"
#include "tests/support/test.h"

enum { DDR2_300, DDR2_500, DDR3_1600, DDR4_3200, HBM2, ROOM = 64 };

static fs_dram_data serve(fs_dram *d) {
    fs_dram_data data = {0};
    assert_true(fs_dram_next_due(d) != FS_DRAM_NEVER);
    assert_true(fs_dram_step(d, fs_dram_next_due(d), &data));
    return data;
}

static fs_dram_data get(fs_dram *d, uint64_t now, uint64_t address, uint32_t bytes, bool write) {
    const fs_dram_access access = {.address = address, .bytes = bytes, .write = write};
    fs_dram_offer(d, now, &access);
    return serve(d);
}

static void assert_data(fs_dram_data data, uint64_t first, uint64_t last) {
    assert_int_equal(data.first, first);
    assert_int_equal(data.last, last);
}

/* Rows of a bank of rank 0 that follow each other lie so far apart. */
static uint64_t row_bytes(const fs_dram_kind *k) {
    return (uint64_t)k->page_bytes * k->banks * k->ranks * k->channels;
}

/* DDR2-300: tRCD, tRP, CL 3, tRAS 7, tRC 9, tRTP 2; a burst of 32 B takes 2 cycles. */
TEST(rows_of_a_bank) {
    const fs_dram_kind *k = &fs_dram_kinds[DDR2_300];
    fs_dram *d = fs_dram_create(test_arena(), k, FS_DRAM_IN_ORDER, ROOM);
    assert_data(get(d, 10, 0, 32, false), 10 + 3 + 3, 10 + 3 + 3 + 2);         /* miss: activate at 10 */
    assert_data(get(d, 30, 32, 64, false), 30 + 3, 30 + 3 + 4);                /* hit, two bursts */
    assert_data(get(d, 50, row_bytes(k), 32, false), 50 + 3 + 3 + 3, 50 + 11); /* conflict: tRP tRCD CL */
    /* Activated at 53: closed at 60 at the earliest (tRAS), so activated at 63 (tRC 62 is over). */
    assert_data(get(d, 54, 0, 32, false), 63 + 3 + 3, 63 + 3 + 3 + 2);
    const fs_dram_use use = fs_dram_use_of(d);
    assert_int_equal(use.misses, 1);
    assert_int_equal(use.hits, 2);
    assert_int_equal(use.conflicts, 2);
    assert_int_equal(use.bursts, 5);
    assert_int_equal(use.busy, 10);
    assert_int_equal(fs_dram_banks(d)[0].conflicts, 2);
}

/* Reads behind each other fill the bus; an access that begins in a burst takes it whole. */
TEST(open_rows_fill_the_bus) {
    fs_dram *d = fs_dram_create(test_arena(), &fs_dram_kinds[DDR2_300], FS_DRAM_IN_ORDER, ROOM);
    fs_dram_access access = {.bytes = 112};
    for (int i = 0; i < 10; i++) {
        access.address = (uint64_t)i * 128;
        fs_dram_offer(d, 0, &access);
    }
    for (uint64_t i = 0; i < 10; i++)
        assert_data(serve(d), 6 + 8 * i, 6 + 8 * (i + 1));
    assert_data(get(d, 200, 16, 112, false), 200 + 3, 200 + 3 + 8);
    assert_data(get(d, 220, 16, 113, false), 220 + 3, 220 + 3 + 10);
}

/* Another bank is prepared while data of the first move; the ranks' change leaves a cycle on the bus. */
TEST(banks_and_ranks) {
    const fs_dram_kind *k = &fs_dram_kinds[DDR2_300];
    fs_dram *d = fs_dram_create(test_arena(), k, FS_DRAM_IN_ORDER, ROOM);
    const uint64_t bank = k->page_bytes, rank = (uint64_t)k->page_bytes * k->banks;
    fs_dram_access access = {.bytes = 128};
    fs_dram_offer(d, 0, &access);
    access.address = bank;
    fs_dram_offer(d, 0, &access);
    access.address = rank;
    fs_dram_offer(d, 0, &access);
    assert_data(serve(d), 6, 14);
    assert_data(serve(d), 14, 22); /* activated at tRRD 2 */
    assert_data(serve(d), 23, 31); /* another rank */
    assert_int_equal(fs_dram_use_of(d).rank_switches, 1);
    assert_int_equal(fs_dram_use_of(d).misses, 3);
}

/* Five activates of one rank: DDR2-500 lets four begin in tFAW 10 cycles, by tRRD 2. */
TEST(activates_of_a_rank) {
    const fs_dram_kind *k = &fs_dram_kinds[DDR2_500];
    fs_dram *d = fs_dram_create(test_arena(), k, FS_DRAM_IN_ORDER, ROOM);
    for (uint64_t b = 0; b < 5; b++) {
        const fs_dram_access access = {.address = b * k->page_bytes, .bytes = 32};
        fs_dram_offer(d, 0, &access);
    }
    for (uint64_t b = 0; b < 4; b++)
        assert_data(serve(d), 2 * b + 8, 2 * b + 10);
    assert_data(serve(d), 10 + 8, 10 + 10);
}

/* A read behind a write waits tWTR 2 from the end of its data; a row that was written is closed tWR 3 behind
 * them. */
TEST(writes) {
    const fs_dram_kind *k = &fs_dram_kinds[DDR2_300];
    fs_dram *d = fs_dram_create(test_arena(), k, FS_DRAM_IN_ORDER, ROOM);
    assert_data(get(d, 0, 0, 32, true), 3 + 2, 7); /* CL - 1 */
    assert_data(get(d, 0, 32, 32, false), 7 + 2 + 3, 14);
    assert_data(get(d, 20, 64, 32, true), 22, 24);
    assert_data(get(d, 20, row_bytes(k), 32, false), 24 + 3 + 3 + 3 + 3, 38);
}

/* Ranks refresh in turn, rank 0 at 585 first: what comes then waits for the open row's end, tRP, tRFC 20. */
TEST(refreshes) {
    const fs_dram_kind *k = &fs_dram_kinds[DDR2_300];
    fs_dram *d = fs_dram_create(test_arena(), k, FS_DRAM_IN_ORDER, ROOM);
    get(d, 0, 0, 32, false);
    assert_data(get(d, 584, 0, 32, false), 587, 589); /* not due yet */
    /* Due at 585: the read's tRTP ends at 586, so closed at 589, ready at 609: a miss. */
    assert_data(get(d, 590, 0, 32, false), 609 + 6, 609 + 8);
    assert_int_equal(fs_dram_use_of(d).refreshes, 1);
    assert_int_equal(fs_dram_use_of(d).misses, 2);
    /* Long after, all that fell due has been done. */
    get(d, 11700, 0, 32, false);
    assert_int_equal(fs_dram_use_of(d).refreshes, 10 + 10);
}

/* In order a conflict goes first; with open rows first it waits for two hits; one at a time keeps order and
 * waits for the end of data. */
TEST(schedulers) {
    const fs_dram_kind *k = &fs_dram_kinds[DDR2_300];
    static const uint32_t order[][3] = {
        [FS_DRAM_IN_ORDER] = {0, 1, 2}, [FS_DRAM_FR_FCFS] = {1, 2, 0}, [FS_DRAM_ONE] = {0, 1, 2}};
    const uint64_t row = row_bytes(k);
    const uint64_t addresses[] = {row, 32, 64};
    for (int64_t s = FS_DRAM_IN_ORDER; s <= FS_DRAM_ONE; s++) {
        fs_dram *d = fs_dram_create(test_arena(), k, s, ROOM);
        uint64_t end = get(d, 0, 0, 32, false).last;
        for (uint32_t i = 0; i < 3; i++) {
            const fs_dram_access access = {.address = addresses[i], .bytes = 32, .tag = i};
            fs_dram_offer(d, 20, &access);
        }
        for (int i = 0; i < 3; i++) {
            const uint64_t due = fs_dram_next_due(d);
            const fs_dram_data data = serve(d);
            assert_int_equal(data.tag, order[s][i]);
            assert_true(data.first >= end);
            assert_true(s != FS_DRAM_ONE || (due >= end && data.first >= due + k->cl));
            end = data.last;
        }
        assert_int_equal(fs_dram_next_due(d), FS_DRAM_NEVER);
    }
}

/* Pages go round the channels, which do not wait for each other. */
TEST(channels) {
    const fs_dram_kind *k = &fs_dram_kinds[HBM2];
    fs_dram *d = fs_dram_create(test_arena(), k, FS_DRAM_IN_ORDER, ROOM);
    for (uint64_t c = 0; c < k->channels; c++) {
        const fs_dram_access access = {.address = c * k->page_bytes, .bytes = 128};
        fs_dram_offer(d, 5, &access);
    }
    for (uint64_t c = 0; c < k->channels; c++)
        assert_data(serve(d), 5 + 28, 5 + 28 + 4);
    assert_data(get(d, 50, (uint64_t)k->page_bytes * k->channels + 64, 64, false), 50 + 28, 50 + 30);
    assert_int_equal(fs_dram_banks(d)[1].misses, 1); /* the next page of channel 0 is in its bank 1 */
}

/* Standards: what the rows must be whatever the speed, and published bandwidths. */
TEST(rows_of_standards) {
    static const uint64_t bandwidth[FS_DRAM_KINDS] = {2400000000, 4000000000, 12800000000, 25600000000,
                                                      256000000000};
    static const double refresh[FS_DRAM_KINDS] = {127.5e-9, 127.5e-9, 160e-9, 350e-9, 350e-9}; /* tRFC */
    for (int i = 0; i < FS_DRAM_KINDS; i++) {
        const fs_dram_kind *k = &fs_dram_kinds[i];
        assert_int_equal(fs_dram_bandwidth(k), bandwidth[i]);
        assert_int_equal(k->rfc, (uint64_t)ceil(refresh[i] * (double)k->clock - 1e-6));
        assert_true(k->rc >= k->ras && k->rc + 1 >= k->ras + k->rp && k->ras >= k->rcd + k->rtp);
        assert_true(k->faw >= 4 * k->rrd || k->faw >= 3 * k->rrd);
        assert_int_equal(k->page_bytes % fs_dram_burst_bytes(k), 0);
        const double us = 1e6 * k->refi / (double)k->clock;
        assert_true(us > 3.8 && us < 7.81);
        const double first = 1e9 * (k->rcd + k->cl) / (double)k->clock;
        assert_true(first >= 27.4 && first <= 40.1);
    }
}

/* Whatever comes: data of a channel never overlap, every burst is counted once, nothing is served before it
 * came and its time, and the bus does not move faster than its bandwidth. */
TEST(any_stream) {
    for (uint64_t seed = 0; seed < 60; seed++) {
        fs_rng rng = fs_rng_stream(seed, "test/dram");
        const fs_dram_kind *k = &fs_dram_kinds[fs_rng_below(&rng, HBM2)]; /* of one channel */
        fs_dram *d = fs_dram_create(test_arena(), k, fs_rng_below(&rng, 3), ROOM);
        uint64_t now = 0, end = 0, bursts = 0, served = 0;
        const uint32_t burst = fs_dram_burst_bytes(k);
        uint64_t arrived[ROOM];
        for (uint32_t i = 0; i < 400; i++) {
            const fs_dram_access access = {.address = (uint64_t)fs_rng_below(&rng, 1 << 22) * 16,
                                           .bytes = 1 + fs_rng_below(&rng, 800),
                                           .tag = i % ROOM,
                                           .write = fs_rng_below(&rng, 4) == 0};
            now += fs_rng_below(&rng, 60);
            bursts += (access.address % burst + access.bytes + burst - 1) / burst;
            arrived[i % ROOM] = now;
            fs_dram_offer(d, now, &access);
            fs_dram_data data;
            while (fs_dram_next_due(d) <= now + (i % 8 == 7 ? 100000 : 0)) {
                const uint64_t at = fs_dram_next_due(d);
                assert_true(fs_dram_step(d, at, &data));
                assert_true(data.first >= end && data.first >= arrived[data.tag] + k->cl - 1);
                assert_true(data.first > at || k->cl == 0);
                assert_true(data.last > data.first);
                end = data.last;
                served++;
                now = at > now ? at : now;
            }
        }
        const fs_dram_use use = fs_dram_use_of(d);
        assert_int_equal(served, 400);
        assert_int_equal(use.accesses, 400);
        assert_int_equal(use.bursts, bursts);
        assert_int_equal(use.hits + use.misses + use.conflicts, bursts);
        assert_int_equal(use.busy, bursts * fs_dram_burst_cycles(k));
        assert_true(use.busy <= end);
    }
}

RUN_TESTS(NULL, NULL)
