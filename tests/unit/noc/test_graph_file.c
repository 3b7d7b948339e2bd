/* Graphs from files: one that is a mesh, one whose routes break a ring by channels, and every mistake with its
 * place. */
#include "models/noc/loads.h"
#include "tests/support/network.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"

static const fs_noc_graph *read_text(fs_arena *arena, const char *text, uint32_t channels, fs_error *err) {
    FILE *out = fopen("g.yaml", "w");
    assert_non_null(out);
    assert_true(fputs(text, out) >= 0);
    assert_int_equal(fclose(out), 0);
    const fs_noc_options o = {
        .topology = FS_NOC_FILE, .file = "g.yaml", .vcs = channels, .link = 1, .pitch = 750};
    return fs_noc_make(arena, &o, err);
}

/* Rows are written first, so the first of the shortest ways goes along them first, as a mesh's does. */
TEST_IN(a_mesh_is_one_from_a_file_too, scratch_enter, scratch_leave) {
    fs_arena *arena = test_arena();
    fs_error err = {0};
    const fs_noc_graph *mesh =
        make_network(arena, (fs_noc_options){.topology = FS_NOC_MESH, .pitch = 750}, "4 3");
    const fs_noc_graph *file =
        read_text(arena,
                  "routers: 12\n"
                  "columns: 4\n"
                  "links:\n"
                  "  - { from: [0-2, 4-6, 8-10], to: [1-3, 5-7, 9-11], match: blocks }\n"
                  "  - { from: 0-7, to: 4-11, match: blocks }\n",
                  1, &err);
    assert_non_null(file);
    assert_true(file->links == mesh->links && file->ends == 12);
    for (uint32_t src = 0; src < 12; src++)
        for (uint32_t dst = 0; dst < 12; dst++) {
            double through[2][64] = {{0}};
            const fs_noc_way a = fs_noc_way_of(mesh, 1, src, dst, 0, through[0], 1);
            const fs_noc_way b = fs_noc_way_of(file, 1, src, dst, 0, through[1], 1);
            assert_true(a.routers == b.routers && a.latency == b.latency && a.length == b.length);
            for (uint32_t l = 0; l < mesh->links; l++)
                for (uint32_t k = 0; k < file->links && through[0][l] > 0; k++)
                    if (file->link[k].from == mesh->link[l].from && file->link[k].to == mesh->link[l].to)
                        assert_true(through[1][k] > 0);
        }
    for (uint32_t r = 0; r < 12; r++)
        assert_true(file->place[r].x == mesh->place[r].x && file->place[r].y == mesh->place[r].y);
}

/* Four routers in a ring of one way; what has the last link before it takes channel 0. */
#define RING                                                                                                 \
    "routers: 4\n"                                                                                           \
    "links:\n"                                                                                               \
    "  - { from: 0-2, to: 1-3, match: blocks, one_way: true, latency: 3 cycles, length: 900 }\n"             \
    "  - { from: 3, to: 0, one_way: true }\n"
#define DATELINE                                                                                             \
    "routes:\n"                                                                                              \
    "  - { routers: 0, ways: [{ to: 1-3, via: 1, channels: 1 }] }\n"                                         \
    "  - { routers: 1, ways: [{ to: 2-3, via: 2, channels: 1 }, { to: 0, via: 2, channels: 0 }] }\n"         \
    "  - { routers: 2, ways: [{ to: 3, via: 3, channels: 1 }, { to: 0-1, via: 3, channels: 0 }] }\n"         \
    "  - { routers: 3, ways: [{ to: 0-2, via: 0, channels: 0 }] }\n"

TEST_IN(routes_break_a_ring_by_channels, scratch_enter, scratch_leave) {
    fs_arena *arena = test_arena();
    fs_error err = {0};
    uint32_t count = 0, arrived = 0;
    assert_null(read_text(arena, RING, 2, &err));
    assert_non_null(strstr(err.text, "in a ring of 4 links, routers "));
    assert_non_null(strstr(err.text, "0 -> 1 -> 2 -> 3"));
    fs_error_clear(&err);
    const fs_noc_graph *g = read_text(arena, RING DATELINE, 2, &err);
    assert_non_null(g);
    assert_true(g->classes == 2 && g->ends == 4 && g->link[0].latency == 3 && g->link[0].length == 900);
    assert_int_equal(fs_noc_way_of(g, 2, 0, 3, 0, NULL, 0).latency, 9);
    fs_noc_net *net = fs_noc_net_create(g, &(fs_noc_params){.channels = 2, .buffer = 1}, &err);
    for (uint32_t n = 0; n < 400; n++)
        fs_noc_offer(net, n % 4, (n + 3) % 4, 5, 0, 0);
    for (uint32_t t = 0; t < 100000 && !fs_noc_is_idle(net); t++) {
        fs_noc_step(net, &count);
        arrived += count;
    }
    assert_int_equal(arrived, 400);
    assert_int_equal(fs_noc_check(net, &err), FS_OK);
    fs_noc_net_free(net);
}

