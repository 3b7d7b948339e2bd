/* Itineraries: what they count, against pathtrace's walk and another program's counts; that order, cut, threads and
 * lanes change no path. FOAMSIM_GROVE=5: groves of up to 7.9 million triangles (make large). */
#include "tests/support/scratch.h"
#include "tests/support/treelet_stage.h"

#include "sim/config/config.h"
#include "tests/support/test.h"
#include "workloads/treelets/record/statistics.h"
#include "workloads/treelets/walk/walk_private.h"

#include <omp.h>

static const fs_itineraries_params quarter = {
    .walk =
        {.width = 320, .height = 180, .seed = 1, .most_segments = 10, .roulette_above = 3, .jitter = 0.25f},
    .samples = 1};
static const fs_mesh_grove small_grove = {.k = 1, .ground = 64, .shrubs = 2, .level = 4};

static treelet_stage *built_in(int64_t builtin) {
    fs_arena *arena = fs_arena_create();
    fs_mesh_scene_params p;
    fs_params_default(arena, &fs_mesh_scene_table, &p);
    p.builtin = builtin;
    treelet_stage *s = treelet_stage_load(&p);
    fs_arena_free(arena);
    return s;
}

static uint64_t paths_of(const fs_itineraries_params *p) {
    return (uint64_t)p->walk.width * p->walk.height * p->samples;
}

/* ---- one treelet ---- */

/* Path for path what pathtrace's walk counts and brings. */
static void expect_pathtrace(treelet_stage *s, fs_itineraries_params params, uint64_t all[FS_WALK_EVENTS]) {
    const uint64_t count = paths_of(&params);
    fs_walk_key *key = test_keep(calloc(count, sizeof *key));
    fs_walk_path *plain = test_keep(calloc(count, sizeof *plain)),
                 *paths = test_keep(calloc(count, sizeof *paths));
    uint32_t(*rows)[FS_WALK_EVENTS] = calloc(count, sizeof *rows);
    for (uint64_t i = 0; i < count; i++)
        key[i] = (fs_walk_key){(uint32_t)(i / params.samples), (uint32_t)(i % params.samples)};
    fs_walk_paths(&s->walk, &params.walk, key, count, plain, rows);
    const int orders = count < 10000 ? FS_ORDER_FIXED : FS_ORDER_NEAR; /* a large one once */
    for (int order = FS_ORDER_NEAR; order <= orders; order++) {
        fs_itineraries its;
        params.order = (fs_itineraries_order)order;
        treelet_stage_walk(s, &params, &its, paths);
        assert_memory_equal(paths, plain, count * sizeof *paths);
        for (uint64_t p = 0; p < count; p++) {
            uint64_t counts[FS_WALK_EVENTS] = {0};
            for (uint64_t i = its.first[p]; i < its.first[p + 1]; i++)
                fs_piece_count(&its.piece[i], s->scene.normal != NULL, counts);
            for (int e = 0; e < FS_WALK_EVENTS; e++)
                if (counts[e] != rows[p][e])
                    fail_msg("path %" PRIu64 ", event %d: %" PRIu64 " for %" PRIu32, p, e, counts[e],
                             rows[p][e]);
        }
        treelet_stage_sum(s, &its, all, NULL);
        fs_itineraries_free(&its);
    }
    free(rows);
}

TEST(one_treelet_is_pathtrace) {
    const int64_t builtins[] = {FS_MESH_BUILTIN_BOX, FS_MESH_BUILTIN_SPHERES};
    uint64_t all[FS_WALK_EVENTS];
    fs_itineraries_params params = quarter;
    params.walk.width = 48;
    params.walk.height = 32;
    params.samples = 3;
    for (int b = 0; b < 2; b++) {
        treelet_stage *s = built_in(builtins[b]);
        treelet_stage_cut(s, (fs_treelet_params){.most_bytes = 0});
        expect_pathtrace(s, params, all);
        fs_arena_free(s->arena);
    }
    treelet_stage *s = *state;
    treelet_stage_cut(s, (fs_treelet_params){.most_bytes = 0});
    expect_pathtrace(s, quarter, all);
    assert_int_equal(all[FS_WALK_SEGMENT], 140411); /* another program's */
    assert_int_equal(all[FS_WALK_NODE], 9798361);
}

