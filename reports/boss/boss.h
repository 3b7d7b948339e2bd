/* One page for whoever decides: build this, it costs that, second best, how sure. A4, printed by Chromium
 * where it is installed; else the HTML stays, which prints as one page from any browser. */
#pragma once

#include "reports/read/run_folder.h"
#include "sim/base/alloc.h"
#include "sim/base/error.h"

typedef struct fs_boss_row {
    const char *label, *value;
    const char *note; /* beside the value, small; or NULL */
} fs_boss_row;

/* More rows than this of a table are left out, so that the page stays one. */
enum { FS_BOSS_ROWS = 12, FS_BOSS_SENTENCES = 6 };

typedef struct fs_boss {
    const char *name;    /* of what it is about */
    const char *verdict; /* one sentence */
    const char *build;   /* heading of the first table: "Build this: demo" */
    fs_boss_row what[FS_BOSS_ROWS];
    size_t what_count;
    fs_boss_row cost[FS_BOSS_ROWS];
    size_t cost_count;
    const char *second; /* heading: "Second best: mesh", "What would make it better" */
    fs_boss_row other[FS_BOSS_ROWS];
    size_t other_count;
    const char *sure[FS_BOSS_SENTENCES];
    size_t sure_count;
    fs_time_part part[8]; /* where its time goes */
    size_t parts;
} fs_boss;

void fs_boss_add(fs_boss_row *rows, size_t *count, fs_boss_row row);
void fs_boss_say(fs_boss *boss, const char *sentence);
/* The figures of a run that a decision is made by, those with a direction and a place in tables, without counts
 * of cycles and rows of a label that the table has; what limits of area and power they are held to; what `base`
 * takes (NULL: nothing to compare with). And where the time goes, by the plan (NULL: not known). */
void fs_boss_costs(fs_boss *boss, fs_arena *arena, fs_folder *run, const fs_page_plan *plan,
                   const fs_folder *base);
/* "13 % less than WHOM", "2.3 times WHOM": of a figure, both above 0; "" where one is not known. */
const char *fs_boss_change(fs_arena *arena, double value, double other, const char *whom);

/* Writes `file`, and nothing else: HTML or a PDF, as its name ends; without Chromium the HTML beside it, and says so.
 * FS_INPUT: it ends in neither; FS_IO, also where that HTML exists; FS_RUN with Chromium's words. */
fs_status fs_boss_write(const fs_boss *boss, const char *file, fs_error *err);
