/* Reading a run folder: the manual of what reports and comparisons may ask of a run.
 *
 * A folder is opened once and asked for its figures (summary.json, stats.csv), settings (parameters.csv or
 * resolved.yaml), findings, tables and pictures. Only the manifest and the figures are read at once; all else
 * is read at the first question, kept, and freed with the folder. What is handed out belongs to the folder
 * unless stated otherwise. One thread to a folder.
 *
 *     fs_folder *run = fs_folder_open("demo", NULL, err);
 *     double seconds = fs_folder_number(run, "device.seconds");              // NAN when there is none
 *     const fs_csv *hops = fs_folder_table(run, "hops.csv", err);          // NULL: err says why
 *     const int64_t *waiting = hops ? fs_csv_ints(hops, "waiting", err) : NULL;
 *     for (size_t row = 0; waiting != NULL && row < fs_csv_rows(hops); row++) ...
 *     fs_folder_close(run);
 *
 * A folder that is none, or is not whole, and a file that is damaged, are FS_INPUT with the file, the line
 * and what was expected. A file that a run need not have (levels.csv of an older run) is asked for with
 * fs_folder_has first.
 */
#ifndef FOAMSIM_REPORTS_READ_RUN_FOLDER_H
#define FOAMSIM_REPORTS_READ_RUN_FOLDER_H

#include "sim/base/alloc.h"
#include "sim/base/arith.h"
#include "sim/base/error.h"
#include "sim/stats/stats.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct fs_folder fs_folder;
typedef struct fs_csv fs_csv;

/* Opens `dir`, a folder or a run in one file (sim/results/archive.h), which is unpacked for as long as it is
 * open: manifest.json must be there and every file that it lists must have the size that it says
 * (digests are not taken: tools/compare-runs does that). NULL with FS_INPUT: no such folder, no run folder,
 * an interrupted run (NAME.partial), a missing or shortened file. Owner: caller, who ends it with
 * fs_folder_close. */
fs_folder *fs_folder_open(const char *dir, const fs_stat_table *const *known, fs_error *err);
void fs_folder_close(fs_folder *folder); /* NULL is allowed */
/* What an error says of the folder to which a packed run was unpacked, it says of the file instead: for whoever
 * ends with an error of an open folder. NULL is allowed. */
void fs_folder_own_places(const fs_folder *folder, fs_error *err);

const char *fs_folder_path(const fs_folder *folder);    /* as it was opened, without a final slash */
const char *fs_folder_archive(const fs_folder *folder); /* the file that it was unpacked from; NULL: none */
const char *fs_folder_label(const fs_folder *folder);   /* the path's last part: "two-rows" */
const char *fs_folder_name(const fs_folder *folder); /* the experiment's name; the label when it has none */
/* A text at the head of manifest.json: "foamsim", "model_version", "config_sha256"; "" when it is not there. */
const char *fs_folder_note(const fs_folder *folder, const char *key);
/* The files that the manifest lists, in its order, without those of views; *count of them. */
const char *const *fs_folder_files(fs_folder *folder, size_t *count);
/* The folder holds that file ("levels.csv"). */
bool fs_folder_has(const fs_folder *folder, const char *file);

/* ---- figures ---- */

typedef enum fs_figure_kind { FS_FIGURE_NUMBER, FS_FIGURE_FLAG, FS_FIGURE_WORD } fs_figure_kind;

typedef struct fs_figure {
    const char *name;        /* dotted: "device.seconds"; places of a list are numbers: "worst.0" */
    const char *unit;        /* "cycles", "s", ...; "" when it has none or stats.csv does not know it */
    const char *description; /* of stats.csv; "" when it does not know it */
    fs_figure_kind kind;
    bool whole;       /* a number that stands as an integer in summary.json */
    double value;     /* NAN: null, "does not apply"; a flag is 0 or 1 */
    const char *text; /* of a word; else as it stands in summary.json */
    /* What the figure says of itself, by stats.csv (of an older run, which has only names there, by this
     * foamsim's tables); type and offset are not those of a run. NULL: nothing is known. The worst of several
     * views has the row of its figure. */
    const fs_stat *row;
} fs_figure;

/* Every figure in the order of summary.json; *count of them. */
const fs_figure *fs_folder_figures(const fs_folder *folder, size_t *count);
const fs_figure *fs_folder_figure(const fs_folder *folder, const char *name); /* NULL: there is none */
double fs_folder_number(const fs_folder *folder, const char *name);           /* NAN: none, null or a word */

