/* Overlays: the logical network that rays travel. An overlay kind is one C file: a parameter table and a plan
 * function that fills an fs_overlay; nothing else in foamsim knows a kind by name but registry/registry.c.
 *
 * Ports. Each tile numbers its incoming and outgoing lanes from 0; ports of one number face the same
 * neighbour, so a router answers where it heard. A quadtree router has ports 0 ... 3 for its children and 4
 * for its parent (the generator at the root); a tracer has port 0, its router; the generator has port 0, the
 * root.
 */
#ifndef FOAMSIM_MODELS_OVERLAY_OVERLAY_H
#define FOAMSIM_MODELS_OVERLAY_OVERLAY_H

#include "models/machine/machine.h"
#include "sim/base/alloc.h"
#include "sim/base/error.h"
#include "sim/config/param.h"

#include <stdint.h>

typedef enum fs_role {
    FS_ROLE_SPARE,
    FS_ROLE_TRACER,
    FS_ROLE_ROUTER,
    FS_ROLE_GENERATOR,
    FS_ROLE_COUNT
} fs_role;
extern const char *const fs_role_names[FS_ROLE_COUNT]; /* "spare", "tracer", "router", "generator" */

enum { FS_MAX_PORTS = 32 };

/* One directed buffer pair: an out buffer at src, an in buffer at dst. */
typedef struct fs_lane {
    uint32_t src, dst;             /* tiles */
    uint32_t src_port, dst_port;   /* out port at src, in port at dst */
    uint32_t src_share, dst_share; /* bytes of SRAM that each end gives its buffer */
} fs_lane;

typedef struct fs_overlay {
    uint32_t tiles; /* of the machine */
    uint32_t tracers, routers, generators, spares;
    uint32_t levels; /* of routers; 5 for 1,024 tracers in a quadtree */
    uint8_t *role;   /* [tiles] fs_role */
    uint8_t *level;  /* [tiles] 0 tracer and spare, 1 ... levels router (1 next to the tracers), levels + 1
                        generator */
    uint32_t *tracer_tile;   /* [tracers] tile of shard s; ascending */
    uint32_t *shard_of_tile; /* [tiles] shard of a tracer tile, else 0xffffffff */
    uint32_t generator_tile;
    uint32_t generator_ring; /* slots of the generator's backlog ring */
    fs_lane *lanes;          /* [lane_count], ascending by (src, src_port) */
    uint32_t lane_count;
    uint32_t *in_start, *in_lane;   /* CSR over tiles: in_lane[in_start[t] + port] is a lane number */
    uint32_t *out_start, *out_lane; /* the same for outgoing lanes */
    /* Next hop: route[route_start[t] + s] is the out port at router t for a ray that wants shard s. */
    uint8_t *route;        /* [route_count] */
    uint64_t *route_start; /* [tiles]; routers only */
    uint64_t route_count;  /* routers x tracers */
} fs_overlay;

/* A kind. Parameters are a struct described by `table`; its row names are the keys of the overlay section. */
typedef struct fs_overlay_kind {
    int abi;             /* FS_OVERLAY_ABI */
    const char *name;    /* "quadtree" */
    const char *summary; /* one line for `foamsim list overlays` */
    const fs_param_table *table;
    /* Fills `out` for `shards` tracers on `machine`; memory from the arena. FS_INPUT with a sentence when the
     * numbers do not fit (not a power of four, too few tiles, ...). */
    fs_status (*plan)(const void *params, const fs_machine_params *machine, uint32_t shards, fs_arena *arena,
                      fs_overlay *out, fs_error *err);
} fs_overlay_kind;

enum { FS_OVERLAY_ABI = 1 };

extern const fs_overlay_kind fs_overlay_quadtree;
/* All of them, NULL-terminated: registry/registry.c. */
extern const fs_overlay_kind *const fs_overlay_kinds[];

/* The kind of that name from a NULL-terminated list, or NULL. */
const fs_overlay_kind *fs_overlay_find(const fs_overlay_kind *const *kinds, const char *name);

/* Helpers for plan functions. The arrays over tiles and tracers, all zero but shard_of_tile (none), for
 * `tiles` tiles of which `tracers` will be tracers. */
void fs_overlay_begin(fs_overlay *overlay, uint32_t tiles, uint32_t tracers, fs_arena *arena);
/* Given roles and lanes (any order), sorts the lanes and builds in/out indices. FS_BROKEN if a lane leaves
 * the machine, two lanes share a port or ports have gaps. */
fs_status fs_overlay_index(fs_overlay *overlay, fs_arena *arena, fs_error *err);

/* Capacity of a lane in rays: floor(min(src_share, dst_share) / payload_bytes). */
uint32_t fs_lane_capacity(const fs_lane *lane, uint32_t payload_bytes);

/* Hops (lanes) of an uncontended ray from tracer a to tracer b, or from the generator (a = UINT32_MAX);
 * follows the routes, so it is what a ray really does. a == b goes up to the first router and back: 2 in a
 * quadtree. UINT32_MAX if the routes never arrive (fs_overlay_check finds such an overlay broken). */
uint32_t fs_overlay_distance(const fs_overlay *overlay, uint32_t from_shard, uint32_t to_shard);

/* Checks what must hold of every overlay: each tile one role, lanes join existing roles, ports of one number
 * face the same neighbour, every tracer reaches every other and is reached from the generator without a
 * routing loop, degrees within FS_MAX_PORTS, roles add up to the machine's tiles. FS_BROKEN with the first
 * violation. */
fs_status fs_overlay_check(const fs_overlay *overlay, fs_error *err);

#endif
