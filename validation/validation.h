/* Published figures against simulated ones: `foamsim validate`. docs/validation.md is its committed result,
 * docs/validation-cases.md explains the files it reads.
 *
 *     fs_validation          everything: stand-in scenes, cases, claims, scores
 *     fs_validation_read     from a folder of cases and stand-ins (validation/read.c, case_file.c)
 *     fs_validation_run      simulates what the cases ask for, as a sweep in a store (validation/run.c)
 *     fs_validation_judge    medians, ranges, errors, orders, relations, scores (validation/judge.c)
 *     fs_validation_print    the terminal's table; _write: results.json, results.csv, standins.csv; _page
 *                            (HTML); _markdown (docs/validation.md)
 *
 * Cases are YAML files in configs/validation/cases, stand-in scenes experiments in
 * configs/validation/standins (each with its published statistics, what was tuned and how well it matches
 * beside it). What a published figure may be used for is said in the case, as `use`:
 *
 *     structure    must be exact
 *     calibrate    scene statistics and times that scalars of the cost model may be fitted on
 *     predict      held out: only ever predicted
 *     behaviour    a relation between two runs (faster, falls and flattens, loses samples)
 *
 * A published figure is compared with the median over the stand-ins of its ensemble; the range over them, and
 * over the stated ranges of the uncertain parameters, is part of the result.
 *
 * Everything belongs to the arena given to fs_validation_read. Errors: FS_INPUT with file, line, column, key,
 * what was found and what is allowed; FS_RUN when the runs are interrupted; FS_IO. A point that fails is no
 * error: its figures are NAN, and its variant says why.
 */
#ifndef FOAMSIM_VALIDATION_VALIDATION_H
#define FOAMSIM_VALIDATION_VALIDATION_H

#include "sim/base/alloc.h"
#include "sim/base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef enum fs_use { FS_USE_STRUCTURE, FS_USE_CALIBRATE, FS_USE_PREDICT, FS_USE_BEHAVIOUR } fs_use;
extern const char *const fs_use_words[]; /* "structure", "calibrate", "predict", "behaviour" */

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
    const char *run;      /* folder of a run of it, for its image.png and hops.csv; NULL: none */
    struct fs_node *base; /* internal: what its points are laid over */
} fs_standin;

/* One simulated configuration of a case, run on every stand-in of the case's ensemble. */
typedef struct fs_variant {
    const char *name;   /* "3 columns, idle 100" */
    const char *sets;   /* what it sets, flow style, for the reader */
    double x, series;   /* place in the case's chart: along x, and which line (NAN: none) */
    bool saturated;     /* its figures are counted apart */
    const char *failed; /* why points of it failed, a line for each ("bicycle-2: ..."); NULL: none did */
    /* internal */
    const struct fs_config_over *overs; /* [over_count] what the case sets, then what it sets itself */
    size_t over_count;
    const struct fs_store_point *const *points; /* [standin_count of the case] once run; NULL: failed */
} fs_variant;

/* A claim: one published figure and what came out. NAN: not there. */
typedef struct fs_claim {
    const char *name;    /* "time, 3 columns, idle 100" */
    const char *variant; /* of its case; "" for a relation between several */
    const char *figure;  /* statistic: device.seconds; "" for a relation between several */
    const char *unit;
    fs_use use;
    double published;         /* behaviour: the factor that the relation must at least reach, else NAN */
    double tolerance;         /* relative; structure: 0. What counts as reached, for `reached` */
    bool saturated;           /* four and five columns: counted apart */
    const char *source;       /* "RF Tab. 5" */
    double *simulated;        /* [standin_count of the case], in its order; NAN: that point failed */
    double median, low, high; /* over the stand-ins */
    double uncertain_low, uncertain_high; /* of the median, over the ranges of uncertain parameters; NAN */
    double error;                         /* median / published - 1 */
    bool within;                          /* published lies in [low, high] */
    bool reached;                         /* |error| <= tolerance; behaviour: the relation holds */
    const char *words;                    /* behaviour: what was found, in words; else NULL */
    const char *missing; /* why nothing is simulated ("the frame never completes"); NULL: something is */
    const struct fs_claim *steps; /* [step_count] of a figure that is published as falling: what each variant
                                     gave, in the published order; their `published` is NAN */
    size_t step_count;
    const struct fs_relation *relation;  /* internal: of a behaviour; else NULL */
    size_t variant_index;                /* internal */
    double uncertain_up, uncertain_down; /* internal: relative, of the median */
} fs_claim;

/* How the error of one figure moves with an uncertain parameter: a bar of the tornado plot. */
typedef struct fs_sensitivity {
    const char *key;        /* machine.host.launch */
    const char *low, *high; /* values as written */
    double at_low, at_high; /* relative change of the figure's median */
} fs_sensitivity;

/* What sets the pace in a case: for the variant, from the run of the middle stand-in. */
typedef struct fs_pace {
    const char *variant;
    double tracer, router, generator,
        camera; /* shares of iterations; camera: its own tracer's part of tracer */
    double cycles_injecting, cycles_draining; /* mean cycles of an iteration */
    const char *words;
} fs_pace;

/* What the paper leaves open, read another way: the whole case run once more with it. */
typedef struct fs_choice {
    const char *name;   /* "one frame without wrapping" */
    const char *sets;   /* what it sets, flow style */
    double mean_error;  /* mean |error| of the predicted claims under it; NAN */
    double mean_change; /* mean relative change of the medians of the timed claims; NAN */
    /* internal */
    const struct fs_config_over *overs; /* [over_count] */
    size_t over_count;
} fs_choice;

