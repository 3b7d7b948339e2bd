/* Further tracers for hot shards. A replica hangs where the shard's first owner hangs: at its router, or at
 * the owner itself where that routes; this tile is the replica's access tile. */
#include "models/overlay/plan.h"

#include <inttypes.h>
#include <string.h>

typedef struct growth {
    fs_arena *arena;
    const fs_overlay *old;
    uint32_t replicas;
    uint32_t *shard; /* [replicas] */
    uint32_t *tile;  /* [replicas] */
    uint32_t *ports; /* [tiles] further ports of an access tile */
    uint32_t *share; /* [tiles] bytes of each of its ends once all are there */
} growth;

static bool routes_itself(const fs_overlay *o, uint32_t shard) {
    return o->route_start[o->tracer_tile[shard]] >= 0;
}

/* Tiles at which a replica of the shard has a port. */
static uint32_t access_count(const fs_overlay *o, uint32_t shard) {
    return routes_itself(o, shard) ? 1 : fs_overlay_out_degree(o, o->tracer_tile[shard]);
}

static uint32_t access_tile(const fs_overlay *o, uint32_t shard, uint32_t port) {
    const uint32_t owner = o->tracer_tile[shard];
    return routes_itself(o, shard) ? owner : fs_overlay_neighbour(o, owner, port);
}

/* Bytes of a tile's ends, in and out. */
static uint64_t bytes_of(const fs_overlay *o, uint32_t tile) {
    uint64_t bytes = 0;
    for (uint32_t i = o->out_start[tile]; i < o->out_start[tile + 1]; i++)
        bytes += o->lanes[o->out_lane[i]].src_share;
    for (uint32_t i = o->in_start[tile]; i < o->in_start[tile + 1]; i++)
        bytes += o->lanes[o->in_lane[i]].dst_share;
    return bytes;
}

/* What a replica gives the lanes at its port: as its owner does; all that the owner has where that has more
 * lanes than the replica's two. */
static uint32_t replica_share(const fs_overlay *o, uint32_t shard, uint32_t port) {
    const uint32_t owner = o->tracer_tile[shard];
    if (!routes_itself(o, shard))
        return o->lanes[o->out_lane[o->out_start[owner] + port]].src_share;
    const uint64_t half = bytes_of(o, owner) / 2 / FS_PLAN_WORD * FS_PLAN_WORD;
    return half < INT32_MAX ? (uint32_t)half : INT32_MAX / FS_PLAN_WORD * FS_PLAN_WORD;
}

/* ---- what is added where ---- */

static fs_status choose_tiles(growth *g, const uint32_t *shard, size_t count, uint32_t copies,
                              fs_error *err) {
    const fs_overlay *o = g->old;
    bool *seen = FS_NEW(g->arena, bool, o->shards);
    uint32_t spare = 0;
    for (size_t i = 0; i < count; i++) {
        if (shard[i] >= o->shards || seen[shard[i]])
            return fs_fail(err, FS_INPUT,
                           "replicas: expected different shards from 0 to %" PRIu32 ", found %" PRIu32 "%s",
                           o->shards - 1, shard[i], shard[i] < o->shards ? " twice" : "");
        seen[shard[i]] = true;
    }
    if ((uint64_t)count * (copies - 1) > o->spares)
        return fs_fail(err, FS_INPUT,
                       "replicas: %zu shards with %" PRIu32 " tracers each need %" PRIu64
                       " spare tiles, the overlay leaves %" PRIu32,
                       count, copies, (uint64_t)count * (copies - 1), o->spares);
    g->replicas = (uint32_t)count * (copies - 1);
    g->shard = FS_NEW(g->arena, uint32_t, g->replicas);
    g->tile = FS_NEW(g->arena, uint32_t, g->replicas);
    for (uint32_t r = 0; r < g->replicas; r++, spare++) {
        while (o->role[spare] != FS_ROLE_SPARE)
            spare++;
        g->shard[r] = shard[r / (copies - 1)];
        g->tile[r] = spare;
    }
    return FS_OK;
}

static fs_status share_again(growth *g, fs_error *err) {
    const fs_overlay *o = g->old;
    g->ports = FS_NEW(g->arena, uint32_t, o->tiles);
    g->share = FS_NEW(g->arena, uint32_t, o->tiles);
    for (uint32_t r = 0; r < g->replicas; r++)
        for (uint32_t p = 0; p < access_count(o, g->shard[r]); p++)
            g->ports[access_tile(o, g->shard[r], p)]++;
    for (uint32_t t = 0; t < o->tiles; t++) {
        const uint32_t ports = fs_overlay_out_degree(o, t) + g->ports[t];
        const uint64_t bytes = bytes_of(o, t), code = (uint64_t)2 * g->ports[t] * o->end_overhead;
        if (g->ports[t] == 0)
            continue;
        if (ports > FS_MAX_PORTS)
            return fs_fail(err, FS_INPUT,
                           "replicas: tile %" PRIu32 ", a %s, would have %" PRIu32
                           " neighbours; at most %d are allowed",
                           t, fs_role_names[o->role[t]], ports, FS_MAX_PORTS);
        if (bytes < code + (uint64_t)2 * ports * FS_PLAN_WORD)
            return fs_fail(err, FS_INPUT,
                           "replicas: tile %" PRIu32 ", a %s, has %" PRIu64
                           " B for its lanes, too little for %" PRIu32 " neighbours",
                           t, fs_role_names[o->role[t]], bytes, ports);
        g->share[t] = (uint32_t)((bytes - code) / (2 * ports) / FS_PLAN_WORD * FS_PLAN_WORD);
    }
    return FS_OK;
}

