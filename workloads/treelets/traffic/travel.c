/* A superstep's work: each tile gives rays to its workers, each until its quantum. */
#include "workloads/treelets/traffic/travel_private.h"

#include <inttypes.h>
#include <string.h>

/* ---- before ---- */

static void create_grants(fs_travel *t, fs_arena *arena) {
    t->asked = FS_NEW(arena, request, t->room);
    t->to_start = FS_NEW(arena, uint32_t, t->tiles + 1);
    t->to = FS_NEW(arena, uint32_t, t->room);
    t->kept = FS_NEW(arena, uint32_t, t->tiles);
    t->leaving = FS_NEW(arena, uint32_t, t->tiles + 1);
    t->stack = FS_NEW(arena, uint32_t, t->tiles);
    t->queued = FS_NEW(arena, uint32_t, t->tiles);
    t->moves = FS_NEW(arena, fs_travel_move, t->room);
    t->sorted = FS_NEW(arena, fs_travel_move, t->room);
}

static bool has_room(const fs_travel *t, uint32_t tile) {
    return t->params.capacity == 0 || rays_on(&t->tile[tile]) < t->params.capacity;
}

/* On its home, or on the next tile that has room; false: none has. */
static bool start_path(fs_travel *t) {
    const uint32_t tiles = t->placement->tiles;
    const uint64_t path = t->next_path;
    uint32_t tile = (uint32_t)(path % tiles), tried = 0;
    while (tried < tiles && !has_room(t, tile)) {
        tile = tile + 1 < tiles ? tile + 1 : 0;
        tried++;
    }
    if (tried == tiles)
        return false;
    const uint32_t r = list_pop(t->next, &t->spare);
    t->rays[r] = (ray){.path = (uint32_t)path,
                       .goal = NO_TILE,
                       .piece = t->its->first[path],
                       .at = t->its->piece[t->its->first[path]],
                       .pieces = (uint32_t)(t->its->first[path + 1] - t->its->first[path])};
    list_push(t->next, &t->tile[tile].queue, r);
    t->next_path = (path + t->stride) % t->its->paths;
    t->totals.started++;
    return true;
}

static void start_paths(fs_travel *t) {
    while (t->spare.count > 0 && t->totals.started < t->its->paths && start_path(t)) {
    }
}

fs_travel *fs_travel_create(const fs_itineraries *its, const fs_placement *placement,
                            const fs_travel_params *params, fs_arena *arena) {
    fs_travel *t = FS_NEW(arena, fs_travel, 1);
    const uint64_t room = (uint64_t)params->window * placement->tiles;
    *t = (fs_travel){.its = its, .placement = placement, .params = *params, .tiles = params->tiles};
    t->tiles_of_chip = placement->tiles / placement->chips;
    t->room = (uint32_t)(room < its->paths ? room : its->paths);
    t->rays = FS_NEW(arena, ray, t->room);
    fs_prefer_huge_pages(t->rays, t->room * sizeof *t->rays);
    t->next = FS_NEW(arena, uint32_t, t->room);
    t->tile = FS_NEW(arena, tile_rays, t->tiles);
    t->active = FS_NEW(arena, uint32_t, t->tiles);
    t->rows = fs_arena_alloc(arena, (size_t)t->tiles * params->workers, sizeof *t->rows);
    t->stride = params->image ? 1 : fs_place_stride(its->paths);
    t->totals.units_of = FS_NEW(arena, uint64_t, t->tiles);
    create_grants(t, arena);
    for (uint32_t r = 0; r < t->room; r++)
        list_push(t->next, &t->spare, r);
    start_paths(t);
    return t;
}

/* ---- a worker and a ray ---- */

/* What a piece does beside its nodes; at its end (fs_piece_count). */
static void count_ends(const fs_piece *piece, uint32_t *row) {
    static const struct {
        uint16_t bits;
        uint16_t event;
    } ends[] = {{FS_PIECE_CAMERA, FS_TRAVEL_CAMERA},     {FS_PIECE_HIT, FS_TRAVEL_HIT},
                {FS_PIECE_SPECULAR, FS_TRAVEL_SPECULAR}, {FS_PIECE_REFRACTIVE, FS_TRAVEL_REFRACTIVE},
                {FS_PIECE_EMISSION, FS_TRAVEL_EMISSION}, {FS_PIECE_ROULETTE, FS_TRAVEL_ROULETTE},
                {FS_PIECE_SEGMENT, FS_TRAVEL_SEGMENT},   {FS_PIECE_SHADOW, FS_TRAVEL_SEGMENT},
                {FS_PIECE_ESCAPE, FS_TRAVEL_ESCAPE},     {FS_PIECE_END, FS_TRAVEL_END}};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        row[ends[i].event] += (piece->does & ends[i].bits) != 0;
}

