/* Comparing runs: what differs in what was set, what differs in what came out, and why.
 *
 * A comparison opens two or more run folders; one of them is the base that the others are measured against.
 * Every figure says itself which direction is worse, how a difference is written, and where it stands in the
 * main table (fs_figure.row); no name of a figure of a workload is known here. The verdict is computed: each
 * sentence holds the figures that it follows from. Runs that differ in what was asked of them (scene, camera,
 * batching) as well as in what they ran on are compared within groups of equal questions: a matrix, rows are
 * groups, columns configurations.
 */
#pragma once

#include "reports/read/run_folder.h"
#include "sim/base/alloc.h"
#include "sim/cli/cli.h"

#include <stdio.h>

extern const fs_command fs_command_compare;

/* ---- a comparison ---- */

/* A row of work.csv: what the work of a run is. */
typedef struct fs_compare_work {
    const char *what, *value; /* "picture", "320 x 240" */
    const char *unit;         /* of a count: "ray"; else "" */
    double count;             /* NAN: none */
} fs_compare_work;

typedef struct fs_compare_run {
    fs_folder *folder;
    const char *label; /* the folder's name, longer where two are alike: unique */
    const fs_setting *settings;
    size_t setting_count;
    const fs_figure *more; /* figures taken from tables: tiles.routers ... */
    size_t more_count;
    const fs_page_plan *plan; /* of its page.json; of a folder without one a plan of nothing */
    fs_roles roles;
    fs_compare_work *work; /* [work_count]; 0: not known */
    size_t work_count;
    const char
        *other_work;  /* how its work differs from the base's: "picture 320 x 240 against 640 x 480"; "" */
    fs_figure *rates; /* of runs whose work differs: time, rate and joules of one unit of it */
    size_t rate_count;
    const char *bound; /* of a named work: what would save most of its time, and how much; "-" */
} fs_compare_run;

/* A parameter that has not the same value in all runs. */
typedef struct fs_compare_setting {
    const char *section, *key;
    const char **values; /* [runs]; NULL: the run knows no such parameter */
} fs_compare_setting;

typedef struct fs_compare_figure {
    const char *name, *unit, *description;
    const fs_stat *row;       /* what the figure says of itself; NULL: unknown, any change is worse */
    const char *label;        /* for tables: of the row, else the name */
    const fs_figure **values; /* [runs]; NULL: the run has none */
    bool equal;               /* in all runs */
} fs_compare_figure;

typedef struct fs_sentence {
    const char *key;  /* "speed", "pace", ... */
    const char *text; /* one sentence */
} fs_sentence;

/* The sentences about one run against the base; with more runs also about all of them. */
typedef struct fs_verdict {
    fs_sentence *sentences;
    size_t count;
} fs_verdict;

typedef struct fs_matrix fs_matrix;

typedef struct fs_compare {
    const fs_registry *registry; /* NULL: runs are read by their own words alone */
    fs_arena *arena;
    fs_compare_run *runs;
    size_t count, base;
    const fs_page_plan *plan;     /* the base's: what the page shows, which settings are questions */
    fs_compare_setting *settings; /* only those that differ */
    size_t setting_count;
    fs_compare_figure *figures; /* all, in the order of summary.json */
    size_t figure_count;
    const fs_compare_figure **main; /* those of the main table, by their places; the first decides */
    size_t main_count;
    fs_verdict *verdicts; /* [runs]; the base's is about the whole comparison */
    fs_matrix *matrix;    /* NULL: all runs were asked the same, or differ in nothing else */
    const char *work;     /* the named work that all do, whatever their workloads; NULL: none */
    bool works_differ;    /* runs that are compared do not do the same work */
    const char *unit;     /* then: what is compared is one of it, "ray"; NULL: they count nothing alike */
} fs_compare;

/* Opens the folders `dirs` [count], count >= 2, base < count. groups: further parameters that make rows of
 * the matrix ("workload.payload"), [group_count]. NULL with FS_INPUT. Owner: caller, ends with
 * fs_compare_free. */
fs_compare *fs_compare_open(const fs_registry *registry, const char *const *dirs, size_t count, size_t base,
                            const char *const *groups, size_t group_count, fs_error *err);
void fs_compare_free(fs_compare *c); /* NULL is allowed */

/* The i-th run as it is shown: the base first, then the others as they were named. */
static inline size_t fs_compare_place(const fs_compare *c, size_t i) {
    return i == 0 ? c->base : i - 1 + (i - 1 >= c->base);
}

static inline const char *fs_compare_label(const fs_compare *c, size_t i) {
    return c->runs[fs_compare_place(c, i)].label;
}

/* The figure that decides which run is better, the first of the main table that any run has; NULL: none of the runs has
 * one, or they count nothing alike. */
const fs_compare_figure *fs_compare_decides(const fs_compare *c);

/* Whether value `a` of the figure that decides is better than `b`: more of it where its row says that more
 * is better, else less. Also of ratios and differences to a base, against 1 and 0. */
static inline bool fs_compare_beats(const fs_compare *c, double a, double b) {
    const fs_compare_figure *f = fs_compare_decides(c);
    return f != NULL && f->row != NULL && f->row->better == FS_BETTER_MORE ? a > b : a < b;
}

const fs_compare_figure *fs_compare_find(const fs_compare *c, const char *name); /* NULL: in no run */
/* Its value in a run; NAN: none, null or a word. */
double fs_compare_number(const fs_compare *c, size_t run, const char *name);

