/* Overlays of every kind for tests that run the foam kernels on them. */
#pragma once

#include "models/overlay/overlay.h"
#include "sim/base/rng.h"
#include "workloads/foam/partition/partition.h"

#include <stdint.h>

typedef enum fs_case_kind {
    FS_CASE_QUADTREE,
    FS_CASE_FAT_TREE,
    FS_CASE_TREE,
    FS_CASE_MESH,
    FS_CASE_DIRECT,
    FS_CASE_KINDS
} fs_case_kind;
extern const char *const fs_case_kind_names[FS_CASE_KINDS];

enum { FS_CASE_LEVELS = 3 }; /* of a quadtree over at most 64 shards */

/* What an overlay is made of beside shards and machine; zero is a plain quadtree. */
typedef struct fs_case_overlay {
    fs_case_kind kind;
    int64_t widths[FS_CASE_LEVELS]; /* fat tree: replicas of a group, leaf level first; 0 is 1 */
    fs_dispatch dispatch;           /* fat tree; any other kind takes it where it has a choice */
    uint32_t arity;                 /* tree: 0 is 3 */
    uint32_t columns;               /* mesh: 0 is as square as possible */
    bool second_entry;              /* direct: the generator sends to a second shard too */
    uint32_t replicated;            /* shards, from the entry's on, that have several owners */
    uint32_t copies;                /* owners of each of them */
} fs_case_overlay;

/* A random one that fits 64 shards or fewer on a machine of 160 tiles. */
fs_case_overlay fs_case_overlay_random(fs_rng *rng, uint32_t shards);

/* Plans, replicates and checks it; a failure ends the process with its sentence. The lanes get what the
 * kind's defaults give them; entry: the camera's shard. */
void fs_case_overlay_plan(const fs_case_overlay *spec, const fs_machine_params *machine,
                          const fs_partition *partition, uint32_t entry, uint32_t payload_bytes,
                          uint32_t ring, fs_arena *arena, fs_overlay *out);
