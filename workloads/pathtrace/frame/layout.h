/* Who renders what: tiles, batches, and the worker that a pixel goes to (neural_path_tracing.md 1). */
#ifndef FOAMSIM_WORKLOADS_PATHTRACE_FRAME_LAYOUT_H
#define FOAMSIM_WORKLOADS_PATHTRACE_FRAME_LAYOUT_H

#include "models/ipu/machine.h"
#include "workloads/pathtrace/frame/params.h"

enum { FS_PATHTRACE_STACK = 960 }; /* B of a worker */

typedef struct fs_pathtrace_layout {
    uint32_t tiles, io_tiles, render_tiles, workers; /* workers of a tile */
    uint32_t rays, ray;                              /* of a tile in a batch; bytes of one */
    uint64_t batch;                                  /* rays */
    uint64_t pixels, batches;
    uint64_t stride; /* of scattered pixels in a batch: no divisor in common with it */
    bool pairs;      /* of tiles may take in a multicast at twice the rate */
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

#endif
