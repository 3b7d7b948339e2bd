/* Drawn graphs with drawn routes: refused, because packets find no way, go round or could wait for each other; or
 * drained, in a closed loop, whatever lengths, buffers and latencies are. None stands still, nothing is lost.
 *
 * A packet alone on drawn graphs and on all kinds of networks takes the cycles that fs_noc_alone says, and none of them
 * carries more than the bound by the ways allows. */
#include "models/noc/loads.h"
#include "sim/base/rng.h"
#include "tests/support/network.h"
#include "tests/support/test.h"

enum { GRAPHS = 1000, FLITS = 1000000, MOST_ROUTERS = 14, STILL = 20000, WINDOW = 3, SEED = 25 };

static uint32_t below(fs_rng *rng, uint32_t n) {
    return fs_rng_below(rng, n);
}

/* A tree or a ring of one way that joins all routers, and some links beside it; both ways, or one. */
static fs_noc_graph *draw_graph(fs_arena *arena, fs_rng *rng) {
    const uint32_t routers = 2 + below(rng, MOST_ROUTERS - 1), more = below(rng, 2 * routers);
    fs_error err = {0};
    fs_noc_plan *plan = fs_noc_plan_begin(arena, "drawn", routers);
    for (uint32_t r = 0; r < routers; r++)
        for (uint32_t e = below(rng, 3) + (r == 0); e > 0; e--)
            fs_noc_plan_end(plan, r, 1 + below(rng, 3));
    const bool ring = below(rng, 3) == 0;
    for (uint32_t r = 0; r < routers && ring; r++)
        fs_noc_plan_link(plan, r, (r + 1) % routers, 1 + below(rng, 4), 1);
    for (uint32_t r = 1; r < routers && !ring; r++) {
        const uint32_t to = below(rng, r), latency = 1 + below(rng, 4);
        fs_noc_plan_link(plan, r, to, latency, 1);
        fs_noc_plan_link(plan, to, r, latency, 1);
    }
    for (uint32_t i = 0; i < more; i++) {
        const uint32_t from = below(rng, routers), to = (from + 1 + below(rng, routers - 1)) % routers;
        fs_noc_plan_link(plan, from, to, 1 + below(rng, 4), 1);
        if (below(rng, 2) != 0)
            fs_noc_plan_link(plan, to, from, 1 + below(rng, 4), 1);
    }
    return fs_noc_plan_done(plan, &err);
}

/* Shortest ways, some of whose hops are drawn anew: any link, any channels. */
static const fs_noc_routes *draw_routes(fs_arena *arena, const fs_noc_graph *g, uint32_t channels,
                                        fs_rng *rng) {
    fs_noc_routes *table = fs_noc_routes_shortest(arena, g, (fs_noc_shortest)below(rng, 3));
    static const uint32_t parts[] = {0, 0, 2, 20};
    const uint32_t ports = parts[below(rng, 4)], some = parts[below(rng, 4)];
    for (uint32_t r = 0; r < g->routers; r++)
        for (uint32_t e = 0; e < g->ends; e++) {
            fs_noc_hop *hop = fs_noc_routes_at(table, r, e);
            if (g->end[e].router != r && below(rng, 100) < ports)
                hop->port = (uint16_t)below(rng, g->out_at[r + 1] - g->out_at[r]);
            if (below(rng, 100) < some) {
                hop->first = (uint8_t)below(rng, channels);
                hop->count = (uint8_t)(1 + below(rng, channels - hop->first));
            }
        }
    return table;
}

typedef struct tally {
    uint64_t flits, hops, drained, refused, rings;
} tally;

static void offer_one(fs_noc_net *net, const fs_noc_graph *g, uint32_t src, fs_rng *rng, uint64_t *made) {
    const uint32_t flits = 1 + below(rng, 9);
    fs_noc_offer(net, src, below(rng, g->ends), flits, 0, 0);
    *made += flits;
}

/* What links and ways out have carried is what routers have moved, also while packets hold them. */
static void check_carried(const fs_noc_net *net, const fs_noc_graph *g) {
    const fs_noc_use *uses = fs_noc_uses(net);
    uint64_t hops = 0;
    for (uint32_t l = 0; l < g->links + g->ends; l++)
        hops += uses[l].flits;
    assert_int_equal(fs_noc_sums_of(net).hops, hops);
}

