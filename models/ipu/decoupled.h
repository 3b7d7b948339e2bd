/* Decoupled execution: no barrier. A tile starts when its input arrives, lanes have credits, and every call,
 * message and credit is an event on SystemC. The engine knows tiles, programs, lanes and how many rays are
 * where; its client knows the rays.
 *
 * Queues. Lane L has an out queue at its source and an in queue at its destination, `capacity` places each.
 * The source holds a credit for each place of the in queue that it knows to be free; a message uses up as
 * many credits as it has rays, and when the destination takes rays out of the queue their credits go back and
 * arrive fs_fabric_latency later. Credits take no port time: they are a few bits beside words.
 *
 * Lanes are the transfers of the plan's only step; a tile's lanes go by their numbers.
 *
 * Calls. A tile that is not computing begins a call when the client finds something to do in its in queues
 * (`begin`); the client takes rays, promises places in out queues, counts events. A call takes what
 * fs_tile_times_closed says; then what was promised lies in the out queues (`end`) and the tile may begin
 * again. The place of a ray in an in queue is free as soon as a call has taken it.
 *
 * Messages. The send port of a tile takes its out lanes that have rays and credits in turn, by lane number,
 * from the one after its last. A message has a header and as many rays as there are and credits allow; it
 * asks for the receiver's port at once and holds its own until it is sent: receivers serve messages in the
 * order (time of request, sender), as in a dynamic exchange. It arrives fs_fabric_latency after its last
 * word was sent, and its places in the out queue are free when its last word was sent. Ports work beside the
 * workers; no supervisor program runs between steps, so exchange.program_overhead is not paid.
 *
 * Over a network (fs_fabric_is_stepped) a message is given to it when its port takes it, and arrives in the cycle
 * that the network says; the port is free when the network has taken its last word, and messages of a lane are
 * looked at in the order in which they were sent. What a call of no cycles sends in the cycle of an arrival
 * enters the network in the next one. Credits go back as if they were alone there: they are a few bits beside words.
 *
 * Injection window. The plan's host tile is the source of rays. It has `window` credits: one for each ray
 * that may be between its generation and its end. They come back to it like those of lanes, latency cycles
 * after the call in which the ray ended. Up to which window no run can stand still depends on the routes,
 * which the client knows.
 *
 * Time. The first visit of the host, then the tiles run until the client stops them (at the end of a call),
 * then the last visit. Time between the visits is counted as compute: computing, sending and waiting overlap.
 * The run is cut into slices of `slice` cycles, which take the place of iterations in the books: a slice's
 * pace tile is the one that computed longest in it.
 */
#pragma once

#include "models/ipu/device.h"

typedef struct fs_decoupled fs_decoupled;

/* The ends of a lane that its client sees. A call reads and writes those of its own tile alone; the engine
 * keeps the rest. */
typedef struct fs_decoupled_queue {
    uint32_t waiting;  /* rays that have arrived in the in queue and were not taken; looked at when a call of
                          its  tile begins */
    uint32_t room;     /* free places in the out queue */
    uint32_t promised; /* places of the out queue that the call has promised */
    uint32_t capacity;
} fs_decoupled_queue;

/* Rays in the out queue, promised ones included: what least_occupied looks at. */
static inline uint32_t fs_decoupled_queued(const fs_decoupled_queue *lane) {
    return lane->capacity - lane->room;
}
static inline void fs_decoupled_put(fs_decoupled_queue *lane) { /* promises one place */
    FS_ASSERT(lane->room > 0, "a lane of %u places has no room", lane->capacity);
    lane->room--;
    lane->promised++;
}

/* What `begin` found: bits. */
enum {
    FS_CALL_BEGUN = 1,   /* something was taken or made: a call begins */
    FS_CALL_BLOCKED = 2, /* something could not be taken for want of room (or of window) */
};

