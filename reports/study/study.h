/* What the points of a sweep say together: which is best, which axis matters, what trades against what. The
 * analysis of the page of a store (`foamsim report STORE.db`); knows nothing of pages, plots or SQL.
 *
 *     fs_study *s = fs_study_of(&sweep, &all, arena);            sweep: of fs_store_read, or made by hand
 *     const fs_study_goal *g = &s->goal[0];
 *     if (g->feasible > 0) printf("%s\n", sweep.points[g->order[0]].label);
 *
 * Everything belongs to the arena; the sweep must stay. Nothing fails: what cannot be said is NAN, 0 or
 * FS_STUDY_NONE. Means, shares and spreads are taken over feasible points alone: the time of a point that
 * lost its rays is no time. Values of an axis are compared fairly: over the points that have a partner,
 * equal in all else, at each other value that has feasible points (where there is no such point, over all
 * that are feasible).
 */
#pragma once

#include "sim/store/store.h"
#include "sim/workload/workload.h"

#include <jansson.h>

#define FS_STUDY_NONE SIZE_MAX

typedef struct fs_study_level {
    const char *value; /* as the sweep file writes it */
    double number;     /* NAN: a word */
    size_t points;     /* that have it, whatever became of them */
} fs_study_level;

typedef struct fs_study_axis {
    const char *name;      /* "workload.batching.per_batch", "overlay.kind" */
    const char *label;     /* without "workload.": "batching.per_batch" */
    fs_study_level *level; /* [levels] numbers from small to large, words in the order of the sweep */
    size_t levels;
    size_t *at;     /* [points] the point's level; FS_STUDY_NONE: the axis does not apply to it */
    bool numeric;   /* all its values are numbers, none twice */
    bool wide;      /* numeric, above 0, and better shown on a logarithmic scale */
    bool condition; /* what is asked of a machine, and no choice of it: it is never ranked */
} fs_study_axis;

/* The points with one value of an axis, for one objective. */
typedef struct fs_study_mean {
    size_t count;                        /* that are compared, all feasible */
    double mean, deviation, least, most; /* over them; deviation: standard, of count - 1 */
    size_t best;                         /* the best feasible point of all; FS_STUDY_NONE */
} fs_study_mean;

typedef struct fs_study_effect {
    bool *compared;      /* [points] are in the means and in share */
    size_t count;        /* of them */
    fs_study_mean *mean; /* [levels] */
    size_t good, bad;    /* levels of the best and the worst mean; FS_STUDY_NONE: no feasible point */
    /* Part of the objective's sum of squares that the means of the levels explain, 0 ... 1 (eta squared). Of
     * the points that are compared. */
    double share;
    /* Changing this axis alone: over groups of compared points that agree in all other axes, worst over best - 1. */
    size_t groups;
    double alone_median, alone_most;
    bool
        whole; /* all feasible points are compared: a share of other points says nothing beside those of other axes */
} fs_study_effect;

typedef struct fs_study_goal {
    const char *figure, *unit;
    const char *label;       /* what its row calls it in tables; the figure's name where it says nothing */
    bool larger;             /* is better */
    double *value;           /* [points] NAN: not done, or not applicable */
    size_t count;            /* of numbers in it */
    size_t feasible;         /* feasible points that have the figure */
    size_t *order;           /* [feasible] best first; equal ones in the order of the sweep */
    size_t ties;             /* points as good as the best, itself included */
    double median;           /* of the feasible; of an even number the worse of the two in the middle */
    fs_study_effect *effect; /* [axes] */
    size_t *
        rank; /* [axes] by what each changes alone (those without a partner by share), largest first; conditions last */
} fs_study_goal;

typedef struct fs_study {
    const fs_store_sweep *sweep;
    const fs_registry *registry; /* what this program says of figures and parameters */
    const fs_stat_table *const
        *figures; /* NULL-terminated: those of the points' workload before the registry's */
    fs_arena *arena;
    fs_study_axis *axis;  /* [axes] those of the sweep with at least two values */
    size_t axes, choices; /* choices: of the axes those that are no condition */
    size_t *axis_of;      /* [axes] its place in the sweep */
    fs_study_goal *goal;
    size_t goals;
    size_t done, failed, open, feasible; /* points; open: pending or running */
    size_t *broken;                      /* [constraints] done points that break it */
    size_t baseline; /* the finished point that others are held against; FS_STUDY_NONE: the sweep has none */
    const json_t *search, *robust; /* judgements of the store, borrowed; NULL: none */
} fs_study;

