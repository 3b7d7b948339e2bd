/* What a column of a plan stands for, row by row of a table. */
#ifndef FOAMSIM_REPORTS_READ_RUN_MEASURED_H
#define FOAMSIM_REPORTS_READ_RUN_MEASURED_H

#include "reports/read/run_folder.h"
#include "sim/base/alloc.h"
#include "sim/results/page_plan.h"

/* The sum of the plan's columns over the sum of `of`, times its scale, of the arena, [rows]; 0 where there is
 * nothing to divide by. NULL without an error when the table lacks one of them; FS_INPUT when a cell is no
 * number. */
double *fs_measured(fs_arena *arena, const fs_csv *table, const fs_plan_column *column, fs_error *err);

/* Of one row of a table of figures; NAN where there is none, or nothing to divide by. */
double fs_planned_at(const fs_csv *table, size_t row, const fs_plan_column *column);

#endif
