/* Barriers: how long the slowest signal takes, and how much later a tile is released than the first. */
#include "models/sync/sync.h"

uint32_t fs_sync_skew(const fs_sync_params *p, const fs_geometry_params *g, uint32_t tile) {
    fs_position at = fs_geometry_position(g, tile);
    return (uint32_t)(p->skew_row * at.row + p->skew_column * at.folded);
}

uint32_t fs_sync_internal(const fs_sync_params *p, const fs_geometry_params *g) {
    int64_t farthest_row = g->rows - 1, farthest_column = (g->columns + 1) / 2 - 1;
    return (uint32_t)(p->base + p->skew_row * farthest_row + p->skew_column * farthest_column);
}
