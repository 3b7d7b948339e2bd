/* Traffic of treelets: closed forms of equal and of hot treelets, slots, rings of full tiles, conservation. */
#include "workloads/treelets/traffic/travel.h"

#include "sim/base/rng.h"
#include "tests/support/test.h"

#include <omp.h>

enum { WORKERS = 6, ANY = FS_PIECE_ANYWHERE, MOST = 64 };

/* ---- itineraries and placements by hand ---- */

static fs_itineraries begin(uint64_t paths, uint32_t treelets, uint32_t each) {
    return (fs_itineraries){.paths = paths,
                            .treelets = treelets,
                            .first = FS_NEW(test_arena(), uint64_t, paths + 1),
                            .piece = FS_NEW(test_arena(), fs_piece, paths * each)};
}

static void add(fs_itineraries *its, uint64_t path, uint16_t treelet, uint16_t does, uint32_t units) {
    uint64_t *end = &its->first[path + 1];
    if (*end == 0)
        *end = its->first[path];
    fs_piece *piece = &its->piece[(*end)++];
    *piece = (fs_piece){.treelet = treelet, .does = does, .units = units};
    for (int e = 0; e < FS_PIECE_EVENTS; e++)
        piece->event[e] = (uint16_t)((units * (unsigned)(e + 3)) % 1000);
}

/* Treelets of `bytes` B and one triangle for each 60 B. */
static fs_treelet_cut cut_of(uint32_t treelets, const uint64_t *bytes) {
    fs_treelet_cut cut = {.treelets = treelets, .of = FS_NEW(test_arena(), fs_treelet, treelets)};
    for (uint32_t k = 0; k < treelets; k++) {
        cut.of[k] = (fs_treelet){.bytes = bytes[k], .triangles = (uint32_t)(bytes[k] / 60)};
        cut.bytes += bytes[k];
    }
    return cut;
}

static fs_status place(uint32_t treelets, const uint64_t *bytes, const double *load, fs_place_params params,
                       uint64_t room, fs_placement *out, fs_error *err) {
    const fs_treelet_cut cut = cut_of(treelets, bytes);
    uint64_t *rooms = FS_NEW(test_arena(), uint64_t, params.tiles);
    for (uint32_t t = 0; t < params.tiles; t++)
        rooms[t] = room;
    params.room = rooms;
    params.chips = params.chips > 0 ? params.chips : 1;
    return fs_place_make(&cut, load, &params, test_arena(), out, err);
}

/* Treelet k alone on tile k, for a room of one. */
static fs_placement one_each(uint32_t treelets, uint32_t tiles, fs_place_rule rule, const double *load) {
    uint64_t bytes[MOST];
    fs_placement out;
    fs_error err = {.status = FS_OK};
    for (uint32_t k = 0; k < treelets; k++)
        bytes[k] = 600;
    assert_int_equal(
        place(treelets, bytes, load, (fs_place_params){.rule = rule, .tiles = tiles}, 600, &out, &err),
        FS_OK);
    return out;
}

static fs_travel_totals run(const fs_itineraries *its, const fs_placement *p, fs_travel_params params) {
    fs_error err = {.status = FS_OK};
    params.tiles = params.tiles > 0 ? params.tiles : p->tiles;
    params.workers = WORKERS;
    fs_travel *t = fs_travel_create(its, p, &params, test_arena());
    for (bool more = true; more;) {
        fs_travel_work(t);
        more = fs_travel_move_on(t);
        assert_int_equal(fs_travel_check(t, &err), FS_OK);
        assert_true(fs_travel_totals_of(t).steps < 100000);
    }
    const fs_travel_totals totals = fs_travel_totals_of(t);
    assert_int_equal(totals.ended, its->paths);
    assert_int_equal(totals.moves, totals.arrivals);
    return totals;
}

/* ---- closed forms ---- */

