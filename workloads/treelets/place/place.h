/* Placement: which tiles hold which treelets (docs/design/treelets.md, Placement). One copy of each by falling
 * bytes, so that large ones find room; then further copies, one by one, to whom most is expected.
 *
 *     double *load = FS_NEW(arena, double, cut.treelets);
 *     fs_place_pilot(&its, 16, load);
 *     if (fs_place_make(&cut, load, &params, arena, &placement, err))
 *         return err->status;
 */
#pragma once

#include "workloads/treelets/cut/cut.h"
#include "workloads/treelets/record/itinerary.h"

#include <stdbool.h>

/* Further copies: to the treelet of the greatest load a copy; to each in turn; none. workload.copies */
typedef enum fs_place_rule { FS_PLACE_LOAD, FS_PLACE_EVEN, FS_PLACE_ONE } fs_place_rule;
/* Copies over chips: dealt, to the chip that has fewest of it; or in the tree's order, on the chip of its number
 * as long as that has room. */
typedef enum fs_place_spread { FS_PLACE_DEALT, FS_PLACE_IN_ORDER } fs_place_spread;

typedef struct fs_place_params {
    fs_place_rule rule;
    fs_place_spread spread;
    uint32_t tiles, chips; /* chips: that share the tiles evenly, at least 1 */
    const uint64_t *room;  /* [tiles] bytes for treelets */
    uint32_t most;         /* treelets of a tile; 0: as many as have room */
} fs_place_params;

typedef struct fs_placement {
    uint32_t treelets, tiles, chips, copies; /* copies: of all treelets */
    /* CSR: copies of treelet k on chip c are tile[start[k * chips + c]] ..., ascending. */
    uint32_t *start;  /* [treelets * chips + 1] */
    uint32_t *tile;   /* [copies] */
    uint64_t *bytes;  /* [tiles] of its treelets */
    double *expected; /* [tiles] units of the pilot: of each treelet its load a copy */
    uint32_t words;   /* of a tile's bits */
    uint64_t *holds;  /* [tiles * words] bit k: holds treelet k */
} fs_placement;

/* Units of each treelet's work, load[treelets], in the first 1 / share of the paths in scattered order: visits, and
 * what follows them anywhere, which is done where the ray is. share 1: all paths. */
void fs_place_pilot(const fs_itineraries *its, uint32_t share, double *load);

/* FS_INPUT when one copy of each does not fit; the message has the number of triangles that would. Memory from
 * the arena. */
fs_status fs_place_make(const fs_treelet_cut *cut, const double *load, const fs_place_params *params,
                        fs_arena *arena, fs_placement *out, fs_error *err);

static inline bool fs_place_has(const fs_placement *p, uint32_t tile, uint32_t treelet) {
    return p->holds[(size_t)tile * p->words + treelet / 64] >> treelet % 64 & 1;
}
static inline uint32_t fs_place_copies(const fs_placement *p, uint32_t treelet) {
    return p->start[(treelet + 1) * p->chips] - p->start[treelet * p->chips];
}
/* The tile of the copy that a path takes: its number mod copies, among those on its chip if there are any. */
static inline uint32_t fs_place_of(const fs_placement *p, uint32_t treelet, uint64_t path, uint32_t chip) {
    const uint32_t *of = p->start + (size_t)treelet * p->chips;
    const uint32_t own = of[chip + 1] - of[chip];
    return own > 0 ? p->tile[of[chip] + path % own] : p->tile[of[0] + path % (of[p->chips] - of[0])];
}

/* The start order of paths: the i-th is i * stride mod paths, stride the least number of at least 0.618 paths
 * that is coprime to paths (1 of one path). */
uint64_t fs_place_stride(uint64_t paths);
