#include "workloads/foam/programs.h"

#include <string.h>

enum { COUNTED_PORTS = 5 }; /* of the router in ipu.md 8.2 */

/* Where the slots column of ipu.md 8 exceeds the counted operations, the rest (address arithmetic, register
 * moves) is in INT; where it is below them, the difference is in `paired`. tests/unit/test_programs.c holds
 * the two equal. */

#define OPS(...) .op = {__VA_ARGS__}
#define L        [FS_OP_LOAD]
#define S        [FS_OP_STORE]
#define HS       [FS_OP_STORE_HALF]
#define ADD      [FS_OP_ADD]
#define MUL      [FS_OP_MUL]
#define DIV      [FS_OP_DIV]
#define SQRT     [FS_OP_SQRT]
#define EXP      [FS_OP_EXP]
#define CMP      [FS_OP_CMP]
#define CAST     [FS_OP_CAST]
#define INT      [FS_OP_INT]
#define IDIV     [FS_OP_INT_DIV]
#define CDIV     [FS_OP_CONST_DIV]
#define BR       [FS_OP_BRANCH]

static const fs_event tracer_events[FS_TRACER_EVENTS] = {
    [FS_TRACER_PROLOGUE] = {.name = "prologue",
                            .doc = "registers, camera, indices; every call",
                            .source = "ipu.md 8.1",
                            OPS(L = 52, S = 32, INT = 62, IDIV = 3, BR = 4),
                            .always_each = 1},
    /* a worker also tests the first empty slot, which ends its loop */
    [FS_TRACER_SLOT] = {.name = "slot",
                        .doc = "a slot's mark tested",
                        .source = "ipu.md 8.1",
                        OPS(L = 1, INT = 4, BR = 2),
                        .paired = 1,
                        .always_each = 1},
    [FS_TRACER_PASS] = {.name = "pass",
                        .doc = "a ray of another shard copied back",
                        .source = "ipu.md 8.1",
                        OPS(L = 8, S = 5, HS = 1, INT = 12, BR = 3),
                        .paired = 3},
    [FS_TRACER_PIXEL] = {.name = "pixel",
                         .doc = "a finished ray written to its pixel",
                         .source = "ipu.md 8.1",
                         OPS(L = 13, S = 6, HS = 5, MUL = 3, CMP = 6, CAST = 7, INT = 19, BR = 6)},
    [FS_TRACER_SETUP] = {.name = "setup",
                         .doc = "direction and payload of a ray to be marched",
                         .source = "ipu.md 8.1",
                         OPS(L = 30, HS = 1, ADD = 19, MUL = 21, DIV = 3, SQRT = 1, CAST = 7, INT = 12,
                             BR = 5),
                         .paired = 13},
    [FS_TRACER_CELL] = {.name = "cell",
                        .doc = "a cell visited, its faces apart",
                        .source = "ipu.md 8.1",
                        OPS(L = 9, ADD = 6, MUL = 7, DIV = 3, EXP = 1, CMP = 6, CAST = 3, INT = 10, BR = 8),
                        .paired = 11},
    [FS_TRACER_FACE] = {.name = "face",
                        .doc = "a face tested",
                        .source = "ipu.md 8.1",
                        OPS(L = 4, ADD = 5, MUL = 3, CMP = 1, INT = 8, BR = 4),
                        .paired = 6},
    [FS_TRACER_FRONT] = {.name = "front",
                         .doc = "extra for a front-facing face",
                         .source = "ipu.md 8.1",
                         OPS(ADD = 8, MUL = 6, DIV = 1, CMP = 2, INT = 2, BR = 2),
                         .paired = 1},
    [FS_TRACER_NEAREST] = {.name = "nearest",
                           .doc = "extra for a new nearest face",
                           .source = "ipu.md 8.1",
                           OPS(INT = 2)},
    [FS_TRACER_DEPTH] = {.name = "depth",
                         .doc = "transmittance passes one half",
                         .source = "ipu.md 8.1",
                         OPS(L = 1, HS = 1, CMP = 4, CAST = 1, INT = 1, BR = 4),
                         .paired = 4},
    [FS_TRACER_CROSS] = {.name = "cross",
                         .doc = "a ray written out for another shard",
                         .source = "ipu.md 8.1",
                         OPS(L = 3, S = 1, HS = 10, CAST = 5, INT = 13, BR = 3)},
    [FS_TRACER_FINISH] = {.name = "finish",
                          .doc = "a finished ray written out for its pixel",
                          .source = "ipu.md 8.1",
                          OPS(L = 1, S = 1, HS = 10, CAST = 5, INT = 16, CDIV = 2, BR = 2)},
    [FS_TRACER_WIPE] = {.name = "wipe",
                        .doc = "a stale slot behind the last ray cleared",
                        .source = "ipu.md 8.1",
                        OPS(L = 1, HS = 1, INT = 3, BR = 2),
                        .paired = 1},
};
const fs_program fs_tracer_program = {
    .name = "tracer", .segments = 1, .events = tracer_events, .event_count = FS_TRACER_EVENTS};