/* K treelets of equal work: n x workers paths on each, each of m quanta, take n m steps, and nothing moves. */
TEST(test_equal_treelets) {
    enum { K = 5, N = 4, M = 3, QUANTUM = 20, PATHS = K * N * WORKERS };
    static const double load[K] = {1, 1, 1, 1, 1};
    const fs_placement p = one_each(K, K, FS_PLACE_LOAD, load);
    fs_itineraries its = begin(PATHS, K, 1);
    for (uint64_t i = 0; i < PATHS; i++)
        add(&its, i, (uint16_t)(i % K), FS_PIECE_END, M * QUANTUM);
    for (uint32_t k = 0; k < K; k++)
        assert_int_equal(p.tile[k], k);
    const fs_travel_totals t = run(&its, &p, (fs_travel_params){.quantum = QUANTUM, .window = PATHS});
    assert_int_equal(t.steps, N * M);
    assert_int_equal(t.moves, 0);
    for (uint32_t k = 0; k < K; k++)
        assert_int_equal(t.units_of[k], N * WORKERS * M * QUANTUM);
}

/* All paths want one treelet, which lies on c of T tiles: each copy does 1 / c of it, all other tiles nothing. */
TEST(test_hot_treelet) {
    enum { T = 16, PATHS = 960, UNITS = 50 };
    static const double load[1] = {1};
    for (uint32_t copies = 1; copies <= T; copies *= 2) {
        const uint64_t bytes[1] = {600};
        uint64_t room[T] = {0};
        fs_placement p;
        fs_error err = {.status = FS_OK};
        const fs_treelet_cut cut = cut_of(1, bytes);
        const fs_place_params params = {.tiles = T, .chips = 1, .room = room};
        for (uint32_t c = 0; c < copies; c++)
            room[T - 1 - c] = 700;
        assert_int_equal(fs_place_make(&cut, load, &params, test_arena(), &p, &err), FS_OK);
        assert_int_equal(p.copies, copies);
        fs_itineraries its = begin(PATHS, 1, 2);
        for (uint64_t i = 0; i < PATHS; i++) {
            add(&its, i, ANY, FS_PIECE_CAMERA, 1);
            add(&its, i, 0, FS_PIECE_END, UNITS);
        }
        const fs_travel_totals t = run(&its, &p, (fs_travel_params){.quantum = UNITS, .window = PATHS});
        for (uint32_t tile = 0; tile < T; tile++)
            assert_int_equal(t.units_of[tile], PATHS / T + (tile >= T - copies ? PATHS / copies * UNITS : 0));
        assert_int_equal(t.moves, PATHS * (T - copies) / T);
    }
}

/* n rays from one tile to another, s in a step: ceil(n / s) steps. */
TEST(test_slots) {
    enum { RAYS = 10 };
    static const double load[2] = {1, 1};
    const fs_placement p = one_each(2, 2, FS_PLACE_ONE, load);
    fs_itineraries its = begin(2 * RAYS, 2, 2);
    for (uint64_t i = 0; i < 2 * RAYS; i++) {
        add(&its, i, ANY, FS_PIECE_CAMERA, 1);
        add(&its, i, 1, FS_PIECE_END, 1);
    }
    for (uint32_t slots = 1; slots <= RAYS + 1; slots++) {
        const fs_travel_totals t =
            run(&its, &p, (fs_travel_params){.quantum = 1000, .window = 2 * RAYS, .slots = slots});
        const uint32_t turns = (RAYS + slots - 1) / slots;
        assert_int_equal(t.steps, 1 + turns);
        assert_int_equal(t.moves, RAYS);
        uint64_t refused = 0;
        for (uint32_t left = RAYS; left > slots; left -= slots)
            refused += left - slots;
        assert_int_equal(t.refused, refused);
    }
}

/* ---- full tiles ---- */

/* Path i begins on tile i and wants treelet to[i], which lies on that tile alone; a tile holds one ray. */
static fs_travel_totals in_ring(uint32_t tiles, const uint16_t *to) {
    double load[MOST] = {0};
    for (uint32_t k = 0; k < tiles; k++)
        load[k] = 1;
    const fs_placement p = one_each(tiles, tiles, FS_PLACE_ONE, load);
    fs_itineraries its = begin(tiles, tiles, 2);
    for (uint32_t i = 0; i < tiles; i++) {
        add(&its, i, ANY, FS_PIECE_CAMERA, 1);
        add(&its, i, to[i], FS_PIECE_END, 1);
    }
    return run(&its, &p, (fs_travel_params){.quantum = 10, .window = 1, .capacity = 1});
}

