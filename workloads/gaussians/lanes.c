#include "workloads/gaussians/lanes.h"

#include "sim/base/alloc.h"
#include "sim/base/check.h"

#include <stdlib.h>
#include <string.h>

const uint8_t fs_gaussians_phase_of[FS_GAUSSIANS_ROUTE_EVENTS] = {
    [FS_GAUSSIANS_IN_SCAN] = 1,    [FS_GAUSSIANS_IN_LOOK] = 1,       [FS_GAUSSIANS_IN_WRITE] = 1,
    [FS_GAUSSIANS_IN_UNPACK] = 1,  [FS_GAUSSIANS_IN_COVARIANCE] = 1, [FS_GAUSSIANS_IN_RADIUS] = 1,
    [FS_GAUSSIANS_TRANSIT] = 1,    [FS_GAUSSIANS_BLOOM] = 1,         [FS_GAUSSIANS_SCAN] = 2,
    [FS_GAUSSIANS_LOOK] = 2,       [FS_GAUSSIANS_WRITE] = 2,         [FS_GAUSSIANS_UNPACK] = 2,
    [FS_GAUSSIANS_COVARIANCE] = 2, [FS_GAUSSIANS_RADIUS] = 2,        [FS_GAUSSIANS_KEPT] = 2,
    [FS_GAUSSIANS_AIM] = 2,        [FS_GAUSSIANS_APPEND] = 2,        [FS_GAUSSIANS_ZERO] = 3,
    [FS_GAUSSIANS_COMPARE] = 3,    [FS_GAUSSIANS_SWAP] = 3,          [FS_GAUSSIANS_ROW] = 2,
    [FS_GAUSSIANS_OFFSET] = 1};

enum { RIGHT = FS_GAUSSIANS_RIGHT, LEFT = FS_GAUSSIANS_LEFT, UP = FS_GAUSSIANS_UP, DOWN = FS_GAUSSIANS_DOWN };
#define BIT(side) (1u << (side))

/* ---- making ---- */

/* What is left of the Gaussians for the last tile, which has no room beyond it in its list. */
static uint32_t tail_of(uint32_t n, uint32_t share, uint32_t tiles) {
    return n + (tiles - n / share) * share - (tiles - 1) * share;
}

void fs_gaussians_lanes_create(fs_gaussians_lanes *l, const fs_gaussians_params *p, uint32_t n) {
    const fs_gaussians_grid grid = fs_gaussians_grid_of(p);
    const uint32_t share = (n + grid.tiles - 1) / grid.tiles, tail = tail_of(n, share, grid.tiles);
    *l = (fs_gaussians_lanes){.grid = grid,
                              .gaussians = n,
                              .share = share,
                              .slots = (tail > share ? tail : share) + (uint32_t)p->extra,
                              .extra = (uint32_t)p->extra,
                              .lane_slots = fs_gaussians_lane_slots(p),
                              .tail = tail,
                              .flow = p->bloom == FS_GAUSSIANS_FLOW};
    const size_t tiles = grid.tiles;
    l->store = fs_calloc(tiles * l->slots, sizeof *l->store);
    l->list = fs_calloc(tiles * l->slots, sizeof *l->list);
    l->used = fs_calloc(tiles, sizeof *l->used);
    l->work = fs_calloc(tiles, sizeof *l->work);
    for (int i = 0; i < 2; i++) {
        l->lane[i] = fs_calloc(tiles * 4 * l->lane_slots, sizeof **l->lane);
        l->filled[i] = fs_calloc(tiles * 4, sizeof **l->filled);
    }
    for (uint32_t i = 0; i < n; i++) {
        l->store[(size_t)(i / share) * l->slots + i % share] = i + 1;
        l->used[i / share] = i % share + 1;
    }
}

void fs_gaussians_lanes_free(fs_gaussians_lanes *l) {
    free(l->store);
    free(l->list);
    free(l->used);
    free(l->work);
    for (int i = 0; i < 2; i++) {
        free(l->lane[i]);
        free(l->filled[i]);
    }
}

uint32_t fs_gaussians_store_slots(const fs_gaussians_lanes *l, uint32_t tile) {
    return (tile + 1 == l->grid.tiles ? l->tail : l->share) + l->extra;
}

uint32_t fs_gaussians_list_slots(const fs_gaussians_lanes *l, uint32_t tile) {
    return tile + 1 == l->grid.tiles ? l->tail : l->share + l->extra;
}

uint32_t fs_gaussians_neighbour(const fs_gaussians_grid *g, uint32_t tile, int side) {
    const uint32_t column = tile % g->columns, row = tile / g->columns;
    switch (side) {
    case FS_GAUSSIANS_RIGHT:
        return column + 1 < g->columns ? tile + 1 : tile;
    case FS_GAUSSIANS_LEFT:
        return column > 0 ? tile - 1 : tile;
    case FS_GAUSSIANS_UP:
        return row > 0 ? tile - g->columns : tile;
    default:
        return row + 1 < g->rows ? tile + g->columns : tile;
    }
}

/* ---- one tile ---- */

