/* Private to the fabric: where tiles lie on a network. */
#pragma once

#include "models/fabric/fabric.h"

/* [tiles] end points. As exchange.noc.tiles says; else, on a grid that has room for the chip's, the two by two
 * tiles of super-tile (column, row) at the places (2 column, 2 row) to (2 column + 1, 2 row + 1); else tile i is
 * end point i. FS_INPUT, beginning with the key: fewer end points than tiles, a tile at no end point, two at one. */
const uint32_t *fs_fabric_places(fs_arena *arena, const fs_fabric_chip *chip, const fs_noc_graph *graph,
                                 fs_error *err);