/* ---- another program's counts ---- */

typedef struct golden {
    fs_itineraries_order order;
    uint64_t nodes, leaves, visits;
} golden;

typedef struct whole {
    uint64_t segments, hits, escapes;
} whole;

static void expect_counts(const treelet_stage *s, fs_itineraries_params params, golden g, whole all) {
    uint64_t n[FS_WALK_EVENTS], visits;
    fs_itineraries its;
    params.order = g.order;
    treelet_stage_walk(s, &params, &its, NULL);
    treelet_stage_sum(s, &its, n, &visits);
    assert_int_equal(n[FS_WALK_SEGMENT], all.segments);
    assert_int_equal(n[FS_WALK_HIT], all.hits);
    assert_int_equal(n[FS_WALK_ESCAPE], all.escapes);
    assert_int_equal(n[FS_WALK_NODE], g.nodes);
    assert_int_equal(n[FS_WALK_LEAF], g.leaves);
    assert_int_equal(visits, g.visits);
    fs_itineraries_free(&its);
}

static int grove_asked_for(void) {
    const char *most = getenv("FOAMSIM_GROVE");
    return most == NULL ? 0 : atoi(most);
}

TEST(a_grove_counts_as_elsewhere) {
    if (grove_asked_for() < 1)
        skip();
    treelet_stage *s = treelet_stage_grove((fs_mesh_grove){.k = 1, .ground = 256, .shrubs = 3, .level = 5});
    treelet_stage_cut(s, (fs_treelet_params){.most_bytes = 460800});
    const whole q = {124185, 69310, 54875}, four = {994858, 555747, 439111};
    expect_counts(s, quarter, (golden){FS_ORDER_FIXED, 10122933, 568841, 234336}, q);
    expect_counts(s, quarter, (golden){FS_ORDER_NEAR, 8963103, 493076, 195746}, q);
    expect_counts(s, quarter, (golden){FS_ORDER_SORTED, 9426829, 493037, 195708}, q);
    fs_itineraries_params params = quarter;
    params.walk.width = 640;
    params.walk.height = 360;
    params.samples = 2;
    expect_counts(s, params, (golden){FS_ORDER_FIXED, 81151578, 4562614, 1878008}, four);
    expect_counts(s, params, (golden){FS_ORDER_SORTED, 75577569, 3956443, 1567541}, four);
    uint64_t n[FS_WALK_EVENTS], visits;
    fs_itineraries its;
    treelet_stage_walk(s, &params, &its, NULL);
    treelet_stage_sum(s, &its, n, &visits);
    assert_int_equal(n[FS_WALK_NODE], 71843934);
    assert_int_equal(n[FS_WALK_AXIS], 193459107);
    assert_int_equal(n[FS_WALK_INNER], 34640597);
    assert_int_equal(n[FS_WALK_LEAF], 3956758);
    assert_int_equal(n[FS_WALK_EDGE_EXIT], 2727735);
    assert_int_equal(n[FS_WALK_RANGE_EXIT], 529231);
    assert_int_equal(n[FS_WALK_TRIANGLE], 699792);
    assert_int_equal(n[FS_WALK_ROULETTE], 34007);
    assert_int_equal(visits, 1567882); /* 3.4025 of a path */
    fs_itineraries_free(&its);
    fs_arena_free(s->arena);
}

/* What another program counts of these groves, 640 x 360 pixels of 2 samples, nearer child first: visits of a segment to
 * three digits behind the point; the busiest treelet over the mean to two or three digits. */
typedef struct elsewhere {
    int64_t k;
    bool closed;
    uint64_t bytes;
    uint32_t treelets;
    double visits, busiest, moves; /* moves 0: not told */
    uint32_t count;                /* of the rule of work; 0: that of bytes */
} elsewhere;