typedef struct worker {
    fs_gaussians_lanes *l;
    const fs_gaussians_seen *seen;
    uint32_t tile;
    fs_gaussians_box box;
    uint32_t *store, *used, *out, *filled, *list;
    uint32_t list_slots, look; /* of which phase an insertion's looks and writes are */
    fs_gaussians_tile_work *work;
} worker;

/* The place of a number among `count` slots; count: it is in none. Blocks first, which vectors compare at once. */
static uint32_t place_of(const uint32_t *slots, uint32_t count, uint32_t id) {
    enum { BLOCK = 32 };
    uint32_t i = 0;
    for (; i + BLOCK <= count; i += BLOCK) {
        uint32_t found = 0;
        for (uint32_t k = 0; k < BLOCK; k++)
            found |= slots[i + k] == id;
        if (found)
            break;
    }
    while (i < count && slots[i] != id)
        i++;
    return i;
}

/* Every slot from 0 on is looked at: up to the place of the same number, else all. */
static bool insert(worker *w, uint32_t *slots, uint32_t *used, uint32_t count, uint32_t id) {
    const uint32_t place = place_of(slots, *used, id);
    w->work->inserted[w->look == FS_GAUSSIANS_LOOK]++;
    if (place < *used) {
        w->work->event[w->look] += place + 1;
        return true;
    }
    const uint32_t empty = place_of(slots, *used, 0);
    w->work->event[w->look] += count;
    if (empty == count)
        return false;
    *used += empty == *used;
    slots[empty] = id;
    w->work->event[w->look + 1]++;
    return true;
}

static bool send(worker *w, int side, uint32_t id) {
    const bool sent =
        insert(w, w->out + (size_t)side * w->l->lane_slots, &w->filled[side], w->l->lane_slots, id);
    w->work->sends++;
    w->work->failed += !sent;
    return sent;
}

static void store(worker *w, uint32_t id) {
    w->work->lost += !insert(w, w->store, w->used, fs_gaussians_store_slots(w->l, w->tile), id);
}

static void append(worker *w, uint32_t id) {
    if (!w->seen[id - 1].drawn || w->work->listed == w->list_slots)
        return;
    w->list[w->work->listed++] = id;
    w->work->event[FS_GAUSSIANS_APPEND]++;
}

/* Sides to which a copy that came from a side goes on, in their order; ended by FS_GAUSSIANS_NO_SIDE. */
static void send_on(worker *w, int from, unsigned crossed, uint32_t id) {
    static const int along_row[2][4] = {
        [RIGHT] = {LEFT, DOWN, UP, FS_GAUSSIANS_NO_SIDE}, [LEFT] = {RIGHT, DOWN, UP, FS_GAUSSIANS_NO_SIDE}};
    static const int up_and_down[] = {UP, DOWN, FS_GAUSSIANS_NO_SIDE};
    const int *order = up_and_down;
    unsigned may = crossed & (BIT(UP) | BIT(DOWN));
    if (from <= LEFT && (crossed & BIT(along_row[from][0]))) {
        order = along_row[from];
        may |= BIT(order[0]);
    } else if (from > LEFT) {
        may &= ~BIT(from);
    }
    for (; *order != FS_GAUSSIANS_NO_SIDE; order++)
        if ((may & BIT(*order)) && !send(w, *order, id))
            return;
}

static void receive_one(worker *w, int from, uint32_t id) {
    const fs_gaussians_grid *g = &w->l->grid;
    const fs_gaussians_seen *s = &w->seen[id - 1];
    uint32_t *event = w->work->event;
    const uint32_t beside[4] = {[RIGHT] = w->tile + 1,
                                [LEFT] = w->tile - 1,
                                [UP] = w->tile < g->columns ? 0 : w->tile - g->columns,
                                [DOWN] = w->tile + g->columns};
    w->work->received++;
    event[FS_GAUSSIANS_IN_UNPACK]++;
    if (fs_gaussians_contains(&w->box, s)) {
        store(w, id);
        return;
    }
    event[FS_GAUSSIANS_IN_COVARIANCE]++;
    const fs_gaussians_box there = fs_gaussians_tile(g, beside[from]);
    if (fs_gaussians_distance(g, &w->box, s->aim) < fs_gaussians_distance(g, &there, s->aim)) {
        const int side = fs_gaussians_direction(g, &w->box, s->aim);
        event[FS_GAUSSIANS_TRANSIT]++;
        if (side != FS_GAUSSIANS_NO_SIDE)
            send(w, side, id);
        store(w, id);
        return;
    }
    event[FS_GAUSSIANS_BLOOM]++;
    event[FS_GAUSSIANS_IN_RADIUS]++;
    if (s->guarded)
        send_on(w, from, fs_gaussians_crosses(&w->box, s), id);
    if (w->l->flow)
        append(w, id);
    else
        store(w, id);
}

