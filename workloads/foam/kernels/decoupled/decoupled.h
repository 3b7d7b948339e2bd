/* The foam workload under decoupled execution: the client of models/ipu/decoupled.h.
 *
 * A ray's path and the work of its visits are those of its itinerary, as in bsp; when it gets there follows
 * from the clock. The rules stand in docs/design/decoupled.md.
 */
#pragma once

#include "models/ipu/decoupled.h"
#include "workloads/foam/kernels/simulation.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct fs_foam_decoupled fs_foam_decoupled;

/* sim: created for the same setup; its step, held rays, lanes, totals and framebuffer are kept as if a slice
 * were an iteration. `lane_capacity` and `overlay` of the setup are the engine's. Memory from the arena. NULL
 * with FS_INPUT for a camera change, and as fs_decoupled_create. */
fs_foam_decoupled *fs_foam_decoupled_create(fs_arena *arena, const fs_foam_setup *setup,
                                            fs_foam_simulation *sim, const fs_machine_params *machine,
                                            const fs_device_programs *programs, const fs_transfer *transfers,
                                            const fs_host_visit *first, fs_error *err);

/* The device whose books the run keeps. */
fs_device *fs_foam_decoupled_device(const fs_foam_decoupled *f);

/* Called at the end of each slice with all tiles that have a role, ascending, and those of them whose out
 * lanes held rays: first `look`, when the counters of the lanes do not know the slice yet and out_rays is the
 * most that their in queues held in it, then `finished`, when they do. */
typedef struct fs_foam_slices {
    void *self;
    void (*look)(void *self, const uint32_t *active, uint32_t active_count, const uint32_t *sources,
                 uint32_t source_count);
    void (*finished)(void *self, const fs_iteration *slice);
} fs_foam_slices;

/* Runs to the end and checks that no ray was lost: generated = finished + in flight; hops out = hops in +
 * rays in queues; when none is in flight the rays' lives are their calls, messages and waiting, to the cycle.
 * FS_BROKEN if not, else as fs_decoupled_run. */
fs_status fs_foam_decoupled_run(fs_foam_decoupled *f, const fs_foam_slices *slices, fs_error *err);

/* What a run has come to, after fs_foam_decoupled_run. */
typedef struct fs_foam_decoupled_totals {
    fs_decoupled_totals engine;
    fs_device_totals device;
    fs_foam_totals rays;
    uint32_t tiles, frames;
    bool complete;        /* the last frame is */
    const uint64_t *done; /* [frames] cycle in which the frame was done, UINT64_MAX: it is not; the run's */
    uint64_t alive, waiting; /* cycles, of all rays that have ended */
} fs_foam_decoupled_totals;
fs_foam_decoupled_totals fs_foam_decoupled_totals_of(const fs_foam_decoupled *f);
