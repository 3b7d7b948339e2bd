#include "workloads/smallpaint/params.h"

static uint32_t least(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

fs_image_tiles fs_paint_tiles_make(uint32_t width, uint32_t height, uint32_t tile_width, uint32_t tile_height,
                                   uint32_t of_chip) {
    fs_image_tiles t = {.width = width,
                        .height = height,
                        .tile_width = least(tile_width, width),
                        .tile_height = least(tile_height, height),
                        .of_chip = of_chip};
    t.columns = (width - 1) / t.tile_width + 1;
    t.rows = (height - 1) / t.tile_height + 1;
    t.count = t.columns * t.rows;
    return t;
}

fs_image_tile fs_paint_tile_of(const fs_image_tiles *t, uint32_t i) {
    const uint32_t left = i % t->columns * t->tile_width, top = i / t->columns * t->tile_height;
    return (fs_image_tile){left, top, least(t->tile_width, t->width - left),
                           least(t->tile_height, t->height - top)};
}

uint32_t fs_paint_row_worker(uint32_t row, uint32_t height, uint32_t workers) {
    const uint32_t each = height / workers, more = height % workers, front = more * (each + 1);
    return row < front ? row / (each + 1) : more + (row - front) / each;
}
