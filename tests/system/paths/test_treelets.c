/* A scene larger than a tile as a user runs it: one treelet is a path tracer with the whole scene a tile, placements and
 * exchanges change no path, layers and details agree, nothing is lost, what bad input says. */
#include "tests/support/cli.h"
#include "tests/support/pages/run_folder.h"
#include "tests/support/test.h"

/* 3,000 triangles in 50 treelets on 96 tiles. */
#define SCENE "scene: { kind: mesh, soup: { triangles: 3000, edge: 0.1 } }\n"
#define PATHS "width: 48, height: 40, samples: 2"
static const char small[] =
    "machine: { base: gc200-small, exchange: { mode: dynamic } }\n" SCENE "workload: { kind: treelets, " PATHS
    ", io_tiles: 0, treelet: { bytes: 8 KiB } }\n";
enum { RAYS = 48 * 40 * 2, TILES = 96 };

#define RUN(out, ...) cli_must("run", "x.yaml", "--quiet", "--force", "--out", out, __VA_ARGS__, NULL)
#define SET(text)     "--set", text
/* A treelet a tile: rays travel. */
#define ALONE SET("workload.room=8 KiB")

static int64_t whole(const char *dir, const char *name) {
    return (int64_t)run_figure(dir, name);
}

static void same_figure(const char *a, const char *b, const char *name) {
    if (run_figure(a, name) != run_figure(b, name))
        fail_msg("%s: %.17g in %s, %.17g in %s", name, run_figure(a, name), a, run_figure(b, name), b);
}

TEST(one_treelet_is_pathtrace) {
    cli_write("p.yaml", "machine: gc200-small\n" SCENE "workload: { kind: pathtrace, " PATHS
                        ", rays_per_worker: 1, sampling: { drawn: 2 } }\n");
    cli_must("run", "p.yaml", "--quiet", "--force", "--out", "pathtrace", NULL);
    RUN("one", SET("workload.treelet.bytes=0 B"));
    assert_int_equal(whole("one", "treelets.count"), 1);
    assert_int_equal(whole("one", "paths.moves"), 0);
    assert_int_equal(whole("one", "paths.visits"), whole("one", "paths.segments"));
    same_figure("one", "pathtrace", "paths.segments_mean");
    same_figure("one", "pathtrace", "paths.nodes_per_segment");
    assert_true(run_figure("one", "paths.leaves") / run_figure("one", "paths.segments") ==
                run_figure("pathtrace", "paths.tests_per_segment"));
    same_figure("one", "pathtrace", "paths.stopped");
    assert_true(files_equal("one/render.png", "pathtrace/render.png"));
}

/* All paths end, each move is one of a step, no tile is above its capacity. */
static void nothing_is_lost(const char *dir, int64_t capacity) {
    struct table steps = table_read(dir, "queues.csv"), tiles = table_read(dir, "loads.csv"),
                 treelets = table_read(dir, "treelets.csv"), bounces = table_read(dir, "bounces.csv");
    int64_t most = 0;
    assert_int_equal(table_sum(&steps, "ended"), RAYS);
    assert_int_equal(table_sum(&steps, "moves"), whole(dir, "paths.moves"));
    assert_int_equal(steps.rows, whole(dir, "device.steps"));
    for (size_t s = 0; s < steps.rows; s++)
        most = table_int(&steps, s, "deepest") > most ? table_int(&steps, s, "deepest") : most;
    assert_true(most <= capacity && whole(dir, "queue.deepest") <= capacity);
    assert_int_equal(table_int(&steps, steps.rows - 1, "in_flight"), 0);
    assert_int_equal(table_sum(&treelets, "visits"), whole(dir, "paths.visits"));
    assert_int_equal(table_sum(&bounces, "segments"), whole(dir, "paths.segments"));
    assert_int_equal(table_sum(&bounces, "visits"), whole(dir, "paths.visits"));
    assert_true(table_sum(&tiles, "units") > table_sum(&treelets, "units"));
}

