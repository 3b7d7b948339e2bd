/* Paths: the walk, four and eight paths at a time, against a naive twin, closed forms and brute force. FOAMSIM_RAYS
 * sets the rays of the brute force, FOAMSIM_SEED the seed of random scenes. */
#include "tests/support/foam/lone_ray.h"
#include "tests/support/naive_path.h"

#include "sim/base/host.h"
#include "sim/base/rng.h"
#include "sim/config/config.h"
#include "tests/support/test.h"
#include "workloads/paths/walk/walk_private.h"

#include <omp.h>

#include <time.h>

typedef struct stage {
    fs_arena *arena;
    fs_mesh_scene scene;
    fs_bvh tree;
    fs_walk_scene walk;
} stage;

static const fs_walk_params small = {
    .width = 40, .height = 24, .seed = 7, .most_segments = 10, .roulette_above = 3, .jitter = 0.25f};

/* ---- scenes ---- */

static stage raise_tree(fs_mesh_scene scene, fs_arena *arena, uint32_t node_bytes) {
    stage s = {.arena = arena, .scene = scene};
    fs_error err = {.status = FS_OK};
    assert_ok(fs_bvh_build(&s.scene, node_bytes, arena, &s.tree, &err), &err);
    return s;
}

/* The walk points into the stage: made where the stage lies. */
static void make_ready(stage *s) {
    fs_walk_prepare(&s->walk, &s->scene, &s->tree, s->arena);
}

static stage built_in(int64_t builtin, int64_t soup, uint32_t node_bytes) {
    fs_arena *arena = fs_arena_create();
    fs_mesh_scene_params p;
    fs_mesh_scene scene;
    fs_error err = {.status = FS_OK};
    fs_params_default(arena, &fs_mesh_scene_table, &p);
    p.builtin = builtin;
    p.soup_triangles = soup;
    assert_ok(fs_mesh_scene_load(&p, arena, &scene, &err), &err);
    fs_mesh_scene_to_camera(&scene);
    return raise_tree(scene, arena, node_bytes);
}

/* A scene of spheres and discs of one material, in the camera's frame. */
static stage of_shapes(const fs_sphere *spheres, uint32_t sphere_count, const fs_disc *discs,
                       uint32_t disc_count, fs_material material) {
    fs_arena *arena = fs_arena_create();
    fs_mesh_scene scene = {.spheres = sphere_count, .discs = disc_count, .materials = 1};
    scene.sphere = FS_NEW(arena, fs_sphere, sphere_count + 1);
    scene.disc = FS_NEW(arena, fs_disc, disc_count + 1);
    scene.material = FS_NEW(arena, fs_material, 1);
    for (uint32_t i = 0; i < sphere_count; i++)
        scene.sphere[i] = spheres[i];
    for (uint32_t i = 0; i < disc_count; i++)
        scene.disc[i] = discs[i];
    scene.material[0] = material;
    scene.camera = (fs_mesh_camera){.forward = {0, 0, -1}, .up = {0, 1, 0}, .fov = 1.0f};
    for (int a = 0; a < 3; a++) {
        scene.low[a] = -100;
        scene.high[a] = 100;
    }
    return raise_tree(scene, arena, FS_TREE_NODE_HALF);
}

typedef struct walked {
    uint64_t count;
    fs_walk_key *list;
    fs_walk_path *paths;
    uint32_t (*counts)[FS_WALK_EVENTS];
} walked;

static walked list_of(const fs_walk_params *p, uint32_t samples) {
    walked w = {.count = (uint64_t)p->width * p->height * samples};
    w.list = malloc(w.count * sizeof *w.list);
    w.paths = calloc(w.count, sizeof *w.paths);
    w.counts = calloc(w.count, sizeof *w.counts);
    for (uint64_t i = 0; i < w.count; i++)
        w.list[i] = (fs_walk_key){(uint32_t)(i / samples), (uint32_t)(i % samples)};
    return w;
}

static void drop(walked *w) {
    free(w->list);
    free(w->paths);
    free(w->counts);
}

/* ---- equality ---- */

