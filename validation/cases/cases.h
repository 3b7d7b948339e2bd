/* What a validation is made of, and how it is read: papers, stand-in scenes, cases, claims, scores.
 *
 *     fs_paper            a published work: what it is called, what is aimed at, what may be fitted
 *     fs_standin          an experiment in place of a published scene
 *     fs_validation_case  some of a paper's figures, the runs that they are compared with, what came out
 *     fs_validation       one paper: its stand-ins, cases and scores
 *
 * All of it is data: YAML files in configs/validation/{papers,standins,cases}; docs/validation-cases.md
 * explains them. What a published figure may be used for is said in the case, as `use`:
 *
 *     structure    must be exact
 *     calibrate    scene statistics, which stand-ins are made by
 *     predict      held out: only ever predicted, and never by itself
 *     input        goes into the model: shown, and no evidence
 *     behaviour    a relation between two runs (faster, falls and flattens, loses samples)
 *
 * What no source fixes has a prior in the paper's file. A prediction is a distribution: the figure at each of the
 * paper's draws, of which the median is compared and the range that holds four fifths is stated; and table by table, at
 * the same draws by how well they give the paper's other tables (judge/tables.c).
 *
 * Everything belongs to the arena given to fs_validations_read; nothing is shared between threads. Errors:
 * FS_INPUT with file, line, column, key, what was found and what is allowed; FS_IO.
 */
#pragma once

#include "sim/config/config.h"
#include "sim/config/yaml.h"
#include "sim/store/store.h"
#include "sim/sweep/sweep.h"
#include "validation/cases/paper.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum fs_use {
    FS_USE_STRUCTURE,
    FS_USE_CALIBRATE,
    FS_USE_PREDICT,
    FS_USE_INPUT,
    FS_USE_BEHAVIOUR
} fs_use;
extern const char *const fs_use_words[]; /* "structure", "calibrate", "predict", "input", "behaviour" */

/* Published values closer than this have no order (relative to the smaller one). */
#define FS_PAIR_DIFFERENCE 0.02

/* What a model is off by where nothing is known to be wrong, relative: one standard deviation. */
#define FS_DISCREPANCY 0.10

/* One published statistic of a scene, and the stand-in's. */
typedef struct fs_likeness {
    const char *name, *unit; /* "mean neighbours of a cell", "" */
    double published, value; /* NAN: not there */
} fs_likeness;

/* A scene that stands in for one of the paper's, with its camera: an experiment file. */
typedef struct fs_standin {
    const char *name;      /* "bicycle-3" */
    const char *ensemble;  /* "bicycle", "garden" */
    const char *path;      /* of the experiment */
    const char *about;     /* first comment line of the file, whose whole comment says what was tuned */
    fs_likeness *likeness; /* [likeness_count], in the same order for all of an ensemble */
    size_t likeness_count;
    const char *run; /* folder of a run of it, for its image.png and hops.csv; NULL: none */
    fs_node *base;   /* what its points are laid over */
} fs_standin;

/* One simulated configuration of a case, run on every stand-in of the case's ensemble. */
typedef struct fs_variant {
    const char *name;   /* "3 columns, idle 100" */
    const char *sets;   /* what it sets, flow style, for the reader */
    double x, series;   /* place in the case's chart: along x, and which line (NAN: none) */
    bool saturated;     /* its figures are counted apart */
    bool again;         /* its figures stand in another table, too */
    const char *failed; /* why points of it failed, a line for each ("bicycle-2: ..."); NULL: none did */
    const fs_config_over *overs; /* [over_count] what the case sets, then what it sets itself */
    size_t over_count;
    const fs_store_point *const *points; /* [standin_count of the case] once run; NULL: failed */
} fs_variant;

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
    double factor, most; /* SMALLER, ABOVE: and at most; infinite */
    bool flattens;
    const double *published; /* [count] of FS_RELATION_BEST */
} fs_relation;

