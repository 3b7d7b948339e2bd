/* An overlay on several chips: which tile lies where. */
#include "models/overlay/overlay.h"
#include "models/overlay/plan.h"

#include <inttypes.h>

const char *const fs_overlay_placements[] = {
    [FS_PLACED_SUBTREE] = "subtree", [FS_PLACED_SPREAD] = "spread", [FS_PLACED_FILLED] = "filled", NULL};

#define NOWHERE UINT32_MAX

typedef struct places {
    fs_overlay *o;
    uint32_t chips, each; /* tiles of a chip */
    uint32_t *chip;       /* [tiles] of those with a role; NOWHERE */
    uint32_t *used;       /* [chips] tiles with a role */
    uint32_t *to;         /* [tiles] */
} places;

static bool put(places *p, uint32_t tile, uint32_t chip) {
    if (p->used[chip] == p->each)
        return false;
    p->chip[tile] = chip;
    p->used[chip]++;
    return true;
}

/* On the first chip with room from this one on; chips have room for all tiles together. */
static void put_from(places *p, uint32_t tile, uint32_t chip) {
    while (!put(p, tile, chip % p->chips))
        chip++;
}

/* The chips of the tiles right below a router, each once; their number. */
static uint32_t chips_below(const places *p, uint32_t tile, uint32_t *below) {
    const fs_overlay *o = p->o;
    uint32_t count = 0;
    for (uint32_t port = 0; port < fs_overlay_out_degree(o, tile); port++) {
        const uint32_t other = fs_overlay_neighbour(o, tile, port);
        uint32_t i = 0;
        while (i < count && below[i] != p->chip[other])
            i++;
        if (o->level[other] < o->level[tile] && i == count)
            below[count++] = p->chip[other];
    }
    return count;
}

static fs_status put_shards(places *p, fs_error *err) {
    const fs_overlay *o = p->o;
    for (uint32_t i = 0; i < o->tracers; i++)
        if (!put(p, o->tracer_tile[i], (uint32_t)((uint64_t)i * p->chips / o->tracers)))
            return fs_fail(err, FS_INPUT,
                           "overlay: %" PRIu32 " shards in equal runs over %" PRIu32
                           " chips are more than a chip's %" PRIu32
                           " tiles; expected overlay.chips filled, or fewer shards",
                           o->tracers, p->chips, p->each);
    return FS_OK;
}

/* Where routers are spread, those of several chips lie on these in turn. */
static void put_routers(places *p) {
    const fs_overlay *o = p->o;
    uint32_t above = 0, below[FS_POD_MOST_CHIPS];
    for (uint32_t level = 1; level <= o->levels; level++)
        for (uint32_t t = 0; t < o->tiles; t++) {
            if (o->role[t] != FS_ROLE_ROUTER || o->level[t] != level)
                continue;
            const uint32_t count = chips_below(p, t, below);
            const bool spread = count > 1 && o->placed == FS_PLACED_SPREAD;
            const uint32_t chip = count == 1 ? below[0] : spread ? below[above++ % count] : 0;
            if (!put(p, t, chip))
                put_from(p, t, 0);
        }
}

/* The generator: where it was named, else on the chip of its first neighbour, near the end of its tiles. */
static uint32_t generator_place(const places *p) {
    const fs_overlay *o = p->o;
    if (o->generator_given)
        return o->generator_tile;
    const uint32_t chip = p->chip[o->generator_tile], last = p->each - FS_PLAN_FROM_END;
    const uint32_t local = p->used[chip] <= last && p->each > FS_PLAN_FROM_END ? last : p->used[chip] - 1;
    return chip * p->each + local;
}

/* Tiles keep their order on each chip. */
static void number(places *p) {
    const fs_overlay *o = p->o;
    const uint32_t generator = generator_place(p);
    uint32_t next[FS_POD_MOST_CHIPS] = {0};
    for (uint32_t t = 0; t < o->tiles; t++) {
        const uint32_t chip = p->chip[t];
        if (t == o->generator_tile || chip == NOWHERE)
            continue;
        next[chip] += chip * p->each + next[chip] == generator;
        p->to[t] = chip * p->each + next[chip]++;
    }
    p->to[o->generator_tile] = generator;
}

static void renumber(places *p, fs_arena *arena) {
    fs_overlay *o = p->o, was = *o;
    o->role = FS_NEW(arena, uint8_t, o->tiles);
    o->level = FS_NEW(arena, uint8_t, o->tiles);
    o->tracer_of_tile = FS_NEW(arena, uint32_t, o->tiles);
    o->shard_of_tile = FS_NEW(arena, uint32_t, o->tiles);
    o->route_start = FS_NEW(arena, int64_t, o->tiles);
    for (uint32_t t = 0; t < o->tiles; t++) {
        o->tracer_of_tile[t] = o->shard_of_tile[t] = NOWHERE;
        o->route_start[t] = FS_NO_ROUTE;
    }
    for (uint32_t t = 0; t < o->tiles; t++) {
        const uint32_t to = p->to[t];
        if (p->chip[t] == NOWHERE)
            continue;
        o->role[to] = was.role[t];
        o->level[to] = was.level[t];
        o->tracer_of_tile[to] = was.tracer_of_tile[t];
        o->shard_of_tile[to] = was.shard_of_tile[t];
        o->route_start[to] = was.route_start[t];
    }
    for (uint32_t i = 0; i < o->tracers; i++)
        o->tracer_tile[i] = p->to[o->tracer_tile[i]];
    for (uint32_t l = 0; l < o->lane_count; l++) {
        o->lanes[l].src = p->to[o->lanes[l].src];
        o->lanes[l].dst = p->to[o->lanes[l].dst];
    }
    o->generator_tile = p->to[o->generator_tile];
}

fs_status fs_overlay_place_on_chips(fs_overlay *o, const fs_machine_params *machine, fs_arena *arena,
                                    fs_error *err) {
    places p = {.o = o, .chips = fs_machine_chips(machine), .each = fs_geometry_tiles(&machine->geometry)};
    o->chip_tiles = p.chips > 1 ? p.each : 0;
    if (p.chips == 1 || o->placed == FS_PLACED_FILLED)
        return FS_OK;
    p.chip = FS_NEW(arena, uint32_t, o->tiles);
    p.used = FS_NEW(arena, uint32_t, p.chips);
    p.to = FS_NEW(arena, uint32_t, o->tiles);
    for (uint32_t t = 0; t < o->tiles; t++)
        p.chip[t] = NOWHERE;
    if (o->generator_given)
        put(&p, o->generator_tile, o->generator_tile / p.each);
    if (put_shards(&p, err))
        return err->status;
    put_routers(&p);
    const uint32_t first = fs_overlay_neighbour(o, o->generator_tile, 0);
    if (!o->generator_given && !put(&p, o->generator_tile, p.chip[first]))
        put_from(&p, o->generator_tile, 0);
    number(&p);
    renumber(&p, arena);
    return fs_overlay_index(o, arena, err);
}
