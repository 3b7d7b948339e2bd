/* Overlays: the logical network that rays travel. An overlay kind is one C file: a parameter table and a plan
 * function that fills an fs_overlay; nothing else in foamsim knows a kind by name but registry/registry.c.
 *
 * Ports. Each tile numbers its incoming and outgoing lanes from 0; ports of one number face the same
 * neighbour, so a router answers where it heard. A quadtree router has ports 0 ... 3 for its children and 4
 * for its parent (the generator at the root); a tracer has port 0, its router; the generator has port 0, the
 * root.
 *
 * Routes. A tile with a routing table looks up, for the tracer that a ray wants, the port of its next lane;
 * where that lane has several `choices`, the overlay's dispatch policy takes one of them. Routers have a
 * table. A tracer that has one (mesh, direct) traces first and routes then, and delivers to itself without a
 * lane; a tracer without one answers each ray on the port where it heard it. A generator without one spreads
 * its rays over all its ports by the policy.
 *
 * Tracers and shards. Tracer i owns shard i; further tracers (replicas) may own the same shards again. Rays
 * want tracers: whoever hands a ray to a shard picks one of its tracers.
 */
#pragma once

#include "models/ipu/machine.h"
#include "sim/base/alloc.h"
#include "sim/base/error.h"
#include "sim/config/param.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum fs_role {
    FS_ROLE_SPARE,
    FS_ROLE_TRACER,
    FS_ROLE_ROUTER,
    FS_ROLE_GENERATOR,
    FS_ROLE_COUNT
} fs_role;
extern const char *const fs_role_names[FS_ROLE_COUNT]; /* "spare", "tracer", "router", "generator" */

/* Levels of routers: whoever keeps figures by level has room for these, the tracers below and the generator
 * above. */
enum { FS_MAX_PORTS = 240, FS_MAX_ROUTER_LEVELS = 14, FS_NO_ROUTE = -1 };

/* How a tile picks one of several lanes that lead a ray on equally well. The counts of the last two are
 * the tile's own and begin anew in each iteration. */
typedef enum fs_dispatch {
    FS_DISPATCH_HASH,           /* by the ray's pixel: a pixel's rays always take the same lanes */
    FS_DISPATCH_ROUND_ROBIN,    /* each worker takes the lanes in turn */
    FS_DISPATCH_LEAST_OCCUPIED, /* the lane that got fewest rays so far in this iteration */
} fs_dispatch;
extern const char *const fs_dispatch_names[]; /* in that order, NULL-terminated: choices of a parameter row */

/* Where the tiles of an overlay lie on several chips. */
enum { FS_PLACED_SUBTREE, FS_PLACED_SPREAD, FS_PLACED_FILLED };
extern const char *const fs_overlay_placements[]; /* in that order, NULL-terminated */

/* One directed buffer pair: an out buffer at src, an in buffer at dst. */
typedef struct fs_lane {
    uint32_t src, dst;             /* tiles */
    uint32_t src_port, dst_port;   /* out port at src, in port at dst */
    uint32_t src_share, dst_share; /* bytes of SRAM that each end gives its buffer */
    uint32_t choices; /* a route that names src_port may take ports [src_port, src_port + choices); 0 is 1 */
} fs_lane;

typedef struct fs_overlay {
    uint32_t tiles;                                /* of the machine */
    uint32_t shards;                               /* <= tracers */
    uint32_t tracers, routers, generators, spares; /* tiles of each role */
    uint32_t levels;                               /* of routers; 5 for 1,024 tracers in a quadtree */
    uint8_t *role;                                 /* [tiles] fs_role */
    uint8_t *level; /* [tiles] 0 tracer and spare, 1 ... levels router (1 next to the tracers), levels + 1
                       generator */
    uint32_t *tracer_tile;    /* [tracers] */
    uint32_t *tracer_of_tile; /* [tiles] tracer of a tracer tile, else 0xffffffff */
    uint32_t *shard_of_tile;  /* [tiles] shard that it owns, else 0xffffffff */
    uint32_t *owner_start;    /* [shards + 1] CSR over shards: */
    uint32_t *owner;          /* [tracers] tracers that own shard s; the first is tracer s */
    uint32_t longest;         /* lanes between the two tracers that are farthest apart; 0: not counted yet */
    uint32_t generator_tile;
    uint32_t generator_ring; /* slots of the generator's backlog ring */
    bool generator_given;    /* its tile has been named, and stays */
    uint32_t placed;         /* FS_PLACED_*: on several chips */
    uint32_t chip_tiles;     /* tiles of a chip, of several; 0: all are on one */
    fs_lane *lanes;          /* [lane_count], ascending by (src, src_port) */
    uint32_t lane_count;
    uint32_t *in_start, *in_lane;   /* CSR over tiles: in_lane[in_start[t] + port] is a lane number */
    uint32_t *out_start, *out_lane; /* the same for outgoing lanes */
    /* Bytes of a tile's SRAM that each further lane end takes from its buffers, because the buffers are all
     * that is left (exchange code); 0 where the buffers were given. For fs_overlay_replicate. */
    uint32_t end_overhead;
    fs_dispatch dispatch;
    bool
        shares_queues; /* lanes of a tracer share its queue in, and its queue out: a share is a part of it that any
                           lane may use (fs_overlay_places) */
    /* Next hop: route[route_start[t] + i] is the out port at tile t for a ray that wants tracer i. */
    uint8_t *route;       /* [route_count] */
    int64_t *route_start; /* [tiles]; FS_NO_ROUTE: the tile has no table */
    uint64_t route_count;
} fs_overlay;