typedef struct fs_validation_case {
    const char *name, *title, *source, *path;
    const char *about;    /* what the figures are */
    const char *open;     /* what the paper leaves open, how it was decided and what the other choice gives */
    const char *ensemble; /* "bicycle"; "" for a case with stand-ins or an experiment of its own */
    bool scored;          /* its predicted claims count for the scores */
    bool aside;      /* another reading of what was published: counted only where nothing else is scored */
    bool left_aside; /* so it is not counted here */
    const char *order_of;              /* the statistic whose pairs are put in order; NULL: none */
    const fs_standin *const *standins; /* [standin_count] */
    size_t standin_count;
    fs_variant *variants; /* [variant_count] */
    size_t variant_count;
    const char *x_name, *series_name; /* axes of its chart: "columns in a batch"; NULL: no chart */
    fs_claim *claims;                 /* [claim_count] */
    size_t claim_count;
    fs_choice *choices; /* [choice_count] */
    size_t choice_count;
    fs_sensitivity *sensitivities; /* [sensitivity_count] of the case's timed claims together: mean */
    size_t sensitivity_count;
    fs_pace *paces; /* [pace_count] */
    size_t pace_count;
    double order;      /* share of pairs that differ by more than 2 % in the published order; NAN */
    double mean_error; /* mean |error| over its predicted claims; NAN */
} fs_validation_case;

/* Over all scored cases; NAN: nothing to say. */
typedef struct fs_scores {
    double mean_error, mean_error_plain, mean_error_saturated; /* plain: without the saturated cases */
    double within; /* share of published values inside the ensemble's range */
    double order;  /* over all tables */
} fs_scores;

typedef struct fs_validation {
    fs_standin *standins; /* [standin_count] */
    size_t standin_count;
    fs_validation_case *cases; /* [case_count] */
    size_t case_count;
    const char *calibration; /* fitted scalars in words: "machine.cost.scale = 92.5 %" */
    /* scores over predicted times and iterations */
    double mean_error, mean_error_plain, mean_error_saturated; /* plain: without the saturated cases */
    double within;              /* share of published values inside the ensemble's range */
    double order;               /* over all tables */
    fs_scores unfitted, fitted; /* without and with what calibration.yaml sets; NAN: not run */
    bool fitted_by_default;     /* which of them everything else here is */
    size_t structure_exact, structure_count;
    size_t behaviour_holds, behaviour_count;
    const char *version; /* foamsim's and the model's */
    /* internal */
    fs_arena *arena;
    const char *folder;                      /* of cases and stand-ins */
    const struct fs_config_over *calibrated; /* [calibrated_count] what was fitted, below what cases set */
    size_t calibrated_count;
} fs_validation;

/* Which cases and stand-ins: names, NULL-terminated lists; NULL: all. */
typedef struct fs_validation_wants {
    const char *const *cases, *const *standins;
} fs_validation_wants;

/* Reads FOLDER/cases and FOLDER/standins, sorted by name. Cases without a stand-in are left out, and said. */
fs_status fs_validation_read(fs_arena *arena, const char *folder, const fs_validation_wants *wants,
                             fs_validation *v, fs_error *err);

/* Reads FOLDER/calibration.yaml, where there is one: what was fitted, and whether it is the default.
 * stale: an input that is no longer what it was fitted to; NULL: none, or no such file. */
fs_status fs_validation_read_calibration(fs_validation *v, const char **stale, fs_error *err);

typedef struct fs_validation_options {
    const char *folder; /* of the results: made once everything is known to be right, before the first run */
    const char *store;  /* FILE.db; recordings in FILE.db.cache */
    const char *scenes; /* cache of scenes; NULL: none */
    int jobs, threads;  /* processes at a time, threads of each */
    uint64_t memory;    /* bytes that all of them may hold together; 0: no limit */
    bool quick;         /* no sensitivities, no choices, no other fit */
    bool retry;         /* run failed points again */
    bool progress;
} fs_validation_options;

/* Once for a validation; what the store knows is not run again. */
fs_status fs_validation_run(fs_validation *v, const fs_validation_options *options, fs_error *err);
/* Fits what may be fitted on the published times that may be used for it, and writes FOLDER/calibration.yaml.
 * FS_RUN when no scale gives them. */
fs_status fs_validation_calibrate(fs_validation *v, const fs_validation_options *options, fs_error *err);
/* After the runs, or without them (then everything is NAN). */
void fs_validation_judge(fs_validation *v);

/* The terminal's table. */
void fs_validation_print(const fs_validation *v, FILE *out);
/* results.json, results.csv and standins.csv in a folder that is there. */
fs_status fs_validation_write(const fs_validation *v, const char *dir, fs_error *err);

/* Runs each stand-in that a case uses by itself, in FOLDER/scenes/NAME, unless that is there already, and
 * sets its `run`. From a recording beside the store where there is one. FS_RUN, FS_INPUT. */
fs_status fs_validation_scenes(fs_validation *v, const char *folder, const fs_validation_options *options,
                               fs_error *err);

/* Writes FOLDER/validation.html, one file that holds all it shows, and FOLDER/pictures with its plots as SVG,
 * their gnuplot scripts and data. FS_INPUT without gnuplot, or when a stand-in's run is damaged; FS_IO. */
fs_status fs_validation_page(const fs_validation *v, const char *folder, fs_error *err);

/* Writes DOCS/validation.md, and its pictures as small PNGs into DOCS/validation, where all others are
 * removed; they are drawn in FOLDER/pictures. Errors as above. */
fs_status fs_validation_markdown(const fs_validation *v, const char *folder, const char *docs, fs_error *err);

/* Compares the mean error with that of an earlier results.csv, over the figures that both have; says both on
 * stdout. FS_RUN when it grew by more than one percentage point; FS_INPUT for what is no such file. */
fs_status fs_validation_expect(const fs_validation *v, const char *path, fs_error *err);

extern const struct fs_command fs_command_validate;

#endif