TEST(test_rings) {
    static const uint16_t ring[] = {1, 2, 3, 4, 0}, swaps[] = {1, 0, 3, 2}, outsider[] = {1, 2, 1};
    fs_travel_totals t = in_ring(5, ring);
    assert_int_equal(t.steps, 2); /* all full tiles pass their rays on at once */
    assert_int_equal(t.turned, 0);
    t = in_ring(4, swaps);
    assert_int_equal(t.steps, 2);
    assert_int_equal(t.deepest, 1);
    /* Tile 0's ray stands before tile 2's at tile 1, but is not of the ring 1, 2. */
    t = in_ring(3, outsider);
    assert_int_equal(t.turned, 1);
    assert_int_equal(t.moves, 3);
}

/* ---- what holds of all ---- */

static fs_itineraries drawn_paths(fs_rng *rng, uint64_t paths, uint32_t treelets) {
    fs_itineraries its = begin(paths, treelets, 9);
    for (uint64_t i = 0; i < paths; i++) {
        add(&its, i, ANY, FS_PIECE_CAMERA | FS_PIECE_SEGMENT, 1 + fs_rng_below(rng, 10));
        for (uint32_t n = fs_rng_below(rng, 7); n > 0; n--)
            if (fs_rng_below(rng, 3) == 0)
                add(&its, i, ANY, FS_PIECE_HIT | FS_PIECE_SEGMENT, 8 + fs_rng_below(rng, 20));
            else
                add(&its, i, (uint16_t)fs_rng_below(rng, treelets), FS_PIECE_FOUND,
                    1 + fs_rng_below(rng, 300));
        add(&its, i, ANY, FS_PIECE_ESCAPE | FS_PIECE_END, 8);
    }
    return its;
}

/* What was counted is what the pieces say, and a step's worker stays within its quantum. */
typedef struct counted {
    uint64_t event[FS_TRAVEL_EVENTS], units, steps, hash;
} counted;

static counted count_all(const fs_itineraries *its, const fs_placement *p, const fs_travel_params *params) {
    counted sum = {.steps = 0};
    fs_error err = {.status = FS_OK};
    fs_travel *t = fs_travel_create(its, p, params, test_arena());
    for (bool more = true; more; sum.steps++) {
        const uint64_t before = sum.units;
        fs_travel_work(t);
        more = fs_travel_move_on(t);
        assert_int_equal(fs_travel_check(t, &err), FS_OK);
        const fs_travel_step step = fs_travel_step_of(t);
        for (uint32_t i = 0; i < step.active_count; i++)
            for (uint32_t w = 0; w < WORKERS; w++)
                for (uint32_t e = 0; e < FS_TRAVEL_EVENTS; e++) {
                    const uint64_t n = step.rows[step.active[i] * WORKERS + w][e];
                    sum.event[e] += n;
                    sum.hash = (sum.hash ^ (n + step.active[i])) * UINT64_C(0x9e3779b97f4a7c15);
                }
        for (uint32_t i = 0; i < step.move_count; i++)
            sum.hash = (sum.hash ^ (step.moves[i].src * 977 + step.moves[i].dst)) * 31 + step.moves[i].rays;
        sum.units = fs_travel_totals_of(t).units;
        if (params->quantum > 0)
            assert_true(sum.units - before <= (uint64_t)step.active_count * WORKERS * params->quantum);
        assert_true(params->capacity == 0 || step.deepest <= params->capacity);
    }
    const fs_travel_totals totals = fs_travel_totals_of(t);
    assert_int_equal(totals.ended, its->paths);
    assert_int_equal(totals.moves, totals.arrivals);
    assert_int_equal(sum.event[FS_TRAVEL_PACK], totals.moves);
    assert_int_equal(sum.event[FS_TRAVEL_UNPACK], totals.arrivals);
    return sum;
}

static void hold_counts(const fs_itineraries *its, const counted *c) {
    uint64_t event[FS_PIECE_EVENTS] = {0}, units = 0, hits = 0, top = 0;
    for (uint64_t k = 0; k < its->first[its->paths]; k++) {
        top += its->piece[k].treelet == ANY ? its->piece[k].event[FS_PIECE_NODE] : 0;
        for (int e = 0; e < FS_PIECE_EVENTS; e++)
            event[e] += its->piece[k].event[e];
        units += its->piece[k].units;
        hits += (its->piece[k].does & FS_PIECE_HIT) != 0;
    }
    for (int e = 0; e < FS_PIECE_EVENTS; e++)
        assert_int_equal(c->event[e], event[e]);
    assert_int_equal(c->units, units);
    assert_int_equal(c->event[FS_TRAVEL_TOP], top);
    assert_int_equal(c->event[FS_TRAVEL_HIT], hits);
    assert_int_equal(c->event[FS_TRAVEL_END], its->paths);
    assert_int_equal(c->event[FS_TRAVEL_CAMERA], its->paths);
}

