/* Where a run was congested: its parts and levels, from the books. */
#ifndef FOAMSIM_WORKLOADS_FOAM_BOOKS_CONGESTION_H
#define FOAMSIM_WORKLOADS_FOAM_BOOKS_CONGESTION_H

#include "models/overlay/load_tables.h"
#include "workloads/foam/books/books.h"

#include <stdint.h>

typedef struct fs_congestion {
    uint32_t levels; /* rows: routers' levels + tracers + generator */
    fs_level_load level[FS_PARTS + 1][FS_MAX_LEVELS];
} fs_congestion;

/* Needs the matrix of cycles (run.statistics full) and closed books. */
void fs_congestion_make(const fs_foam_books *books, fs_congestion *out);

/* The figures that need no matrix: any closed books, once the device has settled its own. */
void fs_congestion_figures_make(const fs_foam_books *books, fs_foam_figures *out);

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
