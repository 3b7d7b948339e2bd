/* The hierarchy workload from the command line: replay and run, details, a picture that equals the reference,
 * figures that fit each other, wrong input with its place. */
#include "tests/support/cli.h"
#include "tests/support/pages/run_folder.h"
#include "tests/support/test.h"

#include <signal.h>
#include <time.h>
#include <unistd.h>

static int enter(void **state) {
    const int status = cli_enter(state);
    cli_write("soup.yaml", "machine: virtex5\nscene: { kind: mesh, soup: { triangles: 1500, seed: 3 } }\n"
                           "workload: { kind: hierarchy, rays: 1500 }\nrun: { detail: phase }\n");
    cli_write("box.yaml", "machine: virtex5\nscene: { kind: mesh, builtin: box }\n"
                          "workload: { kind: hierarchy, source: camera, camera: { width: 48, height: 40 }, "
                          "stop: nearest }\nrun: { detail: phase }\n");
    return status;
}

TEST(replay_is_run) {
    cli_must("run", "soup.yaml", "--quiet", "--out", "a", "--record", "a.rays", NULL);
    cli_must("run", "soup.yaml", "--quiet", "--out", "b", "--replay", "a.rays", NULL);
    assert_same_run("a", "b", SAME_SETTINGS);
    cli_must("run", "soup.yaml", "--quiet", "--out", "c", "--set", "machine.traversal.units=2", "--set",
             "machine.memory.in_flight=many", NULL);
    cli_must("run", "soup.yaml", "--quiet", "--out", "d", "--set", "machine.traversal.units=2", "--set",
             "machine.memory.in_flight=many", "--replay", "a.rays", NULL);
    assert_same_run("c", "d", SAME_SETTINGS);
    cli_refuses("workload.leaf", "run", "soup.yaml", "--quiet", "--out", "e", "--set", "workload.leaf=5",
                "--replay", "a.rays", NULL);
}

TEST(details_agree) {
    cli_must("run", "soup.yaml", "--quiet", "--out", "phase", NULL);
    cli_must("run", "soup.yaml", "--quiet", "--out", "event", "--set", "run.detail=event", NULL);
    assert_same_run("phase", "event", OTHER_SETTINGS);
}

TEST(threads_change_nothing) {
    cli_must("run", "soup.yaml", "--quiet", "--force", "--out", "one", "--threads", "1", NULL);
    cli_must("run", "soup.yaml", "--quiet", "--force", "--out", "three", "--threads", "3", NULL);
    assert_same_run("one", "three", SAME_SETTINGS);
}

/* The queue's entries and the hits; what a soup loses and a mesh does not. */
TEST(figures_fit_each_other) {
    cli_must("run", "soup.yaml", "--quiet", "--force", "--out", "soup", NULL);
    assert_true(run_figure("soup", "queue.inserted") == run_figure("soup", "queue.extracted") +
                                                            run_figure("soup", "queue.lost") +
                                                            run_figure("soup", "queue.left"));
    assert_true(run_figure("soup", "queue.extracted") + run_figure("soup", "rays.count") ==
                run_figure("soup", "requests.count"));
    assert_true(run_figure("soup", "queue.lost") > 0);
    assert_true(run_figure("soup", "hits.nearest") < 0.5);
    assert_true(run_figure("soup", "tree.node_bytes") == 112);
    cli_must("run", "box.yaml", "--quiet", "--force", "--out", "box", NULL);
    assert_true(run_figure("box", "queue.lost") == 0);
    assert_true(run_figure("box", "hits.wrong") == 0);
    assert_true(run_figure("box", "hits.nearest") == 1);
}

TEST(the_picture_is_the_reference) {
    cli_must("run", "box.yaml", "--quiet", "--force", "--out", "box", "--set", "workload.order=coherent",
             NULL);
    assert_true(files_equal("box/image.png", "box/reference.png"));
}

static bool contains(const char *path, const char *words) {
    size_t size;
    char *text = file_read(path, &size);
    const bool found = strstr(text, words) != NULL;
    return found;
}

