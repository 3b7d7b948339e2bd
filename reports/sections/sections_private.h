/* Inside reports/sections: what the kinds of sections share. */
#ifndef FOAMSIM_REPORTS_SECTIONS_SECTIONS_PRIVATE_H
#define FOAMSIM_REPORTS_SECTIONS_SECTIONS_PRIVATE_H

#include "reports/read/run_fill.h"
#include "reports/sections/sections.h"

typedef fs_status fs_section_kind(fs_sections *s, const fs_plan_section *section, fs_error *err);

fs_section_kind fs_section_images, fs_section_series, fs_section_matrix, fs_section_chip, fs_section_links,
    fs_section_pixels, fs_section_counts, fs_section_distribution, fs_section_table, fs_section_most,
    fs_section_figures, fs_section_curve, fs_section_ladder, fs_section_memory;

/* Of the section's maps the first, for the first screen. */
fs_section_kind fs_section_sight_of_chip, fs_section_sight_of_links;

/* Begins the section, folded: `inside` says what a click opens; and its remark. */
void fs_section_begin(fs_sections *s, const fs_plan_section *section, const char *inside);
/* What a click opens where the section's charts are those: the first one's title, how many more. NULL of none. */
const char *fs_section_inside(fs_sections *s, const char *title, size_t charts);
/* What the plan says of a table where it has no picture. */
const char *fs_section_words(fs_sections *s, const fs_plan_section *section);

/* The table of the i-th run; NULL without an error where it has none. */
const fs_csv *fs_section_table_of(fs_sections *s, size_t i, const char *file, fs_error *err);
/* The file of a panel: its own, or the section's. */
const char *fs_section_file(const fs_plan_section *section, const fs_plan_panel *panel);
/* Whether a panel is shown: of one run each, of several those that the plan wants compared. */
bool fs_section_shown(const fs_sections *s, const fs_plan_panel *panel);
/* "narrow (base)" of several runs; NULL of one. */
const char *fs_section_run(const fs_sections *s, size_t i);

/* Title and caption of a panel's chart. Of one run the plan's, filled; `otherwise`, or where a figure is missing, the plan's
 * other title; of several runs the title for comparisons, and `compared`. */
const char *fs_section_title(fs_sections *s, const fs_plan_panel *panel, bool otherwise, fs_fill_lookup *know,
                             void *self);
const char *fs_section_caption(fs_sections *s, const fs_plan_panel *panel, fs_fill_lookup *know, void *self,
                               const char *compared);
const char *fs_section_label(const fs_plan_panel *panel); /* its label, else its name */

/* A range of differences: +-reach, or +-1 where none differs. */
fs_axis fs_section_differences(const fs_sections *s, const char *unit, double reach);
/* The greatest size of a difference that a picture tells apart: 99 % of those of a and b [count] that are no 0 are smaller.
 * NAN: none differs. */
double fs_section_reach(const double *a, const double *b, size_t count);

#endif
