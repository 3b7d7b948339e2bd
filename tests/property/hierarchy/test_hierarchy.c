/* Hierarchies and the walk of the engine's units: references, trees that hold every triangle once and in its
 * boxes, lanes against a naive walk, the nearest rule against brute force, the queue's identity. */
#include "tests/support/naive_unit.h"

#include "sim/base/detmath.h"
#include "sim/base/rng.h"
#include "sim/config/config.h"
#include "tests/support/test.h"
#include "workloads/hierarchy/hierarchy.h"
#include "workloads/hierarchy/run.h"
#include "workloads/hierarchy/walk/walk.h"
#include "workloads/hierarchy/walk/ways.h"

#include <omp.h>

enum { RAYS = 10000, MOST = 3000 };

/* ---- scenes: a soup, a flat grid, small triangles in a cloud, a pile of equal ones ---- */

enum { SOUP, GRID, CLOUD, PILE, SCENES };
static fs_corners corner[MOST];

static uint32_t make_scene(int kind, uint64_t seed) {
    static const uint32_t sizes[SCENES] = {[SOUP] = 2000, [GRID] = 1800, [CLOUD] = 3000, [PILE] = 40};
    fs_rng rng = fs_rng_stream(seed, "test/hierarchy");
    for (uint32_t t = 0; t < sizes[kind]; t++) {
        const double centre[3] = {fs_rng_unit(&rng), fs_rng_unit(&rng), fs_rng_unit(&rng)};
        for (uint32_t k = 0; k < 3; k++)
            for (uint32_t a = 0; a < 3; a++) {
                float *x = &corner[t][k][a];
                const uint32_t cell = t / 2, side = 30;
                const uint32_t at[3] = {cell % side + (k == 1 || (k == 2 && t % 2 == 1)),
                                        cell / side + (k == 2 || (k == 1 && t % 2 == 1)), 15};
                if (kind == SOUP)
                    *x = (float)fs_rng_unit(&rng);
                else if (kind == GRID)
                    *x = (float)at[a] / (float)side;
                else if (kind == CLOUD)
                    *x = (float)(centre[a] + 0.05 * fs_rng_range(&rng, -1, 1));
                else
                    *x = k == a ? 0.9f : 0.1f;
            }
    }
    return sizes[kind];
}

static fs_unit_walk_ray *make_rays(uint64_t seed) {
    fs_unit_walk_ray *ray = fs_malloc(RAYS * sizeof *ray);
    fs_rng rng = fs_rng_stream(seed, "test/rays");
    for (uint32_t r = 0; r < RAYS; r++) {
        const double z = 2 * fs_rng_unit(&rng) - 1, turn = FS_TURN * fs_rng_unit(&rng),
                     flat = sqrt(1 - z * z);
        for (uint32_t a = 0; a < 3; a++)
            ray[r].origin[a] = (float)fs_rng_unit(&rng);
        ray[r].direction[0] = r % 10 == 0 ? 0 : (float)(flat * fs_cos(turn)); /* some along a wall of boxes */
        ray[r].direction[1] = (float)(flat * fs_sin(turn));
        ray[r].direction[2] = (float)z;
    }
    return ray;
}

static fs_hierarchy build(fs_arena *arena, uint32_t count, fs_hierarchy_kind kind, uint32_t width,
                          uint32_t leaf, uint32_t group) {
    fs_hierarchy tree;
    fs_error err = {0};
    const fs_hierarchy_shape shape = {kind, width, leaf, group};
    assert_int_equal(
        fs_hierarchy_build((const fs_corners *)corner, count, &shape, "test", arena, &tree, &err), FS_OK);
    return tree;
}

