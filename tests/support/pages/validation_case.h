/* A whole validation that nothing simulated: the paper's Tables 3, 5 and 6 with outcomes made up by a
 * formula, two ensembles, structure, behaviours, sensitivities, paces, and figures that are missing. For what
 * shows it.
 */
#pragma once

#include "validation/cases/cases.h"

typedef struct validation_case_spec {
    size_t bicycles, gardens; /* stand-ins */
    bool bare;                /* no sensitivities, paces, behaviours, scene statistics */
    bool holes;      /* every figure of the last case but one is missing, and points of others failed */
    const char *run; /* run folder of the first of each ensemble; NULL: none */
} validation_case_spec;

/* The committed paper of the Radiant Foam. Owner: the arena. */
const fs_paper *validation_case_paper(fs_arena *arena);

/* Owner: the arena. */
fs_validation *validation_case(fs_arena *arena, const validation_case_spec *spec);
