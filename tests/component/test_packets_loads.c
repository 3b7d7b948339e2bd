/* What a pattern puts on a network, and what a flow makes of it: bounds of hand-counted links, knees and curves without
 * one, packets of several sizes, bursts, tables with rates, queues that grow. */
#include "tests/support/network.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"
#include "workloads/packets/flow.h"

typedef struct bench {
    fs_arena *arena;
    const fs_noc_graph *graph;
    fs_noc_sizes digits;
    fs_goals goals;
    fs_flow_setup setup;
    fs_flow *run[8]; /* [runs] */
    int runs;
} bench;

/* A network with a pattern, packets of one flit. table: of the pattern; the hotspot is the last node. */
static bench *bench_of(int topology, const char *sizes, fs_goal_kind kind, const char *table) {
    fs_arena *arena = fs_arena_create();
    bench *b = FS_NEW(arena, bench, 1);
    const fs_noc_options o = {.topology = topology, .link = topology == FS_NOC_TORUS ? 2 : 1};
    uint32_t *digit = FS_NEW(arena, uint32_t, 4), count = 0;
    char *end = NULL;
    fs_error err = {0};
    b->arena = arena;
    b->graph = make_network(arena, o, sizes);
    for (const char *at = sizes; *at != '\0'; at = end + strspn(end, " "))
        digit[count++] = (uint32_t)strtoul(at, &end, 10);
    if (topology == FS_NOC_FAT_TREE) {
        count = digit[1];
        for (uint32_t d = 1; d < count; d++)
            digit[d] = digit[0];
    }
    b->digits = (fs_noc_sizes){digit, count};
    const int64_t last = b->graph->ends - 1;
    assert_ok(fs_goals_make(arena, kind, b->digits, &(fs_int_list){&last, 1}, 0.2,
                            (fs_goal_files){table, table}, &b->goals, &err),
              &err);
    b->setup = (fs_flow_setup){.graph = b->graph,
                               .net = {.channels = 4, .buffer = 8},
                               .goals = &b->goals,
                               .flits = 1,
                               .load = 0.1,
                               .warmup = 2000,
                               .measure = 4000,
                               .drain = 100000,
                               .most = 1000000,
                               .seed = 5};
    return b;
}

static void bench_free(bench *b) {
    for (int i = 0; i < b->runs; i++)
        fs_flow_free(b->run[i]);
    fs_arena_free(b->arena);
}

static fs_flow *run(bench *b) {
    fs_error err = {0};
    fs_flow *out = b->run[b->runs++] = FS_NEW(b->arena, fs_flow, 1);
    assert_ok(fs_flow_run(&b->setup, out, &err), &err);
    return out;
}

static double bound(bench *b, bool grid) {
    const fs_noc_sizes none = {NULL, 0};
    return 1 / fs_flow_look(&b->setup, grid ? b->digits : none, b->arena).busiest;
}

/* Of a k-ary tree k up-links share the flows of k nodes, whatever the permutation; a ring of k sends k / 8 each way with
 * every second toss at the middle; a mesh k / 4 through its middle; a hotspot has 0.2 of all and its part of the rest. */
TEST(bounds_are_the_mean_over_all_ways) {
    static const struct {
        int topology;
        const char *sizes;
        fs_goal_kind kind;
        double bound;
    } cases[] = {
        {FS_NOC_FAT_TREE, "4 3", FS_GOAL_BIT_COMPLEMENT, 1},
        {FS_NOC_FAT_TREE, "4 3", FS_GOAL_TRANSPOSE, 1},
        {FS_NOC_FAT_TREE, "4 3", FS_GOAL_UNIFORM, 1},
        {FS_NOC_TORUS, "8 8", FS_GOAL_UNIFORM, 1},
        {FS_NOC_TORUS, "8 8", FS_GOAL_BIT_COMPLEMENT, 0.5},
        {FS_NOC_TORUS, "8 8", FS_GOAL_TORNADO, 1.0 / 3},
        {FS_NOC_MESH, "8 8", FS_GOAL_UNIFORM, 0.5},
        {FS_NOC_MESH, "6 6", FS_GOAL_UNIFORM, 4.0 / 6},
        {FS_NOC_MESH, "8 8", FS_GOAL_TORNADO, 1.0 / 3},
        {FS_NOC_MESH, "8 8", FS_GOAL_TRANSPOSE, 1.0 / 7},
        {FS_NOC_MESH, "8 8", FS_GOAL_HOTSPOT, 1 / (0.2 * 64 + 0.8)},
        {FS_NOC_MESH, "8", FS_GOAL_ALL_TO_ALL, 7.0 / 16},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bench *b = bench_of(cases[i].topology, cases[i].sizes, cases[i].kind, "");
        const double found = bound(b, cases[i].topology != FS_NOC_FAT_TREE);
        if (fabs(found / cases[i].bound - 1) > 1e-9)
            fail_msg("case %zu: %.6f, by hand %.6f", i, found, cases[i].bound);
        bench_free(b);
    }
}

/* Of 64 x 64 nodes destinations stand for all, and its links are counted line by line: k / 4 through the middle, of all
 * to all others n / (n - 1) of it. Hops have a closed form; the sample is within a hundredth of it. */