static void expect_elsewhere(treelet_stage *s, const elsewhere *e) {
    fs_itineraries_params params = quarter;
    fs_itineraries its;
    fs_itineraries_statistics stats;
    params.walk.width = 640;
    params.walk.height = 360;
    params.samples = 2;
    treelet_stage_cut(s, (fs_treelet_params){e->count > 0 ? FS_CUT_WORK : FS_CUT_BYTES, e->bytes, e->count});
    assert_int_equal(s->cut.treelets, e->treelets);
    treelet_stage_walk(s, &params, &its, NULL);
    fs_itineraries_measure(&its, s->arena, &stats);
    const double visits = (double)stats.all.visits / (double)stats.segments,
                 moves = (double)stats.moves / (double)stats.paths;
    print_message(
        "k %d, %u treelets: %.4f visits a segment, busiest %.2f, Gini %.3f, %.3f moves a path, found %.3f, "
        "top %.2f of %.2f nodes a segment, at most %" PRIu64 " / %" PRIu64 " / %" PRIu64 " visits\n",
        (int)e->k, e->treelets, visits, stats.imbalance, stats.gini, moves,
        (double)stats.found / (double)stats.all.visits, (double)stats.top_nodes / (double)stats.segments,
        (double)stats.nodes / (double)stats.segments, stats.all.half, stats.all.most_of_20,
        stats.all.most_of_100);
    assert_true(fabs(visits - e->visits) <= 0.0005 + 1e-9);
    assert_true(fabs(stats.imbalance / e->busiest - 1) < 0.015); /* its digits, and units for its slots */
    assert_true(e->moves == 0 || fabs(moves / e->moves - 1) < 0.005);
    fs_itineraries_free(&its);
}

TEST(groves_are_cut_and_visited_as_elsewhere) {
    static const elsewhere cases[] = {
        {1, false, 460800, 63, 1.576, 8.5, 2.28, 0},  {1, false, 115200, 242, 1.600, 13.0, 0, 0},
        {1, true, 460800, 65, 2.461, 17.3, 11.5, 0},  {2, false, 460800, 244, 1.442, 46, 1.95, 0},
        {4, false, 460800, 983, 1.452, 54, 1.89, 0},  {4, false, 115200, 3915, 1.496, 119, 0, 0},
        {4, false, 460800, 5760, 1.508, 92, 0, 5760}, {5, false, 230400, 3046, 1.496, 68, 1.98, 0}};
    treelet_stage *s = NULL;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        if (cases[i].k > grove_asked_for())
            continue;
        if (s == NULL || cases[i].k != cases[i - 1].k || cases[i].closed != cases[i - 1].closed) {
            if (s != NULL)
                fs_arena_free(s->arena);
            s = treelet_stage_grove((fs_mesh_grove){
                .k = cases[i].k, .closed = cases[i].closed, .ground = 256, .shrubs = 3, .level = 5});
        }
        expect_elsewhere(s, &cases[i]);
        for (uint32_t k = 0; i == 0 && k < s->cut.treelets; k++)
            assert_true(s->cut.of[k].bytes >= 159576 && s->cut.of[k].bytes <= 448302);
    }
    if (s == NULL)
        skip();
    fs_arena_free(s->arena);
}

/* ---- closed forms ---- */

/* A wall of 2^level treelets: each path meets the one before it, all treelets have the same bytes and paths. The
 * top costs 1 + 2 level nodes in the order of nearer children. */
