/* Words to the person: a progress bar on a terminal, a plain line now and then elsewhere, nothing with
 * --quiet. All of it goes to stderr; results never do. */
#ifndef FOAMSIM_SIM_BASE_PROGRESS_H
#define FOAMSIM_SIM_BASE_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

void fs_say_quiet(bool quiet); /* once, from the command line */
void fs_say(const char *format, ...)
    __attribute__((format(printf, 1, 2))); /* one line, ends in '\n' by itself */

/* A task of `total` steps (0: unknown). Cheap to update: the clock is read some fifty times a second, however
 * fast or slow the steps are. */
typedef struct fs_progress {
    const char *label;
    uint64_t total;
    uint64_t done;
    uint64_t look_at;  /* `done` at which the clock is read next */
    double started;    /* host seconds, for rate and time left only */
    double last_shown; /* host seconds */
    bool bar;          /* stderr is a terminal that can rewrite its line */
} fs_progress;

void fs_progress_begin(fs_progress *p, const char *label, uint64_t total);
void fs_progress_update(fs_progress *p, uint64_t done);
void fs_progress_end(fs_progress *p);

/* SIGINT or SIGTERM asked the process to end: loops look at it between iterations and return FS_RUN. The same
 * signal a second time ends the process at once. */
bool fs_interrupted(void);
void fs_catch_signals(void);

#endif