/* Of so many events of a piece, those within its first `done` units: floor(n done / units) = n share / 2^32 with
 * share = ceil(2^32 done / units). The product exceeds n done / units by less than n / 2^32, and the quotient is at
 * least 1 / units away from the next whole number: exact while n units < 2^32. Longer pieces take doubles, exact
 * below 2^52. */
typedef struct share {
    uint64_t of;
    double done, units;
    bool small;
} share;

static share share_of(const fs_piece *piece, uint32_t done) {
    const bool small = piece->units <= UINT16_MAX;
    return (share){.of = small ? (((uint64_t)done << 32) + piece->units - 1) / piece->units : 0,
                   .done = done,
                   .units = piece->units,
                   .small = small};
}

static uint32_t within(const share *s, uint16_t n) {
    return (uint32_t)(s->small ? n * s->of >> 32 : (uint64_t)((double)n * s->done / s->units));
}

/* What lies between its first `from` units and its first `to`. */
static void count_between(const fs_piece *piece, uint32_t from, uint32_t to, uint32_t *row) {
    const share begin = share_of(piece, from), end = share_of(piece, to);
    const uint32_t nodes = row[FS_PIECE_NODE];
    for (int e = 0; e < FS_PIECE_EVENTS; e++)
        row[e] += within(&end, piece->event[e]) - within(&begin, piece->event[e]);
    row[FS_TRAVEL_TOP] += piece->treelet == FS_PIECE_ANYWHERE ? row[FS_PIECE_NODE] - nodes : 0;
}

static void count_rest(const ray *r, uint32_t *row) {
    const fs_piece *piece = &r->at;
    const bool anywhere = piece->treelet == FS_PIECE_ANYWHERE;
    if (r->done > 0) {
        count_between(piece, r->done, piece->units, row);
    } else {
        for (int e = 0; e < FS_PIECE_EVENTS; e++)
            row[e] += piece->event[e];
        row[FS_TRAVEL_TOP] += anywhere ? piece->event[FS_PIECE_NODE] : 0;
    }
    if (anywhere && (piece->does & FS_PIECE_CONTINUES) == 0)
        count_ends(piece, row);
}

enum { SHADED = FS_PIECE_HIT | FS_PIECE_ESCAPE | FS_PIECE_END };

/* The tile on which a ray's next piece is done: where it is, if that may be. */
static uint32_t tile_for(const fs_travel *t, const ray *r, uint32_t tile) {
    const fs_piece *piece = &r->at;
    if (piece->treelet == FS_PIECE_ANYWHERE)
        return t->params.home && (piece->does & SHADED) != 0 ? r->path % t->placement->tiles : tile;
    return fs_place_has(t->placement, tile, piece->treelet)
               ? tile
               : fs_place_of(t->placement, piece->treelet, r->path, tile / t->tiles_of_chip);
}

/* The ray goes on for at most `left` units and is then in a list of the tile's. Units that it took. */
static uint64_t go_on(fs_travel *t, uint32_t tile, uint32_t number, uint64_t left, uint32_t *row,
                      ray_list *aside) {
    ray *r = &t->rays[number];
    tile_rays *on = &t->tile[tile];
    const uint64_t budget = left;
    row[FS_TRAVEL_TAKE]++;
    row[FS_TRAVEL_UNPACK] += r->goal != NO_TILE;
    r->goal = NO_TILE;
    for (;;) {
        if (r->at.units - r->done > left) {
            count_between(&r->at, r->done, r->done + (uint32_t)left, row);
            r->done += (uint32_t)left;
            row[FS_TRAVEL_ASIDE]++;
            list_push(t->next, aside, number);
            return budget;
        }
        left -= r->at.units - r->done;
        count_rest(r, row);
        r->done = 0;
        r->piece++;
        if (--r->pieces == 0) {
            list_push(t->next, &on->ended, number);
            break;
        }
        r->at = t->its->piece[r->piece];
        const uint32_t goal = tile_for(t, r, tile);
        if (goal != tile) {
            r->goal = goal;
            row[FS_TRAVEL_PACK]++;
            on->moves++;
            list_push(t->next, &on->out, number);
            break;
        }
    }
    return budget - left;
}

/* ---- a tile ---- */

static uint32_t least(const uint64_t *units, uint32_t workers) {
    uint32_t w = 0;
    for (uint32_t i = 1; i < workers; i++)
        w = units[i] < units[w] ? i : w;
    return w;
}

/* Rays, and what each does next, lie far from each other in memory: both are asked for ahead, the first so many
 * rays before, the second half as many. */
enum { AHEAD = 16 };
typedef struct lookout {
    uint32_t ray, next;   /* of the queue, the first that were not asked for */
    uint32_t rays, nexts; /* from the head to them */
} lookout;

static void look_ahead(const fs_travel *t, const ray_list *queue, lookout *l) {
    for (; l->rays < queue->count && l->rays < AHEAD; l->rays++, l->ray = t->next[l->ray])
        __builtin_prefetch(&t->rays[l->ray]);
    for (; l->nexts < l->rays && l->nexts < AHEAD / 2; l->nexts++, l->next = t->next[l->next])
        __builtin_prefetch(&t->its->piece[t->rays[l->next].piece + 1]);
    l->rays--;
    l->nexts--;
}

