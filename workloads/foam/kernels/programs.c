/* Programs of tracers, routers and the generator: events, operations, variants of an overlay. */
#include "workloads/foam/kernels/programs.h"

#include "models/tile/ops.h"
#include "workloads/foam/march/march.h"

#include <string.h>

enum { COUNTED_PORTS = 5 }; /* of the router in ipu.md 8.2 */

/* Where the slots column of ipu.md 8 exceeds the counted operations, the rest (address arithmetic, register
 * moves) is in INT; where it is below them, the difference is in `paired`. tests/unit/machine/test_programs.c
 * holds the two equal. */

static const fs_event tracer_events[FS_TRACER_EVENTS] = {
    [FS_TRACER_PROLOGUE] = FS_EVENT("prologue", "registers, camera, indices; every call", "ipu.md 8.1",
                                    OPS(L = 52, S = 32, INT = 62, IDIV = 3, BR = 4), .always_each = 1),
    /* a worker also tests the first empty slot, which ends its loop */
    [FS_TRACER_SLOT] = FS_EVENT("slot", "a slot's mark tested", "ipu.md 8.1", OPS(L = 1, INT = 4, BR = 2),
                                .paired = 1, .always_each = 1),
    [FS_TRACER_PASS] = FS_EVENT("pass", "a ray of another shard copied back", "ipu.md 8.1",
                                OPS(L = 8, S = 5, HS = 1, INT = 12, BR = 3), .paired = 3),
    [FS_TRACER_PIXEL] = FS_EVENT("pixel", "a finished ray written to its pixel", "ipu.md 8.1",
                                 OPS(L = 13, S = 6, HS = 5, MUL = 3, CMP = 6, CAST = 7, INT = 19, BR = 6)),
    [FS_TRACER_SETUP] = FS_EVENT(
        "setup", "direction and payload of a ray to be marched", "ipu.md 8.1",
        OPS(L = 30, HS = 1, ADD = 19, MUL = 21, DIV = 3, SQRT = 1, CAST = 7, INT = 12, BR = 5), .paired = 13),
    [FS_TRACER_CELL] = FS_EVENT(
        "cell", "a cell visited, its faces apart", "ipu.md 8.1",
        OPS(L = 9, ADD = 6, MUL = 7, DIV = 3, EXP = 1, CMP = 6, CAST = 3, INT = 10, BR = 8), .paired = 11),
    [FS_TRACER_FACE] = FS_EVENT("face", "a face tested", "ipu.md 8.1",
                                OPS(L = 4, ADD = 5, MUL = 3, CMP = 1, INT = 8, BR = 4), .paired = 6),
    [FS_TRACER_FRONT] = FS_EVENT("front", "extra for a front-facing face", "ipu.md 8.1",
                                 OPS(ADD = 8, MUL = 6, DIV = 1, CMP = 2, INT = 2, BR = 2), .paired = 1),
    [FS_TRACER_NEAREST] = FS_EVENT("nearest", "extra for a new nearest face", "ipu.md 8.1", OPS(INT = 2)),
    [FS_TRACER_DEPTH] = FS_EVENT("depth", "transmittance passes one half", "ipu.md 8.1",
                                 OPS(L = 1, HS = 1, CMP = 4, CAST = 1, INT = 1, BR = 4), .paired = 4),
    [FS_TRACER_CROSS] = FS_EVENT("cross", "a ray written out for another shard", "ipu.md 8.1",
                                 OPS(L = 3, S = 1, HS = 10, CAST = 5, INT = 13, BR = 3)),
    [FS_TRACER_FINISH] = FS_EVENT("finish", "a finished ray written out for its pixel", "ipu.md 8.1",
                                  OPS(L = 1, S = 1, HS = 10, CAST = 5, INT = 16, CDIV = 2, BR = 2)),
    [FS_TRACER_WIPE] = FS_EVENT("wipe", "a stale slot behind the last ray cleared", "ipu.md 8.1",
                                OPS(L = 1, HS = 1, INT = 3, BR = 2), .paired = 1),
};
const fs_program fs_tracer_program = {PROGRAM("tracer", tracer_events)};

/* Segments: 0 prologue, 1 count pass, 2 totals and offsets, 3 forward pass, 4 wipe and statistics; four
 * barriers (ipu.md 8.2). */
