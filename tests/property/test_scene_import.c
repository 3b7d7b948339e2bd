/* Imports of Gaussians and points follow the rules (scenes.md 3), in any frame, and each has its place
 * in the cache. */
#include "sim/base/rng.h"
#include "sim/host/voice.h"
#include "tests/support/foam/scene_case.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"
#include "workloads/scene/foam/foam_scene.h"

#include <sys/stat.h>
#include <unistd.h>

static fs_error err;
static char shared[4096]; /* folder of the shared scenes, before the tests enter their own folder */

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

/* A flat patch z = 0 of thin discs lying in it: opacity 0.8, red; the last ones are to be dropped or merged. */
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

static uint32_t occupied(const fs_sites *s) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < s->count; i++)
        n += s->density[i] > 0;
    return n;
}

TEST(gaussians) {
    static gaussian g[PATCH];
    make_patch(g);
    write_gaussians("g.ply", g, PATCH);
    int64_t format;
    assert_int_equal(fs_scene_sniff("g.ply", &format, &err), FS_OK);
    assert_int_equal(format, 2);
    fs_import_params params = scene_usual_import();
    fs_sites s, again;
    assert_int_equal(fs_scene_import("g.ply", &params, &s, &err), FS_OK);
    assert_int_equal(fs_scene_import("g.ply", &params, &again, &err), FS_OK);
    assert_true(scene_same_sites(&s, &again));
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
    assert_false(scene_same_sites(&s, &again));
    fs_sites_free(&s);
    fs_sites_free(&again);

    params = scene_usual_import();
    params.density = 1; /* the Gaussian's own: ln 5 / (sqrt(2 pi) exp(-5)) */
    assert_int_equal(fs_scene_import("g.ply", &params, &s, &err), FS_OK);
    assert_false(s.density_is_opacity);
    for (uint32_t i = 0; i < s.count; i++)
        if (s.density[i] > 0)
            assert_true(fabs((double)s.density[i] / (log(5) / (sqrt(2 * 3.14159265358979) * exp(-5))) - 1) <
                        1e-5);
    fs_sites_free(&s);
}

/* Opacity is the logistic of what the file says, far out too: 8 is 0.99966, and a number that exp cannot take
 * is 1. */
TEST(opacities_far_out) {
    static gaussian g[PATCH];
    make_patch(g);
    for (int i = 0; i < 40; i++)
        g[i].opacity = i < 20 ? 8 : 2000;
    g[PATCH - 4].x = 0.5f;
    write_gaussians("far.ply", g, PATCH);
    fs_import_params params = scene_usual_import();
    params.empty_sites = false;
    fs_sites s;
    assert_int_equal(fs_scene_import("far.ply", &params, &s, &err), FS_OK);
    uint32_t eight = 0, whole = 0;
    for (uint32_t i = 0; i < s.count; i++) {
        eight += fabsf(s.density[i] - 0.99966465f) < 1e-6f;
        whole += s.density[i] == 1;
    }
    assert_int_equal(eight, 20);
    assert_int_equal(whole, 20);
    fs_sites_free(&s);
}

