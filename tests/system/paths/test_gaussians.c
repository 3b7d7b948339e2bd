/* Gaussians on a mesh of tiles as a user runs them: identities, equal layers and levels of detail, other ways than lanes, one Gaussian
 * followed, what bad input says. */
#include "tests/support/cli.h"
#include "tests/support/pages/run_folder.h"
#include "tests/support/test.h"

/* 256 x 160 pixels on 8 x 8 tiles of a small chip. */
static const char small[] =
    "machine: gc200-small\n"
    "scene: { kind: gaussians, count: 1200 }\n"
    "workload:\n"
    "  kind: gaussians\n"
    "  width: 256\n"
    "  height: 160\n"
    "  camera: { position: [0, -3.2, 2.3], look_at: [0, 2.2, 0.85], up: [0, 0, 1] }\n";

#define RUN(out, ...) cli_must("run", "x.yaml", "--quiet", "--force", "--out", out, __VA_ARGS__, NULL)
#define SET(text)     "--set", text
#define ORBIT         SET("workload.path.kind=orbit"), SET("workload.path.axis=[0, 0, 1]"), SET("workload.frames=3")

static int64_t whole(const char *dir, const char *name) {
    return (int64_t)run_figure(dir, name);
}

/* What the tables say adds up to the figures, and the phases to the device's time. */
TEST(identities_hold) {
    RUN("all", SET("workload.readback=nothing"), ORBIT);
    struct table tiles = table_read("all", "gaussians_tiles.csv"),
                 steps = table_read("all", "gaussians_steps.csv");
    assert_int_equal(tiles.rows, 64);
    const size_t last = steps.rows - 1;
    assert_int_equal(table_sum(&tiles, "anchored"), table_int(&steps, last, "anchored"));
    assert_int_equal(table_sum(&tiles, "received"), table_int(&steps, last, "received"));
    assert_int_equal(table_sum(&tiles, "blended"), table_int(&steps, last, "entries"));
    assert_int_equal(table_int(&steps, last, "anchored") + table_int(&steps, last, "copies") <=
                         table_int(&steps, last, "entries"),
                     1);
    assert_int_equal(steps.rows, (size_t)whole("all", "steps.before") + 3);
    double moved = 0;
    for (size_t s = last - 1; s <= last; s++)
        moved += (double)table_int(&steps, s, "moved") / 2;
    assert_true(moved > 0 && run_figure("all", "gaussians.moved") == moved);
    assert_true(run_figure("all", "hops.mean") >= 1);
    const double frame = run_figure("all", "frame.route") + run_figure("all", "frame.blend") +
                         run_figure("all", "frame.exchange");
    assert_true(fabs(frame / run_figure("all", "frame.seconds") - 1) < 1e-12);
    assert_true(run_figure("all", "device.seconds") > 3 * frame &&
                run_figure("all", "device.seconds") < 3 * frame + 1e-3);
    /* a step's compute is that of the tile that is slowest by its own counts */
    struct table of_steps = table_read("all", "steps.csv");
    assert_int_equal(table_int(&of_steps, 0, "compute"),
                     (int64_t)(3 * run_figure("all", "route.all.most") + 0.5));
    assert_int_equal(table_int(&of_steps, 1, "compute"),
                     (int64_t)(3 * run_figure("all", "blend.all.most") + 0.5));
}

/* Whole lanes over the busiest port: four in and out of a tile in the middle, and two to itself in a corner. */
TEST(the_exchange_moves_whole_lanes) {
    RUN("lanes", SET("workload.readback=nothing"));
    assert_int_equal(whole("lanes", "lanes.bytes"), 64 * 4 * 24000);
    struct table steps = table_read("lanes", "steps.csv");
    const int64_t cycles = table_int(&steps, 2, "exchange");
    assert_true(cycles >= 24000 && cycles < 24400);
    /* of 8 B a cycle by six workers */
    assert_int_equal(table_int(&steps, 2, "compute"), 11 + 6 + 6 + 2 * 24000 / 8);
    struct table memory = table_read("lanes", "memory.csv");
    int64_t lanes = 0, store = 0;
    for (size_t r = 0; r < memory.rows; r++)
        if (table_int(&memory, r, "tile") == 0) {
            const char *name = table_text(&memory, r, "allocation");
            lanes += strstr(name, "lanes") != NULL ? table_int(&memory, r, "bytes") : 0;
            store += strcmp(name, "store") == 0 || strcmp(name, "list") == 0 ||
                             strcmp(name, "stack of the sort") == 0
                         ? table_int(&memory, r, "bytes")
                         : 0;
        }
    assert_int_equal(lanes, 192000);
    assert_int_equal(store, 404 * (19 + 800)); /* ceil(1200 / 64) of the scene */
}

