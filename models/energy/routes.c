#include "models/energy/books.h"

#include <stdlib.h>

enum { ROW_UM = 620, COLUMN_UM = 3600 }; /* ipu.md 1: 823 mm2 of 23 rows and 8 folded columns (energy.md 2) */

/* From the spine to a receiver. */
static uint32_t way_out(const fs_position *from, const fs_position *to) {
    return (to->row + (from->half != to->half ? 2 : 0)) * ROW_UM;
}

/* To the spine, and along it over the folded columns from `least` to `most`. */
static uint32_t way_in(const fs_position *from, uint32_t least, uint32_t most) {
    return from->row * ROW_UM + (most - least) * COLUMN_UM;
}

uint32_t fs_energy_way(const fs_geometry_params *g, uint32_t from, uint32_t to) {
    const fs_position a = fs_geometry_position(g, from), b = fs_geometry_position(g, to);
    const bool forward = a.folded < b.folded;
    return way_in(&a, forward ? a.folded : b.folded, forward ? b.folded : a.folded) + way_out(&a, &b);
}

uint32_t fs_energy_span(const fs_geometry_params *g) {
    return (uint32_t)g->rows * ROW_UM + (uint32_t)(g->columns + 1) / 2 * COLUMN_UM;
}

/* Folded columns from the first to the last that a message reaches, its sender's among them. */
typedef struct reach {
    uint32_t least, most;
} reach;

fs_energy_routes fs_energy_routes_make(const fs_geometry_params *geometry, const fs_exchange *exchange,
                                       const fs_transfer *transfers, uint32_t count, fs_arena *arena) {
    fs_energy_routes r = {.transfers = transfers,
                          .count = count,
                          .way = FS_NEW(arena, uint32_t, count + 1),
                          .again = FS_NEW(arena, uint8_t, count + 1)};
    reach *of = fs_malloc((count + 1) * sizeof *of);
    for (uint32_t i = 0; i < count; i++) {
        const fs_position a = fs_geometry_position(geometry, transfers[i].src),
                          b = fs_geometry_position(geometry, transfers[i].dst);
        const uint32_t lead = fs_exchange_sent_with(exchange, i);
        r.again[i] = lead != i;
        if (!r.again[i])
            of[i] = (reach){a.folded, a.folded};
        of[lead].least = b.folded < of[lead].least ? b.folded : of[lead].least;
        of[lead].most = b.folded > of[lead].most ? b.folded : of[lead].most;
        r.way[i] = way_out(&a, &b);
    }
    for (uint32_t i = 0; i < count; i++) {
        const fs_position a = fs_geometry_position(geometry, transfers[i].src);
        const uint64_t bytes = transfers[i].bytes;
        r.way[i] += r.again[i] ? 0 : way_in(&a, of[i].least, of[i].most);
        r.whole.bytes += r.again[i] ? 0 : bytes;
        r.more += r.again[i] ? bytes : 0;
        r.whole.way += bytes * r.way[i];
    }
    free(of);
    return r;
}
