/* A run in a sentence: what came out, what limits it, what would help. Of figures, ladder.csv and the words
 * of the page's plan. */
#ifndef FOAMSIM_REPORTS_READ_RUN_VERDICT_H
#define FOAMSIM_REPORTS_READ_RUN_VERDICT_H

#include "reports/read/run_folder.h"
#include "sim/base/alloc.h"
#include "sim/results/page_plan.h"

/* A rung of the ladder that would save something. */
typedef struct fs_what_if {
    const char *said;   /* "more tracers for the hottest shards" */
    const char *kind;   /* "bound", "estimate", "simulated" */
    const char *detail; /* a sentence */
    const char *sets;   /* texts for --set, separated by spaces; "" */
    const char
        *near; /* where there are none: such texts that come near it, which the run does not have; "" */
    const char *build; /* where there are none: what would have to be built; NULL: not known */
    double gain;       /* part of the time that it saves, above 0 */
    double seconds;    /* the time then */
} fs_what_if;

/* A rung's one name on pages and in sentences: the plan's, else its own with blanks for underscores. Of the arena,
 * or constant. */
const char *fs_what_words(fs_arena *arena, const fs_page_plan *plan, const char *name);
/* The kind of a rung on a page: "upper bound" for a bound. */
const char *fs_what_kind(const char *kind);
/* Seconds of a rung of ladder.csv, or of ladder_simulated.csv as it was run; NAN: it has none, or no table (NULL). */
double fs_what_seconds(const fs_csv *ladder, const char *name);
/* The rungs that save most, that first, without those that stand for several: how many, at most `room`. 0
 * without a ladder, or with an error. All texts of the arena or the run. */
size_t fs_what_ifs(fs_arena *arena, fs_folder *run, const fs_page_plan *plan, fs_what_if *out, size_t room,
                   fs_error *err);
/* "would save about 39 %", "would save at most 73 %", "saves 31 %". */
const char *fs_what_if_saves(fs_arena *arena, const fs_what_if *what);

/* The run in one sentence without a full stop, of the arena; NULL: nothing is known of it, or an error. */
const char *fs_folder_verdict(fs_arena *arena, fs_folder *run, const fs_page_plan *plan, fs_error *err);
/* What limits it: "one tile sets the pace in 51 % of the iterations"; NULL. */
const char *fs_folder_limit(fs_arena *arena, fs_folder *run, const fs_page_plan *plan);

/* The first picture of its page that the run has, and its section: what it is known by. NULL: none. */
const fs_plan_panel *fs_folder_picture(const fs_folder *run, const fs_page_plan *plan,
                                       const fs_plan_section **section);

/* Parts of the run's time, as the plan's chart or its first series has them. */
typedef struct fs_time_part {
    const char *label, *colour; /* colour: a name of page.css */
    double share;
} fs_time_part;
size_t fs_time_parts(fs_folder *run, const fs_page_plan *plan, fs_time_part *out, size_t room);

#endif
