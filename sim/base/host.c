#include "sim/base/host.h"

#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static double seconds(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double fs_host_wall_seconds(void) {
    return seconds(CLOCK_MONOTONIC);
}

/* RUSAGE_SELF or RUSAGE_CHILDREN: those that have ended. */
static struct rusage used_by(int who) {
    struct rusage usage;
    getrusage(who, &usage);
    return usage;
}

static double seconds_of(struct timeval t) {
    return (double)t.tv_sec + 1e-6 * (double)t.tv_usec;
}

double fs_host_cpu_seconds(void) {
    const struct rusage children = used_by(RUSAGE_CHILDREN);
    return seconds(CLOCK_PROCESS_CPUTIME_ID) + seconds_of(children.ru_utime) + seconds_of(children.ru_stime);
}

uint64_t fs_host_peak_rss_bytes(void) {
    const long own = used_by(RUSAGE_SELF).ru_maxrss, largest = used_by(RUSAGE_CHILDREN).ru_maxrss; /* KiB */
    return (uint64_t)(own > largest ? own : largest) * 1024;
}

uint64_t fs_host_memory_bytes(void) {
    long pages = sysconf(_SC_PHYS_PAGES), bytes = sysconf(_SC_PAGESIZE);
    return pages > 0 && bytes > 0 ? (uint64_t)pages * (uint64_t)bytes : 0;
}
