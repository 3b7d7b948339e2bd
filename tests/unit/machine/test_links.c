/* Links between chips: routes and loads of each kind by hand, what edges carry against what was sent, cycles in closed
 * form, and rows that do not go with the chips. */
#include "models/link/chips.h"

#include "sim/base/rng.h"
#include "tests/support/test.h"

static const double clock = 1e9; /* a cycle is a nanosecond */
static fs_chips_params of_kind(int64_t kind) {
    return (fs_chips_params){.kind = kind,
                             .bandwidth = 16e9,
                             .efficiency = 50,
                             .latency = 250e-9,
                             .sync = 15e-9}; /* 8 B a cycle */
}

static uint32_t edge_of(const fs_chips *f, uint32_t from, uint32_t to, const char *name) {
    for (uint32_t e = 0; e < fs_chips_edges(f); e++) {
        const fs_chips_edge edge = fs_chips_edge_of(f, e);
        if (edge.from == from && edge.to == to && strcmp(edge.name, name) == 0)
            return e;
    }
    return UINT32_MAX;
}

/* The route from a to b is these edges, "from-to name" each. */
static void assert_route(const fs_chips *f, uint32_t a, uint32_t b, uint32_t hops, const uint32_t (*chips)[2],
                         const char *const *names) {
    const uint32_t *edge;
    assert_int_equal(fs_chips_route(f, a, b, &edge), hops);
    for (uint32_t i = 0; i < hops; i++)
        assert_int_equal(edge[i], edge_of(f, chips[i][0], chips[i][1], names[i]));
}

TEST(ladders_cross_first) {
    fs_arena *arena = test_arena();
    const fs_chips_params p = of_kind(FS_CHIPS_LADDER);
    const fs_chips *f = fs_chips_create(arena, &p, 8, clock);
    assert_route(f, 4, 5, 1, (const uint32_t[][2]){{4, 5}}, (const char *[]){"partner"});
    assert_route(f, 1, 6, 4, (const uint32_t[][2]){{1, 0}, {0, 2}, {2, 4}, {4, 6}},
                 (const char *[]){"across", "up", "up", "up"});
    assert_route(f, 6, 2, 2, (const uint32_t[][2]){{6, 4}, {4, 2}}, (const char *[]){"down", "down"});
    assert_int_equal(fs_chips_edges(f), 8 + 8 + 6 + 6);
    assert_int_equal(fs_chips_edge_of(f, edge_of(f, 4, 5, "partner")).links, 4);
    assert_int_equal(fs_chips_edge_of(f, edge_of(f, 4, 5, "across")).links, 2);
    assert_int_equal(fs_chips_sync(f), 2 * 15 * 3); /* 1 + 8 / 4 hops, there and back */
}

TEST(rings_go_the_shorter_way) {
    fs_arena *arena = test_arena();
    const fs_chips_params p = of_kind(FS_CHIPS_RING);
    const fs_chips *f = fs_chips_create(arena, &p, 6, clock);
    assert_route(f, 5, 1, 2, (const uint32_t[][2]){{5, 0}, {0, 1}}, (const char *[]){"next", "next"});
    assert_route(f, 1, 5, 2, (const uint32_t[][2]){{1, 0}, {0, 5}}, (const char *[]){"before", "before"});
    assert_route(f, 0, 3, 3, (const uint32_t[][2]){{0, 1}, {1, 2}, {2, 3}},
                 (const char *[]){"next", "next", "next"});
    assert_int_equal(fs_chips_edges(f), 12);
    assert_int_equal(fs_chips_sync(f), 2 * 15 * 3);
}

TEST(pairs_and_all_are_direct) {
    fs_arena *arena = test_arena();
    const fs_chips_params pairs = of_kind(FS_CHIPS_PAIRS), all = of_kind(FS_CHIPS_ALL);
    const fs_chips *f = fs_chips_create(arena, &pairs, 4, clock);
    const uint32_t *edge;
    assert_int_equal(fs_chips_edges(f), 4);
    assert_int_equal(fs_chips_route(f, 2, 3, &edge), 1);
    assert_int_equal(fs_chips_edge_of(f, edge[0]).links, 10);
    assert_int_equal(fs_chips_route(f, 1, 2, &edge), UINT32_MAX);
    f = fs_chips_create(arena, &all, 4, clock);
    assert_int_equal(fs_chips_edges(f), 12);
    for (uint32_t a = 0; a < 4; a++)
        for (uint32_t b = 0; b < 4; b++) {
            assert_int_equal(fs_chips_route(f, a, b, &edge), a == b ? 0 : 1);
            assert_true(a == b ||
                        (fs_chips_edge_of(f, edge[0]).from == a && fs_chips_edge_of(f, edge[0]).to == b));
            assert_true(a == b || fs_chips_edge_of(f, edge[0]).links == 3);
        }
    f = fs_chips_create(arena, &all, 64, clock); /* more goals than links */
    assert_int_equal(fs_chips_edges(f), 64 * 63);
    assert_int_equal(fs_chips_edge_of(f, 0).links, 1);
}

/* Every chip sends as much to every other: of a ladder of 2 r chips an edge up between rungs k - 1 and k carries, of one
 * side, 2 k (r - k) messages; the middle carries most. 8 B a cycle and link. */
