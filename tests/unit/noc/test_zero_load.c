/* A packet alone on a network, between all pairs of end points: its time is a closed form of the routers that it
 * passes, which are counted here from the shape alone, not by the rule. */
#include "models/noc/net.h"
#include "tests/support/network.h"
#include "tests/support/test.h"

typedef struct shape {
    const char *name;
    fs_noc_graph *graph;
    /* links that a packet crosses, and cycles by which these and the end points' are longer than one */
    uint32_t (*links)(uint32_t src, uint32_t dst, uint32_t *longer);
} shape;

static uint32_t apart(uint32_t a, uint32_t b) {
    return a > b ? a - b : b - a;
}

static uint32_t around(uint32_t a, uint32_t b) {
    const uint32_t d = apart(a, b);
    return d < 8 - d ? d : 8 - d;
}

static uint32_t of_mesh(uint32_t src, uint32_t dst, uint32_t *longer) {
    *longer = 0;
    return apart(src % 8, dst % 8) + apart(src / 8, dst / 8);
}

/* Links of a torus are folded: two cycles. */
static uint32_t of_torus(uint32_t src, uint32_t dst, uint32_t *longer) {
    const uint32_t links = around(src % 8, dst % 8) + around(src / 8, dst / 8);
    *longer = links;
    return links;
}

/* One way round: to the right, then up; links of a cycle. */
static uint32_t of_one_way(uint32_t src, uint32_t dst, uint32_t *longer) {
    *longer = 0;
    return (dst % 8 + 8 - src % 8) % 8 + (dst / 8 + 8 - src / 8) % 8;
}

/* Express links over 3 places in x. */
static uint32_t of_ruche(uint32_t src, uint32_t dst, uint32_t *longer) {
    const uint32_t x = apart(src % 8, dst % 8);
    *longer = 0;
    return x / 3 + x % 3 + apart(src / 8, dst / 8);
}

static uint32_t of_fat_tree(uint32_t src, uint32_t dst, uint32_t *longer) {
    *longer = 0;
    return src / 4 == dst / 4 ? 0 : src / 16 == dst / 16 ? 2 : 4;
}

/* 4 x 4 routers with 2 x 2 end points each; a link is as long as the end points that it passes. */
static uint32_t of_butterfly(uint32_t src, uint32_t dst, uint32_t *longer) {
    const uint32_t x = apart(src % 8 / 2, dst % 8 / 2), y = apart(src / 16, dst / 16);
    *longer = (x > 0 ? 2 * x - 1 : 0) + (y > 0 ? 2 * y - 1 : 0);
    return (uint32_t)(x > 0) + (uint32_t)(y > 0);
}

/* Eight groups of four routers with two end points each: over the router that has the link to the other group and
 * the one at which it arrives. A link of a group of 2 x 2, and one to another of the 3 x 3 groups, is as long as the
 * places between its routers. */
static uint32_t of_dragonfly(uint32_t src, uint32_t dst, uint32_t *longer) {
    const uint32_t from = src / 2, to = dst / 2, a = from / 4, b = to / 4;
    const uint32_t leaves = a * 4 + (b + 7 - a) % 8 / 2, enters = b * 4 + (a + 7 - b) % 8 / 2;
    const uint32_t way[] = {from, a == b ? from : leaves, a == b ? to : enters, to};
    uint32_t links = 0;
    *longer = 0;
    for (uint32_t i = 0; i < 3; i++) {
        const uint32_t x[] = {way[i] / 4 % 3 * 2 + way[i] % 2, way[i + 1] / 4 % 3 * 2 + way[i + 1] % 2};
        const uint32_t y[] = {way[i] / 12 * 2 + way[i] % 4 / 2, way[i + 1] / 12 * 2 + way[i + 1] % 4 / 2};
        links += way[i] != way[i + 1];
        *longer += way[i] != way[i + 1] ? apart(x[0], x[1]) + apart(y[0], y[1]) - 1 : 0;
    }
    return links;
}

