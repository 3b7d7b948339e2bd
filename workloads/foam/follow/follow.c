#include "workloads/foam/follow/follow.h"

#include "sim/base/arith.h"

typedef enum what { MADE, WAITED, MARCHED, ROUTED, WRITTEN, LOST } what;
static const char *const names[] = {"made", "waited", "marched", "routed", "written", "lost"};

typedef struct hop {
    uint64_t iteration;
    uint32_t tile, next; /* next: UINT32_MAX where it stays */
    what did;
    uint32_t cells, faces;
    bool ended, spilled;
    uint32_t rays, capacity;
    fs_iteration times;
    uint64_t own; /* compute cycles of the tile */
} hop;

struct fs_follow {
    fs_arena *arena;
    const fs_overlay *overlay;
    uint32_t x, y, bytes;
    uint32_t at;  /* tile that has it in the next iteration; UINT32_MAX: it is not made yet */
    uint32_t leg; /* its next one */
    bool ended, over;
    hop *hops; /* [count] */
    size_t count, noted;
};

fs_follow *fs_follow_create(fs_arena *arena, const fs_overlay *overlay, uint32_t x, uint32_t y,
                            uint32_t bytes) {
    fs_follow *f = FS_NEW(arena, fs_follow, 1);
    *f = (fs_follow){.arena = arena, .overlay = overlay, .x = x, .y = y, .bytes = bytes, .at = UINT32_MAX};
    return f;
}

static hop *add(fs_follow *f, uint64_t iteration, uint32_t tile, what did) {
    f->hops = fs_arena_grow(f->arena, f->hops, f->count, sizeof *f->hops);
    f->hops[f->count] = (hop){.iteration = iteration, .tile = tile, .next = UINT32_MAX, .did = did};
    return &f->hops[f->count++];
}

/* The tile marched it: the visit that begins with its next leg. */
static void march(fs_follow *f, const fs_foam_simulation *sim, hop *h) {
    f->leg = fs_foam_simulation_visit(sim, f->leg, &h->cells, &h->faces);
}

/* It is nowhere any more: written where it was, marched there before if it had not ended; or lost. */
static void end(fs_follow *f, const fs_foam_simulation *sim, uint64_t iteration) {
    const fs_framebuffer *fb = fs_foam_simulation_framebuffer(sim);
    const bool lost = f->overlay->role[f->at] == FS_ROLE_GENERATOR && !f->ended &&
                      fb->newest[(size_t)f->y * fb->width + f->x] < 0;
    hop *h = add(f, iteration, f->at, lost ? LOST : WRITTEN);
    if (!lost && !f->ended)
        march(f, sim, h);
    h->ended = true;
    f->over = true;
}

void fs_follow_look(fs_follow *f, const fs_foam_simulation *sim, uint64_t iteration) {
    fs_ray_place place;
    if (f->over)
        return;
    if (!fs_foam_simulation_find(sim, f->x, f->y, &place)) {
        if (f->at != UINT32_MAX)
            end(f, sim, iteration);
        return;
    }
    const bool first = f->at == UINT32_MAX;
    if (first) {
        f->at = f->overlay->generator_tile;
        f->leg = fs_foam_simulation_first_leg(sim, f->x, f->y);
    }
    const bool marched = !first && !f->ended && (place.ended || place.leg != f->leg);
    hop *h = add(f, iteration, f->at, first ? MADE : marched ? MARCHED : place.in_ring ? WAITED : ROUTED);
    if (marched)
        march(f, sim, h);
    h->ended = f->ended = place.ended;
    h->spilled = place.spilled;
    h->rays = place.rays;
    h->capacity = place.capacity;
    if (!place.in_ring)
        h->next = f->at = f->overlay->lanes[place.lane].dst;
}

void fs_follow_note(fs_follow *f, const fs_device *device, const fs_iteration *iteration) {
    for (; f->noted < f->count; f->noted++) {
        hop *h = &f->hops[f->noted];
        h->times = *iteration;
        h->own = fs_device_tile_cycles(device, 0, h->tile);
    }
}

/* ---- the story ---- */

static json_t *tile_of(const fs_follow *f, uint32_t tile) {
    const fs_overlay *o = f->overlay;
    json_t *t = json_pack("{s:I, s:s, s:I}", "tile", (json_int_t)tile, "role", fs_role_names[o->role[tile]],
                          "level", (json_int_t)o->level[tile]);
    if (o->shard_of_tile[tile] != UINT32_MAX)
        json_object_set_new(t, "shard", json_integer((json_int_t)o->shard_of_tile[tile]));
    return t;
}

static const char *why(const hop *h) {
    return h->did == WAITED || (h->did == MADE && h->next == UINT32_MAX)
               ? "in the generator's ring: its lanes had no room"
           : h->spilled ? "its own lane was full: another one took it, and it comes back"
                        : "";
}

