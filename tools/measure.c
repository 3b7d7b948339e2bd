/* What a command costs: build/measure REPORT COMMAND [ARGUMENT ...]
 *
 * Runs the command and writes three lines to the file REPORT, also when it fails:
 *   seconds S        wall time
 *   cpu_seconds S    user and system time of the command and of all that it waited for
 *   peak_bytes N     the most memory that it and its descendants held at one time: resident sets summed every
 *                    20 ms, or the largest that one process ever held (the kernel's figure), if that is more
 * Ends with the command's status; 127 when it can't be run, 128 + the signal that ended it. */
#define _GNU_SOURCE /* wait4 */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { LOOK_NS = 20000000, DEPTH = 8 };

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The first `size` - 1 bytes of a file of /proc; "" once the process is gone. */
static const char *proc_file(char *text, size_t size, const char *format, long pid) {
    char path[64];
    snprintf(path, sizeof path, format, pid, pid);
    text[0] = '\0';
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return text;
    text[fread(text, 1, size - 1, file)] = '\0';
    fclose(file);
    return text;
}

/* Resident bytes of a process and of what its main thread started, and so on. */
static uint64_t resident(long pid, int depth) {
    char text[4096], *rest;
    proc_file(text, sizeof text, "/proc/%ld/statm", pid); /* pages: all, resident, ... */
    strtoull(text, &rest, 10);
    uint64_t bytes = strtoull(rest, NULL, 10) * (uint64_t)sysconf(_SC_PAGESIZE);
    if (depth == 0)
        return bytes;
    proc_file(text, sizeof text, "/proc/%ld/task/%ld/children", pid);
    for (char *at = text;; at = rest) {
        long child = strtol(at, &rest, 10);
        if (rest == at)
            return bytes;
        bytes += resident(child, depth - 1);
    }
}

static double seconds_of(struct timeval t) {
    return (double)t.tv_sec + 1e-6 * (double)t.tv_usec;
}

static int write_report(const char *path, double seconds, const struct rusage *used, uint64_t peak) {
    const uint64_t largest = (uint64_t)used->ru_maxrss * 1024;
    FILE *file = fopen(path, "w");
    if (file == NULL) {
        fprintf(stderr, "measure: %s: %s\n", path, strerror(errno));
        return 1;
    }
    fprintf(file, "seconds %.3f\ncpu_seconds %.3f\npeak_bytes %llu\n", seconds,
            seconds_of(used->ru_utime) + seconds_of(used->ru_stime),
            (unsigned long long)(peak > largest ? peak : largest));
    return fclose(file) != 0;
}

int main(int argc, char **argv) {
    if (argc < 3) {
        fputs("usage: measure REPORT COMMAND [ARGUMENT ...]\n", stderr);
        return 2;
    }
    const struct timespec pause = {.tv_nsec = LOOK_NS};
    struct rusage used;
    uint64_t peak = 0;
    int status = 0;
    double begin = now();
    pid_t child = fork();
    if (child < 0) {
        perror("measure: fork");
        return 127;
    }
    if (child == 0) {
        execvp(argv[2], argv + 2);
        fprintf(stderr, "measure: %s: %s\n", argv[2], strerror(errno));
        _exit(127);
    }
    while (wait4(child, &status, WNOHANG, &used) == 0) {
        uint64_t bytes = resident(child, DEPTH);
        peak = bytes > peak ? bytes : peak;
        nanosleep(&pause, NULL);
    }
    if (write_report(argv[1], now() - begin, &used, peak))
        return 1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
