/* Area of a chip by its parts, mm2. */
#ifndef FOAMSIM_MODELS_ENERGY_AREA_H
#define FOAMSIM_MODELS_ENERGY_AREA_H

#include "models/chip/geometry.h"
#include "models/energy/prices.h"

typedef enum fs_area_part {
    FS_AREA_SRAM,
    FS_AREA_LOGIC,
    FS_AREA_MATRIX,
    FS_AREA_PORTS,
    FS_AREA_FIXED,
    FS_AREA_PARTS
} fs_area_part;

/* What is built of each tile. */
typedef struct fs_area_tile {
    uint64_t sram;  /* B */
    uint64_t units; /* of the matrix unit */
    int64_t more;   /* B that tiles of roles have more than that, over the chip; less: negative */
} fs_area_tile;

/* Spare rows and all. */
void fs_area_of(const fs_area_params *params, const fs_geometry_params *geometry, const fs_area_tile *tile,
                fs_price_end end, double out[FS_AREA_PARTS]);

#endif