TEST(events_are_phases_and_recordings_are_runs) {
    RUN("run", ORBIT, "--record-activity", "a.rec");
    RUN("events", ORBIT, SET("run.detail=event"));
    assert_same_run("run", "events", OTHER_SETTINGS);
    RUN("replayed", ORBIT, "--replay", "a.rec");
    assert_same_run("run", "replayed", SAME_SETTINGS);
    RUN("dear", ORBIT, SET("workload.kernels.counts=upper"), SET("workload.kernels.insert=map"));
    RUN("priced", ORBIT, SET("workload.kernels.counts=upper"), SET("workload.kernels.insert=map"), "--replay",
        "a.rec");
    assert_same_run("dear", "priced", SAME_SETTINGS);
    cli_must("run", "x.yaml", "--quiet", "--force", "--out", "three", ORBIT, "--threads", "3", NULL);
    assert_same_run("run", "three", SAME_SETTINGS);
    const cli_result other = cli("run", "x.yaml", "--quiet", "--force", "--out", "no", ORBIT,
                                 SET("workload.slot=60 B"), "--replay", "a.rec", NULL);
    assert_true(other.status == 2 && strstr(other.err, "workload.slot") != NULL);
}

/* Points that differ in prices alone are priced from one run's recording. */
TEST(sweeps_price) {
    cli_write("s.yaml", "name: counts\nbase: x.yaml\naxes:\n"
                        "  - { key: workload.kernels.counts, values: [lower, best, upper] }\n"
                        "  - { key: workload.slot, values: [240 B, 60 B] }\n");
    const cli_result r = cli("sweep", "s.yaml", "--store", "s.db", NULL);
    if (r.status != 0 || strstr(r.err, "6 points: 0 known, 2 run, 0 replayed, 4 priced, 0 failed") == NULL)
        fail_msg("status %d, words: %s", r.status, r.err);
}

/* The rung of a table of places is the run with that table; three counts are in their order. */
TEST(rungs_are_runs) {
    RUN("base", SET("workload.frames=1"));
    struct table ladder = table_read("base", "ladder.csv");
    for (size_t r = 0; r < ladder.rows; r++) {
        const char *name = table_text(&ladder, r, "name");
        if (strcmp(name, "map") != 0 && strcmp(name, "f32_radius") != 0)
            continue;
        RUN("rung", SET(table_text(&ladder, r, "sets")));
        assert_int_equal(table_int(&ladder, r, "cycles"), whole("rung", "device.cycles"));
    }
    RUN("lower", SET("workload.kernels.counts=lower"));
    RUN("upper", SET("workload.kernels.counts=upper"));
    assert_true(run_figure("lower", "frame.route") < run_figure("base", "frame.route") &&
                run_figure("base", "frame.route") < run_figure("upper", "frame.route"));
    assert_true(files_equal("lower/image.png", "upper/image.png"));
}

/* Lists of the host, copies straight and over an overlay bring the picture that the lanes bring. */
TEST(other_ways_draw_the_same) {
    RUN("direct", SET("workload.method=direct"), SET("machine.exchange.mode=dynamic"));
    RUN("tree", SET("workload.method=overlay"), SET("overlay=quadtree"));
    RUN("mesh", SET("workload.method=overlay"), SET("overlay=mesh"));
    assert_int_equal(whole("direct", "lists.entries"), whole("tree", "lists.entries"));
    assert_int_equal(whole("direct", "lists.entries"), whole("mesh", "lists.entries"));
    assert_true(files_equal("direct/image.png", "tree/image.png") &&
                files_equal("direct/image.png", "mesh/image.png"));
    assert_int_equal(whole("direct", "steps.settled"), 1);
    assert_true(whole("tree", "steps.settled") == 6); /* three levels up and down */
    RUN("gather", SET("workload.method=gather"));
    assert_true(run_figure("gather", "picture.psnr_db") > 40);
    RUN("first", SET("workload.start=first"), SET("workload.frames=40"));
    RUN("settled", SET("workload.frames=1"));
    assert_true(files_equal("first/image.png", "settled/image.png"));
    RUN("flow", SET("workload.bloom=flow"));
    assert_true(run_figure("flow", "lanes.received") < run_figure("settled", "lanes.received"));
}

