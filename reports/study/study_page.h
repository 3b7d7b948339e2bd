/* Private to reports/study: the page of a sweep and the charts in it. */
#pragma once

#include "reports/sheet/sheet.h"
#include "reports/study/study.h"

#include <jansson.h>

/* More is not drawn, and said so. */
enum { FS_STUDY_GOALS = 4, FS_STUDY_AXES = 8, FS_STUDY_PAIRS = 6, FS_STUDY_COLOURS = 8 };

/* A unit that suits the figures of a goal: shown = value * factor. */
typedef struct fs_study_scale {
    double factor;
    const char *unit;
} fs_study_scale;

typedef struct fs_study_page {
    fs_sheet *sheet;
    const fs_study *s;
    fs_arena *arena;   /* the study's */
    const char *store; /* the store's path as it was given */
    fs_study_scale scale[FS_STUDY_GOALS];
    size_t goals;                  /* shown */
    const fs_chart_points *points; /* of the sweep, that dots stand for */
    const char *sight; /* id of the chart on the first screen, which is in no section; NULL: none */
} fs_study_page;

/* Writes the page of a sweep of the store `store` (its path, for the commands on the page) to `path`. reload: seconds after
 * which it reads itself again; 0: never. FS_IO. */
fs_status fs_study_write_page(const fs_study *s, const char *store, const char *path, unsigned reload,
                              fs_error *err);

/* The sweep on one page, for whoever decides (study_boss.c). FS_INPUT without a feasible point. */
fs_status fs_study_boss(const fs_study *s, const char *file, fs_error *err);

/* The first screen's chart: what trades against what, else the first objective against the axis that matters most. */
void fs_study_put_sight(fs_study_page *p);
/* The sections that hold the other charts: objectives against axes, pairs of axes, the front. */
void fs_study_put_charts(fs_study_page *p);
void fs_study_put_search(fs_study_page *p);            /* of a search (study_search.c) */
void fs_study_put_best(fs_study_page *p, size_t goal); /* the best, and one step away (study_best.c) */
void fs_study_put_front(fs_study_page *p, size_t a, size_t b); /* the table of a front */
void fs_study_put_effects(fs_study_page *p);
void fs_study_put_why(fs_study_page *p);    /* what each value of an axis does to the runs (study_why.c) */
void fs_study_put_points(fs_study_page *p); /* the table of all points */
void fs_study_put_failed(fs_study_page *p);
/* The ends of a point's range over what is uncertain; false where it was not varied. */
bool fs_study_ends(const fs_study_page *p, size_t goal, size_t point, double ends[2]);
/* The value of a point, with its range where it has one: "174 ms (150 ms to 210 ms)". */
const char *fs_study_value_and_range(const fs_study_page *page, size_t goal, size_t point);
/* The sentence on how sure the best of a goal is; NULL: none was judged. */
const char *fs_study_sure(const fs_study_page *page, size_t goal);
void fs_study_put_robust(fs_study_page *p); /* of a store with such a judgement (study_robust.c) */

/* Of judgements, which may be anybody's: the object of a list in which `name` is that text; NULL: there is none. */
const json_t *fs_study_judged(const json_t *of, const char *list, const char *name, const char *text);

/* A part for each goal of which `has` holds (NULL: of each), in a choice where there are several. */
void fs_study_by_goal(fs_study_page *p, const char *id, bool (*has)(const fs_study_page *p, size_t goal),
                      void (*put)(fs_study_page *p, size_t goal));

/* A figure of a point in the unit of the page; NAN where there is none. */
double fs_study_shown(const fs_study_page *p, size_t goal, size_t point);

/* ---- what charts share (study_marks.c) ---- */