/* The workload's side; all calls come from the thread of the run. */
typedef struct fs_decoupled_client {
    void *self;
    /* Tile `tile` may begin a call now: takes rays (fs_decoupled_take), promises places (fs_decoupled_put),
     * counts events in counts[workers][fs_program_width], zero on entry. Returns FS_CALL_* bits. */
    uint32_t (*begin)(void *self, uint32_t tile, uint64_t now, uint32_t *counts);
    /* The call is over: what it promised is in the out queues. */
    void (*end)(void *self, uint32_t tile, uint64_t now);
    /* The first `rays` of lane's out queue are sent from `start` on and lie in its in queue at `arrival`. */
    void (*sent)(void *self, uint32_t lane, uint32_t rays, uint64_t start, uint64_t arrival);
    /* Over a network `sent` comes with `start` for `arrival`, and this when the rays lie in the in queue, behind the
     * first `before` of it, `cycles` after they were sent. NULL: nobody wants to know. */
    void (*arrived)(void *self, uint32_t lane, uint32_t before, uint32_t rays, uint64_t cycles);
    /* What the last visit of the host moves. */
    void (*last_visit)(void *self, fs_host_visit *visit);
    /* A slice is over; fs_device_tile_cycles has those of busy tiles. */
    void (*finished)(void *self, const fs_iteration *slice);
} fs_decoupled_client;

/* What a decoupled device is made of. Borrowed. */
typedef struct fs_decoupled_setup {
    const fs_machine_params *machine;
    const fs_device_plan *plan; /* of one step; a tile without work runs nothing */
    const uint32_t *capacity;   /* [transfers] rays, > 0 */
    uint32_t ray_bytes;         /* of a ray in a message */
    uint32_t window;            /* rays in flight, > 0 */
    uint32_t safe_window;       /* up to which the run cannot stand still: for messages */
    uint64_t slice;             /* cycles, > 0 */
    uint32_t max_slices;
} fs_decoupled_setup;

/* Memory from the arena. NULL with FS_INPUT as fs_device_create, and when the exchange is static. */
fs_decoupled *fs_decoupled_create(fs_arena *arena, const fs_decoupled_setup *setup, fs_error *err);

/* ---- for the client, within `begin` ---- */

fs_decoupled_queue *fs_decoupled_queues(fs_decoupled *d);              /* [lanes]; they stay where they are */
void fs_decoupled_take(fs_decoupled *d, uint32_t lane, uint32_t rays); /* once for each lane in a call */
/* Rays that the source may still make; it made one; a ray ends in this call. */
uint32_t fs_decoupled_allowance(fs_decoupled *d);
void fs_decoupled_inject(fs_decoupled *d);
void fs_decoupled_finish(fs_decoupled *d);
/* Before its work the call waits for the host to read `bytes` from the tile: one tile after the other, each
 * with an external sync and a launch. */
void fs_decoupled_read_out(fs_decoupled *d, uint64_t bytes);

/* Within `end`: no call begins any more; the host comes for its last visit. */
void fs_decoupled_stop(fs_decoupled *d);

/* ---- the run ---- */

/* Runs to the client's stop; once in the life of a process. FS_RUN when interrupted, at max_slices, or when
 * nothing moves any more while the client has not stopped (a window beyond the safe one); FS_BROKEN when an
 * identity fails (each worker's busy + waiting + idle = the time between the visits; credits and queues). */
fs_status fs_decoupled_run(fs_decoupled *d, const fs_decoupled_client *client, fs_error *err);

/* The device whose books the run keeps: totals, times of tiles (fs_device_tile_cycles: cycles computed in the
 * slice just finished; an idle tile has none). */
fs_device *fs_decoupled_device(const fs_decoupled *d);

typedef struct fs_decoupled_lane { /* in all, or in the slice being counted */
    uint64_t rays;                 /* sent */
    uint64_t messages;
    uint64_t stalled; /* cycles in which rays lay in the out queue and the source had no credit */
    uint32_t peak;    /* most rays in its in queue, those on their way included */
} fs_decoupled_lane;

typedef struct fs_decoupled_totals {
    uint64_t calls, messages, rays_taken;
    uint64_t cycles_calls, cycles_fixed; /* of all calls; of them, what calls without work would have taken */
    uint64_t cycles_stalled;             /* of all lanes */
    /* Summed over the rays: cycles in calls that ended, and between start and arrival of messages. With what
     * they waited in queues that is their time from one end of the machine to the other. */
    uint64_t ray_cycles_calls, ray_cycles_messages;
    uint64_t read_outs; /* by the host, during the run */
    uint32_t window, most_in_flight;
} fs_decoupled_totals;
fs_decoupled_totals fs_decoupled_totals_of(const fs_decoupled *d);
const fs_decoupled_lane *fs_decoupled_slice_lanes(const fs_decoupled *d); /* [lanes] in the slice */
/* The lanes of which the slice has something to say; of all others its counters are 0. */
const uint32_t *fs_decoupled_slice_touched(const fs_decoupled *d, uint32_t *count);
