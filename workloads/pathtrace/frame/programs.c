/* Profiles of the programs beside the walk. */
#include "workloads/pathtrace/frame/steps.h"

#include "models/tile/ops.h"

static const fs_event uv_events[FS_PATHTRACE_UV_EVENTS] = {
    [FS_PATHTRACE_UV_RAY] = FS_EVENT(
        "coordinates", "two angles of a ray's last direction, by the library's arc cosine and arc tangent",
        "neural_path_tracing.md 4, IRL, PL",
        OPS(L = 54, S = 14, ADD = 42, MUL = 52, CMP = 12, DIV = 3, SQRT = 1, INT = 66, BR = 26)),
};
#define CALL(id, word, text, ...)                                                                            \
    [FS_PATHTRACE_CALL_##id] = FS_EVENT(word, text, "neural_path_tracing.md 4, PL", __VA_ARGS__)
static const fs_event call_events[FS_PATHTRACE_CALL_EVENTS] = {
    CALL(ENTRY, "entry", "a worker's way into its loop and out of it, a slot of it", OPS(INT = 1)),
    CALL(NORMALISE, "normalised", "two f32: one subtracted, times two, by a codelet made for it",
         OPS(L64 = 1, X2 = 2, S64 = 1)),
    CALL(ROW, "row", "way into a row of the product with a broadcast vector", OPS(INT = 7)),
    CALL(PAIR, "pair", "two f32 times a number that stays in its register", OPS(L64 = 1, X2 = 1, S64 = 1),
         .paired = 1),
    CALL(SUM, "sum of a pair", "two f32 and two others, added in place", OPS(L64 = 2, X2 = 1, S64 = 1),
         .paired = 1),
    CALL(EXP, "exponentials", "of two f32", OPS(L64 = 1, EXP = 2, S64 = 1), .paired = 2),
    CALL(NARROW, "narrowed", "four f32 to f16: loads and a store beside two conversions",
         OPS(L64 = 2, CAST = 2, S64 = 1), .paired = 3),
    CALL(WIDEN, "widened", "two f16 to f32: load and store beside a conversion",
         OPS(L = 1, CAST = 1, S64 = 1), .paired = 2),
    CALL(SINE, "sine or cosine", "of an f16 in f32: range reduced, two polynomials, a division",
         OPS(L = 1, CAST = 2, INT = 1, MUL = 13, ADD = 8, DIV = 1), .paired = 3),
    CALL(BIAS, "bias", "8 B of outputs and of the bias, added in place", OPS(L64 = 2, H4 = 1, S64 = 1),
         .paired = 1),
    CALL(RELU, "activation", "8 B of outputs, in place", OPS(L64 = 1, H4 = 1, S64 = 1), .paired = 1),
    CALL(SLICED, "sliced", "8 B of a serial step's coefficients or outputs, to or from their place",
         OPS(L64 = 1, S64 = 1)),
    CALL(COPIED, "copied", "a cycle of a copy on the tile into another order", .cycles = 1),
};
static const fs_event layer_events[FS_PATHTRACE_LAYER_EVENTS] = {
    [FS_PATHTRACE_LAYER_UNIT] = FS_EVENT("product", "a cycle of the matrix unit (models/matrix)",
                                         "neural_path_tracing.md 4, PL", .cycles = 1),
    [FS_PATHTRACE_LAYER_ADDED] =
        FS_EVENT("sum", "a cycle in which partial sums are added", "neural_path_tracing.md 4", .cycles = 1),
};
static const fs_event light_events[FS_PATHTRACE_LIGHT_EVENTS] = {
    [FS_PATHTRACE_LIGHT_RAY] =
        FS_EVENT("light", "the network's colour times throughput, added to a ray that escaped",
                 "neural_path_tracing.md 4, IRL", OPS(L = 12, MUL = 3, ADD = 3, S = 3, BR = 3, INT = 6)),
};
static const fs_event stream_events[FS_PATHTRACE_STREAM_EVENTS] = {
    [FS_PATHTRACE_STREAM_CYCLE] =
        FS_EVENT("stream", "a cycle in which a batch moves from or to streaming memory",
                 "neural_path_tracing.md 6", .cycles = 1),
};
static const fs_event read_events[FS_PATHTRACE_READ_EVENTS] = {
    [FS_PATHTRACE_READ_SCENE] = FS_EVENT("scene read", "one worker reads the serialised scene, once",
                                         "neural_path_tracing.md 1", OPS(INT = 522)),
};

const fs_program fs_pathtrace_uv = {PROGRAM("coordinates", uv_events)};
const fs_program fs_pathtrace_call = {PROGRAM("call", call_events)};
const fs_program fs_pathtrace_layer = {PROGRAM("layer", layer_events)};
const fs_program fs_pathtrace_light = {PROGRAM("light", light_events)};
const fs_program fs_pathtrace_stream = {PROGRAM("stream", stream_events), .free_launch = true};
const fs_program fs_pathtrace_read_scene = {PROGRAM("read", read_events), .free_launch = true};
