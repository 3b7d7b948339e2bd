/* What the picture of a run may depend on, and what not. */
#include "sim/host/process.h"
#include "tests/support/cli.h"
#include "tests/support/pages/run_folder.h"
#include "tests/support/test.h"

static const char *const scenes[] = {"garden", "room", "shell", "uniform"};
enum { SCENES = 4 };

/* Runs a scene with a payload and up to two further settings ("" for none) into `out`. */
static void run(const char *scene, const char *payload, const char *first, const char *second,
                const char *out) {
    char kind[64], layout[64];
    snprintf(kind, sizeof kind, "scene.generate.kind=%s", scene);
    snprintf(layout, sizeof layout, "workload.payload=%s", payload);
    bool room = scene[0] == 'r'; /* seen from inside */
    const char *const sets[] = {kind,
                                layout,
                                room ? "workload.camera.position=[-1, -1, 1.5]"
                                     : "workload.camera.up=[0, 0, 1]",
                                room ? "workload.camera.look_at=[1, 1, 0.8]" : "workload.camera.fov_y=50 deg",
                                first[0] != '\0' ? first : NULL,
                                second[0] != '\0' ? second : NULL};
    fs_process_words w = {.arena = test_arena()};
    fs_process_add(&w, "run", "x.yaml", "--quiet", "--force", "--out", out, NULL);
    fs_process_sets(&w, sets, sizeof sets / sizeof *sets);
    cli_must_words(w.word);
}

/* PSNR of a run against the reference render; 1000 when they are equal (null). */
static double psnr(const char *dir) {
    json_t *summary = run_json(dir, "summary.json");
    const json_t *value = figure_json(summary, "image.psnr_float_db");
    double decibel = json_is_null(value) ? 1000 : json_number_value(value);
    return decibel;
}

/* The picture shows something: a tenth of it at least is not the colour of the first corner. */
static void assert_picture(const char *path) {
    uint32_t width, height, different = 0;
    uint8_t *rgb = picture_read(path, &width, &height);
    for (size_t i = 3; i < (size_t)3 * width * height; i++)
        different += rgb[i] != rgb[i % 3];
    assert_true(different > 3 * width * height / 10);
}

TEST(full_is_the_reference_bit_for_bit) {
    static const char *const payloads[] = {"full", "baseline"};
    for (int s = 0; s < SCENES; s++)
        for (int p = 0; p < 2; p++) {
            run(scenes[s], payloads[p], "", "", "full");
            json_t *summary = run_json("full", "summary.json");
            assert_true(json_is_true(figure_json(summary, "image.exact")));
            assert_true(json_is_null(figure_json(summary, "image.psnr_db")));
            assert_true(json_is_null(figure_json(summary, "image.psnr_float_db")));
            assert_true(figure(summary, "image.ssim") == 1.0);
            assert_string_equal(json_string_value(figure_json(summary, "image.depth_source")), "reference");
            assert_picture("full/image.png");
        }
}

TEST(mixed_is_not_worse_than_half) {
    for (int s = 0; s < SCENES; s++) {
        run(scenes[s], "mixed", "", "", "mixed");
        run(scenes[s], "half", "", "", "half");
        print_message("%s: mixed %.1f dB, half %.1f dB\n", scenes[s], psnr("mixed"), psnr("half"));
        assert_true(psnr("mixed") >= psnr("half") - 0.5);
        assert_true(psnr("half") > 30 && psnr("half") < 1000); /* it does round */
        json_t *summary = run_json("half", "summary.json");
        assert_true(json_is_false(figure_json(summary, "image.exact")));
        assert_string_equal(json_string_value(figure_json(summary, "image.depth_source")), "payload");
    }
}

/* Settings that change when and where things happen, not what a ray meets: each gives the same picture. */
TEST(the_picture_is_the_rays_alone) {
    static const struct {
        const char *payload, *first, *second;
    } cases[] = {
        {"half", "workload.batching.order=columns", "workload.batching.per_batch=3"},
        {"half", "workload.batching.per_batch=60", "workload.batching.idle=0"},
        {"half", "machine.exchange.mode=dynamic", "machine.host.fused=false"},
        {"half", "machine.tile.workers=3", "workload.repeat=7"},
        {"half", "overlay.router_buffer=16 kB", "overlay.tracer_buffer=4 kB"}, /* spills */
        {"full", "workload.framebuffer=local", ""},
        {"full", "workload.partition.shards=16", ""},
        {"full", "workload.partition.ground_normal=[0.3, 0.2, 0.9]", ""},
        {"full", "workload.partition.kind=metis", ""},
        {"full", "workload.partition.kind=metis", "workload.partition.metis.balance=work"},
        {"full", "workload.partition.kind=octree", "workload.partition.octree.leaves=57"},
    };
    run("garden", "half", "", "", "half");
    run("garden", "full", "", "", "full");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char picture[64];
        run("garden", cases[i].payload, cases[i].first, cases[i].second, "other");
        snprintf(picture, sizeof picture, "%s/image.png", cases[i].payload);
        if (!files_equal(picture, "other/image.png"))
            fail_msg("%s with %s %s: another picture", cases[i].payload, cases[i].first, cases[i].second);
        assert_true(psnr("other") == psnr(cases[i].payload));
        if (cases[i].payload[0] == 'h') {
            snprintf(picture, sizeof picture, "%s/depth.png", cases[i].payload);
            assert_true(files_equal(picture, "other/depth.png"));
        }
    }
}

/* A local framebuffer has no delivery: no hops to the owner, and never more iterations. */
TEST(a_local_framebuffer_saves_the_delivery) {
    run("garden", "full", "", "", "screen");
    run("garden", "full", "workload.framebuffer=local", "", "local");
    assert_true(run_figure("screen", "hops.delivery_mean") >= 2.0);
    assert_true(run_figure("local", "hops.delivery_mean") == 0.0);
    assert_true(run_figure("local", "hops.tracer_mean") == run_figure("screen", "hops.tracer_mean"));
    assert_true(run_figure("local", "hops.router_mean") == run_figure("screen", "hops.router_mean"));
    assert_true(run_figure("local", "device.last_pixel_iteration") <=
                run_figure("screen", "device.last_pixel_iteration") +
                    20); /* counted at the next host visit */
    assert_true(run_figure("local", "hops.alive_mean") < run_figure("screen", "hops.alive_mean"));
}

RUN_TESTS(cli_enter_experiment, cli_leave)