/* More triangles than references tell apart are refused before one of them is read. */
TEST(too_many_triangles_are_refused) {
    fs_arena *arena = test_arena();
    for (int kind = FS_HIERARCHY_SAH; kind <= FS_HIERARCHY_KD; kind++) {
        fs_hierarchy tree;
        fs_error err = {0};
        const fs_hierarchy_shape shape = {(fs_hierarchy_kind)kind, 4, 4, 1};
        assert_fails(fs_hierarchy_build(NULL, FS_REFERENCE_SLOTS + 1, &shape, "scene.yaml:3:1: scene", arena,
                                        &tree, &err),
                     FS_INPUT, &err, "scene.yaml:3:1: scene");
        assert_non_null(strstr(err.text, "134217728"));
        assert_non_null(strstr(err.text, "134217729"));
    }
}

/* ---- references ---- */

TEST(references_come_back) {
    static const uint32_t firsts[] = {0, 1, 12345, FS_REFERENCE_SLOTS - FS_REFERENCE_LEAF};
    static const uint32_t ids[] = {0, 1, 77, FS_REFERENCE_NODES - 1};
    for (size_t i = 0; i < 4; i++) {
        for (uint32_t n = 1; n <= FS_REFERENCE_LEAF; n++) {
            const uint32_t leaf = fs_encoded_leaf(firsts[i], n);
            assert_true(fs_encoded_is_leaf(leaf));
            assert_int_equal(leaf >> 31, 1);
            assert_int_equal(fs_encoded_first(leaf), firsts[i]);
            assert_int_equal(fs_encoded_count(leaf), n);
            assert_int_not_equal(leaf, FS_REFERENCE_EMPTY);
        }
        assert_false(fs_encoded_is_leaf(fs_encoded_node(ids[i])));
        assert_int_equal(fs_encoded_id(fs_encoded_node(ids[i])), ids[i]);
    }
    assert_int_equal(FS_REFERENCE_ROOT, 0);
}

/* ---- the queue, against a list sorted by hand ---- */

TEST(queues_keep_the_nearest) {
    enum { CAPACITY = 5, ENTRIES = 200 };
    uint64_t room[CAPACITY + 1];
    fs_unit_queue q = {.entry = room, .room = CAPACITY, .capacity = CAPACITY};
    uint64_t sorted[CAPACITY + 1];
    uint32_t held = 0;
    fs_rng rng = fs_rng_stream(7, "test/queue");
    for (uint32_t i = 0; i < ENTRIES; i++) {
        if (fs_rng_below(&rng, 3) == 0 && held > 0) { /* the nearest goes out */
            assert_int_equal(q.entry[--q.count], sorted[0]);
            memmove(sorted, sorted + 1, --held * sizeof *sorted);
            continue;
        }
        const uint64_t entry = fs_queue_entry((float)fs_rng_below(&rng, 7) - 3, i);
        uint32_t at = held; /* behind its equals */
        while (at > 0 && fs_queue_distance(sorted[at - 1]) > fs_queue_distance(entry))
            at--;
        memmove(sorted + at + 1, sorted + at, (held - at) * sizeof *sorted);
        sorted[at] = entry;
        const bool full = held == CAPACITY;
        held += !full;
        assert_int_equal(fs_queue_put(&q, entry, fs_queue_farther(&q, entry)), full);
        assert_int_equal(q.count, held);
        for (uint32_t k = 0; k < held; k++) { /* equals: the first in stands nearer to the way out */
            assert_int_equal(q.entry[held - 1 - k], sorted[k]);
        }
    }
}

/* ---- the cut by surface area, by trying all planes ---- */

static double area_of(uint32_t count, const bool *in, bool side) {
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (uint32_t t = 0; t < count; t++)
        for (int k = 0; in[t] == side && k < 3; k++)
            for (int a = 0; a < 3; a++) {
                low[a] = fmin(low[a], (double)corner[t][k][a]);
                high[a] = fmax(high[a], (double)corner[t][k][a]);
            }
    const double x = high[0] - low[0], y = high[1] - low[1], z = high[2] - low[2];
    return x * y + y * z + z * x;
}

