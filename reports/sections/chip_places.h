/* Inside reports/sections: where the tiles of a run's chips stand in a map. */
#ifndef FOAMSIM_REPORTS_SECTIONS_CHIP_PLACES_H
#define FOAMSIM_REPORTS_SECTIONS_CHIP_PLACES_H

#include "reports/sections/sections_private.h"

/* The tiles of a run at their places. */
typedef struct fs_show_places {
    size_t tiles, unused, chips;
    int64_t columns, folds; /* of a chip */
    int64_t shown[2];       /* rows of each half that are drawn: to the last one with a role */
    size_t beyond[2];       /* tiles of each half that are not */
    bool side;              /* the chip lies on its side: more rows than columns */
    double breadth, drop;   /* of a chip */
    double width, height;   /* of all */
    size_t across;          /* chips beside each other */
    size_t drawn;           /* tiles that are */
    size_t *tile_of;        /* [drawn] */
    double *x, *y;          /* [drawn], y downwards */
    const int64_t *tile, *level, *column, *row, *sub;
    const char *const *role;
    const fs_csv *table;
} fs_show_places;

/* Reads them of the i-th run's table of tiles; tiles 0: it has none. FS_INPUT: no place on a chip. */
fs_status fs_show_places_read(fs_show *s, size_t run, const char *file, fs_show_places *to, fs_error *err);
/* The axes of a map, the exchange spine, the outlines of several chips; and of one chip, `numbered`,
 * columns and rows. */
void fs_show_frame(fs_show *s, fs_panel *panel, const fs_show_places *places, bool numbered);
/* The matrices of tiles in a single run's plan, which a map of its places may play; *to NULL: it has none. FS_INPUT.
 * (matrix.c) */
fs_status fs_show_frames(fs_show *s, const fs_show_places *places, const fs_chart_frames **to, fs_error *err);

#endif
