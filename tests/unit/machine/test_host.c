/* What the host spends: the programs that a run started count too, once they have ended. */
#include "sim/base/host.h"
#include "tests/support/test.h"

#include <sys/wait.h>
#include <unistd.h>

enum { MEGABYTES = 96 };
static const double burnt = 0.05; /* seconds of processor time */

/* Touches memory and computes for a while. */
static void spend(void) {
    char *memory = malloc((size_t)MEGABYTES << 20);
    if (memory == NULL)
        _exit(1);
    const double begin = fs_host_cpu_seconds();
    volatile char *touched = memory;
    for (size_t i = 0; i < (size_t)MEGABYTES << 20; i += 1024)
        touched[i] = 1;
    while (fs_host_cpu_seconds() - begin < burnt)
        touched[0]++;
    _exit(0);
}

TEST(children_count_once_they_have_ended) {
    const double before = fs_host_cpu_seconds();
    assert_true(fs_host_peak_rss_bytes() < (uint64_t)MEGABYTES << 20);
    const pid_t child = fork();
    if (child == 0)
        spend();
    int how = 1;
    assert_int_equal(waitpid(child, &how, 0), child);
    assert_int_equal(how, 0);
    assert_true(fs_host_cpu_seconds() - before >= 0.9 * burnt);
    assert_true(fs_host_peak_rss_bytes() >= (uint64_t)MEGABYTES << 20);
}

RUN_TESTS(NULL, NULL)
