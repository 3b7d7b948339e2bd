/* What a chip's area and a run's power are held to: keys limits.* of every kind of machine. */
#ifndef FOAMSIM_MODELS_ENERGY_LIMITS_H
#define FOAMSIM_MODELS_ENERGY_LIMITS_H

#include "sim/config/param.h"

typedef struct fs_limits_params {
    double area, power; /* mm2 of a chip; W of all chips, mean; 0: no limit */
} fs_limits_params;

/* Rows of a machine's table; S: the struct of its parameters, which has a member `limits`. */
#define FS_LIMITS_ROWS(S)                                                                                    \
    FS_PARAM_REAL("limits.area", S, limits.area, SQUARE_MM, "858 mm2", 0, 1e6,                               \
                  "area that a chip may have, by default a reticle of 26 mm x 33 mm; 0: any", PRICE,         \
                  .from = {"energy.md 5", 'A'}),                                                             \
        FS_PARAM_REAL("limits.power", S, limits.power, WATTS, "0 W", 0, 1e6,                                 \
                      "power that all chips of a run may take together on average; 0: any", PRICE),

#endif
