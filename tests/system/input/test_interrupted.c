/* Runs that end before they are done: killed, interrupted, or without room on the disk. Nothing half-written
 * ever stands under the name of the results, and what is left does not disturb the next run. */
#include "sim/base/host.h"
#include "sim/base/rng.h"
#include "tests/support/cli.h"
#include "tests/support/pages/run_folder.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"

#include <signal.h>

static uint64_t seed;

/* Until a file is there or the process has ended. */
static void wait_for(const char *path, pid_t process) {
    while (!scratch_there(path) && !cli_ended(process))
        test_nap(2e-5);
}

/* A run far longer than any test waits. */
static pid_t start_long(const char *out) {
    const char *const words[] = {"run",
                                 "x.yaml",
                                 "--quiet",
                                 "--out",
                                 out,
                                 "--set",
                                 "run.frames=10000",
                                 "--set",
                                 "run.max_iterations=65534",
                                 "--set",
                                 "workload.camera.width=640",
                                 "--set",
                                 "workload.camera.height=480",
                                 NULL};
    return cli_start(words, 0);
}

/* Seconds of a whole run, so that kills fall into it; only their spread depends on this. */
static double length_of_a_run(void) {
    double begin = fs_host_wall_seconds();
    cli_must("run", "x.yaml", "--quiet", "--out", "timed", NULL);
    return fs_host_wall_seconds() - begin;
}

/* One run killed: at a random time (way 0), when some file has appeared beside the final folder (1), or when
 * one has while a finished run is being replaced (2). Returns whether it was killed before its end. */
static bool kill_a_run(fs_rng *rng, int way, double length, const char *out) {
    static const char *const files[] = {"stats.csv", "tiles.csv",     "hops.csv",     "image.png",
                                        "host.json", "resolved.yaml", "manifest.json"};
    const uint32_t count = sizeof files / sizeof *files;
    char path[64];
    const char *const words[] = {"run", "x.yaml", "--quiet", "--force", "--out", out, NULL};
    if (way == 2)
        cli_must("run", "x.yaml", "--quiet", "--out", out, NULL);
    pid_t process = cli_start(words, 0);
    uint32_t choice = fs_rng_below(rng, count + 2);
    if (choice < count)
        snprintf(path, sizeof path, "%s.partial/%s", out, files[choice]);
    else
        snprintf(path, sizeof path, "%s%s", out, way == 2 ? ".old.partial" : "");
    if (way == 0)
        test_nap(fs_rng_range(rng, 0, length));
    else
        wait_for(path, process);
    kill(process, SIGKILL);
    cli_result r = cli_finish(process);
    assert_true(r.signal == SIGKILL || r.status == 0);
    if (scratch_there(out))
        assert_whole_run(out); /* the one that was there before, or the new one */
    else
        assert_true(r.signal == SIGKILL);
    return r.signal == SIGKILL;
}

TEST(a_killed_run_leaves_nothing_half_written) {
    enum { KILLS = 30 };
    fs_rng rng = fs_rng_stream(seed, "test/interrupted");
    double length = length_of_a_run();
    int killed = 0;
    for (int i = 0; i < KILLS; i++) {
        char out[16], path[32];
        snprintf(out, sizeof out, "killed-%d", i);
        killed += kill_a_run(&rng, i % 3, length, out);
        cli_must("run", "x.yaml", "--quiet", "--force", "--out", out, NULL); /* over what the dead one left */
        assert_same_run("timed", out, SAME_SETTINGS);
        snprintf(path, sizeof path, "%s.partial", out);
        assert_false(scratch_there(path));
        snprintf(path, sizeof path, "%s.old.partial", out);
        assert_false(scratch_there(path));
    }
    print_message("seed %llu: %d of %d runs were killed before their end\n", (unsigned long long)seed, killed,
                  KILLS);
    assert_true(killed > 0);
}