static void expect_twins(stage *s, const fs_walk_params *p, uint32_t samples) {
    walked walks[3] = {list_of(p, samples), list_of(p, samples), list_of(p, samples)};
    make_ready(s);
    const fs_walk_lens lens = fs_walk_lens_of(&s->walk, p);
    for (int w = 0; w < 3; w++) {
        const walked *to = &walks[w];
        const fs_walk_list list = {p, &lens, to->list, to->count, to->paths, to->counts};
        if (w == 0)
            fs_walk_paths(&s->walk, p, to->list, to->count, to->paths, to->counts);
        else
            (w == 2 && fs_host_has_avx2() ? fs_walk_list_avx2 : fs_walk_list_plain)(&s->walk, &list);
        for (uint64_t i = 0; i < to->count; i++) {
            fs_walk_path path;
            uint32_t counts[FS_WALK_EVENTS];
            naive_path(&s->scene, &s->tree, p, to->list[i], &path, counts);
            if (memcmp(&path, &to->paths[i], sizeof path) != 0 ||
                memcmp(counts, to->counts[i], sizeof counts) != 0)
                fail_msg("pixel %" PRIu32 ", sample %" PRIu32 " differs from its naive twin",
                         to->list[i].pixel, to->list[i].sample);
        }
        drop(&walks[w]);
    }
}

TEST(walks_equal_the_naive_twin) {
    stage box = built_in(FS_MESH_BUILTIN_BOX, 0, FS_TREE_NODE_HALF),
          full = built_in(FS_MESH_BUILTIN_BOX, 0, FS_TREE_NODE_FULL),
          spheres = built_in(FS_MESH_BUILTIN_SPHERES, 0, FS_TREE_NODE_HALF),
          soup = built_in(FS_MESH_BUILTIN_NONE, 700, FS_TREE_NODE_HALF);
    stage *const all[] = {&box, &full, &spheres, &soup};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        expect_twins(all[i], &small, 3);
        fs_arena_free(all[i]->arena);
    }
}

/* Normals of the mesh: those of the triangles, bent. */
TEST(smooth_normals_equal_the_naive_twin) {
    stage s = built_in(FS_MESH_BUILTIN_BOX, 0, FS_TREE_NODE_HALF);
    fs_rng rng = fs_rng_stream(3, "normals");
    s.scene.normal = (float(*)[3])fs_arena_alloc(s.arena, s.scene.vertices, sizeof *s.scene.normal);
    for (uint32_t v = 0; v < s.scene.vertices; v++) {
        float n[3], square = 0;
        for (int a = 0; a < 3; a++) {
            n[a] = (float)fs_rng_range(&rng, -1, 1);
            square += n[a] * n[a];
        }
        for (int a = 0; a < 3; a++)
            s.scene.normal[v][a] = n[a] / sqrtf(square);
    }
    expect_twins(&s, &small, 2);
    fs_arena_free(s.arena);
}

TEST(threads_change_nothing) {
    stage s = built_in(FS_MESH_BUILTIN_BOX, 0, FS_TREE_NODE_HALF);
    const int before = omp_get_max_threads();
    walked one = list_of(&small, 4), many = list_of(&small, 4);
    make_ready(&s);
    omp_set_num_threads(1);
    fs_walk_paths(&s.walk, &small, one.list, one.count, one.paths, one.counts);
    omp_set_num_threads(5);
    fs_walk_paths(&s.walk, &small, many.list, many.count, many.paths, many.counts);
    omp_set_num_threads(before);
    assert_memory_equal(one.paths, many.paths, one.count * sizeof *one.paths);
    assert_memory_equal(one.counts, many.counts, one.count * sizeof *one.counts);
    drop(&one);
    drop(&many);
    fs_arena_free(s.arena);
}

/* ---- identities ---- */

