/* A drawing: a fresh folder in which gnuplot draws, and from which the pictures move to where they belong.
 *
 * Tables, stores and cases come from other people, and so may the folder in which pictures belong. So scripts
 * and data are written, and gnuplot runs, in a folder that this process has just made and nobody else writes
 * to: beside the pictures, or in TMPDIR where that folder belongs to somebody else or cannot be written. What
 * was drawn is then renamed into place, file by file, through no link; two drawings of the same pictures do
 * not meet.
 *
 *     fs_drawing *d = fs_drawing_open("demo/pictures", err);
 *     ... write NAME.gp and what it loads to fs_drawing_folder(d) ...
 *     status = fs_drawing_run(d, names, count, FS_PLOT_SVG, err);
 *     ... read NAME.svg there ...
 *     fs_drawing_close(d, status == FS_OK, err);
 *
 * One thread to a drawing. A drawing that a killed process left is removed by the next one beside it.
 */
#ifndef FOAMSIM_REPORTS_PLOT_DRAWING_H
#define FOAMSIM_REPORTS_PLOT_DRAWING_H

#include "reports/plot/plot.h"

#include <stdbool.h>

typedef struct fs_drawing fs_drawing;

/* Makes the folder and copies the scripts of reports/plot to it.
 * NULL with FS_INPUT: `target` is a link or a file; FS_IO. Owner: the caller, who
 * ends it with fs_drawing_close. */
fs_drawing *fs_drawing_open(const char *target, fs_error *err);

/* Where the pictures of a page belong: "a/report_pictures" of "a/report.html". Of the arena. */
const char *fs_drawing_beside(fs_arena *arena, const char *page);

/* FS_INPUT when pictures cannot go there: a link or a file has the name. fs_drawing_open asks it, too. */
fs_status fs_drawing_target(const char *target, fs_error *err);

/* An absolute path; valid until the drawing is closed. */
const char *fs_drawing_folder(const fs_drawing *drawing);

/* Runs NAME.gp for each of names [count], as many processes at a time as there are cores, each with limits of
 * time and memory and unable to start another, and leaves NAME.svg and NAME.png as `formats` (FS_PLOT_SVG,
 * FS_PLOT_PNG or both) says. FS_INPUT without gnuplot, FS_RUN with its words for each script that failed. */
fs_status fs_drawing_run(fs_drawing *drawing, const char *const *names, size_t count, unsigned formats,
                         fs_error *err);

/* Moves what the folder holds to the target, which is made, when `keep`; removes the folder. A target that
 * cannot be written is a word and no error: the page holds its pictures itself. NULL is allowed. FS_IO. */
fs_status fs_drawing_close(fs_drawing *drawing, bool keep, fs_error *err);

/* One picture of which another part of the house writes the data: writes them by `write` to a drawing's
 * folder, draws NAME.png with reports/plot/NAME.gp, and moves all to `target`. */
fs_status fs_drawing_once(const char *target, const char *name,
                          fs_status (*write)(void *self, const char *folder, fs_error *err), void *self,
                          fs_error *err);

#endif
