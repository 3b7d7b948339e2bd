/* The overlay of a run and what lies where on its tiles, from an experiment and its cut scene. */
#ifndef FOAMSIM_WORKLOADS_FOAM_FOAM_OVERLAY_H
#define FOAMSIM_WORKLOADS_FOAM_FOAM_OVERLAY_H

#include "models/ipu/machine.h"
#include "models/overlay/overlay.h"
#include "sim/config/config.h"
#include "workloads/foam/foam_params.h"
#include "workloads/foam/kernels/layout.h"
#include "workloads/foam/march/payload.h"
#include "workloads/foam/partition/partition.h"
#include "workloads/image/camera.h"

/* What an overlay is planned on. Borrowed. */
typedef struct fs_foam_ground {
    const fs_config *config;
    const fs_machine_params *machine;
    const fs_foam_params *params;
    const fs_partition *partition; /* sizes and neighbours of the shards */
    const fs_payload *payload;
    const fs_camera *camera; /* [cameras] */
    const uint32_t *entry;   /* [cameras] shard in which each stands */
    uint32_t cameras;        /* 1 or 2 */
} fs_foam_ground;

/* Plans the overlay section's kind for the scene, adds the replicas that are asked for, checks the outcome
 * and lays out every tile. Memory from the arena. FS_INPUT when something does not fit. */
fs_status fs_foam_overlay_make(const fs_foam_ground *ground, fs_arena *arena, fs_overlay *overlay,
                               fs_foam_layout *layout, fs_error *err);

#endif
