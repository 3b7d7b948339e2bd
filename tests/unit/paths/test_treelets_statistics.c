/* Figures of itineraries, counted by hand. */
#include "workloads/treelets/record/statistics.h"

#include "tests/support/test.h"
#include "workloads/treelets/treelets.h"

enum { ANY = FS_PIECE_ANYWHERE, CAMERA = FS_PIECE_CAMERA | FS_PIECE_SEGMENT, END = FS_PIECE_END };
enum { HIT = FS_PIECE_HIT, SEGMENT = FS_PIECE_SEGMENT, SHADOW = FS_PIECE_SHADOW, FOUND = FS_PIECE_FOUND };
enum { ESCAPE = FS_PIECE_ESCAPE, MORE = FS_PIECE_CONTINUES };

#define PIECE(k, what, cost, nodes)                                                                          \
    {                                                                                                        \
        .treelet = (k), .does = (what), .units = (cost), .event = { [FS_PIECE_NODE] = (nodes) }              \
    }

/* Three treelets; path 0: two segments of two and one visits, both found, and a shadow ray that is blocked; path 1: nothing
 * met; path 2: a visit whose counts go on in a further piece, a shadow ray that visits nothing, a segment that escapes. */
static fs_piece pieces[] = {
    PIECE(ANY, CAMERA, 3, 3),
    PIECE(2, FOUND, 10, 10),
    PIECE(ANY, 0, 2, 2),
    PIECE(1, FOUND, 20, 12),
    PIECE(ANY, HIT | SHADOW, 8, 1),
    PIECE(1, FOUND, 5, 5),
    PIECE(ANY, SEGMENT, 1, 1),
    PIECE(1, FOUND, 7, 7),
    PIECE(ANY, HIT | END, 8, 0),
    PIECE(ANY, CAMERA | ESCAPE | END, 1, 1),
    PIECE(ANY, CAMERA, 1, 1),
    PIECE(2, FOUND, 65535, 65535),
    PIECE(2, MORE, 100, 100),
    PIECE(ANY, HIT | SHADOW | SEGMENT, 9, 1),
    PIECE(1, 0, 4, 4),
    PIECE(ANY, ESCAPE | END, 1, 0),
};
static uint64_t first[] = {0, 9, 10, 16};
static const fs_itineraries three = {.paths = 3, .treelets = 3, .first = first, .piece = pieces};

TEST(figures_are_those_counted_by_hand) {
    fs_arena *arena = test_arena();
    fs_itineraries_statistics s;
    fs_itineraries_measure(&three, arena, &s);
    assert_int_equal(s.paths, 3);
    assert_int_equal(s.segments, 5);
    assert_int_equal(s.hits, 3);
    assert_int_equal(s.shadows, 2);
    assert_int_equal(s.blocked, 1);
    assert_int_equal(s.found, 4);
    assert_int_equal(s.top_nodes, 10);
    assert_int_equal(s.nodes, 10 + 38 + 65535 + 104 - 4);
    assert_int_equal(s.all.rays, 5);
    assert_int_equal(s.all.visits, 5);
    assert_int_equal(s.all.none, 1);
    assert_int_equal(s.all.half, 1);
    assert_int_equal(s.all.most_of_20, 2);
    assert_int_equal(s.shadow.rays, 2);
    assert_int_equal(s.shadow.visits, 1);
    assert_int_equal(s.shadow.half, 0); /* one of the two, which is half of them */
    assert_int_equal(s.shadow.most_of_20, 1);
    assert_int_equal(s.bounce[0].rays, 3);
    assert_int_equal(s.bounce[0].visits, 3);
    assert_int_equal(s.bounce[1].rays, 2);
    assert_int_equal(s.bounce[1].visits, 2);
    assert_int_equal(s.moves, 2 + 0 + 1); /* 0: tile 0 to 2 and 1; 2 begins on tile 2 and goes to 1 */
    const uint64_t visits[] = {0, 4, 2}, units[] = {0, 36, 65645};
    assert_memory_equal(s.visits_of, visits, sizeof visits);
    assert_memory_equal(s.units_of, units, sizeof units);
    assert_true(fabs(s.imbalance - 65645.0 * 3 / 65681) < 1e-12);
    assert_true(fabs(s.gini - 2.0 * 65645 / (3.0 * 65681)) <
                1e-12); /* (-2 x 0 + 0 x 36 + 2 x 65645) / (3 x sum) */
}

TEST(maps_are_of_the_first_sample_and_of_all) {
    uint16_t treelet[3];
    uint32_t visits[3];
    fs_itineraries_maps(&three, 1, treelet, visits);
    const uint16_t where[] = {1, ANY, 2};
    const uint32_t many[] = {4, 0, 2};
    assert_memory_equal(treelet, where, sizeof where);
    assert_memory_equal(visits, many, sizeof many);
    fs_itineraries_maps(&three, 3, treelet, visits);
    assert_int_equal(treelet[0], 1);
    assert_int_equal(visits[0], 6);
}

static double number_of(const void *self, const char *key, double otherwise) {
    return strcmp(key, "workload.samples") == 0 ? *(const double *)self : otherwise;
}

/* 640 x 360 pixels: 0.3 us a path for its price, 0.4 to be dealt, 2.5 to be walked, and 0.1 s for the process. */
TEST(a_point_takes_what_its_paths_do) {
    const double samples = 5, paths = 640 * 360 * samples;
    double seconds[FS_LAYERS];
    fs_workload_treelets.expect(&(fs_point){.self = &samples, .number = number_of}, seconds);
    assert_true(fabs(seconds[FS_LAYER_PRICE] - (0.1 + 0.3e-6 * paths)) < 1e-9);
    assert_true(fabs(seconds[FS_LAYER_REPLAY] - (0.1 + 0.7e-6 * paths)) < 1e-9);
    assert_true(fabs(seconds[FS_LAYER_RUN] - (0.1 + 3.2e-6 * paths)) < 1e-9);
}

RUN_TESTS(NULL, NULL)