/* Of 8 equal bins of the boxes' centres along their longest axis: on which side of the best plane each is. */
static void cut_by_hand(uint32_t count, bool *below) {
    static double centre[MOST][3];
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (uint32_t t = 0; t < count; t++)
        for (int a = 0; a < 3; a++) {
            const double x = (double)corner[t][0][a], y = (double)corner[t][1][a],
                         z = (double)corner[t][2][a];
            centre[t][a] = (fmin(x, fmin(y, z)) + fmax(x, fmax(y, z))) / 2;
            low[a] = fmin(low[a], centre[t][a]);
            high[a] = fmax(high[a], centre[t][a]);
        }
    int axis = 0, best = 0;
    for (int a = 1; a < 3; a++)
        axis = high[a] - low[a] > high[axis] - low[axis] ? a : axis;
    double least = INFINITY;
    for (int plane = 1; plane <= FS_HIERARCHY_BINS; plane++) { /* the last one: once more, the best */
        const int at = plane < FS_HIERARCHY_BINS ? plane : best;
        uint32_t here = 0;
        for (uint32_t t = 0; t < count; t++) {
            below[t] = (centre[t][axis] - low[axis]) / (high[axis] - low[axis]) * FS_HIERARCHY_BINS < at;
            here += below[t];
        }
        const double cost =
            area_of(count, below, true) * here + area_of(count, below, false) * (count - here);
        if (here > 0 && here < count && cost < least) {
            least = cost;
            best = at;
        }
    }
}

static void mark_below(const fs_hierarchy *t, uint32_t reference, bool *in) {
    if (fs_encoded_is_leaf(reference))
        for (uint32_t i = 0; i < fs_encoded_count(reference); i++)
            in[t->triangle[fs_encoded_first(reference) + i]] = true;
    else
        for (uint32_t c = 0; c < t->width; c++)
            if (t->child[(size_t)fs_encoded_id(reference) * t->width + c] != FS_REFERENCE_EMPTY)
                mark_below(t, t->child[(size_t)fs_encoded_id(reference) * t->width + c], in);
}

TEST(the_root_is_cut_where_it_costs_least) {
    static bool by_hand[MOST], first[MOST];
    for (int scene = SOUP; scene <= CLOUD; scene += CLOUD - SOUP)
        for (uint64_t seed = 1; seed <= 8; seed++) {
            fs_arena *arena = test_arena();
            make_scene(scene, seed);
            const uint32_t count = 12 + 5 * (uint32_t)seed; /* few: sides differ */
            const fs_hierarchy tree = build(arena, count, FS_HIERARCHY_SAH, 2, 1, 1);
            cut_by_hand(count, by_hand);
            memset(first, 0, sizeof first);
            mark_below(&tree, tree.child[0], first);
            for (uint32_t t = 1; t < count; t++)
                assert_int_equal(first[t] == first[0], by_hand[t] == by_hand[0]);
        }
}

/* ---- figures of hits ---- */

/* Eight rays, all checked: two miss rightly, two find the wrong triangle, one loses
 * its hit, three are right. */
TEST(shares_of_hits_by_hand) {
    static const uint32_t found[] = {FS_UNIT_WALK_MISS, FS_UNIT_WALK_MISS, 6, 7, FS_UNIT_WALK_MISS, 1, 2, 3},
                          truth[] = {FS_UNIT_WALK_MISS, FS_UNIT_WALK_MISS, 1, 2, 3, 1, 2, 3};
    enum { N = 8 };
    fs_unit_walk_end end[N] = {0};
    fs_unit_walk_hit nearest[N] = {0};
    fs_arena *arena = test_arena();
    fs_fpga_params machine;
    fs_hierarchy_params params;
    fs_params_default(arena, &fs_fpga_table, &machine);
    fs_params_default(arena, &fs_hierarchy_table, &params);
    for (int i = 0; i < N; i++) {
        end[i].hit.triangle = found[i];
        nearest[i].triangle = truth[i];
    }
    const fs_hierarchy_work work = {
        .walks = {.rays = N, .end = end}, .nearest = nearest, .checked = N, .step = 1};
    fs_hierarchy_figures f;
    fs_hierarchy_figures_of(&params, &machine, &work, &(fs_engine_itinerary){0},
                            &(fs_engine_results){.rays = N}, &f);
    assert_true(f.hits == 5.0 / 8 && f.nearest == 3.0 / 5); /* of all; of those found */
    assert_true(f.missed == 1.0 / 6);                       /* of those that are there */
    assert_true(f.wrong == 3.0 / 8);                        /* of all */
}

