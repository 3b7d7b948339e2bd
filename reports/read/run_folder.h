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
#pragma once

#include "sim/base/alloc.h"
#include "sim/base/arith.h"
#include "sim/base/error.h"
#include "sim/base/numbers.h"
#include "sim/results/page_plan.h"
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

/* ---- views ---- */

/* A run of several views holds a run folder for each: view-0/, view-1/, ... 0 when it is of one view. */
size_t fs_folder_views(const fs_folder *folder);
/* The folder of a view, opened at the first question and closed with its parent. NULL with an error. */
fs_folder *fs_folder_view(fs_folder *folder, size_t view, fs_error *err);

/* ---- roles of tiles: those of the page's plan first, then those that tables name, in the order of
 * their appearance; a role's place gives its colour, on the page (class "role-2") and in pictures ---- */

enum { FS_ROLES = 32 };
/* The role of a tile that nothing uses. */
extern const char fs_role_unused[];

typedef struct fs_roles {
    fs_arena *arena;
    const char *name[FS_ROLES], *label[FS_ROLES], *mark[FS_ROLES];
    size_t count;
} fs_roles;

void fs_roles_begin(fs_roles *roles, fs_arena *arena, const fs_page_plan *plan);
/* The place of a role, which is added when it is new; FS_ROLES - 1 for all when there are too many. */
size_t fs_roles_at(fs_roles *roles, const char *name);
/* "role-2": a class of page.css and a name of fs_plot_colour; of an unused tile "idle". */
const char *fs_roles_colour(fs_roles *roles, const char *name);
/* "routers, level 3", "generator": a group of `count` tiles; levels: tell the level. */
const char *fs_roles_group(fs_roles *roles, const char *name, bool levels, int64_t level, size_t count);
/* What a tile bears on a map of the chip: "3", "G", "". */
const char *fs_roles_mark(fs_roles *roles, const char *name, int64_t level);
/* Marks carry levels for this role, so that its level is worth telling. */
bool fs_roles_levelled(fs_roles *roles, const char *name);

/* ---- texts of a page's plan: {NAME} is a figure of the run, {@NAME} what the section knows
 * (docs/run-folder.md); forms and clauses are those of fs_number_fill ---- */

/* `text` filled, of the arena; NULL when `text` is NULL or something in braces is not known or null. lookup: what a
 * section knows under a name without the @; may be NULL. */
const char *fs_fill(fs_arena *arena, const fs_folder *run, const char *text, fs_number_lookup *lookup,
                    void *self);

/* ---- what a column of a plan stands for ---- */

/* The sum of the plan's columns over the sum of `of`, times its scale, of the arena, [rows]; 0 where there is
 * nothing to divide by. NULL without an error when the table lacks one of them; FS_INPUT when a cell is no
 * number. */
double *fs_measured(fs_arena *arena, const fs_csv *table, const fs_plan_column *column, fs_error *err);

/* Of one row of a table of figures; NAN where there is none, or nothing to divide by. */
double fs_planned_at(const fs_csv *table, size_t row, const fs_plan_column *column);

/* ---- the lines of a panel of a plan ---- */

typedef struct fs_lines_one {
    const fs_plan_column *plan; /* that it is of */
    size_t panel;
    const char *column, *label, *unit;
    const char *colour;       /* as fs_plot_colour takes it */
    size_t shade, shades;     /* of that colour, of lines that are numbered; shades 0: the colour itself */
    const char *by;           /* a line of some rows: those with this word in `words`; NULL */
    const char *const *words; /* [rows] */
    const int64_t *values;    /* [rows] */
    double sum;               /* of its rows */
    bool area, tall, told; /* an area of a stack; one that may tower over the rest; under the pointer only */
} fs_lines_one;

/* Adds the lines of panel `at` of a section to lines [*count], at most `room` in all: a column split by roles is
 * a line for each that has more than 0, in the order of the roles; NAME_* one for each number; what the table
 * does not have is left out. FS_INPUT: a cell is no whole number. */
fs_status fs_lines_read(fs_arena *arena, fs_roles *roles, const fs_csv *table, const fs_plan_section *section,
                        size_t at, fs_lines_one *lines, size_t *count, size_t room, fs_error *err);

/* Its value in a row: 0 in one that is another's. */
double fs_lines_at(const fs_lines_one *line, size_t row);

/* ---- how values spread (run_spread.c): counts of whole numbers, mean, and percentiles by nearest rank ---- */