/* Two units alone keep the one request in flight: of four the fixed arbiter never gets to the others, whom turns
 * revive, and the rays take as long with both. Of many requests in flight none of this holds. */
TEST(starved_units_are_found) {
    cli_must("run", "soup.yaml", "--quiet", "--force", "--out", "fixed", NULL);
    cli_must("run", "soup.yaml", "--quiet", "--force", "--out", "turns", "--set",
             "machine.intersection.arbiter=round_robin", NULL);
    cli_must("run", "soup.yaml", "--quiet", "--force", "--out", "many", "--set",
             "machine.memory.in_flight=many", NULL);
    struct table t = table_read("fixed", "units.csv");
    assert_true(table_int(&t, 3, "busy") * 1000 < table_int(&t, 0, "busy"));
    assert_true(table_int(&t, 2, "busy") * 100 < table_int(&t, 0, "busy"));
    size_t size; /* before how a request spends its time */
    char *text = file_read("fixed/findings.json", &size);
    assert_true(strstr(text, "are starved") < strstr(text, "A ray makes"));
    assert_true(contains("fixed/findings.json", "2 of 4 units (2, 3) are starved and work under 0.1 %"));
    assert_true(contains("fixed/findings.json", "machine.intersection.arbiter = round_robin"));
    assert_false(contains("turns/findings.json", "starved"));
    assert_false(contains("many/findings.json", "starved"));
    const double rate = run_figure("turns", "device.seconds") / run_figure("fixed", "device.seconds");
    assert_true(rate > 0.99 && rate < 1.01);
    assert_true(contains("fixed/findings.json", "More units gain nothing while one request is in flight"));
    assert_true(contains("turns/findings.json", "More units gain nothing while one request is in flight"));
    assert_false(contains("many/findings.json", "More units gain nothing"));
}

/* A clock beyond the published one is a finding, and the memory does not follow it. */
TEST(a_fast_clock_is_found) {
    cli_must("run", "soup.yaml", "--quiet", "--force", "--out", "fixed", NULL);
    cli_must("run", "soup.yaml", "--quiet", "--force", "--out", "fast", "--set", "machine.clock=500MHz",
             NULL);
    assert_false(contains("fixed/findings.json", "exceeds the 250 MHz"));
    assert_true(contains("fast/findings.json", "The clock of 500 MHz exceeds the 250 MHz"));
    assert_true(contains("fast/findings.json", "memory keeps its latency of 184 ns"));
    assert_true(run_figure("fast", "rays.per_second") < 1.6 * run_figure("fixed", "rays.per_second"));
}

/* Equal triangles all have one distance: endless queues would hold each of them, for each ray. */
TEST(a_rung_that_would_not_end_is_left_out) {
    FILE *mesh = fopen("equal.obj", "w");
    assert_non_null(mesh);
    fputs("v -1 -1 -3\nv 1 -1 -3\nv 0 1 -3\n", mesh);
    for (int i = 0; i < 70000; i++)
        fputs("f 1 2 3\n", mesh);
    assert_int_equal(fclose(mesh), 0);
    cli_write("equal.yaml",
              "machine: virtex5\nscene: { kind: mesh, file: equal.obj, camera: { position: [0, 0, 3], "
              "look_at: [0, 0, 0] } }\n"
              "workload: { kind: hierarchy, source: camera, camera: { width: 4, height: 4 }, leaf: 1, "
              "reference: none }\nrun: { detail: phase }\n");
    cli_must("run", "equal.yaml", "--quiet", "--out", "equal", NULL);
    assert_true(run_figure("equal", "queue.lost") > 0);
    assert_false(contains("equal/ladder.csv", "endless_queue"));
    assert_true(contains("equal/findings.json", "no rung of endless queues"));
    cli_must("run", "soup.yaml", "--quiet", "--force", "--out", "soup", NULL);
    assert_true(contains("soup/ladder.csv", "endless_queue"));
}

