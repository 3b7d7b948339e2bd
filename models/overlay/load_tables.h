/* Where the rays of a run met: iterations.csv, tiles.csv, levels.csv and lanes.csv, for whatever goes over an
 * overlay, and how unequal the load of tiles is. docs/run-folder.md has their columns.
 *
 * A run has three parts, and a fourth that is all of it: rows and columns of the whole run come first.
 */
#pragma once

#include "models/ipu/tables/chip_run.h"
#include "models/overlay/overlay.h"
#include "sim/results/columns.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FS_LOAD_PARTS = 4, FS_LOAD_ALL = 3 };
extern const char *const fs_load_part_names[FS_LOAD_PARTS]; /* "injection", "steady", "drain", "all" */

/* Numbers of a workload in a row, beside those of the device: of an iteration, or of a tile. */
typedef struct fs_overlay_numbers {
    const char *const (*names)[2]; /* [count] name and unit of a column, in their order */
    uint32_t count;
    fs_column_integer *number;
    const void *self;
} fs_overlay_numbers;

/* iterations.csv: the device's times, `before` of the numbers, the pace, the other numbers, rays of the tracers,
 * of the generator and of each level of routers. FS_IO. */
typedef struct fs_overlay_iterations {
    const fs_iteration *first; /* [iterations], `stride` bytes from one to the next */
    size_t stride;
    uint64_t iterations;
    bool paced; /* tiles run programs; else no tile sets a pace */
    fs_overlay_numbers numbers;
    uint32_t before;
    fs_column_integer *rays; /* arg: the level; with the self of the numbers */
    uint32_t levels;         /* of routers */
} fs_overlay_iterations;
fs_status fs_overlay_iterations_write(const fs_chip_run *run, const fs_overlay_iterations *rows,
                                      fs_results *results, fs_error *err);

/* tiles.csv: tile, role, level, shard, column, row, sub, what the tile did (fs_books_work_columns), the first two
 * numbers, paced, sram, the other numbers. paced: as above. FS_IO. */
fs_status fs_overlay_tiles_write(const fs_chip_run *run, const fs_overlay *overlay,
                                 const fs_overlay_numbers *numbers, bool paced, fs_results *results,
                                 fs_error *err);

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

/* level(self, part, level): a row; one without tiles is left out. none: what stands for a mean of nothing, NAN
 * or 0. FS_IO. */
typedef struct fs_level_rows {
    fs_level_load (*level)(const void *self, uint32_t part, uint32_t level);
    const void *self;
    uint32_t levels;
    double none;
} fs_level_rows;
fs_status fs_overlay_levels_write(const fs_level_rows *rows, fs_results *results, fs_error *err);

/* What a lane did in a part. */
typedef struct fs_lane_load {
    uint64_t rays, peak;                /* moved; most in one iteration */
    uint64_t used, stalled, idle, full; /* iterations */
    uint64_t spilled, turned_away, waiting_peak;
} fs_lane_load;

/* size: what a lane holds, rays and bytes; -1: as many as come. waits: with the column waiting_peak. FS_IO. */
typedef struct fs_lane_rows {
    const fs_overlay *overlay;
    void (*size)(const void *self, uint32_t lane, int64_t *rays, int64_t *bytes);
    fs_lane_load (*load)(const void *self, uint32_t part, uint32_t lane);
    const void *self;
    bool waits;
} fs_lane_rows;
fs_status fs_overlay_lanes_write(const fs_lane_rows *rows, fs_results *results, fs_error *err);

/* The role of a level's tiles: tracers, routers, and the generator on top. */
fs_role fs_overlay_role_of_level(const fs_overlay *overlay, uint32_t level);
/* Gini coefficient of `count` values: 0 when all are equal, near 1 when one has everything; 0 when all are 0.
 * Sorts them. */
double fs_gini(uint64_t *values, size_t count);
/* Most over mean; NAN when there is none or all are 0. */
double fs_imbalance(const uint64_t *values, size_t count);
