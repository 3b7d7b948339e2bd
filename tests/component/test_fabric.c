/* A fabric with a network (models/fabric/network.c): messages alone against closed forms, what two that meet cost,
 * places of tiles, and what is refused. */
#include "models/energy/books.h"
#include "models/fabric/fabric.h"

#include "sim/base/rng.h"
#include "tests/support/chip.h"
#include "tests/support/test.h"

enum { TILES = 96, COLUMNS = 8 }; /* of the small chip: 8 x 12 tiles */

static const int64_t grid[] = {8, 12};

static fs_machine_params machine(void) {
    fs_machine_params m = fs_test_small();
    m.exchange.kind = FS_FABRIC_NOC;
    m.exchange.mode = FS_EXCHANGE_DYNAMIC;
    m.noc = (fs_noc_options){.topology = FS_NOC_MESH,
                             .size = {(int64_t *)grid, 2},
                             .size_given = true,
                             .vcs = 4,
                             .buffer = 16,
                             .link = 1,
                             .pitch = 750,
                             .width = 4,
                             .packet = 256,
                             .header = 1};
    return m;
}

static fs_fabric *fabric(fs_arena *arena, const fs_machine_params *m, const fs_transfer *transfers,
                         uint32_t count) {
    static fs_error err;
    fs_error_clear(&err);
    const fs_fabric_chip chip = fs_machine_fabric(m, TILES);
    fs_fabric *f =
        fs_fabric_create(arena, &chip, &(fs_exchange_lanes){.transfers = transfers, .count = count}, &err);
    assert_got(f, &err);
    return f;
}

/* Place of a tile on the grid: its super-tile's, and its own in that. */
static fs_position place(const fs_machine_params *m, uint32_t tile) {
    const fs_position p = fs_geometry_position(&m->geometry, tile);
    return (fs_position){.column = 2 * p.column + p.sub % 2, .row = 2 * p.row + p.sub / 2};
}

static uint32_t apart(uint32_t a, uint32_t b) {
    return a > b ? a - b : b - a;
}

/* Routers from one tile to another, both ends' included. */
static uint32_t routers(const fs_machine_params *m, uint32_t a, uint32_t b) {
    const fs_position p = place(m, a), q = place(m, b);
    return apart(p.column, q.column) + apart(p.row, q.row) + 1;
}

/* Every pair of tiles: 4 cycles a router, 2, one for each flit behind the first; um of its links; and the same when
 * it is sent. Messages of one flit, of one packet, of three. */
TEST(a_lone_message_takes_its_closed_form) {
    const fs_machine_params m = machine();
    static const uint32_t bytes[] = {4, 250, 600}, flits[] = {2, 64, 153};
    for (uint32_t k = 0; k < 3; k++)
        for (uint32_t a = 0; a < TILES; a += 7) {
            fs_arena *arena = test_arena();
            fs_transfer t[TILES];
            for (uint32_t b = 0; b < TILES; b++)
                t[b] = (fs_transfer){a, b, 600};
            fs_fabric *f = fabric(arena, &m, t, TILES);
            for (uint32_t b = 0; b < TILES; b++) {
                if (a == b)
                    continue;
                uint32_t occupied[TILES] = {0};
                occupied[b] = bytes[k];
                assert_int_equal(fs_fabric_port_cycles(f, bytes[k]), flits[k]);
                assert_int_equal(fs_fabric_send_cycles(f, bytes[k]), flits[k]);
                assert_int_equal(fs_fabric_latency(f, a, b), 4 * routers(&m, a, b) + 1);
                assert_int_equal(fs_fabric_way_of(f, a, b).length, 750 * (routers(&m, a, b) - 1));
                assert_int_equal(fs_fabric_phase(f, occupied, NULL), (uint64_t)m.exchange.program_overhead +
                                                                         flits[k] + 4 * routers(&m, a, b) +
                                                                         1);
            }
        }
}

/* To all tiles: a flit a cycle, and the last one's way to the farthest corner. */
TEST(a_broadcast_ends_at_the_farthest_tile) {
    const fs_machine_params m = machine();
    fs_arena *arena = test_arena();
    const fs_transfer any = {0, 1, 4};
    const fs_fabric *f = fabric(arena, &m, &any, 1);
    for (uint32_t a = 0; a < TILES; a += 5) {
        uint32_t most = 0;
        for (uint32_t b = 0; b < TILES; b++)
            most = routers(&m, a, b) > most ? routers(&m, a, b) : most;
        assert_int_equal(fs_fabric_broadcast(f, a, 600), 153 + 4 * most + 1);
        assert_int_equal(fs_fabric_broadcast(f, a, 0), 0);
    }
}

