/* Ways of transfers over the exchange in micrometres, and what a phase of a static exchange moves.
 *
 * A way goes along the row to the spine, along it, and out again: rows of sender and receiver from the spine,
 * folded columns between them, twice the height of a row more to the other half (energy.md 2). Multicast is
 * not known here: each transfer pays its own way. */
#ifndef FOAMSIM_MODELS_ENERGY_ROUTES_H
#define FOAMSIM_MODELS_ENERGY_ROUTES_H

#include "models/chip/geometry.h"
#include "models/exchange/exchange.h"
#include "sim/base/alloc.h"

/* Bytes, and bytes times micrometres, over the exchange. */
typedef struct fs_moved {
    uint64_t bytes, way;
} fs_moved;

typedef struct fs_energy_routes {
    const fs_transfer *transfers; /* [count] borrowed */
    uint32_t count;
    uint32_t *way;  /* [count] um */
    fs_moved whole; /* all transfers with whole buffers: a phase of a static exchange */
} fs_energy_routes;

uint32_t fs_energy_way(const fs_geometry_params *geometry, uint32_t from, uint32_t to);
/* The ways of a chip's whole width and height: what a broadcast pays. */
uint32_t fs_energy_span(const fs_geometry_params *geometry);
fs_energy_routes fs_energy_routes_make(const fs_geometry_params *geometry, const fs_transfer *transfers,
                                       uint32_t count, fs_arena *arena);

#endif
