/* Packets straight on a network: closed loops by Little's law, goals in turn and from a file, and the approximation that
 * reserves links against the engine. */
#include "tests/support/network.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"
#include "workloads/packets/flow.h"

enum { SIDE = 8, NODES = SIDE * SIDE };

static const uint32_t square[] = {SIDE, SIDE};
static const fs_noc_sizes digits = {square, 2};

static fs_goals goals_of(fs_arena *arena, fs_goal_kind kind, const char *file) {
    fs_goals goals;
    fs_error err = {0};
    const fs_int_list none = {NULL, 0};
    assert_ok(fs_goals_make(arena, kind, digits, &none, 0, (fs_goal_files){file, file}, &goals, &err), &err);
    return goals;
}

static fs_flow run(const fs_noc_graph *g, const fs_goals *goals, uint32_t flits, double load, uint64_t window,
                   bool reserve) {
    fs_error err = {0};
    fs_flow out = {.film = NULL};
    const fs_flow_setup setup = {.graph = g,
                                 .net = {.channels = 4, .buffer = 8, .reserve = reserve},
                                 .goals = goals,
                                 .flits = flits,
                                 .load = load,
                                 .window = window,
                                 .warmup = 2000,
                                 .measure = 6000,
                                 .drain = 100000,
                                 .most = 1000000,
                                 .seed = 3};
    assert_ok(fs_flow_run(&setup, &out, &err), &err);
    fs_flow_free(&out);
    return out;
}

/* Packets under way are throughput times latency, whatever the network does to them. */
TEST(a_window_is_throughput_times_latency) {
    static const uint64_t windows[] = {1, 4, 16};
    fs_arena *arena = test_arena();
    const fs_noc_graph *mesh = make_network(arena, (fs_noc_options){.topology = FS_NOC_MESH}, "8 8");
    const fs_goals goals = goals_of(arena, FS_GOAL_UNIFORM, "");
    double before = 0;
    for (size_t i = 0; i < 3; i++)
        for (int reserve = 0; reserve <= 1; reserve++) {
            const fs_flow f = run(mesh, &goals, 4, 0, windows[i], reserve);
            const double rate = (double)f.taken / 4 / 6000 / NODES, latency = fs_latency_mean(&f.latency);
            assert_true(f.whole);
            assert_true(fabs((rate * (latency + 1)) / (double)windows[i] - 1) < 0.02);
            if (reserve == 0) {
                assert_true(rate > before);
                before = rate;
            }
        }
}

TEST(all_others_come_in_turn) {
    fs_arena *arena = test_arena();
    const fs_goals goals = goals_of(arena, FS_GOAL_ALL_TO_ALL, "");
    for (uint32_t node = 0; node < NODES; node++) {
        bool met[NODES] = {false};
        double share = 0;
        for (uint64_t n = 0; n < NODES - 1; n++) {
            const uint32_t to = fs_goal_draw(&goals, node, n, NULL);
            assert_true(to != node && !met[to]);
            met[to] = true;
        }
        assert_int_equal(fs_goal_draw(&goals, node, NODES - 1, NULL), (node + 1) % NODES);
        for (uint32_t to = 0; to < NODES; to++)
            share += fs_goal_even(&goals, node, to);
        assert_true(fabs(share - 1) < 1e-12 && fs_goal_even(&goals, node, node) == 0);
    }
}

static void write_pairs(const char *extra, uint32_t from) {
    FILE *out = fopen("p.csv", "w");
    assert_non_null(out);
    fprintf(out, "# drawn by hand\nnode,goal\n");
    for (uint32_t i = from; i < NODES; i++)
        fprintf(out, "%u,%u\n", NODES - 1 - i, i);
    fputs(extra, out);
    assert_int_equal(fclose(out), 0);
}