/* ---- trees ---- */

/* Counts each triangle of the leaves below, and checks that boxes hold it. */
static void look(const fs_hierarchy *t, uint32_t id, const float low[3], const float high[3], uint32_t *seen,
                 uint32_t *nodes) {
    (*nodes)++;
    for (uint32_t i = 0; i < t->width; i++) {
        const float *box = t->box + (size_t)id * 6 * t->width + i;
        const uint32_t child = t->child[(size_t)id * t->width + i];
        float l[3], h[3];
        for (uint32_t a = 0; a < 3; a++) {
            l[a] = box[a * t->width];
            h[a] = box[(3 + a) * t->width];
        }
        if (child == FS_REFERENCE_EMPTY) {
            assert_true(l[0] > h[0]);
            continue;
        }
        for (uint32_t a = 0; a < 3; a++)
            assert_true(l[a] >= low[a] && h[a] <= high[a]);
        if (!fs_encoded_is_leaf(child)) {
            look(t, fs_encoded_id(child), l, h, seen, nodes);
            continue;
        }
        for (uint32_t s = fs_encoded_first(child), n = fs_encoded_count(child); n > 0; n--, s++) {
            const uint32_t triangle = t->triangle[s];
            seen[triangle]++;
            for (uint32_t k = 0; t->cell == NULL && k < 3; k++)
                for (uint32_t a = 0; a < 3; a++)
                    assert_true(corner[triangle][k][a] >= l[a] && corner[triangle][k][a] <= h[a]);
        }
    }
}

TEST(trees_hold_every_triangle) {
    static const struct {
        fs_hierarchy_kind kind;
        uint32_t width, leaf, group;
    } shapes[] = {{FS_HIERARCHY_SAH, 4, 4, 1},     {FS_HIERARCHY_SAH, 2, 1, 1},
                  {FS_HIERARCHY_MEDIAN, 8, 16, 1}, {FS_HIERARCHY_MEDIAN, 16, 3, 4},
                  {FS_HIERARCHY_SAH, 4, 6, 4},     {FS_HIERARCHY_KD, 4, 4, 1}};
    uint32_t *seen = test_keep(fs_malloc(MOST * sizeof *seen));
    for (int scene = 0; scene < SCENES; scene++)
        for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
            fs_arena *arena = test_arena();
            const uint32_t count = make_scene(scene, 3);
            const fs_hierarchy t =
                build(arena, count, shapes[s].kind, shapes[s].width, shapes[s].leaf, shapes[s].group);
            uint32_t nodes = 0;
            memset(seen, 0, MOST * sizeof *seen);
            look(&t, FS_REFERENCE_ROOT, t.low, t.high, seen, &nodes);
            assert_int_equal(nodes, t.nodes);
            assert_int_equal(t.slots % shapes[s].group, 0);
            for (uint32_t i = 0; i < count; i++)
                assert_true(shapes[s].kind == FS_HIERARCHY_KD ? seen[i] >= 1 : seen[i] == 1);
        }
}

/* ---- walks ---- */