static uint64_t alone(fs_noc_net *net, uint32_t src, uint32_t dst, uint32_t flits, uint32_t *routers) {
    uint32_t count = 0;
    const uint64_t from = fs_noc_now(net);
    fs_noc_offer(net, src, dst, flits, 0, 7);
    for (;;) {
        const fs_noc_arrival *arrived = fs_noc_step(net, &count);
        if (count == 0)
            continue;
        assert_int_equal(count, 1);
        assert_int_equal(arrived->src, src);
        assert_int_equal(arrived->dst, dst);
        assert_int_equal(arrived->tag, 7);
        assert_int_equal(arrived->flits, flits);
        assert_true(arrived->offered == from && arrived->injected == from);
        *routers = arrived->routers;
        const uint64_t cycles = arrived->arrived - from;
        while (!fs_noc_is_idle(net))
            fs_noc_step(net, &count);
        return cycles;
    }
}

enum { RULES, RESERVED, FREE };

/* Of routers for free the cycles of the links alone, the two of the end points with them. */
static void check(const shape *s, int how) {
    static const uint32_t lengths[] = {1, 8};
    fs_error err = {0};
    assert_non_null(s->graph);
    assert_int_equal(s->graph->ends, 64);
    assert_int_equal(fs_noc_check_deadlock(s->graph, 4, &err), FS_OK);
    const fs_noc_params params = {
        .channels = 4, .buffer = 8, .reserve = how == RESERVED, .free = how == FREE};
    fs_noc_net *net = fs_noc_net_create(s->graph, &params, &err);
    assert_non_null(net);
    uint64_t sent = 0, hops = 0;
    for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++)
        for (uint32_t src = 0; src < 64; src++)
            for (uint32_t dst = 0; dst < 64; dst++) {
                uint32_t longer = 0, passed = 0;
                const uint32_t routers = s->links(src, dst, &longer) + 1;
                const uint64_t cycles = alone(net, src, dst, lengths[l], &passed);
                const uint64_t head = how == FREE ? routers + 1 : 4 * routers + 2;
                if (passed != routers || cycles != head + lengths[l] - 1 + longer)
                    fail_msg(
                        "%s: %u to %u, %u flits: %u routers and %lu cycles, expected %u routers, %u longer",
                        s->name, src, dst, lengths[l], passed, (unsigned long)cycles, routers, longer);
                const fs_noc_way way = fs_noc_way_of(s->graph, 4, src, dst, 0, NULL, 0);
                assert_int_equal(way.routers, routers);
                assert_int_equal(fs_noc_alone(s->graph, &params, src, dst, 0, lengths[l]), cycles);
                sent += lengths[l];
                hops += (uint64_t)lengths[l] * routers;
            }
    const fs_noc_sums sums = fs_noc_sums_of(net);
    assert_true(sums.whole && sums.sent == sent && sums.taken == sent && sums.hops == hops);
    fs_noc_net_free(net);
}

TEST(all_pairs_take_the_closed_form) {
    fs_arena *arena = test_arena();
    const shape shapes[] = {
        {"mesh", make_network(arena, (fs_noc_options){.topology = FS_NOC_MESH}, "8 8"), of_mesh},
        {"ruche", make_network(arena, (fs_noc_options){.topology = FS_NOC_RUCHE, .express = 3}, "8 8"),
         of_ruche},
        {"torus", make_network(arena, (fs_noc_options){.topology = FS_NOC_TORUS, .link = 2}, "8 8"),
         of_torus},
        {"torus of one way",
         make_network(arena, (fs_noc_options){.topology = FS_NOC_TORUS, .way = FS_NOC_UPWARDS}, "8 8"),
         of_one_way},
        {"fat tree", make_network(arena, (fs_noc_options){.topology = FS_NOC_FAT_TREE}, "4 3"), of_fat_tree},
        {"flattened butterfly",
         make_network(arena, (fs_noc_options){.topology = FS_NOC_FLATTENED_BUTTERFLY, .concentration = 4},
                      "4 4"),
         of_butterfly},
        {"dragonfly",
         make_network(arena, (fs_noc_options){.topology = FS_NOC_DRAGONFLY, .concentration = 2}, "4 8 2"),
         of_dragonfly},
    };
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        for (int how = RULES; how <= FREE; how++)
            check(&shapes[i], how);
}

/* Routers for free on a mesh of 8 x 8: where every node sends to the one across the middle, none meets another; where all send
 * 8 flits to node 0, it takes one in each cycle from the first head's arrival on: two cycles of the end points, one of
 * a link. */
