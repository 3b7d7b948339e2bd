/* Tiles dealt to threads: each is run once, by whomever, and a thread begins with its own. */
#include "tests/support/test.h"
#include "workloads/foam/kernels/deal.h"

enum { TRACERS = 64, ROUTERS = 20, SPARES = 7, TILES = TRACERS + ROUTERS + SPARES };

/* 64 tracers, 16 routers above them, 4 above those, and spares, which nobody runs. */
static void plan(fs_overlay *o, uint8_t role[TILES], uint8_t level[TILES]) {
    for (uint32_t t = 0; t < TILES; t++) {
        role[t] = t < TRACERS ? FS_ROLE_TRACER : t < TRACERS + ROUTERS ? FS_ROLE_ROUTER : FS_ROLE_SPARE;
        level[t] = t < TRACERS || t >= TRACERS + ROUTERS ? 0 : t < TRACERS + 16 ? 1 : 2;
    }
    *o = (fs_overlay){.tiles = TILES, .role = role, .level = level};
}

/* Takes until nothing is left; how often each tile came up. */
static void take_all(fs_deal *deal, uint32_t thread, uint32_t runs[TILES]) {
    uint32_t begin, end;
    while (fs_deal_take(deal, thread, &begin, &end))
        for (uint32_t i = begin; i < end; i++)
            runs[deal->order[i]]++;
}

TEST(every_tile_is_run_once) {
    fs_overlay o;
    uint8_t role[TILES], level[TILES];
    plan(&o, role, level);
    for (uint32_t threads = 1; threads <= 5; threads++) {
        fs_arena *arena = test_arena();
        fs_deal deal;
        fs_deal_create(&deal, arena, &o, threads);
        for (uint32_t step = 1; step <= 9; step += 2) { /* all tiles, every third one, ... */
            uint32_t tiles[TILES], count = 0, runs[TILES] = {0}, begin, end;
            for (uint32_t t = 0; t < TRACERS + ROUTERS; t += step)
                tiles[count++] = t;
            fs_deal_tiles(&deal, tiles, count);
            for (uint32_t thread = threads; thread-- > 0;)
                if (fs_deal_take(&deal, thread, &begin, &end))
                    for (uint32_t i = begin; i < end; i++) {
                        assert_int_equal(deal.thread_of[deal.order[i]], thread);
                        runs[deal.order[i]]++;
                    }
            take_all(&deal, threads - 1, runs);
            take_all(&deal, 0, runs);
            for (uint32_t t = 0; t < TILES; t++)
                assert_int_equal(runs[t], t < TRACERS + ROUTERS && t % step == 0);
        }
    }
}

/* Of two threads the first has the first half of every level: two of four subtrees. */
TEST(a_thread_keeps_a_part_of_every_level) {
    fs_overlay o;
    uint8_t role[TILES], level[TILES];
    plan(&o, role, level);
    fs_arena *arena = test_arena();
    fs_deal deal;
    fs_deal_create(&deal, arena, &o, 2);
    for (uint32_t t = 0; t < TRACERS + ROUTERS; t++) {
        const uint32_t first = t < TRACERS        ? 0
                               : t < TRACERS + 16 ? TRACERS
                                                  : TRACERS + 16,
                       tiles = t < TRACERS        ? TRACERS
                               : t < TRACERS + 16 ? 16
                                                  : 4;
        assert_int_equal(deal.thread_of[t], 2 * (t - first) / tiles);
    }
}

RUN_TESTS(NULL, NULL)