static void assert_same(const fs_unit_walks *a, const fs_unit_walks *b) {
    assert_int_equal(a->rays, b->rays);
    assert_memory_equal(a->first, b->first, (a->rays + (size_t)1) * sizeof *a->first);
    assert_memory_equal(a->request, b->request, a->first[a->rays] * sizeof *a->request);
    assert_memory_equal(a->end, b->end, a->rays * sizeof *a->end);
}

/* 1 + inserted = requests + lost + left, ray by ray, and a bounded queue never holds more. */
static void check_identity(const fs_unit_walks *w, uint32_t queue) {
    for (uint32_t r = 0; r < w->rays; r++) {
        uint64_t in = 1, lost = 0;
        for (uint64_t i = w->first[r]; i < w->first[r + 1]; i++) {
            in += w->request[i].inserted;
            lost += w->request[i].lost;
            assert_true(queue == 0 || w->request[i].held <= queue);
        }
        assert_int_equal(in, w->first[r + 1] - w->first[r] + lost + w->end[r].left);
        assert_int_equal(lost, w->end[r].lost);
    }
}

static void expect_naive(const fs_hierarchy *t, const fs_unit_walk_ray *ray, const fs_unit_walk_rules *rules,
                         const fs_unit_walks *w) {
    enum { ROOM = 1 << 14 };
    fs_unit_walk_request *request = test_keep(fs_malloc(ROOM * sizeof *request));
    for (uint32_t r = 0; r < RAYS; r += 5) {
        fs_unit_walk_end end;
        const uint32_t requests = naive_unit(t, &ray[r], rules, request, ROOM, &end);
        assert_int_equal(requests, w->first[r + 1] - w->first[r]);
        assert_memory_equal(request, w->request + w->first[r], requests * sizeof *request);
        assert_memory_equal(&end, &w->end[r], sizeof end);
    }
}

TEST(lanes_give_the_same_bits) {
    static const uint32_t widths[] = {2, 4, 8, 16}, leaves[] = {1, 4, 7, 16};
    fs_unit_walk_ray *ray = make_rays(5);
    const int threads = omp_get_max_threads();
    for (int scene = 0; scene < SCENES; scene++)
        for (uint32_t s = 0; s < 4; s++) {
            fs_arena *arena = test_arena();
            const fs_hierarchy t =
                build(arena, make_scene(scene, 5), s % 2 ? FS_HIERARCHY_MEDIAN : FS_HIERARCHY_SAH, widths[s],
                      leaves[3 - s], s == 1 ? 4 : 1);
            const fs_unit_walk_rules plain = {.queue = s == 0 ? 0 : 4 * s,
                                              .stop = s % 2,
                                              .behind = s == 2 || (s == 1 && scene == SOUP),
                                              .plain = true};
            fs_unit_walk_rules fast = plain;
            fast.plain = false;
            fs_unit_walks a, b;
            omp_set_num_threads(1);
            fs_unit_walk_all(&t, ray, RAYS, &plain, &a);
            omp_set_num_threads(3);
            fs_unit_walk_all(&t, ray, RAYS, &fast, &b);
            omp_set_num_threads(threads);
            assert_same(&a, &b);
            expect_naive(&t, ray, &plain, &a);
            check_identity(&a, plain.queue);
            fs_unit_walks_free(&a);
            fs_unit_walks_free(&b);
        }
    free(ray);
}

/* A ray that does not ask where it begins finds the same however far it is moved along itself: of a soup the same first hits
 * from within and from 10 lengths before it, where rays that ask differ. */
