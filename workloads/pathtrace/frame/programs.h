/* The programs of the tiles beside the walk (walk/walk.h): coordinates, calls of the network's library, layers, light, and the
 * streams of the tiles of input and output, and what reads the scene at the start. Slots were counted by hand before any comparison. */
#ifndef FOAMSIM_WORKLOADS_PATHTRACE_FRAME_PROGRAMS_H
#define FOAMSIM_WORKLOADS_PATHTRACE_FRAME_PROGRAMS_H

#include "models/tile/tile.h"

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

#endif
