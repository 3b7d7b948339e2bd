/* Scenes: generated ones hold what they promise, imports follow the rules, the cache never lies. */
#include "sim/base/alloc.h"
#include "sim/base/progress.h"
#include "sim/base/rng.h"
#include "tests/support/scratch.h"
#include "workloads/foam/foam_scene.h"
#include "workloads/foam/point_tree.h"
#include "workloads/foam/reference.h"
#include "workloads/foam/scene_cloud.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static fs_error err;
static char shared[4096]; /* folder of the shared scenes, before the tests enter their own folder */

/* ---- generated scenes ---- */

static fs_sites generate(int64_t kind, int64_t cells, int64_t seed) {
    fs_generate_params params = {.kind = kind, .cells = cells, .seed = seed, .trained = fs_trained_defaults};
    fs_sites sites;
    assert_int_equal(fs_scene_generate(&params, &sites, &err), FS_OK);
    return sites;
}

static bool same_sites(const fs_sites *a, const fs_sites *b) {
    size_t n = a->count;
    return a->count == b->count && memcmp(a->x, b->x, n * 4) == 0 && memcmp(a->y, b->y, n * 4) == 0 &&
           memcmp(a->z, b->z, n * 4) == 0 && memcmp(a->density, b->density, n * 4) == 0 &&
           memcmp(a->rgb, b->rgb, n * 3) == 0;
}

static void generated_sites(void **state) {
    (void)state;
    static const int64_t cells[] = {1000, 1001, 7777, 20000};
    for (int64_t kind = 0; fs_generate_kinds[kind] != NULL; kind++)
        for (size_t c = 0; c < sizeof cells / sizeof cells[0]; c++) {
            fs_sites a = generate(kind, cells[c], 1), b = generate(kind, cells[c], 1),
                     other = generate(kind, cells[c], 2);
            uint32_t first, second, empty = 0;
            assert_int_equal(a.count, cells[c]);
            assert_int_equal(other.count, cells[c]);
            assert_true(same_sites(&a, &b));
            assert_false(same_sites(&a, &other));
            assert_false(fs_points_repeated(a.x, a.y, a.z, a.count, &first, &second));
            for (uint32_t i = 0; i < a.count; i++) {
                assert_true(fabsf(a.x[i]) < 100 && fabsf(a.y[i]) < 100 && fabsf(a.z[i]) < 100);
                assert_true(a.density[i] >= 0 && a.density[i] < 65504);
                empty += a.density[i] <= 0;
            }
            if (empty < a.count / 8 || empty > a.count * 7 / 8)
                fail_msg("%s, %d cells: %u are empty", fs_generate_kinds[kind], (int)cells[c], empty);
            fs_sites_free(&a);
            fs_sites_free(&b);
            fs_sites_free(&other);
        }
}

/* Compilers, optimisation and machines must not matter: a changed digest is a changed scene, and
 * SCENE_VERSION of scene_load.c has to be raised with it. */
static void generated_digests(void **state) {
    (void)state;
    static const char *const expected[7] = {"2334313d170211d1", "dbebf7db202cceb0", "abb36e808555ee8a",
                                            "38846757e24203cd", "7ff1444bb4dd6815", "0a8e91a33d7cb1bd",
                                            "19a7073be839d4e2"};
    for (int64_t kind = 0; kind < 7; kind++) {
        fs_sites s = generate(kind, 5000, 3);
        char hex[FS_DIGEST_HEX];
        fs_digest d;
        fs_digest_begin(&d);
        fs_digest_add(&d, s.x, s.count * sizeof *s.x);
        fs_digest_add(&d, s.y, s.count * sizeof *s.y);
        fs_digest_add(&d, s.z, s.count * sizeof *s.z);
        fs_digest_add(&d, s.density, s.count * sizeof *s.density);
        fs_digest_add(&d, s.rgb, (size_t)s.count * 3);
        fs_digest_end(&d, hex);
        if (strncmp(hex, expected[kind], 16) != 0)
            fail_msg("%s: sha256 %.16s, expected %s", fs_generate_kinds[kind], hex, expected[kind]);
        fs_sites_free(&s);
    }
}

