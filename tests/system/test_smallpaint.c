/* The path tracer as a user runs it: exact sizes, identities, equal layers and levels of detail, what bad
 * input says. */
#include "tests/support/cli.h"
#include "tests/support/pages/run_folder.h"
#include "tests/support/test.h"

/* 96 x 60 points in rectangles of 8 x 8: 96 tiles of a small chip. */
static const char small[] = "machine: gc200-small\n"
                            "scene: { kind: primitives, builtin: room }\n"
                            "workload:\n"
                            "  kind: smallpaint\n"
                            "  image: { width: 96, height: 60 }\n"
                            "  tile: { width: 8, height: 8 }\n"
                            "  samples: 12\n"
                            "  samples_per_step: 4\n";

#define RUN(out, ...) cli_must("run", "x.yaml", "--quiet", "--force", "--out", out, __VA_ARGS__, NULL)
#define SET(text)     "--set", text

static int64_t whole(const char *dir, const char *name) {
    return (int64_t)run_figure(dir, name);
}

/* The published script's sizes, before anything is traced: two samples of one rectangle's worth of tiles. */
TEST(the_script_has_its_sizes) {
    cli_write("script.yaml", "machine: { chips: 2 }\nscene: { kind: primitives }\n"
                             "workload: { kind: smallpaint, samples: 2, sampling: { tiles: 4 } }\n");
    cli_must("run", "script.yaml", "--quiet", "--force", "--out", "script", NULL);
    assert_int_equal(whole("script", "picture.tiles"), 2880);
    assert_int_equal(whole("script", "picture.points"), 1440);
    assert_int_equal(whole("script", "picture.worker_rows"), 5);
    assert_int_equal(whole("script", "picture.worker_paths"), 240);
    assert_int_equal(whole("script", "paths.count"), (int64_t)1920 * 2160 * 2);
    assert_int_equal(whole("script", "paths.traced"), 1440 * 4 * 2);
    assert_int_equal(whole("script", "numbers.given"), 36 * 1440 * 4 * 2);
    struct table memory = table_read("script", "memory.csv");
    static const struct {
        const char *name;
        int64_t bytes;
    } rows[] = {
        {"frame buffer", 17280}, {"rays", 8640}, {"random numbers", 103680}, {"noise", 5760}, {"scene", 468}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        bool found = false;
        for (size_t r = 0; r < memory.rows && !found; r++)
            if (strcmp(table_text(&memory, r, "allocation"), rows[i].name) == 0) {
                assert_int_equal(table_int(&memory, r, "bytes"), rows[i].bytes);
                found = true;
            }
        assert_true(found);
    }
}

TEST(identities_hold) {
    RUN("all", SET("run.seed=1"));
    assert_int_equal(whole("all", "paths.count"), 96 * 60 * 12);
    assert_int_equal(whole("all", "paths.traced"), 96 * 60 * 12);
    assert_int_equal(whole("all", "entries.pushed"),
                     whole("all", "entries.popped") + whole("all", "entries.cleared"));
    assert_true(run_figure("all", "sampling.half_width") == 0 &&
                run_figure("all", "paths.bounces_half_width") == 0);
    assert_true(fabs(run_figure("all", "paths.bounces_mean") - 6.855) < 0.05);
    struct table tiles = table_read("all", "tiles.csv"), steps = table_read("all", "steps.csv");
    const int64_t compute = whole("all", "device.cycles_compute");
    for (size_t t = 0; t < tiles.rows; t++)
        assert_int_equal(table_int(&tiles, t, "busy") + table_int(&tiles, t, "waiting") +
                             table_int(&tiles, t, "idle"),
                         6 * compute);
    assert_int_equal(table_sum(&steps, "compute"), compute);
    assert_int_equal(steps.rows, 4);
    assert_int_equal(table_sum(&steps, "rounds"), 4 * 12);
    assert_int_equal(whole("all", "device.iterations"), 3);
}

/* A worker alone is busy but for the launch. */
TEST(one_worker_is_in_balance) {
    RUN("one", SET("machine.tile.workers=1"));
    struct table tiles = table_read("one", "image_tiles.csv");
    for (size_t t = 0; t < tiles.rows; t++)
        assert_in_range(table_int(&tiles, t, "balance"), 990, 1000);
}

/* A local loop takes the greatest sum of a tile's samples: worked out here from the tiles' own cycles, of one
 * step. */
