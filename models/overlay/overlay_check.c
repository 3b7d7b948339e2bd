/* What must hold of every overlay, whoever planned it. */
#include "models/overlay/overlay.h"

#include <inttypes.h>
#include <string.h>

static const uint32_t none = UINT32_MAX;

static fs_status check_roles(const fs_overlay *o, fs_error *err) {
    if (o->levels > FS_MAX_ROUTER_LEVELS)
        return fs_fail(err, FS_INPUT, "overlay: %" PRIu32 " levels of routers; at most %d are allowed",
                       o->levels, FS_MAX_ROUTER_LEVELS);
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
    if (lane->choices > 1 && (lane->src_port >= FS_MAX_PORTS || lane->choices > FS_MAX_PORTS ||
                              lane->src_port + lane->choices > fs_overlay_out_degree(o, lane->src)))
        return fs_fail(err, FS_BROKEN,
                       "overlay: %" PRIu32 " choices from port %" PRIu32 " of tile %" PRIu32
                       " on are more ports than it has",
                       lane->choices, lane->src_port, lane->src);
    return FS_OK;
}

static uint32_t least_share(const fs_lane *lane) {
    return lane->src_share < lane->dst_share ? lane->src_share : lane->dst_share;
}

/* The lanes at the ports of a tile know it; ports of one number face the same neighbour, with lanes of the
 * same capacity in and out, so that a tile never takes in more than it can give. */
static fs_status check_ports(const fs_overlay *o, uint32_t t, fs_error *err) {
    uint32_t in = fs_overlay_in_degree(o, t), out = fs_overlay_out_degree(o, t);
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
        if (least_share(&o->lanes[to]) != least_share(&o->lanes[from]))
            return fs_fail(err, FS_BROKEN,
                           "overlay: the lanes between tiles %" PRIu32 " and %" PRIu32 " hold %" PRIu32
                           " and %" PRIu32 " bytes; both must hold the same",
                           t, o->lanes[to].dst, least_share(&o->lanes[to]), least_share(&o->lanes[from]));
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
            if (o->tracer_tile[s] != t && o->route[o->route_start[t] + s] >= fs_overlay_out_degree(o, t))
                return fs_fail(err, FS_BROKEN,
                               "overlay: tile %" PRIu32 " sends tracer %" PRIu32
                               " to port %u, which it has not",
                               t, s, o->route[o->route_start[t] + s]);
    }
    return FS_OK;
}

/* ---- reach ---- */

enum { UNKNOWN, OPEN, DONE };

/* All walks to one goal: what is known of each tile with a table. */
typedef struct reach {
    const fs_overlay *o;
    uint32_t tracer, goal; /* and its tile */
    uint32_t *distance;    /* [tiles] lanes from there to the goal, once DONE */
    uint32_t *stack;       /* [tiles] tiles that are OPEN, in the order of the walk */
    uint8_t *next;         /* [tiles] of an OPEN tile: choices looked at */
    uint8_t *state;        /* [tiles] */
    uint32_t *tabled;      /* [tabled_count] tiles with a table */
    uint32_t *spread; /* [spread_count] tiles without one that may send on several ports, or to such tiles */
    uint32_t tabled_count, spread_count;
    uint32_t *from;   /* [tracers] the tile with a table that a tracer's way begins at */
    uint32_t *before; /* [tracers] lanes before that: 1 where the tracer itself has none */
    uint32_t longest; /* between two tracers, over all goals so far */
} reach;

/* The lanes that lead on from a tile with a table: its route and the choices there. */
static const uint32_t *ways(const fs_overlay *o, uint32_t tile, uint32_t tracer) {
    return &o->out_lane[o->out_start[tile] + o->route[o->route_start[tile] + tracer]];
}

static fs_status lost(const reach *r, uint32_t tile, const char *why, fs_error *err) {
    return fs_fail(err, FS_BROKEN,
                   "overlay: tracer %" PRIu32 " (tile %" PRIu32 ") is not reached from tile %" PRIu32
                   ", a %s: %s",
                   r->tracer, r->goal, tile, fs_role_names[r->o->role[tile]], why);
}

/* Notes that `tile` goes on to `to`, from where the goal is r->distance[to] lanes away. */
static fs_status step(reach *r, uint32_t tile, uint32_t to, bool first, fs_error *err) {
    const uint32_t hops = r->distance[to] + 1;
    if (first)
        r->distance[tile] = hops;
    if (r->distance[tile] == hops)
        return FS_OK;
    return fs_fail(err, FS_BROKEN,
                   "overlay: tile %" PRIu32 " may send a ray for tracer %" PRIu32 " on ways of %" PRIu32
                   " and of %" PRIu32 " lanes; all choices must be equally far%s",
                   tile, r->tracer, r->distance[tile], hops,
                   r->o->role[tile] == FS_ROLE_GENERATOR && r->o->route_start[tile] < 0
                       ? ": a generator takes a shortest way with `table: true` (docs/overlays-file.md)"
                       : "");
}

/* Depth first from a tile with a table over all choices; each tile is left once, so all walks to one goal
 * together look at each lane once at most. */
static fs_status walk(reach *r, uint32_t start, fs_error *err) {
    const fs_overlay *o = r->o;
    const fs_lane *lanes = o->lanes;
    uint32_t depth = 0;
    r->stack[depth++] = start;
    r->state[start] = OPEN;
    r->next[start] = 0;
    while (depth > 0) {
        const uint32_t tile = r->stack[depth - 1];
        const uint32_t *way = ways(o, tile, r->tracer), looked = r->next[tile];
        const uint32_t to = lanes[way[looked]].dst;
        if (r->state[to] == OPEN)
            return lost(r, start, "the routes loop", err);
        if (r->state[to] == UNKNOWN && o->route_start[to] < 0)
            return lost(r, start, "the routes end elsewhere", err);
        if (r->state[to] == UNKNOWN) {
            r->stack[depth++] = to;
            r->state[to] = OPEN;
            r->next[to] = 0;
            continue;
        }
        if (step(r, tile, to, looked == 0, err))
            return err->status;
        if (looked + 1 < lanes[way[0]].choices) {
            r->next[tile]++;
        } else {
            r->state[tile] = DONE;
            depth--;
        }
    }
    return FS_OK;
}