static void generated_range(void **state) {
    (void)state;
    static const int64_t bad[] = {999, 5000001, -1, 0};
    fs_sites sites;
    for (size_t i = 0; i < 4; i++) {
        err = (fs_error){.status = FS_OK};
        fs_generate_params params = {.cells = bad[i]};
        assert_int_equal(fs_scene_generate(&params, &sites, &err), FS_INPUT);
    }
    err = (fs_error){.status = FS_OK};
}

/* Cells a ray passes, and the share of rays that end on something, for a look at each kind. */
static void look(const fs_foam *foam, const double position[3], const double look_at[3], double *cells,
                 double *opaque) {
    fs_arena *arena = fs_arena_create();
    fs_partition partition;
    const fs_partition_params shards = {.shards = 64};
    assert_int_equal(fs_partition_make(&fs_partitioner_kd, foam, &shards, arena, &partition, &err), FS_OK);
    fs_march_scene scene;
    assert_int_equal(fs_march_scene_make(foam, &partition, &scene, &err), FS_OK);
    fs_camera_params params = {.width = 96,
                               .height = 72,
                               .fov_y = 50,
                               .up = {0, 0, 1},
                               .position_given = true,
                               .look_at_given = true,
                               .up_given = true};
    memcpy(params.position, position, sizeof params.position);
    memcpy(params.look_at, look_at, sizeof params.look_at);
    fs_camera camera;
    fs_reference picture;
    assert_int_equal(fs_camera_make(&params, "camera", &camera, &err), FS_OK);
    const fs_march_params march = {.threshold = 0.01, .step_limit = 1000000};
    assert_int_equal(fs_reference_render(&scene, &partition, &camera, &march, &picture, &err), FS_OK);
    *cells = *opaque = 0;
    for (uint32_t i = 0; i < 96 * 72; i++) {
        *cells += picture.cells[i] / (96.0 * 72);
        *opaque += (picture.depth[i] > 0) / (96.0 * 72);
    }
    fs_reference_free(&picture);
    fs_march_scene_free(&scene);
    fs_arena_free(arena);
}

/* Mean degree as in trained foams (15.17, facts/scenes.md), and tens of cells on a ray's way. */
static void generated_foams(void **state) {
    (void)state;
    static const struct {
        double position[3], look_at[3], least_opaque;
    } view[7] = {
        {{1.7, -3.6, 1.9}, {0.1, 0.2, 0.6}, 0.99},      {{2.3, -2.0, 1.62}, {-0.75, 0.8, 0.75}, 0.99},
        {{1.15, -1.32, 0.85}, {-0.1, 0.15, -0.1}, 0.8}, {{0.95, -1.75, 0.9}, {0, 0, 0}, 0.5},
        {{-1.3, -3.1, 1.45}, {0.13, 0.27, 0.55}, 0.99}, {{-1.3, -3.1, 1.45}, {0.13, 0.27, 0.55}, 0.99},
        {{-1.3, -3.1, 1.45}, {0.13, 0.27, 0.55}, 0.99}};
    for (int64_t kind = 0; kind < 7; kind++) {
        fs_sites sites = generate(kind, 20000, 1);
        fs_foam foam;
        assert_int_equal(fs_scene_mesh(&sites, 1, &foam, &err), FS_OK);
        double degree = (double)foam.faces / foam.sites, cells, opaque;
        look(&foam, view[kind].position, view[kind].look_at, &cells, &opaque);
        print_message("%s: degree %.2f, %.1f cells a ray, %.3f half opaque\n", fs_generate_kinds[kind],
                      degree, cells, opaque);
        assert_true(degree > 14.6 && degree < 15.6);
        assert_true(cells > 8 && cells < 50);
        assert_true(opaque >= view[kind].least_opaque);
        fs_foam_free(&foam);
    }
}

/* ---- nearest points ---- */

