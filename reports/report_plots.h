/* Shared by the files that put plots into a run's page. */
#ifndef FOAMSIM_REPORTS_REPORT_PLOTS_H
#define FOAMSIM_REPORTS_REPORT_PLOTS_H

#include "reports/report_private.h"

#include <jansson.h>

/* A plot that was drawn, as a figure with its own title and caption. */
fs_status fs_report_figure(fs_report *r, const char *name, fs_error *err);
/* The hover text of a plot: `show` gives what a panel shows (owner: the callee) or NULL. */
void fs_report_hover(fs_report *r, const char *name, json_t *(*show)(const fs_plot_panel *panel, void *ctx),
                     void *ctx);
json_t *fs_report_layer(const char *what, const char *unit, const char *values, double scale);
/* Values in 16 bits, as multiples of `scale`; those below 0 become 65535. */
void fs_report_values16(fs_report *r, const char *id, const int64_t *values, size_t count, double scale);

#endif
