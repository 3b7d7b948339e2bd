#include "models/chip/geometry.h"

/* The folds of pairs into super-tiles are known for four tiles only (ipu.md 1). */
enum { SUPERTILE = 4, PAIR = 2 };

uint32_t fs_geometry_tiles(const fs_geometry_params *g) {
    FS_ASSERT(g->tiles_per_supertile == SUPERTILE, "a super-tile of %lld tiles",
              (long long)g->tiles_per_supertile);
    return (uint32_t)(g->columns * g->rows * g->tiles_per_supertile);
}

fs_position fs_geometry_position(const fs_geometry_params *g, uint32_t logical_tile) {
    const uint32_t tiles = fs_geometry_tiles(g), columns = (uint32_t)g->columns, rows = (uint32_t)g->rows;
    uint32_t pair = logical_tile % tiles / PAIR, block = pair / rows, step = pair % rows;
    uint32_t column = block / 2, half = column >= columns / 2;
    return (fs_position){
        .column = column,
        .row = block % 2 ? rows - 1 - step : step,
        .sub = (block & 1) | (logical_tile & 1) << 1,
        .folded = half ? columns - 1 - column : column,
        .half = half,
    };
}