/* Two tiles at the ends of a row send to the one between them, or along the row through the same link. */
TEST(messages_that_meet_wait) {
    fs_arena *arena = test_arena();
    const fs_machine_params m = machine();
    uint32_t row[COLUMNS];
    for (uint32_t t = 0; t < TILES; t++)
        if (place(&m, t).row == 0)
            row[place(&m, t).column] = t;
    const fs_transfer to_one[] = {{row[0], row[4], 2000}, {row[7], row[4], 2000}};
    const fs_transfer apart_[] = {{row[0], row[3], 2000}, {row[7], row[4], 2000}};
    const uint32_t occupied[] = {2000, 2000};
    uint64_t out[TILES] = {0}, in[TILES] = {0}, busy_out[TILES] = {0}, busy_in[TILES] = {0},
             waiting[TILES] = {0};
    const fs_port_counters counters = {out, in, busy_out, busy_in, waiting};
    fs_fabric *f = fabric(arena, &m, to_one, 2), *g = fabric(arena, &m, apart_, 2);
    const uint64_t overhead = (uint64_t)m.exchange.program_overhead, flits = fs_fabric_port_cycles(f, 2000);
    assert_int_equal(flits, 508); /* seven packets of 65 flits and one of 53 */
    const uint64_t met = fs_fabric_phase(f, occupied, &counters), alone = fs_fabric_phase(g, occupied, NULL);
    assert_int_equal(alone, overhead + flits + 17); /* 4 routers each, and no link shared */
    assert_true(met >= overhead + 2 * flits && met <= overhead + 2 * flits + 40); /* one way out for both */
    assert_int_equal(in[row[4]], 4000 + 16 * 4);
    assert_int_equal(out[row[0]], 2000 + 8 * 4);
    assert_int_equal(busy_out[row[7]], flits);
    assert_int_equal(busy_in[row[4]], 2 * flits);
    assert_true(waiting[row[0]] + waiting[row[7]] > 0);
    const fs_fabric_network *n = fs_fabric_network_of(f);
    assert_int_equal(n->traffic.flits, 2 * flits);
    assert_int_equal(n->traffic.hops, flits * 5 + flits * 4);
}

/* What a message's flits cost by its way alone, added up: words of 32 bits, routers' ports, bytes and um. */
static void add_by_way(fs_moved *sum, const fs_energy_routes *r, const fs_fabric *f, uint32_t i,
                       uint32_t occupied) {
    const uint64_t flits = fs_fabric_port_cycles(f, occupied);
    assert_int_equal(fs_fabric_flits(f, fs_fabric_message(f, i, occupied)), flits);
    const fs_moved one = fs_energy_of_flits(
        (fs_noc_work){flits * r->flit[i].ports, flits * r->flit[i].length, flits}, r->width);
    fs_moved_add(sum, &one);
}

/* Energy by what links carried is that by the messages' ways, to the attojoule. */
static void assert_energy(const fs_machine_params *m, const fs_fabric *f, const fs_moved *by_ways) {
    const fs_fabric_network *n = fs_fabric_network_of(f);
    const fs_moved by_links =
        fs_energy_of_flits(fs_noc_work_of(n->graph, fs_noc_uses(n->net)), fs_fabric_flit(f));
    for (int end = 0; end < FS_PRICE_ENDS; end++) {
        const fs_energy_prices p = fs_energy_prices_of(&m->energy, m->clock, (fs_price_end)end);
        assert_true(fs_energy_of_wires(&p, &by_links) > 0);
        assert_true(fs_energy_of_wires(&p, &by_links) == fs_energy_of_wires(&p, by_ways));
    }
}

