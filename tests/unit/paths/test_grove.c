/* The builtin grove: the scene that another program makes by the same rules, bit by bit; its tree, the same over any
 * threads; and what paths count in it, to the last one. FOAMSIM_GROVE: the greatest k; make large asks for 5. */
#include "sim/config/config.h"
#include "tests/support/test.h"
#include "workloads/paths/walk/walk.h"
#include "workloads/scene/mesh/mesh.h"
#include "workloads/treelets/cut/cut.h"

#include <omp.h>
#include <unistd.h>

static uint64_t mixed(uint64_t x) {
    x ^= x >> 30;
    x *= 0xbf58476d1ce4e5b9;
    x ^= x >> 27;
    x *= 0x94d049bb133111eb;
    return x ^ x >> 31;
}

/* Of the bits of all vertices, then of all indices, in their order. */
static uint64_t chained(const fs_mesh_scene *s) {
    uint64_t d = 0;
    uint32_t word;
    for (uint32_t v = 0; v < s->vertices; v++)
        for (int a = 0; a < 3; a++) {
            memcpy(&word, &s->vertex[v][a], sizeof word);
            d = mixed(d ^ word);
        }
    for (uint32_t t = 0; t < s->triangles; t++)
        for (int c = 0; c < 3; c++)
            d = mixed(d ^ s->triangle[t][c]);
    return d;
}

static int greatest(void) {
    const char *most = getenv("FOAMSIM_GROVE");
    return most == NULL ? 1 : atoi(most);
}

static fs_mesh_scene grove(fs_mesh_grove size, double albedo, fs_arena *arena) {
    fs_error err = {.status = FS_OK};
    fs_mesh_scene s;
    fs_mesh_scene_params p;
    fs_params_default(arena, &fs_mesh_scene_table, &p);
    p.builtin = FS_MESH_BUILTIN_GROVE;
    p.grove = size;
    p.albedo = albedo;
    assert_ok(fs_mesh_scene_load(&p, arena, &s, &err), &err);
    return s;
}

static fs_bvh tree_of(const fs_mesh_scene *scene, fs_arena *arena) {
    fs_error err = {.status = FS_OK};
    fs_bvh tree;
    assert_ok(fs_bvh_build(scene, FS_TREE_NODE_HALF, arena, &tree, &err), &err);
    return tree;
}

static const fs_mesh_grove whole = {.k = 1, .ground = 256, .shrubs = 3, .level = 5},
                           coarse = {.k = 1, .ground = 64, .shrubs = 2, .level = 4};

TEST(groves_have_their_digests) {
    static const struct {
        int64_t k;
        bool closed;
        uint32_t triangles;
        uint64_t digest;
    } cases[] = {{1, false, 315392, 0x46226872ecd34acb},
                 {1, true, 315404, 0x97b35abb14346f5c},
                 {2, false, 1261568, 0xc49b06ff2a6c1a82},
                 {4, false, 5046272, 0xfb024091a67eab15},
                 {5, false, 7884800, 0x004813dc7f0005dd}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        if (cases[i].k > greatest())
            continue;
        fs_arena *arena = test_arena();
        fs_mesh_grove size = whole;
        size.k = cases[i].k;
        size.closed = cases[i].closed;
        const fs_mesh_scene s = grove(size, 0.75, arena);
        assert_int_equal(s.triangles, cases[i].triangles);
        assert_int_equal(s.vertices, cases[i].k == 1 ? 158227 + (cases[i].closed ? 8 : 0) : s.vertices);
        if (chained(&s) != cases[i].digest)
            fail_msg("k %d: %016llx", (int)cases[i].k, (unsigned long long)chained(&s));
    }
}

/* A large set is divided by one thread, its parts by all. */
TEST(a_tree_does_not_depend_on_threads) {
    fs_arena *arena = test_arena();
    const fs_mesh_scene s = grove(whole, 0.75, arena);
    const int before = omp_get_max_threads();
    fs_bvh tree[2];
    for (int i = 0; i < 2; i++) {
        omp_set_num_threads(i == 0 ? 1 : 3);
        tree[i] = tree_of(&s, arena);
    }
    omp_set_num_threads(before);
    assert_int_equal(tree[0].nodes, 2 * s.triangles - 1);
    assert_int_equal(tree[0].depth, tree[1].depth);
    assert_memory_equal(tree[0].node, tree[1].node, tree[0].nodes * sizeof *tree[0].node);
    assert_memory_equal(tree[0].primitive, tree[1].primitive, tree[0].nodes * sizeof *tree[0].primitive);
}

