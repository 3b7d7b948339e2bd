/* Simulates what the cases of a paper ask for, and judges.
 *
 *     fs_validation_run     every variant on every stand-in, and at every draw of the priors, as a sweep in a store
 *                           (run.c, draws.c, points.c)
 *     fs_validation_judge   medians, ranges, errors, orders, relations, scores (judge.c), each table by the others
 *                           (tables.c)
 *     fs_validation_scenes  a run of each stand-in by itself, for the page (scenes.c)
 *
 * What is found is in the arena of the validation. One thread; a run starts processes of its own. A point
 * that fails is no error: its figures are NAN, and its variant says why.
 */
#pragma once

#include "validation/cases/cases.h"

typedef struct fs_validation_options {
    const char *folder; /* of the results: made once everything is known to be right, before the first run */
    const char *store;  /* FILE.db; recordings in FILE.db.cache */
    const char *scenes; /* cache of scenes; NULL: none */
    int jobs, threads;  /* processes at a time, threads of each */
    uint64_t memory;    /* bytes that all of them may hold together; 0: no limit */
    bool quick;         /* as the experiments are, without draws: the stand-ins are the draws */
    bool retry;         /* run failed points again */
    bool progress;
} fs_validation_options;

/* Once for a validation; what the store knows is not run again. FS_INPUT: a figure of one table is also another's, by
 * which it would be predicted by itself. FS_RUN when interrupted. */
fs_status fs_validation_run(fs_validation *v, const fs_validation_options *options, fs_error *err);

/* After the runs, or without them (then everything is NAN). */
void fs_validation_judge(fs_validation *v);

/* Runs each stand-in that a case uses by itself, in FOLDER/scenes/NAME, unless that is there already, and
 * sets its `run`. From a recording beside the store where there is one. FS_RUN, FS_INPUT. */
fs_status fs_validation_scenes(fs_validation *v, const char *folder, const fs_validation_options *options,
                               fs_error *err);