typedef struct fs_value_spread {
    uint64_t count, tallest;                /* values that are there; of the value that occurs most */
    double mean, some, full;                /* shares: above 0; 100 or more (of values in per cent) */
    int64_t least, most, median, late, cut; /* late: 99.9th percentile, of counts 99th; cut: 99.5th */
} fs_value_spread;

/* Of values [count]; those below 0 are none. */
void fs_spread_take(fs_value_spread *out, const int64_t *value, size_t count);
/* Of counted values in rising order: many[i] times value[i]. */
void fs_spread_counted(fs_value_spread *out, const int64_t *value, const int64_t *many, size_t count);

/* Values in rising order with how often each occurs, of the arena. */
typedef struct fs_counted {
    int64_t *value, *many;
    size_t count;
} fs_counted;
/* Of a column of whole numbers, less those of `minus` [rows] (NULL: of nothing), those below 0 left out; or,
 * counted, of the rows name, value, count of a table of histograms whose name is the column. FS_INPUT. */
fs_status fs_spread_read(fs_arena *arena, const fs_csv *table, const char *column, const int64_t *minus,
                         bool counted, fs_counted *out, fs_error *err);

/* ".mean", ".most", ".some", ...: for fs_fill; false for another word, or when there is no value. */
bool fs_spread_know(const fs_value_spread *s, const char *word, fs_number_value *out);

/* ---- a run in a sentence (run_verdict.c): of figures, ladder.csv and the words of the page's plan ---- */

/* A rung of the ladder that would save something. */
typedef struct fs_what_if {
    const char *said;   /* "more tracers for the hottest shards" */
    const char *kind;   /* "bound", "estimate", "simulated" */
    const char *detail; /* a sentence */
    const char *sets;   /* texts for --set, separated by spaces; "" */
    const char
        *near; /* where there are none: such texts that come near it, which the run does not have; "" */
    const char *build; /* where there are none: what would have to be built; NULL: not known */
    double gain;       /* part of the time that it saves, above 0 */
    double seconds;    /* the time then */
} fs_what_if;

/* A rung's one name on pages and in sentences: the plan's, else its own with blanks for underscores. Of the arena,
 * or constant. */
const char *fs_what_words(fs_arena *arena, const fs_page_plan *plan, const char *name);
/* The kind of a rung on a page: "upper bound" for a bound. */
const char *fs_what_kind(const char *kind);
/* Seconds of a rung of ladder.csv, or of ladder_simulated.csv as it was run; NAN: it has none, or no table (NULL). */
double fs_what_seconds(const fs_csv *ladder, const char *name);
/* The rungs that save most, that first, without those that stand for several: how many, at most `room`. 0
 * without a ladder, or with an error. All texts of the arena or the run. */
size_t fs_what_ifs(fs_arena *arena, fs_folder *run, const fs_page_plan *plan, fs_what_if *out, size_t room,
                   fs_error *err);
/* "would save about 39 %", "would save at most 73 %", "saves 31 %". */
const char *fs_what_if_saves(fs_arena *arena, const fs_what_if *what);

/* The run in one sentence without a full stop, of the arena; NULL: nothing is known of it, or an error. */
const char *fs_folder_verdict(fs_arena *arena, fs_folder *run, const fs_page_plan *plan, fs_error *err);
/* What limits it: "one tile sets the pace in 51 % of the iterations"; NULL. */
const char *fs_folder_limit(fs_arena *arena, fs_folder *run, const fs_page_plan *plan);

/* The first picture of its page that the run has, and its section: what it is known by. NULL: none. */
const fs_plan_panel *fs_folder_picture(const fs_folder *run, const fs_page_plan *plan,
                                       const fs_plan_section **section);

/* Parts of the run's time, as the plan's chart or its first series has them. */
typedef struct fs_time_part {
    const char *label, *colour; /* colour: a name of page.css */
    double share;
} fs_time_part;
size_t fs_time_parts(fs_folder *run, const fs_page_plan *plan, fs_time_part *out, size_t room);

/* The phases of a device's time, for pages of runs whose folder or store says nothing of them itself: the one list
 * of them in reports. Where a folder has a page's plan, its first series names them. */

typedef struct fs_time_phase {
    const char *figure; /* "device.cycles_host" */
    const char *name;   /* "host": a name of page.css too */
    const char *words;  /* "host visits": on pages and in sentences */
} fs_time_phase;

enum { FS_TIME_PHASES = 4 };
extern const fs_time_phase fs_time_phases[FS_TIME_PHASES];

/* The verb of "... 5 % of the time": "barriers take", "compute takes". */
const char *fs_time_takes(const char *words);
