/* The programs of the tiles beside the walk (walk/walk.h): coordinates, features, layers, light, and the
 * streams of the tiles of input and output, and what reads the scene at the start. Slots were counted by hand before any comparison. */
#ifndef FOAMSIM_WORKLOADS_PATHTRACE_FRAME_PROGRAMS_H
#define FOAMSIM_WORKLOADS_PATHTRACE_FRAME_PROGRAMS_H

#include "models/tile/tile.h"

enum { FS_PATHTRACE_UV_RAY, FS_PATHTRACE_UV_EVENTS };
enum { FS_PATHTRACE_FEATURE_RAY, FS_PATHTRACE_FEATURE, FS_PATHTRACE_FEATURE_EVENTS };
enum {
    FS_PATHTRACE_LAYER_UNIT,     /* cycles of the matrix unit */
    FS_PATHTRACE_LAYER_ADDED,    /* cycles of partial sums being added */
    FS_PATHTRACE_LAYER_ACTIVATE, /* four f16 (two f32) */
    FS_PATHTRACE_LAYER_JOIN,     /* 8 B copied */
    FS_PATHTRACE_LAYER_EVENTS
};
enum { FS_PATHTRACE_LIGHT_RAY, FS_PATHTRACE_LIGHT_EVENTS };
enum { FS_PATHTRACE_STREAM_CYCLE, FS_PATHTRACE_STREAM_EVENTS };
enum { FS_PATHTRACE_READ_SCENE, FS_PATHTRACE_READ_EVENTS };

extern const fs_program fs_pathtrace_uv, fs_pathtrace_features, fs_pathtrace_layer, fs_pathtrace_light,
    fs_pathtrace_stream, fs_pathtrace_read_scene;

#endif