static const fs_event router_events[FS_ROUTER_EVENTS] = {
    [FS_ROUTER_PROLOGUE] =
        FS_EVENT("prologue", "registers and flags; every call", "ipu.md 8.2", OPS(L = 14, INT = 12, BR = 8),
                 .paired = 4, .segment = 0, .always_each = 1),
    [FS_ROUTER_COUNT] = FS_EVENT("count", "a ray's lane looked up and counted", "ipu.md 8.2",
                                 OPS(L = 4, S = 1, INT = 12, BR = 4), .paired = 1, .segment = 1),
    [FS_ROUTER_SKIP_COUNT] = FS_EVENT("skip (count)", "a consumed slot skipped in the count pass",
                                      "ipu.md 8.2", OPS(L = 1, INT = 4, BR = 3), .segment = 1),
    [FS_ROUTER_TOTALS] =
        FS_EVENT("totals", "lane totals and own ranges, repeated by each worker; every call", "ipu.md 8.2",
                 OPS(L = 45, INT = 175, BR = 40), .segment = 2, .always_each = 1),
    [FS_ROUTER_OFFSETS] =
        FS_EVENT("offsets", "write offsets of all workers and lanes, worker 0; every call", "ipu.md 8.2",
                 OPS(L = 250, S = 150, INT = 650, BR = 150), .segment = 2, .always_first = 1),
    [FS_ROUTER_FORWARD] = FS_EVENT("forward", "a ray copied to a lane", "ipu.md 8.2",
                                   OPS(L = 8, S = 5, INT = 24, BR = 8), .segment = 3),
    [FS_ROUTER_SPILL] = FS_EVENT("spill", "extra for a ray put in another lane", "ipu.md 8.2",
                                 OPS(L = 2, INT = 18, BR = 5), .segment = 3),
    [FS_ROUTER_SKIP_FORWARD] = FS_EVENT("skip (forward)", "a consumed slot skipped in the forward pass",
                                        "ipu.md 8.2", OPS(L = 1, INT = 4, BR = 3), .segment = 3),
    [FS_ROUTER_WIPE] = FS_EVENT("wipe", "a stale slot cleared, worker 0", "ipu.md 8.2",
                                OPS(L = 1, HS = 1, INT = 3, BR = 2), .paired = 1, .segment = 4),
    [FS_ROUTER_STATISTICS] = FS_EVENT("statistics", "a ray in the serial statistics pass, worker 0",
                                      "ipu.md 8.2", OPS(L = 5, S = 2, INT = 11, BR = 4), .segment = 4),
    /* 0.7 k cycles of the fixed cost in ipu.md 8.2 = 117 slots: 11 counters of 6 workers read, added, stored */
    [FS_ROUTER_SUMS] = FS_EVENT("sums", "counters summed up, worker 0; every call", "ipu.md 8.2",
                                OPS(L = 66, S = 11, INT = 40), .segment = 4, .always_first = 1),
};
static const fs_event router_barrier =
    FS_EVENT("barrier", "arriving at a barrier and polling it once", "ipu.md 8.2",
             OPS(L = 6, S = 1, INT = 7, BR = 13), .paired = 6);
const fs_program fs_router_program = {.name = "router",
                                      .segments = 5,
                                      .events = router_events,
                                      .event_count = FS_ROUTER_EVENTS,
                                      .barrier = &router_barrier};

static const fs_event generator_events[FS_GENERATOR_EVENTS] = {
    [FS_GENERATOR_FIXED] = FS_EVENT("fixed", "counters, schedule, statistics; every call", "ipu.md 8.3",
                                    OPS(L = 20, S = 15, INT = 55, IDIV = 3, BR = 10), .always_each = 1),
    [FS_GENERATOR_BACKLOG] =
        FS_EVENT("backlog", "a ray of the ring emitted", "ipu.md 8.3", OPS(L = 10, S = 10, INT = 10, BR = 6)),
    [FS_GENERATOR_SPILL] =
        FS_EVENT("spill", "a spilled ray taken back", "ipu.md 8.3", OPS(L = 6, S = 5, INT = 8, BR = 5)),
    [FS_GENERATOR_RAY] =
        FS_EVENT("ray", "a new ray", "ipu.md 8.3", OPS(L = 5, S = 5, HS = 1, INT = 10, BR = 5)),
    [FS_GENERATOR_WIPE] = FS_EVENT("wipe", "a stale slot cleared", "ipu.md 8.3",
                                   OPS(L = 1, HS = 1, INT = 3, BR = 2), .paired = 1),
};
const fs_program fs_generator_program = {PROGRAM("generator", generator_events), .workers = 1};

