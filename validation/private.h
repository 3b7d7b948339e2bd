/* Shared by the files of validation/ only. */
#ifndef FOAMSIM_VALIDATION_PRIVATE_H
#define FOAMSIM_VALIDATION_PRIVATE_H

#include "sim/config/config.h"
#include "sim/config/yaml.h"
#include "sim/store/store.h"
#include "sim/sweep/sweep.h"
#include "validation/validation.h"

/* ---- behaviour: relations between runs ---- */

/* A sum of statistics of one variant. */
typedef struct fs_term {
    size_t variant;
    const char *const *figures; /* [count] */
    size_t count;
} fs_term;

typedef enum fs_relation_kind {
    FS_RELATION_SMALLER, /* term 1 is at least `factor` times term 0 */
    FS_RELATION_FALLS,   /* each term is at most the one before it; `flattens`: the last step is smaller */
    FS_RELATION_ABOVE,   /* term 0 is more than `factor` */
    FS_RELATION_FAILS,   /* the variant of term 0 cannot be run */
    FS_RELATION_BEST     /* the smallest of the terms is at most one from the smallest published */
} fs_relation_kind;

typedef struct fs_relation {
    fs_relation_kind kind;
    const fs_term *terms; /* [count] */
    size_t count;
    double factor;
    bool flattens;
    const double *published; /* [count] of FS_RELATION_BEST */
} fs_relation;

/* ---- reading ---- */

/* A case as it is read: lists that grow. */
typedef struct fs_case_reader {
    const fs_yaml *yaml;
    fs_arena *arena;
    fs_validation_case *c;
    const struct fs_case_axis *axes; /* [axis_count] at most 2 */
    size_t axis_count, figure_room;
} fs_case_reader;

/* A key that variants are made from. */
typedef struct fs_case_axis {
    const char *key;
    const char *const *names; /* [count] */
    fs_node *const *values;   /* [count] */
    const bool *saturated;    /* [count] */
    size_t count;
    bool series; /* a line of the chart each, not a place along x */
} fs_case_axis;

/* One case (case_file.c): all of it but its stand-ins, of which *standins (a list or NULL) and *base are what
 * the file says. */
fs_status fs_case_read(fs_arena *arena, const char *path, fs_validation_case *c, const fs_node **standins,
                       fs_node **base, fs_error *err);
void fs_case_read_variants(fs_case_reader *r, const fs_node *root);
void fs_case_read_choices(fs_case_reader *r, const fs_node *root);
void fs_case_read_figures(fs_case_reader *r, const fs_node *root);
void fs_case_read_relations(fs_case_reader *r, const fs_node *root);
/* The unit of a statistic. */
const char *fs_figure_unit(const char *figure);
fs_claim *fs_case_add_figure(fs_case_reader *r);
/* A mapping of settings, `section.key: value`, behind those that are there. */
void fs_case_read_sets(const fs_yaml *yaml, const fs_node *sets, const char *key,
                       const fs_config_over **overs, size_t *count);
/* The variant of that name, reported when there is none; SIZE_MAX. */
size_t fs_case_variant(const fs_case_reader *r, const fs_node *node, const char *key);

/* ---- points (points.c) ---- */

/* Configurations to be run, each once: a variant on a stand-in, with what else is laid over it. */
typedef struct fs_point_list {
    const fs_validation *v;
    fs_sweep_resolver *resolver;
    fs_store_point *points; /* [count] once run: with their figures */
    size_t count, room;
    const fs_config_over *below; /* [below_count] what points added from here on lay below everything else */
    size_t below_count;
} fs_point_list;

fs_point_list *fs_points_create(const fs_validation *v);
/* Returns the point's index through *index. FS_INPUT when the configuration is wrong. `extra` [extra_count]
 * comes over everything else; `label` says what it is. */
fs_status fs_points_add(fs_point_list *list, const fs_standin *standin, const fs_variant *variant,
                        const fs_config_over *extra, size_t extra_count, const char *label, size_t *index,
                        fs_error *err);
/* Runs what the store does not know yet, under the name of a sweep, and reads all of it. */
fs_status fs_points_run(fs_point_list *list, const char *name, const fs_validation_options *options,
                        fs_error *err);

/* ---- other ways (ways.c) ---- */

/* Cases run in another way than the default: each choice of each case, and all of them with the other fit. */
typedef struct fs_ways fs_ways;
fs_status fs_ways_add(const fs_validation *v, fs_point_list *list, fs_ways **out, fs_error *err);
void fs_ways_take(fs_validation *v, const fs_ways *ways, const fs_point_list *list);

/* ---- cases in a list of points (run.c) ---- */

/* Adds the points of all variants of a case; *index [variants * standins]. */
fs_status fs_case_add_points(const fs_validation *v, const fs_validation_case *c, const char *way,
                             fs_point_list *list, size_t **index, fs_error *err);
void fs_case_take_points(const fs_validation *v, fs_validation_case *c, const fs_point_list *list,
                         const size_t *index);

/* ---- judging (judge.c) ---- */

/* Claims, order and mean error of one case. */
void fs_case_judge(const fs_validation *v, fs_validation_case *c);
/* Over judged cases. */
fs_scores fs_scores_of(const fs_validation_case *cases, size_t count);

/* ---- what is said beside the figures (describe.c), after judging ---- */

void fs_describe_paces(fs_validation *v);
void fs_describe_standins(fs_validation *v);

/* ---- calibration (calibrate.c) ---- */

/* The permille from `low` to `high` at which a ratio that rises with it is nearest to 1. FS_RUN when it is
 * not 1 anywhere between them; else what `ratio` fails with. */
fs_status fs_fit_permille(uint32_t low, uint32_t high,
                          fs_status (*ratio)(void *self, uint32_t permille, double *out, fs_error *err),
                          void *self, uint32_t *best, fs_error *err);

/* ---- sensitivities (sensitivity.c) ---- */

/* The timed runs at the ends of the uncertain parameters: added to a list, and taken from it once run. */
typedef struct fs_sensitivities fs_sensitivities;
fs_status fs_sensitivities_add(const fs_validation *v, fs_point_list *list, fs_sensitivities **out,
                               fs_error *err);
void fs_sensitivities_take(fs_validation *v, const fs_sensitivities *s, const fs_point_list *list);

/* ---- values ---- */

/* A figure of a point; NAN where it has none. A frame that failed (it never completes, it does not fit) takes
 * longer than any that did not: infinite seconds and iterations, NAN for what else it would have. NULL:
 * failed. */
double fs_point_value(const fs_store_point *p, const char *figure);
/* The same of a variant on a stand-in; NAN before the runs. */
double fs_variant_value(const fs_variant *variant, size_t standin, const char *figure);
/* Median of those that are numbers, infinite ones among them; where that is infinite, of the finite ones; NAN
 * when there are none. */
double fs_median(const double *values, size_t count);
/* A number as tables show it: four digits that count, all digits of a whole number; "-" for NAN. */
enum { FS_SHOWN = 32 };
const char *fs_shown_number(double value, char out[FS_SHOWN]);
/* 3.2 %, "-". */
const char *fs_shown_share(double share, char out[FS_SHOWN]);
/* +3.2 %, -14 %, "-". */
const char *fs_shown_percent(double ratio, char out[FS_SHOWN]);

#endif
