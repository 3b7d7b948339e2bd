/* Commands that are asked to end at any moment: each ends soon, in words or by the signal, leaves no process
 * behind, and nothing half-written under a final name.
 *
 * FOAMSIM_SIGNALS, FOAMSIM_KILLS: how many of each command (1 and 1; `make faults` has 1,000 and 300).
 * FOAMSIM_SEED: of the moments; FOAMSIM_ONLY: a pattern of these tests' names, `a_sweep*`. */
#include "sim/base/host.h"
#include "sim/base/rng.h"
#include "tests/support/cli.h"
#include "tests/support/foreign/foreign_case.h"
#include "tests/support/pages/page_text.h"
#include "tests/support/pages/run_folder.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"

#include <signal.h>

static const double patience = 10; /* seconds from the signal to the end */
static uint64_t seed = 17;

static void ends(pid_t process, const char *what, int number) {
    double begin = fs_host_wall_seconds();
    while (!cli_ended(process)) {
        if (fs_host_wall_seconds() - begin > patience) {
            kill(process, SIGKILL);
            cli_finish(process);
            fail_msg("seed %llu: %s: %d s after signal %d it was still there", (unsigned long long)seed, what,
                     (int)patience, number);
        }
        test_nap(1e-3);
    }
}

/* A command that is ended again and again. */
typedef struct command {
    const char *const *words;
    const char *out;    /* the run folder that it leaves; NULL: none */
    void (*anew)(void); /* makes it begin from the beginning; NULL: it does */
} command;

/* No process of it is left, and what stands under the run's name is whole. */
static void nothing_is_left(const command *c) {
    for (int k = 0; k < 300 && foreign_processes() > 1; k++)
        test_nap(1e-2);
    assert_int_equal(foreign_processes(), 1); /* this one */
    if (c->out != NULL && scratch_there(c->out))
        assert_whole_run(c->out);
}

static void one_signal(const command *c, int number, double moment) {
    char partial[64], aside[64];
    const bool kills = number == SIGKILL, there = c->out != NULL && kills && scratch_there(c->out);
    if (c->out != NULL && !kills && scratch_there(c->out))
        foreign_remove(c->out);
    if (c->anew != NULL)
        c->anew();
    pid_t process = cli_start(c->words, 0);
    test_nap(moment);
    kill(process, number);
    ends(process, c->words[0], number);
    cli_result r = cli_finish(process);
    if (r.status > 1 || strstr(r.err, "METIS") != NULL || strstr(r.err, "defect at") != NULL)
        fail_msg("seed %llu: %s: signal %d after %.3f s: status %d: %s", (unsigned long long)seed,
                 c->words[0], number, moment, r.status, r.err);
    nothing_is_left(c);
    snprintf(partial, sizeof partial, "%s.partial", c->out == NULL ? "none" : c->out);
    snprintf(aside, sizeof aside, "%s.old.partial", c->out == NULL ? "none" : c->out);
    if (c->out != NULL && r.status == 1)
        assert_false(scratch_there(partial));
    if (there)
        assert_true(scratch_there(c->out) || scratch_there(aside)); /* what was there before is not lost */
}

/* Signals at moments of every part of the command's time, drawn within the part; then as many as wanted that
 * nobody can catch. The command itself succeeds before and after. */
static void interrupt(const command *c) {
    static const int signals[] = {SIGTERM, SIGINT, SIGHUP};
    const int signal_count = (int)test_number("FOAMSIM_SIGNALS", 1),
              kills = (int)test_number("FOAMSIM_KILLS", 1);
    fs_rng rng = fs_rng_stream(seed, c->words[1]);
    if (c->anew != NULL)
        c->anew();
    const double begin = fs_host_wall_seconds();
    cli_result whole = cli_words(c->words, 0);
    if (whole.status != 0)
        fail_msg("%s: %s", c->words[0], whole.err);
    const double length = fs_host_wall_seconds() - begin;
    for (int i = 0; i < signal_count; i++)
        one_signal(c, signals[fs_rng_below(&rng, 3)], fs_rng_range(&rng, i, i + 1) * length / signal_count);
    for (int i = 0; i < kills; i++)
        one_signal(c, SIGKILL, fs_rng_range(&rng, i, i + 1) * length / kills);
    whole = cli_words(c->words, 0); /* goes on from whatever there is */
    if (whole.status != 0)
        fail_msg("%s after %d signals: %s", c->words[0], signal_count + kills, whole.err);
    nothing_is_left(c);
}
#define INTERRUPT(OUT, ANEW, ...)                                                                            \
    interrupt(&(command){.words = (const char *const[]){__VA_ARGS__, NULL}, .out = OUT, .anew = ANEW})

TEST(a_run) {
    INTERRUPT("run", NULL, "run", "x.yaml", "-q", "--force", "--out", "run");
}

/* METIS leaves by a jump when a signal comes, out of malloc too: nothing of ours may wait behind it. */
TEST(a_run_that_metis_cuts) {
    INTERRUPT("cut", NULL, "run", "m.yaml", "-q", "--force", "--no-cache", "--out", "cut");
}

TEST(a_set_of_views_that_metis_cuts) {
    INTERRUPT("set", NULL, "run", "v.yaml", "-q", "--force", "--out", "set", "--jobs", "2");
}