TEST(free_routers_leave_the_ports) {
    enum { FLITS = 8 };
    fs_arena *arena = test_arena();
    fs_error err = {0};
    const fs_noc_graph *g = make_network(arena, (fs_noc_options){.topology = FS_NOC_MESH}, "8 8");
    fs_noc_net *net = fs_noc_net_create(g, &(fs_noc_params){.channels = 4, .buffer = 8, .free = true}, &err);
    assert_non_null(net);
    for (int all = 0; all <= 1; all++) {
        uint32_t left = 0, count = 0;
        const uint64_t from = fs_noc_now(net);
        for (uint32_t i = (uint32_t)all; i < 64; i++, left++)
            fs_noc_offer(net, i, all ? 0 : 63 - i, FLITS, 0, i);
        uint64_t last = 0;
        while (left > 0) {
            const fs_noc_arrival *a = fs_noc_step(net, &count);
            assert_true(count <= 64);
            for (uint32_t k = 0; k < count; k++, left--) {
                uint32_t longer = 0;
                last = a[k].arrived - from;
                if (!all)
                    assert_int_equal(last, of_mesh(a[k].src, a[k].dst, &longer) + 2 + FLITS - 1);
            }
        }
        if (all)
            assert_int_equal(last, 3 + 63 * FLITS - 1);
        assert_int_equal(fs_noc_check(net, &err), FS_OK);
    }
    const fs_noc_sums sums = fs_noc_sums_of(net);
    assert_true(sums.whole && sums.sent == 127 * FLITS && sums.taken == sums.sent);
    fs_noc_net_free(net);
}

/* A source sends a flit a cycle, so that its second packet leaves when the first has. */
TEST(a_source_of_free_routers_sends_its_flits) {
    enum { FLITS = 8 };
    fs_arena *arena = test_arena();
    fs_error err = {0};
    const fs_noc_graph *g = make_network(arena, (fs_noc_options){.topology = FS_NOC_MESH}, "8 8");
    fs_noc_net *net = fs_noc_net_create(g, &(fs_noc_params){.channels = 4, .buffer = 8, .free = true}, &err);
    assert_non_null(net);
    fs_noc_offer(net, 0, 5, FLITS, 0, 0);
    fs_noc_offer(net, 0, 40, FLITS, 0, 1);
    while (!fs_noc_is_idle(net)) {
        uint32_t count = 0;
        const fs_noc_arrival *a = fs_noc_step(net, &count);
        for (uint32_t k = 0; k < count; k++)
            assert_int_equal(a[k].injected - a[k].offered, a[k].tag * FLITS);
    }
    fs_noc_net_free(net);
}

/* One channel on rings: refused with the ring, by the check and by the engine. */
TEST(a_ring_of_waiting_packets_is_named) {
    static const int64_t ways[] = {FS_NOC_DOWNWARDS, FS_NOC_BOTH_WAYS, FS_NOC_UPWARDS};
    fs_arena *arena = test_arena();
    fs_error err = {0};
    for (size_t i = 0; i < 3; i++) {
        const fs_noc_graph *g =
            make_network(arena, (fs_noc_options){.topology = FS_NOC_TORUS, .way = ways[i]}, "5");
        assert_fails(fs_noc_check_deadlock(g, 1, &err), FS_INPUT, &err, "in a ring of 5 links, routers ");
        assert_non_null(strstr(err.text, "a ring needs 2 classes"));
        fs_error_clear(&err);
        assert_null(fs_noc_net_create(g, &(fs_noc_params){.channels = 1, .buffer = 8}, &err));
        assert_non_null(strstr(err.text, "expected at least 2 virtual channels, found 1"));
        fs_error_clear(&err);
        for (uint32_t channels = 2; channels <= 5; channels++)
            assert_int_equal(fs_noc_check_deadlock(g, channels, &err), FS_OK);
    }
}

