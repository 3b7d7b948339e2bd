/* How well a run used the machine: figures of summary.json for any workload, from closed notes. */
#ifndef FOAMSIM_MODELS_IPU_TABLES_USE_FIGURES_H
#define FOAMSIM_MODELS_IPU_TABLES_USE_FIGURES_H

#include "models/ipu/tables/notes.h"
#include "sim/stats/stats.h"

typedef struct fs_use_figures {
    uint64_t tiles;        /* that run a program in some step */
    double workers_busy;   /* of the compute phases: mean over the workers of those tiles; NAN without any */
    double imbalance;      /* most over mean of those tiles' compute; NAN when none computes */
    uint64_t pace_tile;    /* the tile that set the pace most often, the lowest of equals */
    double pace_share;     /* of the compute phases that had a pace */
    uint64_t bytes;        /* over the exchange */
    uint64_t port_tile;    /* the tile with the busiest port, the lowest of equals */
    const char *port_side; /* "in", "out" */
    double port_busy;      /* of the exchange phases: that port moved words; NAN without an exchange */
} fs_use_figures;
extern const fs_stat_table fs_use_stats;

fs_use_figures fs_use_figures_of(const fs_books_notes *notes);

#endif
