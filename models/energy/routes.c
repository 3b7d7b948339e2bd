#include "models/energy/books.h"

enum { ROW_UM = 620, COLUMN_UM = 3600 }; /* ipu.md 1: 823 mm2 of 23 rows and 8 folded columns (energy.md 2) */

uint32_t fs_energy_way(const fs_geometry_params *g, uint32_t from, uint32_t to) {
    const fs_position a = fs_geometry_position(g, from), b = fs_geometry_position(g, to);
    const uint32_t columns = a.folded > b.folded ? a.folded - b.folded : b.folded - a.folded;
    return (a.row + b.row + (a.half != b.half ? 2 : 0)) * ROW_UM + columns * COLUMN_UM;
}

uint32_t fs_energy_span(const fs_geometry_params *g) {
    return (uint32_t)g->rows * ROW_UM + (uint32_t)(g->columns + 1) / 2 * COLUMN_UM;
}

fs_energy_routes fs_energy_routes_make(const fs_geometry_params *geometry, const fs_transfer *transfers,
                                       uint32_t count, fs_arena *arena) {
    fs_energy_routes r = {.transfers = transfers, .count = count, .way = FS_NEW(arena, uint32_t, count + 1)};
    for (uint32_t i = 0; i < count; i++) {
        r.way[i] = fs_energy_way(geometry, transfers[i].src, transfers[i].dst);
        r.whole.bytes += transfers[i].bytes;
        r.whole.way += (uint64_t)transfers[i].bytes * r.way[i];
    }
    return r;
}