/* Each end point has so many packets under way, until `flits` have been made; then all must arrive. */
static void drain(const fs_noc_graph *g, fs_noc_params params, uint64_t flits, fs_rng *rng, tally *sums) {
    fs_error err = {0};
    fs_noc_net *net = fs_noc_net_create(g, &params, &err);
    assert_non_null(net);
    uint64_t made = 0, latest = 0;
    uint32_t count = 0;
    for (uint32_t e = 0; e < WINDOW * g->ends; e++)
        offer_one(net, g, e % g->ends, rng, &made);
    while (!fs_noc_is_idle(net)) {
        const uint64_t now = fs_noc_now(net);
        const fs_noc_arrival *arrived = fs_noc_step(net, &count);
        if (count > 0)
            latest = now;
        for (uint32_t i = 0; i < count && made < flits; i++)
            offer_one(net, g, arrived[i].src, rng, &made);
        if (now - latest > STILL)
            fail_msg("%" PRIu32 " routers, %" PRIu32 " channels of %" PRIu32
                     " flits: nothing arrived in %d cycles",
                     g->routers, params.channels, params.buffer, STILL);
        if (now % 64 > 0)
            continue;
        assert_int_equal(fs_noc_check(net, &err), FS_OK);
        check_carried(net, g);
    }
    const fs_noc_sums s = fs_noc_sums_of(net);
    assert_int_equal(fs_noc_check(net, &err), FS_OK);
    check_carried(net, g);
    assert_true(s.whole && s.sent == made && s.taken == made);
    sums->flits += made;
    sums->hops += s.hops;
    fs_noc_net_free(net);
}

TEST(each_is_refused_or_drains) {
    fs_rng rng = fs_rng_stream(test_seed(SEED), "test/noc/graphs");
    tally sums = {0};
    for (uint32_t i = 0; i < GRAPHS; i++) {
        fs_arena *arena = test_arena();
        fs_error err = {0};
        const fs_noc_params params = {.channels = 1 + below(&rng, 4), .buffer = 1 + below(&rng, 6)};
        fs_noc_graph *g = draw_graph(arena, &rng);
        assert_non_null(g);
        const fs_noc_routes *table = draw_routes(arena, g, params.channels, &rng);
        const bool lost = fs_noc_route_by_table(g, table, &err) != FS_OK;
        const bool ring = !lost && fs_noc_check_deadlock(g, params.channels, &err) != FS_OK;
        assert_true(!ring || strstr(err.text, "wait for each other") != NULL);
        sums.refused += lost;
        sums.rings += ring;
        if (!lost && !ring) {
            drain(g, params, FLITS / 400, &rng, &sums);
            sums.drained++;
        }
    }
    print_message("%" PRIu64 " graphs drained, %" PRIu64 " flits over %" PRIu64 " links; %" PRIu64
                  " had packets without a way, %" PRIu64 " a ring\n",
                  sums.drained, sums.flits, sums.hops, sums.refused, sums.rings);
    assert_true(sums.flits >= FLITS && sums.drained > 300 && sums.refused > 100 && sums.rings > 100);
}

/* ---- a packet alone ---- */

/* A kind with drawn wires. */
static fs_noc_graph *draw_kind(fs_arena *arena, fs_rng *rng) {
    static const struct {
        int64_t topology;
        const char *sizes;
    } of[] = {{FS_NOC_MESH, "4 3"},       {FS_NOC_MESH, "7"},       {FS_NOC_RUCHE, "7 2"},
              {FS_NOC_TORUS, "4 3"},      {FS_NOC_FAT_TREE, "2 3"}, {FS_NOC_FLATTENED_BUTTERFLY, "3 2"},
              {FS_NOC_DRAGONFLY, "2 4 2"}};
    const uint32_t k = below(rng, sizeof of / sizeof *of);
    const fs_noc_options o = {.topology = of[k].topology,
                              .link = 1 + below(rng, 9),
                              .express = 2 + below(rng, 2),
                              .way = below(rng, 3),
                              .concentration = 4};
    return make_network(arena, o, of[k].sizes);
}

/* Cycles of a packet, by the engine. */
static uint64_t one_packet(fs_noc_net *net, uint32_t src, uint32_t dst, uint32_t flits) {
    const uint64_t from = fs_noc_now(net);
    uint32_t count = 0;
    uint64_t cycles = 0;
    fs_noc_offer(net, src, dst, flits, 0, 0);
    while (!fs_noc_is_idle(net)) {
        const fs_noc_arrival *arrived = fs_noc_step(net, &count);
        if (count > 0)
            cycles = arrived->arrived - from;
    }
    return cycles;
}

