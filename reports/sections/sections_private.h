/* Inside reports/sections: what the kinds of sections share. */
#pragma once

#include "reports/read/run_folder.h"
#include "reports/sections/sections.h"

/* A kind of section, in its own file. put: the section with its heading, where there is something to show.
 * sight: fills s->sight with the section's first map, for the first screen; NULL: it has none. */
typedef struct fs_show_kind {
    const char *name;
    fs_status (*put)(fs_show *s, const fs_plan_section *section, fs_error *err);
    fs_status (*sight)(fs_show *s, const fs_plan_section *section, fs_error *err);
} fs_show_kind;

extern const fs_show_kind fs_show_kind_images, fs_show_kind_series, fs_show_kind_matrix, fs_show_kind_chip,
    fs_show_kind_links, fs_show_kind_pixels, fs_show_kind_counts, fs_show_kind_distribution,
    fs_show_kind_table, fs_show_kind_most, fs_show_kind_figures, fs_show_kind_curve, fs_show_kind_ladder,
    fs_show_kind_memory;

/* Begins the section, folded: `inside` says what a click opens; and its remark. */
void fs_show_begin(fs_show *s, const fs_plan_section *section, const char *inside);
/* What a click opens where the section's charts are those: the first one's title, how many more. NULL of
 * none. */
const char *fs_show_inside(fs_show *s, const char *title, size_t charts);

/* The table of the i-th run; NULL without an error where it has none. */
const fs_csv *fs_show_table_of(fs_show *s, size_t i, const char *file, fs_error *err);
/* The file of a panel: its own, or the section's. */
const char *fs_show_file(const fs_plan_section *section, const fs_plan_panel *panel);
/* Whether a panel is shown: of one run each, of several those that the plan wants compared. */
bool fs_show_shown(const fs_show *s, const fs_plan_panel *panel);
/* "narrow (base)" of several runs; NULL of one. */
const char *fs_show_run(const fs_show *s, size_t i);

/* Title and caption of a panel's chart. Of one run the plan's, filled; `otherwise`, or where a figure is
 * missing, the plan's other title; of several runs the title for comparisons, and `compared`. */
const char *fs_show_title(fs_show *s, const fs_plan_panel *panel, bool otherwise, fs_number_lookup *know,
                          void *self);
const char *fs_show_caption(fs_show *s, const fs_plan_panel *panel, fs_number_lookup *know, void *self,
                            const char *compared);
const char *fs_show_label(const fs_plan_panel *panel); /* its label, else its name */

/* ---- maps of several runs on one scale, and their differences from the base's (maps.c) ---- */

typedef struct fs_show_maps {
    const fs_values *of[FS_SHOW_RUNS]; /* NULL: the run has none */
    const fs_values
        *gap[FS_SHOW_RUNS]; /* less the base's; NULL: of the base, and where places are not the same */
    double reach;           /* the greatest difference that has a colour of its own; 0: none differs */
    const char *unit;
    /* Adds the panel of a run, whose first series is the map. */
    fs_panel *(*add)(void *self, fs_chart *chart, size_t run, const char *title);
    void *self;
} fs_show_maps;

/* Panels of the runs, then of the differences; what the others have at the same place shows under the
 * pointer. */
void fs_show_beside(fs_show *s, fs_chart *chart, const fs_show_maps *maps);
/* Values under the pointer, beside what the panel draws. */
void fs_show_tell(fs_show *s, fs_panel *panel, const fs_values *values, const char *label, const char *unit);
/* The greatest size of a difference that a picture tells apart: 99 % of those of a and b [count] that are
 * no 0 are smaller. 0: none differs. */
double fs_show_reach(const double *a, const double *b, size_t count);

/* A chart of a panel of form "roofline", whose columns are shares of peaks: work, then what it moves through; nothing
 * where the run has no work or moves nothing. (roofline.c) */
void fs_show_roofline(fs_show *s, const fs_plan_panel *panel);

/* ---- where the tiles of a run's chips stand in a map (chip_places.c) ---- */

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
