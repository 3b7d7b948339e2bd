/* Cuts of trees into treelets: bytes by a second plain count, subtrees that can't be larger, the greatest work opened
 * first, and what is refused. */
#include "workloads/paths/tree/tree.h"
#include "workloads/treelets/cut/cut.h"

#include "sim/config/config.h"
#include "tests/support/test.h"

typedef struct stage {
    fs_arena *arena;
    fs_mesh_scene scene;
    fs_bvh tree;
} stage;

static stage built(int64_t builtin, int64_t soup, uint32_t node_bytes) {
    stage s = {.arena = fs_arena_create()};
    fs_mesh_scene_params p;
    fs_error err = {.status = FS_OK};
    fs_params_default(s.arena, &fs_mesh_scene_table, &p);
    p.builtin = builtin;
    p.soup_triangles = soup;
    p.soup_edge = soup > 0 ? 0.1 : 0;
    assert_ok(fs_mesh_scene_load(&p, s.arena, &s.scene, &err) ||
                  fs_bvh_build(&s.scene, node_bytes, s.arena, &s.tree, &err),
              &err);
    return s;
}

static fs_treelet_cut cut_of(stage *s, fs_treelet_params params) {
    fs_treelet_cut cut;
    fs_error err = {.status = FS_OK};
    assert_ok(fs_treelet_cut_make(&s->scene, &s->tree, &params, s->arena, &cut, &err), &err);
    return cut;
}

/* ---- a second count ---- */

static int by_number(const void *a, const void *b) {
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Bytes of a whole subtree: its corners sorted, the different ones counted. */
static uint64_t naive_bytes(const stage *s, uint32_t root) {
    uint32_t *corner = calloc(3 * (size_t)s->tree.nodes, sizeof *corner), corners = 0, vertices = 0,
             leaves = 0;
    uint64_t bytes = 0;
    for (uint32_t n = root; n < s->tree.skip[root]; n++) {
        const uint32_t p = s->tree.primitive[n];
        leaves += p != UINT32_MAX;
        if (p < s->scene.triangles) {
            for (int i = 0; i < 3; i++)
                corner[corners++] = s->scene.triangle[p][i];
            bytes += 6;
        } else if (p != UINT32_MAX) {
            bytes += p < s->scene.triangles + s->scene.spheres ? 16 : 28;
        }
    }
    qsort(corner, corners, sizeof *corner, by_number);
    for (uint32_t i = 0; i < corners; i++)
        vertices += i == 0 || corner[i] != corner[i - 1];
    free(corner);
    return bytes + 12 * (uint64_t)vertices + (2 * (uint64_t)leaves - 1) * s->tree.node_bytes;
}

TEST(treelets_are_the_largest_that_fit) {
    const uint32_t node_bytes[] = {FS_TREE_NODE_HALF, FS_TREE_NODE_FULL};
    for (int b = 0; b < 2; b++) {
        stage s = built(FS_MESH_BUILTIN_NONE, 700, node_bytes[b]);
        for (uint64_t most = 100; most < 100000; most *= 3) {
            const fs_treelet_cut cut = cut_of(&s, (fs_treelet_params){.most_bytes = most});
            uint64_t bytes = 0;
            uint32_t *parent = test_keep(calloc(s.tree.nodes, sizeof *parent));
            for (uint32_t n = 0; n < s.tree.nodes; n++)
                if (s.tree.primitive[n] == UINT32_MAX)
                    parent[n + 1] = parent[s.tree.node[n].link] = n;
            for (uint32_t k = 0; k < cut.treelets; k++) {
                assert_int_equal(cut.of[k].bytes, naive_bytes(&s, cut.of[k].root));
                assert_true(cut.of[k].bytes <= most);
                assert_true(cut.of[k].root == 0 || naive_bytes(&s, parent[cut.of[k].root]) > most);
                bytes += cut.of[k].bytes;
            }
            assert_int_equal(cut.bytes, bytes);
            assert_int_equal(cut.top, cut.treelets - 1);
            assert_int_equal(cut.top_bytes,
                             cut.treelets == 1 ? 0 : (2 * cut.treelets - 1) * (node_bytes[b] + 2));
        }
        fs_arena_free(s.arena);
    }
}

TEST(no_limit_is_one_treelet) {
    stage s = built(FS_MESH_BUILTIN_SPHERES, 0, FS_TREE_NODE_HALF); /* of spheres and discs */
    for (int rule = FS_CUT_BYTES; rule <= FS_CUT_WORK; rule++) {
        const fs_treelet_cut cut = cut_of(&s, (fs_treelet_params){.rule = (fs_treelet_rule)rule});
        assert_int_equal(cut.treelets, 1);
        assert_int_equal(cut.of[0].end, s.tree.nodes);
        assert_int_equal(cut.bytes, naive_bytes(&s, 0));
        assert_int_equal(cut.top_bytes, 0);
    }
    fs_arena_free(s.arena);
}

/* ---- work ---- */

static double naive_work(const fs_bvh *tree, uint32_t root) {
    double sum = 0;
    for (uint32_t n = root; n < tree->skip[root]; n++) {
        const float *e = tree->node[n].extent;
        sum += (double)e[0] * ((double)e[1] + (double)e[2]) + (double)e[1] * (double)e[2];
    }
    return sum;
}

TEST(the_greatest_work_is_opened) {
    stage s = built(FS_MESH_BUILTIN_NONE, 700, FS_TREE_NODE_HALF);
    const uint32_t counts[] = {1, 2, 3, 17, 100, 699, 700, 5000};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        const fs_treelet_cut cut = cut_of(&s, (fs_treelet_params){.rule = FS_CUT_WORK, .count = counts[i]});
        double opened = INFINITY, whole = 0;
        assert_int_equal(cut.treelets, counts[i] < 700 ? counts[i] : 700);
        for (uint32_t n = 0; n < s.tree.nodes; n++)
            if (cut.at[n] == FS_TREELET_TOP)
                opened = fmin(opened, naive_work(&s.tree, n));
        for (uint32_t k = 0; k < cut.treelets; k++)
            if (cut.of[k].end - cut.of[k].root > 1)
                whole = fmax(whole, naive_work(&s.tree, cut.of[k].root));
        assert_true(opened * (1 + 1e-9) >= whole);
    }
    const fs_treelet_cut both = cut_of(&s, (fs_treelet_params){FS_CUT_WORK, 3000, 17});
    assert_true(both.treelets > 17);
    for (uint32_t k = 0; k < both.treelets; k++)
        assert_true(both.of[k].bytes <= 3000);
    fs_arena_free(s.arena);
}

