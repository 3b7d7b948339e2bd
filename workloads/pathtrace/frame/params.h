/* Parameters of the path tracer: workload.kind pathtrace. */
#ifndef FOAMSIM_WORKLOADS_PATHTRACE_FRAME_PARAMS_H
#define FOAMSIM_WORKLOADS_PATHTRACE_FRAME_PARAMS_H

#include "sim/config/param.h"
#include "workloads/pathtrace/nif/nif.h"

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

#endif
