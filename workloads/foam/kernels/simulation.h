/* The foam workload on an overlay: real kernels on real buffers, iteration by iteration, without any notion
 * of time.
 *
 * The kernels (tracer.c, router.c, generator.c) follow docs/design/kernels.md.
 * Tiles of a compute phase are independent and are spread over the OpenMP threads of the caller; no result
 * depends on them.
 */
#pragma once

#include "models/overlay/overlay.h"
#include "models/tile/tile.h"
#include "sim/base/alloc.h"
#include "sim/base/error.h"
#include "workloads/foam/kernels/framebuffer.h"
#include "workloads/foam/kernels/lanes.h"
#include "workloads/foam/kernels/rays.h"
#include "workloads/foam/march/march.h"
#include "workloads/foam/march/payload.h"
#include "workloads/foam/march/reference.h"
#include "workloads/foam/partition/partition.h"
#include "workloads/image/camera.h"

#include <stdbool.h>
#include <stdint.h>

enum { FS_ORDER_ROWS, FS_ORDER_COLUMNS };
enum { FS_CHANGE_IMMEDIATE, FS_CHANGE_DRAIN, FS_CHANGE_POSE_IN_PAYLOAD };
/* FS_POSES: cameras that a run may have and recordings hold; FS_CAMERAS: with those of a path, one for each frame. */
enum { FS_MAX_LEVELS = FS_MAX_ROUTER_LEVELS + 2, FS_POSES = 2, FS_CAMERAS = 64 };

/* All that the kernels need. What it points to is borrowed and must outlive the simulation. */
typedef struct fs_foam_setup {
    const fs_overlay *overlay;
    const fs_march_scene *scene;   /* NULL where `recorded` holds all that is marched */
    const fs_partition *partition; /* the same */
    const fs_camera *camera; /* [cameras]: the first, and the one that a camera change brings; of a path each
                                      frame's */
    uint32_t cameras;        /* 1 or 2, or frames of a path, up to FS_CAMERAS; equal sizes */
    uint32_t in_flight;      /* frames of a path that are granted at a time; 0: no path */
    fs_march_params march;
    const fs_payload *payload;
    const uint32_t *lane_capacity; /* [lanes] rays */
    bool infinite_buffers;      /* lanes and local buffers hold all there is; capacities only where the host
                                   decides to come early */
    bool plain;                 /* the plain loops alone: what tests hold the fast ones to */
    uint32_t generator_workers; /* among which the generator's counts are shared out; 0 is 1 */
    uint32_t workers;           /* rows of a tile's counts, 1 ... FS_MAX_WORKERS */
    uint32_t tracer_workers, router_workers; /* of a tile of that role, at most that; 0: as many */
    uint32_t order;                          /* FS_ORDER_ROWS or FS_ORDER_COLUMNS */
    uint32_t per_batch;                      /* rows or columns a batch */
    uint32_t idle;                           /* iterations after a frame's last batch */
    uint32_t frames;                         /* counted frames */
    bool stream;             /* the generator goes on with further frames until the counted ones are done */
    double coverage;         /* share of pixels at which a frame is done */
    bool not_black;          /* pixels that are black do not count */
    bool previous;           /* a visit judges the picture of the one before */
    uint32_t give_up;        /* sweeps of a stream by whose pace a run is given up; 0: never */
    uint32_t repeat;         /* iterations between host visits */
    uint32_t max_iterations; /* < 65,535 */
    bool local_framebuffer;
    uint32_t local_records;  /* of a tile's local buffer */
    uint64_t upload_bytes;   /* of the scene, at the first host visit; 0: it is on the tiles already */
    uint64_t upload_streams; /* of the host that bring them, FS_SHARD_STREAMS a shard */
    /* Itineraries that have been made already, and their [cameras] views: a recording's. Ends are as
     * local_framebuffer wants them, the journey's scene only where rays turn. NULL: the rays are marched. */
    const struct fs_itinerary *recorded;
    const struct fs_itinerary_view *recorded_view;
    fs_reference *reference;   /* made by the same march, for camera[0]; NULL: it is not wanted */
    uint64_t change_iteration; /* camera change at the first visit after this iteration; UINT64_MAX: none */
    uint32_t change_policy;    /* FS_CHANGE_* */
} fs_foam_setup;

/* Where event counts go: a device, or a test. */
typedef struct fs_count_sink {
    void *self;
    uint32_t *(*counts)(void *self,
                        uint32_t tile);      /* [workers][FS_MAX_EVENTS], zero at the start of an iteration */
    void (*done)(void *self, uint32_t tile); /* the tile's kernel has run; any thread */
} fs_count_sink;

/* What happened in one iteration, and the state after it. */
typedef struct fs_foam_step {
    uint32_t generated, finished, dropped, spilled,
        misrouted;                        /* in this iteration; finished: written to a pixel
                                             (local framebuffer: ended on a tracer) */
    uint32_t in_flight, backlog;          /* after it; the backlog is part of those in flight */
    uint32_t rays[FS_MAX_LEVELS];         /* read by the tiles of each level: 0 tracers, 1 ...
                                             routers, levels + 1 generator */
    uint32_t spilled_at[FS_MAX_LEVELS];   /* of `spilled`, by the level of the tile that spilled */
    uint32_t misrouted_at[FS_MAX_LEVELS]; /* of `misrouted`, by the level of the tile visited */
    bool injecting;                       /* the generator made new rays */
} fs_foam_step;