/* Tiles in a row: a ray goes from neighbour to neighbour. */
static uint32_t along(const void *self, uint32_t tile, uint32_t goal, uint32_t *limit) {
    (void)self;
    *limit = 2;
    return goal > tile ? tile + 1 : tile - 1;
}

TEST(test_nothing_is_lost) {
    fs_rng rng = fs_rng_stream(7, "treelets");
    const int threads = omp_get_max_threads();
    for (uint32_t round = 0; round < 24; round++) {
        const uint32_t treelets = 1 + fs_rng_below(&rng, 12), tiles = treelets + fs_rng_below(&rng, 9);
        double load[MOST];
        for (uint32_t k = 0; k < treelets; k++)
            load[k] = 1 + fs_rng_below(&rng, 50);
        const fs_placement p = one_each(treelets, tiles, (fs_place_rule)(round % 3), load);
        const fs_itineraries its = drawn_paths(&rng, 1 + fs_rng_below(&rng, 400), treelets);
        const uint32_t window = 1 + fs_rng_below(&rng, 6);
        const fs_travel_params params = {.tiles = tiles,
                                         .workers = WORKERS,
                                         .quantum = round % 4 == 0 ? 0 : 1 + fs_rng_below(&rng, 80),
                                         .window = window,
                                         .capacity = round % 2 == 0 ? 0 : 1 + fs_rng_below(&rng, 8),
                                         .slots = fs_rng_below(&rng, 3),
                                         .image = round % 5 == 0,
                                         .home = round % 6 == 0,
                                         .ways = {.hop = round % 8 == 3 ? along : NULL}};
        omp_set_num_threads(1);
        const counted one = count_all(&its, &p, &params);
        omp_set_num_threads(2);
        const counted two = count_all(&its, &p, &params);
        omp_set_num_threads(threads);
        assert_memory_equal(&one, &two, sizeof one);
        hold_counts(&its, &one);
    }
}

/* ---- placement ---- */

TEST(test_placement) {
    fs_placement p;
    fs_error err = {.status = FS_OK};
    static const uint64_t bytes[] = {300, 900, 600, 120};
    static const double load[] = {10, 1, 1, 40};
    /* Two tiles: the large one first, then who still fits; then copies for who has most load each. */
    fs_place_params params = {.rule = FS_PLACE_ONE, .tiles = 2};
    assert_int_equal(place(4, bytes, load, params, 1200, &p, &err), FS_OK);
    assert_int_equal(p.copies, 4);
    assert_true(fs_place_has(&p, 0, 1) && fs_place_has(&p, 1, 2));
    assert_true(p.bytes[0] + p.bytes[1] == 1920 && p.bytes[0] <= 1200 && p.bytes[1] <= 1200);
    params = (fs_place_params){.rule = FS_PLACE_LOAD, .tiles = 6};
    assert_int_equal(place(4, bytes, load, params, 1000, &p, &err), FS_OK);
    assert_int_equal(fs_place_copies(&p, 3), 5); /* the hot small one is wherever there is room */
    params.rule = FS_PLACE_EVEN;
    assert_int_equal(place(4, bytes, load, params, 1000, &p, &err), FS_OK);
    assert_true(fs_place_copies(&p, 1) >= 2);
    for (uint32_t k = 0; k < 4; k++)
        for (uint32_t i = p.start[k]; i < p.start[k + 1]; i++) {
            assert_true(fs_place_has(&p, p.tile[i], k));
            assert_true(i == p.start[k] || p.tile[i] > p.tile[i - 1]);
        }
    /* What does not fit is refused with the triangles that would. */
    params = (fs_place_params){.rule = FS_PLACE_LOAD, .tiles = 1};
    assert_fails(place(4, bytes, load, params, 1300, &p, &err), FS_INPUT, &err, "20 triangles would fit");
    /* So are treelets of spheres, which have no triangles. */
    static const uint64_t small[] = {40, 40};
    err = (fs_error){.status = FS_OK};
    assert_fails(place(2, small, load, params, 50, &p, &err), FS_INPUT, &err,
                 "1 treelets of 0 triangles would fit");
}

