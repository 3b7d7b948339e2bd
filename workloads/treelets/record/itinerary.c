/* What a piece counts. */
#include "workloads/treelets/record/itinerary.h"

#include <stdlib.h>

void fs_itineraries_free(fs_itineraries *its) {
    free(its->first);
    free(its->piece);
    *its = (fs_itineraries){.paths = 0};
}

static void count_events(const uint16_t *n, bool smooth, uint64_t counts[FS_WALK_EVENTS]) {
    const uint64_t shear = (uint64_t)n[FS_PIECE_EDGE] + n[FS_PIECE_RANGE] + n[FS_PIECE_TRIANGLE];
    counts[FS_WALK_NODE] += n[FS_PIECE_NODE];
    counts[FS_WALK_AXIS] += n[FS_PIECE_AXIS];
    counts[FS_WALK_INNER] += n[FS_PIECE_INNER];
    counts[FS_WALK_LEAF] += shear + n[FS_PIECE_SPHERE] + n[FS_PIECE_DISC];
    counts[FS_WALK_SHEAR] += shear;
    counts[FS_WALK_EDGE_EXIT] += n[FS_PIECE_EDGE];
    counts[FS_WALK_RANGE_EXIT] += n[FS_PIECE_RANGE];
    counts[FS_WALK_TRIANGLE] += n[FS_PIECE_TRIANGLE];
    counts[smooth ? FS_WALK_SMOOTH : FS_WALK_NORMAL] += n[FS_PIECE_NORMAL];
    counts[FS_WALK_SPHERE] += n[FS_PIECE_SPHERE];
    counts[FS_WALK_SPHERE_ROOT] += n[FS_PIECE_ROOT];
    counts[FS_WALK_DISC] += n[FS_PIECE_DISC];
}

static uint64_t has(const fs_piece *piece, int bit) {
    return (piece->does & bit) != 0;
}

void fs_piece_count(const fs_piece *piece, bool smooth, uint64_t counts[FS_WALK_EVENTS]) {
    count_events(piece->event, smooth, counts);
    if (piece->treelet != FS_PIECE_ANYWHERE || has(piece, FS_PIECE_CONTINUES))
        return;
    counts[FS_WALK_CAMERA] += has(piece, FS_PIECE_CAMERA);
    counts[FS_WALK_SEGMENT] += has(piece, FS_PIECE_SEGMENT) + has(piece, FS_PIECE_SHADOW);
    counts[FS_WALK_EMISSION] += has(piece, FS_PIECE_EMISSION);
    counts[FS_WALK_ROULETTE] += has(piece, FS_PIECE_ROULETTE);
    counts[FS_WALK_ESCAPE] += has(piece, FS_PIECE_ESCAPE);
    counts[FS_WALK_END] += has(piece, FS_PIECE_END);
    if (!has(piece, FS_PIECE_HIT))
        return;
    counts[FS_WALK_HIT]++;
    counts[has(piece, FS_PIECE_SPECULAR)     ? FS_WALK_SPECULAR
           : has(piece, FS_PIECE_REFRACTIVE) ? FS_WALK_REFRACTIVE
                                             : FS_WALK_DIFFUSE]++;
}

bool fs_itineraries_asked_sun(const fs_itineraries *its, uint64_t path) {
    for (uint64_t i = its->first[path + 1]; i-- > its->first[path];)
        if (has(&its->piece[i], FS_PIECE_HIT))
            return !has(&its->piece[i], FS_PIECE_SPECULAR) && !has(&its->piece[i], FS_PIECE_REFRACTIVE);
    return false;
}
