/* Cameras against the formula of a pinhole (scenes.md 1) worked out in double, and against each other. */
#include "sim/base/rng.h"
#include "tests/support/test.h"
#include "workloads/image/camera.h"

static const uint64_t seed = 20260203;

static fs_camera_params looking(double x, double y, double z) {
    return (fs_camera_params){.width = 640,
                              .height = 480,
                              .position = {1.7, -3.6, 1.5},
                              .look_at = {x, y, z},
                              .up = {0, 0, 1},
                              .position_given = true,
                              .look_at_given = true,
                              .up_given = true,
                              .fov_y = 50};
}

static fs_camera made(const fs_camera_params *params) {
    fs_camera camera;
    fs_error err = {0};
    assert_int_equal(fs_camera_make(params, "test", &camera, &err), FS_OK);
    return camera;
}

static void normalised(double v[3]) {
    double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int k = 0; k < 3; k++)
        v[k] /= length;
}

static void crossed(const double a[3], const double b[3], double out[3]) {
    for (int k = 0; k < 3; k++)
        out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

typedef struct axes {
    double forward[3], right[3], up[3];
} axes;

static axes axes_of(const fs_camera_params *p) {
    axes a;
    for (int k = 0; k < 3; k++)
        a.forward[k] = p->look_at[k] - p->position[k];
    normalised(a.forward);
    crossed(a.forward, p->up, a.right);
    normalised(a.right);
    crossed(a.right, a.forward, a.up);
    return a;
}

/* The formula as the design has it. */
static void direction_by_formula(const fs_camera_params *p, const axes *a, uint32_t i, uint32_t j,
                                 double d[3]) {
    double w = (double)p->width, h = (double)p->height, tangent = tan(p->fov_y * acos(-1.0) / 360.0);
    double across = (2.0 * ((double)i + 0.5) / w - 1.0) * tangent * (w / h);
    double down = (2.0 * ((double)j + 0.5) / h - 1.0) * tangent;
    for (int k = 0; k < 3; k++)
        d[k] = a->forward[k] + across * a->right[k] - down * a->up[k];
    normalised(d);
}

static fs_camera_params random_view(fs_rng *rng) {
    fs_camera_params p = looking(0, 0, 0);
    for (int k = 0; k < 3; k++) {
        p.position[k] = fs_rng_range(rng, -10, 10);
        p.look_at[k] = fs_rng_range(rng, -10, 10);
        p.up[k] = fs_rng_range(rng, -1, 1);
    }
    p.width = 1 + (int64_t)fs_rng_below(rng, 800);
    p.height = 1 + (int64_t)fs_rng_below(rng, 800);
    p.fov_y = fs_rng_range(rng, 1, 150);
    return p;
}

TEST(directions_follow_the_formula) {
    print_message("seed %" PRIu64 "\n", seed);
    fs_rng rng = fs_rng_stream(seed, "camera");
    for (int n = 0; n < 200; n++) {
        fs_camera_params p = random_view(&rng);
        axes a = axes_of(&p);
        fs_camera camera = made(&p);
        for (int ray = 0; ray < 20; ray++) {
            uint32_t i = fs_rng_below(&rng, camera.width), j = fs_rng_below(&rng, camera.height);
            float d[3];
            double expected[3];
            fs_camera_direction(&camera, i, j, d);
            direction_by_formula(&p, &a, i, j, expected);
            for (int k = 0; k < 3; k++)
                assert_true(fabs((double)d[k] - expected[k]) < 1e-6);
        }
    }
}

TEST(the_centre_pixel_looks_at_look_at) {
    fs_camera_params p = looking(0.1, 0.2, 0.6);
    p.width = 641;
    p.height = 481;
    fs_camera camera = made(&p);
    axes a = axes_of(&p);
    float d[3];
    fs_camera_direction(&camera, 320, 240, d);
    for (int k = 0; k < 3; k++) {
        assert_true(fabs((double)d[k] - a.forward[k]) < 1e-6);
        assert_true(camera.origin[k] == (float)p.position[k]);
    }
}

TEST(rows_go_down_and_columns_right) {
    fs_camera_params p = looking(1.7, 0, 1.5); /* along +y, z up: right is +x */
    fs_camera camera = made(&p);
    float corner[3], opposite[3];
    fs_camera_direction(&camera, 0, 0, corner);
    fs_camera_direction(&camera, 639, 479, opposite);
    assert_true(corner[0] < 0 && corner[2] > 0);
    assert_true(opposite[0] > 0 && opposite[2] < 0);
}

TEST(intrinsics_are_another_way_to_say_it) {
    print_message("seed %" PRIu64 "\n", seed);
    fs_rng rng = fs_rng_stream(seed, "intrinsics");
    for (int n = 0; n < 200; n++) {
        fs_camera_params p = random_view(&rng), q = {.width = p.width, .height = p.height};
        axes a = axes_of(&p);
        for (int k = 0; k < 3; k++) {
            double row[3] = {a.right[k], -a.up[k], a.forward[k]};
            for (int r = 0; r < 3; r++) {
                q.world_to_camera[4 * r + k] = row[r];
                q.world_to_camera[4 * r + 3] -= row[r] * p.position[k];
            }
        }
        q.world_to_camera[15] = 1;
        q.world_to_camera_given = true;
        q.intrinsics_fx = q.intrinsics_fy = 0.5 * (double)p.height / tan(p.fov_y * acos(-1.0) / 360.0);
        q.intrinsics_cx = 0.5 * (double)p.width;
        q.intrinsics_cy = 0.5 * (double)p.height;
        fs_camera one = made(&p), two = made(&q);
        q.intrinsics_fy = q.intrinsics_cx = q.intrinsics_cy = 0; /* as fx; the middle */
        fs_camera three = made(&q);
        for (int ray = 0; ray < 10; ray++) {
            uint32_t i = fs_rng_below(&rng, one.width), j = fs_rng_below(&rng, one.height);
            float d[3], e[3], f[3];
            fs_camera_direction(&one, i, j, d);
            fs_camera_direction(&two, i, j, e);
            fs_camera_direction(&three, i, j, f);
            for (int k = 0; k < 3; k++) {
                assert_true(fabsf(d[k] - e[k]) < 2e-6f && e[k] == f[k]);
                assert_true(fabsf(one.origin[k] - two.origin[k]) < 2e-5f);
            }
        }
    }
}

static void refused(const fs_camera_params *p, const char *word) {
    fs_camera camera;
    fs_error err = {0};
    assert_fails(fs_camera_make(p, "x.yaml:3:1: workload.camera", &camera, &err), FS_INPUT, &err,
                 "x.yaml:3:1: workload.camera: ");
    assert_non_null(strstr(err.text, word));
}

TEST(bad_cameras_are_named) {
    fs_camera_params p = looking(1.7, -3.6, 1.5);
    refused(&p, "look_at equals position");
    p = looking(1.7, -3.6, 9);
    refused(&p, "up is parallel");
    p = looking(0, 0, 0);
    p.up[2] = 0;
    refused(&p, "up is (0, 0, 0)");
    p = looking(0, NAN, 0);
    refused(&p, "finite");
    p = looking(0, 0, 0);
    p.fov_y = 180;
    refused(&p, "fov_y");
    p.fov_y = 1e-60;
    refused(&p, "single precision");
    p = looking(1e150, 0, 0);
    p.position[1] = 1e149;
    refused(&p, "single precision");
    p = looking(0, 0, 0);
    p.width = 65536;
    refused(&p, "65536 x 480");
    p = looking(0, 0, 0);
    p.look_at_given = false;
    refused(&p, "look_at is missing");
    p.position_given = false;
    refused(&p, "expected position and look_at");
    p = looking(0, 0, 0);
    p.intrinsics_fx = 500;
    refused(&p, "intrinsics need world_to_camera");
    p = looking(0, 0, 0);
    p.world_to_camera_given = true;
    refused(&p, "not both");
}

TEST(bad_matrices_are_named) {
    const fs_camera_params good = {.width = 64,
                                   .height = 48,
                                   .intrinsics_fx = 60,
                                   .world_to_camera_given = true,
                                   .world_to_camera = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}};
    (void)made(&good);
    fs_camera_params p = good;
    p.world_to_camera[3] = 1e300;
    refused(&p, "single precision");
    p = good;
    p.intrinsics_fx = 1e40;
    refused(&p, "single precision");
    p.intrinsics_fx = 1e-300;
    refused(&p, "single precision");
    p = good;
    p.intrinsics_cx = -1e300;
    refused(&p, "single precision");
    p = good;
    p.world_to_camera[0] = -1; /* a mirror */
    refused(&p, "no rotation");
    p = good;
    p.world_to_camera[0] = 1.01;
    refused(&p, "no rotation");
    p = good;
    p.world_to_camera[15] = 0;
    refused(&p, "no rotation");
    p = good;
    p.world_to_camera[3] = INFINITY;
    refused(&p, "no rotation");
    p = good;
    p.intrinsics_fx = -60;
    refused(&p, "focal lengths");
}

RUN_TESTS(NULL, NULL)