TEST(every_path_keeps_the_identities) {
    const int64_t builtins[] = {FS_MESH_BUILTIN_BOX, FS_MESH_BUILTIN_SPHERES};
    for (int b = 0; b < 2; b++) {
        stage s = built_in(builtins[b], 0, FS_TREE_NODE_HALF);
        walked w = list_of(&small, 4);
        uint64_t ends[3] = {0};
        make_ready(&s);
        fs_walk_paths(&s.walk, &small, w.list, w.count, w.paths, w.counts);
        for (uint64_t i = 0; i < w.count; i++) {
            const uint32_t *n = w.counts[i];
            assert_true(w.paths[i].end <= FS_WALK_FULL);
            ends[w.paths[i].end]++;
            assert_int_equal(n[FS_WALK_SEGMENT], n[FS_WALK_HIT] + n[FS_WALK_ESCAPE]);
            assert_int_equal(n[FS_WALK_SEGMENT], w.paths[i].segments);
            assert_int_equal(n[FS_WALK_NODE], n[FS_WALK_SEGMENT] + 2 * n[FS_WALK_INNER]);
            assert_int_equal(n[FS_WALK_HIT],
                             n[FS_WALK_DIFFUSE] + n[FS_WALK_SPECULAR] + n[FS_WALK_REFRACTIVE]);
            assert_int_equal(n[FS_WALK_SHEAR],
                             n[FS_WALK_EDGE_EXIT] + n[FS_WALK_RANGE_EXIT] + n[FS_WALK_TRIANGLE]);
            assert_int_equal(n[FS_WALK_LEAF], n[FS_WALK_SHEAR] + n[FS_WALK_SPHERE] + n[FS_WALK_DISC]);
            assert_int_equal(n[FS_WALK_END], 1);
            assert_true(n[FS_WALK_HIT] <= small.most_segments);
            assert_int_equal(w.paths[i].end == FS_WALK_ESCAPED, n[FS_WALK_ESCAPE] == 1);
        }
        assert_int_equal(ends[0] + ends[1] + ends[2], w.count);
        assert_true(ends[FS_WALK_ESCAPED] > 0);
        drop(&w);
        fs_arena_free(s.arena);
    }
}

/* Extents in f16 reach further: the boxes that are tested more often are fewer than 0.2 % (NPT section 3.1). */
TEST(half_extents_cost_little) {
    uint64_t axes[2] = {0};
    for (int k = 0; k < 2; k++) {
        stage s = built_in(FS_MESH_BUILTIN_BOX, 0, k == 0 ? FS_TREE_NODE_FULL : FS_TREE_NODE_HALF);
        walked w = list_of(&small, 4);
        make_ready(&s);
        fs_walk_paths(&s.walk, &small, w.list, w.count, w.paths, w.counts);
        for (uint64_t i = 0; i < w.count; i++)
            axes[k] += w.counts[i][FS_WALK_AXIS];
        drop(&w);
        fs_arena_free(s.arena);
    }
    assert_true(axes[1] >= axes[0]);
    assert_true((double)axes[1] < 1.002 * (double)axes[0]);
}

/* ---- closed forms ---- */

static void ones(const void *self, float u, float v, float rgb[3]) {
    (void)self, (void)u, (void)v;
    rgb[0] = rgb[1] = rgb[2] = 1;
}

/* A white sphere in uniform light is not to be seen: exactly. */
TEST(the_white_furnace_is_white) {
    const fs_sphere ball = {.centre = {0, 0, -3}, .radius = 1};
    stage s = of_shapes(&ball, 1, NULL, 0, (fs_material){{1, 1, 1}, {0}, 1.52f, FS_MATERIAL_DIFFUSE});
    walked w = list_of(&small, 8);
    uint64_t hits = 0;
    make_ready(&s);
    fs_walk_paths(&s.walk, &small, w.list, w.count, w.paths, w.counts);
    for (uint64_t i = 0; i < w.count; i++) {
        float rgb[3];
        fs_walk_radiance(&w.paths[i], 0, ones, NULL, rgb);
        assert_true(rgb[0] == 1 && rgb[1] == 1 && rgb[2] == 1);
        hits += w.counts[i][FS_WALK_HIT];
    }
    assert_true(hits > 1000);
    drop(&w);
    fs_arena_free(s.arena);
}

/* Two mirrors that face each other at z = -1 and z = +1, albedo a: a ray at a slope r bounces until it is
 * behind their edge; the throughput is a to the number of bounces. */
