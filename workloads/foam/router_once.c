/* A router in one pass: nearly every call is one in which no ray has a choice and every ray finds a slot in
 * its own lane. Then a lane's out buffer is what worker 0 sends there, in the order of the in lanes and their
 * slots, then what worker 1 sends there, and so on: each worker's rays for each lane are put one behind the
 * other aside, and joined at the end, when it is known how many they are. Whether a lane overflows is known
 * then too; the two passes of router.c do those calls, and they are what this is held to. */
#include "workloads/foam/programs.h"
#include "workloads/foam/simulation_internal.h"

#include <string.h>

enum { WORKERS = FS_USUAL_WORKERS, MOST_PORTS = 16 };

/* Handles of a worker for a lane: [begin, next). */
typedef struct sorting {
    fs_handle *next[WORKERS][MOST_PORTS];
    fs_handle *aside;          /* [WORKERS][ports][share] */
    uint32_t ports, share;     /* lanes; most rays of a worker */
    uint32_t skipped[WORKERS]; /* consumed slots */
} sorting;

/* As it leaves: one router further. */
static inline uint64_t forwarded(const fs_handle *slot) {
    const fs_handle one = {.routed = 1};
    uint64_t handle, step;
    memcpy(&step, &one, sizeof step);
    memcpy(&handle, slot, sizeof handle);
    return handle + step;
}

/* next: of the slot's worker. marked: the slot may be a consumed one. */
static inline __attribute__((always_inline)) void
sort_slot(const uint8_t *route, const fs_handle *slot, bool marked, fs_handle **next, uint32_t *skipped) {
    if (marked && __builtin_expect(slot->ray == FS_RAY_CONSUMED, 0)) {
        ++*skipped;
        return;
    }
    const uint64_t handle = forwarded(slot);
    memcpy(next[route[slot->wants]]++, &handle, sizeof handle);
}

/* All slots of an in lane. */
static inline __attribute__((always_inline)) void sort_lane(const uint8_t *route, const fs_handle *slot,
                                                            uint32_t extent, bool marked, sorting *s) {
    const fs_handle *end = slot + extent;
    for (; slot + WORKERS <= end; slot += WORKERS) { /* by hand: not every compiler would */
        sort_slot(route, slot, marked, s->next[0], &s->skipped[0]);
        sort_slot(route, slot + 1, marked, s->next[1], &s->skipped[1]);
        sort_slot(route, slot + 2, marked, s->next[2], &s->skipped[2]);
        sort_slot(route, slot + 3, marked, s->next[3], &s->skipped[3]);
        sort_slot(route, slot + 4, marked, s->next[4], &s->skipped[4]);
        sort_slot(route, slot + 5, marked, s->next[5], &s->skipped[5]);
    }
    for (uint32_t worker = 0; slot < end; slot++, worker++)
        sort_slot(route, slot, marked, s->next[worker], &s->skipped[worker]);
}

/* Room for what each worker may send to each lane; false where this is not for it. */
static bool begin(const fs_simulation *sim, uint32_t tile, const fs_lane_store *store, sorting *s) {
    s->ports = fs_ports(sim, tile);
    s->share = 0;
    if (!sim->once || sim->chooses[tile] || s->ports > MOST_PORTS)
        return false;
    for (uint32_t p = 0; p < s->ports; p++) {
        const fs_lane_state *in = fs_in_lane(sim, tile, p);
        if (in->in_spilled)
            return false;
        s->share += fs_share(in->in_extent, WORKERS, 0);
    }
    if ((size_t)s->share * s->ports * WORKERS > FS_ASIDE)
        return false;
    s->aside = store->aside;
    for (uint32_t w = 0; w < WORKERS; w++) {
        s->skipped[w] = 0;
        for (uint32_t p = 0; p < s->ports; p++)
            s->next[w][p] = s->aside + (size_t)(w * s->ports + p) * s->share;
    }
    return true;
}

/* Rays that each worker has for each lane; false when they are more than some lane can take. */
static bool count_rays(const fs_simulation *sim, uint32_t tile, const sorting *s,
                       uint32_t count[MOST_PORTS][WORKERS]) {
    bool fits = true;
    for (uint32_t lane = 0; lane < s->ports; lane++) {
        const fs_handle *begin = s->aside + (size_t)lane * s->share;
        uint32_t total = 0;
        for (uint32_t w = 0; w < WORKERS; w++, begin += (size_t)s->ports * s->share) {
            count[lane][w] = (uint32_t)(s->next[w][lane] - begin);
            total += count[lane][w];
        }
        fits = fits && total <= fs_out_lane(sim, tile, lane)->capacity;
    }
    return fits;
}

/* Up to FS_LANE_SLACK more slots than n are written. */
static inline void copy_few(fs_handle *to, const fs_handle *from, uint32_t n) {
    for (uint32_t i = 0; i < n; i += FS_LANE_SLACK)
        memcpy(to + i, from + i, FS_LANE_SLACK * sizeof *to);
}

/* Fills a tile's out lane; adds each worker's rays to `rays`. */
static void join(fs_lane_state *out, const sorting *s, uint32_t lane, const uint32_t count[WORKERS],
                 fs_lane_store *store, uint32_t rays[WORKERS]) {
    uint32_t total = 0;
    for (uint32_t w = 0; w < WORKERS; w++) {
        rays[w] += count[w];
        total += count[w];
    }
    fs_handle *to = out->out = fs_lane_take(store, total);
    out->out_extent = out->out_rays = total;
    out->out_plain = true;
    for (uint32_t w = 0; w < WORKERS && total > 0; w++) {
        copy_few(to, s->next[w][lane] - count[w], count[w]);
        to += count[w];
    }
}

bool fs_router_once(fs_simulation *sim, uint32_t tile, fs_lane_store *store, uint32_t *counts) {
    sorting s;
    uint32_t count[MOST_PORTS][WORKERS], rays[WORKERS] = {0}, total = 0, wiped = 0;
    if (!begin(sim, tile, store, &s))
        return false;
    const uint8_t *route = sim->overlay->route + sim->overlay->route_start[tile];
    for (uint32_t p = 0; p < s.ports; p++) {
        const fs_lane_state *in = fs_in_lane(sim, tile, p);
        if (in->in_plain)
            sort_lane(route, in->in, in->in_extent, false, &s);
        else
            sort_lane(route, in->in, in->in_extent, true, &s);
    }
    if (!count_rays(sim, tile, &s, count))
        return false;
    for (uint32_t lane = 0; lane < s.ports; lane++) {
        fs_lane_state *out = fs_out_lane(sim, tile, lane);
        join(out, &s, lane, count[lane], store, rays);
        wiped += fs_lane_wiped(out);
    }
    for (uint32_t w = 0; w < WORKERS; w++) {
        uint32_t *row = counts + (size_t)w * FS_MAX_EVENTS;
        row[FS_ROUTER_COUNT] = row[FS_ROUTER_FORWARD] = rays[w];
        row[FS_ROUTER_SKIP_COUNT] = row[FS_ROUTER_SKIP_FORWARD] = s.skipped[w];
        total += rays[w];
    }
    counts[FS_ROUTER_WIPE] += wiped;
    counts[FS_ROUTER_STATISTICS] = total;
    sim->work[tile].sent += total;
    return true;
}