const char *fs_study_goal_name(const fs_study_page *p, size_t goal); /* "time on the device, ms" */
/* An objective's scale. tight: of dots alone, which need no 0 and no room for bars. */
fs_axis fs_study_goal_axis(const fs_study_page *p, size_t goal, bool tight);
/* The values of an axis as names beside each other. */
const fs_values *fs_study_names_of(const fs_study_page *p, const fs_study_axis *axis);
/* The axis whose values are the colours of a chart against `a` (FS_STUDY_NONE: of any); FS_STUDY_NONE: none, there is one colour. */
size_t fs_study_colour_of(const fs_study *s, size_t goal, size_t a);
size_t fs_study_colours_of(const fs_study *s, size_t colour);
bool fs_study_has_colour(const fs_study *s, size_t colour, size_t k, size_t point);
const char *fs_study_colour_name(const fs_study *s, size_t colour, size_t k);
/* A series in the k-th colour. */
fs_chart_series *fs_study_series(fs_study_page *p, fs_panel *panel, fs_draw as, const char *label, size_t k);
/* All points that have a place, x, y [points], NAN: none, in the colours of an axis; hollow: infeasible. */
void fs_study_put_dots(fs_study_page *p, fs_panel *panel, const double *x, const double *y, size_t colour,
                       bool named);
/* Thin bars over what is uncertain, of points [count] at their places [points], upright or lying. */
void fs_study_put_ranges(fs_study_page *p, fs_panel *panel, size_t goal, const size_t *point, size_t count,
                         const double *at, bool lying);
void fs_study_mark_baseline(fs_study_page *p, fs_panel *panel, size_t goal, bool upright);

/* The chart of an objective against an axis (study_axes.c), and its id. */
void fs_study_put_axis(fs_study_page *p, size_t goal, size_t a);
const char *fs_study_axis_id(const fs_study_page *p, size_t goal, size_t a);

/* Where the lines of the colours of a chart of goal against a numeric axis pass the knee of the goal's figure (fs_stat.knee),
 * upwards, by a straight line between two values (study_knee.c). */
typedef struct fs_study_knees {
    size_t count;
    double at[FS_STUDY_COLOURS],
        level[FS_STUDY_COLOURS]; /* of each colour, in the figure's unit; NAN: none */
    double times, alone;         /* the knee is so many times the figure alone, which is at least that */
} fs_study_knees;
/* colour: the axis whose levels are the colours; FS_STUDY_NONE: there is one. */
fs_study_knees fs_study_knees_of(const fs_study *s, size_t goal, size_t axis, size_t colour);
/* "The knee lies at load 0.41 (buffer 4), 0.42 (buffer 8)". */
const char *fs_study_knee_says(const fs_study *s, const fs_study_knees *knees, size_t axis, size_t colour);

/* "foamsim report STORE --point KEY -o KEY.html" for the shell. */
const char *fs_study_command(const fs_study_page *p, size_t point);
const char *fs_study_short_key(const fs_study_page *p, size_t point); /* 12 digits */
/* A cell with the button that shows a point's command. */
void fs_study_put_key(fs_study_page *p, fs_rows *t, size_t point);
/* A word for the shell, in quotes where it needs them. */
const char *fs_study_quote(fs_arena *arena, const char *word);

/* Shared by the files of reports/study_*.c that analyse. */

/* Whether item a must stand before item b. */
typedef bool fs_study_before(const void *self, size_t a, size_t b);
/* Sorts numbers [count]; equal ones keep their order. */
void fs_study_sort(const fs_study *s, size_t *item, size_t count, fs_study_before *before, const void *self);

/* How points compare in all axes but one (FS_STUDY_NONE: in all): below, 0 or above 0. */
int fs_study_compare_but(const fs_study *s, size_t axis, size_t p, size_t q);

/* Sorts points [count] so that those that differ in this axis alone stand together. */
void fs_study_group(const fs_study *s, size_t axis, size_t *item, size_t count);

/* The sentence with `words` wherever it has `place`, such as "{value}". */
const char *fs_study_fill(const fs_study *s, const char *sentence, const char *place, const char *words);

/* What is wrong at the finished point that breaks a constraint most, or least (*point), in the words of the
 * figure's row; NULL: none breaks it, or the figure does not tell whether the answer is right. */
const char *fs_study_wrong(const fs_study *s, const fs_store_constraint *c, bool most, size_t *point);

/* Whether p, which has the axis, agrees with q in all others; one that p or q does not have does not count,
 * as it cannot be equal. */
bool fs_study_agree_but(const fs_study *s, size_t axis, size_t p, size_t q);