/* How far `value` lies from `base` in per cent of the base: 0 when they are equal, INFINITY (with its sign)
 * when the base is 0 or null stands for INFINITY, NAN when there is nothing to compare. */
double fs_compare_percent(const fs_stat *row, double base, double value);
/* By how many per cent of the base the run is worse: 0 when it is not; for words and unknown figures INFINITY
 * at any change; NAN when one of the two has no such figure. */
double fs_compare_worse(const fs_compare *c, const fs_compare_figure *figure, size_t run);

/* Reads the run's work.csv, where it has one. FS_INPUT when it is damaged. */
fs_status fs_compare_read_work(fs_compare *c, fs_compare_run *run, fs_error *err);
/* Fills what the runs say of each other's work, and where that differs or has a name their rates; whether
 * it does. */
bool fs_compare_works(fs_compare *c);

/* Whether runs of several workloads are compared of which some do not know that parameter. */
bool fs_compare_foreign(const fs_compare *c, const fs_compare_setting *setting);

/* ---- texts; all of the comparison's arena ---- */

/* A value of the figure that decides, in its unit: "36.29 ms", "1,240 cycles". */
const char *fs_compare_decided(const fs_compare *c, double value);
/* A value as a sentence has it, which says what is counted: "36.29 ms", "603.6 KiB", "12.4 %", "1,234,567",
 * "-"; and as it stands in a table, with the unit that its label does not say: "784.5 mm2". */
/* Estimates that may be the same, for all that their intervals say: a run's and the base's, which differ. */
bool fs_compare_within(const fs_compare *c, const fs_compare_figure *figure, size_t run);
const char *fs_compare_value(const fs_compare *c, const fs_compare_figure *figure, size_t run);
const char *fs_compare_cell(const fs_compare *c, const fs_compare_figure *figure, size_t run);
/* Some run has a value of it: a period of one frame has none, nor a share of a limit that nobody set. */
bool fs_compare_known(const fs_compare *c, const fs_compare_figure *figure);
/* Its difference to the base: "-7.4 %", "+3.1 points", "+0.20 dB", "=", "". */
const char *fs_compare_difference(const fs_compare *c, const fs_compare_figure *figure, size_t run);
const char *fs_text_seconds(fs_arena *arena, double seconds); /* "36.29 ms" */
const char *fs_text_count(fs_arena *arena, double value);     /* "1,234,567", "12.35" */

/* Fills c->verdicts. FS_INPUT when a table that it needs is damaged. */
fs_status fs_compare_judge(fs_compare *c, fs_error *err);

/* ---- the matrix ---- */

typedef struct fs_matrix_cell {
    size_t run;     /* index of the run, or SIZE_MAX: none */
    bool whole;     /* it finished its frame; else its time is not that of a frame, and is not compared */
    double value;   /* of the figure that decides: device.seconds; NAN */
    double percent; /* against the base's column in this row; NAN */
} fs_matrix_cell;

typedef struct fs_matrix_column {
    const char *label;                   /* the values of the keys that differ among columns */
    size_t run;                          /* the first run in it */
    size_t wins, ties, losses, compared; /* rows in which it is better, equal, worse than the base's */
    double ratio;                        /* geometric mean of the values over the base's; NAN: none */
    double iterations, cycles;           /* the same of device.iterations and device.cycles_per_iteration */
    size_t best_row, worst_row;          /* SIZE_MAX: none */
} fs_matrix_column;

typedef struct fs_matrix_row {
    const char *label;
    size_t run; /* the first run in it */
} fs_matrix_row;

struct fs_matrix {
    size_t rows, columns, base; /* base: the column of the base run */
    fs_matrix_row *row;
    fs_matrix_column *column;
    fs_matrix_cell *cells; /* [rows][columns] */
    bool *asked;           /* [settings that differ]: makes rows; the others make columns */
    size_t unfinished;     /* runs in cells that did not finish their frame */
    size_t doubled;        /* runs that stand in no cell, as another run has the same settings */
    size_t differing;      /* of them: those with another value than the run in the cell */
};

/* The matrix of the comparison, or NULL when there is no choice of rows in which two columns meet. */
fs_matrix *fs_compare_matrix_make(const fs_compare *c, const char *const *groups, size_t group_count);
static inline const fs_matrix_cell *fs_compare_matrix_at(const fs_matrix *m, size_t row, size_t column) {
    return &m->cells[row * m->columns + column];
}

/* ---- output ---- */

void fs_compare_print(const fs_compare *c, FILE *out);
/* The page; plots: its charts as files too, in a folder beside it (compare.html: compare_pictures). */
fs_status fs_compare_write_page(fs_compare *c, const char *path, bool plots, fs_error *err);
fs_status fs_compare_write_csv(const fs_compare *c, const char *path, fs_error *err);

/* `--threshold NAME=PERCENT` of one run. */
typedef struct fs_threshold {
    const char *name;
    double percent;
} fs_threshold;

fs_status fs_compare_write_json(const fs_compare *c, const fs_threshold *thresholds, size_t count,
                                const char *path, fs_error *err);

/* The comparison on one page, for whoever decides: the best run by the figure that decides, the second best.
 * FS_INPUT when the runs have no such figure; else as fs_boss_write. */
fs_status fs_compare_boss(const fs_compare *c, const char *file, fs_error *err);