TEST(large_networks_are_sampled_and_their_links_are_not) {
    const double n = 4096;
    for (int i = 0; i < 2; i++) {
        bench *b = bench_of(FS_NOC_MESH, "64 64", i == 0 ? FS_GOAL_UNIFORM : FS_GOAL_ALL_TO_ALL, "");
        const fs_flow_outlook o = fs_flow_look(&b->setup, b->digits, b->arena);
        const double hops = 1 + 2 * (64.0 * 64 - 1) / (3 * 64) * (i == 0 ? 1 : n / (n - 1));
        assert_true(o.sampled > 0 && o.sampled < n && !o.busiest_sampled);
        assert_true(fabs(o.busiest / (16 * (i == 0 ? 1 : n / (n - 1))) - 1) < 1e-9);
        assert_true(fabs(o.routers / hops - 1) < 0.01);
        assert_true(fabs(o.latency / (4 * hops + 2) - 1) < 0.01);
        bench_free(b);
    }
    bench *hot = bench_of(FS_NOC_MESH, "64 64", FS_GOAL_HOTSPOT, "");
    const fs_flow_outlook o = fs_flow_look(&hot->setup, hot->digits, hot->arena);
    assert_true(o.busiest_sampled && fabs(o.busiest / (0.2 * n + 0.8) - 1) < 1e-9);
    const uint32_t two[] = {0, 4095}; /* each has half of what goes to both */
    hot->goals.hot = two;
    hot->goals.hots = 2;
    assert_true(fabs(fs_flow_look(&hot->setup, hot->digits, hot->arena).busiest / (0.1 * n + 0.8) - 1) <
                1e-9);
    bench_free(hot);
}

TEST(a_knee_lies_where_the_curve_bends) {
    bench *b = bench_of(FS_NOC_FAT_TREE, "4 3", FS_GOAL_BIT_COMPLEMENT, "");
    fs_flow_knee knee;
    fs_error err = {0};
    const double alone = fs_flow_look(&b->setup, (fs_noc_sizes){NULL, 0}, b->arena).latency;
    assert_int_equal(fs_flow_find(&b->setup, 3, alone, bound(b, false), &knee, &err), FS_OK);
    assert_true(knee.found && knee.load > 0.6 && knee.load < 0.75);
    b->setup.load = knee.load;
    const fs_flow *at = run(b);
    assert_true(at->whole && fs_latency_mean(&at->latency) < 3 * alone);
    b->setup.load = knee.load + 0.02;
    const fs_flow *above = run(b);
    assert_true(!above->whole || fs_latency_mean(&above->latency) > 2.5 * alone);
    /* A bound that is too low does not hide it. */
    assert_int_equal(fs_flow_find(&b->setup, 3, alone, 0.2, &knee, &err), FS_OK);
    assert_true(knee.found && knee.load > 0.6 && knee.load < 0.75);
    bench_free(b);
}

TEST(curves_without_a_knee_have_none) {
    bench *b = bench_of(FS_NOC_MESH, "2", FS_GOAL_BIT_COMPLEMENT, "");
    fs_flow_knee knee;
    fs_error err = {0};
    assert_int_equal(fs_flow_find(&b->setup, 3, 10, 1, &knee, &err), FS_OK);
    assert_true(!knee.found && knee.load > 0.999 && knee.load < 1.001);
    /* Nothing is as fast as half of a packet alone. */
    assert_fails(fs_flow_find(&b->setup, 0.5, 10, 1, &knee, &err), FS_RUN, &err, "workload.load: no knee: ");
    assert_non_null(strstr(err.text, "10 cycles, not below 0.5 times the 10 cycles of one alone"));
    fs_error_clear(&err);
    bench_free(b);
}

/* One in four has nine flits: three on the average; a packet alone on the line of two takes 9 cycles and its flits. */
TEST(packets_have_their_sizes) {
    static const fs_flow_size sizes[] = {{1, 0.75}, {9, 0.25}};
    bench *b = bench_of(FS_NOC_MESH, "2", FS_GOAL_BIT_COMPLEMENT, "");
    b->setup.sizes = sizes;
    b->setup.size_count = 2;
    b->setup.load = 0.003;
    b->setup.measure = 4000000;
    const fs_flow_outlook o = fs_flow_look(&b->setup, b->digits, b->arena);
    const fs_flow *f = run(b);
    const double packets = (double)f->measured;
    assert_true(fabs(fs_flow_mean_flits(&b->setup) - 3) < 1e-12);
    assert_true(fabs(o.latency - (9 + 3)) < 1e-9 && fabs(o.busiest - 1) < 1e-9);
    assert_true(packets > 7000 && fabs(packets / (0.001 * 2 * 4e6) - 1) < 0.04);
    assert_true(fabs((double)f->offered / packets - 3) < 4 * sqrt(12 / packets));
    assert_true(fabs((double)f->serial / packets - 2) < 4 * sqrt(12 / packets));
    assert_true(f->latency.max <= 9 + 9 + 9 && fs_latency_percentile(&f->latency, 50) == 10);
    bench_free(b);
}

