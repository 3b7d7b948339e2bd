/* Private to the device's event level: what its files share. Tiles and workers live in device_event_tile.c,
 * the ports of the exchange in device_event_ports.c, the rest in device_event.c. */
#ifndef FOAMSIM_MODELS_MACHINE_DEVICE_EVENT_H
#define FOAMSIM_MODELS_MACHINE_DEVICE_EVENT_H

#include "models/machine/device_internal.h"

typedef struct event_tile event_tile;
typedef struct event_ports event_ports;

typedef enum worker_state { WORKER_START, WORKER_WORKS, WORKER_AT_BARRIER, WORKER_EXITED } worker_state;

typedef struct event_worker {
    event_tile *tile;
    fs_process_id process;
    uint32_t number;
    uint32_t segment;
    worker_state state;
    uint64_t since;   /* cycle in which it came into its state */
    uint64_t pending; /* slots left of the segment, with reuse_idle_slots */
    bool issuing;     /* with reuse_idle_slots: takes turns at the issue port */
} event_worker;

typedef enum tile_state {
    TILE_RESTS,
    TILE_LAUNCHES,  /* vertex overhead and runall pass */
    TILE_RUNS,      /* the workers run; with reuse_idle_slots the supervisor's process is the issue port */
    TILE_JOINS,     /* all workers have exited, join passes */
    TILE_RELEASED,  /* the sync's release is on its way here */
    TILE_BROADCAST, /* the last word of a broadcast is on its way here */
} tile_state;

/* A supervisor and its workers. One for each tile, and one for each role's idle tiles together: they all run
 * the same program with no work, so one group of events stands for them. */
struct event_tile {
    fs_device *device;
    fs_process_id process;
    const fs_priced_program *program; /* NULL: the tile runs none and has no workers */
    const uint32_t *counts;           /* [workers][FS_MAX_EVENTS], NULL for an idle group */
    fs_tile_times *times;             /* where the measured times go */
    event_worker *workers;            /* [program->workers] */
    tile_state state;
    uint64_t start;   /* of this compute phase */
    uint64_t turn;    /* reuse: when the present turns began */
    uint32_t sharing; /* reuse: workers that share the issue port since then */
    uint32_t arrived; /* at the present barrier */
    uint32_t exited;
};

typedef enum host_step { HOST_IDLE, HOST_SYNC, HOST_LAUNCH, HOST_TRANSFER, HOST_BROADCAST } host_step;

typedef struct event_state {
    uint32_t *counts;     /* [tiles][workers][FS_MAX_EVENTS] of this iteration */
    event_tile *tiles;    /* [device->tiles] */
    event_tile *groups;   /* [device->classes] idle tiles */
    fs_tile_times *times; /* [device->tiles] of active tiles, measured */
    uint32_t running;     /* tiles and groups that still compute */
    fs_process_id sync, host;
    uint32_t on_the_way; /* tiles that a release or a broadcast has not reached */
    host_step host_step;
    uint64_t programs_left;
    bool visit_left;
    event_ports *ports;
} event_state;

static inline event_state *event_state_of(const fs_device *device) {
    return device->level_state;
}

/* A tile whose program is `program` (NULL: none). Its memory from the arena. */
void event_tile_create(event_tile *tile, fs_device *device, const fs_priced_program *program,
                       const uint32_t *counts, fs_tile_times *times, fs_arena *arena);
/* Registers its processes, "NAME" and "NAME_worker0" ... */
void event_tile_elaborate(event_tile *tile, const char *name);
void event_tile_compute(event_tile *tile); /* begins a compute phase */
/* Called by the tile's process. */
void event_tile_ready(fs_device *device);   /* this tile's compute is over */
void event_tile_reached(fs_device *device); /* a release or broadcast has arrived */

event_ports *event_ports_create(fs_device *device, fs_arena *arena);
void event_ports_elaborate(fs_device *device);
void event_ports_exchange(fs_device *device); /* begins an exchange phase */

#endif