/* ---- the dated programs, as their compiler leaves them (compiler.md 2) ---- */

/* A: 2 September 2025, rays of six words; B: 11 September, five. Operations are those of the source and of the
 * reason that compiler.md gives; a half or byte store is one and the two branches of its call. */
enum { A = 1 << FS_VERSION_2025_09_02, B = 1 << FS_VERSION_2025_09_11, BOTH = A | B };
typedef struct compiled {
    uint8_t event, versions;
    uint16_t slots[FS_COMPILED_COUNT]; /* best, lower, upper */
    uint16_t pairs[FS_COMPILED_COUNT]; /* with pairs of floats, where that differs; else 0 */
    uint16_t op[FS_OP_COUNT];
} compiled;

static const compiled tracer_compiled[] = {
    {FS_TRACER_PROLOGUE, BOTH, {120, 95, 150}, OPS(L = 40, S = 20, BR = 4)},
    {FS_TRACER_SLOT, BOTH, {12, 10, 14}, OPS(L = 3, BR = 2)},
    {FS_TRACER_PASS, A, {20, 18, 24}, OPS(L = 8, S = 6, BR = 3)},
    {FS_TRACER_PASS, B, {29, 26, 34}, OPS(L = 7, S = 5, HS = 1, BR = 5)},
    {FS_TRACER_PIXEL, A, {130, 110, 145}, OPS(L = 13, S = 6, HS = 5, MUL = 3, CMP = 6, CAST = 7, BR = 16)},
    {FS_TRACER_PIXEL, B, {141, 120, 160}, OPS(L = 13, S = 6, HS = 6, MUL = 3, CMP = 6, CAST = 7, BR = 18)},
    {FS_TRACER_SETUP,
     A,
     {101, 85, 120},
     {93, 78, 112},
     OPS(L = 30, ADD = 19, MUL = 21, DIV = 2, RSQRT = 1, CAST = 7, INT = 29, BR = 5)},
    {FS_TRACER_SETUP,
     B,
     {113, 95, 135},
     {105, 88, 127},
     OPS(L = 31, HS = 1, ADD = 19, MUL = 21, DIV = 2, RSQRT = 1, CAST = 7, INT = 29, BR = 7)},
    {FS_TRACER_CELL,
     A,
     {62, 54, 70},
     {61, 53, 69},
     OPS(L = 12, S = 3, ADD = 6, MUL = 7, DIV = 3, EXP = 1, CMP = 6, CAST = 3, INT = 10, BR = 8)},
    {FS_TRACER_CELL,
     B,
     {68, 60, 76},
     {67, 59, 75},
     OPS(L = 12, S = 3, ADD = 6, MUL = 7, DIV = 3, EXP = 1, CMP = 8, CAST = 3, INT = 12, BR = 10)},
    {FS_TRACER_FACE,
     BOTH,
     {26, 22, 30},
     {24, 20, 28},
     OPS(L = 10, ADD = 5, MUL = 3, CMP = 1, INT = 5, BR = 4)},
    {FS_TRACER_FRONT,
     BOTH,
     {26, 23, 29},
     {22, 19, 26},
     OPS(ADD = 8, MUL = 6, DIV = 1, CMP = 2, INT = 4, BR = 2)},
    {FS_TRACER_NEAREST, BOTH, .slots = {1, 1, 1}},
    {FS_TRACER_DEPTH, A, .slots = {0}},
    {FS_TRACER_DEPTH,
     B,
     {32, 28, 45},
     OPS(L = 1, HS = 1, ADD = 1, MUL = 1, DIV = 2, LOG = 1, CMP = 2, BR = 4)},
    {FS_TRACER_CROSS, A, {73, 66, 80}, OPS(L = 3, S = 3, HS = 5, CAST = 5, BR = 13)},
    {FS_TRACER_CROSS, B, {83, 75, 95}, OPS(L = 3, S = 3, HS = 6, CAST = 5, BR = 15)},
    {FS_TRACER_FINISH, A, {80, 72, 88}, OPS(L = 1, S = 3, HS = 5, CAST = 5, BR = 12)},
    {FS_TRACER_FINISH, B, {88, 80, 100}, OPS(L = 1, S = 3, HS = 6, CAST = 5, BR = 14)},
    {FS_TRACER_WIPE, BOTH, {19, 16, 22}, OPS(L = 1, HS = 1, BR = 4)},
};

