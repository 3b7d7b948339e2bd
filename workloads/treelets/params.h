/* Parameters of treelets: workload.kind treelets. */
#pragma once

#include "models/ipu/machine.h"
#include "sim/config/param.h"

/* workload.exchange: auto goes by machine.exchange.mode. */
enum { FS_TREELETS_AUTO, FS_TREELETS_DYNAMIC, FS_TREELETS_ROTATION };
enum { FS_TREELETS_SCATTERED, FS_TREELETS_IMAGE };                 /* workload.start */
enum { FS_TREELETS_WHOLE, FS_TREELETS_COMPACT, FS_TREELETS_HOME }; /* workload.payload */

typedef struct fs_treelets_params {
    /* geometry */
    int64_t width, height, seed, samples, most_segments, roulette_above;
    double jitter;
    int64_t node_bytes;
    int64_t treelet_bytes, treelet_count; /* 0: no limit; 0: by bytes alone */
    int64_t cut, order, light;            /* fs_treelet_rule, fs_itineraries_order, fs_itineraries_light */
    /* traffic */
    int64_t copies;        /* fs_place_rule */
    int64_t io_tiles;      /* of a chip the highest, that hold no treelets */
    int64_t spread;        /* fs_place_spread: of copies over chips */
    int64_t tile_treelets; /* most of a tile; 0: as many as have room */
    int64_t room;          /* bytes of a tile for treelets; FS_WORD_VALUE: what its SRAM leaves */
    int64_t quantum, window, capacity, start;
    int64_t payload, exchange, slots;
    int64_t code; /* bytes */
} fs_treelets_params;

/* The rules between the values of an experiment. */
struct fs_config;
void fs_treelets_check(const struct fs_config *config, fs_check *check);

/* FS_TREELETS_DYNAMIC or FS_TREELETS_ROTATION. */
static inline int64_t fs_treelets_exchange(const fs_treelets_params *p, const fs_machine_params *m) {
    return p->exchange != FS_TREELETS_AUTO ? p->exchange
           : fs_fabric_plans(&m->exchange) ? FS_TREELETS_ROTATION
                                           : FS_TREELETS_DYNAMIC;
}
/* B of a ray that moves: whole: origin 12, direction 12, t 4, hit 4, normal 12, throughput 12, emitted 12, random
 * numbers 16, pixel 4, sample 2, hits 1, flags 1, stack 16; compact: halves and octahedral normals; home: what a
 * search needs (treelets.md 1). */
uint32_t fs_treelets_payload(const fs_treelets_params *params);
/* Tiles of a chip that may hold treelets; of all chips, numbered through them; the machine's tile of one of these. */
static inline uint32_t fs_treelets_of_chip(const fs_treelets_params *p, const fs_machine_params *m) {
    return fs_geometry_tiles(&m->geometry) - (uint32_t)p->io_tiles;
}
static inline uint32_t fs_treelets_tiles(const fs_treelets_params *p, const fs_machine_params *m) {
    return fs_machine_chips(m) * fs_treelets_of_chip(p, m);
}
static inline uint32_t fs_treelets_tile(const fs_treelets_params *p, const fs_machine_params *m,
                                        uint32_t tile) {
    const uint32_t own = fs_treelets_of_chip(p, m);
    return tile / own * fs_geometry_tiles(&m->geometry) + tile % own;
}
/* Tiles between which rays travel: of one chip all, as routers of an overlay may lie on those without treelets. */
static inline uint32_t fs_treelets_travelled(const fs_treelets_params *p, const fs_machine_params *m) {
    return fs_machine_chips(m) == 1 ? fs_geometry_tiles(&m->geometry) : fs_treelets_tiles(p, m);
}
static inline uint64_t fs_treelets_paths(const fs_treelets_params *p) {
    return (uint64_t)(p->width * p->height * p->samples);
}
