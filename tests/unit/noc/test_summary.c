/* What is told of a network from beside it: the film against a plain list of cycles, the summary of links and packets
 * worked out by hand. */
#include "models/noc/summary.h"
#include "sim/base/rng.h"
#include "tests/support/network.h"
#include "tests/support/test.h"

#include <math.h>

/* A mesh of a row or of rows. */
static const fs_noc_graph *mesh(fs_arena *arena, const char *sizes) {
    return make_network(arena, (fs_noc_options){.topology = FS_NOC_MESH}, sizes);
}

/* Flits of each cycle by chance; where `gap` is not 0 no cycle from there to twice that place is made, as in a network
 * that is idle. Every frame has the flits of its cycles, those of the skipped time none. */
static void film_of(uint32_t cycles, uint32_t gap) {
    fs_arena *arena = test_arena();
    const fs_noc_graph *g = mesh(arena, "3 1");
    fs_noc_film *film = fs_noc_film_create(arena, g);
    fs_noc_use *uses = test_keep(calloc(g->links + g->ends, sizeof *uses));
    uint8_t *made = test_keep(calloc((size_t)cycles * g->links, 1));
    fs_rng rng = fs_rng_stream(cycles, "film");
    assert_non_null(film);
    assert_non_null(uses);
    assert_non_null(made);
    for (uint32_t t = 0; t < cycles; t++) {
        if (gap > 0 && t >= gap && t < 2 * gap)
            continue;
        if (t >= film->next)
            fs_noc_film_note(film, t, uses);
        for (uint32_t l = 0; l < g->links; l++)
            uses[l].flits += made[(size_t)t * g->links + l] = (uint8_t)(fs_rng_below(&rng, 3) == 0);
    }
    fs_noc_film_end(film, cycles, uses);
    assert_true(film->frames <= FS_NOC_FRAMES);
    assert_true(film->frames == cycles || 2 * film->frames >= FS_NOC_FRAMES);
    assert_int_equal(film->frames, (cycles + film->length - 1) / film->length);
    for (uint32_t l = 0; l < g->links; l++)
        for (uint32_t k = 0; k < film->frames; k++) {
            uint32_t sum = 0;
            for (uint64_t t = k * film->length; t < (k + 1) * film->length && t < cycles; t++)
                sum += made[t * g->links + l];
            assert_int_equal(film->flits[(size_t)l * FS_NOC_FRAMES + k], sum);
        }
}

TEST(frames_have_the_flits_of_their_cycles) {
    static const uint32_t cycles[] = {1, 2, 127, 128, 129, 130, 255, 256, 257, 1000, 4095, 4096, 5000};
    for (size_t i = 0; i < sizeof cycles / sizeof *cycles; i++)
        film_of(cycles[i], 0);
    film_of(1000, 300);
    film_of(5000, 7);
}

/* A row of three routers: links (0,0)->(1,0) 40, back 10, (1,0)->(2,0) 20, back 2 flits in 100 cycles. */
TEST(links_by_hand) {
    fs_arena *arena = test_arena();
    const fs_noc_graph *g = mesh(arena, "3 1");
    const int64_t size[] = {3, 1};
    const fs_noc_options o = {.topology = FS_NOC_MESH, .size = {size, 2}, .size_given = true};
    fs_noc_use uses[7] = {0};
    uint64_t back = 0;
    for (uint32_t l = 0; l < g->links; l++) {
        const bool east = g->link[l].to > g->link[l].from, left = g->link[l].from + g->link[l].to == 1;
        uses[l].flits = left ? (east ? 40 : 10) : east ? 20 : 2;
        uses[l].no_credit = left && !east ? 30 : 1;
        uses[l].lost = 2;
        back = left && !east ? l : back;
        assert_string_equal(fs_noc_heading(g, l), east ? "east" : "west");
    }
    uses[g->links].flits = 28; /* a way out counts for waits alone */
    const fs_noc_summary s = fs_noc_summary_of(g, &o, uses, 100);
    assert_int_equal(s.links, 4);
    assert_int_equal(s.busiest_from, 0);
    assert_int_equal(s.busiest_to, 1);
    assert_true(s.busiest_share == 0.4 && s.mean_share == 0.18 && s.top_share == 40.0 / 72);
    assert_true(s.balance == 0.4 / 0.18);
    assert_true(s.no_credit == 33.0 / 100 && s.no_channel == 0 && s.lost == 8.0 / 100);
    assert_int_equal(s.waits[0], back);
    assert_true(s.cut_share == 0.4 && s.cut_dimension == 0 && s.cut_place == 0);
}

