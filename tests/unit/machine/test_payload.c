/* Payloads: which fields a lane rounds, and by how much. */
#include "sim/base/fp16.h"
#include "sim/base/rng.h"
#include "tests/support/test.h"
#include "workloads/foam/march/payload.h"

static const uint64_t seed = 20260204;

TEST(sizes_are_those_of_the_paper) {
    static const struct {
        const char *name;
        uint32_t bytes;
        bool half_t, half_rgb, depth;
    } paper[] = {{"full", 28, false, false, false},
                 {"mixed", 24, true, false, false},
                 {"half", 20, true, true, true},
                 {"baseline", 48, false, false, false}};
    for (size_t i = 0; i < 4; i++) {
        assert_string_equal(fs_payload_names[i], paper[i].name);
        assert_string_equal(fs_payloads[i].name, paper[i].name);
        assert_int_equal(fs_payloads[i].bytes, paper[i].bytes);
        assert_int_equal(fs_payloads[i].half_t, paper[i].half_t);
        assert_int_equal(fs_payloads[i].half_rgb, paper[i].half_rgb);
        assert_int_equal(fs_payloads[i].carries_depth, paper[i].depth);
    }
    assert_null(fs_payload_names[4]);
}

/* Half a unit in the last place of a half near x. */
static double half_unit(double x) {
    int exponent;
    frexp(x, &exponent);
    return ldexp(0.5, (exponent < -13 ? -13 : exponent) - 11);
}

static void same(float rounded, float before, bool half) {
    if (half)
        assert_true(fabs((double)rounded - (double)before) <= half_unit((double)before) &&
                    rounded == fs_f16_round(before));
    else
        assert_memory_equal(&rounded, &before, sizeof before);
}

TEST(a_lane_rounds_the_half_fields_once) {
    print_message("seed %" PRIu64 "\n", seed);
    fs_rng rng = fs_rng_stream(seed, "payload");
    for (int n = 0; n < 20000; n++) {
        fs_ray_state ray = {.t = (float)fs_rng_range(&rng, 0, 60000),
                            .T = (float)fs_rng_unit(&rng),
                            .r = (float)fs_rng_unit(&rng),
                            .g = (float)fs_rng_unit(&rng),
                            .b = (float)fs_rng_unit(&rng) * 1e-4f,
                            .depth = (float)fs_rng_range(&rng, 0, 100)};
        for (int i = 0; i < 4; i++) {
            const fs_payload *p = &fs_payloads[i];
            fs_ray_state once = ray;
            fs_payload_round(p, &once);
            same(once.t, ray.t, p->half_t);
            same(once.T, ray.T, p->half_t);
            same(once.r, ray.r, p->half_rgb);
            same(once.g, ray.g, p->half_rgb);
            same(once.b, ray.b, p->half_rgb);
            if (p->carries_depth)
                same(once.depth, ray.depth, p->half_rgb);
            else
                assert_true(once.depth == 0.0f);
            fs_ray_state twice = once;
            fs_payload_round(p, &twice);
            assert_memory_equal(&twice, &once, sizeof once);
        }
    }
}

TEST(halves_saturate_and_know_no_nan) {
    const fs_payload *half = &fs_payloads[2];
    fs_ray_state ray = {.t = 1e9f, .T = NAN, .r = INFINITY, .g = -NAN, .b = 65519.0f, .depth = 65520.0f};
    fs_payload_round(half, &ray);
    assert_true(ray.t == 65504.0f && ray.r == 65504.0f && ray.b == 65504.0f && ray.depth == 65504.0f);
    assert_true(ray.T == 0.0f && ray.g == 0.0f);
}

static fs_status check(const fs_payload *payload, float far, float camera_x, fs_error *err) {
    float x[2] = {0, far}, y[2] = {0}, z[2] = {0};
    const fs_foam foam = {.sites = 2, .x = x, .y = y, .z = z};
    const fs_camera camera = {.origin = {camera_x, 0, 0}};
    *err = (fs_error){0};
    return fs_payload_check_range(payload, &foam, &camera, err);
}

TEST(scenes_beyond_the_range_of_halves_are_refused) {
    fs_error err;
    for (int i = 0; i < 4; i++) {
        const fs_payload *p = &fs_payloads[i];
        fs_status beyond = p->half_t ? FS_INPUT : FS_OK;
        assert_int_equal(check(p, 65504, 0, &err), FS_OK);
        assert_int_equal(check(p, 65505, 0, &err), beyond);      /* both the coordinate and t */
        assert_int_equal(check(p, 40000, -30000, &err), beyond); /* t alone */
        if (beyond) {
            assert_non_null(strstr(err.text, "t can reach 70000"));
            assert_non_null(strstr(err.text, "scale the scene"));
        }
        assert_int_equal(check(p, 70000, 60000, &err),
                         beyond); /* a coordinate alone: 60000 is the longest t */
    }
}

RUN_TESTS(NULL, NULL)
