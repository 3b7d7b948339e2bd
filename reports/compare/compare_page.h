/* Private to reports/compare: tables of a comparison, for its page, and for a terminal, which prints those of a
 * sheet that is not written. */
#pragma once

#include "reports/compare/compare.h"
#include "reports/sheet/sheet.h"

/* Most runs side by side in a table of figures. */
enum { FS_COMPARE_BESIDE = 8 };

/* "narrow (base)", of the i-th run shown. */
const char *fs_compare_head(const fs_compare *c, size_t i);
/* The first columns: what a row is, then a column a run of `count`, each but the base's with one for its
 * difference. How many. */
size_t fs_compare_columns(const fs_compare *c, const char *first, fs_rows_column *columns, size_t count);
/* A cell with the difference of a run from the base: its text, whether it is better or worse, its strength
 * full at 20 %. */
void fs_compare_put_difference(const fs_compare *c, fs_rows *to, const fs_compare_figure *f, size_t run);

/* Settings that differ, of at most so many runs; and how many of them are left out, as not all workloads and machines have them. */
fs_rows *fs_compare_setting_rows(const fs_compare *c, fs_sheet *sheet, size_t most);
size_t fs_compare_foreign_settings(const fs_compare *c);
/* The main table; and all figures by their names. */
fs_rows *fs_compare_main_rows(const fs_compare *c, fs_sheet *sheet);
fs_rows *fs_compare_all_rows(const fs_compare *c, fs_sheet *sheet, const char *caption);
/* The matrix; its columns as wholes; the settings that make its columns, or its rows. */
fs_rows *fs_compare_matrix_rows(const fs_compare *c, fs_sheet *sheet);
fs_rows *fs_compare_column_rows(const fs_compare *c, fs_sheet *sheet);
fs_rows *fs_compare_class_rows(const fs_compare *c, fs_sheet *sheet, bool rows);

/* The section of the verdict, and the page's headline (compare_verdict_page.c). */
void fs_compare_put_verdict(const fs_compare *c, fs_sheet *sheet);

/* Inside the verdict: one run judged against the base, sentence by sentence. */

typedef struct fs_judge {
    fs_compare *c;
    fs_verdict *to;
    size_t run;        /* judged against the base */
    const char *a, *b; /* labels: base and run */
    bool incomplete;   /* one of the two did not come to its end */
} fs_judge;

/* Adds a sentence; beyond the most that a verdict holds nothing is added. */
void fs_judge_say(fs_judge *j, const char *key, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The figure of the base and of the run; NAN: none. */
double fs_judge_base(const fs_judge *j, const char *name);
double fs_judge_run(const fs_judge *j, const char *name);
/* "35 more router tiles": of a role of run `a`, what run `b` takes more of its tiles; NULL: as many, or not
 * known in both. */
const char *fs_judge_tiles(const fs_compare *c, size_t a, size_t b, size_t role);

/* That the two do not do the same work, and how; and by one unit of it how long and how many joules each
 * takes (compare_work.c). */
void fs_judge_work(fs_judge *j);
void fs_judge_rate(fs_judge *j);

/* One sentence on what another fabric did (compare_fabric.c); false: the two have the same, or nothing
 * shows it. And whether that sentence tells of a figure. */
bool fs_judge_fabric(fs_judge *j);
/* More of a network's buffers, channels or width, and it is slower: by which counters, or that none says so (compare_against.c). */
void fs_judge_against(fs_judge *j);
bool fs_judge_of_fabric(const char *figure);

/* ---- a named work (compare_work.c, docs/studies/one-work.md) ---- */

/* Fills what bounds each run of a named work. FS_INPUT when a ladder is damaged. */
fs_status fs_compare_bounds(fs_compare *c, fs_error *err);
/* The table of a work: rate, joules, area and what bounds each; NULL where
 * the runs do not do one named work. */
fs_rows *fs_compare_named_rows(const fs_compare *c, fs_sheet *sheet);

/* ---- reasons ---- */

/* Why the two differ, of compare_reasons.c: iterations, phases, parts, steps; figures that have a sentence;
 * reasons of the plan; tiles; ladders. FS_INPUT in err when a table is damaged. */
void fs_judge_reasons(fs_judge *j, fs_error *err);
