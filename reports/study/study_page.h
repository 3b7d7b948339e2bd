/* Private to reports/study_page*.c: the page of a sweep and the pictures in it. */
#ifndef FOAMSIM_REPORTS_STUDY_STUDY_PAGE_H
#define FOAMSIM_REPORTS_STUDY_STUDY_PAGE_H

#include "reports/page/page.h"
#include "reports/plot/drawing.h"
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
    fs_page *page;
    const fs_study *s;
    fs_arena *arena;
    const char *store;   /* the store's path as it was given */
    fs_drawing *drawing; /* of the plots; NULL: there is nothing to draw */
    const char *folder;  /* its folder */
    fs_study_scale scale[FS_STUDY_GOALS];
    size_t goals;                     /* shown */
    struct fs_study_drawing *written; /* its pictures, once they are drawn; NULL: there are none */
} fs_study_page;

/* Writes the page of a sweep of the store `store` (its path, for the commands on the page) to `path`; plots
 * are drawn in PATH_pictures (of PATH.html). reload: seconds after which it reads itself again; 0: never. FS_INPUT
 * without gnuplot. */
fs_status fs_study_write_page(const fs_study *s, const char *store, const char *path, unsigned reload,
                              fs_error *err);

/* The sweep on one page, for whoever decides (study_boss.c). FS_INPUT without a feasible point. */
fs_status fs_study_boss(const fs_study *s, const char *file, fs_error *err);

/* Draws all pictures. */
fs_status fs_study_draw(fs_study_page *p, fs_error *err);
/* The first screen's picture: what trades against what, else the first objective against the axis that matters most. */
fs_status fs_study_put_sight(fs_study_page *p, fs_error *err);
/* The sections that hold the other plots: objectives against axes, pairs of axes, the front. */
fs_status fs_study_put_pictures(fs_study_page *p, fs_error *err);
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

/* "foamsim report STORE --point KEY -o KEY.html" for the shell. */
const char *fs_study_command(const fs_study_page *p, size_t point);
const char *fs_study_short_key(const fs_study_page *p, size_t point); /* 12 digits */
/* A cell with the button that shows a point's command. */
void fs_study_put_key(fs_study_page *p, size_t point);
/* A name that may break after its dots and dashes (zero-width spaces). */
const char *fs_study_breakable(const fs_study_page *p, const char *name);
/* A word for the shell, in quotes where it needs them. */
const char *fs_study_quote(fs_arena *arena, const char *word);

#endif
