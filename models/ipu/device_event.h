/* Private to the device's event level: what its files share. Tiles and workers live in device_event_tile.c,
 * the ports of the exchange in device_event_ports.c, the rest in device_event.c. */
#pragma once

#include "models/ipu/device_internal.h"

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
    uint64_t end;     /* when it is through with the segment, in cycles of the call's own */
    uint64_t pending; /* slots left of the segment, with reuse_idle_slots */
    bool issuing;     /* with reuse_idle_slots: takes turns at the issue port */
} event_worker;

typedef enum event_tile_state {
    TILE_RESTS,
    TILE_LAUNCHES,  /* vertex overhead and runall pass */
    TILE_RUNS,      /* the workers run; with reuse_idle_slots the supervisor's process is the issue port */
    TILE_JOINS,     /* all workers have exited, join passes */
    TILE_RELEASED,  /* the sync's release is on its way here */
    TILE_BROADCAST, /* the last word of a broadcast is on its way here */
} event_tile_state;

/* Calls of one program, alike. */
typedef struct event_call {
    fs_step *step;
    const fs_priced_program *program;
    const uint32_t *counts; /* [workers][width]; NULL: without work */
    uint32_t times;
} event_call;

/* A supervisor and its workers. One for each tile, and one for the idle tiles of a class in a branch
 * together: they all run the same program with no work, so one group of events stands for them. */
struct event_tile {
    fs_device *device;
    fs_branch *branch; /* of the present stage */
    uint32_t tile;     /* UINT32_MAX: an idle group */
    uint32_t class;    /* of an idle group */
    fs_process_id process;
    uint32_t *counts;  /* [most_calls][workers][device->width] */
    event_call *calls; /* [most_calls] of this run of rounds */
    uint32_t call_count, call, times_left;
    const fs_priced_program *program; /* of the present call */
    fs_tile_times times;              /* of it, measured */
    event_worker *workers;            /* [worker_count] */
    uint32_t worker_count;
    event_tile_state state;
    uint64_t start; /* of the present call, in the chip's cycles */
    /* In cycles of the call's own, which are the chip's where the tile has the chip's clock: */
    uint64_t segment_at;  /* when the present segment began */
    uint64_t segment_end; /* when the last worker so far was through */
    uint64_t turn;        /* reuse: when the present turns began */
    uint64_t next_turn;   /* reuse: when they end */
    uint32_t sharing;     /* reuse: workers that share the issue port since then */
    uint32_t arrived;     /* at the present barrier */
    uint32_t exited;
};

typedef enum host_step { HOST_IDLE, HOST_SYNC, HOST_LAUNCH, HOST_TRANSFER, HOST_BROADCAST } host_step;

/* What a branch waits for. */
typedef struct event_branch {
    fs_branch *branch;
    fs_process_id sync;
    event_tile *groups;  /* [classes] idle tiles */
    uint32_t running;    /* tiles and groups that still compute */
    uint32_t on_the_way; /* tiles that a release has not reached */
    uint32_t in_flight;  /* transfers that have not arrived */
} event_branch;

/* An exchange phase over a network, the only one at a time. */
typedef struct event_network {
    fs_process_id process;
    fs_branch *branch;
    bool opened;
    uint32_t left; /* messages that have not arrived */
} event_network;

/* What a branch has between chips: a barrier, then each edge and each port with bytes plays its own. */
typedef enum event_chips_state { CHIPS_REST, CHIPS_MEET, CHIPS_OPEN, CHIPS_ARRIVE } event_chips_state;
typedef struct event_carrier {
    struct event_chips *of;
    fs_process_id process;
} event_carrier;
typedef struct event_chips {
    fs_process_id process;
    fs_branch *branch;
    event_chips_state state;
    event_carrier *carrier; /* [edges, then the most ports of a step] */
    uint32_t carriers;
    uint32_t left; /* that still carry */
} event_chips;

typedef struct event_state {
    event_tile *tiles;       /* [device->tiles] */
    event_branch **branches; /* [stages][branches of the stage] */
    fs_process_id host;
    uint32_t on_the_way; /* tiles that a broadcast has not reached */
    host_step host_step;
    uint64_t programs_left;
    bool visit_left;
    event_ports *ports;
    event_network network;
    event_chips chips;
} event_state;

static inline event_state *event_state_of(const fs_device *device) {
    return device->level_state;
}
event_branch *event_branch_of(const fs_branch *branch);

/* A tile of `workers` workers at most with room for `calls`; its memory from the arena. tile: UINT32_MAX for
 * an idle group. */
void event_tile_create(event_tile *tile, fs_device *device, uint32_t number, uint32_t workers, uint32_t calls,
                       fs_arena *arena);
/* Registers its processes, "NAME" and "NAME_worker0" ... */
void event_tile_elaborate(event_tile *tile, const char *name);
void event_tile_compute(event_tile *tile, fs_branch *branch); /* begins its calls */
/* Called by the tile's process. */
void event_call_over(event_tile *tile);    /* tile->times are those of the call that ended */
void event_tile_ready(fs_branch *branch);  /* this tile's calls are over */
void event_tile_reached(event_tile *tile); /* a release or broadcast has arrived */

event_ports *event_ports_create(fs_device *device, fs_arena *arena);
void event_ports_elaborate(fs_device *device);
void event_ports_exchange(fs_branch *branch); /* begins an exchange phase */

/* The same over a network that is stepped (device_event_network.c). */
void event_network_elaborate(fs_device *device);
void event_network_exchange(fs_branch *branch);

/* Between chips (device_event_network.c). One branch of a stage has them at a time: chips meet. */
void event_chips_create(fs_device *device, fs_arena *arena);
void event_chips_elaborate(fs_device *device);
void event_chips_meet(fs_branch *branch);
void event_chips_exchange(fs_branch *branch);
