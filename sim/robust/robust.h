/* How sure a decision is where the model is uncertain: parameters drawn jointly within their ranges, and what
 * that does to the order of the points. docs/design/robust.md has the rules. Knows nothing of machines and
 * prices: who has the values gives them.
 *
 *     fs_robust_draws draws = fs_robust_draw(arena, parameters, 0, 64, seed);
 *     ... values of every point at every draw ...
 *     fs_robust_judge(arena, &cases, &verdict);
 *
 * The same seed gives the same draws and verdicts on every host.
 */
#pragma once

#include "sim/base/alloc.h"
#include "sim/base/error.h"
#include "sim/base/rng.h"
#include "sim/sweep/sweep.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- what is uncertain (uncertain.c) ---- */

typedef enum fs_prior_kind {
    FS_PRIOR_UNIFORM, /* from low to high; of two words either */
    FS_PRIOR_LOG,     /* its logarithm is: low is more than 0 */
    FS_PRIOR_NORMAL,  /* about `mean`; what lies beyond low or high is there */
    FS_PRIOR_LIST     /* one of `values`, all alike */
} fs_prior_kind;

/* A parameter and how it may lie, as it is written: numbers with one unit, or words. */
typedef struct fs_uncertain {
    const char *key; /* "machine.sync.base" */
    fs_prior_kind kind;
    fs_node *end[2]; /* low, high; of a list first and last, NULL while it is checked */
    fs_node *mean, *deviation;
    fs_node *const *values; /* [count] of a list */
    size_t count;
} fs_uncertain;

/* Its rows in a file, of a struct that has it at the member `m`, which ends in a dot ("u.") or is nothing; and the check of
 * such an item. */
#define FS_UNCERTAIN_ROWS(m)                                                                                 \
    FS_YAML_TEXT("key", m key, NULL), FS_YAML_WORD("prior", m kind, fs_prior_words, "uniform"),              \
        FS_YAML_NODE("low", m end[0], FS_YAML_MAY), FS_YAML_NODE("high", m end[1], FS_YAML_MAY),             \
        FS_YAML_NODE("mean", m mean, FS_YAML_MAY), FS_YAML_NODE("deviation", m deviation, FS_YAML_MAY),      \
        FS_YAML_LIST("values", m values, m count, &fs_prior_values, FS_YAML_MAY)
extern const char *const fs_prior_words[]; /* "uniform", "log", "normal", "list" */
extern const fs_yaml_shape fs_prior_values;
bool fs_uncertain_check(const fs_yaml *yaml, const fs_node *node, const fs_uncertain *u);

/* Reads a file such as configs/validation/uncertain.yaml; everything is the arena's. FS_INPUT with file, line
 * and key. */
fs_status fs_uncertain_read(fs_arena *arena, const char *path, const fs_uncertain **parameters, size_t *count,
                            fs_error *err);
/* Those of a machine of that kind (NULL: the usual one), of configs/validation: uncertain-KIND.yaml, or, where it has no such
 * file, uncertain.yaml with the prices of events and areas. */
fs_status fs_uncertain_of(fs_arena *arena, const char *kind, const fs_uncertain **parameters, size_t *count,
                          fs_error *err);
/* The parameter's value that `place`, 0 ... 1, of its prior lies below, as it is written: whole numbers where both ends
 * are whole; of words the first below a half. */
const char *fs_uncertain_at(fs_arena *arena, const fs_uncertain *parameter, double place);
/* Of a list: which of its values. */
size_t fs_uncertain_value(const fs_uncertain *parameter, double place);

/* ---- draws (draw.c) ---- */

typedef struct fs_robust_draws {
    size_t count, parameters;
    size_t first;        /* draws that every point is at; those after are for the points within reach */
    const double *place; /* [count][parameters] 0 ... 1 of the range */
    bool corners;        /* all combinations of the ends */
} fs_robust_draws;

/* A Latin hypercube: each of `count` draws has its place [count][parameters] in 0 ... 1, and each parameter one draw in
 * each of as many equal parts. */
void fs_hypercube(fs_arena *arena, fs_rng rng, size_t parameters, size_t count, double *place);

/* All corners where they are no more than `first`; else a Latin hypercube of `first` draws and one of the
 * others up to `count`: each parameter has one in each of as many equal parts of its range. */
fs_robust_draws fs_robust_draw(fs_arena *arena, size_t parameters, size_t first, size_t count, uint64_t seed);

/* ---- judging (verdict.c) ---- */

/* Values of points at draws, of one goal. */
typedef struct fs_robust_cases {
    size_t points, draws;
    bool larger;           /* is better */
    const double *nominal; /* [points] */
    const double *value;   /* [draws][points] NAN: infeasible there */
    size_t first;          /* draws that every point is at */
    const bool *within;    /* [points] is at the others, too; NULL: all are */
    const bool *failed;    /* [draws][points] nothing is known, as the price failed: it is not at that draw;
                              NULL: none failed */
} fs_robust_cases;

typedef struct fs_robust_point {
    size_t draws;       /* that it is at */
    size_t best;        /* of them: no point is better */
    size_t infeasible;  /* draws at which it is infeasible */
    double low, high;   /* over the draws */
    double regret_mean; /* how much worse than the best of a draw, as a part of the best: over the draws where
                           it can be had; 0: never worse */
    double regret_most;
} fs_robust_point;

typedef struct fs_robust_verdict {
    size_t best; /* the point that is nominally best; SIZE_MAX: there is none */
    size_t next; /* the point that is best most often where it is not; SIZE_MAX: none ever is */
    size_t
        safe; /* of the points at all draws, feasible wherever one is, the one that is least behind at the worst; SIZE_MAX: none */
    const fs_robust_point *point; /* [points] */
    const bool *turned;           /* [draws] another point is better than the nominally best */
} fs_robust_verdict;

void fs_robust_judge(fs_arena *arena, const fs_robust_cases *cases, fs_robust_verdict *verdict);

/* The `count` points that come nearest to the best at any of the first draws, or as they are, are marked. */
void fs_robust_reach(const fs_robust_cases *cases, size_t count, bool *within);

/* How much worse a value is than the best, as a part of the best. */
double fs_robust_regret(bool larger, double value, double best);

/* ---- a sweep's points (run.c) ---- */

typedef struct fs_robust_ask {
    const char *uncertain; /* the file; NULL: the one of the machine's kind in configs/validation */
    int64_t draws;         /* joint ones */
} fs_robust_ask;

/* Prices the feasible points of a sweep that the store holds, draw by draw, and enters the verdict as the
 * sweep's judgement "robust". FS_INPUT: points that cannot be priced, a wrong file; else as fs_sweep_execute.
 */
fs_status fs_robust_run(const fs_robust_ask *ask, const fs_sweep_options *how, fs_store *store,
                        const char *sweep, fs_error *err);
