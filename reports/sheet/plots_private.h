/* Private to plots.c and plots_series.c: a chart while it becomes a script of gnuplot. */
#ifndef FOAMSIM_REPORTS_SHEET_PLOTS_PRIVATE_H
#define FOAMSIM_REPORTS_SHEET_PLOTS_PRIVATE_H

#include "reports/sheet/sheet_private.h"

typedef struct fs_plotting {
    fs_arena *arena;
    const char *folder; /* of scripts and data */
    const fs_chart *chart;
    fs_text script, clauses, data;
    size_t panel, series; /* whose file is being written */
    size_t points;        /* of that series, which have all their numbers */
} fs_plotting;

/* Saves the data of all series of a panel and leaves what plots them in `clauses`; nothing there: they have no
 * values. FS_IO. */
fs_status fs_plotting_series(fs_plotting *p, const fs_panel *panel, fs_error *err);
/* Where the rows or columns of a matrix begin, and how wide each is (NULL: around 0, 1, ...). */
double fs_plotting_first(const fs_values *v);
double fs_plotting_step(const fs_values *v);

#endif
