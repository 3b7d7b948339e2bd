/* How far a task is: when it is shown, and how. */
#include "sim/host/progress.h"

#include "sim/base/host.h"
#include "sim/host/voice.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool can_rewrite_lines(void) {
    const char *term = getenv("TERM");
    return isatty(STDERR_FILENO) != 0 && term != NULL && strcmp(term, "dumb") != 0;
}

/* $FOAMSIM_PROGRESS: the number of a descriptor that another program listens to (api/run.c). Each line is
 * "progress DONE TOTAL TASK", whole in one write; -1: nobody listens. */
static int listener(void) {
    const char *text = getenv("FOAMSIM_PROGRESS");
    return text != NULL && text[0] >= '0' && text[0] <= '9' && text[1] == '\0' ? text[0] - '0' : -1;
}

static void tell(const fs_progress *p) {
    if (p->listener >= 0)
        dprintf(p->listener, "progress %" PRIu64 " %" PRIu64 " %s\n", p->done, p->total, p->label);
}

void fs_progress_begin(fs_progress *p, const char *label, uint64_t total) {
    *p = (fs_progress){.label = label, .total = total, .bar = can_rewrite_lines(), .listener = listener()};
    p->started = p->last_shown = p->last_told = fs_host_wall_seconds();
    tell(p);
}

/* The first steps say little of the others: no time left is shown before this part is done. */
static const double forecast_from = 0.03;

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
    if (rate > 0.0 && part >= forecast_from)
        show_time_left((1.0 - part) * (double)p->total / rate);
}

void fs_progress_update(fs_progress *p, uint64_t done) {
    p->done = done;
    if ((fs_is_quiet() && p->listener < 0) || done < p->look_at)
        return;
    double now = fs_host_wall_seconds(), spent = now - p->started,
           rate = spent > 0.0 && done > p->before ? (double)(done - p->before) / spent : 0.0;
    double ahead = 0.02 * rate, most = (double)done / 16.0; /* the first steps may have been the quickest */
    p->look_at = done + 1 + (uint64_t)(ahead < most ? ahead : most);
    if (now - p->last_told >= 0.1) {
        p->last_told = now;
        tell(p);
    }
    if (fs_is_quiet() || now - p->last_shown < (p->bar ? 0.1 : 5.0))
        return;
    p->last_shown = now;
    fs_voice_bar(false);
    show(p, rate);
    if (p->bar)
        fs_voice_bar(true);
    else
        fputc('\n', stderr);
}

void fs_progress_end(fs_progress *p) {
    tell(p);
    fs_voice_bar(false);
}