TEST_IN(a_file_is_a_pattern_like_others, scratch_enter, scratch_leave) {
    static const struct {
        const char *extra, *told;
        uint32_t from;
    } wrong[] = {
        {"5,3\n", "p.csv:67:1: node: node 5 stands here for the second time", 0},
        {"63,63\n",
         "p.csv:66:4: goal: node 63 stands here for the second time; workload.pattern table takes goals of "
         "several nodes",
         1},
        {"64,0\n", "p.csv:66:1: node: expected a node, 0 ... 63, found \"64\"", 1},
        {"63,x\n", "p.csv:66:4: goal: expected a node, 0 ... 63, found \"x\"", 1},
        {"63\n", "p.csv:66:1: goal: expected a node, 0 ... 63, found \"\"", 1},
        {"", "p.csv: expected a line for each of 64 nodes, found 63", 1},
    };
    fs_arena *arena = test_arena();
    fs_error err = {0};
    const fs_noc_graph *mesh = make_network(arena, (fs_noc_options){.topology = FS_NOC_MESH}, "8 8");
    write_pairs("", 0);
    const fs_goals file = goals_of(arena, FS_GOAL_PERMUTATION, "p.csv"),
                   kind = goals_of(arena, FS_GOAL_BIT_COMPLEMENT, "");
    const fs_flow a = run(mesh, &file, 2, 0.1, 0, false), b = run(mesh, &kind, 2, 0.1, 0, false);
    assert_true(a.whole && a.measured > 1000 && a.taken == b.taken && a.sums.hops == b.sums.hops);
    assert_memory_equal(&a.latency, &b.latency, sizeof a.latency);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const fs_int_list none = {NULL, 0};
        fs_goals goals;
        write_pairs(wrong[i].extra, wrong[i].from);
        assert_int_equal(fs_goals_make(arena, FS_GOAL_PERMUTATION, digits, &none, 0,
                                       (fs_goal_files){"p.csv", ""}, &goals, &err),
                         FS_INPUT);
        assert_string_equal(err.text, wrong[i].told);
        fs_error_clear(&err);
    }
}

/* Up to three tenths of the busiest link its latency is that of the engine, 1.2 % in the mean; behind that it is not, and
 * it gets far too much through. */
TEST(links_reserved_are_right_at_light_load) {
    static const uint32_t lengths[] = {1, 8};
    fs_arena *arena = test_arena();
    const fs_noc_graph *graphs[] = {
        make_network(arena, (fs_noc_options){.topology = FS_NOC_MESH}, "8 8"),
        make_network(arena, (fs_noc_options){.topology = FS_NOC_TORUS, .link = 2}, "8 8"),
        make_network(arena, (fs_noc_options){.topology = FS_NOC_FAT_TREE}, "4 3")};
    static const double full[] = {0.5, 0.95, 1}; /* flits a cycle and node at which the busiest link is */
    const fs_goals goals = goals_of(arena, FS_GOAL_UNIFORM, "");
    double sum = 0, cases = 0;
    for (size_t g = 0; g < 3; g++)
        for (size_t l = 0; l < 2; l++) {
            for (int part = 1; part <= 2; part++) {
                const double load = 0.15 * full[g] * part;
                const fs_flow a = run(graphs[g], &goals, lengths[l], load, 0, false);
                const fs_flow b = run(graphs[g], &goals, lengths[l], load, 0, true);
                const double off = fs_latency_mean(&b.latency) / fs_latency_mean(&a.latency) - 1;
                assert_true(a.measured == b.measured && b.whole);
                print_message("%s, %u flits, %.2f: %+.2f %%\n", graphs[g]->kind, lengths[l], load, 100 * off);
                assert_true(fabs(off) < 0.045);
                sum += fabs(off);
                cases++;
            }
            const fs_flow a = run(graphs[g], &goals, lengths[l], 0, 64, false);
            const fs_flow b = run(graphs[g], &goals, lengths[l], 0, 64, true);
            print_message("%s, %u flits, full: %+.1f %% throughput\n", graphs[g]->kind, lengths[l],
                          100 * ((double)b.taken / (double)a.taken - 1));
            assert_true((double)b.taken > 1.15 * (double)a.taken);
        }
    print_message("mean %.2f %%\n", 100 * sum / cases);
    assert_true(sum / cases < 0.012);
}

RUN_TESTS(NULL, NULL)
