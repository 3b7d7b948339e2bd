/* Private to reports/compare: tables of a comparison, for its page, and for a terminal, which prints those of a
 * sheet that is not written. */
#ifndef FOAMSIM_REPORTS_COMPARE_COMPARE_PAGE_H
#define FOAMSIM_REPORTS_COMPARE_COMPARE_PAGE_H

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

#endif