/* Every two groups have a link, or the sizes are refused; one class of channels does not do. */
TEST(a_dragonfly_is_fully_joined) {
    static const int64_t more[] = {3, 8, 2};
    fs_arena *arena = test_arena();
    fs_error err = {0};
    const fs_noc_graph *g = make_network(arena, (fs_noc_options){.topology = FS_NOC_DRAGONFLY}, "3 7 2");
    bool joined[7][7] = {{false}};
    uint32_t far = 0;
    for (uint32_t l = 0; l < g->links; l++)
        if (g->link[l].from / 3 != g->link[l].to / 3) {
            assert_false(joined[g->link[l].from / 3][g->link[l].to / 3]);
            joined[g->link[l].from / 3][g->link[l].to / 3] = true;
            far++;
        }
    assert_int_equal(far, 7 * 6);
    assert_int_equal(fs_noc_check_deadlock(g, 2, &err), FS_OK);
    assert_fails(fs_noc_check_deadlock(g, 1, &err), FS_INPUT, &err, "a group's links need 2 classes");
    fs_error_clear(&err);
    const fs_noc_options o = {
        .topology = FS_NOC_DRAGONFLY, .size = {more, 3}, .size_given = true, .concentration = 1, .vcs = 4};
    assert_null(fs_noc_make(arena, &o, &err));
    assert_non_null(strstr(err.text, "join 7 groups; expected at most so many, found 8"));
}

/* A broadcast from a corner of 4 x 4: along the row, then up all columns; 15 links and 16 ways out, each once. */
TEST(a_broadcast_is_a_tree) {
    uint32_t ends[16];
    fs_arena *arena = test_arena();
    const fs_noc_graph *g =
        make_network(arena, (fs_noc_options){.topology = FS_NOC_MESH, .pitch = 750}, "4 4");
    for (uint32_t e = 0; e < 16; e++)
        ends[e] = e;
    const fs_noc_work tree = fs_noc_work_of_tree(g, 4, 0, 0, ends, 16);
    assert_int_equal(tree.length, 15 * 750);
    assert_int_equal(tree.taken, 16);
    /* Out of corners (2 ports beyond one), edges (3) and inner routers (4): ways out of all, then links. */
    const uint64_t out = 4 * 2 + 8 * 3 + 4 * 4, row = 2 + 3 + 3, columns = 2 * (2 + 3 + 3) + 2 * (3 + 4 + 4);
    assert_int_equal(tree.ports, out + row + columns);
}

/* A wire goes half the width of what the upper router spans: 8 and 32 places in a tree of 4 x 4 x 4. */
TEST(wires_of_a_fat_tree_span_half) {
    fs_arena *arena = test_arena();
    const fs_noc_graph *g = make_network(arena, (fs_noc_options){.topology = FS_NOC_FAT_TREE}, "4 3");
    assert_int_equal(fs_noc_way_of(g, 4, 0, 4, 0, NULL, 0).length, 2 * 8 * 1000);
    for (uint32_t number = 0; number < 20; number++)
        assert_int_equal(fs_noc_way_of(g, 4, 0, 63, number, NULL, 0).length, 2 * (8 + 32) * 1000);
}

/* Three routers, each with a link to the next one; and 30 others, over which each reaches the one behind the next as
 * fast. Only where all three take the next one's of their 31 ways could packets wait in a ring: that is found. */
TEST(a_ring_of_rare_ways_is_found) {
    enum { MIDDLE = 30 };
    fs_arena *arena = test_arena();
    fs_error err = {0};
    for (int ring = 0; ring <= 1; ring++) {
        fs_noc_plan *plan = fs_noc_plan_begin(arena, "triangle", 3 + MIDDLE);
        for (uint32_t r = 0; r < 3; r++) {
            fs_noc_plan_end(plan, r, 1);
            for (uint32_t m = 3; m < 3 + MIDDLE; m++) {
                if (m == 3 + MIDDLE / 2 && (ring != 0 || r < 2))
                    fs_noc_plan_link(plan, r, (r + 1) % 3, 1, 1);
                fs_noc_plan_link(plan, r, m, 1, 1);
                fs_noc_plan_link(plan, m, r, 1, 1);
            }
        }
        fs_noc_graph *g = fs_noc_plan_done(plan, &err);
        assert_int_equal(fs_noc_route_by_table(g, fs_noc_routes_shortest(arena, g, FS_NOC_FEWEST), &err),
                         FS_OK);
        assert_int_equal(fs_noc_check_deadlock(g, 4, &err), ring != 0 ? FS_INPUT : FS_OK);
    }
    assert_non_null(strstr(err.text, "in a ring of 3 links, routers 0 -> 1 -> 2 -> 0"));
}

RUN_TESTS(NULL, NULL)
