/* The books of a run: what is noted in each iteration, and the figures that follow from it. */
#pragma once

#include "models/ipu/tables/chip_run.h"
#include "models/ipu/tables/frames.h"
#include "models/ipu/tables/joined.h"
#include "models/overlay/load_tables.h"
#include "models/overlay/overlay_figures.h"
#include "sim/stats/stats.h"
#include "workloads/foam/kernels/decoupled/decoupled.h"
#include "workloads/foam/kernels/simulation.h"

#include <stdbool.h>
#include <stdint.h>

/* Figures of summary.json that say where a run was congested and what would relieve it. */
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
    FS_RUNG_FOLLOWING,        /* of a path alone: as replicated, but for each frame's own shards */
    FS_RUNGS
} fs_rung_id;

typedef struct fs_iteration_note {
    fs_iteration times;
    fs_foam_step step;
    uint64_t compute[FS_ROLE_COUNT]; /* slowest tile of each role, cycles */
    uint64_t compute_camera;         /* the tracer of the camera's shard, cycles */
    uint32_t rays_camera;            /* rays that it read */
    uint64_t written;                /* pixels of the first frame written so far */
} fs_iteration_note;

/* Parts of a run. They do not overlap and add up to all of it. */
typedef enum fs_part {
    FS_PART_INJECTION, /* iterations before the one in which a ray first reached its pixel */
    FS_PART_STEADY,    /* from then until the generator made its last ray; streaming: to the end */
    FS_PART_DRAIN,     /* the rest */
    FS_PARTS,
    FS_PART_ALL = FS_PARTS, /* the run */
} fs_part;

/* What a lane did in a part: fs_lane_state's counters. */
typedef struct fs_lane_counts {
    uint64_t rays, spilled, turned_away;
    uint64_t used, stalled, full; /* iterations */
    uint32_t peak;                /* rays */
} fs_lane_counts;

enum { FS_FILL_BINS = 101 }; /* 0 ... 100 % of a lane's capacity */

typedef struct fs_shard_tops fs_shard_tops; /* ladder.h */

typedef struct fs_foam_books {
    const fs_overlay *overlay;
    fs_foam_simulation *sim;
    const fs_device *device;
    fs_iteration_note *note; /* [iterations], reserved for max_iterations */
    uint64_t iterations;
    uint32_t *column; /* [tiles] place of a tile in a row of `held`; UINT32_MAX: not in use */
    uint32_t used;    /* tiles in use */
    uint32_t *held; /* [iterations][used] rays read by each tile; NULL: this and the next two are not kept */
    uint64_t *visits; /* [tiles] rays read, in all */
    uint32_t *peak;   /* [tiles] most rays read in an iteration */
    uint32_t camera_tile;
    uint64_t idle[FS_ROLE_COUNT]; /* compute cycles of an idle tile of the role, the most there are */
    uint32_t *tile_of;            /* [used] the tile at a place of a row */
    uint32_t *idle_of;            /* [used] its compute cycles when idle */
    bool full;                    /* run.statistics: the matrix of cycles is kept */
    bool looks;                   /* at the occupancy of lanes */
    uint32_t *cycles;             /* [iterations][used] compute cycles of each tile, 0 where it was idle */
    fs_shard_tops *tops;          /* in place of that matrix, of which one row is left; else NULL */
    fs_dist *hops; /* [FS_DISTRIBUTIONS] of the pixels, once the figures are made; else empty */
    uint64_t fill_tracer[FS_FILL_BINS], fill_router[FS_FILL_BINS]; /* lanes and iterations, by occupancy;
                                     tracer: lanes with a tracer at either end */
    /* Figures of the very same rays, from which those that follow from their hops and from the rays that tiles
     * hold are taken; NULL: worked out. */
    const struct fs_foam_figures *counted;
    uint64_t last_ray;           /* rays made in all when the generator is through; UINT64_MAX: never */
    fs_part part;                /* of the iteration that runs */
    uint64_t part_end[FS_PARTS]; /* first iteration after the part, once that is over */
    fs_lane_counts *lane_part[FS_PARTS]; /* [lanes]; totals up to the end of the part while the run goes on */
} fs_foam_books;

typedef struct fs_foam_books_plan {
    uint32_t max_iterations;
    uint32_t camera_tile; /* the first owner of the camera's shard */
    uint64_t rays;        /* that the generator will make; UINT64_MAX: it never stops */
    bool full;            /* run.statistics */
    bool sums;            /* what each tile did in each iteration is not kept: no tables are written */
    bool looks;           /* at lanes even if not full: for a recording */
} fs_foam_books_plan;

void fs_foam_books_create(fs_foam_books *books, fs_arena *arena, const fs_overlay *overlay,
                          fs_foam_simulation *sim, const fs_device *device, const fs_foam_books_plan *plan);
