/* foamsim run --ladder: each simulated rung is the run that its settings would be alone; one that can't be
 * run is told of and does no harm. */
#include "tests/support/cli.h"
#include "tests/support/pages/run_folder.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"

#include <signal.h>
#include <time.h>

static int begin(void **state) {
    if (cli_enter_experiment(state) != 0)
        return 1;
    cli_must("run", "x.yaml", "--quiet", "--ladder", "--out", "run", CLI_NARROW, NULL);
    cli_must("run", "x.yaml", "--quiet", "--out", "plain", CLI_NARROW, NULL);
    return 0;
}

/* The row of that name in a ladder table; fails the test if there is none. */
static size_t row_of(const struct table *t, const char *name) {
    for (size_t r = 0; r < t->rows; r++)
        if (strcmp(table_text(t, r, "name"), name) == 0)
            return r;
    fail_msg("no rung %s", name);
    return 0;
}

TEST(the_run_itself_is_untouched) {
    static const char *const files[] = {"summary.json", "ladder.csv", "lanes.csv", "image.png"};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        char a[64], b[64];
        snprintf(a, sizeof a, "run/%s", files[i]);
        snprintf(b, sizeof b, "plain/%s", files[i]);
        assert_true(files_equal(a, b));
    }
    assert_whole_run("run");
    assert_false(scratch_there("plain/ladder_simulated.csv"));
    assert_false(scratch_there("run/rung-0"));
}

TEST(each_rung_is_a_run_of_its_own) {
    struct table t = table_read("run", "ladder_simulated.csv"), ladder = table_read("run", "ladder.csv");
    double measured = run_figure("run", "device.cycles");
    size_t simulated = 0;
    for (size_t r = 0; r < t.rows; r++) {
        assert_string_equal(table_text(&t, r, "error"), "");
        char sets[1024];
        const char *words[48] = {"run", "x.yaml", "--quiet", "--force", "--out", "rung", CLI_NARROW};
        size_t n = 0;
        while (words[n] != NULL)
            n++;
        snprintf(sets, sizeof sets, "%s", table_text(&t, r, "sets"));
        for (char *set = strtok(sets, " "); set != NULL; set = strtok(NULL, " ")) {
            assert_true(n + 2 < sizeof words / sizeof words[0]);
            words[n++] = "--set";
            words[n++] = set;
        }
        cli_result result = cli_words(words, 0);
        assert_int_equal(result.status, 0);
        assert_true((double)table_int(&t, r, "cycles") == run_figure("rung", "device.cycles"));
        assert_true((double)table_int(&t, r, "iterations") == run_figure("rung", "device.iterations"));
        assert_true(strtod(table_text(&t, r, "joules"), NULL) == run_figure("rung", "energy.joules"));
        double gain = strtod(table_text(&t, r, "gain_percent"), NULL);
        assert_true(fabs(gain - 100 * (1 - (double)table_int(&t, r, "cycles") / measured)) < 1e-9);
        const bool together = strcmp(table_text(&t, r, "name"), "settings") == 0; /* no rung of the ladder */
        const char *rung =
            together ? "" : table_text(&ladder, row_of(&ladder, table_text(&t, r, "name")), "rung");
        assert_string_equal(table_text(&t, r, "rung"), rung);
        simulated++;
    }
    assert_int_equal(simulated, 4); /* free routers, infinite buffers, replicas, all settings */
    /* A bound keeps the traffic, and free routers change none: the bound is what the run takes. */
    size_t bound = row_of(&ladder, "free_routers"), row = row_of(&t, "free_routers");
    assert_int_equal(table_int(&t, row, "cycles"), table_int(&ladder, bound, "cycles"));
}

TEST(jobs_change_nothing) {
    cli_must("run", "x.yaml", "--quiet", "--ladder", "--jobs", "3", "--out", "three", CLI_NARROW, NULL);
    assert_same_run("run", "three", SAME_SETTINGS);
}

/* A rung that needs more iterations than the run may take fails: its row says why, the run and the others
 * stand, and `settings` goes without it. */
TEST(a_failed_rung_is_noted) {
    struct table t = table_read("run", "ladder_simulated.csv");
    const size_t longest = row_of(&t, "replicated");
    int64_t allowed = (int64_t)run_figure("run", "device.iterations");
    assert_true(table_int(&t, longest, "iterations") > allowed);
    char limit[64];
    snprintf(limit, sizeof limit, "run.max_iterations=%d", (int)allowed);
    cli_result r = cli("run", "x.yaml", "--ladder", "--out", "failing", CLI_NARROW, "--set", limit, NULL);
    assert_int_equal(r.status, 0);
    assert_non_null(strstr(r.err, "ladder: replicated failed: not done after run.max_iterations"));
    assert_true(files_equal("run/ladder.csv", "failing/ladder.csv"));
    struct table f = table_read("failing", "ladder_simulated.csv");
    assert_int_equal(f.rows, t.rows);
    for (size_t row = 0; row < f.rows; row++) {
        bool failed = row == longest;
        assert_int_equal(strcmp(table_text(&f, row, "cycles"), "null") == 0, failed);
        assert_int_equal(table_text(&f, row, "error")[0] != '\0', failed);
    }
    assert_null(strstr(table_text(&f, row_of(&f, "settings"), "sets"), "replicas"));
    assert_non_null(strstr(table_text(&f, row_of(&f, "settings"), "sets"), "infinite_buffers"));
    assert_whole_run("failing");
}

/* Without the books of congestion there is no ladder to climb. */
TEST(a_run_without_a_ladder_says_so) {
    cli_result r = cli("run", "x.yaml", "--ladder", "--out", "basic", "--set", "run.statistics=basic", NULL);
    assert_int_equal(r.status, 0);
    assert_non_null(strstr(r.err, "no ladder.csv"));
    assert_false(scratch_there("basic/ladder_simulated.csv"));
    assert_whole_run("basic");
}

TEST(a_killed_ladder_leaves_nothing) {
    static const int signals[] = {SIGKILL, SIGTERM};
    for (int s = 0; s < 2; s++) {
        const char *const words[] = {"run",   "x.yaml", "--quiet",  "--force", "--ladder",
                                     "--out", "cut",    CLI_NARROW, NULL};
        pid_t process = cli_start(words, 0);
        while (!scratch_there("cut.partial/rung-0.partial") && !cli_ended(process)) {
            struct timespec t = {0, 100000};
            nanosleep(&t, NULL);
        }
        kill(process, signals[s]);
        cli_result r = cli_finish(process);
        if (r.status != 0)
            assert_false(scratch_there("cut"));
        if (r.status == 1)
            assert_false(scratch_there("cut.partial"));
        cli_must("run", "x.yaml", "--quiet", "--force", "--ladder", "--out", "cut", CLI_NARROW, NULL);
        assert_same_run("run", "cut", SAME_SETTINGS);
        assert_int_equal(system("rm -r cut"), 0);
    }
}

RUN_TESTS(begin, cli_leave)
