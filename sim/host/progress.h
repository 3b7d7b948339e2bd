/* How far a task is: a bar on a terminal, a plain line now and then elsewhere, nothing with --quiet
 * (voice.h); and lines for another program that listens.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* A task of `total` steps (0: unknown). Cheap to update: the clock is read some fifty times a second, however
 * fast or slow the steps are. */
typedef struct fs_progress {
    const char *label;
    uint64_t total;
    uint64_t done;
    uint64_t before;   /* of them done before it began: they say nothing of the rate */
    uint64_t look_at;  /* `done` at which the clock is read next */
    double started;    /* host seconds, for rate and time left only */
    double last_shown; /* host seconds */
    double last_told;  /* the same, to whoever listens */
    int listener;      /* descriptor of another program that listens ($FOAMSIM_PROGRESS); -1: none */
    bool bar;          /* stderr is a terminal that can rewrite its line */
} fs_progress;

void fs_progress_begin(fs_progress *p, const char *label, uint64_t total);
void fs_progress_update(fs_progress *p, uint64_t done);
void fs_progress_end(fs_progress *p);