/* ---- the grown overlay ---- */

static void *copy(fs_arena *arena, const void *from, size_t bytes) {
    return memcpy(fs_arena_alloc(arena, 1, bytes), from, bytes);
}

static void grow_tracers(const growth *g, fs_overlay *o) {
    const fs_overlay *old = g->old;
    o->tracers = old->tracers + g->replicas;
    o->spares = old->spares - g->replicas;
    o->role = copy(g->arena, old->role, old->tiles);
    o->tracer_of_tile = copy(g->arena, old->tracer_of_tile, old->tiles * sizeof(uint32_t));
    o->shard_of_tile = copy(g->arena, old->shard_of_tile, old->tiles * sizeof(uint32_t));
    o->tracer_tile = FS_NEW(g->arena, uint32_t, o->tracers);
    memcpy(o->tracer_tile, old->tracer_tile, old->tracers * sizeof(uint32_t));
    for (uint32_t r = 0; r < g->replicas; r++) {
        o->role[g->tile[r]] = FS_ROLE_TRACER;
        o->tracer_of_tile[g->tile[r]] = old->tracers + r;
        o->shard_of_tile[g->tile[r]] = g->shard[r];
        o->tracer_tile[old->tracers + r] = g->tile[r];
    }
    o->owner_start = FS_NEW(g->arena, uint32_t, (size_t)o->shards + 1);
    o->owner = FS_NEW(g->arena, uint32_t, o->tracers);
    for (uint32_t s = 0, n = 0; s < o->shards; s++, o->owner_start[s] = n) {
        for (uint32_t i = old->owner_start[s]; i < old->owner_start[s + 1]; i++)
            o->owner[n++] = old->owner[i];
        for (uint32_t r = 0; r < g->replicas; r++)
            if (g->shard[r] == s)
                o->owner[n++] = old->tracers + r;
    }
}

static void grow_routes(const growth *g, fs_overlay *o) {
    const fs_overlay *old = g->old;
    o->route_start = FS_NEW(g->arena, int64_t, o->tiles);
    o->route_count = 0;
    for (uint32_t t = 0; t < o->tiles; t++) {
        o->route_start[t] = old->route_start[t] < 0 ? FS_NO_ROUTE : (int64_t)o->route_count;
        o->route_count += old->route_start[t] < 0 ? 0 : o->tracers;
    }
    o->route = FS_NEW(g->arena, uint8_t, o->route_count);
    for (uint32_t t = 0; t < o->tiles; t++) {
        if (old->route_start[t] < 0)
            continue;
        const uint8_t *from = old->route + old->route_start[t];
        uint8_t *to = o->route + o->route_start[t];
        memcpy(to, from, old->tracers);
        for (uint32_t r = 0; r < g->replicas; r++)
            to[old->tracers + r] = from[g->shard[r]];
    }
}

/* The lanes between replica r and its access tiles, with the routes there. */
static void join_replica(const growth *g, uint32_t r, uint32_t *degree, fs_overlay *o) {
    const uint32_t shard = g->shard[r], tile = g->tile[r];
    for (uint32_t p = 0; p < access_count(g->old, shard); p++) {
        const uint32_t at = access_tile(g->old, shard, p), share = replica_share(g->old, shard, p);
        const uint32_t port = degree[at]++;
        o->lanes[o->lane_count++] = (fs_lane){at, tile, port, p, g->share[at], share, 0};
        o->lanes[o->lane_count++] = (fs_lane){tile, at, p, port, share, g->share[at], 0};
        o->route[o->route_start[at] + g->old->tracers + r] = (uint8_t)port;
    }
}

static void grow_lanes(const growth *g, fs_overlay *o) {
    const fs_overlay *old = g->old;
    uint32_t *degree = FS_NEW(g->arena, uint32_t, o->tiles), more = 0;
    for (uint32_t t = 0; t < o->tiles; t++) {
        degree[t] = fs_overlay_out_degree(old, t);
        more += 2 * g->ports[t];
    }
    o->lanes = FS_NEW(g->arena, fs_lane, (size_t)old->lane_count + more);
    memcpy(o->lanes, old->lanes, old->lane_count * sizeof *o->lanes);
    for (uint32_t l = 0; l < old->lane_count; l++) {
        fs_lane *lane = &o->lanes[l];
        if (g->ports[lane->src] > 0)
            lane->src_share = g->share[lane->src];
        if (g->ports[lane->dst] > 0)
            lane->dst_share = g->share[lane->dst];
    }
    for (uint32_t r = 0; r < g->replicas; r++)
        join_replica(g, r, degree, o);
}

fs_status fs_overlay_replicate(fs_overlay *overlay, const uint32_t *shard, size_t count, uint32_t copies,
                               fs_arena *arena, fs_error *err) {
    if (count == 0 || copies <= 1)
        return FS_OK;
    growth g = {.arena = arena, .old = overlay};
    if (choose_tiles(&g, shard, count, copies, err) || share_again(&g, err))
        return err->status;
    fs_overlay grown = *overlay;
    grow_tracers(&g, &grown);
    grow_routes(&g, &grown);
    grow_lanes(&g, &grown);
    fs_status status = fs_overlay_index(&grown, arena, err);
    if (!status)
        *overlay = grown;
    return status;
}