/* A figure predicted from the paper's other tables: weighted draws, or a baseline fitted on the same tables, each with
 * the stated discrepancy. NAN: not there, or it failed. */
typedef struct fs_held {
    double median, low, high; /* low, high: the range that holds four fifths */
    double miss;              /* |median / published - 1|; 1 where it failed */
    double crps;              /* continuous ranked probability score over published; 1 where it failed */
    bool in_range;
} fs_held;

/* A claim: one published figure and what came out. NAN: not there. */
typedef struct fs_claim {
    const char *name;                /* "time, 3 columns, idle 100" */
    const char *variant;             /* of its case; "" for a relation between several */
    const char *figure;              /* statistic: device.seconds, or a quotient of two; "" for a relation
                                        between several */
    const char *unit;                /* of the statistic */
    const fs_paper_figure *measured; /* what the paper measures over and over; NULL: a figure of its own */
    fs_use use;
    bool again;                  /* a scored figure of another table: shown and put in order, not counted */
    bool failed;                 /* at least half of the draws gave nothing: there is no median */
    double work;                 /* that a person would go by who knows nothing of the machine; NAN: none */
    const char *like;            /* figures of that name share one constant: times `work` is the baseline, */
    bool plus;                   /* or plus `work` */
    double baseline, rank;       /* its value by all figures alike, and its place in their order; NAN */
    double published;            /* behaviour: the factor that the relation must at least reach, else NAN */
    double tolerance;            /* relative; structure: 0. What counts as reached, for `reached` */
    bool saturated;              /* counted apart */
    const char *source;          /* "RF Tab. 5" */
    double *simulated;           /* [standin_count of the case], in its order; NAN: that point failed */
    const double *drawn;         /* [draw_count of the validation] NAN: failed; NULL: not drawn */
    double median, low, high;    /* over the draws, or over the stand-ins; four fifths lie from low to high */
    fs_held held, held_baseline; /* from the other tables, where it is scored */
    double error;                /* median / published - 1 */
    bool within;                 /* published lies in [low, high] */
    bool reached;                /* |error| <= tolerance; behaviour: the relation holds */
    const char *words;           /* behaviour: what was found, in words; else NULL */
    const char *missing; /* why nothing is simulated ("the frame never completes"); NULL: something is */
    const struct fs_claim *steps; /* [step_count] of a figure that is published as falling: what each variant
                                     gave, in the published order; their `published` is NAN */
    size_t step_count;
    const fs_relation *relation; /* of a behaviour; else NULL */
    size_t variant_index;
} fs_claim;

/* How the figures of a case move with an uncertain parameter: a bar of the tornado plot. */
typedef struct fs_sensitivity {
    const char *key;        /* machine.host.launch */
    const char *low, *high; /* values as written */
    double at_low, at_high; /* relative change of the mean there, by a plane through all draws */
} fs_sensitivity;

/* What sets the pace in a case: for the variant, from the run of the middle stand-in. */
typedef struct fs_pace {
    const char *variant;
    const double *shares; /* [paper->pace.share_count] of iterations; NAN */
    const double *means;  /* [paper->pace.mean_count] cycles of an iteration; NAN */
    const char *words;
} fs_pace;

typedef struct fs_validation_case {
    const char *name, *title, *source, *path;
    const fs_paper *paper; /* whose figures they are */
    const char *about;     /* what the figures are */
    const char *open;      /* what the paper leaves open, and how it was decided */
    const char *ensemble;  /* "bicycle"; "" for a case with stand-ins or an experiment of its own */
    bool scored;           /* its predicted claims count for the scores */
    bool aside;      /* another reading of what was published: counted only where nothing else is scored */
    bool left_aside; /* so it is not counted here */
    const char *reading;  /* cases aside that are scored together: "Garden alone"; NULL: none */
    const char *order_of; /* the statistic whose pairs are put in order; NULL: none */
    const char *table;    /* cases of one table, whose pairs are put in order together; NULL: none */
    const fs_standin *const *standins; /* [standin_count] */
    size_t standin_count;
    fs_variant *variants; /* [variant_count] */
    size_t variant_count;
    const char *x_name, *series_name; /* axes of its chart: "columns in a batch"; NULL: no chart */
    fs_claim *claims;                 /* [claim_count] */
    size_t claim_count;
    fs_sensitivity *sensitivities; /* [sensitivity_count] of the case's priced claims together: mean */
    size_t sensitivity_count;
    fs_pace *paces; /* [pace_count] */
    size_t pace_count;
    double order;      /* share of pairs further apart than FS_PAIR_DIFFERENCE in the published order; NAN */
    double mean_error; /* mean |error| over its predicted claims; NAN */
} fs_validation_case;