/* What transfers say is what the engine carried, phase by phase, over networks that two fabrics share. */
TEST(nothing_is_lost) {
    fs_arena *arena = test_arena();
    const fs_machine_params m = machine();
    fs_transfer t[200];
    uint32_t occupied[200];
    fs_rng rng = fs_rng_stream(1, "test/fabric");
    static fs_error err;
    for (uint32_t i = 0; i < 200; i++)
        t[i] = (fs_transfer){fs_rng_below(&rng, TILES), fs_rng_below(&rng, TILES), 1000};
    fs_fabric *f = fabric(arena, &m, t, 200);
    fs_fabric_chip chip = fs_machine_fabric(&m, TILES);
    chip.beside = f;
    fs_fabric *g = fs_fabric_create(arena, &chip, &(fs_exchange_lanes){.transfers = t, .count = 100}, &err);
    uint64_t bytes = 0, flits = 0;
    fs_moved by_ways = {0};
    const fs_energy_routes routes = fs_energy_routes_make(&m.geometry, f, t, 200, arena);
    for (uint32_t k = 0; k < 20; k++) {
        fs_fabric *of = k % 2 ? g : f;
        for (uint32_t i = 0; i < 200; i++) {
            occupied[i] = fs_rng_below(&rng, 3) ? 0 : fs_rng_below(&rng, 1001);
            bytes += i < 100 || of == f ? occupied[i] : 0;
            flits += i < 100 || of == f ? fs_fabric_port_cycles(f, occupied[i]) : 0;
            if (i < 100 || of == f)
                add_by_way(&by_ways, &routes, f, i, occupied[i]);
        }
        fs_fabric_phase(of, occupied, NULL);
        assert_ok(fs_fabric_check(of, &err), &err);
        assert_int_equal(fs_fabric_next(of), UINT64_MAX);
    }
    const fs_fabric_traffic *all = &fs_fabric_network_of(f)->traffic;
    assert_ptr_equal(all, &fs_fabric_network_of(g)->traffic);
    assert_int_equal(all->bytes, bytes);
    assert_int_equal(all->flits, flits);
    assert_energy(&m, f, &by_ways);
}

/* Cycles of a phase, and those that each tile's port out waited. */
static uint64_t phase_of(fs_arena *arena, const fs_machine_params *m, const fs_transfer *t,
                         const uint32_t *occupied, uint32_t count, uint64_t *waiting) {
    static uint64_t out[TILES], in[TILES], busy_out[TILES], busy_in[TILES];
    fs_fabric *f = fabric(arena, m, t, count);
    const uint64_t cycles = fs_fabric_phase(f, occupied, &(fs_port_counters){0});
    assert_int_equal(fs_fabric_phase(f, occupied, &(fs_port_counters){out, in, busy_out, busy_in, waiting}),
                     cycles);
    return cycles - (uint64_t)m->exchange.program_overhead;
}

/* Tile 0 sends itself a packet of 40 flits, which moves on from cycle 3 to 42 through the one channel of its way out. The
 * first of its neighbour's two packets of 40 is given it in 43 and moves in 44. Before it 16 flits wait in this router,
 * 16 in the neighbour's; credits of the two come back in 3 cycles each, so that its 33rd flit is sent in 50, and the
 * second packet's head, its 41st, in 58 instead of 40. */
TEST(a_port_waits_for_a_network) {
    fs_arena *arena = test_arena();
    fs_machine_params m = machine();
    m.noc.vcs = 1;
    m.noc.packet = 39 * 4;
    uint32_t beside = 0;
    while (routers(&m, 0, beside) != 2 || place(&m, beside).row != place(&m, 0).row)
        beside++;
    const fs_transfer t[] = {{0, 0, 1000}, {beside, 0, 1000}};
    uint64_t waiting[TILES] = {0};
    phase_of(arena, &m, t, (const uint32_t[]){156, 312}, 2, waiting);
    assert_int_equal(waiting[beside], 18);
    assert_int_equal(waiting[0], 0);
}

/* Circuits along a row: the first tile's 100 words pass the link behind the second one in cycles 3 to 102, so that the
 * second one's begin in 101, for the same link two cycles later. Its other message follows without waiting. */
TEST(a_port_waits_for_a_circuit) {
    fs_arena *arena = test_arena();
    fs_machine_params m = machine();
    m.exchange.kind = FS_FABRIC_CIRCUIT;
    m.circuit = (fs_circuit_options){.size = m.noc.size, .size_given = true, .colours = 24, .ramp = 2};
    uint32_t row[COLUMNS];
    for (uint32_t i = 0; i < TILES; i++)
        if (place(&m, i).row == 0)
            row[place(&m, i).column] = i;
    const fs_transfer t[] = {{row[0], row[2], 1000}, {row[1], row[3], 1000}, {row[1], row[0], 1000}};
    uint64_t waiting[TILES] = {0};
    const uint64_t cycles = phase_of(arena, &m, t, (const uint32_t[]){400, 400, 40}, 3, waiting);
    assert_int_equal(waiting[row[0]], 0);
    assert_int_equal(waiting[row[1]], 101);
    assert_int_equal(cycles, 101 + 100 + 10 + 2 * 2 + 1 + 1);
}

