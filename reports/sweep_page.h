/* Private to reports/sweep_page*.c: the page of a sweep and the pictures in it. */
#ifndef FOAMSIM_REPORTS_SWEEP_PAGE_H
#define FOAMSIM_REPORTS_SWEEP_PAGE_H

#include "reports/page.h"
#include "reports/plot.h"
#include "reports/sweep.h"

#include <jansson.h>

/* More is not drawn, and said so. */
enum { FS_SWEEP_GOALS = 4, FS_SWEEP_AXES = 8, FS_SWEEP_PAIRS = 6, FS_SWEEP_COLOURS = 8 };

/* A unit that suits the figures of a goal: shown = value * factor. */
typedef struct fs_sweep_scale {
    double factor;
    const char *unit;
} fs_sweep_scale;

typedef struct fs_sweep_page {
    fs_page *page;
    const fs_sweep *s;
    fs_arena *arena;
    const char *store;  /* the store's path as it was given */
    const char *folder; /* of the plots */
    fs_sweep_scale scale[FS_SWEEP_GOALS];
    size_t goals; /* shown */
} fs_sweep_page;

/* Writes the page of a sweep of the store `store` (its path, for the commands on the page) to `path`; plots
 * are drawn in PATH_pictures (of PATH.html). FS_INPUT without gnuplot. */
fs_status fs_sweep_write_page(const fs_sweep *s, const char *store, const char *path, fs_error *err);

/* The sections that hold plots: objectives against axes, pairs of axes, the front. */
fs_status fs_sweep_put_pictures(fs_sweep_page *p, fs_error *err);
void fs_sweep_put_front(fs_sweep_page *p, size_t a, size_t b); /* the table of a front */
void fs_sweep_put_effects(fs_sweep_page *p);
void fs_sweep_put_points(fs_sweep_page *p); /* the table of all points */
void fs_sweep_put_failed(fs_sweep_page *p);

/* "foamsim report STORE --point KEY -o KEY.html" for the shell. */
const char *fs_sweep_command(const fs_sweep_page *p, size_t point);
const char *fs_sweep_short_key(const fs_sweep_page *p, size_t point); /* 12 digits */
/* A cell with the button that shows a point's command. */
void fs_sweep_put_key(fs_sweep_page *p, size_t point);
/* A word for the shell, in quotes where it needs them. */
const char *fs_sweep_quote(fs_arena *arena, const char *word);

#endif