static void tree_equals_search(void **state) {
    (void)state;
    enum { N = 1500 };
    static float x[N], y[N], z[N];
    fs_rng rng = fs_rng_stream(31, "test/tree");
    for (int i = 0; i < N; i++) { /* a coarse grid: many equal distances, and equal points */
        x[i] = (float)fs_rng_below(&rng, 12);
        y[i] = (float)fs_rng_below(&rng, 12);
        z[i] = i % 3 == 0 ? 0 : (float)fs_rng_unit(&rng);
    }
    fs_point_tree *tree = fs_point_tree_create(x, y, z, N);
    for (int round = 0; round < 300; round++) {
        const double p[3] = {fs_rng_range(&rng, -1, 13), (double)fs_rng_below(&rng, 12), fs_rng_unit(&rng)};
        uint32_t except = fs_rng_below(&rng, N), index[FS_NEAREST_MAX];
        double d2[FS_NEAREST_MAX];
        uint32_t k = 1 + fs_rng_below(&rng, FS_NEAREST_MAX);
        assert_int_equal(fs_point_tree_nearest(tree, p, except, k, index, d2), k);
        bool taken[N] = {false};
        for (uint32_t m = 0; m < k; m++) { /* the nearest of those not taken, by plain search */
            uint32_t best = N;
            double least = 1e300;
            for (uint32_t i = 0; i < N; i++) {
                double dx = (double)x[i] - p[0], dy = (double)y[i] - p[1], dz = (double)z[i] - p[2];
                double d = (dx * dx + dy * dy) + dz * dz;
                if (i != except && !taken[i] && d < least) {
                    least = d;
                    best = i;
                }
            }
            taken[best] = true;
            assert_int_equal(index[m], best);
            assert_true(d2[m] == least);
        }
        assert_true(fs_point_tree_any_within(tree, p, except, sqrt(d2[0]) * 1.0001 + 1e-9));
        assert_false(fs_point_tree_any_within(tree, p, except, sqrt(d2[0]) * 0.9999));
    }
    fs_point_tree_free(tree);
}

/* ---- import ---- */

typedef struct gaussian {
    float x, y, z, dc[3], opacity, scale[3], rotation[4];
} gaussian;

static void write_gaussians(const char *path, const gaussian *g, uint32_t n) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fprintf(file, "ply\nformat binary_little_endian 1.0\nelement vertex %u\n", n);
    static const char *const names[14] = {"x",      "y",       "z",       "f_dc_0",  "f_dc_1",
                                          "f_dc_2", "opacity", "scale_0", "scale_1", "scale_2",
                                          "rot_0",  "rot_1",   "rot_2",   "rot_3"};
    for (int i = 0; i < 14; i++)
        fprintf(file, "property float %s\n", names[i]);
    fprintf(file, "end_header\n");
    assert_int_equal(fwrite(g, sizeof *g, n, file), n);
    fclose(file);
}

enum { PATCH = 900 };

/* A flat patch z = 0 of thin discs lying in it: opacity 0.8, red; the last ones are to be dropped or merged.
 */
static void make_patch(gaussian *g) {
    fs_rng rng = fs_rng_stream(5, "test/patch");
    for (int i = 0; i < PATCH; i++) {
        g[i] =
            (gaussian){.x = (float)fs_rng_range(&rng, -1, 1),
                       .y = (float)fs_rng_range(&rng, -1, 1),
                       .dc = {1.7724539f, -1.7724539f, 0}, /* 0.5 / 0.28209479: red 1, green 0, blue a half */
                       .opacity = 1.3862944f,              /* ln 4: 0.8 */
                       .scale = {-4, -4, -7},
                       .rotation = {2, 0, 0, 0}};
    }
    g[PATCH - 1].opacity = -3; /* 0.047: too faint */
    g[PATCH - 2].scale[0] = 0; /* as large as the scene */
    g[PATCH - 3].x = 40;       /* far away */
    g[PATCH - 4].x = g[0].x;   /* the same place as another */
    g[PATCH - 4].y = g[0].y;
}

static fs_import_params usual(void) {
    return (fs_import_params){
        .min_opacity = 0.1, .point_opacity = 0.9, .empty_sites = true, .scatter = 50, .seed = 1};
}

static uint32_t occupied(const fs_sites *s) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < s->count; i++)
        n += s->density[i] > 0;
    return n;
}