TEST(equal_treelets_have_equal_loads) {
    fs_itineraries_params params = {
        .walk = {.width = 128, .height = 128, .seed = 1, .most_segments = 1, .roulette_above = 100},
        .samples = 1};
    for (uint32_t level = 1; level <= 6; level++) {
        treelet_stage *s = treelet_stage_wall(level);
        const uint32_t treelets = 1u << level;
        const uint64_t count = paths_of(&params);
        fs_itineraries its;
        fs_itineraries_statistics stats;
        assert_int_equal(s->cut.treelets, treelets);
        treelet_stage_walk(s, &params, &its, NULL);
        fs_itineraries_measure(&its, s->arena, &stats);
        assert_int_equal(stats.hits, count);
        assert_int_equal(stats.all.visits, count);
        assert_int_equal(stats.found, count);
        assert_int_equal(stats.top_nodes, count * (1 + 2 * level));
        for (uint32_t k = 0; k < treelets; k++) {
            assert_int_equal(s->cut.of[k].bytes, s->cut.of[0].bytes);
            assert_int_equal(stats.visits_of[k], count / treelets);
        }
        /* whether a cell's second triangle is tested behind the first one's hit is a matter of rounding */
        assert_true(stats.imbalance < 1.001 && stats.gini < 0.001);
        fs_itineraries_free(&its);
        fs_arena_free(s->arena);
    }
}

/* Four balls behind each other in four treelets that nest, of which the first one's holds the roots of the others: by distance a ray
 * visits that and the one of the ball that it hits, and passes over what begins behind it. */
TEST(nested_treelets_are_visited_from_the_nearest_on) {
    fs_arena *arena = test_arena();
    fs_sphere ball[4];
    fs_material grey = {.albedo = {0.5f, 0.5f, 0.5f}};
    for (int i = 0; i < 4; i++)
        ball[i] = (fs_sphere){.centre = {0, 0, -5 - (float)(i % 2 * 4 + i / 2 * 20)}, .radius = 0.5f};
    treelet_stage *s =
        treelet_stage_of((fs_mesh_scene){.spheres = 4,
                                         .sphere = ball,
                                         .materials = 1,
                                         .material = &grey,
                                         .camera = {.forward = {0, 0, -1}, .up = {0, 1, 0}, .fov = 0.01f}},
                         arena);
    treelet_stage_cut(s, (fs_treelet_params){.rule = FS_CUT_AREA, .most_bytes = 130});
    assert_int_equal(s->cut.treelets, 4);
    for (int order = FS_ORDER_NEAR; order <= FS_ORDER_SORTED; order++) {
        fs_itineraries_params params = {
            .walk = {.width = 8, .height = 8, .seed = 1, .most_segments = 1, .roulette_above = 100},
            .samples = 1,
            .order = (fs_itineraries_order)order};
        fs_itineraries its;
        fs_itineraries_statistics stats;
        treelet_stage_walk(s, &params, &its, NULL);
        fs_itineraries_measure(&its, arena, &stats);
        assert_int_equal(stats.hits, 64);
        assert_int_equal(stats.all.visits, 2 * 64);
        assert_int_equal(stats.found, 64);
        fs_itineraries_free(&its);
    }
}

/* ---- what changes nothing ---- */

static void expect_same_paths(treelet_stage *s, fs_itineraries_params params) {
    const uint64_t count = paths_of(&params);
    fs_walk_path *first = test_keep(calloc(count, sizeof *first)),
                 *paths = test_keep(calloc(count, sizeof *paths));
    const fs_treelet_params cuts[] = {{FS_CUT_BYTES, 0, 0},    {FS_CUT_BYTES, s->tree.nodes * 10 + 100, 0},
                                      {FS_CUT_BYTES, 2000, 0}, {FS_CUT_BYTES, 66, 0},
                                      {FS_CUT_WORK, 0, 2},     {FS_CUT_WORK, s->tree.nodes * 4 + 100, 40},
                                      {FS_CUT_AREA, 1500, 0},  {FS_CUT_AREA, 100, 0}};
    uint64_t n[FS_WALK_EVENTS], all[FS_WALK_EVENTS] = {0};
    for (size_t c = 0; c < sizeof cuts / sizeof *cuts; c++)
        for (int order = FS_ORDER_NEAR; order <= FS_ORDER_FIXED; order++) {
            fs_itineraries its;
            params.order = (fs_itineraries_order)order;
            treelet_stage_cut(s, cuts[c]);
            treelet_stage_walk(s, &params, &its, c + (size_t)order == 0 ? first : paths);
            if (c + (size_t)order > 0)
                assert_memory_equal(paths, first, count * sizeof *paths);
            treelet_stage_sum(s, &its, c == 0 ? all : n, NULL);
            if (c > 0 && order == FS_ORDER_FIXED) /* the tree's order: cut or not, the same tests */
                assert_memory_equal(n, all, sizeof n);
            fs_itineraries_free(&its);
        }
}

