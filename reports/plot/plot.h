/* Plots: gnuplot over the scripts of a drawing (drawing.h), and what a script says of its picture. */
#ifndef FOAMSIM_REPORTS_PLOT_PLOT_H
#define FOAMSIM_REPORTS_PLOT_PLOT_H

#include "reports/page/page.h"
#include "sim/base/alloc.h"
#include "sim/base/error.h"

#include <stdbool.h>
#include <stddef.h>

enum { FS_PLOT_NAME = 32, FS_PLOT_WORDS = 512, FS_PLOT_PANELS = 24 };

/* A rectangle of a picture that shows values: in pixels from the upper left corner, with the values at its
 * edges. */
typedef struct fs_plot_panel {
    char name[FS_PLOT_NAME]; /* what the panel shows, a word of the script */
    double left, top, right, bottom;
    double x_left, x_right, y_top, y_bottom;
    bool log_x, log_y;
} fs_plot_panel;

/* What a script says of its picture, in NAME.words. */
typedef struct fs_plot {
    char name[FS_PLOT_NAME];
    char title[FS_PLOT_WORDS];   /* what to see, a sentence with figures of the run */
    char caption[FS_PLOT_WORDS]; /* what is drawn */
    fs_plot_panel panel[FS_PLOT_PANELS];
    size_t panels;
} fs_plot;

enum { FS_PLOT_PNG = 1, FS_PLOT_SVG = 2 };

/* For drawing.c alone: runs NAME.gp in `folder` for each of names [count], as many processes at a time as
 * there are cores, and leaves NAME.svg and NAME.png there, as `formats` (FS_PLOT_SVG, FS_PLOT_PNG or both)
 * says. `plots` [count], or NULL, receives what the scripts say. FS_RUN with gnuplot's words for each script
 * that failed. */
fs_status fs_plot_draw(const char *folder, const char *const *names, size_t count, unsigned formats,
                       fs_plot *plots, fs_error *err);

/* What a panel shows under the pointer, as page.h has it (owner: the callee), or NULL: nothing. */
typedef json_t *fs_plot_show(const fs_plot_panel *panel, void *self);
/* Puts that of all panels of a plot under "ID-hover", for the picture ID of the page; numbers with `digits`. */
void fs_plot_hover(fs_page *page, const char *id, const fs_plot *plot, int digits, fs_plot_show *show,
                   void *self);

/* "#0072b2" of a name of page.css ("role-0", "exchange"), or of a colour as it is written there; grey of
 * another. */
const char *fs_plot_colour(const char *name);
/* One of `count` shades of it, dark to bright. */
const char *fs_plot_shade(fs_arena *arena, const char *name, size_t at, size_t count);

#endif
