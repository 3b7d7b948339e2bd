/* Paths: four and eight at a time the bits of lone ones, the plain reference, and closed forms. */
#include "tests/support/paint/naive_paint.h"
#include "tests/support/paint/plain_paint.h"

#include "sim/base/host.h"
#include "tests/support/test.h"
#include "workloads/scene/primitives/primitives.h"
#include "workloads/smallpaint/params.h"
#include "workloads/smallpaint/walk/paths.h"

enum { WORKERS = 6, SIDE = 64, POINTS = SIDE * SIDE };

static fs_primitives room;

static fs_paint_rules rules_of(const fs_primitives *scene) {
    return (fs_paint_rules){.scene = scene,
                            .width = SIDE,
                            .height = SIDE,
                            .cap = 20,
                            .roulette_depth = 5,
                            .stop = 0.35f,
                            .noise = 0.25f,
                            .half_numbers = true,
                            .half_rays = true,
                            .stream = fs_rng_stream(1, "walk")};
}

/* A whole picture of one sample by `paint`; counts of all workers in `total`, light in out[POINTS][3]. */
typedef void paint_fn(const fs_paint_rules *, const fs_paint_job *);
static void paint(paint_fn *how, const fs_paint_rules *rules, uint64_t sample,
                  uint32_t counts[WORKERS][FS_PAINT_COUNTS], float *light) {
    uint32_t row_worker[SIDE];
    for (uint32_t row = 0; row < rules->height; row++)
        row_worker[row] = fs_paint_row_worker(row, rules->height, WORKERS);
    const fs_paint_job job = {.width = rules->width,
                              .height = rules->height,
                              .row_worker = row_worker,
                              .sample = sample,
                              .counts = &counts[0][0],
                              .light = light};
    how(rules, &job);
}

static void sum(uint32_t counts[WORKERS][FS_PAINT_COUNTS], double total[FS_PAINT_COUNTS]) {
    for (int w = 0; w < WORKERS; w++)
        for (int c = 0; c < FS_PAINT_COUNTS; c++)
            total[c] += counts[w][c];
}

/* ---- scenes ---- */

/* Objects of all kinds and materials at random, some under a sky. */
static fs_primitives random_scene(fs_rng *rng, fs_surface *material, fs_primitive *object) {
    const uint32_t objects = 1 + fs_rng_below(rng, 24), materials = 6;
    for (uint32_t m = 0; m < materials; m++) {
        material[m] = (fs_surface){.name = "m",
                                   .kind = (fs_surface_kind)(m % 3),
                                   .colour = {(float)fs_rng_range(rng, 0, 15), 5.0f, 1.0f},
                                   .index = (float)fs_rng_range(rng, 1.0, 2.5)};
        material[m].emits = fs_rng_below(rng, 3) == 0;
        if (material[m].emits)
            material[m].emission = (fs_vec3f){10.0f, 20.0f, 30.0f};
    }
    for (uint32_t i = 0; i < objects; i++) {
        fs_vec3f n = {(float)fs_rng_range(rng, -1, 1), (float)fs_rng_range(rng, -1, 1),
                      (float)fs_rng_range(rng, 0.1, 1)};
        object[i] =
            (fs_primitive){.kind = (fs_primitive_kind)fs_rng_below(rng, 3),
                           .centre = {(float)fs_rng_range(rng, -3, 3), (float)fs_rng_range(rng, -3, 3),
                                      (float)fs_rng_range(rng, -6, 1)},
                           .normal = fs_vec3f_unit(n),
                           .size = (float)fs_rng_range(rng, 0.05, 3.0),
                           .material = fs_rng_below(rng, materials)};
    }
    const bool sky = fs_rng_below(rng, 2) == 0;
    return (fs_primitives){.object = object,
                           .objects = objects,
                           .material = material,
                           .materials = materials,
                           .sky = {sky ? 1.0f : 0.0f, 0, 0},
                           .has_sky = sky};
}

TEST(lanes_give_the_bits_of_lone_paths) {
    enum { CASES = 40 };
    static float one[POINTS * 3], beside[POINTS * 3];
    paint_fn *const ways[] = {fs_paint_plain, fs_paint_avx2};
    fs_surface material[8];
    fs_primitive object[32];
    fs_rng rng = fs_rng_stream(20261122, "walk/scenes");
    for (int i = 0; i < CASES; i++) {
        fs_primitives scene = i == 0 ? room : random_scene(&rng, material, object);
        fs_paint_rules rules = rules_of(&scene);
        rules.width = 1 + fs_rng_below(&rng, SIDE);
        rules.height = 1 + fs_rng_below(&rng, SIDE);
        rules.cap = 1 + fs_rng_below(&rng, FS_PAINT_CAP);
        rules.roulette_depth = fs_rng_below(&rng, 8);
        rules.half_numbers = fs_rng_below(&rng, 2) == 0;
        rules.half_rays = fs_rng_below(&rng, 2) == 0;
        uint32_t a[WORKERS][FS_PAINT_COUNTS] = {{0}};
        paint(plain_paint, &rules, (uint64_t)i, a, one);
        for (int w = 0; w < (fs_host_has_avx2() ? 2 : 1); w++) {
            uint32_t b[WORKERS][FS_PAINT_COUNTS] = {{0}};
            paint(ways[w], &rules, (uint64_t)i, b, beside);
            assert_memory_equal(a, b, sizeof a);
            assert_memory_equal(one, beside, 3 * sizeof *one * rules.width * rules.height);
        }
    }
}