/* Segments: 0 prologue, 1 count pass, 2 totals and offsets, 3 forward pass, 4 wipe and statistics; four
 * barriers (ipu.md 8.2). */
static const fs_event router_events[FS_ROUTER_EVENTS] = {
    [FS_ROUTER_PROLOGUE] = {.name = "prologue",
                            .doc = "registers and flags; every call",
                            .source = "ipu.md 8.2",
                            OPS(L = 14, INT = 12, BR = 8),
                            .paired = 4,
                            .segment = 0,
                            .always_each = 1},
    [FS_ROUTER_COUNT] = {.name = "count",
                         .doc = "a ray's lane looked up and counted",
                         .source = "ipu.md 8.2",
                         OPS(L = 4, S = 1, INT = 12, BR = 4),
                         .paired = 1,
                         .segment = 1},
    [FS_ROUTER_SKIP_COUNT] = {.name = "skip (count)",
                              .doc = "a consumed slot skipped in the count pass",
                              .source = "ipu.md 8.2",
                              OPS(L = 1, INT = 4, BR = 3),
                              .segment = 1},
    [FS_ROUTER_TOTALS] = {.name = "totals",
                          .doc = "lane totals and own ranges, repeated by each worker; every call",
                          .source = "ipu.md 8.2",
                          OPS(L = 45, INT = 175, BR = 40),
                          .segment = 2,
                          .always_each = 1},
    [FS_ROUTER_OFFSETS] = {.name = "offsets",
                           .doc = "write offsets of all workers and lanes, worker 0; every call",
                           .source = "ipu.md 8.2",
                           OPS(L = 250, S = 150, INT = 650, BR = 150),
                           .segment = 2,
                           .always_first = 1},
    [FS_ROUTER_FORWARD] = {.name = "forward",
                           .doc = "a ray copied to a lane",
                           .source = "ipu.md 8.2",
                           OPS(L = 8, S = 5, INT = 24, BR = 8),
                           .segment = 3},
    [FS_ROUTER_SPILL] = {.name = "spill",
                         .doc = "extra for a ray put in another lane",
                         .source = "ipu.md 8.2",
                         OPS(L = 2, INT = 18, BR = 5),
                         .segment = 3},
    [FS_ROUTER_SKIP_FORWARD] = {.name = "skip (forward)",
                                .doc = "a consumed slot skipped in the forward pass",
                                .source = "ipu.md 8.2",
                                OPS(L = 1, INT = 4, BR = 3),
                                .segment = 3},
    [FS_ROUTER_WIPE] = {.name = "wipe",
                        .doc = "a stale slot cleared, worker 0",
                        .source = "ipu.md 8.2",
                        OPS(L = 1, HS = 1, INT = 3, BR = 2),
                        .paired = 1,
                        .segment = 4},
    [FS_ROUTER_STATISTICS] = {.name = "statistics",
                              .doc = "a ray in the serial statistics pass, worker 0",
                              .source = "ipu.md 8.2",
                              OPS(L = 5, S = 2, INT = 11, BR = 4),
                              .segment = 4},
    /* 0.7 k cycles of the fixed cost in ipu.md 8.2 = 117 slots: 11 counters of 6 workers read, added, stored
     */
    [FS_ROUTER_SUMS] = {.name = "sums",
                        .doc = "counters summed up, worker 0; every call",
                        .source = "ipu.md 8.2",
                        OPS(L = 66, S = 11, INT = 40),
                        .segment = 4,
                        .always_first = 1},
};
static const fs_event router_barrier = {.name = "barrier",
                                        .doc = "arriving at a barrier and polling it once",
                                        .source = "ipu.md 8.2",
                                        OPS(L = 6, S = 1, INT = 7, BR = 13),
                                        .paired = 6};
