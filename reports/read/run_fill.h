/* Texts of a page's plan, with figures in braces, as people read them.
 *
 * {NAME} is a figure of the run, {@NAME} what the section knows (docs/run-folder.md). As its unit says, or by
 * the form after a bar: "whole" 1,234; ".2" 0.57; "3" three digits that count; "%" and "%1" of a share, in
 * per cent; "si" before its unit: 0.87 M, 12 k.
 */
#ifndef FOAMSIM_REPORTS_READ_RUN_FILL_H
#define FOAMSIM_REPORTS_READ_RUN_FILL_H

#include "reports/read/run_folder.h"
#include "sim/base/alloc.h"

typedef struct fs_fill_value {
    double number;    /* NAN: not known */
    const char *text; /* instead of a number; NULL */
    const char *unit; /* "" */
    bool whole;
} fs_fill_value;

/* What a section knows under `name` (without the @); false: nothing. */
typedef bool fs_fill_lookup(void *self, const char *name, fs_fill_value *out);

/* `text` filled, of the arena; NULL when `text` is NULL or something in braces is not known or null. lookup
 * may be NULL. */
const char *fs_fill(fs_arena *arena, const fs_folder *run, const char *text, fs_fill_lookup *lookup,
                    void *self);

/* A number by a form and a unit, as in braces; "–" for NAN. Valid until the 16th next call. */
const char *fs_fill_number(double value, const char *form, const char *unit);

#endif