/* In f32 and double a path may part where two hits are nearly equally far; a few in a thousand do. */
TEST(the_plain_reference_agrees) {
    static float light[POINTS * 3];
    const fs_paint_rules rules = rules_of(&room);
    uint32_t counts[WORKERS][FS_PAINT_COUNTS] = {{0}};
    double total[FS_PAINT_COUNTS] = {0}, bounces = 0, numbers = 0;
    int apart = 0;
    paint(fs_paint, &rules, 3, counts, light);
    sum(counts, total);
    for (uint32_t p = 0; p < (uint32_t)POINTS; p++) {
        const naive_path n = naive_paint(&rules, p % (uint32_t)SIDE, p / (uint32_t)SIDE, 3);
        bounces += n.bounces;
        numbers += n.numbers;
        for (uint32_t c = 0; c < 3; c++)
            if (fabs((double)light[3 * p + c] - n.light[c]) > 1e-3 * (n.light[c] + 1.0)) {
                apart++;
                break;
            }
    }
    assert_true(apart < POINTS / 100);
    assert_true(fabs(bounces - total[FS_PAINT_BOUNCE]) < 0.001 * bounces);
    assert_true(fabs(numbers - total[FS_PAINT_NUMBERS]) < 0.001 * numbers);
}

/* ---- closed forms ---- */

/* Nothing leaves the room: depth + (1 - p) / p bounces, less what the cap cuts off, 0.002 of them. */
TEST(bounces_of_a_closed_room) {
    enum { SAMPLES = 16 };
    static float light[POINTS * 3];
    const fs_paint_rules rules = rules_of(&room);
    uint32_t counts[WORKERS][FS_PAINT_COUNTS] = {{0}};
    double total[FS_PAINT_COUNTS] = {0};
    for (uint64_t s = 0; s < SAMPLES; s++)
        paint(fs_paint, &rules, s, counts, light);
    sum(counts, total);
    const double paths = (double)POINTS * SAMPLES, mean = total[FS_PAINT_BOUNCE] / paths,
                 deviation = sqrt(0.65) / 0.35, error = deviation / sqrt(paths);
    assert_true(total[FS_PAINT_PATH] == paths && total[FS_PAINT_ESCAPED] == 0);
    assert_true(mean < 5 + 0.65 / 0.35 + 3 * error && mean > 5 + 0.65 / 0.35 - 0.004 - 3 * error);
    assert_true(total[FS_PAINT_PLANE] == 6 * total[FS_PAINT_BOUNCE]);
    assert_true(total[FS_PAINT_PUSHED] == total[FS_PAINT_POPPED] + total[FS_PAINT_CLEARED]);
    /* Two numbers a diffuse bounce, one for glass and each throw. */
    const double throws = total[FS_PAINT_NUMBERS] - 2 * total[FS_PAINT_DIFFUSE] - total[FS_PAINT_GLASS];
    assert_true(throws == total[FS_PAINT_ROULETTE]);
}

/* A diffuse plane under a sky of 1: the half of the picture below the horizon sees the plane, and of its
 * light colour x 0.1 x the mean cosine, a half; the other half sees the sky. */
TEST(a_plane_under_a_sky) {
    enum { SAMPLES = 16 };
    static float light[POINTS * 3];
    const fs_surface material = {.name = "ground", .colour = {8, 8, 8}};
    const fs_primitive plane = {.kind = FS_PLANE, .normal = {0, 1, 0}, .size = 1.0f};
    const fs_primitives scene = {&plane, 1, &material, 1, {1, 1, 1}, true};
    fs_paint_rules rules = rules_of(&scene);
    uint32_t counts[WORKERS][FS_PAINT_COUNTS] = {{0}};
    rules.noise = 0.0f;
    double up = 0, down = 0;
    for (uint64_t s = 0; s < SAMPLES; s++) {
        paint(fs_paint, &rules, s, counts, light);
        for (size_t i = 0; i < POINTS; i++)
            *(i < POINTS / 2 ? &up : &down) += (double)light[3 * i] / (POINTS / 2 * SAMPLES);
    }
    assert_true(fabs(up - 1.0) < 1e-6);
    assert_true(fabs(down - 8 * 0.1 * 0.5) < 0.4 * 0.01);
    double total[FS_PAINT_COUNTS] = {0};
    sum(counts, total);
    assert_true(total[FS_PAINT_BOUNCE] == 1.5 * POINTS * SAMPLES &&
                total[FS_PAINT_ESCAPED] == POINTS * SAMPLES);
}