/* The busiest cut by trying each, of a torus with flits by chance. */
TEST(the_cut_is_the_busiest_of_all) {
    static const int64_t size[] = {5, 4, 3};
    const fs_noc_options o = {.topology = FS_NOC_TORUS, .size = {size, 3}, .size_given = true};
    const fs_noc_graph *g = make_network(test_arena(), (fs_noc_options){.topology = FS_NOC_TORUS}, "5 4 3");
    fs_noc_use *uses = test_keep(calloc(g->links + g->ends, sizeof *uses));
    assert_non_null(uses);
    fs_rng rng = fs_rng_stream(5, "cut");
    for (int round = 0; round < 20; round++) {
        double most = 0;
        for (uint32_t l = 0; l < g->links; l++)
            uses[l].flits = fs_rng_below(&rng, 100);
        for (uint32_t d = 0, step = 1; d < 3; step *= (uint32_t)size[d++])
            for (uint32_t cut = 0; cut < 2 * ((uint32_t)size[d] - 1); cut++) {
                uint64_t flits = 0, links = 0;
                for (uint32_t l = 0; l < g->links; l++) {
                    const uint32_t from = g->link[l].from / step % (uint32_t)size[d],
                                   to = g->link[l].to / step % (uint32_t)size[d];
                    const bool over =
                        cut % 2 ? from <= cut / 2 && to > cut / 2 : from > cut / 2 && to <= cut / 2;
                    links += over;
                    flits += over ? uses[l].flits : 0;
                }
                most = fmax(most, (double)flits / (double)links / 100);
            }
        assert_true(fs_noc_summary_of(g, &o, uses, 100).cut_share == most);
    }
}

/* As many cuts as routers: links times cuts would take minutes. */
TEST(a_long_row_has_its_cut_at_once) {
    static const int64_t size[] = {65536};
    const fs_noc_options o = {.topology = FS_NOC_MESH, .size = {size, 1}, .size_given = true};
    const fs_noc_graph *g = mesh(test_arena(), "65536");
    fs_noc_use *uses = test_keep(calloc(g->links + g->ends, sizeof *uses));
    assert_non_null(uses);
    for (uint32_t l = 0; l < g->links; l++)
        uses[l].flits = g->link[l].from == 60000;
    const fs_noc_summary s = fs_noc_summary_of(g, &o, uses, 1);
    assert_true(s.cut_share == 1 && s.cut_place == 59999);
}

/* A torus' links lead on round the ring. */
TEST(rings_lead_on) {
    fs_arena *arena = test_arena();
    const fs_noc_graph *g = make_network(arena, (fs_noc_options){.topology = FS_NOC_TORUS}, "4 4");
    size_t east = 0, south = 0;
    for (uint32_t l = 0; l < g->links; l++) {
        const uint32_t from = g->link[l].from, to = g->link[l].to;
        const char *heading = fs_noc_heading(g, l);
        assert_int_equal(strcmp(heading, "east") == 0, to / 4 == from / 4 && to % 4 == (from + 1) % 4);
        assert_int_equal(strcmp(heading, "south") == 0, to == (from + 4) % 16);
        east += strcmp(heading, "east") == 0;
        south += strcmp(heading, "south") == 0;
    }
    assert_int_equal(east, 16);
    assert_int_equal(south, 16);
}

/* 10 cycles at the source, 25 in the network, 4 for the flits behind the head. */
TEST(latency_has_three_parts) {
    fs_noc_packets p = {0};
    fs_noc_packets_add(
        &p, &(fs_noc_arrival){.flits = 5, .routers = 3, .offered = 100, .injected = 110, .arrived = 139});
    fs_noc_packets_add(
        &p, &(fs_noc_arrival){.flits = 1, .routers = 999, .offered = 100, .injected = 100, .arrived = 150});
    assert_int_equal(p.count, 2);
    assert_int_equal(p.latency, 39 + 50);
    assert_int_equal(p.queue, 10);
    assert_int_equal(p.serial, 4);
    assert_int_equal(p.longest, 50);
    assert_int_equal(p.routers, 1002);
    assert_int_equal(p.most_routers, 999);
    assert_int_equal(p.by_routers[3], 1);
    assert_int_equal(p.by_routers[FS_NOC_WAYS - 1], 1);
}

RUN_TESTS(NULL, NULL)
