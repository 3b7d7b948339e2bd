#include "models/energy/books.h"

void fs_area_of(const fs_area_params *p, const fs_geometry_params *g, const fs_area_tile *tile,
                fs_price_end end, double out[FS_AREA_PARTS]) {
#define X(key, def, low, high, ...) const double key = p->key * fs_energy_factor(end, low, high);
    FS_AREA_PRICES(X)
#undef X
    const double tiles = (double)(g->columns * (g->rows + p->spare_rows) * g->tiles_per_supertile);
    out[FS_AREA_SRAM] = (tiles * ((double)tile->sram / 1024) + (double)tile->more / 1024) * sram_kib;
    out[FS_AREA_LOGIC] = tiles * logic;
    out[FS_AREA_MATRIX] = tiles * (double)tile->units * matrix_unit;
    out[FS_AREA_PORTS] = tiles * port;
    out[FS_AREA_FIXED] = fixed;
}
