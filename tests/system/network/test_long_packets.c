/* Runs of packets that would take for ever: each says how long, takes little memory, and ends soon when it is asked
 * to; and what is looked at before a run is bounded whatever the size of the network. */
#include "sim/base/host.h"
#include "sim/host/places.h"
#include "tests/support/cli.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"

#include <signal.h>

/* Seconds that a busy host may need to hear a signal, which a quiet one hears within one; deaf runs would take hours. */
enum { MOST_SETS = 4, LIMIT = 20 };

/* KiB that a process has in memory. */
static long memory_of(pid_t process) {
    char path[64], line[256];
    long kib = 0;
    snprintf(path, sizeof path, "/proc/%ld/status", (long)process);
    FILE *file = fopen(path, "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        if (strncmp(line, "VmRSS:", 6) == 0)
            kib = strtol(line + 6, NULL, 10);
    if (file != NULL)
        fclose(file);
    return kib;
}

static const struct {
    const char *sets[MOST_SETS];
    const char *said;
} runs[] = {
    {{"workload.measure=1000000000 cycles"}, "the run takes about "},
    {{"workload.warmup=1000000000 cycles", "workload.load=find"}, "the run takes about "},
    {{"workload.source=closed", "workload.measure=1000000000 cycles"}, "the run takes about "},
    {{"workload.source=stream", "workload.stream.bytes=1000 GB"}, "the run takes about "},
    {{"workload.source=stream", "workload.stream.op=read", "workload.stream.bytes=1000 GB"},
     "the run takes about "},
    {{"workload.source=stream", "workload.stream.op=multicast", "workload.stream.bytes=1000 GB"},
     "the run takes about "},
    {{"workload.source=trace", "workload.trace.network=bytes.csv"}, "the run takes about "},
    {{"workload.source=trace", "workload.trace.network=gap.csv"}, ""},
};

static void ends_soon(const char *const sets[MOST_SETS], const char *said) {
    char experiment[4096];
    const char *words[16] = {"run", experiment, "--force", "--out", "out"};
    size_t n = 5;
    snprintf(experiment, sizeof experiment, "%s/experiments/noc-traffic.yaml", fs_configs_dir());
    for (size_t s = 0; s < MOST_SETS && sets[s] != NULL; s++) {
        words[n++] = "--set";
        words[n++] = sets[s];
    }
    const pid_t process = cli_start(words, 0);
    const double begin = fs_host_wall_seconds();
    while (!cli_ended(process) && !cli_said(said) && fs_host_wall_seconds() - begin < 60)
        test_nap(0.02);
    test_nap(0.5);
    if (cli_ended(process))
        fail_msg("%s: ended by itself: %s", sets[0], cli_finish(process).err);
    const long memory = memory_of(process);
    const double asked = fs_host_wall_seconds();
    kill(process, SIGTERM);
    while (!cli_ended(process) && fs_host_wall_seconds() - asked < LIMIT)
        test_nap(1e-3);
    const double took = fs_host_wall_seconds() - asked;
    kill(process, SIGKILL);
    const cli_result r = cli_finish(process);
    if (took >= LIMIT || memory > 400000 || r.status != 1 || strstr(r.err, "interrupted after ") == NULL ||
        strstr(r.err, said) == NULL || scratch_there("out"))
        fail_msg("%s: %.1f s after SIGTERM, %ld KiB, status %d: %s", sets[0], took, memory, r.status, r.err);
}

TEST(a_signal_is_heard) {
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++)
        ends_soon(runs[i].sets, runs[i].said);
}

TEST(calls_that_pile_up_end_the_run) {
    char experiment[4096];
    snprintf(experiment, sizeof experiment, "%s/experiments/noc-traffic.yaml", fs_configs_dir());
    const char *words[] = {"run",
                           experiment,
                           "-q",
                           "--out",
                           "out",
                           "--set",
                           "workload.source=stream",
                           "--set",
                           "workload.stream.transactions=1000000",
                           "--set",
                           "workload.max_packets=10000",
                           NULL};
    const cli_result r = cli_words(words, 0);
    assert_int_equal(r.status, 1);
    assert_non_null(strstr(r.err, "more than 10000 calls are under way after "));
}

/* The ways of 65,536 nodes to each other are 4 billion: hours, if each were walked. */
TEST(large_networks_are_looked_at_in_seconds) {
    char experiment[4096];
    snprintf(experiment, sizeof experiment, "%s/experiments/noc-traffic.yaml", fs_configs_dir());
    cli_must("run", experiment, "--check", "--set", "machine.exchange.noc.size=[256, 256]", NULL);
    cli_must("run", experiment, "--check", "--set", "machine.exchange.noc.size=[256, 256]", "--set",
             "workload.pattern=tornado", NULL);
}

static int setup(void **state) {
    cli_enter(state);
    cli_write("bytes.csv", "A,0,0,WRITE,NOC_0,0,3,3,1099511627776,0\n");
    cli_write("gap.csv", "A,0,0,WRITE,NOC_0,0,3,3,64,0\nA,0,0,WRITE,NOC_0,0,3,3,64,1099511627776\n");
    return 0;
}

RUN_TESTS(setup, cli_leave)