static void refused(const fs_machine_params *m, const char *expected) {
    static fs_error err;
    fs_arena *arena = test_arena();
    fs_error_clear(&err);
    const fs_fabric_chip chip = fs_machine_fabric(m, TILES);
    assert_null(fs_fabric_create(arena, &chip, &(fs_exchange_lanes){0}, &err));
    assert_int_equal(err.status, FS_INPUT);
    assert_says(err.text, expected);
}

TEST(what_has_no_place_is_refused) {
    static const int64_t small[] = {8, 11}, tree[] = {4, 3}, twice[TILES] = {0}, far[TILES] = {96};
    fs_machine_params m = machine();
    m.noc.size = (fs_int_list){(int64_t *)small, 2};
    refused(&m, "machine.exchange.noc.size: expected at least as many end points as the machine has tiles, "
                "96, found 88");
    m.noc.topology = FS_NOC_FAT_TREE;
    m.noc.size = (fs_int_list){(int64_t *)tree, 2};
    refused(&m, "found 64");
    m = machine();
    m.noc.planes = 2;
    refused(&m, "machine.exchange.noc.planes: messages of tiles go over one network; expected 1, found 2");
    m.noc.planes = 1;
    m.noc.tiles_given = true;
    m.noc.tiles = (fs_int_list){(int64_t *)twice, TILES};
    refused(&m, "machine.exchange.noc.tiles[1]: end point 0 has a tile already");
    m.noc.tiles = (fs_int_list){(int64_t *)far, TILES};
    refused(&m, "machine.exchange.noc.tiles[0]: expected an end point, 0 to 95, found 96");
    m.noc.tiles = (fs_int_list){(int64_t *)far, 3};
    refused(&m, "each of the 96 tiles, found 3");
}

/* Phases of random messages, flit by flit and sampled with nothing left out: what moves is the same on every link, also where
 * packets toss for their way; a phase of one message takes its closed form; a phase takes no less than its bound. */
TEST(sampled_phases_move_what_flits_move) {
    enum { LANES = 200, PHASES = 6 };
    static const int64_t tree[] = {10, 2}, torus[] = {8, 12};
    for (int k = 0; k < 3; k++) {
        fs_arena *arena = test_arena();
        fs_machine_params m = machine();
        fs_rng rng = fs_rng_stream((uint64_t)k, "test/sampled");
        fs_transfer t[LANES];
        uint32_t bytes[LANES];
        fs_error err = {.status = FS_OK};
        const uint64_t overhead = (uint64_t)m.exchange.program_overhead;
        m.noc.topology = k == 0 ? FS_NOC_MESH : k == 1 ? FS_NOC_TORUS : FS_NOC_FAT_TREE;
        m.noc.size.item = (int64_t *)(uintptr_t)(k == 2 ? tree : torus);
        for (uint32_t i = 0; i < LANES; i++)
            t[i] = (fs_transfer){i * TILES / LANES, fs_rng_below(&rng, TILES), 2000};
        fs_fabric *flits = fabric(arena, &m, t, LANES);
        m.noc.detail = FS_NOC_SAMPLED;
        fs_fabric *sampled = fabric(arena, &m, t, LANES);
        uint64_t took[PHASES], *waiting = FS_NEW(arena, uint64_t, TILES);
        for (int phase = 0; phase < PHASES; phase++) {
            for (uint32_t i = 0; i < LANES; i++)
                bytes[i] = phase == 0                  ? (i == 7 ? 500 : 0)
                           : fs_rng_below(&rng, 3) > 0 ? 1 + fs_rng_below(&rng, 2000)
                                                       : 0;
            took[phase] = fs_fabric_phase(flits, bytes, NULL) - overhead;
            assert_true(fs_fabric_phase(sampled, bytes, NULL) - overhead <= took[phase]);
        }
        memset(bytes, 0, sizeof bytes); /* nothing moves: no phase of the network */
        assert_true(fs_fabric_phase(sampled, bytes, NULL) == fs_fabric_phase(flits, bytes, NULL));
        const fs_port_counters counters = {.waiting_out = waiting};
        assert_int_equal(fs_fabric_settle(sampled, 0, &counters, &err), FS_OK);
        const fs_fabric_sample *s = &fs_fabric_network_of(sampled)->sample;
        assert_true(s->count == PHASES && s->simulated == PHASES && s->half <= 0);
        assert_true(s->row[0].cycles == took[0] && s->row[0].bound + 1 >= took[0]);
        for (int phase = 1; phase < PHASES; phase++) {
            assert_true(s->row[phase].cycles >= s->row[phase].bound);
            assert_true(fabs((double)s->row[phase].cycles / (double)took[phase] - 1) < 0.1);
        }
        fs_fabric_links a, b;
        assert_true(fs_fabric_links_of(flits, &a) && fs_fabric_links_of(sampled, &b));
        for (uint32_t l = 0; l < a.graph->links + a.graph->ends; l++)
            assert_true(a.uses[l].flits == b.uses[l].flits);
        assert_true(a.flit_hops == b.flit_hops && a.packets->count == b.packets->count);
        assert_true(memcmp(a.packets->by_routers, b.packets->by_routers, sizeof a.packets->by_routers) == 0);
        assert_true(a.packets->serial == b.packets->serial);
    }
}

