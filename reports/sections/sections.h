/* Sections of a page about runs: what a section of a plan (sim/results/page_plan.h) shows of one run folder,
 * or of several side by side, as tables, charts and pictures of a sheet. A kind of section is a file of this
 * folder and a row of sections.c; what a run does not have is left out, or said where the others have it; what
 * is damaged is an error.
 *
 *     fs_show s = {.arena = arena, .sheet = sheet, .plan = plan, .roles = &roles,
 *                  .count = 1, .run = {run}, .label = {"demo"}};
 *     fs_show_find_parts(&s);
 *     for (size_t i = 0; i < plan->section_count; i++)
 *         status = fs_show_put(&s, plan->sections[i], err);
 */
#pragma once

#include "reports/read/run_folder.h"
#include "reports/sheet/sheet.h"
#include "sim/results/page_plan.h"

/* Most runs side by side; parts of a run, the whole among them. */
enum { FS_SHOW_RUNS = 4, FS_SHOW_PARTS = 9 };

typedef struct fs_show {
    fs_arena *arena;
    fs_sheet *sheet;
    const fs_page_plan *plan;
    fs_roles *roles; /* of all runs */
    size_t count;    /* 1: the page of a run; more: a comparison, of which the first is the base */
    fs_folder *run[FS_SHOW_RUNS];
    const char *label[FS_SHOW_RUNS];
    /* Where the run's own pictures stand, from the page on; "": in its folder; NULL: nothing is said. */
    const char *whole;
    /* Iterations of each part, [begin, end); part 0 is the whole run. Of a run whose plan has no parts: 1. */
    size_t parts, part_begin[FS_SHOW_PARTS], part_end[FS_SHOW_PARTS];
    /* For the first screen, after fs_show_sight. */
    const fs_panel *sight; /* NULL: the page has no such map */
    const char *sight_title, *sight_id;
    void *chip, *links; /* the first maps of each kind, as they were read */
    void *grids;        /* matrices, as they were read */
} fs_show;

/* Where the parts of a single run begin, by the figures that the plan names. */
void fs_show_find_parts(fs_show *s);

/* Adds the section to the sheet, with its heading; nothing where no run has anything of it, or its kind is
 * not known here. FS_INPUT. */
fs_status fs_show_put(fs_show *s, const fs_plan_section *section, fs_error *err);
/* The first map of a single run's page, of its chip, or else of its network, for the first screen: fills
 * sight. FS_INPUT. */
fs_status fs_show_sight(fs_show *s, fs_error *err);
/* Whether some run has what the section is about: its file, or that of a panel; true of one without files. */
bool fs_show_has_file(const fs_show *s, const fs_plan_section *section);