const fs_program fs_router_program = {.name = "router",
                                      .segments = 5,
                                      .events = router_events,
                                      .event_count = FS_ROUTER_EVENTS,
                                      .barrier = &router_barrier};

/* The router program with `ports` lanes in and as many out: the counted profile is that of five. */
static const fs_program *router_program(uint32_t ports, fs_arena *arena) {
    fs_event *events = FS_NEW(arena, fs_event, FS_ROUTER_EVENTS);
    fs_program *program = FS_NEW(arena, fs_program, 1);
    memcpy(events, router_events, sizeof router_events);
    for (int op = 0; op < FS_OP_COUNT; op++) {
        uint16_t *totals = &events[FS_ROUTER_TOTALS].op[op], *offsets = &events[FS_ROUTER_OFFSETS].op[op];
        *totals = (uint16_t)(*totals * ports / COUNTED_PORTS);
        *offsets = (uint16_t)(*offsets * ports / COUNTED_PORTS);
    }
    *program = fs_router_program;
    program->events = events;
    return program;
}

static const fs_event generator_events[FS_GENERATOR_EVENTS] = {
    [FS_GENERATOR_FIXED] = {.name = "fixed",
                            .doc = "counters, schedule, statistics; every call",
                            .source = "ipu.md 8.3",
                            OPS(L = 20, S = 15, INT = 55, IDIV = 3, BR = 10),
                            .always_each = 1},
    [FS_GENERATOR_BACKLOG] = {.name = "backlog",
                              .doc = "a ray of the ring emitted",
                              .source = "ipu.md 8.3",
                              OPS(L = 10, S = 10, INT = 10, BR = 6)},
    [FS_GENERATOR_SPILL] = {.name = "spill",
                            .doc = "a spilled ray taken back",
                            .source = "ipu.md 8.3",
                            OPS(L = 6, S = 5, INT = 8, BR = 5)},
    [FS_GENERATOR_RAY] = {.name = "ray",
                          .doc = "a new ray",
                          .source = "ipu.md 8.3",
                          OPS(L = 5, S = 5, HS = 1, INT = 10, BR = 5)},
    [FS_GENERATOR_WIPE] = {.name = "wipe",
                           .doc = "a stale slot cleared",
                           .source = "ipu.md 8.3",
                           OPS(L = 1, HS = 1, INT = 3, BR = 2),
                           .paired = 1},
};
const fs_program fs_generator_program = {.name = "generator",
                                         .segments = 1,
                                         .workers = 1,
                                         .events = generator_events,
                                         .event_count = FS_GENERATOR_EVENTS};

fs_device_programs fs_foam_programs(const fs_overlay *overlay, fs_arena *arena) {
    enum { MOST = 2 + FS_MAX_PORTS + 1 };
    const fs_program **list = FS_NEW(arena, const fs_program *, MOST);
    uint8_t router_of[FS_MAX_PORTS + 1] = {0}; /* [ports] */
    fs_device_programs p = {.program = list, .of_tile = FS_NEW(arena, uint8_t, overlay->tiles)};
    list[p.count++] = &fs_tracer_program;
    list[p.count++] = &fs_generator_program;
    for (uint32_t t = 0; t < overlay->tiles; t++) {
        uint32_t ports = fs_overlay_out_degree(overlay, t);
        switch ((fs_role)overlay->role[t]) {
        case FS_ROLE_TRACER:
            p.of_tile[t] = 1;
            break;
        case FS_ROLE_GENERATOR:
            p.of_tile[t] = 2;
            break;
        case FS_ROLE_ROUTER:
            if (router_of[ports] == 0) {
                list[p.count++] = router_program(ports, arena);
                router_of[ports] = (uint8_t)p.count;
            }
            p.of_tile[t] = router_of[ports];
            break;
        default:
            break;
        }
    }
    return p;
}