typedef struct fs_foam_totals {
    uint64_t generated, finished, dropped, in_flight, spilled, misrouted;
    uint64_t hops_out,
        hops_in; /* rays written to lanes, rays read from lanes (those still in a buffer included) */
    uint64_t cells, faces; /* visited, tested, by all marched rays */
    uint64_t crossings;
} fs_foam_totals;

typedef struct fs_foam_simulation fs_foam_simulation;

/* Memory from the arena. FS_INPUT when something does not fit together. */
fs_foam_simulation *fs_foam_simulation_create(fs_arena *arena, const fs_foam_setup *setup, fs_error *err);

/* The compute phase of iteration k: runs every tile that has work; `active` receives their ascending list,
 * valid until the next call. fs_foam_simulation_step tells what happened. */
void fs_foam_simulation_compute(fs_foam_simulation *sim, uint64_t iteration, const fs_count_sink *sink,
                                const uint32_t **active, uint32_t *active_count);
/* The exchange phase: `occupied` (may be NULL) receives [lanes] bytes that hold rays. */
void fs_foam_simulation_exchange(fs_foam_simulation *sim, const uint32_t **occupied);
/* After the exchange: whether the host visits, what it reads, whether the run is over. FS_RUN at
 * max_iterations, and where the run can never end (recurrence.c). */
typedef struct fs_foam_visit {
    bool visit, stop;
    bool limited; /* max_iterations, or no end ever: the run fails */
    uint64_t bytes_to_host, bytes_to_device;
} fs_foam_visit;
fs_status fs_foam_simulation_decide(fs_foam_simulation *sim, uint64_t iteration, fs_foam_visit *visit,
                                    fs_error *err);

const fs_foam_step *fs_foam_simulation_step(const fs_foam_simulation *sim); /* of the last iteration */
const uint32_t *
fs_foam_simulation_held(const fs_foam_simulation *sim); /* [tiles] rays read by each tile in it */
fs_foam_totals fs_foam_simulation_totals(const fs_foam_simulation *sim);
const fs_lane_state *fs_foam_simulation_lanes(const fs_foam_simulation *sim); /* [lanes] */
/* Before an exchange: from it on, part_peak of the lanes counts anew. */
void fs_foam_simulation_begin_part(fs_foam_simulation *sim);
const fs_framebuffer *fs_foam_simulation_framebuffer(const fs_foam_simulation *sim);
/* The picture of a frame of a path, [height][width][3], of the pixels that came; heap, the caller's. */
float *fs_foam_simulation_frame(const fs_foam_simulation *sim, uint32_t frame);
uint64_t
fs_foam_simulation_written(const fs_foam_simulation *sim); /* pixels of the first frame or a later one */
bool fs_foam_simulation_complete(const fs_foam_simulation *sim); /* every counted frame is done */
/* Bytes of the camera description that the host sends and the machine broadcasts: two 4 x 4 float matrices
 * and the camera's shard and cell (paper 4.6; RFC). */
enum { FS_CAMERA_BYTES = 2 * 64 + 4 };
/* Streams of the host that bring a shard: cells, neighbours, adjacency (radiant_foam_program.md 3). */
enum { FS_SHARD_STREAMS = 3 };

/* Where the ray of a pixel of the first frame is, between compute and exchange. */
typedef struct fs_ray_place {
    bool in_ring;            /* the generator's: no lane had room; else it was just written to a lane */
    uint32_t lane;           /* of the overlay */
    uint32_t rays, capacity; /* that wait with it: in the ring, or written to the lane; slots of the lane */
    bool spilled;            /* in another lane than its own, which was full */
    bool ended;              /* marched to its end, on its way to its pixel */
    uint32_t leg;            /* of its itinerary, the next one; of a ray that has ended nothing */
} fs_ray_place;
/* False: it is not made yet, or written, or lost. */
bool fs_foam_simulation_find(const fs_foam_simulation *sim, uint32_t x, uint32_t y, fs_ray_place *out);
/* The first leg of a pixel's ray; what the visit that begins with a leg takes; the first leg of the next
 * visit. */
uint32_t fs_foam_simulation_first_leg(const fs_foam_simulation *sim, uint32_t x, uint32_t y);
uint32_t fs_foam_simulation_visit(const fs_foam_simulation *sim, uint32_t leg, uint32_t *cells,
                                  uint32_t *faces);

/* generated = finished + dropped + in flight; hops out = hops in; occupancy within capacity. FS_BROKEN if
 * not. */
fs_status fs_foam_simulation_check(const fs_foam_simulation *sim, fs_error *err);

/* A simulation without rays: what was seen of one, shown again to those who only look (books, tables,
 * ladder). */
/* What is true at the end, and shown from the beginning. */
typedef struct fs_shell_end {
    const fs_lane_state *lanes; /* [lanes], kept */
    fs_foam_totals totals;
    fs_framebuffer framebuffer; /* hops, written, last_pixel and done */
    bool complete;
} fs_shell_end;

fs_foam_simulation *fs_shell_create(fs_arena *arena, const fs_foam_setup *setup, const fs_shell_end *end);
/* The next iteration: its step, and the rays that its active tiles read. written: pixels of the first frame
 * so far. */
void fs_shell_show(fs_foam_simulation *shell, const fs_foam_step *step, const uint32_t *active,
                   const uint32_t *held, uint32_t count, uint64_t written);
