/* Private to validation/judge. */
#pragma once

#include "validation/judge/judge.h"

/* ---- points (points.c) ---- */

/* A question that was resolved: a stand-in with what is laid over it, and the point that it is. */
typedef struct fs_asked {
    const fs_node *base; /* of the stand-in */
    uint64_t hash;
    const char *text; /* NULL: free */
    size_t point;
} fs_asked;

/* Configurations to be run, each once: a variant on a stand-in, with what else is laid over it. */
typedef struct fs_case_points {
    const fs_validation *v;
    fs_sweep_resolver *resolver;
    fs_store_point *points; /* [count] once run: with their figures */
    size_t count;
    bool basic; /* points added from here on are asked for their figures alone: no tables of congestion */
    fs_asked *asked; /* [asked_room] a table by hash: asked_room is 0 or a power of two */
    size_t asked_count, asked_room;
} fs_case_points;

fs_case_points *fs_case_points_create(const fs_validation *v);
/* A variant. Returns the point's index through *index. FS_INPUT when the configuration
 * is wrong. `extra` [extra_count] comes over everything else; `label` says what it is. */
fs_status fs_case_points_add(fs_case_points *list, const fs_standin *standin, const fs_variant *variant,
                             const fs_config_over *extra, size_t extra_count, const char *label,
                             size_t *index, fs_error *err);
/* Runs what the store does not know yet, as the sweep "NAME-PAPER", and reads all of it. */
fs_status fs_case_points_run(fs_case_points *list, const char *name, const fs_validation_options *options,
                             fs_error *err);

/* ---- judging (judge.c) ---- */

/* Sets which cases are left aside: those aside, where others are scored. */
void fs_leave_aside(fs_validation *v);
/* It is predicted here alone, is run, and counts. */
bool fs_claim_counts(const fs_validation_case *c, const fs_claim *f);
/* Median and range of the figure at the draws that are kept; whether it failed. */
void fs_claim_spread(const fs_validation *v, const fs_validation_case *c, fs_claim *f);
/* Prices move it: a figure of its own that the paper measures so. */
bool fs_claim_priced(const fs_claim *claim);

/* ---- what is said beside the figures (describe.c), after judging ---- */

void fs_describe_paces(fs_validation *v);
void fs_describe_standins(fs_validation *v);

/* ---- draws (draws.c) ---- */

/* The scored figures at draws of the priors: added to a list, and taken from it once run. `index`: points of each case,
 * variants x stand-ins of each. FS_INPUT: a figure would be predicted by itself. */
typedef struct fs_draws fs_draws;
fs_status fs_draws_add(fs_validation *v, fs_case_points *list, fs_draws **out, fs_error *err);
void fs_draws_take(fs_validation *v, const fs_draws *draws, const fs_case_points *list);
fs_status fs_draws_check(const fs_validation *v, size_t *const *index, fs_error *err);
/* Without draws: the stand-ins are the draws. */
void fs_draws_of_standins(fs_validation *v);
/* Drops the draws that contradict what was published. */
void fs_draws_keep(fs_validation *v);

/* ---- table by table (tables.c) ---- */

/* What the baseline says of each figure, fitted on all of them. */
void fs_tables_baselines(fs_validation *v);
/* Each table by the others. */
void fs_tables_judge(fs_validation *v);

/* ---- values (run.c, judge.c) ---- */

/* A figure of a point; NAN where it has none. A run that failed (its frame never completes, it does not fit)
 * is worse than any that did not in what the paper measures (infinite where less is better, 0 where more is),
 * and has NAN for what else it would have. NULL: failed. */
double fs_case_point_value(const fs_paper *paper, const fs_store_point *p, const char *figure);
/* What a failed run is worth there: beyond all others. */
double fs_failed_value(const fs_claim *f);
/* The same of a variant on a stand-in; NAN before the runs. */
double fs_variant_value(const fs_validation_case *c, const fs_variant *variant, size_t standin,
                        const char *figure);