/* ---- area ---- */

/* Bytes of a treelet in which others nest, node by node. */
static uint64_t naive_nested(const stage *s, const fs_treelet_cut *cut, uint32_t k, uint32_t *vertices) {
    uint32_t *corner = calloc(3 * (size_t)s->tree.nodes + 1, sizeof *corner), corners = 0;
    uint64_t bytes = 0;
    for (uint32_t n = cut->of[k].root; n < cut->of[k].end; n++) {
        if (cut->at[n] != k)
            continue;
        bytes += s->tree.node_bytes;
        const uint32_t p = s->tree.primitive[n], second = s->tree.node[n].link;
        if (p == UINT32_MAX) {
            const uint64_t box = s->tree.node_bytes + 2;
            bytes += (cut->at[n + 1] != k ? box : 0) + (cut->at[second] != k ? box : 0);
        } else {
            bytes += 6;
            for (int i = 0; i < 3; i++)
                corner[corners++] = s->scene.triangle[p][i];
        }
    }
    qsort(corner, corners, sizeof *corner, by_number);
    *vertices = 0;
    for (uint32_t i = 0; i < corners; i++)
        *vertices += i == 0 || corner[i] != corner[i - 1];
    free(corner);
    return bytes + 12 * (uint64_t)*vertices;
}

static double half_surface(const fs_bvh *tree, uint32_t node) {
    const float *e = tree->node[node].extent;
    return (double)e[0] * ((double)e[1] + (double)e[2]) + (double)e[1] * (double)e[2];
}

/* What the rule makes little: surfaces of roots, and a trip for each. */
static double cost(const stage *s, const fs_treelet_cut *cut, double trip) {
    double sum = 0;
    for (uint32_t k = 0; k < cut->treelets; k++)
        sum += half_surface(&s->tree, cut->of[k].root) + trip;
    return sum;
}

/* Treelets nest, fit, are counted right, and cost less than the largest whole subtrees under a top of which each node is a
 * treelet of its own, which is a cut as well. */
TEST(treelets_of_area_nest) {
    stage s = built(FS_MESH_BUILTIN_NONE, 700, FS_TREE_NODE_HALF);
    for (uint64_t most = 100; most < 20000; most *= 3) {
        const fs_treelet_cut cut = cut_of(&s, (fs_treelet_params){.rule = FS_CUT_AREA, .most_bytes = most}),
                             whole = cut_of(&s, (fs_treelet_params){.most_bytes = most});
        const double trip = half_surface(&s.tree, 0) * (double)most / (10 * (double)whole.bytes);
        double other = cost(&s, &whole, trip);
        uint64_t triangles = 0;
        for (uint32_t n = 0; n < s.tree.nodes; n++)
            other += whole.at[n] == FS_TREELET_TOP ? half_surface(&s.tree, n) + trip : 0;
        assert_true(cut.nests && cut.top == 0 && cut.top_bytes == 0 && cut.treelets > 1);
        assert_true(cost(&s, &cut, trip) < other);
        for (uint32_t k = 0; k < cut.treelets; k++) {
            uint32_t vertices;
            assert_int_equal(cut.of[k].bytes, naive_nested(&s, &cut, k, &vertices));
            assert_int_equal(cut.of[k].vertices, vertices);
            assert_true(cut.of[k].bytes <= most);
            triangles += cut.of[k].triangles;
        }
        assert_int_equal(triangles, 700);
    }
    fs_arena_free(s.arena);
}

