/* What the machine itself has to say of a run, whatever ran: findings in sentences, and the rungs of the
 * ladder that any workload has. */
#pragma once

#include "models/ipu/power/power.h"
#include "models/ipu/tables/notes.h"
#include "sim/results/findings.h"
#include "sim/results/ladder.h"
#include "sim/stats/stats.h"

/* Keys: time (compute, exchange, barriers, host), step (which step takes most), pace (which tile, how
 * unevenly), port, sram. Closed notes.
 * each: what the run is for. */
void fs_books_findings(const fs_books_notes *notes, const fs_power_figures *power, fs_energy_each each,
                       fs_findings *out);

/* measured; free_exchange, free_sync, free_host: such phases take no time; balanced: every tile in use computes
 * the mean; all. Bounds, as nothing that is for free changes what runs; estimates where branches run beside
 * each other, since another branch may then be the longest.
 * What happens is the same in all of them, so that clocks and leakage alone follow their time. */
enum { FS_BOOKS_RUNGS = 6 };
void fs_books_notes_rungs(const fs_books_notes *notes, fs_rung out[FS_BOOKS_RUNGS]);

/* How well a run used the machine: figures of summary.json for any workload, from closed notes. */
typedef struct fs_use_figures {
    uint64_t tiles;        /* that run a program in some step */
    double workers_busy;   /* of the compute phases: mean over the workers of those tiles; NAN without any */
    double imbalance;      /* most over mean of those tiles' compute; NAN when none computes */
    uint64_t pace_tile;    /* the tile that set the pace most often, the lowest of equals */
    double pace_share;     /* of the compute phases that had a pace */
    uint64_t bytes;        /* sent over the exchange */
    uint64_t received;     /* taken in from it */
    double wide;           /* of them, by double-width messages; NAN when nothing is taken in */
    uint64_t port_tile;    /* the tile with the busiest port, the lowest of equals */
    const char *port_side; /* "in", "out" */
    double port_busy;      /* of the exchange phases: that port moved words; NAN without an exchange */
} fs_use_figures;
extern const fs_stat_table fs_use_stats;

fs_use_figures fs_use_figures_of(const fs_books_notes *notes);
