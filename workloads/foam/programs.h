/* The programs of the three roles as the cost model sees them: which events there are, what each is made of.
 * Counted by hand from the structure of the published kernels (facts/ipu.md section 8). */
#ifndef FOAMSIM_WORKLOADS_FOAM_PROGRAMS_H
#define FOAMSIM_WORKLOADS_FOAM_PROGRAMS_H

#include "models/machine/device.h"
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
    FS_TRACER_EVENTS
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

/* Which tile runs which program. The fixed work of a router call grows with its lanes (its totals and offsets
 * are sums over workers and lanes), so routers of different degrees run different programs. Memory from the
 * arena. */
fs_device_programs fs_foam_programs(const fs_overlay *overlay, fs_arena *arena);

#endif
