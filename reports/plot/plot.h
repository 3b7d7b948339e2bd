/* gnuplot over the scripts of a drawing (drawing.h), and the colours of plots. */
#ifndef FOAMSIM_REPORTS_PLOT_PLOT_H
#define FOAMSIM_REPORTS_PLOT_PLOT_H

#include "sim/base/alloc.h"
#include "sim/base/error.h"

#include <stddef.h>

enum { FS_PLOT_PNG = 1, FS_PLOT_SVG = 2 };

/* For drawing.c alone: runs NAME.gp in `folder` for each of names [count], as many processes at a time as
 * there are cores, and leaves NAME.svg and NAME.png there, as `formats` (FS_PLOT_SVG, FS_PLOT_PNG or both)
 * says. FS_RUN with gnuplot's words for each script that failed. */
fs_status fs_plot_draw(const char *folder, const char *const *names, size_t count, unsigned formats,
                       fs_error *err);

/* "#0072b2" of a name of page.css ("role-0", "exchange"), or of a colour as it is written there; grey of
 * another. */
const char *fs_plot_colour(const char *name);
/* One of `count` shades of it, dark to bright. */
const char *fs_plot_shade(fs_arena *arena, const char *name, size_t at, size_t count);

#endif
