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

fs_area_network fs_area_network_of(const fs_noc_graph *g, const fs_noc_options *o) {
    const int64_t words = (o->width + 3) / 4;
    fs_area_network n = {.words = (double)words};
    for (uint32_t r = 0; r < g->routers; r++) {
        const double ports = g->out_at[r + 1] - g->out_at[r];
        n.ports += ports;
        n.crossings += ports * ports;
        n.buffers += (double)(g->in_at[r + 1] - g->in_at[r]) * (double)(o->vcs * o->buffer * o->width);
    }
    return n;
}

double fs_area_of_network(const fs_area_params *p, const fs_area_network *n, fs_price_end end) {
#define X(key, def, low, high, ...) const double key = p->key * fs_energy_factor(end, low, high);
    FS_NETWORK_AREAS(X)
#undef X
    return n->words * (n->ports * router_port + n->crossings * router_cross) +
           n->buffers / 1024 * p->sram_kib;
}

uint64_t fs_area_in_tiles(const fs_area_params *p, const fs_area_tile *tile, const fs_area_network *network) {
    const double own =
        p->logic + p->port + (double)tile->units * p->matrix_unit + (double)tile->sram / 1024 * p->sram_kib;
    return own > 0 ? (uint64_t)(1000 * fs_area_of_network(p, network, FS_PRICE_CENTRAL) / own + 0.5) : 0;
}