typedef struct counted {
    const fs_mesh_grove *size;
    double albedo;
    uint32_t width, height, samples;
    uint64_t segments, hits, escapes, nodes, leaves; /* 0: not known */
} counted;

static void sum_paths(const counted *c, uint64_t sum[FS_WALK_EVENTS]) {
    fs_arena *arena = test_arena();
    fs_mesh_scene s = grove(*c->size, c->albedo, arena);
    fs_mesh_scene_to_camera(&s);
    fs_bvh tree = tree_of(&s, arena);
    fs_walk_scene walk;
    fs_walk_replace(&walk, &s, &tree, arena);
    const fs_walk_params params = {.width = c->width,
                                   .height = c->height,
                                   .seed = 1,
                                   .most_segments = 10,
                                   .roulette_above = 3,
                                   .jitter = 0.25f};
    const uint64_t count = (uint64_t)params.width * params.height * c->samples;
    fs_walk_key *key = FS_NEW(arena, fs_walk_key, count);
    fs_walk_path *path = FS_NEW(arena, fs_walk_path, count);
    uint32_t(*row)[FS_WALK_EVENTS] = fs_arena_alloc(arena, count, sizeof *row);
    for (uint64_t p = 0; p < count; p++)
        key[p] = (fs_walk_key){(uint32_t)(p / c->samples), (uint32_t)(p % c->samples)};
    fs_walk_paths(&walk, &params, key, count, path, row);
    for (uint64_t p = 0; p < count; p++)
        for (int e = 0; e < FS_WALK_EVENTS; e++)
            sum[e] += row[p][e];
}

/* Counts of another program with the same rules (seed 1, the whole tree in one walk). The second picture is for make
 * large. */
TEST(paths_count_what_another_program_counts) {
    static const counted cases[] = {
        {&whole, 0.75, 320, 180, 1, 124185, 69310, 54875, 10122933, 568841},
        {&whole, 0.75, 640, 360, 2, 994858, 555747, 439111, 81151578, 0},
        {&coarse, 1, 320, 180, 1, 148976, 0, 0, 10528368, 766975},
        {&coarse, 0.75, 320, 180, 1, 140411, 0, 0, 9798361, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        if (cases[i].samples > 1 && greatest() == 1)
            continue;
        uint64_t sum[FS_WALK_EVENTS] = {0};
        sum_paths(&cases[i], sum);
        const uint64_t found[] = {sum[FS_WALK_SEGMENT], sum[FS_WALK_HIT], sum[FS_WALK_ESCAPE],
                                  sum[FS_WALK_NODE], sum[FS_WALK_LEAF]};
        const uint64_t known[] = {cases[i].segments, cases[i].hits, cases[i].escapes, cases[i].nodes,
                                  cases[i].leaves};
        for (int k = 0; k < 5; k++)
            assert_int_equal(found[k], known[k] == 0 ? found[k] : known[k]);
    }
}

/* The scan that `make dragon` fetches, through the readers of every mesh; its treelets are another program's. */
TEST(a_scan_is_read_whole) {
    static const char file[] = "scenes/stanford-dragon.ply";
    if (greatest() == 1 || access(file, R_OK) != 0) {
        print_message("%s: a test of make large, after make dragon\n", file);
        skip();
    }
    fs_arena *arena = test_arena();
    fs_error err = {.status = FS_OK};
    fs_mesh_scene s;
    fs_mesh_scene_params p;
    fs_treelet_cut cut;
    fs_params_default(arena, &fs_mesh_scene_table, &p);
    p.file = file;
    assert_ok(fs_mesh_scene_load(&p, arena, &s, &err), &err);
    assert_int_equal(s.triangles, 871414);
    fs_mesh_scene_to_camera(&s);
    const fs_bvh tree = tree_of(&s, arena);
    const fs_treelet_params limit = {.rule = FS_CUT_BYTES, .most_bytes = 460800};
    assert_ok(fs_treelet_cut_make(&s, &tree, &limit, arena, &cut, &err), &err);
    assert_int_equal(cut.treelets, 168);
}

RUN_TESTS(NULL, NULL)
