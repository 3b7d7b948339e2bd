/* Private to validation/page: the charts of a validation. */
#pragma once

#include "reports/sheet/sheet.h"
#include "validation/cases/words.h"

typedef enum fs_validation_kind {
    FS_VALIDATION_SCATTER, /* published against simulated */
    FS_VALIDATION_LINES,   /* a figure of a case along x, a line for each series */
    FS_VALIDATION_ERRORS,  /* errors of a case, x by series */
    FS_VALIDATION_TORNADO, /* sensitivities of a case */
    FS_VALIDATION_MAP      /* visits of each pixel */
} fs_validation_kind;

/* One that can be drawn: it has something to show. */
typedef struct fs_validation_chart {
    fs_validation_kind kind;
    const char *id;                 /* "table-6-seconds": by a case (or stand-in) and a word */
    const fs_validation_case *of;   /* NULL: of all cases */
    const char *figure;             /* of lines and errors */
    const fs_paper_figure *measure; /* of a scatter; NULL: all that is measured but once */
    const fs_standin *standin;      /* of maps */
    const fs_paper_map *map;
} fs_validation_chart;

/* What is put on a sheet: of a page, or of a document. */
typedef struct fs_validation_sheet {
    const fs_validation *v;
    fs_arena *arena;
    fs_sheet *sheet;
    fs_validation_chart *chart; /* [charts] all that can be drawn, by kind, in the order of the cases */
    size_t charts;
    fs_chart_points *claims; /* the figures that marks stand for */
    const fs_claim **claim;  /* [claim_count] */
    size_t claim_count;
} fs_validation_sheet;

/* A sheet of a paper, empty but for the list of its charts and of its figures. fs_sheet_free ends it. */
fs_validation_sheet fs_validation_sheet_of(const fs_validation *v, fs_arena *arena, const char *title);
/* Puts a chart on the sheet. FS_INPUT, FS_IO when a stand-in's run cannot be read. */
fs_status fs_validation_draw(fs_validation_sheet *p, const fs_validation_chart *chart, fs_error *err);
/* The next chart of a kind and case (NULL: of all) after `after` (NULL: the first); NULL: there is none. */
const fs_validation_chart *fs_validation_next(const fs_validation_sheet *p, fs_validation_kind kind,
                                              const fs_validation_case *of, const fs_validation_chart *after);

/* ---- parts ---- */

/* Lists charts of a kind. */
void fs_validation_list_scatter(fs_validation_sheet *p);
void fs_validation_list_cases(fs_validation_sheet *p, fs_validation_kind kind); /* lines, errors */
void fs_validation_list_maps(fs_validation_sheet *p);
void fs_validation_list(fs_validation_sheet *p, fs_validation_chart chart, const char *of, const char *word);
/* Draws one. */
void fs_validation_draw_scatter(fs_validation_sheet *p, const fs_validation_chart *chart);
void fs_validation_draw_lines(fs_validation_sheet *p, const fs_validation_chart *chart);
void fs_validation_draw_errors(fs_validation_sheet *p, const fs_validation_chart *chart);
void fs_validation_draw_tornado(fs_validation_sheet *p, const fs_validation_chart *chart);
fs_status fs_validation_draw_map(fs_validation_sheet *p, const fs_validation_chart *chart, fs_error *err);

/* What a logarithmic axis has to show; begins as {INFINITY, 0}. */
typedef struct fs_range {
    double low, high;
} fs_range;
void fs_range_widen(fs_range *range, double value); /* what is not above 0 is left out */

/* Marks of claims, gathered for a series. */
typedef struct fs_claim_marks {
    double *x, *y, *low, *high;
    int64_t *at; /* which figure */
    size_t count;
} fs_claim_marks;
fs_claim_marks fs_validation_marks(const fs_validation_sheet *p); /* empty, with room for all figures */
void fs_validation_mark(const fs_validation_sheet *p, fs_claim_marks *marks, const fs_claim *claim, double x,
                        double y);
/* Dots at them, which show their figures under the pointer; NULL: there are none. */
fs_chart_series *fs_validation_dots(fs_validation_sheet *p, fs_panel *panel, const fs_claim_marks *marks,
                                    const char *label, const char *colour);
/* Thin upright bars from low to high. */
void fs_validation_bars(fs_validation_sheet *p, fs_panel *panel, const fs_claim_marks *marks,
                        const char *colour);

/* The figure's last word: "seconds" of "device.seconds". */
const char *fs_validation_word(const char *figure);