TEST(a_local_loop_takes_its_slowest_tile) {
    RUN("merged", SET("workload.samples_per_step=12"));
    RUN("each", SET("workload.samples_per_step=12"), SET("machine.sync.local=each"));
    struct table tiles = table_read("merged", "tiles.csv");
    int64_t most = 0;
    for (size_t t = 0; t < tiles.rows; t++)
        most = table_int(&tiles, t, "compute") > most ? table_int(&tiles, t, "compute") : most;
    assert_int_equal(whole("merged", "device.cycles_compute"), most);
    assert_true(run_figure("merged", "device.cycles") < run_figure("each", "device.cycles"));
    assert_true(whole("each", "device.cycles_sync") == 48 * whole("merged", "device.cycles_sync"));
    assert_true(files_equal("merged/image.png", "each/image.png"));
}

TEST(events_are_phases_and_recordings_are_runs) {
    RUN("run", "--record-activity", "a.rec");
    RUN("events", SET("run.detail=event"));
    assert_same_run("run", "events", OTHER_SETTINGS);
    RUN("replayed", "--replay", "a.rec");
    assert_same_run("run", "replayed", SAME_SETTINGS);
    RUN("dear", SET("machine.cost.f64_sin=3000 slots"));
    RUN("priced", SET("machine.cost.f64_sin=3000 slots"), "--replay", "a.rec");
    assert_same_run("dear", "priced", SAME_SETTINGS);
    RUN("twice", SET("machine.cost.scale=200 %"), "--replay", "a.rec");
    assert_true(run_figure("twice", "cycles.path_trace_worker") ==
                2 * run_figure("run", "cycles.path_trace_worker"));
    cli_must("run", "x.yaml", "--quiet", "--force", "--out", "three", "--threads", "3", NULL);
    assert_same_run("run", "three", SAME_SETTINGS);
    const cli_result other = cli("run", "x.yaml", "--quiet", "--force", "--out", "no", SET("run.seed=2"),
                                 "--replay", "a.rec", NULL);
    assert_true(other.status == 2 && strstr(other.err, "run.seed") != NULL);
}

/* Points that differ in prices alone are priced from one run's recording. */
TEST(sweeps_price) {
    cli_write("s.yaml", "name: sines\nbase: x.yaml\naxes:\n"
                        "  - { key: machine.cost.f64_sin, values: [80 slots, 800 slots, 2300 slots] }\n"
                        "  - { key: workload.samples, values: [4, 8] }\n");
    const cli_result r = cli("sweep", "s.yaml", "--store", "s.db", NULL);
    if (r.status != 0 || strstr(r.err, "6 points: 0 known, 2 run, 0 replayed, 4 priced, 0 failed") == NULL)
        fail_msg("status %d, words: %s", r.status, r.err);
}

/* Chips hold the same picture and trace the same paths. */
TEST(chips_change_no_bit_of_the_picture) {
    RUN("one", SET("workload.image.width=192"), SET("workload.tile.width=16"));
    RUN("two", SET("workload.image.width=192"), SET("machine.chips=2"));
    assert_true(files_equal("one/image.png", "two/image.png"));
    assert_int_equal(whole("two", "picture.chips"), 2);
    assert_true(run_figure("two", "device.seconds") < 0.7 * run_figure("one", "device.seconds"));
}

/* A half as long frame buffer saves its bytes and no time; rays by all workers save less than a hundredth. */
TEST(what_ifs_save_what_they_save) {
    RUN("base", SET("workload.tile.height=10"));
    RUN("half", SET("workload.tile.height=10"), SET("workload.framebuffer=f16"));
    RUN("rays", SET("workload.tile.height=10"), SET("workload.kernels.ray_workers=all"));
    assert_int_equal(whole("base", "memory.peak_bytes") - whole("half", "memory.peak_bytes"), 80 * 3 * 2);
    assert_int_equal(whole("base", "device.cycles_compute"), whole("half", "device.cycles_compute"));
    const double gain =
        1 - run_figure("rays", "device.cycles_compute") / run_figure("base", "device.cycles_compute");
    assert_true(gain > 0 && gain < 0.011);
}

/* Half of the samples tell of all; tests/property/test_drawn_paths.c tries many seeds. */
TEST(drawn_intervals_hold_the_whole) {
    enum { SAMPLES = 12 };
    const double seconds =
        (RUN("whole", SET("workload.samples_per_step=12")), run_figure("whole", "device.seconds"));
    assert_true(seconds > 0);
    RUN("part", SET("workload.samples_per_step=12"), SET("workload.sampling.drawn=6"));
    assert_true(fabs(run_figure("part", "device.seconds") / seconds - 1) <=
                run_figure("part", "sampling.half_width"));
    assert_true(run_figure("part", "paths.bounces_half_width") > 0);
    assert_int_equal(whole("part", "paths.count"), 96 * 60 * SAMPLES);
    assert_int_equal(whole("part", "paths.traced"), 96 * 60 * 6);
}

