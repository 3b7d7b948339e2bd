/* In place of lanes between neighbours: lists that the host makes, and copies that go straight or over an overlay. */
#include "workloads/gaussians/activity.h"

#include "sim/base/alloc.h"

#include <stdlib.h>
#include <string.h>

static const float beside =
    452.8f; /* pixels beside the picture in which a centre still counts (gaussians.md 7) */
enum { NOWHERE = -1 };

void fs_gaussians_spread_create(fs_gaussians_spread *s, const fs_gaussians_params *p,
                                const fs_overlay *overlay, uint32_t n, uint32_t tiles) {
    *s = (fs_gaussians_spread){
        .params = p, .overlay = overlay, .grid = fs_gaussians_grid_of(p), .gaussians = n, .tiles = tiles};
    const bool gathers = p->method == FS_GAUSSIANS_GATHER;
    /* The host takes at most three times as many candidates as a list holds (gaussians.md 7). */
    s->list_slots = gathers ? 3 * (uint32_t)p->gather_nearest
                            : (n + s->grid.tiles - 1) / s->grid.tiles + (uint32_t)p->extra;
    s->list = fs_calloc((size_t)s->grid.tiles * s->list_slots, sizeof *s->list);
    s->listed = fs_calloc(s->grid.tiles, sizeof *s->listed);
    s->home = fs_malloc(n * sizeof *s->home);
    memset(s->home, 0xff, n * sizeof *s->home);
    s->load = fs_calloc(overlay != NULL ? overlay->lane_count : 1, sizeof *s->load);
}

void fs_gaussians_spread_free(fs_gaussians_spread *s) {
    free(s->list);
    free(s->listed);
    free(s->home);
    free(s->load);
    free(s->move);
}

uint32_t fs_gaussians_tracer(const fs_gaussians_grid *g, uint32_t tile) {
    uint32_t x = tile % g->columns, y = tile / g->columns, out = 0;
    if (g->columns != g->rows || (g->columns & (g->columns - 1)) != 0)
        return tile;
    for (uint32_t bit = 0; bit < 16; bit++)
        out |= (x >> bit & 1) << 2 * bit | (y >> bit & 1) << (2 * bit + 1);
    return out;
}

/* An entry of a tile's list; false: the list is full. */
static bool put(fs_gaussians_spread *s, uint32_t tile, uint32_t id) {
    if (s->listed[tile] == s->list_slots)
        return false;
    s->list[(size_t)tile * s->list_slots + s->listed[tile]++] = id;
    return true;
}

/* ---- gather ---- */

/* The plain square of a Gaussian, cut to the picture; false: the host leaves it out. */
static bool square_of(const fs_gaussians_grid *g, const fs_gaussians_seen *s, int64_t c[2], int64_t r[2]) {
    const float w = (float)g->tile_width, h = (float)g->tile_height;
    if (!s->drawn || !(s->x > -beside && s->x < (float)g->width + beside && s->y > -beside &&
                       s->y < (float)g->height + beside))
        return false;
    const float side[4] = {(s->x - s->radius) / w, (s->x + s->radius) / w, (s->y - s->radius) / h,
                           (s->y + s->radius) / h};
    int64_t *out[2] = {c, r};
    for (int i = 0; i < 4; i++) {
        const int64_t most = (i < 2 ? g->columns : g->rows) - 1,
                      at = (int64_t)(side[i] < 0.0f ? 0.0f : side[i]);
        out[i / 2][i % 2] = at < most ? at : most;
    }
    return true;
}