/* From and to each end point, one packet after another: their numbers count up. Returns packets. */
static uint32_t compare_alone(const fs_noc_graph *g, const fs_noc_params *params, uint32_t flits) {
    fs_error err = {0};
    fs_noc_net *net = fs_noc_net_create(g, params, &err);
    assert_non_null(net);
    uint32_t number = 0;
    for (uint32_t src = 0; src < g->ends; src++)
        for (uint32_t dst = 0; dst < g->ends; dst++, number++) {
            const uint64_t is = one_packet(net, src, dst, flits),
                           said = fs_noc_alone(g, params, src, dst, number, flits);
            if (is != said)
                fail_msg("%s: %" PRIu32 " to %" PRIu32 ", %" PRIu32 " flits, buffers of %" PRIu32 ": %" PRIu64
                         " cycles, said to be %" PRIu64,
                         g->kind, src, dst, flits, params->buffer, is, said);
        }
    fs_noc_net_free(net);
    return number;
}

/* The mean over all pairs and tosses is that of many packets; to the last digit, where none of them goes another way. */
static void compare_means(fs_arena *arena, const fs_noc_graph *g, const fs_noc_params *params,
                          uint32_t flits) {
    enum { PACKETS = 64 };
    fs_noc_loads *l = fs_noc_loads_begin(arena, g, params, flits);
    double *one = FS_NEW(arena, double, g->ends), sum = 0;
    double *through = FS_NEW(arena, double, (size_t)g->links + g->ends);
    bool same = true;
    for (uint32_t e = 0; e < g->ends; e++)
        one[e] = 1;
    for (uint32_t dst = 0; dst < g->ends; dst++) {
        fs_noc_loads_add(l, dst, g->ends, NULL, one);
        for (uint32_t src = 0; src < g->ends; src++) {
            const uint64_t first = fs_noc_alone(g, params, src, dst, 0, flits);
            for (uint32_t number = 0; number < PACKETS; number++) {
                const uint64_t cycles = fs_noc_alone(g, params, src, dst, number, flits);
                fs_noc_way_of(g, params->channels, src, dst, number, through, 1.0 / PACKETS);
                sum += (double)cycles / PACKETS;
                same &= cycles == first;
            }
        }
    }
    fs_noc_loads_end(l);
    assert_true(fabs(l->latency - sum) < (same ? 1e-9 : 0.02) * sum);
    for (uint32_t i = 0; i < g->links + g->ends; i++)
        assert_true(fabs(l->through[i] - through[i]) < 0.05 * l->rate &&
                    (l->through[i] > 0) == (through[i] > 0));
}

TEST(a_packet_alone_takes_what_is_said) {
    fs_rng rng = fs_rng_stream(test_seed(SEED), "test/noc/alone");
    uint64_t packets = 0;
    for (uint32_t i = 0; i < GRAPHS; i++) {
        fs_arena *arena = test_arena();
        fs_error err = {0};
        const fs_noc_params params = {
            .channels = 4, .buffer = 1 + below(&rng, 20), .free = below(&rng, 10) == 0};
        const bool drawn = below(&rng, 2) == 0;
        fs_noc_graph *g = drawn ? draw_graph(arena, &rng) : draw_kind(arena, &rng);
        assert_non_null(g);
        if (!drawn ||
            fs_noc_route_by_table(g, fs_noc_routes_shortest(arena, g, (fs_noc_shortest)below(&rng, 3)),
                                  &err) == FS_OK) {
            const uint32_t flits = 1 + below(&rng, 60);
            packets += compare_alone(g, &params, flits);
            compare_means(arena, g, &params, flits);
        }
    }
    print_message("%" PRIu64 " packets\n", packets);
    assert_true(packets > 50000);
}

/* ---- the bound ---- */

enum { UNIFORM, HOTSPOT, PERMUTATION, PATTERNS };

/* Where each end point sends: to one, to any, or every third packet to one of them. */
typedef struct pattern {
    int kind;
    uint32_t ends, hot, *goal;
} pattern;

static pattern draw_pattern(fs_arena *arena, uint32_t ends, fs_rng *rng) {
    pattern p = {(int)below(rng, PATTERNS), ends, below(rng, ends), FS_NEW(arena, uint32_t, ends)};
    for (uint32_t e = 0; e < ends; e++) {
        const uint32_t other = below(rng, e + 1);
        p.goal[e] = p.goal[other];
        p.goal[other] = e;
    }
    return p;
}

