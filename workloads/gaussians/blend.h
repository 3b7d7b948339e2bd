/* The picture: each tile blends its sorted list front to back into its rectangle (gaussians.md 5). */
#ifndef FOAMSIM_WORKLOADS_GAUSSIANS_BLEND_H
#define FOAMSIM_WORKLOADS_GAUSSIANS_BLEND_H

#include "workloads/gaussians/view.h"

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

#endif
