/* No network carries more than the bound of its ways: over all kinds, patterns, sizes of packets and seeds, one whose
 * queues do not grow gets no more through, and one that is offered a quarter more has queues that grow. */
#include "sim/base/rng.h"
#include "tests/support/network.h"
#include "tests/support/test.h"
#include "workloads/packets/flow.h"

enum { RUNS = 120 };

static const struct {
    fs_noc_options options;
    const char *sizes;
    uint32_t digit[4], digits;
} networks[] = {
    {{.topology = FS_NOC_MESH}, "6 4", {6, 4}, 2},
    {{.topology = FS_NOC_MESH}, "12", {12}, 1},
    {{.topology = FS_NOC_TORUS, .link = 2}, "4 6", {4, 6}, 2},
    {{.topology = FS_NOC_TORUS, .way = FS_NOC_UPWARDS}, "5 4", {5, 4}, 2},
    {{.topology = FS_NOC_RUCHE, .express = 3}, "8 3", {8, 3}, 2},
    {{.topology = FS_NOC_FAT_TREE}, "3 3", {3, 3, 3}, 3},
    {{.topology = FS_NOC_FAT_TREE}, "4 2", {4, 4}, 2},
    {{.topology = FS_NOC_FLATTENED_BUTTERFLY, .concentration = 4}, "3 2", {6, 4}, 2},
    {{.topology = FS_NOC_DRAGONFLY, .concentration = 2}, "2 5 2", {20}, 1},
};
static const fs_goal_kind kinds[] = {FS_GOAL_UNIFORM,        FS_GOAL_HOTSPOT,    FS_GOAL_NEIGHBOUR,
                                     FS_GOAL_BIT_COMPLEMENT, FS_GOAL_ALL_TO_ALL, FS_GOAL_TORNADO};

TEST(no_network_carries_more_than_its_bound) {
    const uint64_t seed = 31;
    uint32_t calm = 0, full = 0;
    print_message("seed %llu\n", (unsigned long long)seed);
    fs_rng rng = fs_rng_stream(seed, "test/bound");
    for (int i = 0; i < RUNS; i++) {
        fs_arena *arena = test_arena();
        fs_error err = {0};
        const uint32_t n = fs_rng_below(&rng, sizeof networks / sizeof *networks);
        const fs_goal_kind kind = kinds[fs_rng_below(&rng, sizeof kinds / sizeof *kinds)];
        const fs_noc_graph *g = make_network(arena, networks[n].options, networks[n].sizes);
        const int64_t hot[] = {fs_rng_below(&rng, g->ends), fs_rng_below(&rng, g->ends)};
        fs_goals goals;
        assert_ok(fs_goals_make(arena, kind, (fs_noc_sizes){networks[n].digit, networks[n].digits},
                                &(fs_int_list){hot, 2}, 0.3, (fs_goal_files){"", ""}, &goals, &err),
                  &err);
        fs_flow_setup s = {.graph = g,
                           .net = {.channels = 4, .buffer = 8},
                           .goals = &goals,
                           .flits = 1 + 3 * fs_rng_below(&rng, 2),
                           .warmup = 1500,
                           .measure = 4000,
                           .most = 1000000,
                           .seed = (uint64_t)i};
        const double bound = 1 / fs_flow_look(&s, (fs_noc_sizes){NULL, 0}, arena).busiest;
        const bool over = fs_rng_below(&rng, 3) == 0;
        s.load = bound * (over ? 1.25 : fs_rng_range(&rng, 0.2, 1));
        fs_flow f = {.film = NULL};
        if (s.load * fs_flow_most_packets(&s) <= 1) { /* a node makes no more */
            assert_ok(fs_flow_run(&s, &f, &err), &err);
            const double accepted = (double)f.taken / 4000 / g->ends;
            const bool grows = fs_flow_is_full(&f);
            if (!grows && (accepted > 1.03 * bound || over))
                fail_msg("seed %llu, run %d: %s %s, %s, %u flits: load %.4f, accepted %.4f, bound %.4f",
                         (unsigned long long)seed, i, g->kind, networks[n].sizes, fs_goal_names[kind],
                         s.flits, s.load, accepted, bound);
            calm += !grows;
            full += grows;
        }
        fs_flow_free(&f);
    }
    print_message("%u calm, %u full\n", calm, full);
    assert_true(calm > RUNS / 4 && full > RUNS / 8);
}

RUN_TESTS(NULL, NULL)