TEST(lines_have_no_beginning) {
    fs_arena *arena = test_arena();
    fs_unit_walk_ray *ray = make_rays(17), *back = make_rays(17);
    const fs_hierarchy t = build(arena, make_scene(SOUP, 17), FS_HIERARCHY_SAH, 4, 4, 1);
    for (uint32_t r = 0; r < RAYS; r++)
        for (int a = 0; a < 3; a++)
            back[r].origin[a] -= 10 * ray[r].direction[a];
    uint32_t same[2] = {0};
    for (int behind = 0; behind < 2; behind++) {
        const fs_unit_walk_rules rules = {.queue = 32, .behind = behind == 1};
        fs_unit_walks here, there;
        fs_unit_walk_all(&t, ray, RAYS, &rules, &here);
        fs_unit_walk_all(&t, back, RAYS, &rules, &there);
        for (uint32_t r = 0; r < RAYS; r++)
            same[behind] += here.end[r].hit.triangle == there.end[r].hit.triangle;
        fs_unit_walks_free(&here);
        fs_unit_walks_free(&there);
    }
    assert_true(same[1] * 100 >= RAYS * 98 && same[0] * 2 < RAYS); /* but for roundings */
    free(ray);
    free(back);
}

/* 10,000 rays of four scenes: nearest with an endless queue, depth first, brute force. */
TEST(the_nearest_rule_is_brute_force) {
    static const fs_hierarchy_kind kinds[SCENES] = {FS_HIERARCHY_SAH, FS_HIERARCHY_MEDIAN, FS_HIERARCHY_KD,
                                                    FS_HIERARCHY_SAH};
    fs_unit_walk_ray *ray = make_rays(11);
    fs_unit_walk_hit *brute = test_keep(fs_malloc(RAYS * sizeof *brute)),
                     *down = test_keep(fs_malloc(RAYS * sizeof *down));
    for (int scene = 0; scene < SCENES; scene++) {
        fs_arena *arena = test_arena();
        const fs_hierarchy t = build(arena, make_scene(scene, 11), kinds[scene], 4, 4, 1);
        const fs_unit_walk_rules rules = {.stop = FS_UNIT_WALK_NEAREST};
        fs_unit_walk_visits visits;
        fs_unit_walks w;
        uint32_t hits = 0;
        fs_unit_walk_brute(&t, ray, RAYS, false, brute);
        fs_unit_walk_depth_first(&t, ray, RAYS, false, down, &visits);
        fs_unit_walk_all(&t, ray, RAYS, &rules, &w);
        for (uint32_t r = 0; r < RAYS; r++) {
            assert_int_equal(w.end[r].hit.triangle, brute[r].triangle);
            assert_memory_equal(&w.end[r].hit.distance, &brute[r].distance, sizeof brute[r].distance);
            assert_int_equal(down[r].triangle, brute[r].triangle);
            hits += brute[r].triangle != FS_UNIT_WALK_MISS;
        }
        assert_in_range(hits, 1, RAYS - 1);
        assert_true(visits.nodes >= RAYS);
        fs_unit_walks_free(&w);
    }
    free(ray);
}

/* Cells do not overlap, so their first hit is the nearest where a leaf holds all of its cell. */
TEST(first_hits_of_cells_are_the_nearest) {
    fs_arena *arena = test_arena();
    fs_unit_walk_ray *ray = make_rays(13);
    fs_unit_walk_hit *brute = test_keep(fs_malloc(RAYS * sizeof *brute));
    const fs_hierarchy t = build(arena, make_scene(CLOUD, 13), FS_HIERARCHY_KD, 4, 16, 1);
    const fs_unit_walk_rules rules = {.stop = FS_UNIT_WALK_FIRST};
    fs_unit_walks w;
    uint32_t hits = 0, right = 0;
    fs_unit_walk_brute(&t, ray, RAYS, false, brute);
    fs_unit_walk_all(&t, ray, RAYS, &rules, &w);
    for (uint32_t r = 0; r < RAYS; r++) {
        hits += w.end[r].hit.triangle != FS_UNIT_WALK_MISS;
        right += w.end[r].hit.triangle != FS_UNIT_WALK_MISS && w.end[r].hit.triangle == brute[r].triangle;
    }
    assert_true(hits > RAYS / 10 && right * 100 > hits * 90);
    fs_unit_walks_free(&w);
    free(ray);
}

RUN_TESTS(NULL, NULL)
