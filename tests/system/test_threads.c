/* The same run with one, two and three threads, again, and with a scene meshed anew: the same bytes. */
#include "tests/support/cli.h"
#include "tests/support/run_folder.h"
#include "tests/support/test.h"

/* Further settings of the experiment: what is tried has parallel loops over tiles, pixels and shards. */
static const char *const settings[][4] = {
    {"workload.payload=full", "run.frames=1", "machine.exchange.mode=static", "workload.repeat=20"},
    {"overlay.router_buffer=16 kB", "overlay.tracer_buffer=4 kB", "machine.exchange.mode=dynamic",
     "run.frames=2"},
    {"overlay.router_buffer=5 kB", "overlay.generator_ring=100", "workload.batching.order=columns",
     "workload.repeat=3"},
    {"workload.framebuffer=local", "workload.local_buffer=40 kB", "workload.payload=mixed",
     "run.stream=true"},
};
enum { SETTINGS = 4 };

static void run(const char *const set[4], const char *threads, const char *cache, const char *out) {
    cli_must("run", "x.yaml", "--quiet", "--force", "--set", set[0], "--set", set[1], "--set", set[2],
             "--set", set[3], "--threads", threads, "--out", out, cache, NULL);
}

TEST(threads_change_no_byte) {
    static const char *const threads[] = {"2", "3", "7"};
    for (int s = 0; s < SETTINGS; s++) {
        run(settings[s], "1", NULL, "one");
        for (size_t t = 0; t < sizeof threads / sizeof *threads; t++) {
            run(settings[s], threads[t], NULL, "more");
            assert_same_run("one", "more", SAME_SETTINGS);
        }
    }
}

TEST(a_repeat_changes_no_byte) {
    run(settings[1], "2", NULL, "one");
    run(settings[1], "2", NULL, "more");
    assert_same_run("one", "more", SAME_SETTINGS);
}

/* Scene, mesh and reference made again, with other threads, instead of taken from the cache. */
TEST(the_cache_changes_no_byte) {
    run(settings[0], "1", NULL, "one");
    run(settings[0], "3", "--no-cache", "more");
    assert_same_run("one", "more", SAME_SETTINGS);
}

TEST(the_runs_are_not_idle) {
    run(settings[1], "2", NULL, "more");
    assert_true(run_figure("more", "rays.spilled") > 0);
    run(settings[2], "2", NULL, "more");
    assert_true(run_figure("more", "rays.dropped") > 0);
}

RUN_TESTS(cli_enter_experiment, cli_leave)