/* Four balls of one across, two and two: a pair takes 104 B, all 232. Of 130 B a treelet holds the root alone, or with it the root
 * of one pair; then the roots below are a pair and two balls for two pairs, at one trip more. A box of length L has half a
 * surface of 2 L + 1, so a pair whose middles are d apart has 2 d - 3 more than its balls. A trip costs 0.0625 of the root's,
 * whose length is d + 21: 2.9 for d = 2, 3.2 for d = 4. */
TEST(a_trip_decides_where_a_treelet_ends) {
    for (int d = 2; d <= 4; d += 2) {
        stage s = {.arena = fs_arena_create()};
        fs_material grey = {.albedo = {0.5f, 0.5f, 0.5f}};
        fs_sphere ball[4];
        fs_error err = {.status = FS_OK};
        for (int i = 0; i < 4; i++)
            ball[i] = (fs_sphere){.centre = {(float)(i % 2 * d + i / 2 * 20), 0, -5}, .radius = 0.5f};
        s.scene = (fs_mesh_scene){.spheres = 4, .sphere = ball, .materials = 1, .material = &grey};
        assert_int_equal(fs_bvh_build(&s.scene, FS_TREE_NODE_HALF, s.arena, &s.tree, &err), FS_OK);
        assert_true(fabs(half_surface(&s.tree, 0) - (2 * (d + 21) + 1)) < 0.1);
        const fs_treelet_cut cut = cut_of(&s, (fs_treelet_params){.rule = FS_CUT_AREA, .most_bytes = 130});
        assert_int_equal(cut.treelets, d == 2 ? 3 : 4);
        fs_arena_free(s.arena);
    }
}

/* ---- what is refused ---- */

TEST(refusals_say_why) {
    stage s = built(FS_MESH_BUILTIN_NONE, 66000, FS_TREE_NODE_HALF);
    fs_treelet_cut cut;
    fs_error err = {.status = FS_OK};
    const fs_treelet_params nested = {.rule = FS_CUT_AREA, .most_bytes = 75}, tiny = {.most_bytes = 65},
                            many = {.most_bytes = 66}, whole = {.most_bytes = 0};
    assert_fails(fs_treelet_cut_make(&s.scene, &s.tree, &tiny, s.arena, &cut, &err), FS_INPUT, &err,
                 "65 B are less than one primitive with its node, 66 B");
    err = (fs_error){.status = FS_OK};
    assert_fails(fs_treelet_cut_make(&s.scene, &s.tree, &many, s.arena, &cut, &err), FS_INPUT, &err,
                 "more than 65534");
    err = (fs_error){.status = FS_OK};
    stage few = built(FS_MESH_BUILTIN_NONE, 70, FS_TREE_NODE_HALF);
    assert_fails(fs_treelet_cut_make(&few.scene, &few.tree, &nested, few.arena, &cut, &err), FS_INPUT, &err,
                 "75 B are less than a node with the boxes of two treelets, 76 B");
    fs_arena_free(few.arena);
    err = (fs_error){.status = FS_OK};
    assert_fails(fs_treelet_cut_make(&s.scene, &s.tree, &whole, s.arena, &cut, &err), FS_INPUT, &err,
                 "u16 indices reach 65536");
    fs_arena_free(s.arena);
}

static void expect_broken(const stage *s, const fs_treelet_cut *cut, const fs_treelet_params *params) {
    fs_error err = {.status = FS_OK};
    assert_int_equal(fs_treelet_cut_check(cut, &s->tree, params, &err), FS_BROKEN);
}

TEST(the_check_finds_damage) {
    stage s = built(FS_MESH_BUILTIN_NONE, 700, FS_TREE_NODE_HALF);
    const fs_treelet_params params = {.most_bytes = 5000};
    fs_treelet_cut cut = cut_of(&s, params);
    assert_true(cut.treelets > 3);
    const fs_treelet kept = cut.of[1];
    cut.of[1].bytes = 5001;
    expect_broken(&s, &cut, &params);
    cut.of[1] = kept;
    cut.of[1].end--;
    expect_broken(&s, &cut, &params);
    cut.of[1] = cut.of[0];
    expect_broken(&s, &cut, &params);
    cut.of[1] = kept;
    cut.at[kept.root] = 0;
    expect_broken(&s, &cut, &params);
    cut.at[kept.root] = 1;
    cut.treelets--;
    expect_broken(&s, &cut, &params);
    fs_arena_free(s.arena);
}

RUN_TESTS(NULL, NULL)