TEST(an_interrupted_run_cleans_up) {
    static const int signals[] = {SIGINT, SIGTERM};
    for (int s = 0; s < 2; s++) {
        pid_t process = start_long("long");
        wait_for("long.partial", process);
        test_nap(0.1);
        kill(process, signals[s]);
        cli_result r = cli_finish(process);
        assert_true(r.status != 0);
        assert_false(scratch_there("long"));
        if (r.signal == 0) { /* it listened already, as it does but on the slowest machine */
            assert_int_equal(r.status, 1);
            assert_non_null(strstr(r.err, "interrupted"));
            assert_false(scratch_there("long.partial"));
        }
    }
}

/* No file may be larger than some size: as on a full disk, writing fails in the middle. */
TEST(a_full_disk_is_told_and_leaves_nothing) {
    /* Not less than 1 KiB: clang's OpenMP runtime makes a shared memory object of that size when it starts. */
    static const uint64_t limits[] = {1100, 2000, 3000, 6000, 12000, 30000};
    static const char *const words[] = {"run", "x.yaml", "--quiet", "--out", "full", "--no-cache", NULL};
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        cli_result r = cli_words(words, limits[i]);
        if (r.status != 1 || strstr(r.err, "full.partial/") == NULL || strstr(r.err, "cannot write") == NULL)
            fail_msg("limit %d: exit status %d, signal %d\n%s", (int)limits[i], r.status, r.signal, r.err);
        assert_false(scratch_there("full"));
        assert_false(scratch_there("full.partial"));
    }
    cli_must("run", "x.yaml", "--quiet", "--out", "full", NULL);
    assert_same_run("timed", "full", SAME_SETTINGS);
}

/* The cache can't be written: the run goes on without it, or says so; a later run is not misled by what is
 * there. */
TEST(a_cache_without_room_does_no_harm) {
    static const char *const words[] = {"run",
                                        "x.yaml",
                                        "--quiet",
                                        "--out",
                                        "small",
                                        "--cache",
                                        "little",
                                        "--set",
                                        "workload.camera.width=8",
                                        "--set",
                                        "workload.camera.height=6",
                                        NULL};
    cli_result r = cli_words(words, 100000); /* the cached foam is larger */
    if (r.status != 0 && (r.status != 1 || strstr(r.err, "little/") == NULL))
        fail_msg("exit status %d, signal %d\n%s", r.status, r.signal, r.err);
    cli_must("run", "x.yaml", "--quiet", "--out", "again", "--cache", "little", NULL);
    assert_same_run("timed", "again", SAME_SETTINGS);
}

/* A cache entry that was damaged is made anew. */
TEST(a_damaged_cache_is_made_anew) {
    cli_must("run", "x.yaml", "--quiet", "--out", "fresh", "--cache", "hurt", NULL);
    int damaged =
        system("for f in $(find hurt -type f); do printf 'xxxx' | dd of=$f bs=1 seek=$(($(wc -c <$f) / 2)) "
               "conv=notrunc 2>/dev/null || exit 1; done; test $(find hurt -type f | wc -l) -ge 2");
    assert_int_equal(damaged, 0);
    cli_must("run", "x.yaml", "--quiet", "--out", "healed", "--cache", "hurt", NULL);
    assert_same_run("timed", "healed", SAME_SETTINGS);
    assert_same_run("fresh", "healed", SAME_SETTINGS);
}

TEST(two_runs_for_one_folder_do_not_mix) {
    pid_t process = start_long("both");
    wait_for("both.partial", process);
    test_nap(0.1);
    cli_result r = cli("run", "x.yaml", "--quiet", "--out", "both", NULL);
    kill(process, SIGKILL);
    cli_finish(process);
    if (r.status ==
        0) { /* the first one had made its folder but not locked it yet: the second had it for itself */
        assert_same_run("timed", "both", SAME_SETTINGS);
    } else {
        cli_refused(&r, "both is being written by another run");
        assert_false(scratch_there("both"));
    }
    cli_must("run", "x.yaml", "--quiet", "--force", "--out", "both", NULL);
    assert_same_run("timed", "both", SAME_SETTINGS);
}

static int begin(void **state) {
    if (cli_enter(state) != 0)
        return 1;
    seed = test_seed(20250307);
    cli_write_experiment("x.yaml");
    cli_must("run", "x.yaml", "--quiet", "--out", "warm", NULL); /* the scene is in the cache from here on */
    return 0;
}

RUN_TESTS(begin, cli_leave)