/* Between compute and exchange of an iteration: parts begin and end, lanes are looked at. active: the tiles
 * that had work. */
void fs_foam_books_look(fs_foam_books *books, const uint32_t *active, uint32_t active_count);
/* Notes one finished iteration. active: the tiles that had work. */
void fs_foam_books_note(fs_foam_books *books, const fs_iteration *times, const uint32_t *active,
                        uint32_t active_count);
/* After the last iteration: the last part ends. */
void fs_foam_books_close(fs_foam_books *books);

/* Iterations [begin, end) of a part, FS_PART_ALL included. */
void fs_foam_books_part(const fs_foam_books *books, fs_part part, uint64_t *begin, uint64_t *end);
/* What a lane did in a part, FS_PART_ALL included. */
fs_lane_counts fs_foam_books_lane(const fs_foam_books *books, fs_part part, uint32_t lane);
/* Cycles of an iteration, host included. */
static inline uint64_t fs_note_cycles(const fs_iteration_note *note) {
    return note->times.compute + note->times.sync + note->times.exchange + note->times.host;
}
/* Compute cycles of the tile at place u of a row in iteration k, an idle one's included. */
static inline uint64_t fs_foam_books_tile_cycles(const fs_foam_books *books, uint64_t k, uint32_t u) {
    uint32_t cycles = books->cycles[k * books->used + u];
    return cycles > 0 ? cycles : books->idle_of[u];
}

/* ---- the figures of a run: summary.json and stats.csv ---- */

typedef struct fs_foam_figures {
    fs_chip_figures chip; /* the device's at once, else the caller's */
    fs_joined_figures chips;
    double joules_per_frame, joules_per_ray;
    double frames_per_second, rays_per_second;
    fs_parts_figures parts;
    fs_pace_figures pace;
    fs_overlay_figures overlay;
    double frame_latency_seconds, frame_period_seconds;
    uint64_t latency_iterations, last_pixel_iteration, injecting_iterations;
    double cycles_mean, cycles_injecting_mean, cycles_draining_mean, camera_tile_mean, camera_rays_mean;
    fs_foam_totals rays;
    fs_hop_figures hops;
    double cells_per_ray, faces_per_ray, cells_per_visit, cell_length;
    bool exact;
    double psnr, psnr_float, ssim, t_step;
    double plain_psnr, lit_per_ray; /* of harmonics; NAN and 0 without */
    const char *depth_source;
    const char *note;
    uint64_t lane_rays_min, lane_rays_max; /* capacities */
    uint64_t memory_router_lanes, memory_tracer_data, memory_shard_data, memory_tracer_lanes, memory_slice;
    uint64_t memory_tiles, memory_sram, memory_harmonics, memory_cells_fit;
    double pace_generator, pace_camera;
    fs_frames_figures path;
    bool complete;
    double coverage;
    uint64_t scene_cells, scene_faces, shard_cells_max, shard_neighbours_max, shard_adjacency_max,
        shard_shards_max;
    double scene_degree, shard_neighbours_scaled, shard_adjacency_scaled;
    const char *scene_digest;
    uint64_t static_cycles; /* one static exchange, 0 when dynamic */
    fs_congestion_figures congestion;
    double ladder[FS_RUNGS]; /* gains, per cent of the run's cycles; NAN when not computed */
    /* decoupled execution; 0 and NAN in bsp */
    uint64_t decoupled_calls, decoupled_messages, decoupled_window, decoupled_in_flight_max,
        decoupled_stalled_cycles, decoupled_read_outs;
    double decoupled_batch, decoupled_fixed_share, decoupled_message_rays, decoupled_busy_share,
        decoupled_alive, decoupled_waiting;
} fs_foam_figures;
extern const fs_stat_table fs_foam_stats;

/* Iterations in which frames of a path begin: how many did. */
uint32_t fs_foam_books_begins(const fs_foam_books *books, uint64_t first[FS_FRAMES_MOST]);
/* Frames of a path that the host has taken: their number. */
uint32_t fs_foam_books_frames(const fs_foam_books *books, fs_frame out[FS_FRAMES_MOST]);
/* Everything that follows from books, device and simulation; the caller adds image, memory and scene. */
void fs_foam_books_figures(const fs_foam_books *books, double clock, fs_foam_figures *out);

/* Where a run was congested: its parts and levels, from the books. */
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

/* Figures of decoupled execution, and frame times to the cycle, where those of the books are to the slice.
 * f: after its run; NULL: a bsp run. clock: Hz. */
void fs_foam_decoupled_figures(const fs_foam_decoupled *f, double clock, fs_foam_figures *out);
