/* What the routes alone say of a pattern, before any run: how long a ray alone on the chip takes, and how
 * many rays the busiest port can carry. */
#ifndef FOAMSIM_WORKLOADS_TRAFFIC_BOUNDS_H
#define FOAMSIM_WORKLOADS_TRAFFIC_BOUNDS_H

#include "models/exchange/exchange.h"
#include "models/overlay/overlay.h"
#include "workloads/traffic/pattern.h"

#include <stdint.h>

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
    const fs_exchange *exchange;
    bool dynamic;        /* else each hop takes `fixed` and no more */
    uint64_t fixed;      /* compute, sync and supervisor program; static: the whole exchange too */
    uint64_t ray_cycles; /* that a message of one ray holds a port */
} fs_hop_cost;

/* Where a route has several choices, all of them are taken to be used alike; the time is that of the first. */
fs_outlook fs_outlook_make(const fs_overlay *overlay, const fs_pattern *pattern, const fs_hop_cost *cost);

#endif