static void work_on(fs_travel *t, uint32_t tile) {
    tile_rays *on = &t->tile[tile];
    const uint32_t workers = t->params.workers;
    const uint64_t quantum = t->params.quantum > 0 ? t->params.quantum : UINT32_MAX;
    uint32_t(*rows)[FS_TRAVEL_EVENTS] = t->rows + (size_t)tile * workers;
    uint64_t units[FS_TRAVEL_WORKERS] = {0};
    ray_list aside = {.count = 0};
    lookout ahead = {.ray = on->queue.head, .next = on->queue.head};
    memset(rows, 0, workers * sizeof *rows);
    for (uint32_t i = 0; i < on->transit; i++)
        rows[i % workers][FS_TRAVEL_ROUTE]++;
    on->transit = 0;
    for (uint32_t w; on->queue.count > 0 && units[w = least(units, workers)] < quantum;) {
        look_ahead(t, &on->queue, &ahead);
        const uint64_t took =
            go_on(t, tile, list_pop(t->next, &on->queue), quantum - units[w], rows[w], &aside);
        units[w] += took;
        on->units += took;
    }
    list_join(t->next, &on->queue, &aside);
}

void fs_travel_work(fs_travel *t) {
    t->active_count = 0;
    for (uint32_t i = 0; i < t->tiles; i++)
        if (t->tile[i].queue.count > 0 || t->tile[i].transit > 0)
            t->active[t->active_count++] = i;
#pragma omp parallel for schedule(dynamic, 8)
    for (uint32_t i = 0; i < t->active_count; i++)
        work_on(t, t->active[i]);
    t->ended_now = 0;
    for (uint32_t i = 0; i < t->active_count; i++) {
        ray_list *ended = &t->tile[t->active[i]].ended;
        t->ended_now += ended->count;
        list_join(t->next, &t->spare, ended);
    }
    t->totals.ended += t->ended_now;
}

bool fs_travel_move_on(fs_travel *t) {
    fs_travel_grant(t);
    start_paths(t);
    t->totals.steps++;
    t->deepest_now = 0;
    for (uint32_t i = 0; i < t->tiles; i++) {
        const uint32_t rays = rays_on(&t->tile[i]);
        t->deepest_now = rays > t->deepest_now ? rays : t->deepest_now;
        if (rays > t->totals.deepest) {
            t->totals.deepest = rays;
            t->totals.deepest_tile = i;
        }
    }
    return t->totals.ended < t->its->paths;
}

/* ---- after ---- */

fs_travel_step fs_travel_step_of(const fs_travel *t) {
    return (fs_travel_step){.number = t->totals.steps - 1,
                            .workers = t->params.workers,
                            .active = t->active,
                            .active_count = t->active_count,
                            .rows = (const uint32_t(*)[FS_TRAVEL_EVENTS])t->rows,
                            .moves = t->sorted,
                            .move_count = t->move_count,
                            .ended = t->ended_now,
                            .in_flight = t->totals.started - t->totals.ended,
                            .waiting = t->asked_count,
                            .deepest = t->deepest_now};
}

fs_travel_totals fs_travel_totals_of(const fs_travel *t) {
    fs_travel_totals totals = t->totals;
    uint64_t *units = (uint64_t *)(uintptr_t)totals.units_of;
    totals.units = totals.moves = 0;
    for (uint32_t i = 0; i < t->tiles; i++) {
        units[i] = t->tile[i].units;
        totals.units += units[i];
        totals.moves += t->tile[i].moves;
    }
    return totals;
}

fs_status fs_travel_check(const fs_travel *t, fs_error *err) {
    uint64_t held = 0, asking = 0;
    const fs_travel_totals totals = fs_travel_totals_of(t);
    for (uint32_t i = 0; i < t->tiles; i++) {
        const uint32_t rays = rays_on(&t->tile[i]);
        held += rays;
        asking += t->tile[i].out.count;
        if (t->params.capacity > 0 && rays > t->params.capacity)
            return fs_fail(err, FS_BROKEN, "tile %" PRIu32 " holds %" PRIu32 " rays, its queue %" PRIu32, i,
                           rays, t->params.capacity);
    }
    if (totals.started != totals.ended + held || held + t->spare.count != t->room)
        return fs_fail(err, FS_BROKEN,
                       "%" PRIu64 " paths started, %" PRIu64 " ended, tiles hold %" PRIu64 " rays",
                       totals.started, totals.ended, held);
    if (totals.moves != totals.arrivals + asking)
        return fs_fail(err, FS_BROKEN,
                       "%" PRIu64 " rays left for another tile, %" PRIu64 " arrived, %" PRIu64 " wait",
                       totals.moves, totals.arrivals, asking);
    return FS_OK;
}
