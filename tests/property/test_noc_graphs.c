/* Drawn graphs with drawn routes: refused, because packets find no way, go round or could wait for each other; or
 * drained, in a closed loop, whatever lengths, buffers and latencies are. None stands still, nothing is lost.
 *
 * A packet alone on drawn graphs and on all kinds of networks takes the cycles that fs_noc_alone says. */
#include "models/noc/loads.h"
#include "sim/base/rng.h"
#include "tests/support/network.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

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
static const fs_noc_hop *draw_routes(fs_arena *arena, const fs_noc_graph *g, uint32_t channels, fs_rng *rng) {
    fs_noc_hop *table = fs_noc_shortest_ways(arena, g);
    static const uint32_t parts[] = {0, 0, 2, 20};
    const uint32_t ports = parts[below(rng, 4)], some = parts[below(rng, 4)];
    for (uint32_t r = 0; r < g->routers; r++)
        for (uint32_t e = 0; e < g->ends; e++) {
            fs_noc_hop *hop = &table[r * g->ends + e];
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
        if (now % 64 == 0)
            assert_int_equal(fs_noc_check(net, &err), FS_OK);
    }
    const fs_noc_sums s = fs_noc_sums_of(net);
    uint64_t hops = 0;
    for (uint32_t l = 0; l < g->links + g->ends; l++)
        hops += fs_noc_uses(net)[l].flits;
    assert_int_equal(fs_noc_check(net, &err), FS_OK);
    assert_true(s.whole && s.sent == made && s.taken == made && s.hops == hops);
    sums->flits += made;
    sums->hops += hops;
    fs_noc_net_free(net);
}

static void each_is_refused_or_drains(void **state) {
    (void)state;
    const char *chosen = getenv("NOC_SEED");
    const uint64_t seed = chosen != NULL ? strtoull(chosen, NULL, 10) : SEED;
    fs_rng rng = fs_rng_stream(seed, "test/noc/graphs");
    tally sums = {0};
    print_message("seed %" PRIu64 "\n", seed);
    for (uint32_t i = 0; i < GRAPHS; i++) {
        fs_arena *arena = fs_arena_create();
        fs_error err = {0};
        const fs_noc_params params = {.channels = 1 + below(&rng, 4), .buffer = 1 + below(&rng, 6)};
        fs_noc_graph *g = draw_graph(arena, &rng);
        assert_non_null(g);
        const fs_noc_hop *table = draw_routes(arena, g, params.channels, &rng);
        const bool lost = fs_noc_route_by_table(g, table, &err) != FS_OK;
        const bool ring = !lost && fs_noc_check_deadlock(g, params.channels, &err) != FS_OK;
        assert_true(!ring || strstr(err.text, "wait for each other") != NULL);
        sums.refused += lost;
        sums.rings += ring;
        if (!lost && !ring) {
            drain(g, params, FLITS / 400, &rng, &sums);
            sums.drained++;
        }
        fs_arena_free(arena);
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

/* With its mean over all pairs and tosses, where links are alike or nothing is tossed. */
static void a_packet_alone_takes_what_is_said(void **state) {
    (void)state;
    const char *chosen = getenv("NOC_SEED");
    const uint64_t seed = chosen != NULL ? strtoull(chosen, NULL, 10) : SEED;
    fs_rng rng = fs_rng_stream(seed, "test/noc/alone");
    uint64_t packets = 0;
    print_message("seed %" PRIu64 "\n", seed);
    for (uint32_t i = 0; i < GRAPHS; i++) {
        fs_arena *arena = fs_arena_create();
        fs_error err = {0};
        const fs_noc_params params = {
            .channels = 4, .buffer = 1 + below(&rng, 20), .free = below(&rng, 10) == 0};
        const bool drawn = below(&rng, 2) == 0;
        fs_noc_graph *g = drawn ? draw_graph(arena, &rng) : draw_kind(arena, &rng);
        assert_non_null(g);
        if (!drawn || fs_noc_route_by_table(g, fs_noc_shortest_ways(arena, g), &err) == FS_OK) {
            const uint32_t flits = 1 + below(&rng, 60);
            packets += compare_alone(g, &params, flits);
            fs_noc_loads *l = fs_noc_loads_begin(arena, g, &params, flits);
            double *one = FS_NEW(arena, double, g->ends), sum = 0;
            for (uint32_t e = 0; e < g->ends; e++)
                one[e] = 1;
            for (uint32_t dst = 0; dst < g->ends; dst++) {
                fs_noc_loads_add(l, dst, g->ends, NULL, one);
                for (uint32_t src = 0; src < g->ends; src++)
                    sum += (double)fs_noc_alone(g, &params, src, dst, src, flits);
            }
            fs_noc_loads_end(l);
            assert_true(fabs(l->latency - sum) < 1e-9 * sum);
        }
        fs_arena_free(arena);
    }
    print_message("%" PRIu64 " packets\n", packets);
    assert_true(packets > 50000);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_is_refused_or_drains),
                                       cmocka_unit_test(a_packet_alone_takes_what_is_said)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