/* The load is kept, and the packets of a burst wait for each other. */
TEST(bursts_keep_the_load) {
    bench *b = bench_of(FS_NOC_MESH, "4 4", FS_GOAL_UNIFORM, "");
    b->setup.load = 0.2;
    b->setup.measure = 100000;
    const fs_flow *steady = run(b);
    b->setup.on = 50;
    b->setup.off = 150;
    const fs_flow *bursts = run(b);
    assert_true(bursts->whole && fabs((double)bursts->offered / 16 / 1e5 / 0.2 - 1) < 0.05);
    print_message("latency %.2f, in bursts %.2f\n", fs_latency_mean(&steady->latency),
                  fs_latency_mean(&bursts->latency));
    assert_true(fs_latency_mean(&bursts->latency) > 1.03 * fs_latency_mean(&steady->latency));
    assert_true(fs_flow_most_packets(&b->setup) > 3.999 && fs_flow_most_packets(&b->setup) < 4.001);
    bench_free(b);
}

/* Nodes 0 and 1 send to 3, 0 twice as much as 1, which sends as much to 2: 2 and 3 send nothing. A load of L is 4 L
 * in all: 2 L of node 0, L and L of node 1. The way out to node 3 has 3 L of it. */
TEST_IN(a_table_has_rates, scratch_enter, scratch_leave) {
    scratch_write("t.csv", "node,goal,rate\r\n0,3,2\r\n1,3,1\r\n1,2,1\r\n\r\n");
    bench *b = bench_of(FS_NOC_MESH, "2 2", FS_GOAL_TABLE, "t.csv");
    assert_true(fabs(bound(b, true) - 1.0 / 3) < 1e-12);
    b->setup.load = 0.2;
    b->setup.measure = 100000;
    const fs_flow *f = run(b);
    assert_true(f->whole && f->source[2].measured == 0 && f->source[3].measured == 0);
    for (int i = 0; i < 2; i++) {
        assert_true(fabs((double)f->source[i].offered / 1e5 / 0.4 - 1) < 0.02);
        assert_true(fabs((double)f->source[i].accepted / 1e5 / 0.4 - 1) < 0.02);
        assert_true(f->source[i].arrived == f->source[i].measured && f->source[i].longest >= 14);
    }
    const uint32_t out = b->graph->links;
    assert_true(fabs((double)f->uses[out + 3].flits / 1e5 / 0.6 - 1) < 0.02);
    assert_true(fabs((double)f->uses[out + 2].flits / 1e5 / 0.2 - 1) < 0.03);
    b->setup.window = 3; /* a closed loop: nodes without goals have nothing under way */
    const fs_flow *closed = run(b);
    assert_true(closed->source[2].arrived == 0 && closed->source[1].arrived > 0);
    bench_free(b);
}

TEST_IN(mistakes_in_a_table_have_places, scratch_enter, scratch_leave) {
    static const char *const wrong[][2] = {
        {"0,3,2\n1,4,1\n", "t.csv:2:3: goal: expected a node, 0 ... 3, found \"4\""},
        {"0,3,x\n", "t.csv:1:5: rate: expected a number, 0 ... 1e12, found \"x\""},
        {"0,3,-1\n", "t.csv:1:5: rate: expected a number, 0 ... 1e12, found \"-1\""},
        {"0,3,inf\n", "t.csv:1:5: rate: expected a number, 0 ... 1e12, found \"inf\""},
        {"node;goal\n",
         "t.csv:1:1: node: expected a node, 0 ... 3, found \"node;goal\"; commas separate cells"},
        {"0,3,0\n", "t.csv: expected a line node,goal,rate with a rate above 0, found none"},
        {"", "t.csv: expected a line node,goal,rate with a rate above 0, found none"},
    };
    static const uint32_t four[] = {4};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        fs_arena *arena = test_arena();
        const fs_int_list none = {NULL, 0};
        fs_goals goals;
        fs_error err = {0};
        scratch_write("t.csv", wrong[i][0]);
        assert_int_equal(fs_goals_make(arena, FS_GOAL_TABLE, (fs_noc_sizes){four, 1}, &none, 0,
                                       (fs_goal_files){"", "t.csv"}, &goals, &err),
                         FS_INPUT);
        assert_string_equal(err.text, wrong[i][1]);
        fs_error_clear(&err);
    }
}

/* Above the bound queues grow; a few long packets that have not arrived are no proof of it. */
TEST(full_is_where_queues_grow) {
    bench *b = bench_of(FS_NOC_MESH, "4 4", FS_GOAL_TRANSPOSE, "");
    b->setup.load = 0.2; /* its middle carries a third */
    assert_false(fs_flow_is_full(run(b)));
    b->setup.load = 0.8;
    assert_true(fs_flow_is_full(run(b)));
    b->setup.flits = 2000;
    b->setup.load = 0.3;
    b->setup.warmup = 100;
    b->setup.measure = 1000;
    const fs_flow *few = run(b);
    assert_true((double)few->taken < 0.5 * (double)few->offered && !fs_flow_is_full(few));
    bench_free(b);
}

RUN_TESTS(NULL, NULL)
