/* Shared by the files of the report command: the sections of a run's page, in the order of the page. */
#ifndef FOAMSIM_REPORTS_REPORT_PRIVATE_H
#define FOAMSIM_REPORTS_REPORT_PRIVATE_H

#include "reports/page.h"
#include "reports/plot.h"
#include "reports/run_folder.h"

/* The parts of a run; their iterations follow each other. */
typedef enum fs_report_part {
    FS_REPORT_ALL,
    FS_REPORT_INJECTION,
    FS_REPORT_STEADY,
    FS_REPORT_DRAIN,
    FS_REPORT_PARTS
} fs_report_part;
extern const char
    *const fs_report_part_names[FS_REPORT_PARTS]; /* as in the tables: "all", "injection", ... */

enum { FS_REPORT_PLOTS = 16 };

typedef struct fs_report {
    fs_page *page;
    fs_folder *run;
    const char *dir; /* the run folder, as it was given */
    double clock;    /* cycles a second; 0 when the run does not say */
    size_t iterations;
    size_t part_begin[FS_REPORT_PARTS], part_end[FS_REPORT_PARTS]; /* iterations of each part: [begin, end) */
    fs_plot plot[FS_REPORT_PLOTS];
    size_t plots;
    unsigned formats; /* of the plots in RUN/pictures */
} fs_report;

/* Each writes one section. What a run does not have is a note, not an error; what is damaged is an error. */
fs_status fs_report_findings(fs_report *r, fs_error *err);
fs_status fs_report_summary(fs_report *r, fs_error *err);
fs_status fs_report_images(fs_report *r, fs_error *err);
fs_status fs_report_phases(fs_report *r, fs_error *err);
fs_status fs_report_tiles(fs_report *r, fs_error *err); /* tile by iteration */
fs_status fs_report_chip(fs_report *r, fs_error *err);
fs_status fs_report_pixels(fs_report *r, fs_error *err);
fs_status fs_report_histograms(fs_report *r, fs_error *err);
fs_status fs_report_levels(fs_report *r, fs_error *err);
fs_status fs_report_lanes(fs_report *r, fs_error *err);
fs_status fs_report_ladder(fs_report *r, fs_error *err);
fs_status fs_report_memory(fs_report *r, fs_error *err);
fs_status fs_report_settings(fs_report *r, fs_error *err);
fs_status fs_report_files(fs_report *r, fs_error *err);

/* A run of several views: its table and thumbnails. */
fs_status fs_report_views(fs_report *r, fs_error *err);

/* The figure of a plot of distributions.csv; nothing when it was not drawn. */
fs_status fs_report_distribution(fs_report *r, const char *name, fs_error *err);

/* The plot of that name, or NULL when it was not drawn. */
const fs_plot *fs_report_plot(const fs_report *r, const char *name);

#endif