static const compiled router_compiled[] = {
    {FS_ROUTER_PROLOGUE, BOTH, {70, 55, 85}, OPS(L = 14, S = 6, HS = 2, BR = 12)},
    {FS_ROUTER_COUNT, BOTH, {19, 16, 22}, OPS(L = 4, S = 1, BR = 4)},
    {FS_ROUTER_SKIP_COUNT, BOTH, {9, 9, 9}, OPS(L = 1, BR = 3)},
    {FS_ROUTER_TOTALS, BOTH, {170, 140, 240}, OPS(L = 45, BR = 30)},
    {FS_ROUTER_OFFSETS, BOTH, {620, 500, 850}, OPS(L = 200, S = 100, BR = 50)},
    {FS_ROUTER_FORWARD, A, {49, 44, 58}, OPS(L = 9, S = 6, BR = 8)},
    {FS_ROUTER_FORWARD, B, {47, 42, 55}, OPS(L = 8, S = 5, BR = 8)},
    {FS_ROUTER_SPILL, BOTH, {20, 20, 20}, OPS(L = 2, BR = 5)},
    {FS_ROUTER_SKIP_FORWARD, BOTH, {9, 9, 9}, OPS(L = 1, BR = 3)},
    {FS_ROUTER_WIPE, BOTH, {18, 16, 21}, OPS(L = 1, HS = 1, BR = 4)},
    {FS_ROUTER_STATISTICS, BOTH, {19, 17, 22}, OPS(L = 5, S = 2, BR = 4)},
    {FS_ROUTER_SUMS, BOTH, {160, 130, 190}, OPS(L = 66, S = 17, BR = 20)},
};
static const compiled barrier_compiled = {.slots = {18, 13, 21}, OPS(L = 4, S = 1, BR = 8)};

/* A library that copies byte by byte takes the same for both: 20 bytes, 20 slots each. */
static const compiled generator_compiled[] = {
    {FS_GENERATOR_FIXED, A, {205, 170, 260}, OPS(L = 20, S = 15, BR = 10)},
    {FS_GENERATOR_FIXED, B, {160, 130, 220}, OPS(L = 20, S = 15, BR = 10)},
    {FS_GENERATOR_BACKLOG, A, {62, 50, 72}, OPS(L = 12, S = 12, BR = 8)},
    {FS_GENERATOR_BACKLOG, B, {60, 48, 70}, OPS(L = 10, S = 10, BR = 8)},
    {FS_GENERATOR_SPILL, A, {60, 50, 72}, OPS(L = 8, S = 6, BR = 7)},
    {FS_GENERATOR_SPILL, B, {58, 48, 70}, OPS(L = 7, S = 5, BR = 7)},
    {FS_GENERATOR_RAY, A, {169, 70, 205}, OPS(L = 6, S = 3, HS = 6, BR = 23)},
    {FS_GENERATOR_RAY, B, {157, 66, 190}, OPS(L = 5, S = 2, HS = 6, BR = 21)},
    {FS_GENERATOR_WIPE, BOTH, {18, 16, 21}, OPS(L = 1, HS = 1, BR = 4)},
};
static const compiled byte_copy = {.slots = {400, 400, 400}, OPS(L = 20, HS = 20, BR = 20)};

/* A row's operations and, for the rest of its slots, integer ones; where there are fewer slots than operations,
 * pairs. */