TEST(order_and_cut_change_no_path) {
    const int64_t builtins[] = {FS_MESH_BUILTIN_BOX, FS_MESH_BUILTIN_SPHERES};
    fs_itineraries_params params = quarter;
    params.walk.width = 32;
    params.walk.height = 18;
    for (int b = 0; b < 2; b++) {
        treelet_stage *s = built_in(builtins[b]);
        params.light = b == 0 ? FS_SHADOW_EMITTERS : FS_SHADOW_SUN;
        params.to_sun[1] = 1;
        params.from_sun[0] = 1;
        expect_same_paths(s, params);
        fs_arena_free(s->arena);
    }
    params.light = FS_SHADOW_NONE;
    treelet_stage *s = treelet_stage_grove((fs_mesh_grove){.k = 1, .ground = 32, .shrubs = 2, .level = 2});
    expect_same_paths(s, params);
    fs_arena_free(s->arena);
}

TEST(threads_and_lanes_change_nothing) {
    treelet_stage *s = *state;
    fs_itineraries_params params = quarter;
    params.walk.width = 128;
    params.walk.height = 72; /* three chunks */
    const uint64_t count = paths_of(&params);
    const fs_walk_lens lens = fs_walk_lens_of(&s->walk, &params.walk);
    fs_itineraries one, many;
    treelet_stage_cut(s, (fs_treelet_params){.most_bytes = 60000});
    fs_top top = fs_top_of(&s->walk, &s->cut);
    const int threads = omp_get_max_threads();
    omp_set_num_threads(1);
    treelet_stage_walk(s, &params, &one, NULL);
    omp_set_num_threads(3);
    treelet_stage_walk(s, &params, &many, NULL);
    omp_set_num_threads(threads);
    assert_memory_equal(one.first, many.first, (count + 1) * sizeof *one.first);
    assert_memory_equal(one.piece, many.piece, one.first[count] * sizeof *one.piece);
    fs_piece_list pieces = {.count = 0};
    fs_itineraries_list list = {.walk = &s->walk,
                                .cut = &s->cut,
                                .top = &top,
                                .params = &params,
                                .lens = &lens,
                                .count = count,
                                .paths = calloc(count, sizeof *list.paths),
                                .begin = calloc(count, sizeof *list.begin),
                                .pieces_of = calloc(count, sizeof *list.pieces_of),
                                .pieces = &pieces};
    fs_itineraries_list_plain(&list);
    for (uint64_t p = 0; p < count; p++) {
        if (list.pieces_of[p] != one.first[p + 1] - one.first[p] ||
            memcmp(pieces.piece + list.begin[p], one.piece + one.first[p],
                   list.pieces_of[p] * sizeof *one.piece) != 0)
            fail_msg("path %" PRIu64 " has other pieces in four lanes", p);
    }
    free(list.paths);
    free(list.begin);
    free(list.pieces_of);
    free(pieces.piece);
    fs_top_free(&top);
    fs_itineraries_free(&one);
    fs_itineraries_free(&many);
}

/* ---- light ---- */

/* The mean of all paths' red, and its variance. */
static double mean_light(treelet_stage *s, const fs_itineraries_params *params, double *variance) {
    const uint64_t count = paths_of(params);
    fs_walk_path *path = test_keep(calloc(count, sizeof *path));
    fs_itineraries its;
    double sum = 0, squares = 0;
    treelet_stage_walk(s, params, &its, path);
    for (uint64_t p = 0; p < count; p++) {
        const bool asked = params->light == FS_SHADOW_SUN && fs_itineraries_asked_sun(&its, p);
        float rgb[3];
        fs_walk_radiance(&path[p], 0, asked ? fs_walk_sky_without_sun : fs_walk_sky, NULL, rgb);
        sum += (double)rgb[0];
        squares += (double)rgb[0] * (double)rgb[0];
    }
    fs_itineraries_free(&its);
    *variance = (squares - sum * sum / (double)count) / ((double)count * (double)count);
    return sum / (double)count;
}