/* Four tiles with room for one: ten units and six. The third copy goes to the ten, of which each copy then has five; the
 * fourth to the six. */
TEST(test_load_a_copy) {
    static const double load[] = {10, 6};
    const fs_placement p = one_each(2, 4, FS_PLACE_LOAD, load);
    assert_int_equal(fs_place_copies(&p, 0), 2);
    assert_int_equal(fs_place_copies(&p, 1), 2);
    assert_true(p.expected[0] == 5 && p.expected[1] == 3 && p.expected[2] == 5 && p.expected[3] == 3);
}

/* Of eight paths a quarter are looked at: the first, and the one that starts next, number 5. What follows a visit anywhere is
 * done where the ray is; what comes before the first visit is done at home. */
TEST(test_pilot) {
    fs_itineraries its = begin(8, 3, 5);
    double load[3] = {7, 7, 7};
    for (uint64_t p = 0; p < 8; p++) {
        add(&its, p, ANY, FS_PIECE_CAMERA, 1000);
        add(&its, p, p == 5 ? 2 : 0, FS_PIECE_FOUND, 10);
        add(&its, p, ANY, FS_PIECE_HIT | FS_PIECE_SEGMENT, 8);
        add(&its, p, 1, FS_PIECE_FOUND, p == 0 || p == 5 ? 3 : 5000);
        add(&its, p, ANY, FS_PIECE_ESCAPE | FS_PIECE_END, 1);
    }
    assert_int_equal(fs_place_stride(8), 5);
    fs_place_pilot(&its, 4, load);
    assert_true(load[0] == 18 && load[1] == 2 * (3 + 1) && load[2] == 18);
}

/* Where every tile of eight chips has room for all, each ends with all, and the tiles together expect the whole load. */
TEST(test_many_copies) {
    enum { TREELETS = 200, TILES = 8 * 184 };
    fs_placement p;
    fs_error err = {.status = FS_OK};
    uint64_t *bytes = FS_NEW(test_arena(), uint64_t, TREELETS);
    double *load = FS_NEW(test_arena(), double, TREELETS), all = 0, expected = 0;
    for (uint32_t k = 0; k < TREELETS; k++) {
        bytes[k] = 1000;
        load[k] = 1 + k * k % 37;
        all += load[k];
    }
    const fs_place_params params = {.rule = FS_PLACE_LOAD, .tiles = TILES, .chips = 8};
    assert_int_equal(place(TREELETS, bytes, load, params, 1000 * TREELETS, &p, &err), FS_OK);
    assert_int_equal(p.copies, TREELETS * TILES);
    for (uint32_t t = 0; t < TILES; t++)
        expected += p.expected[t];
    assert_true(expected > all * (1 - 1e-9) && expected < all * (1 + 1e-9));
}

/* Dealt over chips every chip has a copy of the hot one before any has two; a path keeps to its chip. */
TEST(test_chips) {
    fs_placement p;
    fs_error err = {.status = FS_OK};
    static const uint64_t bytes[] = {600, 600};
    static const double load[] = {9, 1};
    fs_place_params params = {.rule = FS_PLACE_LOAD, .tiles = 8, .chips = 4};
    assert_int_equal(place(2, bytes, load, params, 600, &p, &err), FS_OK);
    for (uint32_t c = 0; c < 4; c++)
        assert_true(p.start[c + 1] > p.start[c]);
    for (uint64_t path = 0; path < 8; path++)
        for (uint32_t c = 0; c < 4; c++)
            assert_int_equal(fs_place_of(&p, 0, path, c) / 2, c);
    params.spread = FS_PLACE_IN_ORDER;
    assert_int_equal(place(2, bytes, load, params, 600, &p, &err), FS_OK);
    assert_true(fs_place_of(&p, 1, 0, 2) / 2 == 2);
}

TEST(test_stride) {
    assert_int_equal(fs_place_stride(1), 1);
    assert_int_equal(fs_place_stride(10), 7);
    for (uint64_t paths = 1; paths < 200; paths++) {
        bool seen[200] = {false};
        for (uint64_t i = 0, p = 0; i < paths; i++, p = (p + fs_place_stride(paths)) % paths) {
            assert_false(seen[p]);
            seen[p] = true;
        }
    }
}

RUN_TESTS(NULL, NULL)
