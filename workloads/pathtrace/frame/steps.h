/* What the rendering tiles do for one sample of a batch, in steps: the walk, and with a network coordinates,
 * the library's calls that make features of them, layers, the calls that undo the training's tone map, and light
 * (neural_path_tracing.md 1, 3 and 4). Each step computes and then moves what the next one needs. All but the
 * walk are the same on every tile. */
#pragma once

#include "models/tile/tile.h"
#include "workloads/pathtrace/frame/layout.h"
#include "workloads/pathtrace/nif/nif.h"

/* The programs of the tiles beside the walk (walk/walk.h): coordinates, calls of the network's library, layers, light, and the
 * streams of the tiles of input and output, and what reads the scene at the start. Slots were counted by hand before any comparison. */

enum { FS_PATHTRACE_UV_RAY, FS_PATHTRACE_UV_EVENTS };
/* A call of the vendor's library on whole arrays (neural_path_tracing.md 4): what one of its loops does. */
enum {
    FS_PATHTRACE_CALL_ENTRY,     /* a slot of a worker outside its loop */
    FS_PATHTRACE_CALL_NORMALISE, /* two f32 */
    FS_PATHTRACE_CALL_ROW,       /* way into a row of a product with a broadcast vector */
    FS_PATHTRACE_CALL_PAIR,      /* two f32 and a number that stays */
    FS_PATHTRACE_CALL_SUM,       /* two f32 and two others */
    FS_PATHTRACE_CALL_EXP,       /* two f32 */
    FS_PATHTRACE_CALL_NARROW,    /* four f32 to f16 */
    FS_PATHTRACE_CALL_WIDEN,     /* two f16 to f32 */
    FS_PATHTRACE_CALL_SINE,      /* one f16; its cosine takes as long */
    FS_PATHTRACE_CALL_BIAS,      /* 8 B */
    FS_PATHTRACE_CALL_RELU,      /* 8 B */
    FS_PATHTRACE_CALL_SLICED,    /* 8 B */
    FS_PATHTRACE_CALL_COPIED,    /* a cycle of a copy on the tile */
    FS_PATHTRACE_CALL_EVENTS
};
enum {
    FS_PATHTRACE_LAYER_UNIT,  /* cycles of the matrix unit */
    FS_PATHTRACE_LAYER_ADDED, /* cycles of partial sums being added */
    FS_PATHTRACE_LAYER_EVENTS
};
enum { FS_PATHTRACE_LIGHT_RAY, FS_PATHTRACE_LIGHT_EVENTS };
enum { FS_PATHTRACE_STREAM_CYCLE, FS_PATHTRACE_STREAM_EVENTS };
enum { FS_PATHTRACE_READ_SCENE, FS_PATHTRACE_READ_EVENTS };

extern const fs_program fs_pathtrace_uv, fs_pathtrace_call, fs_pathtrace_layer, fs_pathtrace_light,
    fs_pathtrace_stream, fs_pathtrace_read_scene;

typedef enum fs_pathtrace_part {
    FS_PATHTRACE_TRACE,
    FS_PATHTRACE_UV,
    FS_PATHTRACE_CALLS, /* around the layers */
    FS_PATHTRACE_MATRIX,
    FS_PATHTRACE_LIGHT,
    FS_PATHTRACE_PARTS
} fs_pathtrace_part;

typedef struct fs_pathtrace_step {
    const char *name;
    fs_pathtrace_part part;
    const fs_program *program;
    uint64_t count
        [FS_PATHTRACE_CALL_EVENTS]; /* occurrences of the program's events on a tile; none for the walk */
    uint64_t macs;                  /* multiply-adds of a tile's matrix unit */
    uint64_t bytes;                 /* B into each rendering tile after it */
    /* Of the product whose serial step follows, exchanged after this one; NULL: bytes are. */
    const fs_matrix_split *operands;
    bool inputs; /* it is the first: the product's inputs, too */
} fs_pathtrace_step;

typedef struct fs_pathtrace_steps {
    fs_pathtrace_step *step; /* [count] of one sample */
    uint32_t count;
    fs_amp_type type; /* of the network's numbers */
} fs_pathtrace_steps;

fs_pathtrace_steps fs_pathtrace_steps_of(const fs_pathtrace_layout *layout, const fs_pathtrace_params *params,
                                         const fs_nif_plan *network, fs_arena *arena);

/* Cycles of a tile that copies `bytes` into another order, in pieces of whole atoms of 8, 4 or 2 B, by the
 * regression of the vendor's planner (neural_path_tracing.md 4, PL), `percent` of them. */
uint64_t fs_pathtrace_copy_cycles(uint64_t bytes, uint64_t atom, double percent);

/* A worker's part of a tile's occurrences of an event; the matrix unit's cycles are all worker 0's. */
uint32_t fs_pathtrace_step_count(const fs_pathtrace_step *step, uint32_t event, uint32_t worker,
                                 uint32_t workers);
