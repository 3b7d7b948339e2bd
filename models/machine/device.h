/* The device: runs a client's iterations (compute, sync, exchange, host visits) on the discrete-event kernel
 * and keeps the books in cycles. It knows tiles, programs and lanes, not rays.
 *
 * Two levels of detail that must agree in every number:
 *   FS_DETAIL_PHASE  closed forms, tile by tile and port by port; a handful of SystemC processes an
 * iteration. FS_DETAIL_EVENT  each active tile, its workers, their barriers, each transfer, each tile's
 * release and each host call is a discrete event on SystemC: the reference of what the model means.
 *
 * A run is a first visit of the host, then iterations. The phases of an iteration follow one another:
 *   compute   to the end of the slowest tile (workers' programs and their launch). An idle tile runs its
 *             program with no work, at a price computed once; a tile without a program (spare) takes no time.
 *   sync      from the last tile ready to the last tile released: fs_sync_internal. The sends of the exchange
 *             are aligned after it, as a static schedule is.
 *   exchange  supervisor program, transfers, last arrival: fs_exchange_phase.
 *   host      unfused execution: host.programs x (external sync + launch) in every iteration. Then, where the
 *             client asks for it, a visit: external sync, launch, bytes_to_host + bytes_to_device over the
 *             link, broadcast on chip from the generator's tile.
 * The first visit costs what any visit costs and belongs to no iteration.
 */
#ifndef FOAMSIM_MODELS_MACHINE_DEVICE_H
#define FOAMSIM_MODELS_MACHINE_DEVICE_H

#include "models/machine/machine.h"
#include "models/overlay/overlay.h"
#include "models/tile/tile.h"
#include "sim/base/alloc.h"
#include "sim/base/error.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum fs_detail { FS_DETAIL_PHASE, FS_DETAIL_EVENT } fs_detail;

typedef struct fs_device fs_device;

/* What happened in one iteration, given to the client afterwards. Cycles. */
typedef struct fs_iteration {
    uint64_t number;                        /* 0, 1, ... */
    uint64_t start;                         /* device time at its beginning */
    uint64_t compute, sync, exchange, host; /* host: unfused launches, and the visit after this iteration */
    uint32_t pace_tile; /* the tile with the longest compute, idle ones included; lowest number on a tie */
} fs_iteration;

typedef struct fs_host_visit {
    bool visit;               /* the host comes after this iteration */
    uint64_t bytes_to_host;   /* framebuffer readback */
    uint64_t bytes_to_device; /* camera */
    uint64_t broadcast_bytes; /* camera, broadcast on chip */
} fs_host_visit;

/* The workload's side. All calls come from one thread; the client parallelises inside compute. */
typedef struct fs_device_client {
    void *self;
    /* Runs all kernels of an iteration. For each tile with work: fill fs_device_counts(device, tile), then
     * call fs_device_done(device, tile) once (any thread, different tiles at a time). active: receives the
     * list of those tiles, ascending, owned by the client, valid until the next call. */
    fs_status (*compute)(void *self, uint64_t iteration, const uint32_t **active, uint32_t *active_count,
                         fs_error *err);
    /* Moves the rays: after it out buffers are in buffers. occupied: [lanes] bytes moved that hold rays (read
     * in dynamic mode only), owned by the client; may be NULL in static mode. */
    fs_status (*exchange)(void *self, uint64_t iteration, const uint32_t **occupied, fs_error *err);
    /* After the exchange: does the host visit now? Set `stop` (with or without a visit) to end the run. */
    fs_status (*decide)(void *self, uint64_t iteration, fs_host_visit *visit, bool *stop, fs_error *err);
    /* The books of the finished iteration, the visit included. */
    void (*finished)(void *self, const fs_iteration *iteration);
} fs_device_client;

/* The programs on the machine and which tile runs which. */
typedef struct fs_device_programs {
    const fs_program *const *program; /* [count] */
    uint32_t count;                   /* at most 255 */
    uint8_t *of_tile;                 /* [tiles] 1 + index of its program; 0: the tile runs none */
} fs_device_programs;

