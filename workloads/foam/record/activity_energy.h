/* What a recorded activity counts in all, iteration by iteration: whatever prices it gets. */
#ifndef FOAMSIM_WORKLOADS_FOAM_RECORD_ACTIVITY_ENERGY_H
#define FOAMSIM_WORKLOADS_FOAM_RECORD_ACTIVITY_ENERGY_H

#include "models/energy/routes.h"
#include "workloads/foam/record/activity.h"

enum { FS_SUM_ROW = 1 + FS_MAX_EVENTS };

typedef struct fs_activity_sums {
    uint32_t groups;
    uint64_t *row; /* [iterations][groups][FS_SUM_ROW] calls of a program, and what all of them counted */
    uint32_t
        *call; /* [actives] the call of each active tile: place among those of all groups, group by group */
    /* [iterations] over the exchange when it is dynamic, headers left out: messages and bytes with their
     * ways; NULL: the moves were not read. */
    fs_moved *message, *payload;
} fs_activity_sums;

/* transfers: [lanes] of the overlay. Memory from the arena. */
void fs_activity_sums_make(const fs_activity *activity, const fs_overlay *overlay,
                           const fs_device_programs *programs, const fs_geometry_params *geometry,
                           uint32_t payload_bytes, fs_arena *arena, fs_activity_sums *out);

#endif