/* Figures [count] that left no folder, borrowed, to be asked as one: for figures alone. Of the arena. */
fs_folder *fs_folder_of_figures(fs_arena *arena, fs_figure *figures, size_t count);
/* What summary.json would hold, with the rows of the table (NULL: none) that its figures are of, to be asked as one. Of the
 * arena. */
fs_folder *fs_folder_of_summary(fs_arena *arena, const json_t *summary, const fs_stat_table *table);
/* Kind and value of what stands in summary.json, a word's text with them, borrowed; of a number the text is "". */
fs_figure fs_folder_figure_of(const json_t *value);

/* ---- what a page about the run shows ---- */

/* The plan of page.json; NULL without an error when the folder has none. FS_INPUT when it is damaged. */
const struct fs_page_plan *fs_folder_page(fs_folder *folder, fs_error *err);

/* ---- settings ---- */

typedef struct fs_setting {
    const char *section, *key; /* "overlay", "router_buffer"; the experiment's name has neither row */
    const char *value;         /* canonical text with its unit: "576 kB" */
    /* The rest is of parameters.csv, and "" when the folder has none. */
    const char *unit, *standard; /* standard: the default's text */
    bool changed;                /* another value than the default */
    const char *origin;          /* "default", "file:line" or "--set" */
    const char *confidence, *source, *touches, *description;
} fs_setting;

/* Every parameter in the order of the file: of parameters.csv, else keys and values of resolved.yaml, else
 * none. On success *count may be 0. NULL only with an error. */
const fs_setting *fs_folder_settings(fs_folder *folder, size_t *count, fs_error *err);
/* The value of "overlay.kind" (fs_folder_settings must have succeeded before); NULL when there is none. */
const char *fs_folder_setting(const fs_folder *folder, const char *dotted);

/* ---- findings ---- */

typedef struct fs_read_finding {
    const char *key, *text;   /* "pace", one sentence */
    const fs_figure *figures; /* [count]; names and values only */
    size_t count;
} fs_read_finding;

/* The findings of findings.json, most important first; *count 0 when there is no such file. NULL only with an
 * error. */
const fs_read_finding *fs_folder_findings(fs_folder *folder, size_t *count, fs_error *err);

/* ---- tables ---- */

/* A CSV table, read whole. NULL with FS_INPUT: no such file, rows of unequal length, no header. The same
 * table again is free. */
const fs_csv *fs_folder_table(fs_folder *folder, const char *file, fs_error *err);
/* Frees a table that is not needed any more, with all that was taken from it. */
void fs_folder_forget(fs_folder *folder, const char *file);

size_t fs_csv_rows(const fs_csv *table);
size_t fs_csv_columns(const fs_csv *table);
const char *fs_csv_column(const fs_csv *table, size_t column); /* its name */
const char *fs_csv_unit(const fs_csv *table, size_t column);   /* of the manifest; "" */
bool fs_csv_has(const fs_csv *table, const char *column);
/* One cell, quotes taken off; "" when the column is not there. */
const char *fs_csv_text(const fs_csv *table, size_t row, const char *column);

/* The same as a number; NAN: none stands there, or there is no such table (NULL), row or column. */
double fs_csv_number(const fs_csv *table, size_t row, const char *column);

/* A column, [rows]. NULL with FS_INPUT (file, line, column, what stands there) when there is no such column
 * or a cell is none of the kind: words take anything, ints 64-bit integers, reals finite decimal numbers or
 * "null" and "", which become NAN. The same column again is free. */
const char *const *fs_csv_words(const fs_csv *table, const char *column, fs_error *err);
const int64_t *fs_csv_ints(const fs_csv *table, const char *column, fs_error *err);
const double *fs_csv_reals(const fs_csv *table, const char *column, fs_error *err);
/* All columns from `first` to the last: a matrix [rows][*width] of integers (occupancy.csv and cycles.csv
 * from "i0": tile by iteration). Errors as above. */
const int64_t *fs_csv_matrix(const fs_csv *table, const char *first, size_t *width, fs_error *err);

/* ---- pictures ---- */

/* A PNG of any kind as 8-bit RGB [height][width][3]. The caller frees it with free(). NULL with FS_INPUT when it is
 * damaged. */
uint8_t *fs_folder_png_rgb(const fs_folder *folder, const char *file, uint32_t *width, uint32_t *height,
                           fs_error *err);

/* ---- views ---- */

/* A run of several views holds a run folder for each: view-0/, view-1/, ... 0 when it is of one view. */
size_t fs_folder_views(const fs_folder *folder);
/* The folder of a view, opened at the first question and closed with its parent. NULL with an error. */
fs_folder *fs_folder_view(fs_folder *folder, size_t view, fs_error *err);

#endif
