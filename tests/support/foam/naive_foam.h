/* A second, plain implementation of the foam kernels (docs/design/kernels.md),
 * with which property tests compare the real ones.
 *
 * It shares with them the overlay's lanes and routes, the camera, fs_march and fs_payload_round, all
 * tested elsewhere, and nothing else: rays are structs held by value in slots with an explicit mark, tiles
 * and workers are simulated one after another, and what every ray has lived through is written on the ray
 * itself. It checks its own identities in each iteration and ends the process where one is broken.
 */
#pragma once

#include "models/overlay/overlay.h"
#include "models/tile/tile.h"
#include "workloads/foam/march/march.h"
#include "workloads/foam/march/payload.h"
#include "workloads/foam/partition/partition.h"
#include "workloads/image/camera.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct fs_naive_config {
    const fs_overlay *overlay;
    const fs_march_scene *scene;
    const fs_partition *partition;
    const fs_camera *camera;
    fs_march_params march;
    const fs_payload *payload;
    uint32_t workers;              /* of a tile, 1 ... FS_MAX_WORKERS; the generator uses one */
    const uint32_t *lane_capacity; /* [overlay->lane_count] slots, >= 1; the out lane of a tracer's port has
                                      at least as many as the in lane */
    bool infinite;                 /* lanes and local buffers hold all there is */
    uint32_t generator_workers;    /* among which the generator's events are shared out; 0 is 1 */
    uint32_t ring;                 /* slots of the generator's backlog ring, 0 or more */
    bool columns;                  /* batches of columns; false: of rows */
    uint32_t per_batch;            /* rows or columns of a batch, >= 1 */
    uint32_t idle;                 /* iterations after the last batch of a frame */
    uint32_t repeat;               /* iterations between host visits, >= 1 */
    uint32_t frames;               /* counted frames, >= 1 */
    bool stream;                   /* go on generating frames until the counted ones are done */
    double coverage;               /* share of a frame's pixels that makes it done */
    bool local_framebuffer;        /* finished rays stay on the tile that finished them */
    uint32_t local_records;        /* capacity of a tile's own buffer, at least the slots of its in lanes */
    uint32_t max_iterations;       /* the run ends there at the latest */
} fs_naive_config;

/* The events of each role in the order of their index; NULL ends a row. A tracer that routes has those of a
 * router too, a wipe being the same for both. */
enum { FS_NAIVE_EVENTS = 17, FS_NAIVE_LEVELS = 16 };
extern const char *const fs_naive_event_names[FS_ROLE_COUNT][FS_NAIVE_EVENTS + 1];

/* What happened in one iteration, and how things stand after its exchange. */
typedef struct fs_naive_iteration {
    uint32_t generated, finished, dropped;
    uint32_t lost; /* of dropped, those for which a router had no slot: none where in lanes are no wider than
                      out */
    uint32_t
        spilled; /* rays that routers put into another lane than their own, or dropped when none was free */
    uint32_t misrouted; /* visits of rays whose last transfer was a spill */
    /* both by the level of the tile, FS_NAIVE_LEVELS of them */
    uint32_t spilled_at[FS_NAIVE_LEVELS], misrouted_at[FS_NAIVE_LEVELS];
    uint32_t in_flight; /* rays in lanes and in the ring, after the exchange */
    uint32_t backlog;   /* rays in the ring, of them */
    bool injecting;     /* a batch was generated */
    bool visit;         /* the host visited after this iteration */
} fs_naive_iteration;

typedef struct fs_naive_pixel { /* of the ray of frame 0; all 0 unless that ray was written (local
                                   framebuffer: to the tile's own buffer) */
    bool written;
    uint32_t tracer_visits, router_visits; /* before termination, the finishing visit included */
    uint32_t misrouted;                    /* visits, before or after */
    uint32_t delivery_hops;                /* lanes travelled after termination */
    uint32_t alive, shortest, waiting;     /* iterations */
} fs_naive_pixel;

typedef struct fs_naive_frame {
    uint32_t written; /* pixels written by a ray of this frame or a later one; local framebuffer: and read by
                         the host */
    bool whole;       /* all of them */
    uint32_t last_pixel; /* iteration in which the last of them was written, if whole */
    bool done;           /* seen done by the host */
    uint32_t done_after; /* iterations run at that visit, if done */
} fs_naive_frame;

typedef struct fs_naive_lane {
    uint64_t rays; /* transferred */
    uint64_t spilled;
    uint64_t turned_away;     /* rays whose own lane it was and that were spilled */
    uint32_t stalled, used;   /* exchanges after such a spill; other exchanges with rays */
    uint32_t peak;            /* rays in one exchange */
    uint32_t full_iterations; /* exchanges with as many rays as slots */
} fs_naive_lane;

typedef struct fs_naive_totals {
    uint64_t generated, finished, dropped, in_flight, spilled, misrouted;
    uint64_t cells, faces; /* of all marches */
    uint64_t tracer_visits, router_visits,
        delivery_hops;       /* of all written rays, split as in fs_naive_pixel */
    uint64_t alive, waiting; /* iterations, of all written rays */
} fs_naive_totals;

typedef struct fs_naive_result {
    uint32_t iterations, tiles, workers, pixels, frames, lanes;
    fs_naive_iteration *iteration; /* [iterations] */
    uint32_t *held;                /* [iterations][tiles] rays in the in buffers */
    uint32_t *events;              /* [iterations][tiles][workers][FS_NAIVE_EVENTS] */
    fs_naive_pixel *pixel;         /* [pixels] row by row */
    float *rgb;                    /* [pixels][3] last written */
    float *depth;                  /* [pixels] */
    bool *painted;                 /* [pixels] written by a ray of any frame */
    fs_naive_frame *frame;         /* [frames] */
    fs_naive_lane *lane;           /* [lanes] */
    fs_naive_totals total;
    bool complete;   /* every counted frame was done */
    bool limited;    /* ended by max_iterations */
    double coverage; /* share of the last counted frame's pixels that were written */
} fs_naive_result;

/* Runs a configuration to its end. Memory is the heap's: end with fs_naive_free. A configuration that breaks
 * the bounds above, or a broken identity, ends the process with a message. */
void fs_naive_run(const fs_naive_config *config, fs_naive_result *out);
void fs_naive_free(fs_naive_result *result);

/* The count of a named event; a name that the tile's role does not have ends the process. */
uint32_t fs_naive_event(const fs_naive_config *config, const fs_naive_result *result, uint32_t iteration,
                        uint32_t tile, uint32_t worker, const char *name);

/* The same summed over iterations, workers and all tiles of a role. */
uint64_t fs_naive_event_sum(const fs_naive_config *config, const fs_naive_result *result, fs_role role,
                            const char *name);

/* The shard whose first owner owns pixel (i, j), framebuffer `screen`. */
uint32_t fs_naive_owner(const fs_camera *camera, uint32_t shards, uint32_t i, uint32_t j);
