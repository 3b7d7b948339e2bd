/* The usual call of a router: no ray has a choice, and every ray finds a slot in its own lane. Then a lane's
 * out buffer is what worker 0 sends there, in the order of the in lanes and their slots, then what worker 1
 * sends there, and so on. A first pass looks up each slot's lane and counts what each worker has for it; with
 * that each ray's place is known, and a second pass moves the rays, both without a branch. Whether a lane
 * overflows is known between the two, with nothing done; router.c does those calls, and it is what this is
 * held to. */
#include "workloads/foam/kernels/programs.h"
#include "workloads/foam/kernels/simulation_internal.h"

#include <string.h>

enum { WORKERS = FS_USUAL_WORKERS, MOST_PORTS = 15, PLACES = MOST_PORTS + 1 };

typedef struct sorting {
    fs_handle *next[WORKERS][PLACES]; /* where a worker's next ray for a lane goes */
    uint32_t count[WORKERS][PLACES];  /* rays of a worker for a lane; [ports]: consumed slots */
    uint32_t ports;                   /* lanes; the place of what goes nowhere */
} sorting;

/* As it leaves: one router further. */
static inline uint64_t forwarded(const fs_handle *slot) {
    const fs_handle one = {.routed = 1};
    uint64_t handle, step;
    memcpy(&step, &one, sizeof step);
    memcpy(&handle, slot, sizeof handle);
    return handle + step;
}

/* marked: the slot may be a consumed one. */
static inline __attribute__((always_inline)) void count_slot(const uint8_t *route, const fs_handle *slot,
                                                             bool marked, uint8_t ports, uint8_t *lane,
                                                             uint32_t *count) {
    uint8_t to = route[slot->wants];
    if (marked)
        to = slot->ray == FS_RAY_CONSUMED ? ports : to;
    *lane = to;
    count[to]++;
}

static inline __attribute__((always_inline)) void count_lane(const uint8_t *route, const fs_handle *slot,
                                                             uint32_t extent, bool marked, uint8_t *lane,
                                                             sorting *s) {
    const uint8_t ports = (uint8_t)s->ports;
    uint32_t left = extent; /* an empty lane has no slots to point behind */
    for (; left >= WORKERS;
         left -= WORKERS, slot += WORKERS, lane += WORKERS) { /* by hand: not every compiler would */
        count_slot(route, slot, marked, ports, lane, s->count[0]);
        count_slot(route, slot + 1, marked, ports, lane + 1, s->count[1]);
        count_slot(route, slot + 2, marked, ports, lane + 2, s->count[2]);
        count_slot(route, slot + 3, marked, ports, lane + 3, s->count[3]);
        count_slot(route, slot + 4, marked, ports, lane + 4, s->count[4]);
        count_slot(route, slot + 5, marked, ports, lane + 5, s->count[5]);
    }
    for (uint32_t worker = 0; worker < left; worker++)
        count_slot(route, slot + worker, marked, ports, lane + worker, s->count[worker]);
}

static inline __attribute__((always_inline)) void move_slot(const fs_handle *slot, uint8_t lane,
                                                            fs_handle **next) {
    const uint64_t handle = forwarded(slot);
    memcpy(next[lane]++, &handle, sizeof handle);
}

static void move_lane(const fs_handle *slot, uint32_t extent, const uint8_t *lane, sorting *s) {
    uint32_t left = extent;
    for (; left >= WORKERS; left -= WORKERS, slot += WORKERS, lane += WORKERS) {
        move_slot(slot, lane[0], s->next[0]);
        move_slot(slot + 1, lane[1], s->next[1]);
        move_slot(slot + 2, lane[2], s->next[2]);
        move_slot(slot + 3, lane[3], s->next[3]);
        move_slot(slot + 4, lane[4], s->next[4]);
        move_slot(slot + 5, lane[5], s->next[5]);
    }
    for (uint32_t worker = 0; worker < left; worker++)
        move_slot(slot + worker, lane[worker], s->next[worker]);
}

/* Counts the slots of the in lanes; false where this is not for them. */
static bool fit(const fs_foam_simulation *sim, uint32_t tile, uint32_t ports, size_t *slots) {
    *slots = 0;
    if (!sim->usual || sim->chooses[tile] || ports > MOST_PORTS)
        return false;
    for (uint32_t p = 0; p < ports; p++) {
        const fs_lane_state *in = fs_in_lane(sim, tile, p);
        if (in->in_spilled)
            return false;
        *slots += in->in_extent;
    }
    return *slots <= FS_ASIDE;
}

