/* The arbiter's details: what a network that is offered more than it carries accepts, to the flit. Pointers, candidates
 * and times of the router's rules (models/noc/net.h) each move these numbers; docs/design/mutations.md has them put
 * wrongly one by one. The numbers are the engine's own, once its curves held (test_reference). */
#include "models/noc/net.h"
#include "sim/base/rng.h"
#include "tests/support/network.h"
#include "tests/support/test.h"

enum { SIDE = 8, NODES = SIDE * SIDE, CYCLES = 2000 };

/* Flits taken in so many cycles when every node has packets to uniform goals waiting all the time. */
static uint64_t accepted(const fs_noc_graph *g, uint32_t flits) {
    fs_error err = {0};
    fs_noc_net *net = fs_noc_net_create(g, &(fs_noc_params){.channels = 4, .buffer = 8}, &err);
    assert_non_null(net);
    fs_rng rng = fs_rng_stream(1, "test/noc/arbiter");
    for (uint32_t t = 0; t < CYCLES; t++) {
        uint32_t count = 0;
        if (t % flits == 0)
            for (uint32_t e = 0; e < NODES; e++)
                fs_noc_offer(net, e, fs_rng_below(&rng, NODES), flits, 0, 0);
        fs_noc_step(net, &count);
    }
    assert_int_equal(fs_noc_check(net, &err), FS_OK);
    const uint64_t taken = fs_noc_taken(net);
    fs_noc_net_free(net);
    return taken;
}

TEST(overload_is_accepted_to_the_flit) {
    fs_arena *arena = test_arena();
    const fs_noc_graph *mesh = make_network(arena, (fs_noc_options){.topology = FS_NOC_MESH}, "8 8");
    const fs_noc_graph *torus =
        make_network(arena, (fs_noc_options){.topology = FS_NOC_TORUS, .link = 2}, "8 8");
    const struct {
        const fs_noc_graph *graph;
        uint32_t flits;
        uint64_t accepted;
    } cases[] = {{mesh, 1, 50843}, {mesh, 8, 50792}, {torus, 1, 67904}, {torus, 8, 67333}};
    size_t wrong = 0;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const uint64_t got = accepted(cases[i].graph, cases[i].flits);
        if (got != cases[i].accepted)
            print_error("%s, %u flits: %lu accepted, expected %lu\n", cases[i].graph->kind, cases[i].flits,
                        (unsigned long)got, (unsigned long)cases[i].accepted);
        wrong += got != cases[i].accepted;
    }
    assert_int_equal(wrong, 0);
}

/* One router, four end points. A flit of end point 1 moves the pointer of the way out to 3 behind it. Then 0 and 2 send
 * four flits each there in the same cycle. Both pick channel 0: the pointer behind 1 gives it to 2, and 0 waits a cycle
 * for channel 1. So 2 moves a flit alone; then the two take turns, and in each of six cycles one loses; the last flit
 * moves alone. */
TEST(each_wait_has_its_cause) {
    fs_arena *arena = test_arena();
    fs_error err = {0};
    fs_noc_plan *plan = fs_noc_plan_begin(arena, "star", 1);
    for (uint32_t e = 0; e < 4; e++)
        fs_noc_plan_end(plan, 0, 1);
    fs_noc_graph *g = fs_noc_plan_done(plan, &err);
    assert_int_equal(fs_noc_route_by_table(g, fs_noc_routes_shortest(arena, g, FS_NOC_FIRST), &err), FS_OK);
    fs_noc_net *net = fs_noc_net_create(g, &(fs_noc_params){.channels = 2, .buffer = 8}, &err);
    uint32_t count = 0, last[4] = {0};
    fs_noc_offer(net, 1, 3, 1, 0, 0);
    while (!fs_noc_is_idle(net))
        fs_noc_step(net, &count);
    const uint64_t from = fs_noc_now(net);
    fs_noc_offer(net, 0, 3, 4, 0, 0);
    fs_noc_offer(net, 2, 3, 4, 0, 0);
    while (!fs_noc_is_idle(net)) {
        const fs_noc_arrival *a = fs_noc_step(net, &count);
        for (uint32_t i = 0; i < count; i++)
            last[a[i].src] = (uint32_t)(a[i].arrived - from);
    }
    const fs_noc_use use = fs_noc_uses(net)[3];
    assert_int_equal(use.flits, 9);
    assert_int_equal(use.lost, 6);
    assert_int_equal(use.no_channel, 1);
    assert_int_equal(use.no_credit, 0);
    /* Heads are at the router in 2, the first flit moves in 3 and is taken in 6. */
    assert_int_equal(last[2], 6 + 6);
    assert_int_equal(last[0], 6 + 7);
    fs_noc_net_free(net);
}