TEST(rules_change_no_path) {
    static const char *const rules[][3] = {
        {"sorted", "workload.order=sorted", NULL},
        {"fixed", "workload.order=fixed", NULL},
        {"work", "workload.cut=work", "workload.treelet.count=60"},
        {"even", "workload.copies=even", "workload.room=16 KiB"},
        {"single", "workload.copies=1", "workload.room=16 KiB"},
        {"image", "workload.start=image", "workload.window=6"},
        {"home", "workload.payload=home", "workload.quantum=0"},
    };
    RUN("near", ALONE);
    nothing_is_lost("near", 512);
    assert_true(whole("near", "paths.moves") > 0);
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        const char *words[] = {"run",       "x.yaml",    "--quiet",
                               "--force",   "--out",     rules[i][0],
                               "--set",     rules[i][1], rules[i][2] != NULL ? "--set" : NULL,
                               rules[i][2], NULL};
        const cli_result r = cli_words(words, 0);
        char picture[64];
        if (r.status != 0)
            fail_msg("%s: %s", rules[i][0], r.err);
        snprintf(picture, sizeof picture, "%s/render.png", rules[i][0]);
        assert_true(files_equal("near/render.png", picture));
        same_figure("near", rules[i][0], "paths.hits");
        same_figure("near", rules[i][0], "paths.segments");
        nothing_is_lost(rules[i][0], 512);
    }
    assert_int_equal(whole("single", "treelets.copies_most"), 1);
    assert_int_equal(whole("work", "treelets.count"), 60);
}

static double rung(const struct table *ladder, const char *name) {
    for (size_t r = 0; r < ladder->rows; r++)
        if (strcmp(table_text(ladder, r, "name"), name) == 0)
            return (double)table_int(ladder, r, "cycles");
    fail_msg("no rung %s", name);
    return 0;
}

/* Free things take nothing longer, and all of them are no slower than any; half, 95 and 99 % of the rays, bounce by
 * bounce; what each tile holds. */
TEST(page_and_ladder_agree_with_the_figures) {
    static const char *const free_of[] = {"free_exchange", "free_sync",    "free_host",
                                          "balanced",      "busy_workers", "steady"};
    RUN("page", ALONE);
    struct table ladder = table_read("page", "ladder.csv"), bounces = table_read("page", "bounces.csv"),
                 loads = table_read("page", "loads.csv"), treelets = table_read("page", "treelets.csv");
    const double measured = rung(&ladder, "measured"), all = rung(&ladder, "all"), clock = 1.33e9,
                 busy = measured - run_figure("page", "device.cycles_compute") +
                        RAYS / run_figure("page", "device.paths_per_second_ideal") * clock;
    for (size_t i = 0; i < sizeof free_of / sizeof *free_of; i++)
        assert_true(rung(&ladder, free_of[i]) <= measured && rung(&ladder, free_of[i]) >= all);
    assert_float_equal(rung(&ladder, "busy_workers"), busy, 1);
    for (size_t b = 0; b < bounces.rows; b++)
        assert_true(table_int(&bounces, b, "half") <= table_int(&bounces, b, "most_of_95_percent") &&
                    table_int(&bounces, b, "most_of_95_percent") <=
                        table_int(&bounces, b, "most_of_99_percent"));
    assert_true(whole("page", "paths.visits_median") <= whole("page", "paths.visits_p95") &&
                whole("page", "paths.visits_p95") <= whole("page", "paths.visits_p99"));
    assert_int_equal(loads.rows, TILES);
    int64_t held = 0;
    for (size_t k = 0; k < treelets.rows; k++)
        held += table_int(&treelets, k, "bytes") * table_int(&treelets, k, "copies");
    assert_int_equal(table_sum(&loads, "bytes"), held);
}

/* A place for one ray a tile, and rays that want to pass each other. */
TEST(full_tiles_do_not_stand_still) {
    RUN("full", ALONE, SET("workload.queue.capacity=1"), SET("workload.copies=1"));
    nothing_is_lost("full", 1);
    assert_int_equal(whole("full", "queue.deepest"), 1);
    assert_true(whole("full", "queue.refused") > 0 && whole("full", "queue.rings") > 0);
}

