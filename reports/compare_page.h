/* Private to reports/compare_*.c: the page of a comparison and the pictures in it. */
#ifndef FOAMSIM_REPORTS_COMPARE_PAGE_H
#define FOAMSIM_REPORTS_COMPARE_PAGE_H

#include "reports/compare.h"
#include "reports/page.h"
#include "reports/plot.h"

enum { FS_SHOWN = 4, FS_MEASURES = 4 };      /* most runs side by side; maps of pixels */
enum { FS_BUSY, FS_RAYS, FS_CHIP_MEASURES }; /* maps of the chip */

typedef struct fs_pixel_map {
    size_t width, height; /* of the map: blocks of pixels */
    double *value;        /* [height][width], mean over the block; NAN: no pixel of it was written */
} fs_pixel_map;

/* Tiles on the chip as chip.gp folds it: cells of a picture, gaps between super-tiles and at the spine. */
typedef struct fs_chip_map {
    size_t width, height;
    /* [height][width]: busy share of the tile's worker cycles in per cent; rays that it handled. NAN: gap,
     * spare */
    double *value[FS_CHIP_MEASURES];
    size_t *tile;            /* [height][width]: tile + 1; 0: none */
    const char *const *role; /* by tile */
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
    bool pixels, chip, tiles, phases;
    bool same_pixels, same_chip; /* as the base: differences can be drawn */
    size_t image_width, image_height;
    fs_pixel_map measure[FS_MEASURES];
    fs_chip_map chip_map;
    fs_tile_rows rows;
} fs_shown_run;

typedef struct fs_comparison_page {
    fs_compare *c;
    fs_page *page;
    const char *folder; /* of the pictures */
    FILE *settings;     /* run.gp of that folder while data are written */
    size_t shown;
    fs_shown_run run[FS_SHOWN];
    bool chip_has[FS_CHIP_MEASURES]; /* some tile of some run has a value above 0 */
    size_t block;                    /* pixels of a block across and down */
    size_t pool;                     /* iterations of a column */
    size_t groups;
    const char **group_name; /* "routers, level 3" */
} fs_comparison_page;

typedef struct fs_measure {
    const char *column, *name, *unit, *words;
} fs_measure;
extern const fs_measure fs_measures[FS_MEASURES];
extern const fs_measure fs_chip_measures[FS_CHIP_MEASURES];

/* Writes what the scripts draw into the folder, and run.gp. What a run does not have is left out; what is
 * damaged is an error. */
fs_status fs_compare_write_data(fs_comparison_page *p, fs_error *err);
/* Parts of it, of compare_tiles.c. */
fs_status fs_compare_write_chip(fs_comparison_page *p, fs_error *err);
fs_status fs_compare_write_tiles(fs_comparison_page *p, fs_error *err);

/* A new file in the folder of the pictures, named by printf rules; NULL with an error. */
FILE *fs_compare_data_file(const fs_comparison_page *p, fs_error *err, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
fs_status fs_compare_close_data(FILE *file, fs_error *err);
/* A matrix [height][width] as gnuplot reads it, and closes the file; NAN: no value. */
fs_status fs_compare_write_map(FILE *file, const double *value, size_t width, size_t height, fs_error *err);

/* The greatest size of a difference that a picture tells apart: 99 % of those of a and b [count] that are no
 * 0 are smaller. NAN: none differs. */
double fs_compare_reach(const double *a, const double *b, size_t count);

/* The sections of levels.csv and ladder.csv. */
fs_status fs_compare_put_levels(const fs_comparison_page *p, fs_error *err);
fs_status fs_compare_put_ladder(const fs_comparison_page *p, fs_error *err);
/* The sections that hold plots. */
fs_status fs_compare_put_pictures(fs_comparison_page *p, fs_error *err);

#endif
