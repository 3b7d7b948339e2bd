#include "models/energy/books.h"

#include <stdlib.h>

/* Folded columns from the first to the last that a message reaches, its sender's among them. */
typedef struct reach {
    uint32_t least, most;
} reach;

fs_energy_routes fs_energy_routes_make(const fs_geometry_params *geometry, const fs_fabric *fabric,
                                       const fs_transfer *transfers, uint32_t count, fs_arena *arena) {
    fs_energy_routes r = {.transfers = transfers,
                          .count = count,
                          .way = FS_NEW(arena, uint32_t, count + 1),
                          .again = FS_NEW(arena, uint8_t, count + 1)};
    if (fs_fabric_network_of(fabric) != NULL) {
        for (uint32_t i = 0; i < count; i++)
            r.way[i] = fs_fabric_way(fabric, transfers[i].src, transfers[i].dst);
        return r;
    }
    reach *of = fs_malloc((count + 1) * sizeof *of);
    for (uint32_t i = 0; i < count; i++) {
        const fs_position a = fs_geometry_position(geometry, transfers[i].src),
                          b = fs_geometry_position(geometry, transfers[i].dst);
        const uint32_t lead = fs_fabric_sent_with(fabric, i);
        r.again[i] = lead != i;
        if (!r.again[i])
            of[i] = (reach){a.folded, a.folded};
        of[lead].least = b.folded < of[lead].least ? b.folded : of[lead].least;
        of[lead].most = b.folded > of[lead].most ? b.folded : of[lead].most;
        r.way[i] = fs_exchange_way_out(&a, &b);
    }
    for (uint32_t i = 0; i < count; i++) {
        const fs_position a = fs_geometry_position(geometry, transfers[i].src);
        const uint64_t bytes = transfers[i].bytes;
        r.way[i] += r.again[i] ? 0 : fs_exchange_way_in(&a, of[i].least, of[i].most);
        r.whole.bytes += r.again[i] ? 0 : bytes;
        r.more += r.again[i] ? bytes : 0;
        r.whole.way += bytes * r.way[i];
    }
    free(of);
    return r;
}
