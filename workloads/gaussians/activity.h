/* What all tiles did in every step of a run, and the last picture: all that is priced later follows from it. */
#pragma once

#include "models/overlay/overlay.h"
#include "workloads/gaussians/lanes.h"
#include "workloads/gaussians/view.h"

/* The picture: each tile blends its sorted list front to back into its rectangle (gaussians.md 5). */

enum { FS_GAUSSIANS_WORKERS = 16 }; /* that a tile may have */

/* What the workers of a tile do: entries that pixels look at until they stop; of them those in whose square the pixel lies, and those
 * that it adds. */
typedef struct fs_gaussians_blend_work {
    uint32_t looked[FS_GAUSSIANS_WORKERS], boxed[FS_GAUSSIANS_WORKERS], added[FS_GAUSSIANS_WORKERS];
} fs_gaussians_blend_work;

/* Blends `count` entries, nearest first, into a tile of the picture, rgb [height][width][3]. Worker w of so many has rows w, w + workers, ... Any thread. */
void fs_gaussians_blend(const fs_gaussians_grid *grid, uint32_t workers, uint32_t tile, const uint32_t *list,
                        uint32_t count, const fs_gaussians_seen *seen, uint8_t *rgb,
                        fs_gaussians_blend_work *work);

/* Rows of a worker in a tile. */
static inline uint32_t fs_gaussians_rows_of(const fs_gaussians_grid *grid, uint32_t workers,
                                            uint32_t worker) {
    return (grid->tile_height + workers - 1 - worker) / workers;
}

/* The picture as it were without lanes and full lists: each tile has all that reach it. */
void fs_gaussians_ideal(const fs_gaussians_grid *grid, const fs_gaussians_seen *seen, uint32_t count,
                        uint8_t *rgb);

/* Of a tile in a priced step. */
typedef struct fs_gaussians_counts {
    fs_gaussians_tile_work work;
    fs_gaussians_blend_work blend;
} fs_gaussians_counts;

/* Of all tiles in a step; what moved is by the views, since the frame before. */
typedef struct fs_gaussians_totals {
    uint64_t frame; /* UINT64_MAX: a step that settles the picture */
    uint64_t entries, longest, received, received_most, sends, failed, lost, anchored, copies;
    uint64_t both, moved, entered, visible, hops_95;
    double hops;
} fs_gaussians_totals;

/* Bytes that go between two tiles in a step, where lanes do not say. */
typedef struct fs_gaussians_move {
    uint32_t src, dst, gaussians;
} fs_gaussians_move;

typedef struct fs_gaussians_activity {
    fs_gaussians_grid grid;
    uint32_t gaussians, workers; /* of the scene; of a tile, among which rows are dealt */
    uint32_t tiles;         /* of the machine, for overlays, whose routers work too; else of the picture */
    uint64_t steps, before; /* priced; that settled the picture */
    uint64_t settled,
        shown; /* steps after which nothing changes, and after which 99.9 % of the entries are there; of those that the
                                    run made from the first distribution, else 0 */
    bool has_settled;
    fs_gaussians_counts *counts; /* [steps][tiles] */
    fs_gaussians_totals *total;  /* [before + steps] */
    uint64_t moves;              /* all steps' */
    uint64_t *first_move;        /* [steps + 1] */
    fs_gaussians_move
        *move; /* [moves] of a step one for each lane of an overlay, else ascending by src, then dst */
    uint8_t *rgb, *ideal; /* [height][width][3] of the last frame: drawn, and as it were without lanes */
} fs_gaussians_activity;

/* All steps of a run; threads share the tiles. overlay: of `method: overlay`, else NULL. FS_INPUT: a camera's; FS_MEMORY; FS_RUN when interrupted. */
fs_status fs_gaussians_activity_make(fs_gaussians_activity *activity, const fs_gaussians_params *params,
                                     const fs_splats *scene, const fs_overlay *overlay,
                                     const fs_machine_params *machine, fs_error *err);
/* Room for one, by its sizes; heap. */
void fs_gaussians_activity_create(fs_gaussians_activity *activity);
void fs_gaussians_activity_free(fs_gaussians_activity *activity);

static inline fs_gaussians_counts *fs_gaussians_counts_of(const fs_gaussians_activity *a, uint64_t step,
                                                          uint32_t tile) {
    return &a->counts[step * a->tiles + tile];
}

/* ---- instead of lanes (spread.c) ---- */

/* A frame's lists of the tiles, by a list of the host for each (gather), or by copies that go straight (direct) or over an overlay. */
typedef struct fs_gaussians_spread {
    const fs_gaussians_params *params;
    const fs_overlay *overlay; /* NULL: none */
    fs_gaussians_grid grid;
    uint32_t gaussians, tiles; /* tiles: of the activity */
    uint32_t list_slots;
    uint32_t *list, *listed; /* [tiles of the picture][list_slots], [tiles of the picture] */
    uint32_t *home;          /* [gaussians] tile of the picture; UINT32_MAX: not known yet */
    uint32_t *load;          /* [lanes] of an overlay */
    uint32_t longest;        /* lanes of the longest way so far */
    fs_gaussians_move *move; /* [moves] of the frame */
    uint64_t moves;
} fs_gaussians_spread;
void fs_gaussians_spread_create(fs_gaussians_spread *spread, const fs_gaussians_params *params,
                                const fs_overlay *overlay, uint32_t gaussians, uint32_t tiles);
void fs_gaussians_spread_free(fs_gaussians_spread *spread);
/* work: [tiles] zeroed. */
void fs_gaussians_spread_frame(fs_gaussians_spread *spread, const fs_gaussians_seen *seen,
                               fs_gaussians_tile_work *work);

/* Tracer of an overlay that has a tile of the picture: quarter by quarter where the picture is as many tiles wide as high and a power of
 * two, so that neighbours share routers; else row by row. */
uint32_t fs_gaussians_tracer(const fs_gaussians_grid *grid, uint32_t tile);
