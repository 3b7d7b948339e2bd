/* Profiles of the programs beside the walk. */
#include "workloads/pathtrace/frame/programs.h"

static const fs_event uv_events[FS_PATHTRACE_UV_EVENTS] = {
    [FS_PATHTRACE_UV_RAY] = FS_EVENT("coordinates", "two angles of a ray's last direction by polynomials",
                                     "neural_path_tracing.md 3, IRL; slots counted",
                                     .op = {[FS_OP_LOAD] = 46,
                                            [FS_OP_STORE] = 12,
                                            [FS_OP_ADD] = 34,
                                            [FS_OP_MUL] = 44,
                                            [FS_OP_CMP] = 10,
                                            [FS_OP_DIV] = 2,
                                            [FS_OP_SQRT] = 1,
                                            [FS_OP_INT] = 51,
                                            [FS_OP_BRANCH] = 22}),
};
static const fs_event feature_events[FS_PATHTRACE_FEATURE_EVENTS] = {
    [FS_PATHTRACE_FEATURE_RAY] = FS_EVENT("arguments", "scaled coordinates times the octaves, in f32",
                                          "neural_path_tracing.md 3, IRL; slots counted",
                                          .op = {[FS_OP_LOAD64] = 11,
                                                 [FS_OP_F32X2] = 12,
                                                 [FS_OP_CAST] = 20,
                                                 [FS_OP_STORE64] = 5,
                                                 [FS_OP_INT] = 12}),
    [FS_PATHTRACE_FEATURE] =
        FS_EVENT("sine or cosine", "in f16 by software: reduction of the range, two polynomials, a division",
                 "neural_path_tracing.md 4, PL",
                 .op = {[FS_OP_CAST] = 4,
                        [FS_OP_DIV] = 1,
                        [FS_OP_MUL] = 7,
                        [FS_OP_ADD] = 6,
                        [FS_OP_LOAD] = 2,
                        [FS_OP_STORE] = 1,
                        [FS_OP_INT] = 5}),
};
static const fs_event layer_events[FS_PATHTRACE_LAYER_EVENTS] = {
    [FS_PATHTRACE_LAYER_UNIT] = FS_EVENT("product", "a cycle of the matrix unit (models/matrix)",
                                         "neural_path_tracing.md 4, PL", .cycles = 1),
    [FS_PATHTRACE_LAYER_ADDED] = FS_EVENT("sum", "a cycle in which partial sums are added",
                                          "neural_path_tracing.md 4; slots counted", .cycles = 1),
    [FS_PATHTRACE_LAYER_ACTIVATE] = FS_EVENT(
        "activation", "8 B of outputs: load, bias and ReLU, store", "neural_path_tracing.md 3; slots counted",
        .op = {[FS_OP_LOAD64] = 1, [FS_OP_F16X4] = 1, [FS_OP_STORE64] = 1}),
    [FS_PATHTRACE_LAYER_JOIN] =
        FS_EVENT("join", "8 B of features copied behind a layer's outputs",
                 "neural_path_tracing.md 3; slots counted", .op = {[FS_OP_LOAD64] = 1, [FS_OP_STORE64] = 1}),
};
static const fs_event light_events[FS_PATHTRACE_LIGHT_EVENTS] = {
    [FS_PATHTRACE_LIGHT_RAY] =
        FS_EVENT("light", "tone map undone (scale, mean, exponential), times throughput, added",
                 "neural_path_tracing.md 3, IRL; slots counted",
                 .op = {[FS_OP_LOAD] = 10,
                        [FS_OP_MUL] = 6,
                        [FS_OP_ADD] = 6,
                        [FS_OP_EXP] = 3,
                        [FS_OP_STORE] = 3,
                        [FS_OP_BRANCH] = 2,
                        [FS_OP_INT] = 4}),
};
static const fs_event stream_events[FS_PATHTRACE_STREAM_EVENTS] = {
    [FS_PATHTRACE_STREAM_CYCLE] =
        FS_EVENT("stream", "a cycle in which a batch moves from or to streaming memory",
                 "neural_path_tracing.md 6", .cycles = 1),
};
static const fs_event read_events[FS_PATHTRACE_READ_EVENTS] = {
    [FS_PATHTRACE_READ_SCENE] = FS_EVENT("scene read", "one worker reads the serialised scene, once",
                                         "neural_path_tracing.md 1", .op = {[FS_OP_INT] = 522}),
};

#define PROGRAM(word, list, number)                                                                          \
    { .name = (word), .segments = 1, .events = (list), .event_count = (number) }
const fs_program fs_pathtrace_uv = PROGRAM("coordinates", uv_events, FS_PATHTRACE_UV_EVENTS);
const fs_program fs_pathtrace_features = PROGRAM("features", feature_events, FS_PATHTRACE_FEATURE_EVENTS);
const fs_program fs_pathtrace_layer = PROGRAM("layer", layer_events, FS_PATHTRACE_LAYER_EVENTS);
const fs_program fs_pathtrace_light = PROGRAM("light", light_events, FS_PATHTRACE_LIGHT_EVENTS);
const fs_program fs_pathtrace_stream = {.name = "stream",
                                        .segments = 1,
                                        .events = stream_events,
                                        .event_count = FS_PATHTRACE_STREAM_EVENTS,
                                        .free_launch = true};
const fs_program fs_pathtrace_read_scene = {.name = "read",
                                            .segments = 1,
                                            .events = read_events,
                                            .event_count = FS_PATHTRACE_READ_EVENTS,
                                            .free_launch = true};