static double share(const pattern *p, uint32_t src, uint32_t dst) {
    return p->kind == PERMUTATION ? p->goal[src] == dst
           : p->kind == HOTSPOT   ? (p->hot == dst) / 3.0 + 2.0 / 3 / p->ends
                                  : 1.0 / p->ends;
}

static uint32_t draw_goal(const pattern *p, uint32_t src, fs_rng *rng) {
    return p->kind == PERMUTATION                     ? p->goal[src]
           : p->kind == HOTSPOT && below(rng, 3) == 0 ? p->hot
                                                      : below(rng, p->ends);
}

/* Flits a cycle and end point at which the busiest link is never idle. */
static double bound_of(fs_arena *arena, const fs_noc_graph *g, const fs_noc_params *params,
                       const pattern *p) {
    fs_noc_loads *l = fs_noc_loads_begin(arena, g, params, 1);
    double *rate = FS_NEW(arena, double, g->ends), most = 0;
    for (uint32_t dst = 0; dst < g->ends; dst++) {
        for (uint32_t src = 0; src < g->ends; src++)
            rate[src] = share(p, src, dst);
        fs_noc_loads_add(l, dst, g->ends, NULL, rate);
    }
    fs_noc_loads_end(l);
    for (uint32_t i = 0; i < g->links + g->ends; i++)
        most = l->through[i] > most ? l->through[i] : most;
    return 1 / most;
}

/* Flits that were made and not taken, after so many cycles of a load. */
static uint64_t backlog(fs_noc_net *net, const pattern *p, double load, uint32_t flits, uint64_t cycles,
                        fs_rng *rng) {
    uint64_t made = 0;
    uint32_t count;
    const uint64_t before = fs_noc_taken(net);
    for (uint64_t t = 0; t < cycles; t++) {
        for (uint32_t e = 0; e < p->ends; e++)
            if (fs_rng_unit(rng) < load / flits) {
                fs_noc_offer(net, e, draw_goal(p, e, rng), flits, 0, 0);
                made += flits;
            }
        fs_noc_step(net, &count);
    }
    const uint64_t taken = fs_noc_taken(net) - before;
    return made > taken ? made - taken : 0;
}

/* With a tenth more than the bound the busiest link has a tenth of a flit too many in each cycle: they pile up, whatever
 * the network, the pattern and the packets are. */
TEST(no_network_carries_more_than_its_bound) {
    enum { NETWORKS = 150, WARM = 500, CYCLES = 5000, LEAST = CYCLES / 25 };
    fs_rng rng = fs_rng_stream(test_seed(SEED), "test/noc/bound");
    uint32_t held = 0;
    for (uint32_t i = 0; i < NETWORKS; i++) {
        fs_arena *arena = test_arena();
        fs_error err = {0};
        const fs_noc_params params = {.channels = 4, .buffer = 4 + below(&rng, 13)};
        fs_noc_graph *g = below(&rng, 4) == 0 ? draw_graph(arena, &rng) : draw_kind(arena, &rng);
        const bool drawn = g->rule == NULL;
        if (!drawn ||
            (fs_noc_route_by_table(g, fs_noc_routes_shortest(arena, g, FS_NOC_FASTEST), &err) == FS_OK &&
             fs_noc_check_deadlock(g, params.channels, &err) == FS_OK)) {
            const pattern p = draw_pattern(arena, g->ends, &rng);
            const double bound = bound_of(arena, g, &params, &p), load = 1.1 * bound;
            fs_noc_net *net = fs_noc_net_create(g, &params, &err);
            const uint32_t flits = 1 + below(&rng, 5);
            if (load < 1) {
                backlog(net, &p, load, flits, WARM, &rng);
                const uint64_t more = backlog(net, &p, load, flits, CYCLES, &rng);
                if (more < LEAST)
                    fail_msg("network %" PRIu32
                             ", %s, pattern %d: %g flits a cycle and node are %g of the bound, and "
                             "%" PRIu64 " of them are left",
                             i, g->kind, p.kind, load, load / bound, more);
                held++;
            }
            fs_noc_net_free(net);
        }
    }
    print_message("%" PRIu32 " networks\n", held);
    assert_true(held > NETWORKS / 3);
}

RUN_TESTS(NULL, NULL)
