/* A named work: workloads of different kinds meet the same triangles in the same pixels; what contradicts it, and what
 * a machine cannot do, is refused at its place; a comparison says that the work is one. */
#include "tests/support/cli.h"
#include "tests/support/pages/run_folder.h"
#include "tests/support/test.h"

static int enter(void **state) {
    const int status = cli_enter(state);
    cli_write("engine.yaml", "work: shrubs\nmachine: virtex5\nworkload: { kind: hierarchy }\n");
    cli_write("tracer.yaml", "work: shrubs\nmachine: gc200\n"
                             "workload: { kind: pathtrace, sampling: { drawn: 1 }, rays_per_worker: 1 }\n");
    cli_write("treelets.yaml", "work: shrubs\nmachine: { base: gc200, exchange: { mode: dynamic } }\n"
                               "workload: { kind: treelets }\n");
    cli_write("below.yaml", "machine: virtex5\nscene: { kind: mesh, builtin: box }\n"
                            "workload: { kind: hierarchy, source: camera, camera: { width: 8 } }\n");
    cli_write("beside.yaml", "work: shrubs\nmachine: gc200\nworkload:\n  kind: pathtrace\n  width: 100\n");
    cli_write("agrees.yaml",
              "work: shrubs\nmachine: gc200\n"
              "workload: { kind: pathtrace, width: 480, jitter: 0.0, sampling: { drawn: 1 } }\n");
    return status;
}

/* ---- the same hits ---- */

enum { WIDTH = 144, HEIGHT = 120 }; /* two rays for each worker of a GC200 that renders */

static void run(const char *experiment, const char *to) {
    cli_must("run", experiment, "--set", "work.width=144", "--set", "work.height=120", "--output", to,
             "--quiet", NULL);
}

TEST(all_meet_the_same) {
    const double rays = WIDTH * HEIGHT;
    run("engine.yaml", "engine");
    run("tracer.yaml", "tracer");
    run("treelets.yaml", "treelets");
    assert_true(run_figure("engine", "rays.count") == rays);
    assert_true(run_figure("tracer", "paths.count") == rays);
    assert_true(run_figure("tracer", "paths.segments_mean") == 1);
    assert_true(run_figure("treelets", "paths.segments") == rays);
    const double hits = run_figure("treelets", "paths.hits");
    assert_true(hits > 0.5 * rays && hits < 0.9 * rays);
    assert_true(fabs(run_figure("engine", "hits.share") * rays - hits) < 1e-6);
    assert_true(fabs((1 - run_figure("tracer", "paths.escaped")) * rays - hits) < 1e-6);
    uint32_t width, height;
    uint8_t *shade = picture_read("engine/image.png", &width, &height),
            *treelet = picture_read("treelets/treelets.png", &width, &height);
    assert_int_equal(width, WIDTH);
    assert_int_equal(height, HEIGHT);
    for (size_t i = 0; i < (size_t)WIDTH * HEIGHT; i++) {
        static const uint8_t sky[3] = {24, 28, 40}, miss[3] = {16, 16, 20};
        assert_int_equal(memcmp(&shade[3 * i], sky, 3) == 0, memcmp(&treelet[3 * i], miss, 3) == 0);
    }
}

/* ---- a comparison ---- */

TEST(compared_as_one_work) {
    cli_result r = cli("compare", "engine", "tracer", "treelets", NULL);
    assert_int_equal(r.status, 0);
    assert_non_null(strstr(r.out, "They do the same work: shrubs\n"));
    assert_non_null(strstr(r.out, "rays/s"));
    assert_non_null(strstr(r.out, "what bounds it"));
    assert_null(strstr(r.out, "do not do the same work"));
    cli_must("run", "engine.yaml", "--set", "work.width=48", "--output", "narrow", "--quiet", NULL);
    r = cli("compare", "engine", "narrow", NULL); /* of the same name, but not the same */
    assert_int_equal(r.status, 0);
    assert_null(strstr(r.out, "They do the same work"));
}

/* ---- refusals ---- */

static void refused(const char *experiment, const char *set, const char *wanted) {
    const cli_result r = cli("config", "check", experiment, "--set", set, NULL);
    assert_int_equal(r.status, 2);
    if (strstr(r.err, wanted) == NULL)
        fail_msg("%s, %s: expected \"%s\", found \"%s\"", experiment, set, wanted, r.err);
}

TEST(refused_at_its_place) {
    refused(
        "engine.yaml", "work.samples=2",
        "--set work.samples=2: work.samples: the workload hierarchy sends one ray through the middle of a "
        "pixel: expected 1, found \"2\"");
    refused("engine.yaml", "work=shrubs-paths",
            "works/shrubs-paths.yaml:4:11: work.segments: the workload hierarchy traces rays and no paths");
    refused("engine.yaml", "work.jitter=0.25", "work.jitter: the workload hierarchy");
    refused("engine.yaml", "work=shrub", "did you mean \"shrubs\"?");
    refused("engine.yaml", "work.sample=2", "work.sample: unknown key");
    refused("engine.yaml", "workload.camera.width=64", "workload.camera.width: the work says \"480\" (");
    refused("engine.yaml", "scene.builtin=box", "scene: the work has another scene (");
    refused("beside.yaml", "run.detail=phase", "beside.yaml:5:3: workload.width: the work says \"480\" (");
    refused("poplar-room", "work=shrubs",
            "the workload smallpaint takes no named work: its scenes are spheres and planes, without meshes");
    refused("demo", "work=shrubs", "the workload foam takes no named work");
    const cli_result spheres =
        cli("run", "below.yaml", "--set", "work={name: box, scene: {kind: mesh, builtin: box}}", "--output",
            "box", NULL);
    cli_refused(&spheres, "the engine tests triangles alone");
}

/* A work that is laid over an experiment stands in for its keys, with a line; one that agrees is no contradiction. */
TEST(laid_over_an_experiment) {
    const cli_result r = cli("config", "show", "below.yaml", "--set", "work=shrubs", NULL);
    assert_int_equal(r.status, 0);
    assert_non_null(strstr(r.err, "the work stands in for workload.camera.width (below.yaml:3:"));
    assert_int_equal(cli("config", "check", "agrees.yaml", NULL).status, 0);
}

RUN_TESTS(enter, cli_leave)
