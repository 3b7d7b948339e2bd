/* Private to validation/judge. */
#ifndef FOAMSIM_VALIDATION_JUDGE_PRIVATE_H
#define FOAMSIM_VALIDATION_JUDGE_PRIVATE_H

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
    const fs_calibrated *below; /* [below_count] what points added from here on lay below everything else */
    size_t below_count;
    bool basic; /* points added from here on are asked for their figures alone: no tables of congestion */
    fs_asked *asked; /* [asked_room] a table by hash: asked_room is 0 or a power of two */
    size_t asked_count, asked_room;
} fs_case_points;

fs_case_points *fs_case_points_create(const fs_validation *v);
/* A variant of a case (NULL: of none). Returns the point's index through *index. FS_INPUT when the configuration
 * is wrong. `extra` comes over everything else (NULL: nothing does); `label` says what it is. */
fs_status fs_case_points_add(fs_case_points *list, const fs_validation_case *c, const fs_standin *standin,
                             const fs_variant *variant, const fs_config_over *extra, const char *label,
                             size_t *index, fs_error *err);
/* Runs what the store does not know yet, as the sweep "NAME-PAPER", and reads all of it. */
fs_status fs_case_points_run(fs_case_points *list, const char *name, const fs_validation_options *options,
                             fs_error *err);

/* ---- other ways (ways.c) ---- */

/* Cases run in another way than the default: each choice of each case, and all of them with the other fit. */
typedef struct fs_ways fs_ways;
fs_status fs_ways_add(const fs_validation *v, fs_case_points *list, fs_ways **out, fs_error *err);
void fs_ways_take(fs_validation *v, const fs_ways *ways, const fs_case_points *list);

/* ---- cases in a list of points (run.c) ---- */

/* Adds the points of all variants of a case; *index [variants * standins]. */
fs_status fs_case_add_points(const fs_validation *v, const fs_validation_case *c, const char *way,
                             fs_case_points *list, size_t **index, fs_error *err);
void fs_case_take_points(const fs_validation *v, fs_validation_case *c, const fs_case_points *list,
                         const size_t *index);

/* ---- judging (judge.c) ---- */

/* Claims, order and mean error of one case, which was run with what was fitted or without. */
void fs_case_judge(const fs_validation *v, fs_validation_case *c, bool fitted);
/* Over judged cases. */
fs_scores fs_scores_of(const fs_validation_case *cases, size_t count);
/* Prices move it: a figure of its own that the paper measures so. */
bool fs_claim_priced(const fs_claim *claim);

/* ---- what is said beside the figures (describe.c), after judging ---- */

void fs_describe_paces(fs_validation *v);
void fs_describe_standins(fs_validation *v);

/* ---- sensitivities (sensitivity.c) ---- */

/* The priced runs at the ends of the uncertain parameters: added to a list, and taken from it once run. */
typedef struct fs_sensitivities fs_sensitivities;
fs_status fs_sensitivities_add(const fs_validation *v, fs_case_points *list, fs_sensitivities **out,
                               fs_error *err);
void fs_sensitivities_take(fs_validation *v, const fs_sensitivities *s, const fs_case_points *list);

/* ---- values (run.c, judge.c) ---- */

/* A figure of a point; NAN where it has none. A run that failed (its frame never completes, it does not fit)
 * is worse than any that did not in what the paper measures (infinite where less is better, 0 where more is),
 * and has NAN for what else it would have. NULL: failed. */
double fs_case_point_value(const fs_paper *paper, const fs_store_point *p, const char *figure);
/* The same of a variant on a stand-in; NAN before the runs. */
double fs_variant_value(const fs_validation_case *c, const fs_variant *variant, size_t standin,
                        const char *figure);

#endif
