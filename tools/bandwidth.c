/* What the host's memory gives a copy loop: build/bandwidth [MEGABYTES]
 *
 * Copies a block that fits no cache (256 MB) onto another, some times, and prints gigabytes read and written
 * together in a second of processor time of one thread: the most of them, as what else the host does can only
 * take away from it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TIMES = 7, MEGABYTE = 1000000 };

static double cpu_seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(int argc, char **argv) {
    const long megabytes = argc > 1 ? strtol(argv[1], NULL, 10) : 256;
    if (megabytes < 1 || megabytes > 100000) {
        fputs("usage: bandwidth [MEGABYTES]\n", stderr);
        return 2;
    }
    const size_t bytes = (size_t)megabytes * MEGABYTE;
    unsigned char *from = malloc(bytes), *to = malloc(bytes);
    if (from == NULL || to == NULL) {
        fputs("bandwidth: too little memory\n", stderr);
        free(from);
        free(to);
        return 1;
    }
    memset(from, 1, bytes);
    memset(to, 2, bytes);
    double best = 0;
    for (int i = 0; i < TIMES; i++) {
        from[(size_t)i * 64 % bytes]++;
        const double begin = cpu_seconds();
        memcpy(to, from, bytes);
        const double rate = 2 * (double)bytes / (cpu_seconds() - begin);
        best = rate > best ? rate : best;
    }
    printf("%.2f\n", best / 1e9 + 0 * (double)to[bytes - 1]);
    free(from);
    free(to);
    return 0;
}
