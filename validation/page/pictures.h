/* Private to validation/page: the pictures of a validation, between being written as scripts and standing in
 * a page. */
#ifndef FOAMSIM_VALIDATION_PAGE_PICTURES_H
#define FOAMSIM_VALIDATION_PAGE_PICTURES_H

#include "reports/plot/drawing.h"
#include "reports/plot/script.h"
#include "validation/cases/words.h"

#include <jansson.h>
#include <stdint.h>

typedef enum fs_picture_kind {
    FS_PICTURE_SCATTER, /* published against simulated */
    FS_PICTURE_CHART,   /* a figure of a case along x, a line for each series */
    FS_PICTURE_ERRORS,  /* errors of a case, x by series */
    FS_PICTURE_TORNADO, /* sensitivities of a case */
    FS_PICTURE_MAP      /* visits of each pixel */
} fs_picture_kind;

typedef struct fs_validation_picture {
    char name[FS_PLOT_NAME];
    fs_picture_kind kind;
    const char *title, *caption;  /* without what gnuplot takes for markup */
    const fs_validation_case *of; /* NULL: of all cases */
    const fs_standin *standin;    /* of maps */
    json_t *data;                 /* what the pointer shows: {"x", "y", "labels", "layers"}; NULL: nothing */
    double half[2];               /* of a place, along x and y; 0: a dot */
    uint8_t *values;              /* of maps, [height][width]; free() */
    size_t width, height;
    fs_plot plot; /* what the script said */
} fs_validation_picture;

typedef struct fs_validation_drawing {
    const fs_validation *v;
    fs_arena *arena;
    const char *target; /* where scripts, data and pictures are in the end */
    fs_drawing *drawing;
    const char *folder; /* the drawing's: where they are meanwhile */
    fs_validation_picture *picture;
    size_t count;
    fs_text text; /* of the file being written */
} fs_validation_drawing;

/* Draws all pictures of `target` as `formats` says (FS_PLOT_SVG, FS_PLOT_PNG). What is in `d` lives until
 * fs_validation_drawing_end. FS_INPUT without gnuplot, or when a stand-in's run cannot be read; FS_IO. */
fs_status fs_validation_draw(fs_validation_drawing *d, unsigned formats, fs_error *err);
/* Frees what is in `d`; the pictures go to `target` when `keep`. FS_IO. */
fs_status fs_validation_drawing_end(fs_validation_drawing *d, bool keep, fs_error *err);

/* The picture of that name; NULL: it is not drawn. */
const fs_validation_picture *fs_validation_named(const fs_validation_drawing *d, const char *name);

/* The next picture of a kind and case (NULL: of all) after `after` (NULL: the first); NULL: there is none. */
const fs_validation_picture *fs_validation_next(const fs_validation_drawing *d, fs_picture_kind kind,
                                                const fs_validation_case *of,
                                                const fs_validation_picture *after);

/* A stand-in's rendered image as a PNG of `width` pixels or less, written to `path`. FS_INPUT, FS_IO. */
fs_status fs_validation_thumbnail(const fs_standin *standin, uint32_t width, const char *path, fs_error *err);

/* ---- parts ---- */

/* Each writes scripts and data of its kind, for all cases. */
fs_status fs_validation_write_scatter(fs_validation_drawing *d, fs_error *err);
fs_status fs_validation_write_charts(fs_validation_drawing *d, fs_error *err);
fs_status fs_validation_write_errors(fs_validation_drawing *d, fs_error *err);
fs_status fs_validation_write_tornados(fs_validation_drawing *d, fs_error *err);
fs_status fs_validation_write_maps(fs_validation_drawing *d, fs_error *err);

/* A new picture, named by a case (or stand-in) and a word: "table-6-seconds". */
fs_validation_picture *fs_validation_new_picture(fs_validation_drawing *d, fs_picture_kind kind,
                                                 const char *of, const char *word);
/* Begins a script: style.gp, file, words and more (title and caption). */
void fs_validation_begin_script(fs_validation_drawing *d, fs_validation_picture *p, const char *title,
                                const char *caption);
/* "variable = 'text'". */
void fs_validation_put_text(fs_validation_drawing *d, const char *variable, const char *text);
fs_status fs_validation_save(fs_validation_drawing *d, const fs_validation_picture *p, const char *ending,
                             fs_error *err);

/* What a logarithmic axis has to show; begins as {INFINITY, 0}. */
typedef struct fs_range {
    double low, high;
} fs_range;
void fs_range_widen(fs_range *range, double value); /* what is not above 0 is left out */
/* set xtics (1, 1.5, 2), for each of `axes` ("xy"): tics within a range, few where it is wide. */
void fs_validation_put_marks(fs_validation_drawing *d, const char *axes, double low, double high);

/* Under the pointer: places, each with a name and the figures of a figure. */
json_t *fs_validation_places(const char *unit);
void fs_validation_add_place(json_t *places, double x, double y, const char *label, const fs_claim *claim);

/* The figure's last word: "seconds" of "device.seconds". */
const char *fs_validation_word(const char *figure);

#endif
