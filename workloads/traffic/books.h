/* The books of a traffic run: what is noted in each iteration, and the figures that follow. */
#pragma once

#include "models/fabric/fabric.h"
#include "models/ipu/tables/chip_run.h"
#include "models/overlay/overlay.h"
#include "models/overlay/overlay_figures.h"
#include "workloads/traffic/pattern.h"
#include "workloads/traffic/rays.h"

#include <stdbool.h>
#include <stdint.h>

/* What the routes alone say of a pattern, before any run: how long a ray alone on the chip takes, and how
 * many rays the busiest port can carry. */
typedef struct fs_outlook {
    double hops;        /* mean of a ray */
    double cycles;      /* mean life of a ray alone on the chip */
    uint32_t hops_max;  /* of the pairs that the pattern has */
    double port_rays;   /* rays through the busiest port when every source has made one */
    uint32_t port_tile; /* its tile, lowest on a tie */
    bool port_in;       /* its in port, else its out port */
    double tile_rays;   /* rays that the busiest tile handles in the same sense: taken in and made */
    double lane_rays;   /* rays through the busiest lane in the same sense, and that lane */
    uint32_t lane;
} fs_outlook;

/* What a hop costs beside the way from tile to tile, cycles, and the words of one ray in it. */
typedef struct fs_hop_cost {
    const fs_fabric *fabric;
    bool dynamic;        /* else each hop takes `fixed` and no more */
    uint64_t fixed;      /* compute, sync and supervisor program; static: the whole exchange too */
    uint64_t ray_cycles; /* that a message of one ray holds a port */
} fs_hop_cost;

/* Where a route has several choices, all of them are taken to be used alike; the time is that of the first. */
fs_outlook fs_outlook_make(const fs_overlay *overlay, const fs_pattern *pattern, const fs_hop_cost *cost);

typedef struct fs_traffic_note {
    fs_iteration times;
    fs_traffic_step step;
    uint64_t slowest[FS_ROLE_COUNT]; /* compute cycles of the slowest tile of each role */
} fs_traffic_note;

/* A level of the overlay in a part of the run. */
typedef struct fs_traffic_level {
    uint64_t rays, rays_max, compute_slowest, paced;
} fs_traffic_level;

typedef struct fs_traffic_books {
    const fs_overlay *overlay;
    const fs_traffic_rays *rays;
    const fs_device *device;
    bool programs;         /* tiles run programs, so that they have compute cycles */
    fs_traffic_note *note; /* [iterations] */
    uint64_t iterations, part_iterations[FS_PART_COUNT];
    uint32_t levels;                        /* overlay->levels + 2: tracers, routers, generator */
    uint64_t *level_rays;                   /* [iterations][levels] */
    uint64_t *compute[FS_PART_COUNT];       /* [tiles] */
    fs_traffic_level *level[FS_PART_COUNT]; /* [levels] */
} fs_traffic_books;

void fs_traffic_books_create(fs_traffic_books *books, fs_arena *arena, const fs_overlay *overlay,
                             const fs_traffic_rays *rays, const fs_device *device, bool programs,
                             uint32_t max_iterations);
void fs_traffic_books_note(fs_traffic_books *books, const fs_iteration *times);

typedef struct fs_traffic_figures {
    fs_chip_figures chip; /* the device's at once, else the caller's */
    double joules_per_ray, rays_per_second;
    fs_parts_figures parts; /* by fs_traffic_part */
    fs_pace_figures pace;
    double cycles_mean;
    fs_traffic_totals rays;
    double offered, accepted, accepted_all, bound, bound_share;
    double latency_mean, latency_zero;
    uint64_t latency_p50, latency_p99, latency_max;
    double alive_mean;
    uint64_t alive_p50, alive_p99, alive_max;
    double hops_mean, hops_expected;
    uint64_t hops_max;
    double waiting_mean;
    uint64_t waiting_peak, lane_peak;
    uint64_t port_tile, port_level;
    const char *port_side, *port_role;
    double port_share, port_rays;
    bool complete;
} fs_traffic_figures;

/* Everything but the rest of `chip`. round_cycles: that a ray of every source keeps the busiest port and tile at work.
 * latency: scratch and result. */
void fs_traffic_books_figures(const fs_traffic_books *books, const fs_outlook *outlook, double round_cycles,
                              double clock, fs_latency *latency, fs_traffic_figures *out);
