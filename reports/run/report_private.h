/* Shared by the files of the report command: the state of a run's page, and its sections by kind. */
#ifndef FOAMSIM_REPORTS_RUN_REPORT_PRIVATE_H
#define FOAMSIM_REPORTS_RUN_REPORT_PRIVATE_H

#include "reports/page/page.h"
#include "reports/page/page_file.h"
#include "reports/plot/drawing.h"
#include "reports/plot/script.h"
#include "reports/read/run_fill.h"
#include "reports/read/run_folder.h"
#include "reports/read/run_roles.h"
#include "sim/results/page_plan.h"
#include "sim/workload/workload.h"

#include <jansson.h>

enum { FS_REPORT_PICTURES = FS_PAGE_PANELS, FS_REPORT_PARTS = 9, FS_REPORT_LEFT_OUT = 32 };

typedef struct fs_report_picture {
    const char *title, *caption; /* filled */
    const fs_plot *plot;         /* where its panels are, once it is drawn */
} fs_report_picture;

typedef struct fs_report {
    fs_arena *arena;
    fs_page *page;
    fs_folder *run;
    const fs_page_plan *plan; /* of page.json; of a folder without one what every run has */
    const char *target;       /* its folder of scripts, data and plots */
    bool beside;              /* the page stands in RUN/pictures, and so beside the run's own pictures */
    fs_drawing *drawing;      /* NULL: a page without plots */
    const char *pictures;     /* the drawing's folder: where they are meanwhile */
    double clock;             /* cycles a second; 0 when the run does not say */
    fs_roles roles;
    const void *chip;  /* the first map of the chip on the page; NULL: none yet */
    const void *seen;  /* the map of the chip on the first screen; NULL: none */
    const void *links; /* the map of a network; NULL: none */
    /* Iterations of each part, [begin, end); part 0 is the whole run. Of a run whose plan has no parts: 1. */
    size_t parts, part_begin[FS_REPORT_PARTS], part_end[FS_REPORT_PARTS];
    fs_report_picture picture[FS_REPORT_PICTURES];
    const char *name[FS_REPORT_PICTURES];
    fs_plot plot[FS_REPORT_PICTURES];
    size_t plots;
    fs_text text;                                        /* a script or its data while it is made */
    unsigned formats;                                    /* of the plots in RUN/pictures */
    const fs_plan_section *left_out[FS_REPORT_LEFT_OUT]; /* sections without their table */
    size_t left_out_count;
} fs_report;

/* A kind of section. `prepare` writes scripts and data of its pictures and leaves in *own what `put` needs
 * when they are drawn; NULL: nothing to prepare. *own is NULL where the run has nothing to show; then `put`
 * is not called, unless there is no `prepare`. What is damaged is an error. */
typedef struct fs_report_kind {
    const char *name;
    fs_status (*prepare)(fs_report *r, const fs_plan_section *s, void **own, fs_error *err);
    fs_status (*put)(fs_report *r, const fs_plan_section *s, void *own, fs_error *err);
} fs_report_kind;

extern const fs_report_kind fs_report_kind_findings, fs_report_kind_summary, fs_report_kind_images,
    fs_report_kind_series, fs_report_kind_matrix, fs_report_kind_chip, fs_report_kind_pixels,
    fs_report_kind_counts, fs_report_kind_distribution, fs_report_kind_table, fs_report_kind_most,
    fs_report_kind_figures, fs_report_kind_links, fs_report_kind_curve, fs_report_kind_ladder,
    fs_report_kind_memory, fs_report_kind_settings, fs_report_kind_files;

/* The file of a panel: its own, or the section's. */
const char *fs_report_file(const fs_plan_section *s, const fs_plan_panel *panel);

/* ---- pictures (report_pictures.c) ---- */

/* Begins the script of a picture: its title and caption, filled; the caller adds settings and data to
 * r->text. A title that cannot be filled gives way to `panel->otherwise`. */
fs_report_picture *fs_report_begin(fs_report *r, const fs_plan_panel *panel, bool otherwise,
                                   fs_fill_lookup *lookup, void *self);
/* Ends it with `load 'kind'` and saves it as PICTURES/name.gp. */
fs_status fs_report_end(fs_report *r, const char *name, const char *kind, fs_error *err);
/* "NAME = 'text'" or an array of texts, quoted for gnuplot. */
void fs_report_set_text(fs_report *r, const char *name, const char *text);
void fs_report_set_texts(fs_report *r, const char *name, const char *const *texts, size_t count);
void fs_report_set_numbers(fs_report *r, const char *name, const double *numbers, size_t count);

/* A picture that was drawn, as a figure of the page. */
fs_status fs_report_figure(fs_report *r, const fs_report_picture *picture, fs_error *err);
/* What shows under its pointer (fs_plot_hover). */
void fs_report_hover(fs_report *r, const fs_report_picture *picture, fs_plot_show *show, void *self);
json_t *fs_report_layer(const char *what, const char *unit, const char *values, double scale);
/* Values in 16 bits, as multiples of `scale`; those below 0 become 65535. */
void fs_report_values16(fs_report *r, const char *id, const int64_t *values, size_t count, double scale);

/* ---- the first screen (report_verdict.c) ---- */

fs_status fs_report_headline(fs_report *r, fs_error *err);
/* Where the time goes, and the three changes that would save most. */
fs_status fs_report_first_screen(fs_report *r, fs_error *err);

/* The first map of the chip, small: the greatest value of the tiles at a place, without words. Nothing where the
 * page has none (report_chip.c). */
void fs_report_small_chip(fs_report *r);
/* The same of the links of a network, on a page without a map of the chip (report_links.c). */
void fs_report_small_links(fs_report *r);
/* Colours of such maps, from nothing to the most: a few of style.gp's. */
enum { FS_REPORT_SHADES = 9 };
extern const char *const fs_report_shades[FS_REPORT_SHADES];

/* ---- parts (report_parts.c) ---- */

/* Where parts begin, by the figures that the plan names. */
void fs_report_find_parts(fs_report *r);
/* The run's time by part and phase, a table; nothing without the table of iterations. */
fs_status fs_report_put_parts(fs_report *r, const fs_plan_section *s, fs_error *err);

/* The run folder `dir` on one page (reports/boss/boss.h): report_boss.c. */
fs_status fs_report_boss(const fs_registry *registry, const char *dir, const char *file, fs_error *err);

/* A run of several views: its table and thumbnails. */
fs_status fs_report_views(fs_report *r, fs_error *err);

#endif