static json_t *hop_of(const fs_follow *f, const hop *h) {
    json_t *j = tile_of(f, h->tile);
    const uint64_t compute = h->times.compute;
    json_object_update_new(
        j,
        json_pack("{s:I, s:I, s:s, s:I, s:I, s:b, s:b, s:I, s:I, s:s, s:I, s:I, s:I, s:I, s:I, s:I}",
                  "iteration", (json_int_t)h->iteration, "start", (json_int_t)h->times.start, "did",
                  names[h->did], "cells", (json_int_t)h->cells, "faces", (json_int_t)h->faces, "ended",
                  h->ended, "spilled", h->spilled, "lane_rays", (json_int_t)h->rays, "lane_capacity",
                  (json_int_t)h->capacity, "why", why(h), "tile_cycles", (json_int_t)h->own, "waiting_cycles",
                  (json_int_t)(compute > h->own ? compute - h->own : 0), "pace_tile",
                  (json_int_t)h->times.pace_tile, "exchange_cycles", (json_int_t)h->times.exchange, "cycles",
                  (json_int_t)(h->times.compute + h->times.sync + h->times.exchange + h->times.host), "bytes",
                  (json_int_t)(h->next == UINT32_MAX ? 0 : f->bytes)));
    if (h->next != UINT32_MAX)
        json_object_set_new(j, "to", tile_of(f, h->next));
    return j;
}

/* Where the cycles of its iterations went; the parts add up to them. Of the waiting, the tile that it was for most. */
static json_t *sum_of(const fs_follow *f) {
    uint64_t role[FS_ROLE_COUNT] = {0}, waiting = 0, exchange = 0, rest = 0, most = 0;
    uint32_t most_tile = 0;
    for (size_t i = 0; i < f->count; i++) {
        const hop *h = &f->hops[i];
        const uint64_t own = fs_least(h->own, h->times.compute);
        role[f->overlay->role[h->tile]] += own;
        waiting += h->times.compute - own;
        exchange += h->times.exchange;
        rest += h->times.sync + h->times.host;
        uint64_t of_tile = 0;
        for (size_t k = 0; k < f->count; k++) {
            const hop *other = &f->hops[k];
            if (other->times.pace_tile == h->times.pace_tile)
                of_tile += other->times.compute - fs_least(other->own, other->times.compute);
        }
        if (of_tile > most) {
            most = of_tile;
            most_tile = h->times.pace_tile;
        }
    }
    return json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I}", "tracers", (json_int_t)role[FS_ROLE_TRACER],
                     "routers", (json_int_t)role[FS_ROLE_ROUTER], "generator",
                     (json_int_t)(role[FS_ROLE_GENERATOR] + role[FS_ROLE_SPARE]), "waiting",
                     (json_int_t)waiting, "waiting_tile", (json_int_t)most_tile, "waiting_for_tile",
                     (json_int_t)most, "exchange", (json_int_t)exchange, "barriers_and_host",
                     (json_int_t)rest);
}

json_t *fs_follow_story(const fs_follow *f, const fs_foam_simulation *sim, const uint8_t *rgb8) {
    const fs_framebuffer *fb = fs_foam_simulation_framebuffer(sim);
    const size_t pixel = (size_t)f->y * fb->width + f->x;
    uint64_t tracers = 0, routers = 0, cells = 0, bytes = 0, cycles = 0;
    bool ended = false;
    json_t *hops = json_array();
    for (size_t i = 0; i < f->count; i++) {
        const hop *h = &f->hops[i];
        const uint8_t role = f->overlay->role[h->tile];
        /* Passed by a tracer that it does not want: a visit of a router where tracers route. */
        const bool passed = role == FS_ROLE_TRACER && h->did == ROUTED && !ended,
                   routes = f->overlay->route_start[h->tile] >= 0;
        tracers += h->did == MARCHED || (h->did == WRITTEN && !ended) || (passed && !routes);
        routers += (role == FS_ROLE_ROUTER && !ended) || (passed && routes);
        ended = ended || h->ended;
        cells += h->cells;
        bytes += h->next == UINT32_MAX ? 0 : f->bytes;
        cycles += h->times.compute + h->times.sync + h->times.exchange + h->times.host;
        json_array_append_new(hops, hop_of(f, h));
    }
    const bool written = fb->newest[pixel] >= 0;
    json_t *value = !written ? json_null()
                             : json_pack("{s:[i,i,i], s:[f,f,f], s:f}", "rgb8", rgb8[3 * pixel],
                                         rgb8[3 * pixel + 1], rgb8[3 * pixel + 2], "rgb",
                                         (double)fb->rgb[3 * pixel], (double)fb->rgb[3 * pixel + 1],
                                         (double)fb->rgb[3 * pixel + 2], "depth", (double)fb->depth[pixel]);
    return json_pack("{s:[i,i], s:I, s:I, s:I, s:I, s:I, s:I, s:o, s:o, s:o}", "pixel", (int)f->x, (int)f->y,
                     "iterations", (json_int_t)f->count, "tracer_visits", (json_int_t)tracers,
                     "router_visits", (json_int_t)routers, "cells", (json_int_t)cells, "bytes",
                     (json_int_t)bytes, "cycles", (json_int_t)cycles, "sum", sum_of(f), "hops", hops, "value",
                     value);
}