TEST(one_gaussian_is_followed) {
    RUN("run", SET("workload.frames=1"));
    const cli_result r = cli("ray", "run", "--gaussian", "700", NULL);
    assert_int_equal(r.status, 0);
    assert_non_null(strstr(r.out, "Gaussian 700: centre"));
    assert_non_null(strstr(r.out, "step 0: drawn by"));
    const cli_result none = cli("ray", "run", "--gaussian", "1201", NULL),
                     pixel = cli("ray", "run", "--pixel", "3,3", NULL);
    assert_true(none.status == 2 && strstr(none.err, "expected 1 to 1200, found \"1201\"") != NULL);
    assert_true(pixel.status == 2 && strstr(pixel.err, "expected --gaussian N") != NULL);
}

TEST(views_are_runs) {
    RUN("views", SET("views={kind: list, positions: [[0, -3.2, 2.3], [0.5, -3.2, 2.3]]}"),
        SET("run.outputs=summary"));
    assert_true(run_figure("views/view-0", "lists.entries") > 0 &&
                run_figure("views/view-1", "lists.entries") > 0);
    assert_true(run_figure("views/view-0", "lists.entries") != run_figure("views/view-1", "lists.entries"));
}

/* ---- bad input ---- */

static void refused(const char *set, const char *place, const char *words) {
    const cli_result r = cli("run", "x.yaml", "--quiet", "--force", "--out", "no", "--set", set, NULL);
    if (r.status != 2 || strstr(r.err, place) == NULL || strstr(r.err, words) == NULL)
        fail_msg("--set %s: status %d, words: %s", set, r.status, r.err);
    assert_true(fopen("no/summary.json", "r") == NULL);
}

TEST(wrong_settings_are_told) {
    refused("workload.tile.width=30", "workload.tile.width",
            "expected a divisor of the picture's 256 pixels, found 30");
    refused("workload.tile.height=7", "workload.tile.height",
            "expected a divisor of the picture's 160 pixels, found 7");
    refused("workload.tile.width=8", "workload.tile.width", "more than the machine's 96 tiles");
    refused("workload.lane=120 B", "workload.lane", "at least a slot of 240 B, found 120 B");
    refused("workload.extra=4000", "store", "do not fit in SRAM");
    refused("workload.camera.up=[0, 5.4, -1.45]", "x.yaml:7:11: workload.camera",
            "up is parallel to the view");
    refused("scene.kind=mesh", "scene.kind", "takes gaussians, found mesh");
}

TEST(gaussians_that_are_no_numbers_are_told) {
    static const char head[] = "ply\nformat ascii 1.0\nelement vertex 2\nproperty float x\nproperty float "
                               "y\nproperty float z\nproperty float f_dc_0\n"
                               "property float f_dc_1\nproperty float f_dc_2\nproperty float "
                               "opacity\nproperty float scale_0\nproperty float scale_1\n"
                               "property float scale_2\nproperty float rot_0\nproperty float rot_1\nproperty "
                               "float rot_2\nproperty float rot_3\nend_header\n"
                               "0 0 0 1 1 1 1 -3 -3 -3 1 0 0 0\n";
    static const char *const rows[][2] = {
        {"0 nan 0 1 1 1 1 -3 -3 -3 1 0 0 0\n", "g.ply: vertex 1: y is not finite"},
        {"0 0 0 1 1 1 nan -3 -3 -3 1 0 0 0\n", "g.ply: vertex 1: opacity is not finite"},
        {"0 0 0 1 1 1 1 -3 inf -3 1 0 0 0\n", "g.ply: vertex 1: scale_1 is not finite"},
        {"0 0 0 1 1 1 1 -3 -3 -3 0 0 0 0\n", "g.ply: vertex 1: the rotation is zero"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[1024];
        snprintf(text, sizeof text, "%s%s", head, rows[i][0]);
        cli_write("g.ply", text);
        refused("scene.file=g.ply", rows[i][1], "");
    }
}

static int enter(void **state) {
    const int status = cli_enter(state);
    if (status == 0)
        cli_write("x.yaml", small);
    return status;
}

RUN_TESTS(enter, cli_leave)
