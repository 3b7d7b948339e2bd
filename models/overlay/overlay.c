/* Overlays by name, their lanes indexed by tile, distances over their routes. */
#include "models/overlay/overlay.h"

#include "sim/base/arith.h"

#include <inttypes.h>

const char *const fs_role_names[FS_ROLE_COUNT] = {
    [FS_ROLE_SPARE] = "spare",
    [FS_ROLE_TRACER] = "tracer",
    [FS_ROLE_ROUTER] = "router",
    [FS_ROLE_GENERATOR] = "generator",
};

const char *const fs_dispatch_names[] = {
    [FS_DISPATCH_HASH] = "hash",
    [FS_DISPATCH_ROUND_ROBIN] = "round_robin",
    [FS_DISPATCH_LEAST_OCCUPIED] = "least_occupied",
    [FS_DISPATCH_LEAST_OCCUPIED + 1] = NULL,
};

static const uint32_t none = UINT32_MAX;

uint32_t fs_lane_capacity(const fs_lane *lane, uint32_t payload_bytes) {
    uint32_t share = lane->src_share < lane->dst_share ? lane->src_share : lane->dst_share;
    return share / payload_bytes;
}

uint64_t fs_overlay_queue(const fs_overlay *o, uint32_t tile) {
    uint64_t bytes = 0;
    for (uint32_t i = o->in_start[tile]; i < o->in_start[tile + 1]; i++)
        bytes += o->lanes[o->in_lane[i]].dst_share;
    return bytes;
}

static uint64_t queue_at(const fs_overlay *o, uint32_t tile, uint32_t share) {
    return o->shares_queues && o->role[tile] == FS_ROLE_TRACER ? fs_overlay_queue(o, tile) : share;
}

uint32_t fs_overlay_places(const fs_overlay *o, uint32_t lane, uint32_t payload_bytes) {
    const fs_lane *l = &o->lanes[lane];
    const uint64_t bytes = fs_least(queue_at(o, l->src, l->src_share), queue_at(o, l->dst, l->dst_share));
    return (uint32_t)fs_least(bytes / payload_bytes, INT32_MAX / payload_bytes);
}

void fs_overlay_begin(fs_overlay *overlay, uint32_t tiles, uint32_t shards, fs_arena *arena) {
    *overlay = (fs_overlay){
        .tiles = tiles,
        .shards = shards,
        .tracers = shards,
        .role = FS_NEW(arena, uint8_t, tiles),
        .level = FS_NEW(arena, uint8_t, tiles),
        .tracer_tile = FS_NEW(arena, uint32_t, shards),
        .tracer_of_tile = FS_NEW(arena, uint32_t, tiles),
        .shard_of_tile = FS_NEW(arena, uint32_t, tiles),
        .owner_start = FS_NEW(arena, uint32_t, (size_t)shards + 1),
        .owner = FS_NEW(arena, uint32_t, shards),
        .route_start = FS_NEW(arena, int64_t, tiles),
        .generator_tile = none,
    };
    for (uint32_t t = 0; t < tiles; t++) {
        overlay->shard_of_tile[t] = overlay->tracer_of_tile[t] = none;
        overlay->route_start[t] = FS_NO_ROUTE;
    }
    for (uint32_t s = 0; s < shards; s++)
        overlay->owner[s] = s;
    for (uint32_t s = 0; s <= shards; s++)
        overlay->owner_start[s] = s;
}

/* CSR of lanes over tiles, entry `port` of a tile being the lane at that port. */
static fs_status index_ports(const fs_overlay *o, bool outgoing, uint32_t *start, uint32_t *lane_at,
                             fs_error *err) {
    for (uint32_t l = 0; l < o->lane_count; l++)
        start[(outgoing ? o->lanes[l].src : o->lanes[l].dst) + 1]++;
    for (uint32_t t = 0; t < o->tiles; t++)
        start[t + 1] += start[t];
    for (uint32_t l = 0; l < o->lane_count; l++)
        lane_at[l] = none;
    for (uint32_t l = 0; l < o->lane_count; l++) {
        uint32_t tile = outgoing ? o->lanes[l].src : o->lanes[l].dst;
        uint32_t port = outgoing ? o->lanes[l].src_port : o->lanes[l].dst_port;
        if (port >= start[tile + 1] - start[tile] || lane_at[start[tile] + port] != none)
            return fs_fail(err, FS_BROKEN,
                           "overlay: %s port %" PRIu32 " of tile %" PRIu32
                           " is taken twice or leaves a gap below it",
                           outgoing ? "out" : "in", port, tile);
        lane_at[start[tile] + port] = l;
    }
    return FS_OK;
}

fs_status fs_overlay_index(fs_overlay *overlay, fs_arena *arena, fs_error *err) {
    fs_overlay *o = overlay;
    for (uint32_t l = 0; l < o->lane_count; l++)
        if (o->lanes[l].src >= o->tiles || o->lanes[l].dst >= o->tiles)
            return fs_fail(err, FS_BROKEN,
                           "overlay: a lane joins tiles %" PRIu32 " and %" PRIu32 " on a machine of %" PRIu32,
                           o->lanes[l].src, o->lanes[l].dst, o->tiles);
    o->out_start = FS_NEW(arena, uint32_t, (size_t)o->tiles + 1);
    o->out_lane = FS_NEW(arena, uint32_t, o->lane_count);
    fs_status status = index_ports(o, true, o->out_start, o->out_lane, err);
    if (status)
        return status;
    /* out_lane is the order by (src, src_port): the lanes take it, and lane numbers become positions. */
    fs_lane *sorted = FS_NEW(arena, fs_lane, o->lane_count);
    for (uint32_t i = 0; i < o->lane_count; i++)
        sorted[i] = o->lanes[o->out_lane[i]];
    for (uint32_t i = 0; i < o->lane_count; i++)
        o->out_lane[i] = i;
    o->lanes = sorted;
    o->in_start = FS_NEW(arena, uint32_t, (size_t)o->tiles + 1);
    o->in_lane = FS_NEW(arena, uint32_t, o->lane_count);
    return index_ports(o, false, o->in_start, o->in_lane, err);
}

/* Where a ray that wants `tracer` goes next from `tile`: by its routes, else by its first way out. */
static uint32_t next_tile(const fs_overlay *o, uint32_t tile, uint32_t tracer) {
    uint32_t port = o->route_start[tile] >= 0 ? o->route[o->route_start[tile] + tracer] : 0;
    return port < fs_overlay_out_degree(o, tile) ? fs_overlay_neighbour(o, tile, port) : none;
}

uint32_t fs_overlay_distance(const fs_overlay *overlay, uint32_t from_tracer, uint32_t to_tracer) {
    uint32_t goal = overlay->tracer_tile[to_tracer];
    uint32_t tile = from_tracer == none ? overlay->generator_tile : overlay->tracer_tile[from_tracer];
    if (tile == goal && overlay->route_start[tile] >= 0)
        return 0;
    for (uint32_t hops = 1; hops <= overlay->tiles; hops++) {
        tile = next_tile(overlay, tile, to_tracer);
        if (tile == goal)
            return hops;
        if (tile == none || overlay->route_start[tile] < 0)
            return none;
    }
    return none;
}
