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

double fs_host_cpu_seconds(void) {
    return seconds(CLOCK_PROCESS_CPUTIME_ID);
}

uint64_t fs_host_peak_rss_bytes(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (uint64_t)usage.ru_maxrss * 1024;
}

uint64_t fs_host_memory_bytes(void) {
    long pages = sysconf(_SC_PHYS_PAGES), bytes = sysconf(_SC_PAGESIZE);
    return pages > 0 && bytes > 0 ? (uint64_t)pages * (uint64_t)bytes : 0;
}
