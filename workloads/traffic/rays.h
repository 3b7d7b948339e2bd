/* The rays of a traffic run: made at tracers, queued for lanes, moved in the exchange, taken off at the
 * tracer they want. It knows the overlay, not the clock: the caller says how long iterations were.
 *
 * Iteration k. Every tile takes the rays that arrived at it in the exchange of iteration k - 1, in the order
 * (port, place in the lane). A tracer keeps those that want it; all others join the queue of their next lane.
 * Then, until the drain, a source makes its new rays and queues them too. In the exchange each lane moves the
 * oldest rays of its queue, as many as it has slots.
 *
 * A ray is born at the beginning of the iteration that makes it and is delivered at the beginning of the
 * iteration in which its tracer takes it: alone on the chip it lives as many iterations as it has hops.
 *
 * Where a route has several choices, `hash` goes by a random tag that each ray is born with and the level,
 * the other two policies by the rays that the tile has queued for these lanes in this iteration. A tracer
 * without routes spreads its rays over all its ports in the same way.
 */
#pragma once

#include "models/overlay/overlay.h"
#include "sim/stats/latency.h"
#include "workloads/traffic/pattern.h"

#include <stdbool.h>
#include <stdint.h>

/* Parts of a run, one after another. */
typedef enum fs_traffic_part {
    FS_PART_WARMUP,
    FS_PART_MEASURE,
    FS_PART_DRAIN,
    FS_PART_COUNT
} fs_traffic_part;

typedef struct fs_traffic_ray {
    uint32_t src, dst; /* tracers */
    uint32_t birth;    /* iteration */
    uint32_t tag;      /* random: picks among equal lanes */
    uint32_t hops;     /* lanes after it */
} fs_traffic_ray;

/* What a lane carried in one part. */
typedef struct fs_traffic_load {
    uint64_t rays;
    uint64_t waiting;      /* rays left in its queue after an exchange, summed over iterations */
    uint32_t peak;         /* most rays moved in an iteration */
    uint32_t waiting_peak; /* most rays left */
    uint32_t used, full;   /* iterations in which it moved rays; as many as it has slots */
    uint32_t held_back;    /* iterations in which rays were left */
} fs_traffic_load;

typedef struct fs_traffic_lane {
    fs_traffic_ray *queue; /* at the source; rays head ... head + count - 1 */
    uint32_t head, count, room;
    fs_traffic_ray *in; /* at the destination: what the last exchange brought */
    uint32_t in_count, in_room;
    uint32_t fresh; /* rays queued in this iteration */
    uint32_t turn;  /* rays queued in this iteration for the choices that begin here */
    uint32_t slots; /* UINT32_MAX: no bound */
    fs_traffic_load load[FS_PART_COUNT];
} fs_traffic_lane;

/* What a tile did: held ... refused in this iteration, peak ... sunk in all. */
typedef struct fs_traffic_tile {
    uint32_t held; /* rays taken in, and made */
    uint32_t made, delivered;
    uint64_t refused;
    uint64_t queued; /* rays in the queues of its lanes */
    uint64_t coming; /* rays that the last exchange brought */
    uint32_t peak;   /* of held */
    uint64_t visits, sourced, sunk;
    fs_rng rng;
} fs_traffic_tile;

typedef struct fs_traffic_step { /* of one iteration */
    uint64_t made, refused, delivered;
    uint64_t in_flight, waiting; /* after it; waiting: left in queues by the exchange */
} fs_traffic_step;

typedef struct fs_traffic_totals {
    uint64_t made, refused, delivered, in_flight, hops;
    uint64_t measured, measured_delivered; /* rays born in the measurement */
} fs_traffic_totals;

typedef struct fs_traffic_setup {
    const fs_overlay *overlay;
    const fs_pattern *pattern;
    const uint32_t *slots; /* [lanes] rays that a lane moves in an iteration; UINT32_MAX: all */
    uint64_t seed;
    double load; /* rays per kilocycle and source; 0: `rate` */
    double rate; /* rays per iteration and source */
    uint32_t burst;
    uint32_t warmup, measure, drain; /* iterations */
    uint64_t max_rays;
    /* Told of every ray that is delivered, by any thread; NULL: nobody is. For tests. */
    void (*delivered)(void *self, const fs_traffic_ray *ray, uint32_t iteration);
    void *self;
} fs_traffic_setup;

typedef struct fs_traffic_rays fs_traffic_rays;

/* `setup` is copied, what it points to kept. The arena owns the rays but not the queues, which grow:
 * fs_traffic_rays_free. */
fs_traffic_rays *fs_traffic_rays_create(fs_arena *arena, const fs_traffic_setup *setup);
void fs_traffic_rays_free(fs_traffic_rays *rays); /* NULL is allowed */

/* Runs the tiles of an iteration. active: the tiles that handled rays, ascending; memory of `rays`. FS_RUN when
 * more than max_rays rays are in flight. */
fs_status fs_traffic_compute(fs_traffic_rays *rays, uint64_t iteration, const uint32_t **active,
                             uint32_t *active_count, fs_error *err);
/* Moves the rays. payload_bytes: of a ray; the returned array [lanes] holds the bytes that each lane moved. */
const uint32_t *fs_traffic_exchange(fs_traffic_rays *rays, uint32_t payload_bytes);
/* The iteration took so many cycles, all phases. To be called for each in their order; again when another number is known
 * afterwards (a sampled network's), which rays that are made by load must not wait for. */
void fs_traffic_clock(fs_traffic_rays *rays, uint64_t iteration, uint64_t cycles);
/* The last ray has arrived, or the drain is over: no further iteration. */
bool fs_traffic_over(const fs_traffic_rays *rays, uint64_t iteration);

fs_traffic_part fs_traffic_part_of(const fs_traffic_rays *rays, uint64_t iteration);
const fs_traffic_step *fs_traffic_step_of(const fs_traffic_rays *rays);
fs_traffic_totals fs_traffic_totals_of(const fs_traffic_rays *rays);
/* [levels + 2] rays that the tiles of each level handled in this iteration. */
const uint64_t *fs_traffic_level_rays(const fs_traffic_rays *rays);
const fs_traffic_tile *fs_traffic_tiles(const fs_traffic_rays *rays); /* [tiles] */
const fs_traffic_lane *fs_traffic_lanes(const fs_traffic_rays *rays); /* [lanes] */
/* The delivered rays of the measurement, summed over threads into `out`. */
void fs_traffic_latencies(const fs_traffic_rays *rays, fs_latency *out);

/* rays made = delivered + in flight, and every ray in flight is in one queue or lane. FS_BROKEN if not. */
fs_status fs_traffic_check(const fs_traffic_rays *rays, fs_error *err);