/* The sun found by chance, or asked by shadow rays: the same light, with less noise. */
TEST(shadow_rays_bring_the_light_of_the_sun) {
    treelet_stage *s = *state;
    fs_itineraries_params params = quarter;
    double of_chance, of_rays;
    params.walk.width = 48;
    params.walk.height = 32;
    params.samples = 24;
    treelet_stage_cut(s, (fs_treelet_params){.most_bytes = 60000});
    const double chance = mean_light(s, &params, &of_chance);
    params.light = FS_SHADOW_SUN;
    memcpy(params.to_sun, (const float[]){-0.5f, 0.70710678f, -0.5f}, sizeof params.to_sun);
    memcpy(params.from_sun, (const float[]){0.16f, 0.145f, 0.12f}, sizeof params.from_sun);
    const double rays = mean_light(s, &params, &of_rays);
    assert_true(of_rays < 0.5 * of_chance);
    assert_true(fabs(rays - chance) < 4 * sqrt(of_chance + of_rays));
    assert_true(4 * sqrt(of_chance + of_rays) < 0.1 * chance);
}

/* Lamps of the box: the same. */
TEST(shadow_rays_bring_the_light_of_emitters) {
    treelet_stage *s = built_in(FS_MESH_BUILTIN_BOX);
    fs_itineraries_params params = quarter;
    double of_chance, of_rays;
    params.walk.width = params.walk.height = 32;
    params.samples = 64;
    treelet_stage_cut(s, (fs_treelet_params){.most_bytes = 20000});
    const double chance = mean_light(s, &params, &of_chance);
    params.light = FS_SHADOW_EMITTERS;
    const double rays = mean_light(s, &params, &of_rays);
    assert_true(of_rays < of_chance);
    assert_true(fabs(rays - chance) < 4 * sqrt(of_chance + of_rays));
    assert_true(4 * sqrt(of_chance + of_rays) < 0.1 * chance);
    fs_arena_free(s->arena);
}

/* ---- before the walk ---- */

TEST(a_walk_is_expected_about_as_it_will_be) {
    treelet_stage *s = *state;
    fs_itineraries its;
    treelet_stage_cut(s, (fs_treelet_params){.most_bytes = 60000});
    const fs_itineraries_expected e = fs_itineraries_expect(&s->walk, &s->cut, &quarter);
    treelet_stage_walk(s, &quarter, &its, NULL);
    const double pieces = (double)its.first[its.paths];
    assert_int_equal(e.paths, its.paths);
    assert_true(fabs(e.pieces / pieces - 1) < 0.05);
    assert_true(e.bytes > pieces * sizeof(fs_piece));
    assert_true(e.seconds > 0);
    fs_itineraries_free(&its);
}

/* ---- pieces ---- */

TEST(wide_counts_go_on_in_further_pieces) {
    fs_piece_list list = {.count = 0};
    fs_open_piece open = {.does = FS_PIECE_HIT | FS_PIECE_SEGMENT,
                          .event = {[FS_PIECE_NODE] = 200001, [FS_PIECE_AXIS] = 65535, [FS_PIECE_DISC] = 3}};
    fs_piece_list_add(&list, FS_PIECE_ANYWHERE, &open, 7);
    assert_int_equal(list.count, 4);
    uint64_t counts[FS_WALK_EVENTS] = {0}, units = 0;
    for (uint64_t i = 0; i < list.count; i++) {
        fs_piece_count(&list.piece[i], false, counts);
        units += list.piece[i].units;
        assert_int_equal(list.piece[i].depth, 7);
        assert_int_equal((list.piece[i].does & FS_PIECE_CONTINUES) != 0, i > 0);
    }
    assert_int_equal(counts[FS_WALK_NODE], 200001);
    assert_int_equal(counts[FS_WALK_AXIS], 65535);
    assert_int_equal(counts[FS_WALK_DISC], 3);
    assert_int_equal(counts[FS_WALK_HIT], 1);
    assert_int_equal(counts[FS_WALK_SEGMENT], 1);
    assert_int_equal(units, 200001 + 4 * 3 + 8);
    for (int e = 0; e < FS_PIECE_EVENTS; e++)
        assert_int_equal(open.event[e], 0);
    fs_piece_list_add(&list, 5, &open, 0); /* nothing counted costs a unit */
    assert_int_equal(list.piece[4].units, 1);
    free(list.piece);
}

