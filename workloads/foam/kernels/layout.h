/* What lies where in a tile's SRAM: lane capacities from buffer shares and payload, and the ledger of every
 * tile. */
#pragma once

#include "models/ipu/machine.h"
#include "models/overlay/overlay.h"
#include "workloads/foam/kernels/framebuffer.h"
#include "workloads/foam/partition/partition.h"

#include <stdint.h>

typedef struct fs_foam_layout {
    uint32_t *capacity;     /* [lanes] rays */
    fs_transfer *transfers; /* [lanes] whole buffers, as a static exchange moves them */
    fs_ledger *ledger;
    /* B, of the tile that has most: all lanes of a router; of a tracer its lanes, shard and framebuffer
     * slice; the shard alone (cells, neighbour cells, adjacency), the lanes alone, the slice alone. */
    uint64_t router_lanes, tracer_data, shard_data, tracer_lanes, slice;
    uint64_t harmonics; /* B, coefficients of the shard that has most of them; part of shard_data */
    uint64_t
        cells_fit; /* of a scene cut as this one is, by the tracer with least room for more; 0: not even one */
} fs_foam_layout;

/* Rays that a tile's in lanes hold together, by their capacities [lanes]: of lanes that share a queue those of the
 * largest. */
uint32_t fs_foam_in_slots(const fs_overlay *overlay, const uint32_t *capacity, uint32_t tile);

/* What the layout depends on beside machine and overlay. */
typedef struct fs_foam_layout_needs {
    const fs_partition *partition;
    uint32_t payload_bytes;
    uint64_t slice_bytes;  /* framebuffer slices of a shard's first owner; 0 with a local framebuffer */
    uint64_t local_bytes;  /* local framebuffer of a tracer; 0 with a screen framebuffer */
    uint64_t camera_bytes; /* of cameras beside the first, on each tile */
    uint32_t degree;       /* of the harmonics */
    int64_t store;         /* FS_STORE_* */
    fs_role_code code;
} fs_foam_layout_needs;

/* What an overlay is planned for: the shards' neighbours, the bytes that are left for lanes on each kind of
 * tile once everything else that fs_foam_layout_make books (exchange code and backlog ring apart) has its
 * place. With a local framebuffer a tracer's bytes are no more than lanes in and out can use that bring half
 * as many rays as its buffer holds. Machine, shards, payload and entries are the caller's to fill in; memory
 * from the arena. */
void fs_foam_layout_site(const fs_machine_params *machine, const fs_foam_layout_needs *needs, fs_arena *arena,
                         fs_overlay_site *out);

/* Memory from the arena. FS_INPUT with the worst tile's ledger when it does not fit (memory.check: warn runs
 * on). */
fs_status fs_foam_layout_make(const fs_machine_params *machine, const fs_overlay *overlay,
                              const fs_foam_layout_needs *needs, fs_arena *arena, fs_foam_layout *out,
                              fs_error *err);
