/* Private to sim/robust: what is priced, and what came out. */
#pragma once

#include "sim/robust/robust.h"

/* So many points of each objective are priced at all draws. */
enum { FS_ROBUST_REACH = 12 };

/* A parameter that is left as it is, and why. */
typedef struct fs_robust_left_out {
    const char *key, *why;
} fs_robust_left_out;

/* A draw: what each parameter is; or one of them at an end, the others as they are. */
typedef struct fs_robust_draw_set {
    const char **text; /* [parameters] NULL: as it is */
    size_t alone, end; /* SIZE_MAX: a joint draw; else the parameter, and 0 low or 1 high */
} fs_robust_draw_set;

typedef struct fs_robust {
    const fs_registry *registry;
    fs_arena *arena;
    const fs_store_sweep *sweep;
    fs_store *store;
    bool basic;            /* run.statistics basic has all figures that are asked for */
    size_t *point, points; /* of the sweep, that are varied */
    size_t feasible;       /* of the sweep in all */
    const fs_uncertain *parameter;
    size_t parameters;
    fs_robust_left_out *left_out;
    size_t left_out_count;
    fs_robust_draws draws;
    fs_robust_draw_set *set; /* [sets] joint draws first, then both ends of each parameter alone */
    size_t sets;
    bool *within;    /* [points] is near enough to the best of an objective to be priced at all sets */
    bool *refused;   /* [points][parameters] the point does not take the parameter's ends: it stays as it is
                       there */
    size_t failures; /* prices that failed, beside those that are infeasible */
    const char *failure; /* why the first of them did */
    bool *failed;        /* [sets * points], as value */
    bool *priced;        /* [points] some price of it is known */
    double **value;      /* [objectives][sets * points]: by draw, then by point; NAN: infeasible or failed */
} fs_robust;

/* ---- what came out (answers.c) ---- */

/* The figures that the sweep asks for, out of a summary, by their full names; the caller's (json_decref). */
json_t *fs_robust_figures(const fs_robust *robust, const json_t *summary);
/* Whether none of them is missing. */
bool fs_robust_has_all(const fs_robust *robust, const json_t *figures);
/* Their values go to a place (set * points + point) of each objective, where they keep the constraints. */
void fs_robust_note(const fs_robust *robust, const json_t *figures, size_t place);
/* Whether they are those that the store has of a point. */
bool fs_robust_is_known(const fs_robust *robust, const json_t *figures, const fs_store_point *point);

/* Prices all of it; values are filled. */
fs_status fs_robust_price(fs_robust *robust, const fs_sweep_options *options, fs_error *err);

/* The values of a goal at the joint draws; `nominal` [points] is filled. */
fs_robust_cases fs_robust_cases_of(const fs_robust *robust, size_t goal, double *nominal);

/* The judgement; the caller's (json_decref). */
json_t *fs_robust_json(const fs_robust *robust);
