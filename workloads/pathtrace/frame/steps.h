/* What the rendering tiles do for one sample of a batch, in steps: the walk, and with a network coordinates,
 * features, layers and light (neural_path_tracing.md 1 and 3). Each step computes and then moves what the
 * next one needs. All but the walk are the same on every tile. */
#ifndef FOAMSIM_WORKLOADS_PATHTRACE_FRAME_STEPS_H
#define FOAMSIM_WORKLOADS_PATHTRACE_FRAME_STEPS_H

#include "workloads/pathtrace/frame/layout.h"
#include "workloads/pathtrace/frame/programs.h"
#include "workloads/pathtrace/network/network.h"

typedef enum fs_pathtrace_part {
    FS_PATHTRACE_TRACE,
    FS_PATHTRACE_UV,
    FS_PATHTRACE_FEATURES,
    FS_PATHTRACE_MATRIX,
    FS_PATHTRACE_LIGHT,
    FS_PATHTRACE_PARTS
} fs_pathtrace_part;

typedef struct fs_pathtrace_step {
    const char *name;
    fs_pathtrace_part part;
    const fs_program *program;
    uint64_t count[4]; /* occurrences of the program's events on a tile; none for the walk */
    uint64_t macs;     /* multiply-adds of a tile's matrix unit */
    uint64_t bytes;    /* B into each rendering tile after it; 0: nothing is exchanged */
} fs_pathtrace_step;

typedef struct fs_pathtrace_steps {
    fs_pathtrace_step *step; /* [count] of one sample */
    uint32_t count;
    fs_amp_type type; /* of the network's numbers */
} fs_pathtrace_steps;

fs_pathtrace_steps fs_pathtrace_steps_of(const fs_pathtrace_layout *layout, const fs_pathtrace_params *params,
                                         const fs_network_plan *network, fs_arena *arena);

/* A worker's part of a tile's occurrences of an event; the matrix unit's cycles are all worker 0's. */
uint32_t fs_pathtrace_step_count(const fs_pathtrace_step *step, uint32_t event, uint32_t worker,
                                 uint32_t workers);

#endif
