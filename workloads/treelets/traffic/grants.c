/* Moves: all are asked for; what would overfill a tile, or its way, is withdrawn and stays with its sender.
 *
 * A tile keeps the first of its arrivals in the order of asking, as many as its room and its granted departures
 * hold. Withdrawing one takes a departure from its sender, which may then keep fewer: it goes on until nothing
 * changes, and ends in the same grants whatever the order, since each tile keeps as many as it ever can.
 *
 * That alone may stand still: in a ring of full tiles a ray from outside may stand before the ring's own, which is
 * then withdrawn, and with it, round the ring, all. So where nothing was granted and no ray can work, the ring is
 * looked for, first ray by first ray, and turned: no tile's number of rays changes by that. */
#include "workloads/treelets/traffic/travel_private.h"

#include <string.h>

static uint32_t hop_of(const fs_travel *t, uint32_t tile, uint32_t goal, uint32_t *limit) {
    if (t->params.ways.hop != NULL)
        return t->params.ways.hop(t->params.ways.self, tile, goal, limit);
    *limit = t->params.slots > 0 ? t->params.slots : UINT32_MAX;
    return goal;
}

/* In the order of tiles and of leaving. */
static void ask(fs_travel *t) {
    uint32_t limit;
    t->asked_count = 0;
    for (uint32_t i = 0; i < t->tiles; i++)
        for (uint32_t n = t->tile[i].out.count, r = t->tile[i].out.head; n > 0; n--, r = t->next[r])
            t->asked[t->asked_count++] = (request){r, i, hop_of(t, i, t->rays[r].goal, &limit), true};
}

/* By the tile asked for, in the order of asking; more than a way takes are withdrawn at once. stack, queued: the
 * last sender to a tile, and how many of its rays. */
static void sort_by_tile(fs_travel *t) {
    memset(t->to_start, 0, (t->tiles + 1) * sizeof *t->to_start);
    memset(t->kept, 0, t->tiles * sizeof *t->kept);
    memset(t->leaving, 0, t->tiles * sizeof *t->leaving);
    for (uint32_t i = 0; i < t->asked_count; i++)
        t->to_start[t->asked[i].dst + 1]++;
    for (uint32_t d = 0; d < t->tiles; d++)
        t->to_start[d + 1] += t->to_start[d];
    for (uint32_t i = 0; i < t->asked_count; i++) {
        request *a = &t->asked[i];
        uint32_t limit, *last = &t->stack[a->dst], *run = &t->queued[a->dst];
        hop_of(t, a->src, t->rays[a->ray].goal, &limit);
        *run = t->kept[a->dst] > 0 && *last == a->src ? *run : 0;
        *last = a->src;
        a->granted = *run < limit;
        if (a->granted) {
            ++*run;
            t->to[t->to_start[a->dst] + t->kept[a->dst]++] = i;
            t->leaving[a->src]++;
        }
    }
}

static bool overfull(const fs_travel *t, uint32_t tile) {
    return rays_on(&t->tile[tile]) - t->leaving[tile] + t->kept[tile] > t->params.capacity;
}

static void withdraw(fs_travel *t) {
    uint32_t count = 0;
    for (uint32_t i = t->tiles; i-- > 0;) {
        t->queued[i] = t->kept[i] > 0 && overfull(t, i);
        if (t->queued[i])
            t->stack[count++] = i;
    }
    while (count > 0) {
        const uint32_t tile = t->stack[--count];
        t->queued[tile] = 0;
        while (t->kept[tile] > 0 && overfull(t, tile)) {
            request *a = &t->asked[t->to[t->to_start[tile] + --t->kept[tile]]];
            a->granted = false;
            t->leaving[a->src]--;
            if (!t->queued[a->src] && t->kept[a->src] > 0 && overfull(t, a->src)) {
                t->queued[a->src] = 1;
                t->stack[count++] = a->src;
            }
        }
    }
}

/* ---- a ring of full tiles ---- */

static bool stands_still(const fs_travel *t) {
    bool none = t->asked_count > 0;
    for (uint32_t i = 0; i < t->tiles && none; i++)
        none = t->tile[i].queue.count == 0 && t->tile[i].transit == 0 && t->kept[i] == 0;
    return none;
}

/* Each tile's first request leads to a full tile, since nothing was granted: to one that has requests, too. */
static void turn_ring(fs_travel *t) {
    uint32_t *first = t->stack, tile = t->asked[0].src; /* [tiles] of its requests */
    for (uint32_t i = t->asked_count; i-- > 0;)
        first[t->asked[i].src] = i;
    memset(t->queued, 0, t->tiles * sizeof *t->queued);
    while (!t->queued[tile]) {
        t->queued[tile] = 1;
        tile = t->asked[first[tile]].dst;
    }
    t->totals.turned++;
    do {
        request *a = &t->asked[first[tile]];
        a->granted = true;
        t->leaving[a->src]++;
        t->to[t->to_start[a->dst] + t->kept[a->dst]++] = first[tile];
        tile = a->dst;
    } while (t->leaving[tile] == 0);
}

/* ---- what was granted is done ---- */

static void leave(fs_travel *t) {
    for (uint32_t i = 0; i < t->asked_count;) {
        const uint32_t src = t->asked[i].src;
        ray_list stay = {.count = 0};
        for (; i < t->asked_count && t->asked[i].src == src; i++)
            if (!t->asked[i].granted)
                list_push(t->next, &stay, t->asked[i].ray);
        t->tile[src].out = stay;
    }
}

static void arrive(fs_travel *t) {
    t->move_count = 0;
    for (uint32_t d = 0; d < t->tiles; d++) {
        tile_rays *on = &t->tile[d];
        for (uint32_t k = 0; k < t->kept[d]; k++) {
            const request *a = &t->asked[t->to[t->to_start[d] + k]];
            const bool there = t->rays[a->ray].goal == d;
            on->transit += !there;
            t->totals.arrivals += there;
            list_push(t->next, there ? &on->queue : &on->out, a->ray);
            fs_travel_move *last = t->moves + t->move_count - 1;
            if (k > 0 && last->src == a->src)
                last->rays++;
            else
                t->moves[t->move_count++] = (fs_travel_move){a->src, d, 1};
        }
        t->totals.hops += t->kept[d];
    }
}

/* By sender; receivers ascend already. */
static void sort_moves(fs_travel *t) {
    uint32_t *first = t->leaving;
    memset(first, 0, (t->tiles + 1) * sizeof *first);
    for (uint32_t i = 0; i < t->move_count; i++)
        first[t->moves[i].src + 1]++;
    for (uint32_t s = 0; s < t->tiles; s++)
        first[s + 1] += first[s];
    for (uint32_t i = 0; i < t->move_count; i++)
        t->sorted[first[t->moves[i].src]++] = t->moves[i];
}

void fs_travel_grant(fs_travel *t) {
    ask(t);
    sort_by_tile(t);
    if (t->params.capacity > 0) {
        withdraw(t);
        if (stands_still(t))
            turn_ring(t);
    }
    leave(t);
    const uint64_t before = t->totals.hops;
    arrive(t);
    sort_moves(t);
    t->asked_count -= (uint32_t)(t->totals.hops - before);
    t->totals.refused += t->asked_count;
}
