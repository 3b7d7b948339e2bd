/* Shared by the files of sim/search only. */
#pragma once

#include "sim/base/rng.h"
#include "sim/search/search.h"

/* ---- the model (model.c) ---- */

/* A Gaussian process over levels: two points are as much alike as the product over the axes of how much alike
 * their levels are. */
typedef struct fs_search_model {
    fs_arena *arena; /* of what was fitted last; NULL: nothing */
    const fs_search_space *space;
    size_t steps[FS_SEARCH_MOST_AXES]; /* of each axis' correlation, in the list of model.c */
    size_t count;                      /* of points that it was fitted to */
    size_t *point;                     /* [count] */
    double *factor; /* [count][count] of their correlation: L transposed, rows are columns of L */
    double *weight; /* [count] */
    double mean, variance;
} fs_search_model;

/* Fits to the values of points [count]; correlations go on from those that the model has. */
void fs_search_fit(fs_search_model *model, const fs_search_space *space, const size_t *point,
                   const double *value, size_t count);
void fs_search_model_free(fs_search_model *model);

/* How far each point [count] that the model was fitted to is from what it would expect of it by the others,
 * in deviations (leave-one-out, in closed form). ratio [count]. */
void fs_search_left_out(const fs_search_model *model, double *ratio);

/* Mean and variance at points, and how the variance falls as points are chosen. */
typedef struct fs_search_guess {
    fs_arena *arena;
    const fs_search_model *model;
    size_t count, rows;
    const size_t *point; /* [count] */
    double *mean, *part; /* [count] the variance is model->variance * part */
    double *row;         /* [rows][count], with room for those that may be chosen */
} fs_search_guess;

/* `more`: points that may be chosen. */
void fs_search_guess_at(fs_search_guess *guess, const fs_search_model *model, const size_t *point,
                        size_t count, size_t more);
/* The candidate is as good as known: the variance of the others falls, no mean moves. */
void fs_search_guess_chosen(fs_search_guess *guess, size_t candidate);
void fs_search_guess_free(fs_search_guess *guess);

/* ---- the search (propose.c, ask.c) ---- */

/* What a model expected of a point, as values: 90 % of them between low and high, as far as those before it
 * tell (widths.c). */
typedef struct fs_search_range {
    double value, low, high;
    double cost, deviation; /* the same as the model has it */
    bool ratios;            /* costs are logarithms */
    bool known;             /* a model proposed it */
} fs_search_range;

typedef struct fs_search_seen {
    size_t point;
    bool feasible;
    double value[FS_SEARCH_MOST_GOALS];             /* as told */
    fs_search_range expected[FS_SEARCH_MOST_GOALS]; /* when it was proposed */
} fs_search_seen;

struct fs_search {
    const fs_search_space *space;
    bool larger[FS_SEARCH_MOST_GOALS];
    size_t goals;
    fs_rng rng;
    fs_search_seen *seen; /* [seen_count], room for space->count */
    size_t seen_count;
    bool *known;               /* [space->count] proposed */
    fs_search_range *expected; /* [space->count][goals] of points proposed */
    fs_search_model goal[FS_SEARCH_MOST_GOALS], feasibility;
};

/* The costs of the feasible seen points, smaller is better: logarithms where all values are above 0.
 * points [seen_count] and costs [seen_count][goals] are the caller's; the number of them. */
size_t fs_search_costs(const fs_search *search, size_t *points, double *costs);
/* Whether values of a goal are taken by their logarithm. */
bool fs_search_in_ratios(const fs_search *search, size_t goal);
double fs_search_cost_of(const fs_search *search, size_t goal, bool ratios, double value);
double fs_search_value_of(const fs_search *search, size_t goal, bool ratios, double cost);
/* Fits all models; false while nothing is feasible. */
bool fs_search_fit_all(fs_search *search);
/* Unseen points to ask the models about: all, or a drawn part near and far from the front; with room for the
 * seen ones behind them. */
size_t *fs_search_candidates(fs_search *search, fs_arena *arena, const double *costs, const size_t *points,
                             size_t feasible, size_t *count);
/* How likely each point [count] is feasible, by the model of that; certain while nothing was infeasible. */
double *fs_search_chances(const fs_search *search, fs_arena *arena, const size_t *point, size_t count);
/* The probability that a normal variable is below x. */
double fs_search_normal(double x);
/* By how much a normal variable is expected to be below `best`. */
double fs_search_improvement(double mean, double deviation, double best);

/* How many deviations about the mean held 90 % of what was predicted last (widths.c). */
double fs_search_width(const fs_search *search, size_t goal);

/* Any point that was not proposed; there must be one. */
size_t fs_search_draw_unknown(fs_search *search);

/* The members of a front [count][goals] moved to its beginning; their number. */
size_t fs_search_front(double *points, size_t count, size_t goals);
/* What a point adds to the volume of a front. */
double fs_search_adds(const double *front, size_t count, size_t goals, const double *reference,
                      const double *point, double *scratch);