/* The usual case: one program for each role, [FS_ROLE_COUNT], NULL for roles that run nothing. */
fs_device_programs fs_device_programs_by_role(const fs_overlay *overlay, const fs_program *const *programs,
                                              fs_arena *arena);

/* transfers: [overlay->lane_count] whole-buffer
 * bytes of each lane. first: bytes of the visit before iteration 0. All memory from the arena; what is
 * pointed to is kept, not copied, `first` apart. One device to a process when it runs (SystemC). NULL with
 * FS_INPUT when a program cannot be priced or the exchange refuses its parameters. */
fs_device *fs_device_create(fs_arena *arena, const fs_machine_params *machine, const fs_overlay *overlay,
                            const fs_device_programs *programs, const fs_transfer *transfers,
                            fs_detail detail, const fs_host_visit *first, fs_error *err);

/* Where the kernel of a tile counts its events: [workers of the tile][FS_MAX_EVENTS], zero at first. From
 * this call to fs_device_done a thread works on one tile; what was counted is the device's afterwards. */
uint32_t *fs_device_counts(fs_device *device, uint32_t tile);
void fs_device_done(fs_device *device, uint32_t tile);

/* Runs to the client's stop; once in the life of a process. FS_RUN when interrupted (SIGINT, between two
 * iterations), FS_BROKEN when an identity fails (each worker's busy + waiting + idle = the compute phases;
 * sum of phases = device cycles), else what the client returned. */
fs_status fs_device_run(fs_device *device, const fs_device_client *client, fs_error *err);

/* The same in closed forms alone, without a discrete-event kernel: any number of devices in a process, one
 * after the other. Needs FS_DETAIL_PHASE. FS_RUN when interrupted. */
fs_status fs_device_replay(fs_device *device, const fs_device_client *client, fs_error *err);

/* Prices by the thousand (fs_device_replay only): when only sums are wanted, the client says what it has
 * worked out itself. Totals then lack the workers' times and the ports.
 *
 * In place of counts and done: the tile computes for so many cycles; one thread. */
void fs_device_tell(fs_device *device, uint32_t tile, uint64_t cycles);
/* Before the run: cycles of the exchange phases, [iterations], kept. */
void fs_device_tell_exchange(fs_device *device, const uint64_t *cycles);
/* The program of a tile and its prices; NULL without one. */
const fs_priced_program *fs_device_program(const fs_device *device, uint32_t tile);

/* Totals, valid after fs_device_run (idle tiles are booked at its end). Arrays are the device's own, [tiles]
 * or [tiles * workers] with workers = machine->tile.workers. */
typedef struct fs_device_totals {
    uint64_t cycles, cycles_compute, cycles_sync, cycles_exchange, cycles_host, iterations;
    uint64_t cycles_first; /* of them, in cycles_host, the visit before iteration 0 */
    /* [tiles * workers] cycles; the three add up to cycles_compute. idle: launch, after its exit, and while
     * slower tiles still compute. */
    const uint64_t *busy, *waiting, *idle;
    const uint64_t *compute; /* [tiles] cycles of the tile's own compute time */
    /* [tiles] of the exchange phases: bytes, and cycles a port moved words or a sender waited */
    const uint64_t *bytes_out, *bytes_in, *port_busy_out, *port_busy_in, *port_waiting_out;
    const uint64_t *paced;       /* [tiles] iterations in which it set the pace */
    uint64_t kernel_activations; /* of SystemC: a host matter, not a result */
} fs_device_totals;
fs_device_totals fs_device_totals_of(const fs_device *device);

/* Compute cycles of a tile in the iteration just priced (from `exchange` until `finished` returns). */
uint64_t fs_device_tile_cycles(const fs_device *device, uint32_t tile);
/* Compute cycles of an idle tile: its program with no work; 0 without a program. */
uint64_t fs_device_idle_cycles(const fs_device *device, uint32_t tile);
/* The fabric, for its plan and latencies. */
const fs_exchange *fs_device_exchange(const fs_device *device);

#endif