TEST(uniform_traffic_by_hand) {
    enum { CHIPS = 8, BYTES = 1000 };
    fs_arena *arena = test_arena();
    const fs_chips_params p = of_kind(FS_CHIPS_LADDER);
    fs_chips *f = fs_chips_create(arena, &p, CHIPS, clock);
    fs_chips_begin(f);
    for (uint32_t a = 0; a < CHIPS; a++)
        for (uint32_t b = 0; b < CHIPS; b++)
            if (a != b)
                fs_chips_send(f, a, b, BYTES);
    uint64_t latency;
    for (uint32_t side = 0; side < 2; side++)
        for (uint32_t k = 1; k < CHIPS / 2; k++) {
            const uint64_t messages = 2 * k * (CHIPS / 2 - k);
            assert_int_equal(fs_chips_busy(f, edge_of(f, 2 * k - 2 + side, 2 * k + side, "up")),
                             messages * BYTES / 16);
            assert_int_equal(fs_chips_busy(f, edge_of(f, 2 * k + side, 2 * k - 2 + side, "down")),
                             messages * BYTES / 16);
        }
    assert_int_equal(fs_chips_busy(f, edge_of(f, 3, 2, "across")), 3 * BYTES / 16 + 1); /* to three rungs */
    assert_int_equal(fs_chips_busy(f, edge_of(f, 3, 2, "partner")), BYTES / 32 + 1);
    assert_int_equal(fs_chips_longest(f, &latency), 8 * BYTES / 16);
    assert_int_equal(latency, 4 * 250);
    fs_chips_end(f, 3);
    assert_int_equal(fs_chips_use_of(f, edge_of(f, 2, 4, "up")).bytes, 3 * 8 * BYTES);
    assert_int_equal(fs_chips_use_of(f, edge_of(f, 2, 4, "up")).busy, 3 * 8 * BYTES / 16);
}

/* What all edges carry is each message times its route, and no edge is slower than the longest, over drawn traffic. */
TEST(edges_carry_what_was_sent) {
    static const uint32_t chips[] = {2, 4, 6, 16, 64};
    fs_rng rng = fs_rng_stream(26, "links");
    for (uint32_t i = 0; i < 80; i++) {
        fs_arena *arena = test_arena();
        const fs_chips_params p = of_kind(1 + fs_rng_below(&rng, 4));
        const uint32_t n = chips[fs_rng_below(&rng, 5)], messages = fs_rng_below(&rng, 200);
        fs_chips *f = fs_chips_create(arena, &p, n, clock);
        uint64_t carried = 0, all = 0, most = 0, latency, farthest = 0;
        fs_chips_begin(f);
        for (uint32_t m = 0; m < messages; m++) {
            const uint32_t a = fs_rng_below(&rng, n), b = fs_rng_below(&rng, n),
                           bytes = fs_rng_below(&rng, 5000);
            const uint32_t *edge;
            const uint32_t hops = fs_chips_route(f, a, b, &edge);
            if (hops == UINT32_MAX)
                continue;
            for (uint32_t h = 0, at = a; h <= hops; h++) { /* each edge begins where the last ended */
                assert_true(h == hops ? at == b : fs_chips_edge_of(f, edge[h]).from == at);
                at = h < hops ? fs_chips_edge_of(f, edge[h]).to : at;
            }
            fs_chips_send(f, a, b, bytes);
            carried += (uint64_t)hops * bytes;
            farthest = bytes > 0 && hops > farthest ? hops : farthest;
        }
        const uint64_t longest = fs_chips_longest(f, &latency);
        assert_int_equal(fs_chips_end(f, 1), carried);
        for (uint32_t e = 0; e < fs_chips_edges(f); e++) {
            const fs_chips_use use = fs_chips_use_of(f, e);
            const uint64_t rate = 8 * fs_chips_edge_of(f, e).links;
            all += use.bytes;
            most = use.busy > most ? use.busy : most;
            assert_int_equal(use.busy, (use.bytes + rate - 1) / rate);
        }
        assert_int_equal(all, carried);
        assert_int_equal(most, longest);
        assert_int_equal(latency, 250 * farthest);
    }
}

TEST(rows_that_do_not_go_with_the_chips) {
    fs_arena *arena = test_arena();
    const int64_t two[] = {1, 2};
    const char *key;
    fs_chips_params p = of_kind(FS_CHIPS_LADDER);
    assert_null(fs_chips_wrong(&p, 1, arena, &key));
    assert_null(fs_chips_wrong(&p, 6, arena, &key));
    assert_non_null(strstr(fs_chips_wrong(&p, 5, arena, &key), "an even number in machine.chips, found 5"));
    p.links = (fs_int_list){two, 2};
    p.links_given = true;
    assert_non_null(strstr(fs_chips_wrong(&p, 4, arena, &key), "ladder has 4 kinds of edges"));
    assert_string_equal(key, "links");
    p.kind = FS_CHIPS_RING;
    assert_null(fs_chips_wrong(&p, 5, arena, &key));
    p.kind = FS_CHIPS_APART;
    assert_non_null(strstr(fs_chips_wrong(&p, 2, arena, &key), "found apart"));
}

RUN_TESTS(NULL, NULL)
