/* The 2,832 points of the study of the next chip as a space that is searched without running anything, and
 * the ways of looking that a search is compared with. */
#pragma once

#include "sim/search/search.h"

enum { STUDY_AXES = 10, STUDY_GOALS = 2 }; /* the figures are seconds and MiB of SRAM */

typedef enum study_scenes { STUDY_SMALL, STUDY_LARGE, STUDY_BOTH } study_scenes;

typedef struct study_space {
    fs_search_space space;
    const double *values; /* [count][STUDY_GOALS] */
    double best[STUDY_GOALS], worst[STUDY_GOALS];
    double volume; /* of all points, up to the worst of each figure */
} study_space;

/* Reads docs/studies/next-chip.csv, next-chip-1m.csv; STUDY_BOTH: the scene is an axis. */
study_space study_space_read(fs_arena *arena, study_scenes which);

typedef enum study_way { STUDY_MODEL, STUDY_EVOLUTION, STUDY_RANDOM, STUDY_FACTORIAL, STUDY_WAYS } study_way;

/* How many points were looked at when ... ; 0: not within the budget. */
typedef struct study_found {
    size_t best;   /* the best point of every objective was among them */
    size_t volume; /* they dominated 95 % of what the whole space does */
} study_found;
/* The part of predictions of each figure, of a search of so many points, that fell within their 90 %
 * interval.
 */
void study_covered(const study_space *study, uint64_t seed, size_t budget, size_t batch,
                   double covered[STUDY_GOALS]);
study_found study_look(const study_space *study, study_way way, uint64_t seed, size_t budget, size_t batch);
