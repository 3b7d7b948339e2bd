/* Private to reports/study_page_*.c: the pictures of a sweep's page, between being written as scripts and
 * standing in the page. */
#ifndef FOAMSIM_REPORTS_STUDY_STUDY_PICTURES_H
#define FOAMSIM_REPORTS_STUDY_STUDY_PICTURES_H

#include "reports/plot/script.h"
#include "reports/study/study_page.h"

typedef struct fs_study_dots {
    json_t *x, *y, *at; /* a dot of point at[i] */
} fs_study_dots;

/* One plot: "axis-G-A" goal G against axis A, "pair-G-A-B" goal G over axes A and B, "front-G-H",
 * "search-volume". */
typedef struct fs_study_picture {
    char name[FS_PLOT_NAME];
    fs_study_dots dots; /* of axes and fronts */
    json_t *data;       /* of pairs: what lies under the pointer */
    size_t goal, a, b;
    bool on_top; /* on the first screen, and in no section */
} fs_study_picture;

enum { FS_STUDY_PICTURES = FS_STUDY_GOALS * (FS_STUDY_AXES + FS_STUDY_PAIRS) + 4 };

typedef struct fs_study_drawing {
    fs_study_page *p;
    fs_study_picture picture[FS_STUDY_PICTURES];
    size_t count;
    const fs_plot *plots;         /* [count] where their panels are */
    double end[FS_STUDY_COLOURS]; /* of the picture being written: the last mean of each colour; NAN: none */
    fs_text text;                 /* of the file being written */
} fs_study_drawing;

/* Writes scripts and data of all pictures into the page's folder. */
fs_status fs_study_write_pictures(fs_study_drawing *d, fs_error *err);

/* Of goal against a numeric axis: where the lines of the colours pass the knee of the goal's figure (fs_stat.knee), upwards,
 * by a straight line between two values; into FOLDER/NAME.knee, with the level that they pass. (study_knee.c) */
typedef struct fs_study_knees {
    size_t count;
    double at[FS_STUDY_COLOURS]; /* of each colour; NAN: none */
    double times;                /* the knee is so many times the figure alone */
} fs_study_knees;
/* baseline_x or baseline_y of a script: the baseline's value as it is drawn, NaN where there is none. */
void fs_study_put_baseline(fs_study_drawing *d, char axis, size_t goal);

fs_status fs_study_write_knees(fs_study_drawing *d, const char *name, size_t goal, size_t axis, size_t colour,
                               fs_study_knees *out, fs_error *err);

/* The section of a search (study_search.c): its picture, and its words with that. */
fs_status fs_study_write_search(fs_study_drawing *d, fs_error *err);
fs_status fs_study_put_search(fs_study_drawing *d, fs_error *err);
/* A picture that was drawn, with what lies under the pointer. */
fs_status fs_study_put_picture(fs_study_drawing *d, size_t picture, bool wide, fs_error *err);

/* How many axes are drawn against each goal: all, unless a sweep has so many points that the page would grow
 * out of hand. */
size_t fs_study_drawn_axes(const fs_study_page *p);

/* A figure of a point in the unit of the page; NAN where there is none. */
double fs_study_shown(const fs_study_drawing *d, size_t goal, size_t point);

#endif
