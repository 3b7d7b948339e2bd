/* Profiles of the programs beside the walk. */
#include "workloads/pathtrace/frame/programs.h"

static const fs_event uv_events[FS_PATHTRACE_UV_EVENTS] = {
    [FS_PATHTRACE_UV_RAY] = FS_EVENT(
        "coordinates", "two angles of a ray's last direction, by the library's arc cosine and arc tangent",
        "neural_path_tracing.md 4, IRL, PL",
        .op = {[FS_OP_LOAD] = 54,
               [FS_OP_STORE] = 14,
               [FS_OP_ADD] = 42,
               [FS_OP_MUL] = 52,
               [FS_OP_CMP] = 12,
               [FS_OP_DIV] = 3,
               [FS_OP_SQRT] = 1,
               [FS_OP_INT] = 66,
               [FS_OP_BRANCH] = 26}),
};
#define CALL(id, word, text, ...)                                                                            \
    [FS_PATHTRACE_CALL_##id] = FS_EVENT(word, text, "neural_path_tracing.md 4, PL", __VA_ARGS__)
static const fs_event call_events[FS_PATHTRACE_CALL_EVENTS] = {
    CALL(ENTRY, "entry", "a worker's way into its loop and out of it, a slot of it", .op = {[FS_OP_INT] = 1}),
    CALL(NORMALISE, "normalised", "two f32: one subtracted, times two, by a codelet made for it",
         .op = {[FS_OP_LOAD64] = 1, [FS_OP_F32X2] = 2, [FS_OP_STORE64] = 1}),
    CALL(ROW, "row", "way into a row of the product with a broadcast vector", .op = {[FS_OP_INT] = 7}),
    CALL(PAIR, "pair", "two f32 times a number that stays in its register",
         .op = {[FS_OP_LOAD64] = 1, [FS_OP_F32X2] = 1, [FS_OP_STORE64] = 1}, .paired = 1),
    CALL(SUM, "sum of a pair", "two f32 and two others, added in place",
         .op = {[FS_OP_LOAD64] = 2, [FS_OP_F32X2] = 1, [FS_OP_STORE64] = 1}, .paired = 1),
    CALL(EXP, "exponentials", "of two f32", .op = {[FS_OP_LOAD64] = 1, [FS_OP_EXP] = 2, [FS_OP_STORE64] = 1},
         .paired = 2),
    CALL(NARROW, "narrowed", "four f32 to f16: loads and a store beside two conversions",
         .op = {[FS_OP_LOAD64] = 2, [FS_OP_CAST] = 2, [FS_OP_STORE64] = 1}, .paired = 3),
    CALL(WIDEN, "widened", "two f16 to f32: load and store beside a conversion",
         .op = {[FS_OP_LOAD] = 1, [FS_OP_CAST] = 1, [FS_OP_STORE64] = 1}, .paired = 2),
    CALL(SINE, "sine or cosine", "of an f16 in f32: range reduced, two polynomials, a division",
         .op = {[FS_OP_LOAD] = 1,
                [FS_OP_CAST] = 2,
                [FS_OP_INT] = 1,
                [FS_OP_MUL] = 13,
                [FS_OP_ADD] = 8,
                [FS_OP_DIV] = 1},
         .paired = 3),
    CALL(BIAS, "bias", "8 B of outputs and of the bias, added in place",
         .op = {[FS_OP_LOAD64] = 2, [FS_OP_F16X4] = 1, [FS_OP_STORE64] = 1}, .paired = 1),
    CALL(RELU, "activation", "8 B of outputs, in place",
         .op = {[FS_OP_LOAD64] = 1, [FS_OP_F16X4] = 1, [FS_OP_STORE64] = 1}, .paired = 1),
    CALL(SLICED, "sliced", "8 B of a serial step's coefficients or outputs, to or from their place",
         .op = {[FS_OP_LOAD64] = 1, [FS_OP_STORE64] = 1}),
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
                 "neural_path_tracing.md 4, IRL",
                 .op = {[FS_OP_LOAD] = 12,
                        [FS_OP_MUL] = 3,
                        [FS_OP_ADD] = 3,
                        [FS_OP_STORE] = 3,
                        [FS_OP_BRANCH] = 3,
                        [FS_OP_INT] = 6}),
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
const fs_program fs_pathtrace_call = PROGRAM("call", call_events, FS_PATHTRACE_CALL_EVENTS);
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