static int by_depth(const void *a, const void *b) {
    const float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* Leaves the nearest ones of a list, as they stand; of equal depths the first. */
static uint32_t nearest_of(uint32_t *list, uint32_t count, uint32_t most, const fs_gaussians_seen *seen) {
    if (count <= most)
        return count;
    float *depth = fs_malloc(count * sizeof *depth);
    for (uint32_t i = 0; i < count; i++)
        depth[i] = seen[list[i] - 1].z;
    qsort(depth, count, sizeof *depth, by_depth);
    const float last = depth[most - 1];
    uint32_t equal = most, kept = 0;
    for (uint32_t i = 0; i < most; i++)
        equal -= depth[i] < last;
    for (uint32_t i = 0; i < count; i++)
        if (seen[list[i] - 1].z < last || (seen[list[i] - 1].z == last && equal-- > 0))
            list[kept++] = list[i];
    free(depth);
    return kept;
}

static void gather(fs_gaussians_spread *s, const fs_gaussians_seen *seen, fs_gaussians_tile_work *work) {
    const uint32_t most = (uint32_t)s->params->gather_nearest;
    for (uint32_t i = 0; i < s->gaussians; i++) {
        int64_t c[2], r[2];
        if (!square_of(&s->grid, &seen[i], c, r))
            continue;
        for (int64_t y = r[0]; y <= r[1]; y++)
            for (int64_t x = c[0]; x <= c[1]; x++) {
                const uint32_t tile = (uint32_t)(y * s->grid.columns + x);
                work[tile].lost += !put(s, tile, i + 1);
            }
    }
    for (uint32_t t = 0; t < s->grid.tiles; t++) {
        fs_gaussians_tile_work *w = &work[t];
        const uint32_t kept = nearest_of(s->list + (size_t)t * s->list_slots, s->listed[t], most, seen);
        w->lost += s->listed[t] - kept;
        s->listed[t] = kept;
        w->event[FS_GAUSSIANS_OFFSET] = s->grid.tiles * most;
        w->received = w->event[FS_GAUSSIANS_ROW] = w->event[FS_GAUSSIANS_COVARIANCE] =
            w->event[FS_GAUSSIANS_RADIUS] = w->event[FS_GAUSSIANS_KEPT] = kept;
    }
}

/* ---- copies ---- */

typedef struct copies {
    fs_gaussians_spread *s;
    fs_gaussians_tile_work *work;
    uint32_t id, hops;
    bool moves_home; /* what travels is the Gaussian itself */
} copies;

static uint32_t place_of(const fs_gaussians_spread *s, uint32_t tile) {
    return s->overlay != NULL ? s->overlay->tracer_tile[fs_gaussians_tracer(&s->grid, tile)] : tile;
}

/* A Gaussian has come to a tile of the machine, which works out its square and has the sides or lanes to send it on. */
static void arrive(copies *c, uint32_t tile) {
    fs_gaussians_tile_work *w = &c->work[tile];
    w->received++;
    w->event[FS_GAUSSIANS_IN_UNPACK]++;
    w->event[FS_GAUSSIANS_IN_COVARIANCE]++;
    w->event[FS_GAUSSIANS_IN_RADIUS]++;
    w->event[FS_GAUSSIANS_BLOOM]++;
}

/* Into the list of a tile of the picture. */
static void keep(copies *c, uint32_t tile) {
    fs_gaussians_tile_work *w = &c->work[place_of(c->s, tile)];
    if (c->moves_home)
        return;
    w->copies++;
    w->event[FS_GAUSSIANS_KEPT]++;
    w->lost += !put(c->s, tile, c->id);
}

/* Sends are appended to a lane, since no copy comes back: one look and one write each. */
static bool sent(copies *c, uint32_t tile, bool room) {
    fs_gaussians_tile_work *w = &c->work[tile];
    w->sends++;
    w->failed += !room;
    w->inserted[1]++;
    w->event[FS_GAUSSIANS_LOOK]++;
    w->event[FS_GAUSSIANS_WRITE] += room;
    return room;
}

/* The port of a tile's next lane to a tracer; NOWHERE: it is that tracer's. Of several lanes a Gaussian always takes the same. */
static int port_to(const fs_overlay *o, uint32_t tile, uint32_t tracer, uint32_t id) {
    if (o->tracer_tile[tracer] == tile)
        return NOWHERE;
    const int port = o->route_start[tile] >= 0 ? o->route[o->route_start[tile] + tracer] : 0;
    const uint32_t choices = o->lanes[o->out_lane[o->out_start[tile] + (uint32_t)port]].choices;
    return port + (int)(choices > 1 ? id % choices : 0);
}

/* From a tile of the machine to `count` tiles of the picture: one copy over each lane, which branches where ways part. */
static void branch(copies *c, uint32_t tile, uint32_t *targets, uint32_t count, uint32_t hops) {
    fs_gaussians_spread *s = c->s;
    const fs_overlay *o = s->overlay;
    c->hops = hops > c->hops ? hops : c->hops;
    while (count > 0) {
        const int port = port_to(o, tile, fs_gaussians_tracer(&s->grid, targets[count - 1]), c->id);
        uint32_t kept = 0, same = 0, *along = fs_malloc(count * sizeof *along);
        for (uint32_t i = 0; i < count; i++)
            if (port_to(o, tile, fs_gaussians_tracer(&s->grid, targets[i]), c->id) == port)
                along[same++] = targets[i];
            else
                targets[kept++] = targets[i];
        count = kept;
        if (port == NOWHERE) {
            keep(c, along[0]);
        } else {
            const uint32_t lane = o->out_lane[o->out_start[tile] + (uint32_t)port], next = o->lanes[lane].dst;
            if (sent(c, tile, s->load[lane] < fs_lane_capacity(&o->lanes[lane], FS_GAUSSIANS_BYTES))) {
                s->load[lane]++;
                arrive(c, next);
                branch(c, next, along, same, hops + 1);
            }
        }
        free(along);
    }
}

static void straight(copies *c, uint32_t from, const uint32_t *targets, uint32_t count) {
    fs_gaussians_spread *s = c->s;
    for (uint32_t i = 0; i < count; i++) {
        sent(c, from, true);
        arrive(c, targets[i]);
        keep(c, targets[i]);
        s->move = fs_grow(s->move, s->moves, sizeof *s->move);
        s->move[s->moves++] = (fs_gaussians_move){from, targets[i], 1};
    }
    c->hops = count > 0 ? 1 : 0;
}

/* To its home where that is another tile now, then to all that it reaches. */
static void spread_one(fs_gaussians_spread *s, const fs_gaussians_seen *g, uint32_t id,
                       fs_gaussians_tile_work *work, uint32_t *targets) {
    int64_t c[2], r[2];
    if (!fs_gaussians_reach(&s->grid, g, c, r))
        return;
    uint32_t home = g->aim < s->grid.tiles ? g->aim : s->grid.tiles, count = 0;
    const int64_t at[2] = {home % s->grid.columns, home / s->grid.columns};
    if (home == s->grid.tiles || at[0] < c[0] || at[0] > c[1] || at[1] < r[0] || at[1] > r[1])
        home = (uint32_t)(r[0] * s->grid.columns +
                          c[0]); /* beside the picture: the tile of its square that is first */
    copies one = {.s = s, .work = work, .id = id};
    const uint32_t old = s->home[id - 1];
    s->home[id - 1] = home;
    if (old != UINT32_MAX && old != home) {
        one.moves_home = true;
        targets[0] = home;
        if (s->overlay != NULL)
            branch(&one, place_of(s, old), targets, 1, 0);
        else
            straight(&one, old, targets, 1);
        one.moves_home = false;
    }
    fs_gaussians_tile_work *w = &work[place_of(s, home)];
    w->anchored++;
    w->stored++;
    w->event[FS_GAUSSIANS_UNPACK]++;
    w->event[FS_GAUSSIANS_COVARIANCE]++;
    w->event[FS_GAUSSIANS_RADIUS]++;
    w->event[FS_GAUSSIANS_KEPT]++;
    w->lost += !put(s, home, id);
    for (int64_t y = r[0]; y <= r[1]; y++)
        for (int64_t x = c[0]; x <= c[1]; x++) {
            const uint32_t tile = (uint32_t)(y * s->grid.columns + x);
            if (tile != home)
                targets[count++] = tile;
        }
    if (s->overlay != NULL)
        branch(&one, place_of(s, home), targets, count, 0);
    else
        straight(&one, home, targets, count);
    s->longest = one.hops > s->longest ? one.hops : s->longest;
}

/* ---- a frame ---- */

static int by_tiles(const void *a, const void *b) {
    const fs_gaussians_move *x = a, *y = b;
    return x->src != y->src ? (x->src > y->src) - (x->src < y->src) : (x->dst > y->dst) - (x->dst < y->dst);
}

/* One move for each pair of tiles. */
static void join_moves(fs_gaussians_spread *s) {
    uint64_t kept = 0;
    if (s->moves > 0)
        qsort(s->move, s->moves, sizeof *s->move, by_tiles);
    for (uint64_t i = 0; i < s->moves; i++)
        if (kept > 0 && by_tiles(&s->move[kept - 1], &s->move[i]) == 0)
            s->move[kept - 1].gaussians += s->move[i].gaussians;
        else
            s->move[kept++] = s->move[i];
    s->moves = kept;
}

/* Of an overlay one for each lane, in their order. */
static void lane_moves(fs_gaussians_spread *s) {
    for (uint32_t l = 0; l < s->overlay->lane_count; l++) {
        s->move = fs_grow(s->move, s->moves, sizeof *s->move);
        s->move[s->moves++] =
            (fs_gaussians_move){s->overlay->lanes[l].src, s->overlay->lanes[l].dst, s->load[l]};
    }
}

void fs_gaussians_spread_frame(fs_gaussians_spread *s, const fs_gaussians_seen *seen,
                               fs_gaussians_tile_work *work) {
    memset(s->listed, 0, s->grid.tiles * sizeof *s->listed);
    s->moves = 0;
    if (s->params->method == FS_GAUSSIANS_GATHER) {
        gather(s, seen, work);
    } else {
        uint32_t *targets = fs_malloc((s->grid.tiles + 1) * sizeof *targets);
        memset(s->load, 0, (s->overlay != NULL ? s->overlay->lane_count : 1) * sizeof *s->load);
        for (uint32_t i = 0; i < s->gaussians; i++)
            spread_one(s, &seen[i], i + 1, work, targets);
        free(targets);
        if (s->overlay != NULL)
            lane_moves(s);
        else
            join_moves(s);
    }
    for (uint32_t t = 0; t < s->grid.tiles; t++) {
        fs_gaussians_tile_work *w = &work[place_of(s, t)];
        w->listed = w->event[FS_GAUSSIANS_APPEND] = s->listed[t];
        w->event[FS_GAUSSIANS_SETUP] = 1;
        if (s->listed[t] > 1) {
            w->event[FS_GAUSSIANS_ZERO] = s->params->method == FS_GAUSSIANS_GATHER
                                              ? (uint32_t)s->params->gather_nearest
                                              : s->list_slots;
            fs_gaussians_sort(s->list + (size_t)t * s->list_slots, s->listed[t], seen, w->event);
        }
    }
}
