/* Where a run was congested: its parts and levels, from the books. */
#ifndef FOAMSIM_WORKLOADS_FOAM_BOOKS_CONGESTION_H
#define FOAMSIM_WORKLOADS_FOAM_BOOKS_CONGESTION_H

#include "workloads/foam/books/books.h"

#include <stdint.h>

/* One level of the overlay in one part of the run: a row of levels.csv. */
typedef struct fs_level_load {
    uint32_t role, level, tiles;
    uint64_t iterations;
    uint64_t rays;            /* visits */
    uint64_t rays_max;        /* most in one iteration */
    uint64_t slots;           /* rays that the in lanes of its tiles hold */
    uint64_t compute;         /* cycles summed over its tiles, idle calls included */
    uint64_t compute_slowest; /* cycles of its slowest tile, summed over iterations: the critical path */
    uint64_t paced;           /* iterations in which one of its tiles was the slowest of all */
    double imbalance;         /* most over mean of its tiles' compute; NAN without iterations */
    double gini;              /* Gini coefficient of the same */
    uint64_t spilled;         /* rays that its tiles put in another lane than their own */
    uint64_t turned_away;     /* rays that found a lane to this level full */
    uint64_t misrouted;       /* visits of rays just spilled */
} fs_level_load;

typedef struct fs_congestion {
    uint32_t levels; /* rows: routers' levels + tracers + generator */
    fs_level_load level[FS_PARTS + 1][FS_MAX_LEVELS];
} fs_congestion;

/* Needs the matrix of cycles (run.statistics full) and closed books. */
void fs_congestion_make(const fs_foam_books *books, fs_congestion *out);

/* The figures that need no matrix: any closed books, once the device has settled its own. */
void fs_congestion_figures_make(const fs_foam_books *books, fs_foam_figures *out);

/* Gini coefficient of `count` values: 0 when all are equal, near 1 when one has everything; 0 when all are 0.
 * Sorts them. */
double fs_gini(uint64_t *values, size_t count);
/* Most over mean; NAN when there is none or all are 0. */
double fs_imbalance(const uint64_t *values, size_t count);

/* Histograms over the pixels of the first frame and over lanes and iterations: distributions.csv. */
typedef enum fs_distribution {
    FS_DIST_ALIVE,
    FS_DIST_SHORTEST,
    FS_DIST_WAITING,
    FS_DIST_TRACER_VISITS,
    FS_DIST_ROUTER_VISITS,
    FS_DIST_DELIVERY_HOPS,
    FS_DIST_MISROUTED,
    FS_DISTRIBUTIONS
} fs_distribution;
extern const char *const fs_distribution_names[FS_DISTRIBUTIONS];
/* [FS_DISTRIBUTIONS], whole: values beyond FS_DIST_MAX share its last bin. Heap: free(). */
fs_dist *fs_congestion_distributions(const fs_framebuffer *fb);

#endif
