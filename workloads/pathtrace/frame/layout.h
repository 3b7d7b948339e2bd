/* Who renders what: tiles, batches, and the worker that a pixel goes to (neural_path_tracing.md 1). */
#pragma once

#include "models/ipu/machine.h"
#include "sim/config/param.h"
#include "workloads/pathtrace/nif/nif.h"

/* Parameters of the path tracer: workload.kind pathtrace. */

/* Which of a batch's pixels a tile takes: neighbours in row order, or pixels from everywhere in the batch. */
enum { FS_PATHTRACE_ROWS, FS_PATHTRACE_SCATTER };
/* How the workers of a tile share its rays: worker w takes w, w + workers, ...; or who is free takes the
 * next. */
enum { FS_PATHTRACE_FIXED, FS_PATHTRACE_QUEUE };
/* What lights a picture where paths escape. Costs do not depend on it. */
enum { FS_PATHTRACE_SKY, FS_PATHTRACE_NETWORK };

typedef struct fs_pathtrace_params {
    int64_t width, height, seed; /* pixels; of the paths */
    int64_t samples;             /* of a pixel: S */
    int64_t drawn;               /* of them that are traced: n; at most S */
    int64_t most_segments;       /* of a path */
    int64_t roulette_above;      /* hits with a greater number draw for the path's end */
    double jitter, azimuth;      /* pixels; radians */
    int64_t node_bytes;          /* 24, 32 */
    int64_t io_tiles;            /* that move batches; the rest render */
    int64_t rays_per_worker;     /* of a batch */
    int64_t rays_per_tile;       /* of a batch, whatever its workers; 0: rays_per_worker for each */
    int64_t ray_bytes;           /* in streaming memory and on tiles */
    int64_t dealing, sharing;    /* FS_PATHTRACE_* */
    int64_t dummies;             /* fs_pod_rule */
    int64_t light;               /* FS_PATHTRACE_SKY, FS_PATHTRACE_NETWORK */
    fs_nif_params nif;
    int64_t code_render, code_io;     /* bytes */
    int64_t memory_node, memory_leaf; /* of the ledger's nodes: bytes, 0 as the tree; primitives of a leaf */
} fs_pathtrace_params;
extern const fs_param_table fs_pathtrace_table; /* "workload/pathtrace" */

extern const fs_section_use fs_pathtrace_uses[];
/* Rules between the sections: batches, tiles, chips. */
void fs_pathtrace_check(const struct fs_config *config, fs_check *check);

enum { FS_PATHTRACE_STACK = 960 }; /* B of a worker */

typedef struct fs_pathtrace_layout {
    uint32_t tiles, io_tiles, render_tiles, workers; /* workers of a tile */
    uint32_t rays, ray;                              /* of a tile in a batch; bytes of one */
    uint64_t batch;                                  /* rays */
    uint64_t pixels, batches;
    uint64_t stride; /* of scattered pixels in a batch: no divisor in common with it */
    bool multicasts; /* the exchange has some: ports; routers copy nothing */
    bool pairs;      /* of tiles may take in one at twice the rate */
    fs_pod pod;
} fs_pathtrace_layout;

/* Needs a tile that renders. */
fs_pathtrace_layout fs_pathtrace_layout_of(const fs_pathtrace_params *params,
                                           const fs_machine_params *machine);

/* The pixel at a place of a batch, UINT64_MAX for a place that is filled up. Place p is the ray p mod rays of
 * rendering tile p / rays, and its worker's is p mod rays mod workers. */
uint64_t fs_pathtrace_pixel(const fs_pathtrace_layout *layout, int64_t dealing, uint64_t batch,
                            uint64_t place);

/* The batch that a chip renders in an iteration: dealt one by one; what fills up is the last one again. */
uint64_t fs_pathtrace_batch_at(const fs_pathtrace_layout *layout, uint32_t chip, uint64_t iteration);

/* A batch as it lies in streaming memory: a piece for each tile of input and output. */
fs_remote_buffer fs_pathtrace_buffer(const fs_pathtrace_layout *layout);

/* Transfers, in the arena. Ring: `bytes` into each rendering tile; a planned exchange is as long as what a
 * port takes in, so the sender is written as the neighbour. Copies: the rays of each rendering tile to its
 * tile of input and output and back. */
fs_transfer *fs_pathtrace_ring(const fs_pathtrace_layout *layout, uint64_t bytes, fs_arena *arena);
fs_transfer *fs_pathtrace_copies(const fs_pathtrace_layout *layout, fs_arena *arena, uint32_t *count);