/* Between mirrors, without roulette, every path ends at the cap. */
TEST(a_mirror_room_ends_at_the_cap) {
    static float light[POINTS * 3];
    const fs_surface material = {.name = "mirror", .kind = FS_SURFACE_MIRROR};
    const fs_primitive sphere = {.kind = FS_SPHERE, .size = 10.0f};
    const fs_primitives scene = {&sphere, 1, &material, 1, {0, 0, 0}, false};
    fs_paint_rules rules = rules_of(&scene);
    uint32_t counts[WORKERS][FS_PAINT_COUNTS] = {{0}};
    double total[FS_PAINT_COUNTS] = {0};
    rules.roulette_depth = 1000;
    paint(fs_paint, &rules, 0, counts, light);
    sum(counts, total);
    assert_true(total[FS_PAINT_FULL] == POINTS && total[FS_PAINT_BOUNCE] == 20.0 * POINTS);
    assert_true(total[FS_PAINT_PUSHED] == 20.0 * POINTS && total[FS_PAINT_CLEARED] == 20.0 * POINTS);
    assert_true(total[FS_PAINT_NUMBERS] == 0);
}

/* A sphere that shines all over and reflects half of what it gets, seen from within: light 1 + 1/2 + 1/4 +
 * ..., each hit leaving two entries, so ten hits in all. */
TEST(a_white_furnace) {
    enum { SAMPLES = 16 };
    static float light[POINTS * 3];
    const fs_surface material = {"wall", FS_SURFACE_DIFFUSE, {10, 10, 10}, {1, 1, 1}, 1.5f, true};
    const fs_primitive sphere = {.kind = FS_SPHERE, .size = 10.0f};
    const fs_primitives scene = {&sphere, 1, &material, 1, {0, 0, 0}, false};
    fs_paint_rules rules = rules_of(&scene);
    uint32_t counts[WORKERS][FS_PAINT_COUNTS] = {{0}};
    double mean = 0;
    rules.half_numbers = false;
    rules.roulette_depth = 6;
    for (uint64_t s = 0; s < SAMPLES; s++) {
        paint(fs_paint, &rules, s, counts, light);
        for (size_t i = 0; i < POINTS; i++)
            mean += (double)light[3 * i] / (POINTS * SAMPLES);
    }
    assert_true(fabs(mean - 2.0) < 2.0 * 0.01);
}

/* ---- the picture on tiles ---- */

TEST(rows_are_split_evenly) {
    static const uint32_t eight[] = {2, 2, 1, 1, 1, 1};
    for (uint32_t height = 1; height < 40; height++) {
        uint32_t rows[WORKERS] = {0};
        for (uint32_t row = 0; row < height; row++)
            rows[fs_paint_row_worker(row, height, WORKERS)]++;
        for (uint32_t w = 0; w < WORKERS; w++) {
            assert_int_equal(rows[w], fs_paint_tile_share(height, w, WORKERS));
            if (height == 8)
                assert_int_equal(rows[w], eight[w]);
        }
    }
}

TEST(pictures_are_cut_into_tiles) {
    fs_image_tiles t = fs_paint_tiles_make(1920, 2160, 48, 30, 1472);
    assert_int_equal(t.count, 2880);
    t = fs_paint_tiles_make(1272, 936, 12, 18, 1472);
    assert_int_equal(t.count, 5512);
    t = fs_paint_tiles_make(100, 50, 33, 20, 1472);
    uint64_t points = 0;
    for (uint32_t i = 0; i < t.count; i++) {
        const fs_image_tile tile = fs_paint_tile_of(&t, i);
        assert_true(tile.left + tile.width <= 100 && tile.top + tile.height <= 50);
        points += (uint64_t)tile.width * tile.height;
    }
    assert_int_equal(points, 5000);
    t = fs_paint_tiles_make(10, 10, 48, 30, 1472);
    assert_true(t.count == 1 && t.tile_width == 10 && t.tile_height == 10);
}

static int enter(void **state) {
    (void)state;
    fs_error err = {0};
    return (int)fs_primitives_load(&(fs_primitives_params){.file = ""}, test_arena(), &room, &err);
}
RUN_TESTS(enter, NULL)