/* One router, four end points. 2 sends eight flits to 3; 0 sends four to 3 and, on its other channel, two to 1 behind them. 0 and 2
 * take turns at the way out to 3, and in cycles 4, 5 and 6 one loses. In 7 both channels of 0 have a flit: after an output that has
 * had its turn comes 1, and the flit to 3 loses there. In 8 it is the turn of 3, where the flit to 1 loses, and 2 does, too. In 9 the
 * last flit to 1 moves, in 10 the last of 0, each before one that loses. */
TEST(channels_of_a_port_wait_for_each_other) {
    fs_arena *arena = test_arena();
    fs_error err = {0};
    fs_noc_plan *plan = fs_noc_plan_begin(arena, "star", 1);
    for (uint32_t e = 0; e < 4; e++)
        fs_noc_plan_end(plan, 0, 1);
    fs_noc_graph *g = fs_noc_plan_done(plan, &err);
    assert_int_equal(fs_noc_route_by_table(g, fs_noc_routes_shortest(arena, g, FS_NOC_FIRST), &err), FS_OK);
    fs_noc_net *net = fs_noc_net_create(g, &(fs_noc_params){.channels = 2, .buffer = 8}, &err);
    fs_noc_offer(net, 2, 3, 8, 0, 0);
    fs_noc_offer(net, 0, 3, 4, 0, 0);
    fs_noc_offer(net, 0, 1, 2, 0, 0);
    for (uint32_t count; !fs_noc_is_idle(net);)
        fs_noc_step(net, &count);
    const fs_noc_use *use = fs_noc_uses(net);
    assert_int_equal(use[1].lost, 2);
    assert_int_equal(use[3].lost, 3 + 2 + 1);
    fs_noc_net_free(net);
}

/* One router, one channel. The head of end point 1 stands behind a long packet of 0, and each cycle of it counts when it is
 * asked for, not only once the channel is free. */
TEST(a_wait_is_counted_while_it_lasts) {
    fs_arena *arena = test_arena();
    fs_error err = {0};
    fs_noc_plan *plan = fs_noc_plan_begin(arena, "star", 1);
    for (uint32_t e = 0; e < 3; e++)
        fs_noc_plan_end(plan, 0, 1);
    fs_noc_graph *g = fs_noc_plan_done(plan, &err);
    assert_int_equal(fs_noc_route_by_table(g, fs_noc_routes_shortest(arena, g, FS_NOC_FIRST), &err), FS_OK);
    fs_noc_net *net = fs_noc_net_create(g, &(fs_noc_params){.channels = 1, .buffer = 8}, &err);
    uint32_t count = 0;
    fs_noc_offer(net, 0, 2, 400, 0, 0);
    for (uint32_t t = 0; t < 50; t++)
        fs_noc_step(net, &count);
    fs_noc_offer(net, 1, 2, 4, 0, 0);
    for (uint32_t t = 0; t < 100; t++)
        fs_noc_step(net, &count);
    const uint64_t before = fs_noc_uses(net)[2].no_channel;
    for (uint32_t t = 0; t < 100; t++)
        fs_noc_step(net, &count);
    assert_int_equal(before, 100 - 2); /* the head is at the router in 2 */
    assert_int_equal(fs_noc_uses(net)[2].no_channel, before + 100);
    while (!fs_noc_is_idle(net))
        fs_noc_step(net, &count);
    /* The first flit of 400 moves in 3, and each a cycle later; the last one's channel is free in the cycle after it. */
    assert_int_equal(fs_noc_uses(net)[2].no_channel, 3 + 400 - (50 + 2));
    fs_noc_net_free(net);
}

/* One router; the way out takes five cycles, so that a place behind it is free again 2 x 5 + 3 cycles after a flit has moved there.
 * Of seven flits as many move in that time as there are places; the source's way of a cycle brings them sooner. */
TEST(an_end_point_gives_its_places_back) {
    enum { FLITS = 7, AGAIN = 2 * 5 + 3 };
    for (uint32_t places = 1; places <= FLITS; places++) {
        fs_arena *arena = test_arena();
        fs_error err = {0};
        fs_noc_plan *plan = fs_noc_plan_begin(arena, "star", 1);
        fs_noc_plan_end(plan, 0, 1);
        fs_noc_plan_end(plan, 0, 5);
        fs_noc_graph *g = fs_noc_plan_done(plan, &err);
        assert_int_equal(fs_noc_route_by_table(g, fs_noc_routes_shortest(arena, g, FS_NOC_FIRST), &err),
                         FS_OK);
        uint64_t took[2];
        for (int all = 0; all < 2; all++) {
            fs_noc_net *net = fs_noc_net_create(g, &(fs_noc_params){.channels = 1, .buffer = places}, &err);
            uint32_t count = 0;
            fs_noc_offer(net, 0, 1, all ? FLITS : 1, 0, 0);
            const fs_noc_arrival *a;
            do
                a = fs_noc_step(net, &count);
            while (count == 0);
            took[all] = a->arrived;
            fs_noc_net_free(net);
        }
        const uint32_t last = FLITS - 1;
        assert_int_equal(took[1] - took[0], last / places * AGAIN + last % places);
    }
}

RUN_TESTS(NULL, NULL)