TEST(mirrors_multiply) {
    const fs_disc mirrors[] = {{.centre = {0, 0, -1}, .normal = {0, 0, 1}, .radius = 4},
                               {.centre = {0, 0, 1}, .normal = {0, 0, -1}, .radius = 4}};
    stage s =
        of_shapes(NULL, 0, mirrors, 2, (fs_material){{0.5f, 0.25f, 1}, {0}, 1.52f, FS_MATERIAL_SPECULAR});
    fs_walk_params p = small;
    p.roulette_above = 100;
    walked w = list_of(&p, 4);
    make_ready(&s);
    fs_walk_paths(&s.walk, &p, w.list, w.count, w.paths, w.counts);
    for (uint64_t i = 0; i < w.count; i++) {
        const float *d = w.paths[i].direction;
        const double slope = sqrt((double)(d[0] * d[0] + d[1] * d[1])) / fabs((double)d[2]);
        double bounces = 0;
        while (bounces < p.most_segments && (2 * bounces + 1) * slope < 4)
            bounces++;
        if (fabs((2 * bounces + 1) * slope - 4) > 1e-2 && fabs((2 * bounces - 1) * slope - 4) > 1e-2) {
            assert_int_equal(w.counts[i][FS_WALK_HIT], (uint32_t)bounces);
            assert_true(w.paths[i].throughput[0] == (float)ldexp(1, -(int)bounces));
            assert_true(w.paths[i].throughput[1] == (float)ldexp(1, -2 * (int)bounces));
            assert_true(w.paths[i].throughput[2] == 1);
        }
    }
    drop(&w);
    fs_arena_free(s.arena);
}

/* A ray that is refracted into a ball and out again keeps to the plane of its incidence and is turned by
 * 2 (a - b), sin a = ior sin b. Those that were never reflected have the colour twice. */
TEST(glass_bends_by_snell) {
    const fs_sphere ball = {.centre = {0, 0, -4}, .radius = 1};
    const fs_material glass = {{0.5f, 0.5f, 0.5f}, {0}, 1.5f, FS_MATERIAL_REFRACTIVE};
    stage s = of_shapes(&ball, 1, NULL, 0, glass);
    walked w = list_of(&small, 16);
    uint64_t through = 0;
    make_ready(&s);
    fs_walk_params p = small;
    p.jitter = 0;
    fs_walk_paths(&s.walk, &p, w.list, w.count, w.paths, w.counts);
    for (uint64_t i = 0; i < w.count; i++) {
        if (w.counts[i][FS_WALK_REFRACTIVE] != 2 || w.paths[i].throughput[0] != 0.25f)
            continue;
        const double x = ((double)(w.list[i].pixel % p.width) + 0.5) / p.width - 0.5,
                     y = ((double)(w.list[i].pixel / p.width) + 0.5) / p.height - 0.5;
        const double tangent = tan(0.5), slope_x = 2 * x * tangent * p.width / p.height,
                     slope_y = 2 * y * tangent;
        const double slope = sqrt(slope_x * slope_x + slope_y * slope_y), angle = atan(slope);
        const double sine = 4 * sin(angle), in = asin(sine), turned = 2 * (in - asin(sine / 1.5));
        const double cosine = (double)-w.paths[i].direction[2];
        assert_true(fabs(acos(cosine) - fabs(angle - turned)) < 2e-3);
        through++;
    }
    assert_true(through > 100);
    drop(&w);
    fs_arena_free(s.arena);
}

/* A pane of glass: what comes through goes on as it came, what does not is the mirror's. With the shares R1
 * and R2 that are reflected outside and inside, (1 - R1) / (1 + R2) comes through, all orders of reflections
 * together. */