static void gaussians(void **state) {
    (void)state;
    static gaussian g[PATCH];
    make_patch(g);
    write_gaussians("g.ply", g, PATCH);
    int64_t format;
    assert_int_equal(fs_scene_sniff("g.ply", &format, &err), FS_OK);
    assert_int_equal(format, 2);
    fs_import_params params = usual();
    fs_sites s, again;
    assert_int_equal(fs_scene_import("g.ply", &params, &s, &err), FS_OK);
    assert_int_equal(fs_scene_import("g.ply", &params, &again, &err), FS_OK);
    assert_true(same_sites(&s, &again));
    assert_int_equal(occupied(&s), PATCH - 4);
    assert_int_equal(s.merged, 1);
    assert_true(s.density_is_opacity);
    uint32_t above = 0, below = 0;
    for (uint32_t i = 0; i < s.count; i++) {
        if (s.density[i] > 0) {
            assert_true(fabsf(s.density[i] - 0.8f) < 1e-6f && s.z[i] == 0);
            assert_int_equal(s.rgb[3 * i], 255);
            assert_int_equal(s.rgb[3 * i + 1], 0);
            assert_int_equal(s.rgb[3 * i + 2], 127);
        }
        above += s.density[i] <= 0 && s.z[i] > 0;
        below += s.density[i] <= 0 && s.z[i] < 0;
    }
    /* along the smallest axis there is room on both sides of a plane for nearly each */
    assert_true(above > PATCH / 2 && below > PATCH / 2);
    fs_sites_free(&s);
    fs_sites_free(&again);

    params.max_sites = 100;
    params.empty_sites = false;
    assert_int_equal(fs_scene_import("g.ply", &params, &s, &err), FS_OK);
    assert_int_equal(s.count, 100);
    params.seed = 2;
    assert_int_equal(fs_scene_import("g.ply", &params, &again, &err), FS_OK);
    assert_false(same_sites(&s, &again));
    fs_sites_free(&s);
    fs_sites_free(&again);

    params = usual();
    params.density = 1; /* the Gaussian's own: ln 5 / (sqrt(2 pi) exp(-5)) */
    assert_int_equal(fs_scene_import("g.ply", &params, &s, &err), FS_OK);
    assert_false(s.density_is_opacity);
    for (uint32_t i = 0; i < s.count; i++)
        if (s.density[i] > 0)
            assert_true(fabs((double)s.density[i] / (log(5) / (sqrt(2 * 3.14159265358979) * exp(-5))) - 1) <
                        1e-5);
    fs_sites_free(&s);
}