static void receive(worker *w) {
    const fs_gaussians_lanes *l = w->l;
    const uint32_t before = 1 - l->now;
    static const int opposite[] = {[RIGHT] = LEFT, [LEFT] = RIGHT, [UP] = DOWN, [DOWN] = UP};
    w->look = FS_GAUSSIANS_IN_LOOK;
    w->work->event[FS_GAUSSIANS_IN_SCAN] = 4 * l->lane_slots;
    for (int side = 0; side < 4; side++) {
        const uint32_t from = fs_gaussians_neighbour(&l->grid, w->tile, side);
        const size_t lane = 4 * (size_t)from + (size_t)(from == w->tile ? side : opposite[side]);
        for (uint32_t i = 0; i < l->filled[before][lane]; i++)
            receive_one(w, side, l->lane[before][lane * l->lane_slots + i]);
    }
}

/* A Gaussian at home stays and sends copies, in the order of sides, up to the first full lane; any other is sent towards its home. */
static void route_one(worker *w, uint32_t slot) {
    const uint32_t id = w->store[slot];
    const fs_gaussians_seen *s = &w->seen[id - 1];
    const fs_gaussians_box aimed = fs_gaussians_tile(&w->l->grid, s->aim);
    w->work->anchored += s->aim == w->tile && fs_gaussians_contains(&w->box, s);
    w->work->copies += s->aim != w->tile && s->aim < w->l->grid.tiles && fs_gaussians_contains(&aimed, s);
    if (fs_gaussians_contains(&w->box, s)) {
        const unsigned crossed = s->guarded ? fs_gaussians_crosses(&w->box, s) : 0;
        for (int side = 0; side < 4; side++)
            if ((crossed & BIT(side)) && !send(w, side, id))
                break;
    } else {
        const int side = fs_gaussians_direction(&w->l->grid, &w->box, s->aim);
        w->work->event[FS_GAUSSIANS_AIM]++;
        if (side != FS_GAUSSIANS_NO_SIDE && send(w, side, id))
            w->store[slot] = 0;
    }
    append(w, id);
}

static void route(worker *w) {
    uint32_t stored = 0, used = 0;
    w->look = FS_GAUSSIANS_LOOK;
    w->work->event[FS_GAUSSIANS_SCAN] = fs_gaussians_store_slots(w->l, w->tile);
    for (uint32_t slot = 0; slot < *w->used; slot++)
        if (w->store[slot] != 0) {
            stored++;
            route_one(w, slot);
            if (w->store[slot] != 0) {
                used = slot + 1;
                w->work->stored++;
            }
        }
    *w->used = used;
    w->work->event[FS_GAUSSIANS_UNPACK] = w->work->event[FS_GAUSSIANS_COVARIANCE] =
        w->work->event[FS_GAUSSIANS_RADIUS] = w->work->event[FS_GAUSSIANS_KEPT] = stored;
}

void fs_gaussians_sort(uint32_t *list, uint32_t count, const fs_gaussians_seen *seen, uint32_t *event) {
    while (count > 1) {
        const float pivot = seen[list[count - 1] - 1].z;
        uint32_t less = 0;
        for (uint32_t i = 0; i < count; i++)
            if (i + 1 == count || seen[list[i] - 1].z <= pivot) {
                const uint32_t other = list[less];
                list[less++] = list[i];
                list[i] = other;
                event[FS_GAUSSIANS_SWAP]++;
            }
        event[FS_GAUSSIANS_COMPARE] += count - 1;
        fs_gaussians_sort(list + less, count - less, seen, event);
        count = less - 1;
    }
}

static void tile_step(fs_gaussians_lanes *l, const fs_gaussians_seen *seen, uint32_t tile) {
    worker w = {.l = l,
                .seen = seen,
                .tile = tile,
                .box = fs_gaussians_tile(&l->grid, tile),
                .store = l->store + (size_t)tile * l->slots,
                .used = &l->used[tile],
                .out = l->lane[l->now] + (size_t)tile * 4 * l->lane_slots,
                .filled = l->filled[l->now] + 4 * (size_t)tile,
                .list = l->list + (size_t)tile * l->slots,
                .list_slots = fs_gaussians_list_slots(l, tile),
                .work = &l->work[tile]};
    *w.work = (fs_gaussians_tile_work){
        .event = {[FS_GAUSSIANS_CLEAR] = 4 * l->lane_slots, [FS_GAUSSIANS_SETUP] = 1}};
    memset(w.filled, 0, 4 * sizeof *w.filled);
    receive(&w);
    route(&w);
    if (w.work->listed > 1) {
        w.work->event[FS_GAUSSIANS_ZERO] = w.list_slots;
        fs_gaussians_sort(w.list, w.work->listed, seen, w.work->event);
    }
}

void fs_gaussians_step(fs_gaussians_lanes *l, const fs_gaussians_seen *seen) {
    l->now = 1 - l->now;
#pragma omp parallel for schedule(dynamic, 16)
    for (uint32_t t = 0; t < l->grid.tiles; t++)
        tile_step(l, seen, t);
}

uint64_t fs_gaussians_state(const fs_gaussians_lanes *l) {
    uint64_t check = fs_check64(0, l->store, (size_t)l->grid.tiles * l->slots * sizeof *l->store);
    for (uint32_t t = 0; t < 4 * l->grid.tiles; t++)
        check = fs_check64(check, l->lane[l->now] + (size_t)t * l->lane_slots,
                           l->filled[l->now][t] * sizeof **l->lane);
    return check;
}
