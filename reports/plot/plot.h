/* Pictures by gnuplot, and the colours of plots. */
#ifndef FOAMSIM_REPORTS_PLOT_PLOT_H
#define FOAMSIM_REPORTS_PLOT_PLOT_H

#include "sim/base/alloc.h"
#include "sim/base/error.h"

#include <stddef.h>

enum { FS_PLOT_PNG = 1, FS_PLOT_SVG = 2 };

/* Has `write` fill a folder that this process has just made and nobody else writes to, as names, titles and tables
 * come from other people, and in which the scripts of reports/plot lie; and gnuplot draw NAME.gp for each of names
 * [count], each with limits of time and memory and unable to start another process: NAME.png, NAME.svg or both
 * (`forms`). All files of the folder then go to `target`, which is made, each through no link; two drawings of the
 * same pictures do not meet. FS_INPUT without gnuplot, or where `target` is a link or a file; FS_RUN with gnuplot's
 * words for each script that failed; FS_IO. */
fs_status fs_plot_draw(const char *target, const char *const *names, size_t count, unsigned forms,
                       fs_status (*write)(void *self, const char *folder, fs_error *err), void *self,
                       fs_error *err);
/* The same of one picture, as PNG. */
fs_status fs_plot_once(const char *target, const char *name,
                       fs_status (*write)(void *self, const char *folder, fs_error *err), void *self,
                       fs_error *err);

/* Where the pictures of a page belong: "a/report_pictures" of "a/report.html". Of the arena. */
const char *fs_plot_beside(fs_arena *arena, const char *page);
/* FS_INPUT when pictures cannot go there: a link or a file has the name. */
fs_status fs_plot_target(const char *target, fs_error *err);

/* "#0072b2" of a name of page.css ("role-0", "exchange"), or of a colour as it is written there; grey of
 * another. */
const char *fs_plot_colour(const char *name);
/* One of `count` shades of it, dark to bright. */
const char *fs_plot_shade(fs_arena *arena, const char *name, size_t at, size_t count);

#endif
