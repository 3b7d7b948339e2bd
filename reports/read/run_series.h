/* Series of a page's plan: the lines of a panel, as the table of a run has them. */
#ifndef FOAMSIM_REPORTS_READ_RUN_SERIES_H
#define FOAMSIM_REPORTS_READ_RUN_SERIES_H

#include "reports/read/run_folder.h"
#include "reports/read/run_roles.h"

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

#endif