/* ---- bad input ---- */

static void refused(const char *set, const char *place, const char *words) {
    const cli_result r = cli("run", "x.yaml", "--quiet", "--force", "--out", "no", "--set", set, NULL);
    if (r.status != 2 || strstr(r.err, place) == NULL || strstr(r.err, words) == NULL)
        fail_msg("--set %s: status %d, words: %s", set, r.status, r.err);
}

TEST(wrong_settings_are_told) {
    refused("workload.tile.width=1", "workload.tile.width", "expected at most one for each of");
    refused("workload.roulette.probability=0", "workload.roulette.probability",
            "above 0 and below 1, found 0");
    refused("workload.roulette.probability=1", "workload.roulette.probability",
            "above 0 and below 1, found 1");
    refused("workload.numbers.each=12", "workload.numbers.each", "expected at least 17, found 12");
    refused("workload.samples=10", "workload.samples",
            "whole steps of workload.samples_per_step, 4, found 10");
    refused("workload.sampling.drawn=13", "workload.sampling.drawn", "expected 4 to 12");
    refused("workload.sampling.tiles=1", "workload.sampling.tiles", "expected 2 to 96");
    refused("machine.memory.sram=24 kB", "random numbers", "tile");
    refused("scene.kind=foam", "scene.kind", "takes primitives, found foam");
}

TEST(wrong_scenes_are_told) {
    static const struct {
        const char *text, *place, *words;
    } cases[] = {
        {"materials: { a: { kind: diffuse, colour: [1, 1, 1] } }\n"
         "objects:\n  - sphere: { centre: [0, 0, 0], radius: 0, material: a }\n",
         "s.yaml:3:42: objects[0].sphere.radius", "found"},
        {"materials: { a: { kind: diffuse, colour: [1, 1, 1] } }\n"
         "objects:\n  - sphere: { centre: [0, 0, 0], radius: 1, material: b }\n",
         "s.yaml:3:55: objects[0].sphere.material",
         "unknown material: expected one of `materials` (a), found \"b\""},
        {"materials: { a: { kind: brick, colour: [1, 1, 1] } }\nobjects: []\n",
         "s.yaml:1:25: materials.a.kind", "diffuse, mirror or glass"},
        {"materials: { a: { kind: mirror, index: 2 } }\nobjects:\n"
         "  - plane: { normal: [0, 0, 0], offset: 1, material: a }\n",
         "s.yaml:3:22: objects[0].plane.normal", "found one without length"},
        {"materials: { a: { kind: mirror, index: 2 } }\nobjects: [ { cube: {} } ]\n",
         "s.yaml:1:40: materials.a.index", "only glass refracts"},
        {"objects: []\n", "materials", "missing"},
        {"materials: { a: { kind: diffuse, colour: [1, 1] } }\nobjects: []\n",
         "s.yaml:1:42: materials.a.colour", "expected three numbers"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cli_write("s.yaml", cases[i].text);
        const cli_result r =
            cli("run", "x.yaml", "--quiet", "--force", "--out", "no", SET("scene.file=s.yaml"), NULL);
        if (r.status != 2 || strstr(r.err, cases[i].place) == NULL || strstr(r.err, cases[i].words) == NULL)
            fail_msg("case %zu: status %d, words: %s", i, r.status, r.err);
    }
}

/* A rectangle larger than the picture is cut to it, and a finding says so. */
TEST(large_rectangles_are_cut) {
    RUN("cut", SET("workload.tile.width=200"), SET("workload.tile.height=1"));
    json_t *root = run_json("cut", "findings.json");
    const json_t *findings = json_object_get(root, "findings");
    bool said = false;
    for (size_t i = 0; i < json_array_size(findings); i++)
        said = said ||
               strcmp(json_string_value(json_object_get(json_array_get(findings, i), "key")), "clipped") == 0;
    assert_true(said);
    assert_int_equal(whole("cut", "picture.tiles"), 60);
}

static int enter(void **state) {
    const int status = cli_enter(state);
    if (status == 0)
        cli_write("x.yaml", small);
    return status;
}

RUN_TESTS(enter, cli_leave)
