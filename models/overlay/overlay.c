#include "models/overlay/overlay.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

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

const fs_overlay_kind *fs_overlay_find(const fs_overlay_kind *const *kinds, const char *name) {
    for (; *kinds != NULL; kinds++)
        if (strcmp((*kinds)->name, name) == 0)
            return *kinds;
    return NULL;
}

uint32_t fs_lane_capacity(const fs_lane *lane, uint32_t payload_bytes) {
    uint32_t share = lane->src_share < lane->dst_share ? lane->src_share : lane->dst_share;
    return share / payload_bytes;
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

static uint32_t neighbour_out(const fs_overlay *o, uint32_t tile, uint32_t port) {
    return o->lanes[o->out_lane[o->out_start[tile] + port]].dst;
}

static uint32_t out_degree(const fs_overlay *o, uint32_t tile) {
    return o->out_start[tile + 1] - o->out_start[tile];
}

/* Where a ray that wants `tracer` goes next from `tile`: by its routes, else by its first way out. */
static uint32_t next_tile(const fs_overlay *o, uint32_t tile, uint32_t tracer) {
    uint32_t port = o->route_start[tile] >= 0 ? o->route[o->route_start[tile] + tracer] : 0;
    return port < out_degree(o, tile) ? neighbour_out(o, tile, port) : none;
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

static fs_status check_roles(const fs_overlay *o, fs_error *err) {
    uint32_t count[FS_ROLE_COUNT] = {0};
    for (uint32_t t = 0; t < o->tiles; t++) {
        if (o->role[t] >= FS_ROLE_COUNT)
            return fs_fail(err, FS_BROKEN, "overlay: tile %" PRIu32 " has no role", t);
        count[o->role[t]]++;
        bool level_fits = o->role[t] == FS_ROLE_ROUTER      ? o->level[t] >= 1 && o->level[t] <= o->levels
                          : o->role[t] == FS_ROLE_GENERATOR ? o->level[t] == o->levels + 1
                                                            : o->level[t] == 0;
        if (!level_fits)
            return fs_fail(err, FS_BROKEN, "overlay: tile %" PRIu32 ", a %s, is on level %u", t,
                           fs_role_names[o->role[t]], o->level[t]);
    }
    if (count[FS_ROLE_TRACER] != o->tracers || count[FS_ROLE_ROUTER] != o->routers ||
        count[FS_ROLE_GENERATOR] != o->generators || count[FS_ROLE_SPARE] != o->spares)
        return fs_fail(err, FS_BROKEN,
                       "overlay: the tiles are %" PRIu32 " tracers, %" PRIu32 " routers, %" PRIu32
                       " generators and %" PRIu32 " spares, the plan says otherwise",
                       count[FS_ROLE_TRACER], count[FS_ROLE_ROUTER], count[FS_ROLE_GENERATOR],
                       count[FS_ROLE_SPARE]);
    if (o->generators != 1 || o->generator_tile >= o->tiles ||
        o->role[o->generator_tile] != FS_ROLE_GENERATOR)
        return fs_fail(err, FS_BROKEN, "overlay: generator_tile %" PRIu32 " is not the one generator",
                       o->generator_tile);
    return FS_OK;
}

static fs_status check_shards(const fs_overlay *o, fs_error *err) {
    for (uint32_t i = 0; i < o->tracers; i++) {
        uint32_t t = o->tracer_tile[i];
        if (t >= o->tiles || o->role[t] != FS_ROLE_TRACER || o->tracer_of_tile[t] != i ||
            o->shard_of_tile[t] >= o->shards || (i < o->shards && o->shard_of_tile[t] != i))
            return fs_fail(
                err, FS_BROKEN,
                "overlay: tracer %" PRIu32 ", tile %" PRIu32 " and its shard do not name each other", i, t);
    }
    for (uint32_t s = 0; s < o->shards; s++)
        for (uint32_t i = o->owner_start[s]; i < o->owner_start[s + 1]; i++)
            if (i >= o->tracers || o->owner[i] >= o->tracers ||
                o->shard_of_tile[o->tracer_tile[o->owner[i]]] != s ||
                (i == o->owner_start[s] && o->owner[i] != s))
                return fs_fail(err, FS_BROKEN, "overlay: the owners of shard %" PRIu32 " are not listed", s);
    for (uint32_t t = 0; t < o->tiles; t++)
        if (o->role[t] != FS_ROLE_TRACER && (o->shard_of_tile[t] != none || o->tracer_of_tile[t] != none))
            return fs_fail(err, FS_BROKEN, "overlay: tile %" PRIu32 ", a %s, has a shard", t,
                           fs_role_names[o->role[t]]);
    return FS_OK;
}

static fs_status check_lane(const fs_overlay *o, uint32_t l, fs_error *err) {
    const fs_lane *lane = &o->lanes[l], *before = l > 0 ? lane - 1 : NULL;
    if (lane->src >= o->tiles || lane->dst >= o->tiles || lane->src == lane->dst ||
        o->role[lane->src] == FS_ROLE_SPARE || o->role[lane->dst] == FS_ROLE_SPARE)
        return fs_fail(err, FS_BROKEN,
                       "overlay: lane %" PRIu32 " joins tiles %" PRIu32 " and %" PRIu32
                       ", which are not two tiles with roles",
                       l, lane->src, lane->dst);
    if (before &&
        (before->src > lane->src || (before->src == lane->src && before->src_port >= lane->src_port)))
        return fs_fail(err, FS_BROKEN, "overlay: lane %" PRIu32 " is out of order", l);
    if (lane->src_share == 0 || lane->dst_share == 0)
        return fs_fail(err, FS_BROKEN, "overlay: lane %" PRIu32 " has no buffer", l);
    return FS_OK;
}

/* The lanes at the ports of a tile know it, and ports of one number face the same neighbour. */
static fs_status check_ports(const fs_overlay *o, uint32_t t, fs_error *err) {
    uint32_t in = o->in_start[t + 1] - o->in_start[t], out = out_degree(o, t);
    if (in > FS_MAX_PORTS || out > FS_MAX_PORTS || in != out)
        return fs_fail(err, FS_BROKEN,
                       "overlay: tile %" PRIu32 " has %" PRIu32 " lanes in and %" PRIu32
                       " out; the same number of both, at most %d, is allowed",
                       t, in, out, FS_MAX_PORTS);
    if ((out == 0) != (o->role[t] == FS_ROLE_SPARE))
        return fs_fail(err, FS_BROKEN, "overlay: tile %" PRIu32 ", a %s, has %" PRIu32 " lanes", t,
                       fs_role_names[o->role[t]], out);
    for (uint32_t port = 0; port < out; port++) {
        uint32_t to = o->out_lane[o->out_start[t] + port], from = o->in_lane[o->in_start[t] + port];
        if (to >= o->lane_count || o->lanes[to].src != t || o->lanes[to].src_port != port ||
            from >= o->lane_count || o->lanes[from].dst != t || o->lanes[from].dst_port != port)
            return fs_fail(err, FS_BROKEN,
                           "overlay: the lanes at port %" PRIu32 " of tile %" PRIu32 " are not indexed", port,
                           t);
        if (o->lanes[to].dst != o->lanes[from].src)
            return fs_fail(err, FS_BROKEN,
                           "overlay: port %" PRIu32 " of tile %" PRIu32 " sends to tile %" PRIu32
                           " but hears tile %" PRIu32,
                           port, t, o->lanes[to].dst, o->lanes[from].src);
    }
    return FS_OK;
}

static fs_status check_routes(const fs_overlay *o, fs_error *err) {
    for (uint32_t t = 0; t < o->tiles; t++) {
        if (o->role[t] != FS_ROLE_ROUTER && o->route_start[t] < 0)
            continue;
        if (o->route_start[t] < 0 || (uint64_t)o->route_start[t] + o->tracers > o->route_count)
            return fs_fail(err, FS_BROKEN, "overlay: router tile %" PRIu32 " has no routes", t);
        for (uint32_t s = 0; s < o->tracers; s++)
            if (o->tracer_tile[s] != t && o->route[o->route_start[t] + s] >= out_degree(o, t))
                return fs_fail(err, FS_BROKEN,
                               "overlay: tile %" PRIu32 " sends tracer %" PRIu32
                               " to port %u, which it has not",
                               t, s, o->route[o->route_start[t] + s]);
    }
    return FS_OK;
}

/* Every start (each tracer and the generator) reaches shard s. Routes to one shard are a function of the
 * tile, so a tile once known to arrive ends the walk: linear in tiles for a shard. arrives[t] == s + 1:
 * known. */
static fs_status check_reach(const fs_overlay *o, uint32_t s, uint32_t *arrives, fs_error *err) {
    uint32_t goal = o->tracer_tile[s];
    for (uint32_t start = 0; start < o->tiles; start++) {
        if (o->role[start] != FS_ROLE_TRACER && o->role[start] != FS_ROLE_GENERATOR)
            continue;
        if (start == goal && o->route_start[start] >= 0)
            continue;
        uint32_t tile = next_tile(o, start, s), steps = 0;
        while (tile != none && tile != goal && arrives[tile] != s + 1 && o->route_start[tile] >= 0 &&
               steps++ < o->tiles)
            tile = next_tile(o, tile, s);
        if (tile == none || (tile != goal && arrives[tile] != s + 1))
            return fs_fail(err, FS_BROKEN,
                           "overlay: shard %" PRIu32 " is not reached from tile %" PRIu32 " (%s)", s, start,
                           steps > o->tiles ? "the routes loop" : "the routes end elsewhere");
        for (tile = next_tile(o, start, s); tile != goal && arrives[tile] != s + 1;
             tile = next_tile(o, tile, s))
            arrives[tile] = s + 1;
    }
    return FS_OK;
}

fs_status fs_overlay_check(const fs_overlay *overlay, fs_error *err) {
    const fs_overlay *o = overlay;
    fs_status status = check_roles(o, err);
    if (!status)
        status = check_shards(o, err);
    for (uint32_t l = 0; l < o->lane_count && !status; l++)
        status = check_lane(o, l, err);
    for (uint32_t t = 0; t < o->tiles && !status; t++)
        status = check_ports(o, t, err);
    if (!status)
        status = check_routes(o, err);
    uint32_t *arrives = fs_calloc(o->tiles, sizeof *arrives);
    for (uint32_t s = 0; s < o->tracers && !status; s++)
        status = check_reach(o, s, arrives, err);
    free(arrives);
    return status;
}