TEST(bad_gaussians) {
    static gaussian g[PATCH];
    fs_import_params params = scene_usual_import();
    fs_sites s;
    static const struct {
        size_t member; /* float of record 17 */
        float value;
        const char *words;
    } cases[] = {
        {0, NAN, "vertex 17 (byte "},
        {6, NAN, "opacity is not finite"},
        {8, NAN, "scale_1 is not finite"},
        {10, 0, "the rotation is zero"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        make_patch(g);
        memcpy((char *)&g[17] + cases[i].member * 4, &cases[i].value, 4);
        write_gaussians("bad.ply", g, PATCH);
        err = (fs_error){.status = FS_OK};
        assert_int_equal(fs_scene_import("bad.ply", &params, &s, &err), FS_INPUT);
        assert_says(err.text, cases[i].words);
        assert_null(s.x);
    }
    /* A logit of infinity is wholly opaque, as one of 40 is in double precision. */
    fs_sites opaque[2];
    for (int i = 0; i < 2; i++) {
        const float logit = i == 0 ? INFINITY : 40;
        make_patch(g);
        memcpy((char *)&g[17] + 6 * 4, &logit, 4);
        write_gaussians("opaque.ply", g, PATCH);
        err = (fs_error){.status = FS_OK};
        assert_int_equal(fs_scene_import("opaque.ply", &params, &opaque[i], &err), FS_OK);
    }
    assert_int_equal(opaque[0].count, opaque[1].count);
    assert_memory_equal(opaque[0].density, opaque[1].density, opaque[0].count * sizeof *opaque[0].density);
    fs_sites_free(&opaque[0]);
    fs_sites_free(&opaque[1]);
    make_patch(g);
    write_gaussians("g.ply", g, PATCH);
    params.min_opacity = 0.9;
    err = (fs_error){.status = FS_OK};
    assert_fails(fs_scene_import("g.ply", &params, &s, &err), FS_INPUT, &err, "0 of 900 points are left");
    write_gaussians("none.ply", g, 0);
    err = (fs_error){.status = FS_OK};
    assert_fails(fs_scene_import("none.ply", &params, &s, &err), FS_INPUT, &err, "empty");
    err = (fs_error){.status = FS_OK};
}

/* A wall of points, three of them twice, and one in mid air. */
TEST(points) {
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
    fs_import_params params = scene_usual_import();
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
TEST(denser_points) {
    FILE *file = fopen("wall.ply", "wb");
    fprintf(file, "ply\nformat ascii 1.0\nelement vertex 400\nproperty float x\nproperty float y\n"
                  "property float z\nend_header\n");
    for (int i = 0; i < 400; i++)
        fprintf(file, "%d 2 %d\n", i % 20, i / 20);
    fclose(file);
    fs_import_params params = scene_usual_import();
    params.empty_sites = false;
    fs_sites one, six, again;
    assert_int_equal(fs_scene_import("wall.ply", &params, &one, &err), FS_OK);
    params.sites_per_point = 6;
    assert_int_equal(fs_scene_import("wall.ply", &params, &six, &err), FS_OK);
    assert_int_equal(fs_scene_import("wall.ply", &params, &again, &err), FS_OK);
    assert_int_equal(one.count, 400);
    assert_int_equal(six.count, 2400);
    assert_true(scene_same_sites(&six, &again));
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

/* A turned, grown and moved cloud is the same scene seen from elsewhere: each site goes where its point goes. */
TEST(transformed) {
    write_ball("ball.ply");
    fs_import_params params = scene_usual_import();
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
        assert_fails(fs_scene_import("ball.ply", &params, &moved, &err), FS_INPUT, &err, "import.transform");
    }
    err = (fs_error){.status = FS_OK};
    fs_sites_free(&plain);
}

/* Fewer empty sites in free space, and not one fewer beside the points. */
TEST(less_scatter) {
    write_ball("ball.ply");
    uint32_t beside[2], away[2];
    for (int k = 0; k < 2; k++) {
        fs_import_params params = scene_usual_import();
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

/* Every parameter that shapes an import has its own entry; the file's content counts, not its name. */
TEST(cache_keys) {
    enum { KEYS = 9 };
    static const double twice[16] = {2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 1};
    static gaussian g[PATCH];
    make_patch(g);
    write_gaussians("k.ply", g, PATCH);
    write_gaussians("same.ply", g, PATCH);
    g[3].z = 0.1f;
    write_gaussians("other.ply", g, PATCH);
    const fs_scene_params base = {.file = "k.ply", .import = scene_usual_import()};
    fs_scene_params p[KEYS] = {base, base, base, base, base, base, base, base, base};
    p[1].file = "same.ply";
    p[2].file = "other.ply";
    p[3].import.max_sites = 300;
    p[4].import.empty_sites = false;
    p[5].import.density = 1;
    p[6].import.min_opacity = 0.01;
    p[7].import.scatter = 5;
    memcpy(p[8].import.transform, twice, sizeof twice);
    p[8].import.transform_given = true;
    char digest[KEYS][FS_DIGEST_HEX];
    for (int i = 0; i < KEYS; i++) {
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

/* The counts are those that scenes.md 3 states for the rules. */
TEST(shared_counts) {
    static const struct {
        const char *name;
        uint32_t kept, merged;
    } scene[2] = {{"flowers_gs.ply", 527514, 1}, {"tabletop_gs.ply", 181224, 145}};
    char path[4200];
    for (int i = 0; i < 2; i++) {
        if (!shared_scene(scene[i].name, path))
            skip();
        fs_import_params params = scene_usual_import();
        params.empty_sites = false;
        fs_sites s;
        assert_int_equal(fs_scene_import(path, &params, &s, &err), FS_OK);
        assert_int_equal(s.count + s.merged, scene[i].kept);
        assert_int_equal(s.merged, scene[i].merged);
        fs_sites_free(&s);
    }
}

TEST(shared_foams) {
    static const char *const names[3] = {"flowers_gs.ply", "tabletop_gs.ply", "garden_sfm_points.ply"};
    char path[4200];
    for (int i = 0; i < 3; i++) {
        if (!shared_scene(names[i], path))
            skip();
        fs_scene_params params = {.file = path, .import = scene_usual_import()};
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
    const char *named = getenv("FOAMSIM_SHARED");
    if (named == NULL || named[0] != '/') {
        char here[2048] = "";
        if (getcwd(here, sizeof here) != NULL)
            snprintf(shared, sizeof shared, "%s/%s", here, named != NULL ? named : "../shared");
    } else {
        snprintf(shared, sizeof shared, "%s", named);
    }
    fs_say_quiet(true);
    return test_run(scratch_enter, scratch_leave);
}