/* ---- recordings ---- */

static void write_recording(const char *path, fs_itineraries *its) {
    fs_error err = {.status = FS_OK};
    char key[FS_DIGEST_HEX];
    memset(key, 'a', sizeof key - 1);
    key[sizeof key - 1] = '\0';
    fs_recording_writer *w = fs_recording_create(path, FS_RECORDING_ITINERARY, key, "text", &err);
    assert_non_null(w);
    fs_itineraries_sections(&(fs_recorded){.writer = w, .err = &err}, its);
    assert_int_equal(err.status, FS_OK);
    assert_int_equal(fs_recording_commit(w, &err), FS_OK);
}

static fs_status read_recording(const char *path, fs_itineraries *its, fs_error *err) {
    *err = (fs_error){.status = FS_OK};
    fs_recording *r = fs_recording_open(path, err);
    assert_non_null(r);
    *its = (fs_itineraries){0};
    fs_itineraries_sections(&(fs_recorded){.recording = r, .err = err}, its);
    fs_recording_close(r);
    return err->status;
}

/* Itineraries whose checksums are right and whose numbers are not. */
static void expect_damaged(const char *path, fs_itineraries *its) {
    fs_itineraries back;
    fs_error err;
    write_recording(path, its);
    assert_fails(read_recording(path, &back, &err), FS_IO, &err, "path 0 that are no path's");
    fs_itineraries_free(&back);
}

TEST(recordings_give_itineraries_back) {
    treelet_stage *s = *state;
    fs_itineraries_params params = quarter;
    const char *const path = "its";
    fs_itineraries its, back;
    fs_error err;
    params.walk.width = 40;
    params.walk.height = 30;
    params.light = FS_SHADOW_SUN;
    params.to_sun[1] = 1;
    treelet_stage_cut(s, (fs_treelet_params){.most_bytes = 60000});
    treelet_stage_walk(s, &params, &its, NULL);
    write_recording(path, &its);
    assert_int_equal(read_recording(path, &back, &err), FS_OK);
    assert_int_equal(back.paths, its.paths);
    assert_int_equal(back.treelets, its.treelets);
    assert_memory_equal(back.first, its.first, (its.paths + 1) * sizeof *its.first);
    assert_memory_equal(back.piece, its.piece, its.first[its.paths] * sizeof *its.piece);
    fs_itineraries_free(&back);
    const fs_piece kept = its.piece[0];
    const uint16_t wrong[] = {0, FS_PIECE_CAMERA,
                              FS_PIECE_CAMERA | FS_PIECE_END | FS_PIECE_SEGMENT | FS_PIECE_FOUND,
                              FS_PIECE_CAMERA | FS_PIECE_SEGMENT | FS_PIECE_SPECULAR, 0x8000};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        its.piece[0].does = wrong[i];
        expect_damaged(path, &its);
    }
    its.piece[0] = kept;
    its.piece[0].treelet = (uint16_t)its.treelets;
    expect_damaged(path, &its);
    its.piece[0] = kept;
    fs_itineraries_free(&its);
}

static int open_stage(void **state) {
    void *none = NULL;
    *state = treelet_stage_grove(small_grove);
    return scratch_enter(&none);
}

static int close_stage(void **state) {
    const treelet_stage *s = *state;
    void *none = NULL;
    fs_arena_free(s->arena);
    return scratch_leave(&none);
}

RUN_TESTS(open_stage, close_stage)