/* A camera of 16,384 x 16,384 rays is in the ranges; this host's memory says no before a ray is made. */
TEST(more_rays_than_memory_are_refused) {
    const double rays = 16384.0 * 16384.0,
                 bytes = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    if (bytes > rays * 100) {
        printf("skipped: this host has memory for them\n");
        skip();
    }
    const cli_result r = cli("run", "box.yaml", "--out", "huge", "--set", "workload.camera.width=16384",
                             "--set", "workload.camera.height=16384", NULL);
    cli_refused(&r, "workload.camera.width");
    assert_non_null(strstr(r.err, "of this host's memory"));
    assert_true(access("huge", F_OK) != 0 && access("huge.partial", F_OK) != 0);
}

/* --check looks at a thousand rays; a signal ends the walk of 4 million. */
TEST(large_requests_hear_a_signal) {
    static const char *const words[] = {"run",   "box.yaml",
                                        "--out", "large",
                                        "--set", "workload.camera.width=2048",
                                        "--set", "workload.camera.height=2048",
                                        NULL};
    cli_must("run", "box.yaml", "--check", "--set", "workload.camera.width=2048", "--set",
             "workload.camera.height=2048", NULL);
    const pid_t process = cli_start(words, 0);
    nanosleep(&(struct timespec){.tv_nsec = 300000000}, NULL);
    kill(process, SIGTERM);
    const cli_result r = cli_finish(process);
    assert_true(r.status == 1 || r.signal == SIGTERM); /* by signal: it had not begun to listen */
    assert_true(access("large", F_OK) != 0);
}

TEST(wrong_input_is_named) {
    static const struct {
        const char *set, *says;
    } cases[] = {
        {"workload.width=3", "expected 2, 4, 8 or 16"},
        {"workload.leaf=17", "workload.leaf"},
        {"machine.traversal.queue=-1", "machine.traversal.queue"},
        {"workload.source=file", "workload.file"},
        {"machine=gc200", "machine"},
        {"scene={ kind: foam }", "scene"},
        {"scene.builtin=spheres", "scene"},
        {"overlay.kind=mesh", "overlay"},
        {"workload.rays=0", "workload.rays"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const cli_result r =
            cli("run", "soup.yaml", "--quiet", "--force", "--out", "wrong", "--set", cases[i].set, NULL);
        if (r.status != 2 || strstr(r.err, cases[i].says) == NULL)
            fail_msg("%s: status %d, \"%s\"", cases[i].set, r.status, r.err);
    }
}

TEST(wrong_rays_are_named) {
    static const struct {
        const char *text, *says;
    } cases[] = {
        {"0 0 0 1 0 0\n0 0 0 1 0\n", "rays.txt:2:"},
        {"0 0 0 nan 0 0\n", "rays.txt:1:7"},
        {"# none\n", "expected rays"},
        {"0 0 0 0 0 0\n", "a direction with a length"},
        {"0 0 0 1 0 0 9\n", "rays.txt:1:13"},
        {"1 2 x 1 0 0\n", "rays.txt:1:5"},
        {"1e30 0 0 1 0 0\n", "of at most 1e15"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cli_write("rays.txt", cases[i].text);
        const cli_result r = cli("run", "soup.yaml", "--quiet", "--force", "--out", "wrong", "--set",
                                 "workload.source=file", "--set", "workload.file=rays.txt", NULL);
        if (r.status != 2 || strstr(r.err, cases[i].says) == NULL)
            fail_msg("%s: status %d, \"%s\"", cases[i].text, r.status, r.err);
    }
    cli_write("rays.txt", "# two rays\n0.5 0.5 0.5 0 0 2\n\n 0.1 0.2 0.3 1 0 0 # along x\n");
    cli_must("run", "soup.yaml", "--quiet", "--out", "two", "--set", "workload.source=file", "--set",
             "workload.file=rays.txt", NULL);
    assert_true(run_figure("two", "rays.count") == 2);
}

RUN_TESTS(enter, cli_leave)
