#include "models/energy/books.h"

#include "sim/base/arith.h"

#include <stdlib.h>

/* Folded columns from the first to the last that a message reaches, its sender's among them. */
typedef struct reach {
    uint32_t least, most;
} reach;

fs_moved fs_energy_of_flits(fs_noc_work work, uint64_t width) {
    const uint64_t words = fs_up(width, 4);
    return (fs_moved){
        .links = work.length * width, .ports = work.ports * words, .ends = 2 * work.taken * words};
}

/* A network's flits are counted link by link: here by the ways of the transfers alone. */
static fs_energy_routes routes_over(const fs_fabric *fabric, fs_energy_routes r, fs_arena *arena) {
    r.network = fabric;
    r.width = fs_fabric_flit(fabric);
    r.flit = FS_NEW(arena, fs_noc_work, r.count + 1);
    for (uint32_t i = 0; i < r.count; i++) {
        const fs_noc_way way = fs_fabric_way_of(fabric, r.transfers[i].src, r.transfers[i].dst);
        r.flit[i] = (fs_noc_work){.ports = way.ports, .length = way.length, .taken = 1};
        const fs_moved moved =
            fs_energy_of_transfer(&r, i, fs_fabric_message(fabric, i, r.transfers[i].bytes));
        fs_moved_add(&r.whole, &moved);
    }
    return r;
}

fs_moved fs_energy_of_transfer(const fs_energy_routes *r, uint32_t transfer, uint64_t bytes) {
    if (r->network == NULL)
        return (fs_moved){.bytes = bytes, .way = bytes * r->way[transfer]};
    const uint64_t flits = fs_fabric_flits(r->network, bytes);
    const fs_noc_work *one = &r->flit[transfer];
    fs_moved moved = fs_energy_of_flits(
        (fs_noc_work){flits * one->ports, flits * one->length, flits * one->taken}, r->width);
    moved.bytes = bytes;
    return moved;
}

fs_energy_routes fs_energy_routes_rotated(const fs_geometry_params *geometry, uint32_t tiles, uint32_t bytes,
                                          fs_arena *arena) {
    fs_energy_routes r = {.rotated = FS_NEW(arena, uint64_t, tiles), .tiles = tiles, .rotation = bytes};
    for (uint32_t t = 0; t < tiles; t++) {
        for (uint32_t to = 0; to < tiles; to++)
            r.rotated[t] += to != t ? fs_exchange_way(geometry, t, to) : 0;
        r.whole.way += bytes * r.rotated[t];
    }
    r.whole.bytes = (uint64_t)tiles * (tiles - 1) * bytes;
    return r;
}

fs_energy_routes fs_energy_routes_make(const fs_geometry_params *geometry, const fs_fabric *fabric,
                                       const fs_transfer *transfers, uint32_t count, fs_arena *arena) {
    fs_energy_routes r = {.transfers = transfers,
                          .count = count,
                          .way = FS_NEW(arena, uint32_t, count + 1),
                          .again = FS_NEW(arena, uint8_t, count + 1)};
    if (fs_fabric_network_of(fabric) != NULL)
        return routes_over(fabric, r, arena);
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
