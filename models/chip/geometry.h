/* Where a tile is on the chip: columns x rows x tiles of a super-tile (ipu.md section 1).
 *
 * Logical tile numbers run in pairs up and down the columns: logical / 2 is a pair, `rows` pairs make a
 * block, odd blocks run the rows backwards; block b lies in raw column b / 2, sub bit 0 = b & 1, sub bit 1 =
 * logical & 1 (ipu.md 1, IS). The raw columns fold about the spine: folded = raw < columns / 2 ? raw :
 * columns - 1 - raw, half = raw >= columns / 2. Only 4 tiles a super-tile are known; other numbers are
 * refused.
 *
 * Several chips alike: tiles are numbered through them, and a tile's place is that on its own chip.
 */
#pragma once

#include "sim/base/error.h"

#include <stdint.h>

typedef struct fs_geometry_params {
    int64_t columns, rows, tiles_per_supertile;
} fs_geometry_params;

typedef struct fs_position {
    uint32_t column; /* raw, 0 ... columns - 1 */
    uint32_t row;
    uint32_t sub;    /* place inside the super-tile, 0 ... 3 */
    uint32_t folded; /* column position from the edge to the spine */
    uint32_t half;
} fs_position;

uint32_t fs_geometry_tiles(const fs_geometry_params *g); /* of a chip */
fs_position fs_geometry_position(const fs_geometry_params *g, uint32_t logical_tile);

static inline uint32_t fs_geometry_chip(const fs_geometry_params *g, uint32_t logical_tile) {
    return logical_tile / fs_geometry_tiles(g);
}

/* The other tile of a pair, with which it shares its ports of the exchange. */
static inline uint32_t fs_geometry_partner(uint32_t logical_tile) {
    return logical_tile ^ 1;
}
