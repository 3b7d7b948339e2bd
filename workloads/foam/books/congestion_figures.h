/* Figures of summary.json that say where a run was congested and what would relieve it. */
#ifndef FOAMSIM_WORKLOADS_FOAM_BOOKS_CONGESTION_FIGURES_H
#define FOAMSIM_WORKLOADS_FOAM_BOOKS_CONGESTION_FIGURES_H

#include <stdint.h>

enum { FS_FIGURE_LEVELS = 6 }; /* router levels with a figure of their own; levels.csv has all */

/* Median, 90th and 99th percentile (nearest rank) over the pixels of the first frame. */
typedef struct fs_hop_percentiles {
    uint64_t p50, p90, p99;
} fs_hop_percentiles;

/* What the rays of the first frame's pixels went through. */
typedef struct fs_hop_figures {
    double tracer_mean, router_mean, router_all_mean, delivery_mean, misrouted_mean, alive_mean, waiting_mean;
    uint64_t tracer_max, router_max, alive_max, waiting_max;
    fs_hop_percentiles alive, waiting, tracer, router;
} fs_hop_figures;

typedef struct fs_congestion_figures {
    double injection_mean, steady_mean, drain_mean; /* cycles of an iteration of that part */
    uint64_t last_percent_iterations;               /* iterations that served the last 1 % of the rays */
    uint64_t last_percent_cycles;
    double lanes_full_share, stalled_share, peak_fill;
    double imbalance_tracers, gini_tracers; /* max over mean of compute, Gini coefficient of it */
    uint64_t ring_peak;
    uint64_t tracer_cycles, router_cycles, generator_cycles;       /* summed over tiles and iterations */
    uint64_t tracer_critical, router_critical, generator_critical; /* the slowest tile of each iteration */
    double pace_level[FS_FIGURE_LEVELS]; /* share of iterations, router levels 1 ...; NAN: no such level */
    uint64_t hottest_tile;
    double hottest_shard; /* NAN: owns none */
    double hottest_share;
} fs_congestion_figures;

/* What may be for free, one rung of the ladder each. */
typedef enum fs_rung_id {
    FS_RUNG_MEASURED,
    FS_RUNG_FREE_ROUTERS,     /* compute: the slowest of the other roles, as if routers took no cycles */
    FS_RUNG_FREE_EXCHANGE,    /* exchange phases take no cycles */
    FS_RUNG_FREE_SYNC,        /* barriers take no cycles */
    FS_RUNG_FREE_HOST,        /* visits and launches take no cycles, the first one included */
    FS_RUNG_INFINITE_BUFFERS, /* as if no ray ever found a lane full; longer than measured if rays were lost */
    FS_RUNG_BALANCED_TRACERS, /* the tracers' work of each iteration spread evenly over all tracers */
    FS_RUNG_REPLICATED,       /* the hottest shards' work spread over several tracers each */
    FS_RUNG_ALL,              /* all of these together */
    FS_RUNGS
} fs_rung_id;

#endif
