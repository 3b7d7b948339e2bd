/* Charts of a sheet by gnuplot: what a page's script draws, as PNG or SVG files for documents. */
#ifndef FOAMSIM_REPORTS_SHEET_PLOTS_H
#define FOAMSIM_REPORTS_SHEET_PLOTS_H

#include "reports/plot/plot.h"
#include "reports/sheet/sheet.h"

enum { FS_PLOT_BARE = 4 }; /* beside FS_PLOT_PNG, FS_PLOT_SVG */

/* Each chart of the sheet as TARGET/ID.png, ID.svg or both, with the script and the data that draw it again;
 * FS_PLOT_BARE: without title and caption, 256 colours, for a document that says them. `only`: charts of these ids
 * [count]; NULL: all. FS_INPUT without gnuplot or where `target` is a link or a file; FS_RUN with gnuplot's words;
 * FS_IO. */
fs_status fs_sheet_plot(const fs_sheet *s, const char *target, unsigned forms, const char *const *only,
                        size_t count, fs_error *err);

#endif