TEST(layers_and_details_agree) {
    RUN("run", ALONE, "--record", "g.rec", "--record-activity", "a.rec");
    RUN("events", ALONE, SET("run.detail=event"));
    assert_same_run("run", "events", OTHER_SETTINGS);
    RUN("replayed", ALONE, "--replay", "g.rec");
    assert_same_run("run", "replayed", SAME_SETTINGS);
    RUN("priced", ALONE, "--replay", "a.rec");
    assert_same_run("run", "priced", SAME_SETTINGS);
    RUN("alone", ALONE, "--threads", "3");
    assert_same_run("run", "alone", SAME_SETTINGS);
    RUN("shared", SET("workload.room=16 KiB"));
    RUN("dealt", SET("workload.room=16 KiB"), "--replay", "g.rec");
    assert_same_run("shared", "dealt", SAME_SETTINGS);
    const cli_result other = cli("run", "x.yaml", "--quiet", "--force", "--out", "no", ALONE,
                                 SET("workload.order=fixed"), "--replay", "g.rec", NULL);
    assert_true(other.status == 2 && strstr(other.err, "workload.order") != NULL);
}

/* Every tile has its slots for every other one, used or not, of a ray's bytes at the width of a port. */
TEST(a_rotation_takes_its_phase) {
    static const char rotation[] = "machine.exchange.mode=static";
    RUN("slot", ALONE, SET(rotation), SET("workload.payload=compact"));
    RUN("slots", ALONE, SET(rotation), SET("workload.payload=compact"), SET("workload.slots=2"));
    nothing_is_lost("slot", 512);
    struct table one = table_read("slot", "iterations.csv"), two = table_read("slots", "iterations.csv");
    const int64_t phase = table_int(&one, 0, "exchange"), twice = table_int(&two, 0, "exchange");
    for (size_t i = 0; i < one.rows; i++)
        assert_int_equal(table_int(&one, i, "exchange"), phase);
    assert_int_equal(twice - phase, (TILES - 1) * 56 / 4);
    assert_true(files_equal("slot/render.png", "slots/render.png"));
}

/* ---- bad input ---- */

static void refused(const char *set, const char *place, const char *words) {
    const cli_result r = cli("run", "x.yaml", "--quiet", "--force", "--out", "no", "--set", set, NULL);
    if (r.status != 2 || strstr(r.err, place) == NULL || strstr(r.err, words) == NULL)
        fail_msg("--set %s: status %d, words: %s", set, r.status, r.err);
}

TEST(wrong_settings_are_told) {
    refused("workload.room=1 KiB", "triangles would fit, one copy each", "expected a smaller scene");
    refused("workload.code.tile=10 MB", "triangles would fit, one copy each",
            "have 0 B for them, one at most 0 B: 0 treelets of 0 triangles");
    refused("workload.treelet.count=60", "workload.treelet.count",
            "applies to workload.cut work; expected 0");
    refused("workload.io_tiles=96", "workload.io_tiles",
            "expected less than the machine's 96 tiles, found 96");
    refused("workload.exchange=rotation", "workload.exchange", "machine.exchange.mode static");
    refused("workload.node_bytes=25 B", "workload.node_bytes", "expected 24 B or 32 B, found 25 B");
    refused("workload.copies=2", "workload.copies", "expected one of load, even or 1");
    refused("workload.window=100000", "workload.window", "1 to 65536");
    refused("machine.execution=decoupled", "machine.execution", "expected bsp, found decoupled");
    const cli_result r =
        cli("run", "x.yaml", "--quiet", "--force", "--out", "no", SET("run.max_iterations=3"), NULL);
    assert_true(r.status == 1 && strstr(r.err, "ended after run.max_iterations, 3 steps") != NULL);
}

static int enter(void **state) {
    const int failed = cli_enter(state);
    cli_write("x.yaml", small);
    return failed;
}

RUN_TESTS(enter, cli_leave)