static void compile_event(fs_event *event, const compiled *row, const fs_kernel_params *kernels) {
    static const int usual[FS_OP_COUNT] = {
#define X(op, key, slots, pipe, doc, source, confidence) [FS_OP_##op] = (slots),
        FS_OP_TABLE(X)
#undef X
    };
    const bool pairs = kernels->float_pairs && row->pairs[kernels->compiled] > 0;
    int rest = pairs ? row->pairs[kernels->compiled] : row->slots[kernels->compiled];
    for (int op = 0; op < FS_OP_COUNT; op++)
        rest -= row->op[op] * usual[op];
    memcpy(event->op, row->op, sizeof event->op);
    event->op[FS_OP_INT] = (uint16_t)(row->op[FS_OP_INT] + (rest > 0 ? rest : 0));
    event->paired = (uint16_t)(rest < 0 ? -rest : 0);
    event->source = "compiler.md 2";
}

/* The events of a role, counted so far; nothing where they are to be as counted. */
static void compile_events(fs_event *events, fs_role role, const fs_kernel_params *kernels) {
    static const struct {
        const compiled *row;
        size_t count;
    } all[FS_ROLE_COUNT] = {
        [FS_ROLE_TRACER] = {tracer_compiled, sizeof tracer_compiled / sizeof *tracer_compiled},
        [FS_ROLE_ROUTER] = {router_compiled, sizeof router_compiled / sizeof *router_compiled},
        [FS_ROLE_GENERATOR] = {generator_compiled, sizeof generator_compiled / sizeof *generator_compiled}};
    for (size_t i = 0; i < all[role].count; i++)
        if ((all[role].row[i].versions >> kernels->version & 1) != 0)
            compile_event(&events[all[role].row[i].event], &all[role].row[i], kernels);
}

/* ---- other kernels than the published ones ---- */

static const fs_event free_barrier = {.name = "barrier", .doc = "at no cost", .source = "what if"};

static void take_operations(fs_event *event) {
    memset(event->op, 0, sizeof event->op);
    event->paired = event->always_each = event->always_first = 0;
}

/* The router's events with `ports` lanes in and as many out: the counted profile is that of five. */
static void scale_to_ports(fs_event *events, uint32_t ports) {
    for (int op = 0; op < FS_OP_COUNT; op++) {
        uint16_t *totals = &events[FS_ROUTER_TOTALS].op[op], *offsets = &events[FS_ROUTER_OFFSETS].op[op];
        *totals = (uint16_t)(*totals * ports / COUNTED_PORTS);
        *offsets = (uint16_t)(*offsets * ports / COUNTED_PORTS);
    }
}

/* Extra for a ray that has a choice of lanes: the group's size and the pixel loaded, the mix of fs_pixel_hash,
 * the remainder by a multiplication. Counted by hand; the published router never chooses. */
static const fs_event choice = {OPS(L = 3, INT = 12, BR = 2)};

static void add_operations(fs_event *event, const fs_event *more) {
    for (int op = 0; op < FS_OP_COUNT; op++)
        event->op[op] = (uint16_t)(event->op[op] + more->op[op]);
}

static void change_router(fs_event *events, const fs_kernel_params *kernels) {
    if (!kernels->router_statistics) {
        take_operations(&events[FS_ROUTER_STATISTICS]);
        take_operations(&events[FS_ROUTER_SUMS]);
    }
    for (int e = 0; e < FS_ROUTER_EVENTS && kernels->router == FS_ROUTER_HARDWARE; e++) {
        take_operations(&events[e]);
        events[e].segment = 0;
    }
    if (kernels->router == FS_ROUTER_HARDWARE)
        events[FS_ROUTER_FORWARD].cycles = (uint32_t)kernels->router_cycles;
}

/* A byte is a load, a store of less than a word, and its share of the loop. Word by word a ray is five loads
 * and five stores; twenty bytes more for each copy that goes byte by byte. */
enum { RAY_BYTES = 20, RAY_WORDS = 5 };

static void copy_bytes(fs_event *event, int times) {
    const int bytes = times * RAY_BYTES, words = times * RAY_WORDS;
    event->op[FS_OP_LOAD] = (uint16_t)(event->op[FS_OP_LOAD] - words + bytes);
    event->op[FS_OP_STORE] = (uint16_t)(event->op[FS_OP_STORE] - words);
    event->op[FS_OP_STORE_HALF] = (uint16_t)(event->op[FS_OP_STORE_HALF] + bytes);
}

