/* The picture on the tiles: rectangles of points, one for each tile, in the order of rows; chip by chip where
 * there are several. A tile's rows are split over its workers as evenly as can be, the first workers taking
 * one more (PTP). Rectangles that do not divide the picture are cut at its right and lower edge. */
#ifndef FOAMSIM_WORKLOADS_SMALLPAINT_IMAGE_TILES_H
#define FOAMSIM_WORKLOADS_SMALLPAINT_IMAGE_TILES_H

#include <stdint.h>

typedef struct fs_image_tiles {
    uint32_t width, height;           /* of the picture, points */
    uint32_t tile_width, tile_height; /* of a whole rectangle, within the picture */
    uint32_t columns, rows, count;    /* of rectangles */
    uint32_t of_chip; /* tiles of a chip: rectangle i is on chip i / of_chip, tile i % of_chip */
} fs_image_tiles;

typedef struct fs_image_tile {
    uint32_t left, top, width, height;
} fs_image_tile;

/* A rectangle larger than the picture is cut to it. */
fs_image_tiles fs_paint_tiles_make(uint32_t width, uint32_t height, uint32_t tile_width, uint32_t tile_height,
                                   uint32_t of_chip);
fs_image_tile fs_paint_tile_of(const fs_image_tiles *tiles, uint32_t i);
/* Whose row it is, of `height` rows split over `workers`. */
uint32_t fs_paint_row_worker(uint32_t row, uint32_t height, uint32_t workers);
/* How many of `count` alike things worker w takes. */
static inline uint32_t fs_paint_tile_share(uint32_t count, uint32_t w, uint32_t workers) {
    return count / workers + (w < count % workers);
}

#endif
