/* Where the words of a message go on the chip, and how far. */
#include "models/exchange/exchange.h"

enum { ROW_UM = 620, COLUMN_UM = 3600 }; /* ipu.md 1: 823 mm2 of 23 rows and 8 folded columns (energy.md 2) */

uint32_t fs_exchange_way_out(const fs_position *from, const fs_position *to) {
    return (to->row + (from->half != to->half ? 2 : 0)) * ROW_UM;
}

uint32_t fs_exchange_way_in(const fs_position *from, uint32_t least, uint32_t most) {
    return from->row * ROW_UM + (most - least) * COLUMN_UM;
}

uint32_t fs_exchange_way(const fs_geometry_params *g, uint32_t from, uint32_t to) {
    const fs_position a = fs_geometry_position(g, from), b = fs_geometry_position(g, to);
    const bool forward = a.folded < b.folded;
    return fs_exchange_way_in(&a, forward ? a.folded : b.folded, forward ? b.folded : a.folded) +
           fs_exchange_way_out(&a, &b);
}

uint32_t fs_exchange_span(const fs_geometry_params *g) {
    return (uint32_t)g->rows * ROW_UM + (uint32_t)(g->columns + 1) / 2 * COLUMN_UM;
}
