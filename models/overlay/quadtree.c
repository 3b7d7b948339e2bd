#include "models/overlay/quadtree.h"

#include "models/overlay/overlay.h"

#include <inttypes.h>

enum {
    CHILDREN = 4,
    PARENT_PORT = CHILDREN,
    ROUTER_LANES = 2 * (CHILDREN + 1), /* in and out */
    END_LANES = 2,                     /* of a tracer or the generator */
    WORD = 4,                          /* bytes; exchange granularity, ipu.md 4 */
    GENERATOR_FROM_END = 12,           /* tile 1460 of 1472, ipu.md 7 */
};

#define ROW(key, member, unit, def, lo, hi, doc, source, confidence)                                         \
    FS_PARAM_INT(key, fs_quadtree_params, member, unit, def, lo, hi, doc, source, confidence,                \
                 FS_TOUCHES_TRAFFIC)

/* The smallest buffers hold one ray of the largest payload (48 B) in each lane. */
static const fs_param rows[] = {
    ROW("router_buffer", router_buffer, FS_UNIT_BYTES, "576000 B", 48 * ROUTER_LANES, 1e9,
        "SRAM of a router for its lanes, shared equally among five in and five out",
        "ipu.md 7; RF section 5.5", 'P'),
    ROW("tracer_buffer", tracer_buffer, FS_UNIT_BYTES, "115200 B", 48 * END_LANES, 1e9,
        "SRAM of a tracer for its lanes, one in and one out", "ipu.md 7; RF section 5.5", 'P'),
    ROW("generator_buffer", generator_buffer, FS_UNIT_BYTES, "115200 B", 48 * END_LANES, 1e9,
        "SRAM of the generator for its lanes, one in and one out", "ipu.md 7", 'R'),
    ROW("generator_ring", generator_ring, FS_UNIT_NONE, "5760", 0, 1e9,
        "rays that the generator's backlog ring holds", "ipu.md 7, generator schedule", 'R'),
    ROW("generator_tile", generator_tile, FS_UNIT_NONE, "-1", -1, 1e9,
        "logical tile of the generator; -1: the larger of the first free tile and tiles - 12",
        "ipu.md 7 (tile 1460)", 'R'),
};

const fs_param_table fs_overlay_quadtree_table = {
    .name = "overlay/quadtree",
    .doc = "tree of routers with four children each over a power of four of tracers",
    .rows = rows,
    .count = sizeof rows / sizeof rows[0],
    .size = sizeof(fs_quadtree_params),
};

static uint32_t routers_over(uint32_t shards) {
    return (shards - 1) / (CHILDREN - 1); /* shards/4 + shards/16 + ... + 1 */
}

static fs_status check_shards(uint32_t shards, uint32_t *levels, fs_error *err) {
    uint64_t power = CHILDREN;
    *levels = 1;
    for (; power < shards; power *= CHILDREN)
        ++*levels;
    if (power == shards)
        return FS_OK;
    if (shards < CHILDREN)
        return fs_fail(err, FS_INPUT,
                       "overlay quadtree: expected a power of four of shards (4, 16, 64, 256, "
                       "1024, ...), found %" PRIu32 "; the smallest is 4",
                       shards);
    return fs_fail(err, FS_INPUT,
                   "overlay quadtree: expected a power of four of shards (4, 16, 64, 256, 1024, "
                   "...), found %" PRIu32 "; the nearest are %" PRIu64 " and %" PRIu64,
                   shards, power / CHILDREN, power);
}

static fs_status place_generator(const fs_quadtree_params *params, const fs_machine_params *machine,
                                 uint32_t tiles, uint32_t shards, uint32_t *tile, fs_error *err) {
    uint32_t first_free = shards + routers_over(shards);
    if (first_free >= tiles)
        return fs_fail(err, FS_INPUT,
                       "overlay quadtree: %" PRIu32 " shards need %" PRIu32 " tracers, %" PRIu32
                       " routers and a generator = %" PRIu32 " tiles, machine \"%s\" has %" PRIu32
                       "; use fewer shards or a larger machine",
                       shards, shards, routers_over(shards), first_free + 1, machine->name, tiles);
    if (params->generator_tile < 0) {
        bool near_end = tiles > GENERATOR_FROM_END && tiles - GENERATOR_FROM_END > first_free;
        *tile = near_end ? tiles - GENERATOR_FROM_END : first_free;
        return FS_OK;
    }
    if (params->generator_tile < first_free || params->generator_tile >= tiles)
        return fs_fail(err, FS_INPUT,
                       "overlay.generator_tile: expected a tile that is free (%" PRIu32 " ... %" PRIu32
                       ") or -1, found %" PRId64,
                       first_free, tiles - 1, params->generator_tile);
    *tile = (uint32_t)params->generator_tile;
    return FS_OK;
}