/* What a plan is made for. Borrowed. */
typedef struct fs_overlay_site {
    const fs_machine_params *machine;
    uint32_t shards;
    uint32_t payload_bytes; /* of a ray in a lane */
    /* SRAM that is left for lanes once code, state, shard and framebuffer have theirs. Still to be paid are
     * exchange code (machine->memory.exchange_code_per_message for each end of a lane), a router's code on a
     * tracer that routes, and the generator's backlog ring. For kinds that size lanes by what is left. */
    const uint64_t *free_tracer; /* [shards] bytes, 0 where nothing is left */
    uint64_t free_router, free_generator;
    uint64_t routing_code; /* bytes of a router's code on a tracer that routes */
    /* CSR over shards: shards that share a face with shard s, ascending, s left out. */
    const uint32_t *neighbour_start, *neighbour;
    const uint32_t *entry; /* [entries] shards in which rays begin: those of the cameras */
    uint32_t entries;
    const struct fs_config *config; /* whose section "overlay" the parameters are: their places for messages;
                                       NULL: messages name the keys alone */
} fs_overlay_site;

/* A kind. Parameters are a struct described by `table`; its row names are the keys of the overlay section. */
typedef struct fs_overlay_kind {
    int abi;             /* FS_OVERLAY_ABI */
    const char *name;    /* "quadtree" */
    const char *summary; /* one line for `foamsim list overlays` */
    const fs_param_table *table;
    bool by_neighbours; /* the plan follows from the shards that touch, which a cut scene alone tells */
    /* Fills `out` for site->shards tracers; memory from the arena. FS_INPUT with a sentence when the numbers
     * do not fit (not a power of four, too few tiles, ...). */
    fs_status (*plan)(const void *params, const fs_overlay_site *site, fs_arena *arena, fs_overlay *out,
                      fs_error *err);
} fs_overlay_kind;

enum { FS_OVERLAY_ABI = 2 };

/* Plans the kind that site->config names, with its parameters; errors are the kind's. */
fs_status fs_overlay_plan(const fs_overlay_site *site, fs_arena *arena, fs_overlay *out, fs_error *err);

/* Whether the kind that an experiment names can be planned for so many shards at all, were each tile's SRAM
 * free: what can be known without the scene. Plans nothing for kinds that go by neighbours. FS_INPUT with the
 * place and the kind's sentence. */
fs_status fs_overlay_check_plan(const struct fs_config *config, uint32_t shards, uint32_t payload_bytes,
                                fs_error *err);

/* Helpers for plan functions. The arrays over tiles and tracers: no roles, no routes, tracer i owning shard
 * i, for `tiles` tiles and as many tracers as shards; generator_tile none. */
void fs_overlay_begin(fs_overlay *overlay, uint32_t tiles, uint32_t shards, fs_arena *arena);
/* Given roles and lanes (any order), sorts the lanes and builds in/out indices. FS_BROKEN if a lane leaves
 * the machine, two lanes share a port or ports have gaps. */
fs_status fs_overlay_index(fs_overlay *overlay, fs_arena *arena, fs_error *err);

/* Moves the tiles of a planned overlay to their chips by `placed`: shards in equal runs, a router to the chip of all
 * below it, else to the first with room, or to those chips in turn, the generator to its router's. Lanes are sorted anew. Nothing on one chip.
 * FS_INPUT when a chip has no room for its shards and routers. */
fs_status fs_overlay_place_on_chips(fs_overlay *overlay, const fs_machine_params *machine, fs_arena *arena,
                                    fs_error *err);