static void take_copies(fs_event *generator, const fs_kernel_params *kernels) {
    if (kernels->version == FS_VERSION_COUNTED) {
        copy_bytes(&generator[FS_GENERATOR_BACKLOG], 2);
        copy_bytes(&generator[FS_GENERATOR_SPILL], 1);
        copy_bytes(&generator[FS_GENERATOR_RAY], 1);
        return;
    }
    compile_event(&generator[FS_GENERATOR_BACKLOG], &byte_copy, kernels);
    compile_event(&generator[FS_GENERATOR_SPILL], &byte_copy, kernels);
}

/* ---- colours by direction (compiler.md 4) ---- */

/* What a visit does beside its set-up: the functions of the ray's direction; with u8 their products with each
 * coefficient's step, and the sum of those with its offset. */
static void add_basis(fs_event *setup, const fs_kernel_params *kernels) {
    static const uint16_t arithmetic[] = {0, 3, 14, 37};
    const uint32_t degree = (uint32_t)kernels->harmonics;
    const uint16_t functions = (uint16_t)fs_harmonics_functions(degree),
                   ranges = kernels->store == FS_MARCH_U8 ? (uint16_t)fs_harmonics_coefficients(degree) : 0;
    const fs_event basis = {OPS(L = ranges, S = functions, ADD = ranges,
                                MUL = (uint16_t)(arithmetic[degree] + ranges), CAST = ranges)};
    add_operations(setup, &basis);
}

/* A cell's coefficients: pairs of f32 and fours of f16 where floats are loaded and computed together, else one
 * by one, each loaded, cast unless it is an f32, multiplied and added; then three channels folded, added to the
 * cell's colour and held above 0. */
static fs_event lit_event(const fs_kernel_params *kernels) {
    const uint16_t n = (uint16_t)fs_harmonics_coefficients((uint32_t)kernels->harmonics),
                   fours = (uint16_t)((n + 3) / 4), halves = (uint16_t)(n / 2);
    const fs_event ends = {OPS(ADD = 3, CMP = 3, INT = 3)};
    fs_event of = {OPS(L = n, MUL = n, CAST = kernels->store == FS_MARCH_F32 ? 0 : n)};
    if (kernels->float_pairs && kernels->store == FS_MARCH_F32)
        of = (fs_event){.op = {[FS_OP_LOAD64] = (uint16_t)(n - halves), [FS_OP_F32X2_MAC] = halves}};
    if (kernels->float_pairs && kernels->store == FS_MARCH_F16)
        of = (fs_event){.op = {[FS_OP_LOAD64] = fours, [FS_OP_F16X4_MAC] = fours, [FS_OP_ADD] = 8}};
    add_operations(&of, &ends);
    of.name = "harmonics";
    of.doc = "a cell's coefficients of degree 1 and above";
    of.source = "compiler.md 4";
    return of;
}

static void add_harmonics(fs_program *program, fs_event *events, bool routes,
                          const fs_kernel_params *kernels) {
    add_basis(&events[FS_TRACER_SETUP], kernels);
    events[fs_tracer_lit_event(routes)] = lit_event(kernels);
    program->event_count += routes ? 0 : 1;
}

static void take_fixed_cost(fs_program *program, fs_event *events) {
    for (uint32_t e = 0; e < program->event_count; e++)
        events[e].always_each = events[e].always_first = 0;
    program->barrier = program->segments > 1 ? &free_barrier : NULL;
    program->free_launch = true;
}

/* What programs differ by, beside the role. */
typedef struct variant {
    bool routes;    /* a tracer that is its own router */
    bool chooses;   /* some of its lanes are choices */
    uint32_t ports; /* of a tile that routes, else 0 */
} variant;

static variant variant_of(const fs_overlay *o, uint32_t tile) {
    const uint32_t ports = fs_overlay_out_degree(o, tile);
    const fs_role role = (fs_role)o->role[tile];
    const bool table = o->route_start[tile] >= 0;
    variant v = {.routes = role == FS_ROLE_TRACER && table,
                 .chooses = role == FS_ROLE_GENERATOR && !table && ports > 1};
    for (uint32_t port = 0; port < ports && table; port++)
        v.chooses = v.chooses || o->lanes[o->out_lane[o->out_start[tile] + port]].choices > 1;
    v.ports = v.routes || role == FS_ROLE_ROUTER ? ports : 0;
    return v;
}

