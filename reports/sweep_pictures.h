/* Private to reports/sweep_page_*.c: the pictures of a sweep's page, between being written as scripts and
 * standing in the page. */
#ifndef FOAMSIM_REPORTS_SWEEP_PICTURES_H
#define FOAMSIM_REPORTS_SWEEP_PICTURES_H

#include "reports/page_file.h"
#include "reports/sweep_page.h"

typedef struct fs_sweep_dots {
    json_t *x, *y, *at; /* a dot of point at[i] */
} fs_sweep_dots;

/* One plot: "axis-G-A" goal G against axis A, "pair-G-A-B" goal G over axes A and B, "front-G-H". */
typedef struct fs_sweep_picture {
    char name[FS_PLOT_NAME];
    fs_sweep_dots dots; /* of axes and fronts */
    json_t *data;       /* of pairs: what lies under the pointer */
    size_t goal, a, b;
} fs_sweep_picture;

enum { FS_SWEEP_PICTURES = FS_SWEEP_GOALS * (FS_SWEEP_AXES + FS_SWEEP_PAIRS) + 3 };

typedef struct fs_sweep_drawing {
    fs_sweep_page *p;
    fs_sweep_picture picture[FS_SWEEP_PICTURES];
    size_t count;
    fs_text text; /* of the file being written */
} fs_sweep_drawing;

/* Writes scripts and data of all pictures into the page's folder. */
fs_status fs_sweep_write_pictures(fs_sweep_drawing *d, fs_error *err);

/* A figure of a point in the unit of the page; NAN where there is none. */
double fs_sweep_shown(const fs_sweep_drawing *d, size_t goal, size_t point);

#endif
