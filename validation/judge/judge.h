/* Simulates what the cases of a paper ask for, fits what may be fitted, and judges.
 *
 *     fs_validation_run        every variant on every stand-in, as a sweep in a store (run.c, points.c)
 *     fs_validation_calibrate  fits the paper's scalars by pricing (calibrate.c)
 *     fs_validation_judge      medians, ranges, errors, orders, relations, scores (judge.c)
 *     fs_validation_scenes     a run of each stand-in by itself, for the page (scenes.c)
 *
 * What is found is in the arena of the validation. One thread; a run starts processes of its own. A point
 * that fails is no error: its figures are NAN, and its variant says why.
 */
#ifndef FOAMSIM_VALIDATION_JUDGE_JUDGE_H
#define FOAMSIM_VALIDATION_JUDGE_JUDGE_H

#include "validation/cases/cases.h"

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

/* Once for a validation; what the store knows is not run again. FS_RUN when interrupted. */
fs_status fs_validation_run(fs_validation *v, const fs_validation_options *options, fs_error *err);

/* Fits what may be fitted on the published figures that may be used for it, and writes the paper's file of
 * it. FS_INPUT when nothing may be fitted, FS_RUN when no value gives them. */
fs_status fs_validation_calibrate(fs_validation *v, const fs_validation_options *options, fs_error *err);
/* Reads that file, where there is one: what was fitted, and whether it is the default.
 * stale: an input that is no longer what it was fitted to; NULL: none, or no such file. */
fs_status fs_validation_read_calibration(fs_validation *v, const char **stale, fs_error *err);

/* After the runs, or without them (then everything is NAN). */
void fs_validation_judge(fs_validation *v);

/* Runs each stand-in that a case uses by itself, in FOLDER/scenes/NAME, unless that is there already, and
 * sets its `run`. From a recording beside the store where there is one. FS_RUN, FS_INPUT. */
fs_status fs_validation_scenes(fs_validation *v, const char *folder, const fs_validation_options *options,
                               fs_error *err);

/* The step from `low` to `high` at which a ratio that rises with it is nearest to 1. FS_RUN when it is not 1
 * anywhere between them; else what `ratio` fails with. */
fs_status fs_fit_nearest(const fs_fit *fit,
                         fs_status (*ratio)(void *self, uint32_t step, double *out, fs_error *err),
                         void *self, uint32_t *best, fs_error *err);

#endif