/* Where the tracers' ways begin: one without a table sends by any port, all being equally far. */
static void list_starts(reach *r) {
    for (uint32_t i = 0; i < r->o->tracers; i++) {
        const uint32_t tile = r->o->tracer_tile[i];
        r->before[i] = r->o->route_start[tile] < 0;
        r->from[i] = r->before[i] ? fs_overlay_neighbour(r->o, tile, 0) : tile;
    }
}

/* From tracers [begin, end) to the goal. */
static void note_longest(reach *r, uint32_t begin, uint32_t end) {
    uint32_t longest = r->longest;
    for (uint32_t i = begin; i < end; i++) {
        const uint32_t hops = r->distance[r->from[i]] + r->before[i];
        longest = hops > longest ? hops : longest;
    }
    r->longest = longest;
}

/* A tile without a table may send on every port: a tracer answers where it heard, a generator spreads. */
static fs_status check_ways(reach *r, uint32_t tile, fs_error *err) {
    const uint32_t known =
        r->distance[tile]; /* 0 at the goal itself, which sends to itself by its router too */
    for (uint32_t port = 0; port < fs_overlay_out_degree(r->o, tile); port++) {
        const uint32_t to = fs_overlay_neighbour(r->o, tile, port);
        if (r->state[to] != DONE)
            return lost(r, tile, "the routes end elsewhere", err);
        if (step(r, tile, to, port == 0, err))
            return err->status;
    }
    r->distance[tile] = known;
    return FS_OK;
}

/* A tile without a table and with one neighbour, which has one: it reaches what that reaches. */
static bool follows(const fs_overlay *o, uint32_t tile) {
    return fs_overlay_out_degree(o, tile) == 1 && o->route_start[fs_overlay_neighbour(o, tile, 0)] >= 0;
}

static void list_tiles(reach *r) {
    for (uint32_t t = 0; t < r->o->tiles; t++)
        if (r->o->route_start[t] >= 0)
            r->tabled[r->tabled_count++] = t;
        else if (fs_overlay_out_degree(r->o, t) > 0 && !follows(r->o, t))
            r->spread[r->spread_count++] = t;
}

/* Without a walk: the one lane that leads on from a tile leads to one that is DONE. */
static inline bool is_beside(const reach *r, uint32_t tile) {
    const fs_lane *lane = &r->o->lanes[*ways(r->o, tile, r->tracer)];
    if (lane->choices > 1 || r->state[lane->dst] != DONE)
        return false;
    r->distance[tile] = r->distance[lane->dst] + 1;
    r->state[tile] = DONE;
    return true;
}

/* All tiles reach tracer i, for a spilled ray may turn up at any of them. */
static fs_status check_reach(reach *r, uint32_t i, fs_error *err) {
    const fs_overlay *o = r->o;
    fs_status status = FS_OK;
    r->tracer = i;
    r->goal = o->tracer_tile[i];
    memset(r->state, UNKNOWN, o->tiles);
    r->state[r->goal] = DONE;
    r->distance[r->goal] = 0;
    for (uint32_t t = 0; t < r->tabled_count && !status; t++)
        if (r->state[r->tabled[t]] == UNKNOWN && !is_beside(r, r->tabled[t]))
            status = walk(r, r->tabled[t], err);
    for (uint32_t t = 0; t < r->spread_count && !status; t++)
        status = check_ways(r, r->spread[t], err);
    if (status)
        return status;
    note_longest(r, 0, i);
    note_longest(r, i + 1, o->tracers);
    return FS_OK;
}

static fs_status check_all_reach(const fs_overlay *o, uint32_t *longest, fs_error *err) {
    fs_arena *arena = fs_arena_create();
    reach r = {.o = o,
               .distance = FS_NEW(arena, uint32_t, o->tiles),
               .stack = FS_NEW(arena, uint32_t, o->tiles),
               .next = FS_NEW(arena, uint8_t, o->tiles),
               .state = FS_NEW(arena, uint8_t, o->tiles),
               .tabled = FS_NEW(arena, uint32_t, o->tiles),
               .spread = FS_NEW(arena, uint32_t, o->tiles),
               .from = FS_NEW(arena, uint32_t, o->tracers),
               .before = FS_NEW(arena, uint32_t, o->tracers)};
    fs_status status = FS_OK;
    list_tiles(&r);
    list_starts(&r);
    for (uint32_t i = 0; i < o->tracers && !status; i++)
        status = check_reach(&r, i, err);
    *longest = r.longest;
    fs_arena_free(arena);
    return status;
}

fs_status fs_overlay_check_longest(const fs_overlay *o, uint32_t *longest, fs_error *err) {
    fs_status status = check_roles(o, err);
    if (!status)
        status = check_shards(o, err);
    for (uint32_t l = 0; l < o->lane_count && !status; l++)
        status = check_lane(o, l, err);
    for (uint32_t t = 0; t < o->tiles && !status; t++)
        status = check_ports(o, t, err);
    if (!status)
        status = check_routes(o, err);
    return status ? status : check_all_reach(o, longest, err);
}

fs_status fs_overlay_check(const fs_overlay *overlay, fs_error *err) {
    uint32_t longest;
    return fs_overlay_check_longest(overlay, &longest, err);
}
