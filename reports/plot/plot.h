/* Pictures by gnuplot, and the colours of plots. */
#pragma once

#include "sim/base/alloc.h"
#include "sim/base/error.h"

#include "reports/page/page_file.h"
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

/* Text in gnuplot scripts. A name, a role, a label or a title may come from somebody else, and gnuplot runs
 * what stands between backquotes, in a line of a script as in double quotes. So every text that a script is
 * made with goes through one of these two, and into single quotes; scripts pass it on as a variable and never
 * through eval. */

/* 'word', in single quotes of gnuplot: backquotes, double quotes and backslashes are left out, what is no
 * letter (line ends, tabs, other control characters) becomes a space, a single quote is doubled. Owner: the
 * arena. */
const char *fs_plot_quoted(fs_arena *arena, const char *word);

/* The same where gnuplot takes the text for a format, as it does with the label of a tic: per cent signs are
 * doubled. */
const char *fs_plot_quoted_format(fs_arena *arena, const char *word);

/* A word of a data file, which ends at a space: as above, without quotes, spaces as '_'; "-" for none. */
const char *fs_plot_cell(fs_arena *arena, const char *word);

/* Appends NAME = 'word'. */
void fs_plot_put_text(fs_text *script, fs_arena *arena, const char *name, const char *word);