/* ---- phases that are known in advance ---- */

/* The same on a plain network: every message whole, in the order of senders, from where a plan begins. Cycles to the last
 * arrival; use: [links + ends] receives what links did. */
static uint64_t plain_phase(const fs_machine_params *m, const fs_fabric *f, const fs_transfer *t,
                            uint32_t count, fs_noc_use *use) {
    const fs_fabric_network *n = fs_fabric_network_of(f);
    const fs_noc_params params = {.channels = (uint32_t)m->noc.vcs, .buffer = (uint32_t)m->noc.buffer};
    fs_error err = {.status = FS_OK};
    fs_noc_net *net = fs_noc_net_create(n->graph, &params, &err);
    uint64_t last = 0;
    assert_non_null(net);
    fs_noc_rest(net, fs_rng_stream(0, "network/planned"), 0);
    for (uint32_t tile = 0; tile < TILES; tile++)
        for (uint32_t i = 0; i < count; i++)
            for (uint32_t left = t[i].src == tile ? t[i].bytes : 0, now; left > 0; left -= now) {
                now = left < m->noc.packet ? left : (uint32_t)m->noc.packet;
                fs_noc_offer(net, n->end_of[tile], n->end_of[t[i].dst], 1 + (now + 3) / 4, 0, i);
            }
    while (!fs_noc_is_idle(net)) {
        uint32_t arrivals;
        const fs_noc_arrival *a = fs_noc_step(net, &arrivals);
        last = arrivals > 0 ? a[0].arrived : last;
    }
    memcpy(use, fs_noc_uses(net), (n->graph->links + n->graph->ends) * sizeof *use);
    fs_noc_net_free(net);
    return last;
}

static fs_fabric *known(fs_arena *arena, const fs_machine_params *m, fs_fabric *beside, const fs_transfer *t,
                        uint32_t count) {
    static fs_error err;
    fs_fabric_chip chip = fs_machine_fabric(m, TILES);
    chip.beside = beside;
    return fs_fabric_create(arena, &chip, &(fs_exchange_lanes){.transfers = t, .count = count, .whole = true},
                            &err);
}

/* Rounds of two steps that share a network: cycles and links are those of a plain network, bytes and energy those of the
 * messages, whatever is planned first and however phases are known. */
