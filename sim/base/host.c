/* What the host can, and spends: clocks, resource usage, and memory out of /proc. */
#include "sim/base/host.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

enum { MOST_FAMILY = 256 }; /* processes whose memory is summed */

bool fs_host_has_avx2(void) {
#if defined(__x86_64__)
    unsigned a, b, c = 0, d;
    return __builtin_cpu_supports("avx2") && __get_cpuid(1, &a, &b, &c, &d) != 0 && (c & bit_F16C) != 0;
#else
    return false;
#endif
}

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

/* The beginning of a file of /proc; "" when it is gone. */
static void read_proc(const char *path, char *text, size_t size) {
    FILE *file = fopen(path, "r");
    size_t length = file == NULL ? 0 : fread(text, 1, size - 1, file);
    text[length] = '\0';
    if (file != NULL)
        fclose(file);
}

static uint64_t resident_of(pid_t process) {
    char path[64], text[128], *second = text;
    snprintf(path, sizeof path, "/proc/%ld/statm", (long)process);
    read_proc(path, text, sizeof text);
    strtoull(text, &second, 10); /* all pages, then the resident ones */
    return (uint64_t)strtoull(second, NULL, 10) * (uint64_t)sysconf(_SC_PAGESIZE);
}

uint64_t fs_host_resident_bytes(pid_t process) {
    pid_t family[MOST_FAMILY] = {process};
    size_t count = 1;
    uint64_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += resident_of(family[i]);
        char path[96], text[4096], *at = text, *end = text;
        snprintf(path, sizeof path, "/proc/%ld/task/%ld/children", (long)family[i], (long)family[i]);
        read_proc(path, text, sizeof text);
        for (long child = strtol(at, &end, 10); end != at && count < MOST_FAMILY;
             child = strtol(at, &end, 10)) {
            family[count++] = (pid_t)child;
            at = end;
        }
    }
    return sum;
}
