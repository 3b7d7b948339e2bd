/* Private to reports/compare_*.c: the page of a comparison and the pictures in it. */
#ifndef FOAMSIM_REPORTS_COMPARE_COMPARE_PAGE_H
#define FOAMSIM_REPORTS_COMPARE_COMPARE_PAGE_H

#include "reports/compare/compare.h"
#include "reports/page/page.h"
#include "reports/page/page_file.h"
#include "reports/plot/drawing.h"
#include "reports/plot/script.h"
#include "reports/read/run_measured.h"
#include "reports/read/run_series.h"

/* Most runs side by side, maps of pixels and of the chip, curves of tails, series. */
enum { FS_SHOWN = 4, FS_MEASURES = 8, FS_CHIP_MEASURES = 6, FS_TAILS = 8, FS_SERIES = 4, FS_STACK = 16 };

typedef struct fs_pixel_map {
    size_t width, height; /* of the map: blocks of pixels */
    double *value;        /* [height][width], mean over the block; NAN: no pixel of it was written */
} fs_pixel_map;

/* Tiles on the chip as chip.gp folds it: cells of a picture, gaps between super-tiles and at the spine. */
typedef struct fs_chip_map {
    size_t width, height;
    double *value[FS_CHIP_MEASURES]; /* [height][width]; NAN: gap, tile without a role */
    size_t *tile;                    /* [height][width]: tile + 1; 0: none */
    const char *const *role;         /* by tile */
    const int64_t *level;
} fs_chip_map;

/* Tile by iteration in groups by level, top first; rows and iterations pooled, keeping the most. */
typedef struct fs_tile_rows {
    size_t columns;       /* pooled iterations */
    size_t *first, *rows; /* [groups]: rows of the group in `value` */
    size_t *tiles;        /* [groups] */
    double *value;        /* [rows][columns] rays */
    size_t all_rows;
} fs_tile_rows;

typedef struct fs_shown_run {
    size_t run;        /* index in the comparison; the first one is the base */
    fs_folder *folder; /* what the pictures are of: the run, or one of its views */
    bool pixels, chip, tiles, series[FS_SERIES], tail[FS_TAILS];
    bool same_pixels, same_chip; /* as the base: differences can be drawn */
    size_t image_width, image_height;
    fs_pixel_map measure[FS_MEASURES];
    fs_chip_map chip_map;
    fs_tile_rows rows;
} fs_shown_run;

/* A map that is compared: a column of the plan, and how it is called in data and on the page. */
typedef struct fs_measure {
    const char *id; /* "waiting": of the column, letters, digits and _ */
    const fs_plan_column *column;
    const fs_plan_panel *panel;
    const char *label, *unit;
    bool from_zero, logarithmic; /* of the colour range */
} fs_measure;

/* Cycles of an iteration by phase, or another panel of a series: stacked from the bottom, or lines. */
typedef struct fs_compared_series {
    const fs_plan_section *section;
    size_t panel;
    const char *id;
    bool stacked;
    fs_lines_one
        line[FS_STACK]; /* those that some run has, each once; its values are of the first that has it */
    size_t lines;
    fs_lines_one *of[FS_SHOWN]; /* [count] lines of each run */
    size_t count[FS_SHOWN];
    double top;
    const char *unit; /* of what is drawn: of cycles in all runs the time, in microseconds */
    bool timed;
} fs_compared_series;

typedef struct fs_comparison_page {
    fs_compare *c;
    fs_page *page;
    const fs_page_plan *plan;
    fs_roles *roles;     /* of all runs */
    fs_drawing *drawing; /* of the pictures; NULL: there are none */
    const char *folder;  /* its folder */
    fs_text settings;    /* run.gp of that folder, while data are written */
    fs_text data;        /* of the file being written */
    size_t shown;
    fs_shown_run run[FS_SHOWN];
    fs_measure map[FS_MEASURES]; /* of pixels */
    const char *map_file;        /* the table of pixels */
    size_t maps;
    fs_measure chip[FS_CHIP_MEASURES];
    size_t chips;
    bool chip_has[FS_CHIP_MEASURES]; /* some tile of some run has a value above 0 */
    fs_measure tail[FS_TAILS];       /* how many have at least a value */
    const fs_plan_section *tail_section[FS_TAILS];
    size_t tails;
    fs_compared_series series[FS_SERIES];
    size_t serieses;
    const fs_plan_panel *held; /* tile by iteration */
    const char *held_file;
    size_t block; /* pixels of a block across and down */
    size_t pool;  /* iterations of a column */
    size_t groups;
    const char **group_name; /* "routers, level 3" */
    fs_plot *plots;          /* [plot_count] as drawn */
    size_t plot_count;
} fs_comparison_page;

/* What of the plan is compared: fills map, chip, tail, series and held. */
void fs_compare_choose(fs_comparison_page *p);

/* Writes what the scripts draw into the folder, and run.gp. What a run does not have is left out; what is
 * damaged is an error. */
fs_status fs_compare_write_data(fs_comparison_page *p, fs_error *err);
/* Parts of it, of compare_tiles.c. */
fs_status fs_compare_write_chip(fs_comparison_page *p, fs_error *err);
fs_status fs_compare_write_tiles(fs_comparison_page *p, fs_error *err);

/* A matrix [height][width] as NAME.map for gnuplot, in the folder of the pictures; NAN: no value. */
fs_status fs_compare_save_map(fs_comparison_page *p, const char *name, const double *value, size_t width,
                              size_t height, fs_error *err);

/* The greatest size of a difference that a picture tells apart: 99 % of those of a and b [count] that are no
 * 0 are smaller. NAN: none differs. */
double fs_compare_reach(const double *a, const double *b, size_t count);

fs_status fs_compare_write_tails(fs_comparison_page *p, fs_error *err);
fs_status fs_compare_write_series(fs_comparison_page *p, fs_error *err);
/* What a value of the series' table is multiplied by to be drawn, of the i-th run shown. */
double fs_compare_series_scale(const fs_comparison_page *p, const fs_compared_series *s, size_t i);

/* The matrix; and the settings that make its columns, or its rows, with the values of each. */
void fs_compare_put_matrix(const fs_compare *c, fs_page *page);
void fs_compare_put_classes(const fs_compare *c, fs_page *page, bool rows);

/* A table by level or another key, side by side, and the ladders. */
fs_status fs_compare_put_table(const fs_comparison_page *p, const fs_plan_section *s, fs_error *err);
fs_status fs_compare_put_ladder(const fs_comparison_page *p, const fs_plan_section *s, fs_error *err);
/* Writes the scripts of all plots and draws them; then the sections that hold them, in the order of the plan. */
fs_status fs_compare_draw(fs_comparison_page *p, fs_error *err);
fs_status fs_compare_put_section(fs_comparison_page *p, const fs_plan_section *s, fs_error *err);

/* A cell with the difference of a run from the base: its text, whether it is better or worse. */
void fs_compare_put_difference(const fs_compare *c, fs_page *page, const fs_compare_figure *f, size_t run);
/* The section of the verdict, and the page's headline (compare_verdict_page.c). */
void fs_compare_put_verdict(const fs_compare *c, fs_page *page);

#endif
