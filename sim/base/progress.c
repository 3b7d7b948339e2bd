#include "sim/base/progress.h"

#include <inttypes.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static bool quiet;
static volatile sig_atomic_t interrupted;

void fs_say_quiet(bool q) {
    quiet = q;
}

void fs_say(const char *format, ...) {
    if (quiet)
        return;
    va_list args;
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
}

static double host_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void fs_progress_begin(fs_progress *p, const char *label, uint64_t total) {
    *p = (fs_progress){.label = label, .total = total, .bar = isatty(STDERR_FILENO) != 0};
    p->started = p->last_shown = host_seconds();
}

static void show(const fs_progress *p, double now) {
    double spent = now - p->started, rate = spent > 0 ? (double)p->done / spent : 0;
    if (p->total == 0) {
        fprintf(stderr, "%s: %" PRIu64 ", %.0f a second", p->label, p->done, rate);
        return;
    }
    double part = (double)p->done / (double)p->total;
    if (part > 1.0)
        part = 1.0;
    if (p->bar) {
        enum { WIDTH = 30 };
        char cells[WIDTH + 1];
        for (int i = 0; i < WIDTH; i++)
            cells[i] = (double)i < part * WIDTH ? '#' : '.';
        cells[WIDTH] = '\0';
        fprintf(stderr, "%s [%s] ", p->label, cells);
    } else {
        fprintf(stderr, "%s: ", p->label);
    }
    fprintf(stderr, "%3.0f %%, %.0f a second, %.0f s left", 100.0 * part, rate,
            part > 0 ? spent / part - spent : 0.0);
}

void fs_progress_update(fs_progress *p, uint64_t done) {
    uint64_t before = p->done;
    p->done = done;
    if (quiet || (before >> 4) == (done >> 4))
        return;
    double now = host_seconds();
    if (now - p->last_shown < (p->bar ? 0.1 : 5.0))
        return;
    p->last_shown = now;
    if (p->bar)
        fputs("\r\033[K", stderr);
    show(p, now);
    if (!p->bar)
        fputc('\n', stderr);
}

void fs_progress_end(fs_progress *p) {
    if (!quiet && p->bar)
        fputs("\r\033[K", stderr);
}

static void on_signal(int number) {
    (void)number;
    interrupted = 1;
}

bool fs_interrupted(void) {
    return interrupted != 0;
}

void fs_catch_signals(void) {
    struct sigaction action = {.sa_handler = on_signal};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}