fs_study *fs_study_of(const fs_store_sweep *sweep, const fs_registry *registry, fs_arena *arena);

/* What pages call an axis: its key without `workload.`, "variant" for the named points of a sweep file. */
const char *fs_study_axis_label(fs_arena *arena, const char *name);

/* What changing `axis` alone does to a goal among the points with this level of another axis: alone_median of
 * an effect, NAN where no two points differ in it alone. */
double fs_study_alone_at(const fs_study *s, size_t goal, size_t axis, size_t other, size_t level);

/* Part of the sum of squares of a goal that the means over the cells of two axes explain, 0 ... 1. */
double fs_study_pair_share(const fs_study *s, size_t goal, size_t a, size_t b);

typedef struct fs_study_pair {
    size_t a, b;        /* axes; a has the larger share alone */
    double share;       /* fs_study_pair_share, of the points that have both axes */
    double interaction; /* what of it neither has alone; never below 0 */
} fs_study_pair;
/* All pairs of axes, the one that explains most first. */
fs_study_pair *fs_study_pairs(const fs_study *s, size_t goal, size_t *count);

/* Whether changing an axis is worth a sentence: half a per cent, all else equal. */
bool fs_study_matters(const fs_study_effect *e);
/* What changing an axis alone does to the figure: "typically 15 %, at most 16 %"; NULL: no point has a partner. */
const char *fs_study_alone(const fs_study *s, const fs_study_effect *e);
/* "explains 79 % of the spread"; NULL where not all feasible points are compared. */
const char *fs_study_explains(const fs_study *s, size_t goal, size_t axis);
/* "No point with overlay = tree-8 is feasible" of the values of an axis of which that holds; NULL: of none, or
 * of all. */
const char *fs_study_never(const fs_study *s, size_t axis);

/* The best feasible point among those with these levels (FS_STUDY_NONE: any) of two axes. */
size_t fs_study_best_at(const fs_study *s, size_t goal, size_t a, size_t level_a, size_t b, size_t level_b);

/* Points [*count] that agree with `point` in all axes but one (and those that do not apply to both), in the
 * order of that axis' levels, `point` among them if it has the axis. */
size_t *fs_study_along(const fs_study *s, size_t point, size_t axis, size_t *count);

/* The feasible points that no feasible point beats in one goal without losing in the other, from the best in
 * `a` to the best in `b`. Points with equal figures are all in it. */
size_t *fs_study_front(const fs_study *s, size_t a, size_t b, size_t *count);

/* What the marked points [points] have in common that the others do not: the value of an axis. */
typedef struct fs_study_common {
    size_t axis, level;   /* FS_STUDY_NONE: nothing stands out */
    size_t axis2, level2; /* a second value that narrows it down; FS_STUDY_NONE: none does */
    size_t marked;        /* marked points that have it, or both */
    size_t all;           /* points that have it, or both */
} fs_study_common;
fs_study_common fs_study_in_common(const fs_study *s, const bool *marked);

/* Failed points whose errors differ in numbers or after their first line only, the most frequent first. */
typedef struct fs_study_failure {
    const char *error; /* of its first point */
    size_t *point;     /* [count] */
    size_t count;
    fs_study_common common;
} fs_study_failure;
fs_study_failure *fs_study_failures(const fs_study *s, size_t *count);

/* Whether a point has a figure that is not null. */
bool fs_study_has(const fs_store_point *point, const char *figure);
/* The word for a figure that is null because it is infinite: "exact", "never"; NULL for any other. */
const char *fs_study_endless(const fs_store_point *point, const char *figure);
bool fs_study_done(const fs_store_point *point);
/* Whether a figure is 0 or 1 wherever it is known: a truth value. */
bool fs_study_flag(const fs_study *s, const char *figure);

/* The parameters that differ between points and are no axis of their own: names [*count], those first that
 * all points have. */
const char **fs_study_varying(const fs_study *s, size_t *count);

/* ---- words; arena-owned ---- */