/* Flits through each link, one from each end point to each other one: the mean over all tosses. */
static fs_noc_loads *loads_of(fs_arena *arena, const fs_noc_graph *g) {
    const fs_noc_params params = {.channels = 4, .buffer = 8};
    fs_noc_loads *l = fs_noc_loads_begin(arena, g, &params, 1);
    for (uint32_t dst = 0; dst < g->ends; dst++) {
        double *rate = FS_NEW(arena, double, g->ends);
        for (uint32_t src = 0; src < g->ends; src++)
            rate[src] = src != dst;
        fs_noc_loads_add(l, dst, g->ends, NULL, rate);
    }
    fs_noc_loads_end(l);
    return l;
}

static double most_on_links(const fs_noc_graph *g, const fs_noc_loads *l) {
    double most = 0;
    for (uint32_t i = 0; i < g->links; i++)
        most = l->through[i] > most ? l->through[i] : most;
    return most;
}

/* Two links side by side carry half each, three roots a third each; with a number, or another kind of ways, one of them
 * carries all and the others are counted as idle. Packets take their shares by the engine, too. */
TEST_IN(links_and_roots_share, scratch_enter, scratch_leave) {
    static const struct {
        const char *text;
        double most; /* flits of the busiest link */
        uint32_t idle;
    } cases[] = {
#define TWO                                                                                                  \
    "routers: 2\nlinks: [{ from: 0, to: 1 }, { from: 0, to: 1 }]\nends: [{ routers: 0-1, count: 4 }]\n"
        {TWO, 8, 0},
        {TWO "ways: first\n", 8, 0},
        {TWO "routes: [{ routers: 0, default: 1, link: 1 }]\n", 16, 1},
        {TWO "routes: [{ routers: 0, ways: [{ to: 4-5, via: 1, link: 0 }, { to: 6-7, via: 1, link: 1 }] }]\n",
         8, 0},
#define LEAVES "routers: 7\nlinks: [{ from: 0-3, to: 4-6 }]\nends: [{ routers: 0-3, count: 3 }]\n"
        {LEAVES, 9, 0},
        {LEAVES "ways: fewest\n", 9, 0},
        {LEAVES "ways: first\n", 27, 16},
#define DETOUR                                                                                               \
    "routers: 3\nlinks: [{ from: 0-1, to: 1-2, match: blocks }, { from: 0, to: 2, latency: 50 cycles }]\n"
        {DETOUR, 2, 2},
        {DETOUR "ways: fewest\n", 1, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fs_arena *arena = test_arena();
        fs_error err = {0};
        const fs_noc_graph *g = read_text(arena, cases[i].text, 4, &err);
        if (g == NULL)
            fail_msg("%s%s", cases[i].text, err.text);
        const fs_noc_loads *l = loads_of(arena, g);
        if (fabs(most_on_links(g, l) - cases[i].most) > 1e-9 || g->idle != cases[i].idle)
            fail_msg("%s%g flits on the busiest link, %u idle", cases[i].text, most_on_links(g, l), g->idle);
        enum { PACKETS = 300 };
        fs_noc_net *net = fs_noc_net_create(g, &(fs_noc_params){.channels = 4, .buffer = 8}, &err);
        for (uint32_t n = 0; n < PACKETS; n++)
            for (uint32_t src = 0; src < g->ends; src++)
                for (uint32_t dst = 0; dst < g->ends; dst++)
                    if (src != dst)
                        fs_noc_offer(net, src, dst, 1, 0, 0);
        for (uint32_t count; !fs_noc_is_idle(net);)
            fs_noc_step(net, &count);
        for (uint32_t k = 0; k < g->links; k++)
            assert_true(fabs((double)fs_noc_uses(net)[k].flits / PACKETS - l->through[k]) <
                        0.1 * cases[i].most);
        fs_noc_net_free(net);
    }
}

/* A grid whose shortest ways turn in all directions: shared, packets could wait in a ring, and `ways: fewest` is refused
 * with it and with what breaks it; without a word the first ways are taken, rows first. */
TEST_IN(shared_ways_that_close_a_ring_are_refused, scratch_enter, scratch_leave) {
#define GRID                                                                                                 \
    "routers: 4\n"                                                                                           \
    "links: [{ from: [0, 2], to: [1, 3], match: blocks }, { from: 0-1, to: 2-3, match: blocks }]\n"
    fs_arena *arena = test_arena();
    fs_error err = {0};
    assert_null(read_text(arena, GRID "ways: fewest\n", 4, &err));
    assert_non_null(strstr(err.text, "in a ring of 4 links"));
    assert_non_null(strstr(err.text, "ways: first"));
    assert_non_null(strstr(err.text, "other channels behind a link of it"));
    fs_error_clear(&err);
    const fs_noc_graph *g = read_text(arena, GRID, 4, &err);
    assert_non_null(g);
    double through[16] = {0};
    fs_noc_way_of(g, 4, 0, 3, 0, through, 1);
    assert_true(through[0] > 0 && g->link[0].from == 0 && g->link[0].to == 1);
}

TEST_IN(mistakes_are_told_with_their_place, scratch_enter, scratch_leave) {
    static const struct {
        const char *text, *told[3];
    } wrong[] = {
        {"router: 4\n", {"g.yaml:1:1: router: unknown key", "did you mean \"routers\"?"}},
        {"links: []\n", {"routers: missing"}},
        {"routers: 5000\n", {"g.yaml:1:10: routers: ", "5000", "1 to 4096"}},
        {"routers: 4\n", {"links: missing"}},
        {"routers: 4\nlinks: 5\n", {"g.yaml:2:8: links: expected a list", "found \"5\""}},
        {"routers: 4\nlinks:\n  - { from: 0, too: 1 }\n",
         {"g.yaml:3:16: links[0].too: unknown key", "did you mean \"to\"?"}},
        {"routers: 4\nlinks:\n  - { from: 0, to: 4 }\n", {"g.yaml:3:20: links[0].to: ", "found \"4\"", "3"}},
        {"routers: 4\nlinks:\n  - { from: 0, to: 0 }\n", {"g.yaml:3:5: links[0]: joins router 0 to itself"}},
        {"routers: 5\nlinks:\n  - { from: 0-1, to: 2-4, match: blocks }\n", {"2 and 3 routers don't divide"}},
        {"routers: 5\nlinks:\n  - { from: 0-1, to: 2-3, match: block }\n",
         {"g.yaml:3:34: links[0].match: ", "did you mean \"blocks\"?"}},
        {"routers: 2\nlinks:\n  - { from: 0, to: 1, latency: 0 cycles }\n",
         {"g.yaml:3:32: links[0].latency: ", "found \"0 cycles\"", "1"}},
        {"routers: 2\nlinks:\n  - { from: 0, to: 1 }\nends:\n  - { routers: 2 }\n",
         {"g.yaml:5:16: ends[0].routers: ", "found \"2\""}},
        {"routers: 2\nlinks:\n  - { from: 0, to: 1 }\nends: []\n", {"g.yaml:4:7: ends: expected end points"}},
        {"routers: 2\nlinks:\n  - { from: 0, to: 1 }\nends:\n  - { routers: 0-1, count: 64 }\n",
         {"g.yaml:3:3: links: ", "router 0 has 65 ports, at most 64 are allowed"}},
        {"routers: 3\nlinks:\n  - { from: 0, to: 1 }\n", {"g.yaml:1:1: no way from router 2 to end point 0"}},
        {RING "routes:\n  - { routers: 0, default: 2 }\n",
         {"g.yaml:6:28: routes[0].default: no link leads from router 0 to router 2"}},
        {RING "ways: shortest\n",
         {"g.yaml:5:7: ways: expected one of fastest, fewest or first, found \"shortest\""}},
        {RING "routes:\n  - { routers: 0, default: 1, link: 1 }\n",
         {"g.yaml:6:37: routes[0].link: expected one of the links from router 0 to router 1, 0 ... 0, found "
          "1"}},
        {RING "routes:\n  - { routers: 0, ways: [{ to: 0, via: 1 }] }\n",
         {"routes[0].ways[0].to: end point 0 is at router 0 itself"}},
        {RING "routes:\n  - { routers: 0, ways: [{ to: 1, via: 1, channels: 2 }] }\n",
         {"routes[0].ways[0].channels: ", "found \"2\"", "1"}},
        {RING "routes:\n  - { routers: 0, ways: [{ to: 1-2, via: 1 }, { to: 2, via: 1 }] }\n",
         {"routes[0].ways[1].to: end point 2 has a way from router 0 already"}},
        {RING "routes:\n  - { routers: 0, default: 1 }\n  - { routers: 0, default: 1 }\n",
         {"g.yaml:7:16: routes[1].routers: router 0 has routes already"}},
        {"routers: 3\nlinks:\n  - { from: 0-1, to: 1-2, match: blocks }\nroutes:\n"
         "  - { routers: 1, ways: [{ to: 2, via: 0 }] }\n",
         {"g.yaml:5:3: routes: packets to end point 2 go in circles, routers 0 -> 1 -> 0"}},
    };
    size_t silent = 0;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        fs_arena *arena = test_arena();
        fs_error err = {0};
        bool good = read_text(arena, wrong[i].text, 2, &err) == NULL && err.status == FS_INPUT;
        for (size_t w = 0; w < 3 && wrong[i].told[w] != NULL; w++)
            good = good && strstr(err.text, wrong[i].told[w]) != NULL;
        if (!good)
            print_error("%s\n-> %s\n", wrong[i].text, err.text);
        silent += !good;
    }
    assert_int_equal(silent, 0);
}

RUN_TESTS(NULL, NULL)