TEST(a_pane_lets_through_what_it_should) {
    enum { SAMPLES = 64 };
    const fs_disc faces[] = {{.centre = {0, 0, -4}, .normal = {0, 0, 1}, .radius = 80},
                             {.centre = {0, 0, -5}, .normal = {0, 0, -1}, .radius = 80}};
    stage s = of_shapes(NULL, 0, faces, 2, (fs_material){{1, 1, 1}, {0}, 1.5f, FS_MATERIAL_REFRACTIVE});
    fs_walk_params p = small;
    p.roulette_above = 100;
    p.jitter = 0;
    walked w = list_of(&p, SAMPLES);
    make_ready(&s);
    fs_walk_paths(&s.walk, &p, w.list, w.count, w.paths, w.counts);
    double expected = 0, variance = 0, through = 0;
    for (uint64_t i = 0; i < w.count; i++) {
        const double x = ((double)(w.list[i].pixel % p.width) + 0.5) / p.width - 0.5,
                     y = ((double)(w.list[i].pixel / p.width) + 0.5) / p.height - 0.5;
        const double across = 2 * x * tan(0.5) * p.width / p.height, up = 2 * y * tan(0.5);
        const double outside = 1 / sqrt(1 + across * across + up * up),
                     inside = sqrt(1 - (1 - outside * outside) / 2.25);
        const double share =
            (1 - (0.04 + 0.96 * pow(1 - outside, 5))) / (1 + 0.04 + 0.96 * pow(1 - inside, 5));
        const float *d = w.paths[i].direction;
        expected += share;
        variance += share * (1 - share);
        through += d[2] < 0;
        assert_true(w.paths[i].throughput[0] == 1);
        assert_true(w.paths[i].end == FS_WALK_ESCAPED &&
                    (w.counts[i][FS_WALK_HIT] % 2 == 0) == (d[2] < 0)); /* an even number of faces */
        assert_true(fabs(fabs((double)d[2]) - outside) < 1e-5);
        assert_true(fabs((double)d[0] - across * outside) < 1e-5);
        assert_true(fabs(fabs((double)d[1]) - fabs(up) * outside) < 1e-5);
    }
    assert_true(fabs(through - expected) < 4 * sqrt(variance));
    assert_true(expected > 0.9 * (double)w.count && expected < 0.93 * (double)w.count);
    drop(&w);
    fs_arena_free(s.arena);
}

/* ---- brute force ---- */

TEST(the_tree_finds_what_all_triangles_give) {
    const uint64_t rays = test_number("FOAMSIM_RAYS", 20000), seed = test_seed(5);
    stage box = built_in(FS_MESH_BUILTIN_BOX, 0, FS_TREE_NODE_HALF),
          soup = built_in(FS_MESH_BUILTIN_NONE, 900, FS_TREE_NODE_HALF);
    stage *const all[] = {&box, &soup};
    print_message("%" PRIu64 " rays\n", rays);
    for (size_t k = 0; k < 2; k++) {
        stage *s = all[k];
        uint64_t met = 0;
        make_ready(s);
#pragma omp parallel for reduction(+ : met)
        for (uint64_t i = 0; i < rays / 2; i++) {
            fs_rng rng = fs_rng_sub(fs_rng_stream(seed, "rays"), i);
            fs_walk_ray ray;
            float t;
            for (int a = 0; a < 3; a++) {
                ray.origin[a] = (float)fs_rng_range(&rng, (double)s->scene.low[a], (double)s->scene.high[a]);
                ray.direction[a] = (float)fs_rng_range(&rng, -1, 1);
            }
            const fs_vec3f unit =
                fs_vec3f_unit((fs_vec3f){ray.direction[0], ray.direction[1], ray.direction[2]});
            ray.direction[0] = unit.x;
            ray.direction[1] = unit.y;
            ray.direction[2] = unit.z;
            fs_walk_aim(&ray);
            naive_nearest(&s->scene, ray.origin, ray.direction, &t);
            const float found = lone_ray_nearest(&s->walk, &ray).t;
            FS_ASSERT(found == t, "ray %" PRIu64 ": %g, all triangles give %g", i, (double)found, (double)t);
            met += t < INFINITY;
        }
        assert_true(met > rays / 10);
        fs_arena_free(s->arena);
    }
}

/* ---- speed ---- */

/* Paths through the box a second of one core, in millions: the best of five. */
static void measure(void) {
    const fs_walk_params p = {
        .width = 192, .height = 192, .seed = 1, .most_segments = 10, .roulette_above = 3, .jitter = 0.25f};
    stage s = built_in(FS_MESH_BUILTIN_BOX, 0, FS_TREE_NODE_HALF);
    walked w = list_of(&p, 16);
    double best = 0;
    make_ready(&s);
    omp_set_num_threads(1);
    for (int i = 0; i < 6; i++) { /* the first one touches the memory */
        const clock_t begin = clock();
        fs_walk_paths(&s.walk, &p, w.list, w.count, w.paths, w.counts);
        const double rate = (double)w.count * CLOCKS_PER_SEC / (double)(clock() - begin) / 1e6;
        best = i > 0 && rate > best ? rate : best;
    }
    printf("%.2f\n", best);
    drop(&w);
    fs_arena_free(s.arena);
}

int main(int argc, char **argv) {
    if (argc == 2 && strcmp(argv[1], "bench") == 0) {
        measure();
        return 0;
    }
    return test_run(NULL, NULL);
}
