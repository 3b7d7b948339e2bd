/* Where tiles lie on a network: at end points, by the chip's geometry where it has a grid's shape. */
#include "models/fabric/places.h"

#include <inttypes.h>
#include <stdlib.h>

/* As the user gave them. */
static fs_status given(uint32_t *end_of, const fs_fabric_chip *chip, const fs_noc_graph *graph,
                       fs_error *err) {
    const fs_int_list *list = &chip->noc->tiles;
    uint8_t *used = fs_calloc(graph->ends, 1);
    fs_status status = FS_OK;
    if (list->count < chip->tiles)
        status = fs_fail(err, FS_INPUT,
                         "machine.exchange.noc.tiles: expected an end point for each of the %" PRIu32
                         " tiles, found %zu",
                         chip->tiles, list->count);
    for (uint32_t t = 0; status == FS_OK && t < chip->tiles; t++) {
        const int64_t end = list->item[t];
        if (end >= graph->ends)
            status = fs_fail(err, FS_INPUT,
                             "machine.exchange.noc.tiles[%" PRIu32 "]: expected an end point, 0 to %" PRIu32
                             ", found %" PRId64,
                             t, graph->ends - 1, end);
        else if (used[end]++ > 0)
            status = fs_fail(
                err, FS_INPUT,
                "machine.exchange.noc.tiles[%" PRIu32 "]: end point %" PRId64 " has a tile already", t, end);
        else
            end_of[t] = (uint32_t)end;
    }
    free(used);
    return status;
}

const uint32_t *fs_fabric_places(fs_arena *arena, const fs_fabric_chip *chip, const fs_noc_graph *graph,
                                 fs_error *err) {
    uint32_t *end_of = FS_NEW(arena, uint32_t, chip->tiles);
    const fs_geometry_params *g = chip->geometry;
    if (chip->tiles > graph->ends)
        return FS_FAIL_NULL(
            err, FS_INPUT,
            "machine.exchange.noc.size: expected at least as many end points as the machine has "
            "tiles, %" PRIu32 ", found %" PRIu32,
            chip->tiles, graph->ends);
    if (chip->noc->tiles_given)
        return given(end_of, chip, graph, err) ? NULL : end_of;
    const fs_noc_sizes grid = fs_noc_digits(arena, chip->noc, graph->ends);
    const bool fits = grid.count == 2 && chip->noc->topology != FS_NOC_FAT_TREE &&
                      grid.of[0] >= 2 * g->columns && grid.of[1] >= 2 * g->rows;
    for (uint32_t t = 0; t < chip->tiles; t++) {
        const fs_position p = fs_geometry_position(g, t);
        end_of[t] = fits ? (2 * p.row + p.sub / 2) * grid.of[0] + 2 * p.column + p.sub % 2 : t;
    }
    return end_of;
}
