/* The books of a run: what is noted in each iteration, and the figures that follow from it. */
#ifndef FOAMSIM_WORKLOADS_FOAM_BOOKS_H
#define FOAMSIM_WORKLOADS_FOAM_BOOKS_H

#include "models/machine/device.h"
#include "sim/stats/stats.h"
#include "workloads/foam/simulation.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct fs_iteration_note {
    fs_iteration times;
    fs_foam_step step;
    uint64_t compute[FS_ROLE_COUNT]; /* slowest tile of each role, cycles */
    uint64_t compute_camera;         /* the tracer of the camera's shard, cycles */
    uint32_t rays_camera;            /* rays that it read */
    uint64_t written;                /* pixels of the first frame written so far */
} fs_iteration_note;

typedef struct fs_foam_books {
    const fs_overlay *overlay;
    const fs_simulation *sim;
    const fs_device *device;
    fs_iteration_note *note; /* [iterations], reserved for max_iterations */
    uint64_t iterations;
    uint32_t *column; /* [tiles] place of a tile in a row of `held`; UINT32_MAX: not in use */
    uint32_t used;    /* tiles in use */
    uint16_t *held;   /* [iterations][used] rays read by each tile */
    uint64_t *visits; /* [tiles] rays read, in all */
    uint32_t *peak;   /* [tiles] most rays read in an iteration */
    uint32_t camera_tile;
    uint64_t idle[FS_ROLE_COUNT]; /* compute cycles of an idle tile of the role, the most there are */
} fs_foam_books;

void fs_foam_books_create(fs_foam_books *books, fs_arena *arena, const fs_overlay *overlay,
                          const fs_simulation *sim, const fs_device *device, uint32_t max_iterations,
                          uint32_t camera_tile);
/* Notes one finished iteration. active: the tiles that had work. */
void fs_foam_books_note(fs_foam_books *books, const fs_iteration *times, const uint32_t *active,
                        uint32_t active_count);

/* ---- the figures of a run: summary.json and stats.csv ---- */

typedef struct fs_foam_figures {
    uint64_t cycles, cycles_compute, cycles_sync, cycles_exchange, cycles_host, iterations;
    double seconds, frame_latency_seconds, frame_period_seconds;
    uint64_t latency_iterations, last_pixel_iteration, injecting_iterations;
    double cycles_mean, cycles_injecting_mean, cycles_draining_mean, camera_tile_mean, camera_rays_mean;
    uint64_t generated, finished, dropped, in_flight, spilled, misrouted, crossings, ray_hops;
    double tracer_mean, router_mean, delivery_mean, misrouted_mean, alive_mean, waiting_mean;
    uint64_t tracer_max, router_max, alive_max, waiting_max, alive_p99;
    double cells_per_ray, faces_per_ray, cells_per_visit, cell_length;
    bool exact;
    double psnr, psnr_float, ssim, t_step;
    const char *depth_source;
    const char *note;
    uint64_t memory_peak, memory_worst_tile;
    double pace_tracer, pace_router, pace_generator, pace_camera;
    bool complete;
    double coverage;
    uint64_t scene_cells, scene_faces, shard_cells_max, shard_neighbours_max, shard_adjacency_max,
        shard_shards_max;
    const char *scene_digest;
    uint64_t static_cycles; /* one static exchange, 0 when dynamic */
} fs_foam_figures;

/* Everything that follows from books, device and simulation; the caller adds image, memory and scene. */
void fs_foam_books_figures(const fs_foam_books *books, double clock, fs_foam_figures *out);

#endif
