/* A lane between every two shards that share a face: a ray goes straight to the shard it enters, one lane
 * away. No routers; each shard's tile traces, and passes on what is not its own (finished rays on the way to
 * their pixel, unless the framebuffer is local) on a shortest way, the lowest port first.
 *
 * What it costs is SRAM: shards of a real scene touch ten to twenty others, and each lane wants a buffer at
 * both ends. The default buffer is the quadtree tracer's, which so many lanes do not leave room for: the
 * ledger refuses it. 0 B makes do with what is left, split evenly.
 *
 * Invariants: a shortest way in the graph of shards between any two; as many neighbours as the shard has, one
 * more where rays begin; no routers.
 */
#ifndef FOAMSIM_MODELS_OVERLAY_KINDS_DIRECT_H
#define FOAMSIM_MODELS_OVERLAY_KINDS_DIRECT_H

#include "models/overlay/overlay.h"
#include "models/overlay/plan.h"

typedef struct fs_direct_params {
    int64_t lane_buffer; /* bytes that a tracer gives each end of a lane; 0: its part of what is left */
    int64_t entry; /* shard that the generator sends to; -1: those of the cameras, else the middle one */
    fs_plan_generator generator;
} fs_direct_params;

extern const fs_overlay_kind fs_overlay_direct;
extern const fs_param_table fs_overlay_direct_table; /* "overlay/direct" */

#endif