/* A role's program as the parameters want it. */
static const fs_program *program_of(fs_role role, variant v, const fs_kernel_params *kernels,
                                    fs_arena *arena) {
    static const fs_program *const published[FS_ROLE_COUNT] = {[FS_ROLE_TRACER] = &fs_tracer_program,
                                                               [FS_ROLE_ROUTER] = &fs_router_program,
                                                               [FS_ROLE_GENERATOR] = &fs_generator_program};
    fs_event *events = FS_NEW(arena, fs_event, FS_MAX_EVENTS), *router = NULL;
    fs_program *p = FS_NEW(arena, fs_program, 1);
    *p = *published[role];
    memcpy(events, p->events, p->event_count * sizeof *events);
    if (role == FS_ROLE_ROUTER)
        router = events;
    compile_events(events, role, kernels);
    if (role == FS_ROLE_GENERATOR && kernels->generator_copies == FS_COPIES_BYTES)
        take_copies(events, kernels);
    if (v.routes) {
        router = events + p->event_count;
        p->name = "routing tracer";
        p->event_count = FS_ROUTING_TRACER_EVENTS;
        p->segments = fs_router_program.segments;
        p->barrier = fs_router_program.barrier;
        memcpy(router, router_events, sizeof router_events);
        compile_events(router, FS_ROLE_ROUTER, kernels);
    }
    p->events = events;
    if (p->barrier != NULL && kernels->version != FS_VERSION_COUNTED) {
        fs_event *barrier = FS_NEW(arena, fs_event, 1);
        *barrier = router_barrier;
        compile_event(barrier, &barrier_compiled, kernels);
        p->barrier = barrier;
    }
    if (router != NULL) {
        scale_to_ports(router, v.ports);
        if (v.chooses)
            add_operations(&router[FS_ROUTER_COUNT], &choice);
        change_router(router, kernels);
        if (kernels->router == FS_ROUTER_HARDWARE) {
            p->segments = 1;
            p->barrier = NULL;
            p->free_launch = !v.routes;
        }
    }
    for (int e = FS_GENERATOR_BACKLOG; e <= FS_GENERATOR_RAY && role == FS_ROLE_GENERATOR && v.chooses; e++)
        add_operations(&events[e], &choice);
    if (role == FS_ROLE_GENERATOR)
        p->workers = (uint32_t)kernels->generator_workers;
    if (role == FS_ROLE_TRACER && kernels->harmonics > 0)
        add_harmonics(p, events, v.routes, kernels);
    p->code_bytes =
        fs_role_code_bytes(&kernels->code, role) + (v.routes ? (uint64_t)kernels->code.router : 0);
    if (!kernels->fixed_cost)
        take_fixed_cost(p, events);
    return p;
}

fs_device_programs fs_foam_programs(const fs_overlay *overlay, const fs_kernel_params *kernels,
                                    fs_arena *arena) {
    static const fs_kernel_params as_published = {
        .router_statistics = true, .generator_workers = 1, .fixed_cost = true};
    enum { MOST = UINT8_MAX };
    /* [role][routes][chooses][ports] 1 + number of a program */
    uint8_t number[FS_ROLE_COUNT][2][2][FS_MAX_PORTS + 1] = {0};
    const fs_program **list = FS_NEW(arena, const fs_program *, MOST);
    fs_device_programs p = {.program = list, .of_tile = FS_NEW(arena, uint8_t, overlay->tiles)};
    for (uint32_t t = 0; t < overlay->tiles; t++) {
        const fs_role role = (fs_role)overlay->role[t];
        if (role == FS_ROLE_SPARE)
            continue;
        const variant v = variant_of(overlay, t);
        uint8_t *known = &number[role][v.routes][v.chooses][v.ports];
        if (*known == 0) {
            FS_ASSERT(p.count < MOST, "more than %d programs", MOST);
            list[p.count++] = program_of(role, v, kernels != NULL ? kernels : &as_published, arena);
            *known = (uint8_t)p.count;
        }
        p.of_tile[t] = *known;
    }
    return p;
}