TEST(a_phase_known_in_advance_is_simulated_once) {
    enum { LANES = 150, ROUNDS = 7 };
    static const int64_t tree[] = {10, 2};
    for (int k = 0; k < 6; k++) {
        fs_arena *arena = test_arena();
        fs_machine_params m = machine();
        fs_rng rng = fs_rng_stream((uint64_t)k, "test/planned");
        fs_transfer t[LANES];
        fs_error err = {.status = FS_OK};
        m.noc.topology = k % 3 == 0 ? FS_NOC_MESH : k % 3 == 1 ? FS_NOC_TORUS : FS_NOC_FAT_TREE;
        m.noc.size.item = (int64_t *)(uintptr_t)(k % 3 == 2 ? tree : grid);
        m.noc.detail = k < 3 ? FS_NOC_FLITS : FS_NOC_SAMPLED;
        for (uint32_t i = 0; i < LANES; i++)
            t[i] = (fs_transfer){fs_rng_below(&rng, TILES), fs_rng_below(&rng, TILES),
                                 4 * fs_rng_below(&rng, 300)};
        fs_fabric *f = known(arena, &m, NULL, t, LANES), *g = known(arena, &m, f, t, LANES / 2);
        fs_fabric *const both[] = {k % 2 ? f : g, k % 2 ? g : f};
        assert_int_equal(fs_fabric_plan(both, 2, &err), FS_OK);
        const fs_noc_graph *graph = fs_fabric_network_of(f)->graph;
        fs_noc_use *of_f = FS_NEW(arena, fs_noc_use, graph->links + graph->ends),
                   *of_g = FS_NEW(arena, fs_noc_use, graph->links + graph->ends);
        const uint64_t overhead = (uint64_t)m.exchange.program_overhead;
        assert_int_equal(fs_fabric_phase(f, NULL, NULL), overhead + plain_phase(&m, f, t, LANES, of_f));
        assert_int_equal(fs_fabric_phase(g, NULL, NULL), overhead + plain_phase(&m, g, t, LANES / 2, of_g));
        assert_true(fs_fabric_plan_of(f).bound <= fs_fabric_plan_of(f).length);
        uint64_t *out = FS_NEW(arena, uint64_t, TILES), *in = FS_NEW(arena, uint64_t, TILES), bytes = 0,
                 moved[2] = {0};
        const fs_port_counters counters = {.bytes_out = out, .bytes_in = in};
        fs_fabric_count_planned(f, ROUNDS, &counters);
        fs_fabric_count_planned(g, 1, &counters);
        fs_moved by_ways = {0};
        const fs_energy_routes routes = fs_energy_routes_make(&m.geometry, f, t, LANES, arena);
        for (uint32_t i = 0; i < LANES; i++)
            for (uint32_t round = 0; round < ROUNDS + (i < LANES / 2); round++) {
                bytes += t[i].bytes;
                moved[0] += fs_fabric_message(f, i, t[i].bytes);
                add_by_way(&by_ways, &routes, f, i, t[i].bytes);
            }
        for (uint32_t tile = 0; tile < TILES; tile++)
            moved[1] += out[tile];
        assert_int_equal(moved[1], moved[0]);
        for (uint32_t tile = 0; tile < TILES; tile++)
            moved[1] -= in[tile];
        assert_int_equal(moved[1], 0);
        fs_fabric_links links;
        assert_true(fs_fabric_links_of(f, &links));
        for (uint32_t l = 0; l < graph->links + graph->ends; l++) {
            assert_int_equal(links.uses[l].flits, ROUNDS * of_f[l].flits + of_g[l].flits);
            assert_int_equal(links.uses[l].no_credit, ROUNDS * of_f[l].no_credit + of_g[l].no_credit);
        }
        const fs_fabric_network *n = fs_fabric_network_of(f);
        assert_int_equal(n->traffic.bytes, bytes);
        assert_int_equal(n->floors.cycles,
                         ROUNDS * fs_fabric_plan_of(f).arrival + fs_fabric_plan_of(g).arrival);
        assert_ok(fs_fabric_check(f, &err), &err);
        const fs_moved by_links = fs_energy_of_flits(fs_noc_work_of(graph, links.uses), fs_fabric_flit(f));
        assert_true(k % 3 == 2 || memcmp(&by_links, &by_ways, sizeof by_links) == 0); /* a fat tree tosses */
    }
}

TEST(a_lone_copy_known_in_advance_takes_its_closed_form) {
    const fs_machine_params m = machine();
    for (uint32_t b = 1; b < TILES; b += 3) {
        fs_arena *arena = test_arena();
        fs_error err = {.status = FS_OK};
        const fs_transfer t = {0, b, 200};
        fs_fabric *f = known(arena, &m, NULL, &t, 1);
        assert_int_equal(fs_fabric_plan(&f, 1, &err), FS_OK);
        const fs_fabric_network *n = fs_fabric_network_of(f);
        const fs_noc_params params = {.channels = 4, .buffer = 16};
        assert_int_equal(fs_fabric_plan_of(f).arrival, 51 + 4 * routers(&m, 0, b) + 1);
        assert_int_equal(fs_fabric_plan_of(f).arrival,
                         fs_noc_alone(n->graph, &params, n->end_of[0], n->end_of[b], 0, 51));
    }
}

RUN_TESTS(NULL, NULL)
