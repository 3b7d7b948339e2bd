/* The hierarchy workload from the command line: replay and run, details, a picture that equals the reference,
 * figures that fit each other, wrong input with its place. */
#include "tests/support/cli.h"
#include "tests/support/run_folder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static int enter(void **state) {
    const int status = cli_enter(state);
    cli_write("soup.yaml", "machine: virtex5\nscene: { kind: mesh, soup: { triangles: 1500, seed: 3 } }\n"
                           "workload: { kind: hierarchy, rays: 1500 }\nrun: { detail: phase }\n");
    cli_write("box.yaml", "machine: virtex5\nscene: { kind: mesh, builtin: box }\n"
                          "workload: { kind: hierarchy, source: camera, camera: { width: 48, height: 40 }, "
                          "stop: nearest }\nrun: { detail: phase }\n");
    return status;
}

static void replay_is_run(void **state) {
    (void)state;
    cli_must("run", "soup.yaml", "--quiet", "--out", "a", "--record", "a.rays", NULL);
    cli_must("run", "soup.yaml", "--quiet", "--out", "b", "--replay", "a.rays", NULL);
    assert_same_run("a", "b", SAME_SETTINGS);
    cli_must("run", "soup.yaml", "--quiet", "--out", "c", "--set", "machine.traversal.units=2", "--set",
             "machine.memory.in_flight=many", NULL);
    cli_must("run", "soup.yaml", "--quiet", "--out", "d", "--set", "machine.traversal.units=2", "--set",
             "machine.memory.in_flight=many", "--replay", "a.rays", NULL);
    assert_same_run("c", "d", SAME_SETTINGS);
    const cli_result r = cli("run", "soup.yaml", "--quiet", "--out", "e", "--set", "workload.leaf=5",
                             "--replay", "a.rays", NULL);
    assert_int_equal(r.status, 2);
    assert_non_null(strstr(r.err, "workload.leaf"));
}

static void details_agree(void **state) {
    (void)state;
    cli_must("run", "soup.yaml", "--quiet", "--out", "phase", NULL);
    cli_must("run", "soup.yaml", "--quiet", "--out", "event", "--set", "run.detail=event", NULL);
    assert_same_run("phase", "event", OTHER_SETTINGS);
}

static void threads_change_nothing(void **state) {
    (void)state;
    cli_must("run", "soup.yaml", "--quiet", "--force", "--out", "one", "--threads", "1", NULL);
    cli_must("run", "soup.yaml", "--quiet", "--force", "--out", "three", "--threads", "3", NULL);
    assert_same_run("one", "three", SAME_SETTINGS);
}

/* The queue's entries and the hits; what a soup loses and a mesh does not. */
static void figures_fit_each_other(void **state) {
    (void)state;
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

static void the_picture_is_the_reference(void **state) {
    (void)state;
    cli_must("run", "box.yaml", "--quiet", "--force", "--out", "box", "--set", "workload.order=coherent",
             NULL);
    assert_true(files_equal("box/image.png", "box/reference.png"));
}

static void wrong_input_is_named(void **state) {
    (void)state;
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

static void wrong_rays_are_named(void **state) {
    (void)state;
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(replay_is_run),
        cmocka_unit_test(details_agree),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(figures_fit_each_other),
        cmocka_unit_test(the_picture_is_the_reference),
        cmocka_unit_test(wrong_input_is_named),
        cmocka_unit_test(wrong_rays_are_named),
    };
    return cmocka_run_group_tests_name("hierarchy run", tests, enter, cli_leave);
}