/* Capacity of a lane in rays: floor(min(src_share, dst_share) / payload_bytes). */
uint32_t fs_lane_capacity(const fs_lane *lane, uint32_t payload_bytes);
/* Bytes of the queue that a tile's lanes share, in or out alike: of all their shares. */
uint64_t fs_overlay_queue(const fs_overlay *overlay, uint32_t tile);
/* Rays that a lane's two queues hold for it at most: its capacity, or where queues are shared what the smaller
 * of them holds. */
uint32_t fs_overlay_places(const fs_overlay *overlay, uint32_t lane, uint32_t payload_bytes);

/* Gives each of shard[count] `copies` - 1 further tracers on the lowest spare tiles, joined to the first
 * owner's router (to the owner itself where that routes). The buffers of the tile that gets more lanes are
 * shared out again among all its lanes. FS_INPUT when spare tiles or ports run out. To be called after
 * plan. */
fs_status fs_overlay_replicate(fs_overlay *overlay, const uint32_t *shard, size_t count, uint32_t copies,
                               fs_arena *arena, fs_error *err);

/* Hops (lanes) of an uncontended ray from tracer a to tracer b, or from the generator (a = UINT32_MAX);
 * follows the routes, so it is what a ray really does. a == b: up to the first router and back, 2 in a
 * quadtree; 0 where the tracer routes. UINT32_MAX if the routes never arrive (fs_overlay_check finds such an
 * overlay broken). */
uint32_t fs_overlay_distance(const fs_overlay *overlay, uint32_t from_tracer, uint32_t to_tracer);

/* Checks what must hold of every overlay: each tile one role, lanes join existing roles, ports of one number
 * face the same neighbour, every tracer reaches every other and is reached from the generator without a
 * routing loop whatever the dispatch chooses, all choices being equally far, degrees within FS_MAX_PORTS, the
 * two lanes between two tiles of equal capacity (so that a tile never takes in more than it can give), roles
 * add up to the machine's tiles. FS_BROKEN with the first violation. */
fs_status fs_overlay_check(const fs_overlay *overlay, fs_error *err);
/* The same, and how many lanes lie between the two tracers that are farthest apart: known on the way. */
fs_status fs_overlay_check_longest(const fs_overlay *overlay, uint32_t *longest, fs_error *err);

static inline uint32_t fs_overlay_in_degree(const fs_overlay *o, uint32_t tile) {
    return o->in_start[tile + 1] - o->in_start[tile];
}
static inline uint32_t fs_overlay_out_degree(const fs_overlay *o, uint32_t tile) {
    return o->out_start[tile + 1] - o->out_start[tile];
}
/* The tile that a port sends to. */
static inline uint32_t fs_overlay_neighbour(const fs_overlay *o, uint32_t tile, uint32_t port) {
    return o->lanes[o->out_lane[o->out_start[tile] + port]].dst;
}

/* Bytes of code that programs of an overlay's roles take in a tile's SRAM, and their rows for a workload that
 * runs over an overlay. */
typedef struct fs_role_code { /* bytes of code, constants and stacks */
    int64_t tracer, router, generator;
} fs_role_code;

/* Rows code.tracer, code.router, code.generator for a fs_role_code that is the member m of struct S. */
#define FS_ROLE_CODE_ROWS(S, m)                                                                              \
    FS_PARAM_INT(                                                                                            \
        "code.tracer", S, m.tracer, BYTES, "32 KiB", 0, 1e12,                                                \
        "code, constants and stacks of a tracer: what is left of about 450 kB beside 413 kB of data",        \
        TRAFFIC, .from = {"RF section 5.2; published.md 1, tracer SRAM", 'I'},                               \
        .was = "machine.memory.code_tracer"),                                                                \
        FS_PARAM_INT(                                                                                        \
            "code.router", S, m.router, BYTES, "40 KiB", 0, 1e12,                                            \
            "code, constants and stacks of a router: fits beside 576 kB of buffers in a nearly full tile",   \
            TRAFFIC, .from = {"RF section 5.2 and section 5.5", 'I'}, .was = "machine.memory.code_router"),  \
        FS_PARAM_INT("code.generator", S, m.generator, BYTES, "32 KiB", 0, 1e12,                             \
                     "code, constants and stacks of the generator: as a tracer's", TRAFFIC,                  \
                     .from = {"no source", 'A'}, .was = "machine.memory.code_generator")

/* Of a tile of that role; spare tiles have none. */
static inline uint64_t fs_role_code_bytes(const fs_role_code *code, fs_role role) {
    const int64_t bytes[FS_ROLE_COUNT] = {[FS_ROLE_TRACER] = code->tracer,
                                          [FS_ROLE_ROUTER] = code->router,
                                          [FS_ROLE_GENERATOR] = code->generator};
    return (uint64_t)bytes[role];
}