/* Asks for the memory that out buffers will take: they were written two iterations ago, and 30 runs of rays
 * side by side are more than the host would foresee. */
static void fetch_out(const fs_lane_store *store, size_t slots) {
    const fs_handle *at = store->half[store->writing] + store->used, *end = at + slots;
    for (; at < end; at += 8)
        __builtin_prefetch(at, 1);
}

static void count_rays(const fs_foam_simulation *sim, uint32_t tile, uint8_t *lane, sorting *s) {
    const uint8_t *route = sim->overlay->route + sim->overlay->route_start[tile];
    memset(s->count, 0, sizeof s->count);
    for (uint32_t p = 0; p < s->ports; p++) {
        const fs_lane_state *in = fs_in_lane(sim, tile, p);
        if (in->in_plain)
            count_lane(route, in->in, in->in_extent, false, lane, s);
        else
            count_lane(route, in->in, in->in_extent, true, lane, s);
        lane += in->in_extent;
    }
}

/* Rays for each lane; false when they are more than some lane can take. */
static bool room_for(const fs_foam_simulation *sim, uint32_t tile, const sorting *s,
                     uint32_t rays[MOST_PORTS]) {
    bool room = true;
    for (uint32_t lane = 0; lane < s->ports; lane++) {
        rays[lane] = 0;
        for (uint32_t w = 0; w < WORKERS; w++)
            rays[lane] += s->count[w][lane];
        room = room && rays[lane] <= fs_out_lane(sim, tile, lane)->capacity;
    }
    return room;
}

/* Takes the out buffers. The number of slots to wipe. */
static uint32_t place_rays(fs_foam_simulation *sim, uint32_t tile, fs_lane_store *store,
                           const uint32_t rays[MOST_PORTS], sorting *s) {
    uint32_t wiped = 0;
    for (uint32_t lane = 0; lane < s->ports; lane++) {
        fs_lane_state *out = fs_out_lane(sim, tile, lane);
        fs_handle *to = out->out = fs_lanes_take(store, rays[lane]);
        out->out_extent = out->out_rays = rays[lane];
        out->out_plain = true;
        wiped += fs_lanes_wiped(out);
        for (uint32_t w = 0; w < WORKERS; w++) {
            s->next[w][lane] = to;
            to += s->count[w][lane];
        }
    }
    for (uint32_t w = 0; w < WORKERS; w++)
        s->next[w][s->ports] = store->aside;
    return wiped;
}

static void count_events(const sorting *s, uint32_t *counts) {
    for (uint32_t w = 0; w < WORKERS; w++) {
        uint32_t *row = counts + (size_t)w * FS_MAX_EVENTS, rays = 0;
        for (uint32_t lane = 0; lane < s->ports; lane++)
            rays += s->count[w][lane];
        row[FS_ROUTER_COUNT] = row[FS_ROUTER_FORWARD] = rays;
        row[FS_ROUTER_SKIP_COUNT] = row[FS_ROUTER_SKIP_FORWARD] = s->count[w][s->ports];
    }
}

bool fs_router_usual(fs_foam_simulation *sim, uint32_t tile, fs_lane_store *store, uint32_t *counts) {
    sorting s;
    uint32_t rays[MOST_PORTS], total = 0;
    size_t slots;
    s.ports = fs_ports(sim, tile);
    if (!fit(sim, tile, s.ports, &slots))
        return false;
    fetch_out(store, slots);
    count_rays(sim, tile, store->lane_of, &s);
    if (!room_for(sim, tile, &s, rays))
        return false;
    counts[FS_ROUTER_WIPE] += place_rays(sim, tile, store, rays, &s);
    const uint8_t *lane = store->lane_of;
    for (uint32_t p = 0; p < s.ports; p++) {
        const fs_lane_state *in = fs_in_lane(sim, tile, p);
        move_lane(in->in, in->in_extent, lane, &s);
        lane += in->in_extent;
        total += rays[p];
    }
    count_events(&s, counts);
    counts[FS_ROUTER_STATISTICS] = total;
    sim->work[tile].sent += total;
    return true;
}