const char *fs_study_number(const fs_study *s, double value, const char *unit); /* "4.21 ms", "612 KiB" */
const char *fs_study_value(const fs_study *s, size_t goal, size_t point);
const char *fs_study_settings(const fs_study *s, size_t point); /* "overlay.kind = mesh, idle = 10" */
const char *fs_study_brief(const fs_study *s, size_t point);    /* "mesh, idle 10": for titles */
const char *fs_study_constraint(const fs_study *s, const fs_store_constraint *c);
const char *fs_study_share(const fs_study *s, double share);  /* "12 %", "under 0.1 %" */
const char *fs_study_percent(const fs_study *s, double part); /* the same, however small */

/* How far a point is from the baseline in a goal: "-47 %", "=", "3.1 times"; "" without a baseline. */
const char *fs_study_to_baseline(const fs_study *s, size_t goal, size_t point);

/* Whether the same is asked at both points. */
bool fs_study_same_conditions(const fs_study *s, size_t p, size_t q);
/* How much worse than `best` a point is: 0.12 of it. Negative: better. */
double fs_study_behind(const fs_study_goal *g, size_t best, size_t point);
/* A choice under all conditions. */
typedef struct fs_study_choice {
    size_t point;     /* one that has it: under the baseline's conditions, where it has such */
    size_t had, wins; /* conditions under which it is feasible, and under which nothing is better */
    double behind_mean, behind_most; /* the best of each, over those that it has */
    size_t worst;                    /* the point where it is farthest behind */
} fs_study_choice;
typedef struct fs_study_conditions {
    size_t *best; /* [count] the best feasible point under each condition, in the order of their values */
    size_t count;
    fs_study_choice choice; /* the best: feasible under most, then least behind on average */
} fs_study_conditions;
fs_study_conditions fs_study_conditions_of(const fs_study *s, size_t goal);
/* The best point; of a sweep with conditions one with the best choice. FS_STUDY_NONE: no point is feasible. */
size_t fs_study_winner(const fs_study *s, size_t goal);
/* The feasible point with the choice of one point under the conditions of another; FS_STUDY_NONE. */
size_t fs_study_under(const fs_study *s, size_t goal, size_t choice, size_t condition);
/* "buffer 8 is the best choice for mean latency under 9 of 12 values of load, elsewhere at most 3 % behind (load = 0.4)"; NULL: the sweep has no
 * conditions. */
const char *fs_study_asked(const fs_study *s, size_t goal);
const char *fs_study_chosen(const fs_study *s,
                            size_t point); /* "mesh, idle 10": the choices of its settings */

/* What the baseline takes in a goal and what of it the best point has: a sentence; NULL without one. */
const char *fs_study_baseline_words(const fs_study *s, size_t goal);
/* The axes of numbers whose best value wins by less than a per cent over a smaller one, all else equal: "More
 * stops helping at units: 32 wins by 0.01 % over 16; 8 is 12 % behind."; NULL: none. */
const char *fs_study_knee_words(const fs_study *s, size_t goal);

/* Why an axis matters for a goal, in a few sentences: what its worst value takes more than its best by phase,
 * and which main figures it moves; of one that changes nothing, what fixed it (fs_param_fixed). */
const char *fs_study_why(const fs_study *s, size_t goal, size_t axis);
/* What fixed it: part of a sentence, or NULL. idle: nothing came of it (fs_param_fixed). */
const char *fs_study_fixed(const fs_study *s, size_t axis, bool idle);

/* Of a sweep whose finished points are all infeasible that, and what is wrong with all of them: a sentence
 * without its full stop. NULL: some is feasible, or none is finished. */
const char *fs_study_none(const fs_study *s);

/* Shares of limits that the points have (fs_stat.held): rows [*count], each once. */
const fs_stat *fs_study_limits(const fs_study *s, size_t *count);
/* What such a limit holds at a point, "784.5 mm2"; *of: "91 % of the limit, 858 mm2"; NULL: no such figure. */
const char *fs_study_held(const fs_study *s, const fs_stat *limit, size_t point, const char **of);

/* What it is called: "Sweep quick", "Search chips". */
const char *fs_study_name(const fs_study *s);
/* The title of its page: the best, what it is to the baseline, what matters most. NULL: nothing is known yet. */
const char *fs_study_title(const fs_study *s);
/* The summary: sentences [*count], the most important first. */
const char **fs_study_words(const fs_study *s, size_t *count);