/* The points of the store, as text; free(). */
static char *points_of(const char *store) {
    setenv("PROGRAM", cli_program(), 1);
    setenv("STORE", store, 1);
    assert_int_equal(system("\"$PROGRAM\" query \"$STORE\" export >exported"), 0);
    return file_text("exported");
}

static void remove_store(void) {
    assert_int_equal(system("rm -rf s.db*"), 0);
}

TEST(a_sweep) {
    INTERRUPT(NULL, remove_store, "sweep", "s.yaml", "-q", "--store", "s.db", "--jobs", "2");
    char *found = points_of("s.db");
    cli_must("sweep", "s.yaml", "-q", "--store", "whole.db", NULL);
    char *expected = points_of("whole.db");
    assert_string_equal(found, expected);
}

/* The same store through all of it: what was done once is never done again, and nothing of it is lost. */
TEST(a_sweep_that_goes_on) {
    INTERRUPT(NULL, NULL, "sweep", "s.yaml", "-q", "--store", "on.db", "--jobs", "2", "--retry");
}

TEST(a_report) {
    if (!have_program("gnuplot"))
        skip();
    cli_must("run", "x.yaml", "-q", "--force", "--out", "drawn", NULL);
    INTERRUPT(NULL, NULL, "report", "drawn", "--plots");
}

TEST(a_comparison) {
    if (!have_program("gnuplot"))
        skip();
    cli_must("run", "x.yaml", "-q", "--force", "--out", "one", NULL);
    cli_must("run", "x.yaml", "-q", "--force", "--out", "two", "--set", "machine.clock=1 GHz", NULL);
    INTERRUPT(NULL, NULL, "compare", "one", "two", "-o", "both.html");
}

static void remove_validation(void) {
    assert_int_equal(system("rm -rf val"), 0);
}

TEST(a_validation) {
    INTERRUPT(NULL, remove_validation, "validate", "--from", "v", "--quick", "-q", "-o", "val", "--jobs",
              "2");
}

/* Results of a cluster's tasks that nobody has merged: the Slurm of the set-up ends the sweep before it does. */
static void unmerged(void) {
    assert_int_equal(system("rm -rf m.db* && cp -R cluster/. ."), 0);
}

TEST(a_merge) {
    setenv("PROGRAM", cli_program(), 1);
    assert_int_equal(
        system("mkdir cluster; PATH=\"$PWD/bin:$PATH\" \"$PROGRAM\" sweep s.yaml --store m.db --cluster "
               "slurm >words 2>&1; mv m.db* cluster/"),
        0);
    INTERRUPT(NULL, unmerged, "merge", "m.db");
    unmerged();
    cli_must("merge", "m.db", NULL);
    char *found = points_of("m.db");
    assert_true(count(found, "done") >= 4);
}

static int write_validation(void) {
    cli_write(
        "v/cases/rows.yaml",
        "title: Rows\nsource: Tab. 1\nabout: Times.\nensemble: small\nscored: true\norder: device.seconds\n"
        "axes:\n  - { key: workload.batching.per_batch, values: [1, 2], names: [1 row, 2 rows] }\n"
        "figures:\n"
        "  - { name: first, variant: 1 row, figure: device.seconds, published: 0.02, use: calibrate }\n"
        "  - { name: time, figure: device.seconds, published: [0.02, 0.02], use: predict }\n");
    return 0;
}

/* A Slurm that runs all tasks at once and then ends the command that sent them. */
static int write_slurm(void) {
    cli_write("bin/sbatch",
              "#!/bin/sh\nfor script; do :; done\n"
              "last=$(sed -n 's/^#SBATCH --array=0-\\([0-9]*\\).*/\\1/p' \"$script\")\n"
              "for i in $(seq 0 \"$last\"); do SLURM_ARRAY_TASK_ID=$i sh \"$script\" >/dev/null 2>&1; done\n"
              "kill -9 $PPID\n");
    cli_write("bin/squeue", "#!/bin/sh\nexit 0\n");
    cli_write("bin/scancel", "#!/bin/sh\nexit 0\n");
    return system("chmod +x bin/*");
}

static int setup(void **state) {
    if (cli_enter_experiment(state) != 0)
        return 1;
    cli_write("m.yaml", "base: x.yaml\nname: m\nworkload: { partition: { kind: metis } }\n");
    cli_write("v.yaml", "base: m.yaml\nname: v\nviews: { kind: list, positions: [[2.1, -2.9, 1.7], [1.7, "
                        "-3.6, 1.5], [1.2, -3.3, 1.4]], look_at: [0.1, 0.2, 0.6] }\n");
    cli_write("s.yaml", "name: s\nbase: x.yaml\naxes:\n  - { key: workload.batching.idle, values: [5, 10] }\n"
                        "  - { key: machine.clock, values: [1 GHz, 1.33 GHz] }\n");
    return system("mkdir -p v/cases v/standins bin && sed 's/^name: .*//; 1s/^#.*/# A garden./' x.yaml "
                  ">v/standins/small-1.yaml") != 0 ||
           write_validation() || write_slurm();
}

int main(void) {
    if (getenv("FOAMSIM_ONLY") != NULL)
        cmocka_set_test_filter(getenv("FOAMSIM_ONLY"));
    seed = test_seed(seed);
    signal(SIGHUP, SIG_DFL); /* nohup, under which hours are run, leaves it ignored */
    return test_run(setup, cli_leave);
}