/* Over all scored cases; NAN: nothing to say. A figure that failed or has no number counts as 100 % in each mean
 * error, and so does one that a paper's baseline says nothing of. */
typedef struct fs_scores {
    double mean_error, mean_error_plain, mean_error_saturated; /* plain: without the saturated cases */
    double order;                                              /* over all tables: share of the pairs */
    double baseline_error, baseline_order; /* the same of what knows nothing of the machine: same figures */
    size_t predicted, failed;              /* figures that count; of them, those without a value */
    size_t ranged, in_range;               /* of them, those whose draws leave a range; published in it */
    size_t pairs, pairs_right;             /* pairs that were published, and those in their order */
} fs_scores;

/* A table predicted from the paper's other tables, and all of them together (`name` NULL); mean errors, scores and
 * shares over its figures, of the model and of the baseline. */
typedef struct fs_table {
    const char *name;
    size_t figures, failed;
    double mean_error, in_range, crps;
    double baseline, baseline_in_range, baseline_crps; /* NAN: there is no baseline */
} fs_table;

/* Whether a case is of a name: it is called so, or so and a dash and more. */
bool fs_case_is_of(const fs_validation_case *c, const char *name);
/* The name of the table that it is, or is of. */
const char *fs_case_table(const fs_validation_case *c);

/* Cases aside with one name: what they say together. */
typedef struct fs_reading {
    const char *name;
    fs_scores scores;
} fs_reading;

typedef struct fs_validation {
    const fs_registry *registry;
    const fs_paper *paper;
    fs_standin *standins; /* [standin_count] those that its cases use */
    size_t standin_count;
    fs_validation_case *cases; /* [case_count] */
    size_t case_count;
    fs_scores scores;
    const fs_table *tables; /* [table_count] predicted from each other */
    size_t table_count;
    fs_table all_tables;
    size_t draw_count, kept_count; /* draws (of --quick: stand-ins), and those that contradict nothing */
    const bool *kept;              /* [draw_count] */
    bool drawn;                    /* from the priors */
    const fs_reading *readings;    /* [reading_count] */
    size_t reading_count;
    size_t structure_exact, structure_count;
    size_t behaviour_holds, behaviour_count;
    size_t compared_right,
        compared;        /* published comparisons that come out: pairs in order, and relations between runs
                                        (faster or slower, falling, the best setting) */
    const char *version; /* foamsim's and the model's */
    fs_arena *arena;
    const char *folder; /* of papers, cases and stand-ins */
} fs_validation;

/* Which papers, cases and stand-ins. */
typedef struct fs_validation_wants {
    const char *const *cases, *const *standins; /* names, NULL-terminated; NULL: all */
    const char *paper;                          /* NULL: all that have cases */
} fs_validation_wants;

/* Reads FOLDER/papers, FOLDER/cases and FOLDER/standins, each sorted by name: *out [*count], one for each
 * paper that has a case left. Cases without a stand-in are left out, and said. A paper that FOLDER does not
 * have is looked for in the program's own configs/validation. */
fs_status fs_validations_read(fs_arena *arena, const fs_registry *registry, const char *folder,
                              const fs_validation_wants *wants, fs_validation **out, size_t *count,
                              fs_error *err);
