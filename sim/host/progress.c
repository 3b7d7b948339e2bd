#include "sim/base/progress.h"

#include <inttypes.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static bool quiet;
static bool line_open; /* a bar stands on the terminal's last line */
static volatile sig_atomic_t interrupted;

void fs_say_quiet(bool q) {
    quiet = q;
}

static void clear_bar(void) {
    if (line_open)
        fputs("\r\033[K", stderr);
    line_open = false;
}

void fs_say(const char *format, ...) {
    if (quiet)
        return;
    clear_bar(); /* it is drawn anew at its next update */
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

static bool can_rewrite_lines(void) {
    const char *term = getenv("TERM");
    return isatty(STDERR_FILENO) != 0 && term != NULL && strcmp(term, "dumb") != 0;
}

void fs_progress_begin(fs_progress *p, const char *label, uint64_t total) {
    *p = (fs_progress){.label = label, .total = total, .bar = can_rewrite_lines()};
    p->started = p->last_shown = host_seconds();
}

static void show_time_left(double seconds) {
    if (seconds < 100.0)
        fprintf(stderr, ", %.0f s left", seconds);
    else if (seconds < 6000.0)
        fprintf(stderr, ", %.0f min left", seconds / 60.0);
    else
        fprintf(stderr, ", %.1f h left", seconds / 3600.0);
}

static void show(const fs_progress *p, double rate) {
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
    fprintf(stderr, "%3.0f %%, %.*f a second", 100.0 * part, rate < 10.0 ? 1 : 0, rate);
    if (rate > 0.0)
        show_time_left((1.0 - part) * (double)p->total / rate);
}

void fs_progress_update(fs_progress *p, uint64_t done) {
    p->done = done;
    if (quiet || done < p->look_at)
        return;
    double now = host_seconds(), spent = now - p->started, rate = spent > 0.0 ? (double)done / spent : 0.0;
    double ahead = 0.02 * rate, most = (double)done / 16.0; /* the first steps may have been the quickest */
    p->look_at = done + 1 + (uint64_t)(ahead < most ? ahead : most);
    if (now - p->last_shown < (p->bar ? 0.1 : 5.0))
        return;
    p->last_shown = now;
    clear_bar();
    show(p, rate);
    if (p->bar)
        line_open = true;
    else
        fputc('\n', stderr);
}

void fs_progress_end(fs_progress *p) {
    (void)p;
    clear_bar();
}

static void on_signal(int number) {
    (void)number;
    interrupted = 1;
}

bool fs_interrupted(void) {
    return interrupted != 0;
}

void fs_catch_signals(void) {
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}
