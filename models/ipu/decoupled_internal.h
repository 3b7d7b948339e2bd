/* Private to decoupled execution: its state. Queues, credits and messages live in decoupled_lanes.c, calls,
 * slices and the run in decoupled.c. */
#pragma once

#include "models/ipu/decoupled.h"
#include "models/ipu/device_internal.h"

#define FS_NEVER UINT64_MAX

/* Rays (or credits) that are on their way; a ring in the order of time. Whoever looks folds in what is due,
 * so nobody has to be woken for it. */
typedef struct due_rays {
    uint64_t time;  /* FS_NEVER: a network has them, and will say when they arrive */
    uint64_t begun; /* cycle in which a network was given them */
    uint32_t rays;
} due_rays;
typedef struct due_ring {
    due_rays *item; /* [size] */
    uint32_t size, first, count;
} due_ring;

typedef struct lane_state {
    fs_decoupled_queue *ends; /* what the client sees */
    uint32_t src, dst;
    uint32_t latency, credit_latency;
    uint32_t out, sending;  /* out queue: ready, in the message being sent; beside what is promised */
    uint32_t credits;       /* of the source */
    uint32_t held;          /* in queue: arrived or on their way */
    uint64_t stalled_since; /* FS_NEVER: it is not */
    due_ring arriving, returning;
} lane_state;

typedef struct tile_state {
    fs_decoupled *d;
    uint32_t tile;
    fs_process_id process;
    uint64_t woken; /* cycle of the earliest pending wake-up, or FS_NEVER */
    bool computing, blocked;
    uint64_t call_begin, call_end;
    fs_tile_times times;  /* of the call, or of the part of it that was run */
    uint32_t rays;        /* of the call: taken or made */
    uint32_t finished;    /* of them, those that end with it */
    uint64_t slice_busy;  /* cycles computed in this slice, a call in progress left out */
    uint32_t sending;     /* lane of the message being sent, or UINT32_MAX */
    uint32_t turn;        /* port that the send port looks at first */
    uint32_t queued;      /* rays ready in its out queues */
    uint64_t send_begin;  /* of the message being sent */
    uint64_t send_end;    /* of it; FS_NEVER: a network will say */
    uint64_t receiver_at; /* its receive port is promised until then */
} tile_state;

struct fs_decoupled {
    fs_decoupled_setup setup;
    fs_device *device;
    fs_books *books; /* the device's */
    fs_fabric *fabric;
    const fs_device_step *step;  /* the plan's */
    uint32_t lane_count, source; /* source: the tile of the host, where rays are made */
    uint32_t *out_start, *out_lane, *in_start, *in_lane; /* CSR over tiles, by lane number */
    fs_kernel *kernel;
    const fs_decoupled_client *client;
    lane_state *lanes;            /* [lanes] */
    fs_decoupled_queue *queues;   /* [lanes] their ends */
    tile_state *tiles;            /* [tiles] */
    uint64_t *fixed;              /* [programs + 1] cycles of a call without work */
    uint32_t *counts;             /* [workers][width] of the call that begins */
    tile_state *caller;           /* whose call begins */
    uint64_t delay;               /* of it, before its work */
    fs_process_id clock, network; /* network: that makes its cycles, of a fabric that is stepped */
    bool stepped, network_wakes;  /* wakes: in this cycle, or in the next one */
    uint64_t now;                 /* cycle of the process that runs */
    uint64_t latest;              /* no event is due after this cycle */

    uint32_t window, outstanding; /* outstanding: window credits that the source has given out */
    uint32_t in_flight, most_in_flight;
    uint32_t *window_due; /* [window_span] credits that arrive at the source in cycle c: c mod window_span */
    uint32_t window_span;
    uint64_t window_folded; /* all up to this cycle are in */

    uint64_t run_begin, slice_begin, stopped_at, run_end, host_free_at;
    bool first_visit_over, stopping;
    fs_decoupled_totals totals;
    fs_decoupled_lane *lane_totals, *lane_slice; /* [lanes] */
    uint32_t *touched, touched_count;            /* [lanes] those that sent, held or stalled in this slice */
    bool *is_touched;                            /* [lanes] */
};

/* ---- decoupled_lanes.c ---- */
void decoupled_lanes_create(fs_decoupled *d, fs_arena *arena);
/* Looks at the tile's in queues at d->now; whether some ray waits there. */
bool decoupled_look(fs_decoupled *d, uint32_t tile);
/* The tile's send port at d->now: frees the places of a message that has been sent, begins the next. */
void decoupled_send(fs_decoupled *d, tile_state *t);
/* When the send port has to be looked at again; FS_NEVER: not before something else happens. */
uint64_t decoupled_send_next(fs_decoupled *d, const tile_state *t);
/* The earliest arrival in the tile's in queues, which were looked at at d->now; FS_NEVER: none. */
uint64_t decoupled_next_arrival(const fs_decoupled *d, uint32_t tile);
/* Makes the network's cycle d->now: ports become free, rays arrive. */
void decoupled_network_wakes(void *decoupled);
/* Window credits of rays that ended on `tile` just now; the next that comes to the source. */
void decoupled_window_return(fs_decoupled *d, uint32_t tile, uint32_t rays);
uint64_t decoupled_window_next(fs_decoupled *d);
/* Counts stalls up to d->now: at the end of a slice; then, when the client has seen them, begins the next. */
void decoupled_book_stalls(fs_decoupled *d);
void decoupled_next_lanes(fs_decoupled *d);
/* Queues and credits of every lane fit together at the end of a run. */
fs_status decoupled_check_lanes(fs_decoupled *d, fs_error *err);

/* ---- decoupled.c ---- */
/* Wakes the tile at `time`, unless it is woken before anyway. */
void decoupled_wake(fs_decoupled *d, tile_state *t, uint64_t time);
static inline void decoupled_due(fs_decoupled *d, uint64_t time) {
    d->latest = time > d->latest ? time : d->latest;
}