static void bad_gaussians(void **state) {
    (void)state;
    static gaussian g[PATCH];
    fs_import_params params = usual();
    fs_sites s;
    static const struct {
        size_t member; /* float of record 17 */
        float value;
        const char *words;
    } cases[] = {
        {0, NAN, "vertex 17 (byte "},
        {6, INFINITY, "opacity is not finite"},
        {8, NAN, "scale_1 is not finite"},
        {10, 0, "the rotation is zero"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        make_patch(g);
        memcpy((char *)&g[17] + cases[i].member * 4, &cases[i].value, 4);
        write_gaussians("bad.ply", g, PATCH);
        err = (fs_error){.status = FS_OK};
        assert_int_equal(fs_scene_import("bad.ply", &params, &s, &err), FS_INPUT);
        if (strstr(err.text, cases[i].words) == NULL)
            fail_msg("expected \"%s\", found: %s", cases[i].words, err.text);
        assert_null(s.x);
    }
    make_patch(g);
    write_gaussians("g.ply", g, PATCH);
    params.min_opacity = 0.9;
    err = (fs_error){.status = FS_OK};
    assert_int_equal(fs_scene_import("g.ply", &params, &s, &err), FS_INPUT);
    assert_non_null(strstr(err.text, "0 of 900 points are left"));
    write_gaussians("none.ply", g, 0);
    err = (fs_error){.status = FS_OK};
    assert_int_equal(fs_scene_import("none.ply", &params, &s, &err), FS_INPUT);
    assert_non_null(strstr(err.text, "empty"));
    err = (fs_error){.status = FS_OK};
}

/* A wall of points, three of them twice, and one in mid air. */
static void points(void **state) {
    (void)state;
    FILE *file = fopen("p.ply", "wb");
    fprintf(
        file,
        "ply\nformat ascii 1.0\nelement vertex 404\nproperty double x\nproperty double y\nproperty double z\n"
        "property uchar red\nproperty uchar green\nproperty uchar blue\nend_header\n");
    fs_rng rng = fs_rng_stream(6, "test/wall");
    for (int i = 0; i < 400; i++)
        fprintf(file, "%.9g 2 %.9g 9 8 7\n", i % 20 + 0.3 * fs_rng_unit(&rng),
                i / 20 + 0.3 * fs_rng_unit(&rng));
    fprintf(file, "5 2 5 1 1 1\n5 2 5 1 1 1\n5 2 5 1 1 1\n10 9 10 255 0 0\n");
    fclose(file);
    fs_import_params params = usual();
    fs_sites s;
    int64_t format;
    assert_int_equal(fs_scene_sniff("p.ply", &format, &err), FS_OK);
    assert_int_equal(format, 3);
    assert_int_equal(fs_scene_import("p.ply", &params, &s, &err), FS_OK);
    assert_int_equal(s.merged, 2);
    uint32_t before = 0, behind = 0;
    for (uint32_t i = 0; i < s.count; i++) {
        if (s.density[i] > 0)
            assert_true(s.density[i] == 0.9f && s.y[i] == 2); /* the one in mid air is gone */
        before += s.density[i] <= 0 && s.y[i] < 1;
        behind += s.density[i] <= 0 && s.y[i] > 3;
    }
    assert_true(occupied(&s) >= 380 && occupied(&s) <= 401);
    assert_true(before > 200 && behind > 200); /* the wall's normal was found */
    fs_foam foam;
    assert_int_equal(fs_scene_mesh(&s, 1, &foam, &err), FS_OK);
    assert_int_equal(fs_foam_write_ply("f.ply", &foam, &err), FS_OK);
    fs_foam_free(&foam);
    err = (fs_error){.status = FS_OK};
    assert_int_equal(fs_scene_import("f.ply", &params, &s, &err), FS_INPUT); /* a foam already */
    err = (fs_error){.status = FS_OK};
}

/* Six sites for each point of a wall: the points themselves are among them, the others lie in the wall, a
 * quarter of the distance to a neighbour before or behind it at most. */
static void denser_points(void **state) {
    (void)state;
    FILE *file = fopen("wall.ply", "wb");
    fprintf(file, "ply\nformat ascii 1.0\nelement vertex 400\nproperty float x\nproperty float y\n"
                  "property float z\nend_header\n");
    for (int i = 0; i < 400; i++)
        fprintf(file, "%d 2 %d\n", i % 20, i / 20);
    fclose(file);
    fs_import_params params = usual();
    params.empty_sites = false;
    fs_sites one, six, again;
    assert_int_equal(fs_scene_import("wall.ply", &params, &one, &err), FS_OK);
    params.sites_per_point = 6;
    assert_int_equal(fs_scene_import("wall.ply", &params, &six, &err), FS_OK);
    assert_int_equal(fs_scene_import("wall.ply", &params, &again, &err), FS_OK);
    assert_int_equal(one.count, 400);
    assert_int_equal(six.count, 2400);
    assert_true(same_sites(&six, &again));
    uint32_t on_grid = 0, off_wall = 0;
    for (uint32_t i = 0; i < six.count; i++) {
        on_grid += six.y[i] == 2 && six.x[i] == floorf(six.x[i]) && six.z[i] == floorf(six.z[i]);
        off_wall += fabsf(six.y[i] - 2) > 0.1f;
        assert_true(fabsf(six.y[i] - 2) <= 0.25f * 2.2361f);
    }
    assert_int_equal(on_grid, 400);
    assert_true(off_wall > 400);
    fs_sites_free(&one);
    fs_sites_free(&six);
    fs_sites_free(&again);
}

/* Points of a ball, and what lies around them. */
static void write_ball(const char *path) {
    FILE *file = fopen(path, "wb");
    fprintf(file, "ply\nformat ascii 1.0\nelement vertex 1000\nproperty float x\nproperty float y\n"
                  "property float z\nend_header\n");
    fs_rng rng = fs_rng_stream(7, "test/ball");
    for (int i = 0; i < 1000; i++) {
        fs_v3 p = fs_v3_random(&rng, (fs_v3){-1, -1, -1}, (fs_v3){1, 1, 1});
        double length = sqrt(fs_v3_dot(p, p));
        fprintf(file, "%.9g %.9g %.9g\n", p.x / length, p.y / length, p.z / length);
    }
    fclose(file);
}

/* A turned, grown and moved cloud is the same scene seen from elsewhere: each site goes where its point goes.
 */
static void transformed(void **state) {
    (void)state;
    write_ball("ball.ply");
    fs_import_params params = usual();
    fs_sites plain, moved;
    assert_int_equal(fs_scene_import("ball.ply", &params, &plain, &err), FS_OK);
    /* twice as large, x to y, y to z, z to x, then along */
    const double m[16] = {0, 0, 2, 10, 2, 0, 0, 20, 0, 2, 0, 30, 0, 0, 0, 1};
    memcpy(params.transform, m, sizeof m);
    params.transform_given = true;
    assert_int_equal(fs_scene_import("ball.ply", &params, &moved, &err), FS_OK);
    assert_true(moved.count > plain.count - 3 && moved.count <= plain.count); /* rounding may merge two */
    assert_int_equal(occupied(&moved), occupied(&plain));
    double sum[3] = {0}, moved_sum[3] = {0};
    for (uint32_t i = 0; i < plain.count; i++) {
        if (plain.density[i] <= 0)
            continue;
        sum[0] += (double)plain.x[i], sum[1] += (double)plain.y[i], sum[2] += (double)plain.z[i];
    }
    for (uint32_t i = 0; i < moved.count; i++) {
        const double p[3] = {(double)moved.x[i], (double)moved.y[i], (double)moved.z[i]};
        if (moved.density[i] <= 0)
            continue;
        double r2 = (p[0] - 10) * (p[0] - 10) + (p[1] - 20) * (p[1] - 20) + (p[2] - 30) * (p[2] - 30);
        assert_true(fabs(sqrt(r2) - 2) < 1e-4); /* the unit sphere, grown and moved */
        for (int k = 0; k < 3; k++)
            moved_sum[k] += p[k];
    }
    double n = occupied(&plain);
    assert_true(fabs(moved_sum[0] - (2 * sum[2] + 10 * n)) < 0.01);
    assert_true(fabs(moved_sum[1] - (2 * sum[0] + 20 * n)) < 0.01);
    assert_true(fabs(moved_sum[2] - (2 * sum[1] + 30 * n)) < 0.01);
    fs_sites_free(&moved);
    const struct {
        int at;
        double value;
    } bad[] = {{0, 1}, {2, -2}, {2, 0}, {15, 2}, {12, 0.5}};
    for (size_t b = 0; b < sizeof bad / sizeof bad[0]; b++) {
        memcpy(params.transform, m, sizeof m);
        params.transform[bad[b].at] = bad[b].value;
        err = (fs_error){.status = FS_OK};
        assert_int_equal(fs_scene_import("ball.ply", &params, &moved, &err), FS_INPUT);
        assert_non_null(strstr(err.text, "import.transform"));
    }
    err = (fs_error){.status = FS_OK};
    fs_sites_free(&plain);
}

/* Fewer empty sites in free space, and not one fewer beside the points. */
static void less_scatter(void **state) {
    (void)state;
    write_ball("ball.ply");
    uint32_t beside[2], away[2];
    for (int k = 0; k < 2; k++) {
        fs_import_params params = usual();
        params.scatter = k == 0 ? 50 : 5;
        fs_sites s;
        assert_int_equal(fs_scene_import("ball.ply", &params, &s, &err), FS_OK);
        beside[k] = away[k] = 0;
        for (uint32_t i = 0; i < s.count; i++) {
            float r = sqrtf(s.x[i] * s.x[i] + s.y[i] * s.y[i] + s.z[i] * s.z[i]);
            beside[k] += fabsf(r - 1) < 0.5f;
            away[k] += fabsf(r - 1) >= 0.5f;
        }
        fs_sites_free(&s);
    }
    assert_int_equal(beside[0], beside[1]);
    assert_true(away[0] > 2 * away[1]);
}

/* ---- the cache ---- */

/* The one file in cache/scenes. */
static void only_entry(char path[512]) {
    DIR *folder = opendir("cache/scenes");
    assert_non_null(folder);
    int found = 0;
    for (struct dirent *e; (e = readdir(folder)) != NULL;)
        if (e->d_name[0] != '.') {
            snprintf(path, 512, "cache/scenes/%.400s", e->d_name);
            found++;
        }
    closedir(folder);
    assert_int_equal(found, 1);
}

static void cache(void **state) {
    (void)state;
    fs_scene_params params = {
        .file = "", .import = usual(), .generate = {.kind = 2, .cells = 2000, .seed = 4}};
    fs_foam bare, foam;
    char path[512];
    struct stat made, used;
    assert_int_equal(fs_scene_load(&params, NULL, 1, &bare, &err), FS_OK);
    assert_int_equal(fs_scene_load(&params, "cache", 1, &foam, &err), FS_OK);
    assert_string_equal(foam.digest, bare.digest);
    fs_foam_free(&foam);
    only_entry(path);
    assert_int_equal(stat(path, &made), 0);
    assert_int_equal(fs_scene_load(&params, "cache", 1, &foam, &err), FS_OK);
    assert_string_equal(foam.digest, bare.digest);
    assert_int_equal(stat(path, &used), 0);
    assert_true(made.st_ino == used.st_ino); /* read, not made again */
    fs_foam_free(&foam);
    for (int damage = 0; damage < 3; damage++) {
        FILE *file = fopen(path, "r+b");
        assert_non_null(file);
        fseek(file, damage == 0 ? made.st_size / 3 : 0, SEEK_SET);
        if (damage == 0) { /* one bit of a coordinate or colour */
            int c = getc(file);
            fseek(file, made.st_size / 3, SEEK_SET);
            putc(c ^ 1, file);
        }
        fclose(file);
        if (damage > 0)
            assert_int_equal(truncate(path, damage == 1 ? made.st_size - 1 : 0), 0);
        assert_int_equal(fs_scene_load(&params, "cache", 1, &foam, &err), FS_OK);
        assert_string_equal(foam.digest, bare.digest);
        fs_foam_free(&foam);
        assert_int_equal(stat(path, &used), 0);
        assert_int_equal(used.st_size, made.st_size);
    }
    FILE *file = fopen(path, "r+b"); /* a format that is no more: the head's digit */
    assert_non_null(file);
    fseek(file, 6, SEEK_SET);
    fputc('0', file);
    fclose(file);
    assert_int_equal(fs_scene_load(&params, "cache", 1, &foam, &err), FS_OK);
    assert_string_equal(foam.digest, bare.digest);
    assert_int_equal(stat(path, &made), 0);
    fs_foam_free(&foam);
    assert_int_equal(fs_scene_load(&params, "cache", 1, &foam, &err), FS_OK);
    assert_memory_equal(foam.adjacency, bare.adjacency, bare.faces * sizeof *bare.adjacency);
    assert_memory_equal(foam.adjacency_end, bare.adjacency_end, bare.sites * sizeof *bare.adjacency_end);
    assert_memory_equal(foam.density, bare.density, bare.sites * sizeof *bare.density);
    assert_memory_equal(foam.rgb, bare.rgb, 3 * (size_t)bare.sites);
    assert_memory_equal(foam.x, bare.x, bare.sites * sizeof *bare.x);
    assert_memory_equal(foam.y, bare.y, bare.sites * sizeof *bare.y);
    assert_memory_equal(foam.z, bare.z, bare.sites * sizeof *bare.z);
    assert_int_equal(stat(path, &used), 0);
    assert_true(made.st_ino == used.st_ino);
    fs_foam_free(&foam);
    fs_foam_free(&bare);
}

/* Every parameter that shapes an import has its own entry; the file's content counts, not its name. */
static void cache_keys(void **state) {
    (void)state;
    static gaussian g[PATCH];
    make_patch(g);
    write_gaussians("k.ply", g, PATCH);
    write_gaussians("same.ply", g, PATCH);
    g[3].z = 0.1f;
    write_gaussians("other.ply", g, PATCH);
    const fs_scene_params base = {.file = "k.ply", .import = usual()};
    fs_scene_params p[7] = {base, base, base, base, base, base, base};
    p[1].file = "same.ply";
    p[2].file = "other.ply";
    p[3].import.max_sites = 300;
    p[4].import.empty_sites = false;
    p[5].import.density = 1;
    p[6].import.min_opacity = 0.01;
    char digest[7][FS_DIGEST_HEX];
    for (int i = 0; i < 7; i++) {
        fs_foam foam;
        assert_int_equal(fs_scene_load(&p[i], "keys", 1, &foam, &err), FS_OK);
        memcpy(digest[i], foam.digest, FS_DIGEST_HEX);
        fs_foam_free(&foam);
        for (int j = 0; j < i; j++)
            assert_true((strcmp(digest[i], digest[j]) == 0) == (i == 1 && j == 0));
    }
}

/* ---- shared scenes ---- */

static bool shared_scene(const char *name, char path[4200]) {
    snprintf(path, 4200, "%s/scenes/%s", shared, name);
    struct stat about;
    if (stat(path, &about) == 0)
        return true;
    print_message("%s is not there: skipped (FOAMSIM_SHARED names the folder)\n", name);
    return false;
}

/* The counts are those that scenes/SOURCES.md states for the rules. */
static void shared_counts(void **state) {
    (void)state;
    static const struct {
        const char *name;
        uint32_t kept, merged;
    } scene[2] = {{"flowers_gs.ply", 527514, 1}, {"tabletop_gs.ply", 181224, 145}};
    char path[4200];
    for (int i = 0; i < 2; i++) {
        if (!shared_scene(scene[i].name, path))
            skip();
        fs_import_params params = usual();
        params.empty_sites = false;
        fs_sites s;
        assert_int_equal(fs_scene_import(path, &params, &s, &err), FS_OK);
        assert_int_equal(s.count + s.merged, scene[i].kept);
        assert_int_equal(s.merged, scene[i].merged);
        fs_sites_free(&s);
    }
}

static void shared_foams(void **state) {
    (void)state;
    static const char *const names[3] = {"flowers_gs.ply", "tabletop_gs.ply", "garden_sfm_points.ply"};
    char path[4200];
    for (int i = 0; i < 3; i++) {
        if (!shared_scene(names[i], path))
            skip();
        fs_scene_params params = {.file = path, .import = usual()};
        params.import.max_sites = 4000;
        fs_foam foam;
        assert_int_equal(fs_scene_load(&params, NULL, 1, &foam, &err), FS_OK);
        double degree = (double)foam.faces / foam.sites;
        assert_true(degree > 14.3 && degree < 15.7);
        uint32_t filled = 0;
        for (uint32_t k = 0; k < foam.sites; k++)
            filled += foam.density[k] > 0;
        assert_int_equal(filled, 4000);
        assert_true(foam.sites > 5000 && foam.sites < 16000);
        fs_foam_free(&foam);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(generated_sites),    cmocka_unit_test(generated_digests),
        cmocka_unit_test(generated_range),    cmocka_unit_test(generated_foams),
        cmocka_unit_test(tree_equals_search), cmocka_unit_test(gaussians),
        cmocka_unit_test(bad_gaussians),      cmocka_unit_test(points),
        cmocka_unit_test(denser_points),      cmocka_unit_test(transformed),
        cmocka_unit_test(less_scatter),       cmocka_unit_test(cache),
        cmocka_unit_test(cache_keys),         cmocka_unit_test(shared_counts),
        cmocka_unit_test(shared_foams),
    };
    const char *named = getenv("FOAMSIM_SHARED");
    if (named == NULL || named[0] != '/') {
        char here[2048] = "";
        if (getcwd(here, sizeof here) != NULL)
            snprintf(shared, sizeof shared, "%s/%s", here, named != NULL ? named : "../shared");
    } else {
        snprintf(shared, sizeof shared, "%s", named);
    }
    fs_say_quiet(true);
    return cmocka_run_group_tests_name("scene", tests, scratch_enter, scratch_leave);
}