static uint32_t share_of(int64_t buffer, int lanes) {
    return (uint32_t)(buffer / lanes / WORD * WORD);
}

/* The two lanes between a tile's only or parent port and a router's port. */
static void join(fs_overlay *o, uint32_t child, uint32_t child_port, uint32_t child_share, uint32_t router,
                 uint32_t router_port, uint32_t router_share) {
    o->lanes[o->lane_count++] = (fs_lane){.src = child,
                                          .dst = router,
                                          .src_port = child_port,
                                          .dst_port = router_port,
                                          .src_share = child_share,
                                          .dst_share = router_share};
    o->lanes[o->lane_count++] = (fs_lane){.src = router,
                                          .dst = child,
                                          .src_port = router_port,
                                          .dst_port = child_port,
                                          .src_share = router_share,
                                          .dst_share = child_share};
}

/* Router i of a level serves `width` shards from i * width on: those go to the child that has them, all
 * others to the parent. */
static void route(fs_overlay *o, uint32_t router, uint32_t i, uint32_t width) {
    uint8_t *port = o->route + o->route_start[router];
    for (uint32_t s = 0; s < o->tracers; s++)
        port[s] = (uint8_t)(s / width == i ? s % width / (width / CHILDREN) : (uint32_t)PARENT_PORT);
}

static void plan_routers(fs_overlay *o, const fs_quadtree_params *params) {
    uint32_t router_share = share_of(params->router_buffer, ROUTER_LANES);
    uint32_t below = 0, first = o->tracers, width = 1;
    for (uint32_t level = 1; level <= o->levels; level++) {
        width *= CHILDREN;
        uint32_t child_port = level == 1 ? 0 : PARENT_PORT;
        uint32_t child_share = level == 1 ? share_of(params->tracer_buffer, END_LANES) : router_share;
        for (uint32_t i = 0; i < o->tracers / width; i++) {
            uint32_t router = first + i;
            o->role[router] = FS_ROLE_ROUTER;
            o->level[router] = (uint8_t)level;
            o->route_start[router] = (int64_t)(router - o->tracers) * o->tracers;
            for (uint32_t c = 0; c < CHILDREN; c++)
                join(o, below + i * CHILDREN + c, child_port, child_share, router, c, router_share);
            route(o, router, i, width);
        }
        below = first;
        first += o->tracers / width;
    }
    join(o, o->generator_tile, 0, share_of(params->generator_buffer, END_LANES), below, PARENT_PORT,
         router_share);
}

static fs_status plan(const void *params, const fs_overlay_site *site, fs_arena *arena, fs_overlay *out,
                      fs_error *err) {
    const fs_quadtree_params *p = params;
    const fs_machine_params *machine = site->machine;
    const uint32_t shards = site->shards;
    uint32_t tiles = fs_geometry_tiles(&machine->geometry), levels = 0, generator = 0;
    fs_status status = check_shards(shards, &levels, err);
    if (!status)
        status = place_generator(p, machine, tiles, shards, &generator, err);
    if (status)
        return status;
    fs_overlay_begin(out, tiles, shards, arena);
    out->routers = routers_over(shards);
    out->generators = 1;
    out->spares = tiles - shards - out->routers - 1;
    out->levels = levels;
    for (uint32_t s = 0; s < shards; s++) {
        out->role[s] = FS_ROLE_TRACER;
        out->tracer_tile[s] = s;
        out->tracer_of_tile[s] = out->shard_of_tile[s] = s;
    }
    out->role[generator] = FS_ROLE_GENERATOR;
    out->level[generator] = (uint8_t)(levels + 1);
    out->generator_tile = generator;
    out->generator_ring = (uint32_t)p->generator_ring;
    out->route_count = (uint64_t)out->routers * shards;
    out->route = FS_NEW(arena, uint8_t, out->route_count);
    /* Two lanes for each tracer and each router (to its parent; the root's to the generator). */
    out->lanes = FS_NEW(arena, fs_lane, (size_t)2 * (shards + out->routers));
    plan_routers(out, p);
    return fs_overlay_index(out, arena, err);
}

const fs_overlay_kind fs_overlay_quadtree = {
    .abi = FS_OVERLAY_ABI,
    .name = "quadtree",
    .summary =
        "tree of routers with four children each (the paper's): 1,024 tracers, 341 routers, 1 generator",
    .table = &fs_overlay_quadtree_table,
    .plan = plan,
};
