/* Which points of a space to look at next, so that the best ones are found early: a Gaussian process for each
 * objective, and batches of points by expected improvement. docs/design/search.md has the method and why it
 * was chosen. Knows nothing of sweeps, stores or figures.
 *
 *     fs_search *s = fs_search_create(arena, &space, objectives, 2, seed);
 *     while ((count = fs_search_propose(s, 8, points)) > 0)
 *         for (size_t i = 0; i < count; i++)
 *             fs_search_learn(s, points[i], feasible ? values : NULL);       values [objectives]
 *     fs_search_judge(s, arena, &judgement);
 *
 * The same seed and the same answers give the same proposals on every host, with any compiler and any number
 * of threads: strictly ordered doubles, no libm function that differs. Memory is the arena's.
 */
#pragma once

#include "sim/base/alloc.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FS_SEARCH_NO_LEVEL = UINT16_MAX, FS_SEARCH_MOST_GOALS = 6, FS_SEARCH_MOST_AXES = 64 };

/* Points by the level that each has on each axis. Kept by the search, not copied. */
typedef struct fs_search_space {
    size_t axes;
    const size_t *levels; /* [axes] */
    const bool *ordered;  /* [axes] levels are numbers from small to large: neighbours are alike */
    size_t count;
    const uint16_t *at; /* [count][axes] level; FS_SEARCH_NO_LEVEL: the axis does not apply */
} fs_search_space;

typedef struct fs_search fs_search;

/* larger [goals]: whether more of an objective is better. */
fs_search *fs_search_create(fs_arena *arena, const fs_search_space *space, const bool *larger, size_t goals,
                            uint64_t seed);
void fs_search_free(fs_search *search);

/* The next points to look at, at most `most`, none twice; 0: all have been. The first ones spread over the
 * levels of all axes. What was proposed before must have been told. */
size_t fs_search_propose(fs_search *search, size_t most, size_t *points);

/* What a point came to: [goals] finite values; NULL: it is infeasible, or failed. */
void fs_search_learn(fs_search *search, size_t point, const double *values);

/* ---- fronts (front.c) ---- */

/* Whether no value of `a` is worse than that of `b` and one is better; [goals] smaller is better. */
bool fs_search_dominates(const double *a, const double *b, size_t goals);
/* What the points [count][goals], smaller is better, dominate up to `reference` [goals]. */
double fs_search_volume(const double *points, size_t count, size_t goals, const double *reference);

/* ---- what is left (judge.c) ---- */

typedef struct fs_search_left {
    double better; /* unseen points that are better than the best found: their expected number */
    double gain; /* expected of the most promising unseen point, as a share of the best value: saved, or added
                       where larger is better */
    double best; /* the best value found; NAN: none is feasible */
    double
        error; /* median of |predicted / found - 1| over the points that a model proposed, where all values are above 0;
                       else of |predicted - found| / their spread; NAN: no such point */
    double covered; /* share of those points within the model's 90 % interval */
    double
        *share; /* [axes] of the variance over the whole space that the axis alone explains, by the model */
} fs_search_left;

typedef struct fs_search_judgement {
    size_t seen, space, feasible;
    double volume; /* now: part of the box between the best and worst seen, that the front dominates */
    double
        volume_expected; /* the same with the model's prediction of every unseen point beside what was seen */
    const double *volumes; /* [seen] after each point, in the order of telling; of the same box */
    fs_search_left *left;  /* [goals] */
    size_t looked;         /* unseen points that the model was asked about */
} fs_search_judgement;

void fs_search_judge(fs_search *search, fs_arena *arena, fs_search_judgement *judgement);
