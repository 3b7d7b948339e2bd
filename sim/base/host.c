#include "sim/base/host.h"

#include <sys/resource.h>
#include <time.h>

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
