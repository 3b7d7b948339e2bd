/* Texts of a page's plan, with figures in braces, as people read them.
 *
 * {NAME} is a figure of the run, {@NAME} what the section knows (docs/run-folder.md); forms and clauses are those of
 * fs_number_fill.
 */
#ifndef FOAMSIM_REPORTS_READ_RUN_FILL_H
#define FOAMSIM_REPORTS_READ_RUN_FILL_H

#include "reports/read/run_folder.h"
#include "sim/base/numbers.h"

typedef fs_number_value fs_fill_value;

/* What a section knows under `name` (without the @); false: nothing. */
typedef fs_number_lookup fs_fill_lookup;

/* `text` filled, of the arena; NULL when `text` is NULL or something in braces is not known or null. lookup
 * may be NULL. */
const char *fs_fill(fs_arena *arena, const fs_folder *run, const char *text, fs_fill_lookup *lookup,
                    void *self);

/* A number by a form and a unit, as in braces. */
#define fs_fill_number fs_number_form

#endif
