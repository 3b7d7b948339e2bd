/* The programs of the three roles as the cost model sees them: which events there are, what each is made of.
 * Counted by hand from the structure of the published kernels (ipu.md section 8), or as the vendor's compiler
 * leaves the program of a day (compiler.md section 2). */
#pragma once

#include "models/ipu/device.h"
#include "models/overlay/overlay.h"
#include "models/tile/tile.h"

/* Indices into a row of counts. */
enum fs_tracer_event {
    FS_TRACER_PROLOGUE,
    FS_TRACER_SLOT,
    FS_TRACER_PASS,
    FS_TRACER_PIXEL,
    FS_TRACER_SETUP,
    FS_TRACER_CELL,
    FS_TRACER_FACE,
    FS_TRACER_FRONT,
    FS_TRACER_NEAREST,
    FS_TRACER_DEPTH,
    FS_TRACER_CROSS,
    FS_TRACER_FINISH,
    FS_TRACER_WIPE,
    FS_TRACER_EVENTS,
    FS_TRACER_LIT = FS_TRACER_EVENTS /* of scenes with harmonics alone: an event more */
};
enum fs_router_event {
    FS_ROUTER_PROLOGUE,
    FS_ROUTER_COUNT,
    FS_ROUTER_SKIP_COUNT,
    FS_ROUTER_TOTALS,
    FS_ROUTER_OFFSETS,
    FS_ROUTER_FORWARD,
    FS_ROUTER_SPILL,
    FS_ROUTER_SKIP_FORWARD,
    FS_ROUTER_WIPE,
    FS_ROUTER_STATISTICS,
    FS_ROUTER_SUMS,
    FS_ROUTER_EVENTS
};
enum fs_generator_event {
    FS_GENERATOR_FIXED,
    FS_GENERATOR_BACKLOG,
    FS_GENERATOR_SPILL,
    FS_GENERATOR_RAY,
    FS_GENERATOR_WIPE,
    FS_GENERATOR_EVENTS
};

extern const fs_program fs_tracer_program;
extern const fs_program fs_router_program; /* with the five ports of a quadtree router */
extern const fs_program fs_generator_program;

/* What if the kernels were others? Prices only: no ray takes another way. */
enum { FS_ROUTER_KERNEL, FS_ROUTER_HARDWARE };
enum { FS_VERSION_COUNTED, FS_VERSION_2025_09_02, FS_VERSION_2025_09_11 };
enum { FS_COMPILED_BEST, FS_COMPILED_LOWER, FS_COMPILED_UPPER, FS_COMPILED_COUNT };
enum { FS_COPIES_WORDS, FS_COPIES_BYTES };
typedef struct fs_kernel_params {
    int64_t router;            /* FS_ROUTER_*: hardware forwards ray by ray without workers or launch */
    int64_t router_cycles;     /* of hardware, for a ray; 0: routers are free */
    int64_t version;           /* FS_VERSION_*: as counted, or the public program of a day as compiled */
    int64_t compiled;          /* FS_COMPILED_*: which count of a dated program */
    bool float_pairs;          /* a dated program loads and computes neighbouring floats in pairs */
    int64_t generator_copies;  /* FS_COPIES_* */
    bool router_statistics;    /* the serial statistics pass and its sums */
    int64_t generator_workers; /* 1 in the published kernels */
    fs_role_code code;         /* bytes of each role's program */
    bool fixed_cost;           /* of every call: launch, prologues, totals, offsets, sums, barriers */
    int64_t harmonics;         /* degree of the colours, 0 ... FS_HARMONICS_DEGREE */
    int64_t store;             /* of their coefficients, FS_STORE_* */
} fs_kernel_params;

/* A tracer that routes runs a program with both sets of events: the tracer's, then from FS_TRACER_EVENTS on
 * the router's, whose segments follow on the tracing. Its wipes are the router's. */
enum { FS_ROUTING_TRACER_EVENTS = FS_TRACER_EVENTS + (int)FS_ROUTER_EVENTS };
/* Where a tracer counts the cells whose coefficients it loads: one that routes in the place of its wipe. */
static inline uint32_t fs_tracer_lit_event(bool routes) {
    return routes ? (uint32_t)FS_TRACER_WIPE : (uint32_t)FS_TRACER_LIT;
}

/* Which tile runs which program. The fixed work of a router call grows with its lanes (its totals and offsets
 * are sums over workers and lanes), and choosing among lanes costs each ray, so routers of different degrees
 * run different programs. kernels: NULL is as published. Memory from the arena. */
fs_device_programs fs_foam_programs(const fs_overlay *overlay, const fs_kernel_params *kernels,
                                    fs_arena *arena);
