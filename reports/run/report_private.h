/* Shared by the files of the report command: the state of a run's page. */
#pragma once

#include "reports/read/run_folder.h"
#include "reports/sections/sections.h"
#include "sim/workload/workload.h"

enum { FS_REPORT_LEFT_OUT = 32 };

typedef struct fs_report {
    fs_arena *arena;
    fs_sheet *sheet;
    fs_folder *run;
    const fs_page_plan *plan; /* of page.json; of a folder without one what every run has */
    fs_roles roles;
    fs_show sections;                                    /* of that sheet, run and plan */
    const fs_plan_section *left_out[FS_REPORT_LEFT_OUT]; /* sections without their table */
    size_t left_out_count;
    unsigned plots; /* forms of the charts that are left as files (fs_sheet_plot); 0: none is */
} fs_report;

/* ---- sections that are the shell's own ---- */

/* What was found: where the run stands, its first screen, its sentences. */
fs_status fs_report_findings(fs_report *r, fs_error *err);
/* Cards, the time by part of the run, all figures. */
fs_status fs_report_summary(fs_report *r, const fs_plan_section *s, fs_error *err);
fs_status fs_report_settings(fs_report *r, fs_error *err);
void fs_report_files(fs_report *r);
/* A run of several views: its table and thumbnails. */
fs_status fs_report_views(fs_report *r, fs_error *err);

/* The run's verdict, as the head of its page. */
fs_status fs_report_headline(fs_report *r, fs_error *err);
/* Where the time goes, and the three changes that would save most. */
fs_status fs_report_first_screen(fs_report *r, fs_error *err);
/* The run's time by part and phase, a table; nothing without the table of iterations. */
fs_status fs_report_put_parts(fs_report *r, const fs_plan_section *s, fs_error *err);

/* The run folder `dir` on one page (reports/boss/boss.h): report_boss.c. */
fs_status fs_report_boss(const fs_registry *registry, const char *dir, const char *file, fs_error *err);
