/* The router's kernel: counts, places and forwards the rays of its lanes; what has no room spills. */
#include "workloads/foam/kernels/programs.h"
#include "workloads/foam/kernels/simulation_internal.h"

/* Counts and write positions of one call. */
typedef struct routing {
    uint32_t ports;   /* lanes in and out */
    uint32_t workers; /* of the tile */
    fs_lane_state *in[FS_MAX_PORTS], *out[FS_MAX_PORTS];
    uint32_t own[FS_MAX_WORKERS]
                [FS_MAX_PORTS]; /* rays of a worker whose own lane it is; then those that find a slot */
    fs_handle *next[FS_MAX_WORKERS][FS_MAX_PORTS]; /* where the worker's next own ray goes */
    fs_handle *last[FS_MAX_WORKERS][FS_MAX_PORTS]; /* first slot that it may not fill with own rays */
    uint32_t spilled;                              /* rays whose own lane is full */
    uint32_t spill_next[FS_MAX_WORKERS];    /* number, in the order, of the worker's next spilled ray */
    uint32_t spill_begin[FS_MAX_PORTS + 1]; /* lane L takes the spilled rays [begin[L], begin[L + 1]) */
    /* Where routes leave a choice: */
    uint32_t choices[FS_MAX_PORTS];              /* of the group that begins at the port */
    uint32_t turn[FS_MAX_WORKERS][FS_MAX_PORTS]; /* rays that a worker has seen of the group */
    uint32_t got[FS_MAX_PORTS];                  /* rays whose own lane it has become */
} routing;

enum {
    NO_LANE = 0xff, /* of a consumed slot */
};

/* The lane of a group that fewest rays have got so far; ties to the lowest. */
static uint32_t least_occupied(const routing *r, uint32_t group) {
    uint32_t best = group;
    for (uint32_t lane = group + 1; lane < group + r->choices[group]; lane++)
        if (r->got[lane] < r->got[best])
            best = lane;
    return best;
}

/* The own lane of a ray whose route names a group of lanes. */
static uint32_t choose(const fs_foam_simulation *sim, uint32_t tile, routing *r, uint32_t group,
                       uint32_t worker, uint32_t ray) {
    const uint32_t choices = r->choices[group];
    switch (sim->overlay->dispatch) {
    case FS_DISPATCH_HASH:
        return group + fs_pixel_hash(fs_pixel_of(sim, ray & FS_RAY_ID), sim->overlay->level[tile]) % choices;
    case FS_DISPATCH_ROUND_ROBIN:
        return group + (worker + r->turn[worker][group]++ + (uint32_t)sim->iteration) % choices;
    default:
        return least_occupied(r, group);
    }
}

/* Count pass: own lane of every ray, noted for the forward pass; counts by worker and lane. */
static void count_pass(fs_foam_simulation *sim, uint32_t tile, routing *r, uint32_t *counts,
                       fs_tile_work *work, uint8_t *lane_of) {
    const uint8_t *route = sim->overlay->route + sim->overlay->route_start[tile];
    const bool chooses = sim->chooses[tile];
    const uint32_t workers = r->workers;
    for (uint32_t p = 0; p < r->ports; p++) {
        const fs_lane_state *in = r->in[p];
        for (uint32_t i = 0, worker = 0; i < in->in_extent;
             i++, lane_of++, worker = worker + 1 == workers ? 0 : worker + 1) {
            fs_handle handle = in->in[i];
            if (handle.ray == FS_RAY_CONSUMED) {
                counts[(size_t)worker * FS_MAX_EVENTS + FS_ROUTER_SKIP_COUNT]++;
                *lane_of = NO_LANE;
                continue;
            }
            if (handle.ray & FS_RAY_SPILLED)
                fs_arrive_spilled(sim, work, &handle);
            uint32_t lane = route[handle.wants];
            if (chooses && r->choices[lane] > 1)
                lane = choose(sim, tile, r, lane, worker, handle.ray);
            *lane_of = (uint8_t)lane;
            r->got[lane]++;
            r->own[worker][lane]++;
        }
    }
}

/* Write positions: [spilled rays, in the order][own rays, worker by worker]. */
static void place(routing *r, fs_lane_store *store, fs_tile_work *work) {
    const uint32_t workers = r->workers;
    uint32_t kept[FS_MAX_PORTS], spilled_by[FS_MAX_WORKERS] = {0};
    for (uint32_t lane = 0; lane < r->ports; lane++) {
        uint32_t capacity = r->out[lane]->capacity, filled = 0;
        for (uint32_t worker = 0; worker < workers; worker++) {
            uint32_t wanted = r->own[worker][lane],
                     fits = capacity - filled < wanted ? capacity - filled : wanted;
            spilled_by[worker] += wanted - fits;
            r->out[lane]->out_turned += wanted - fits;
            r->own[worker][lane] = fits;
            filled += fits;
        }
        kept[lane] = filled;
    }
    r->spilled = 0;
    for (uint32_t worker = 0; worker < workers; worker++) {
        r->spill_next[worker] = r->spilled;
        r->spilled += spilled_by[worker];
    }
    uint32_t begin = 0;
    for (uint32_t lane = 0; lane < r->ports; lane++) {
        fs_lane_state *out = r->out[lane];
        uint32_t free_slots = out->capacity - kept[lane], left = r->spilled - begin;
        uint32_t taken = left < free_slots ? left : free_slots;
        r->spill_begin[lane] = begin;
        begin += taken;
        out->out_extent = out->out_rays = kept[lane] + taken;
        out->out = fs_lanes_take(store, out->out_extent);
        fs_handle *next = out->out + taken;
        for (uint32_t worker = 0; worker < workers; worker++) {
            r->next[worker][lane] = next;
            next += r->own[worker][lane];
            r->last[worker][lane] = next;
        }
        out->out_spilled = taken;
        out->out_plain = taken == 0;
        work->sent += out->out_rays;
    }
    r->spill_begin[r->ports] = begin;
}

/* A ray whose own lane is full: the next spilled slot of the first lane that has one, or lost. */
static void spill(fs_foam_simulation *sim, routing *r, uint32_t worker, fs_handle handle, uint32_t *row,
                  fs_tile_work *work) {
    uint32_t number = r->spill_next[worker]++, lane = 0;
    if (number >= r->spill_begin[r->ports]) {
        fs_drop(sim, work, handle);
        return;
    }
    while (number >= r->spill_begin[lane + 1])
        lane++;
    handle.ray |= FS_RAY_SPILLED;
    r->out[lane]->out[number - r->spill_begin[lane]] = handle;
    row[FS_ROUTER_SPILL]++;
    work->spilled++;
}

/* As it leaves: one router further, and a ray that came spilled goes on as a detoured one. */
static inline fs_handle routed(fs_handle handle) {
    handle.ray = (handle.ray & ~FS_RAY_SPILLED) | (handle.ray & FS_RAY_SPILLED) >> 1;
    handle.routed++;
    return handle;
}

/* Forward pass: a ray whose own lane is full spills. */
static void forward(fs_foam_simulation *sim, routing *r, uint32_t *counts, fs_tile_work *work,
                    const uint8_t *lane_of) {
    const uint32_t workers = r->workers;
    for (uint32_t p = 0; p < r->ports; p++) {
        const fs_lane_state *in = r->in[p];
        for (uint32_t i = 0, worker = 0; i < in->in_extent;
             i++, worker = worker + 1 == workers ? 0 : worker + 1) {
            uint8_t lane = *lane_of++;
            if (lane == NO_LANE)
                continue;
            fs_handle handle = routed(in->in[i]);
            if (r->next[worker][lane] < r->last[worker][lane])
                *r->next[worker][lane]++ = handle;
            else
                spill(sim, r, worker, handle, counts + (size_t)worker * FS_MAX_EVENTS, work);
        }
    }
}

static void begin(const fs_foam_simulation *sim, uint32_t tile, routing *r) {
    r->workers = fs_workers_of(sim, (fs_role)sim->overlay->role[tile]);
    FS_ASSERT(r->workers > 0, "tile %u has no workers", tile);
    r->ports = sim->overlay->out_start[tile + 1] - sim->overlay->out_start[tile];
    for (uint32_t p = 0; p < r->ports; p++) {
        r->in[p] = fs_in_lane(sim, tile, p);
        r->out[p] = fs_out_lane(sim, tile, p);
        r->choices[p] =
            sim->overlay->lanes[sim->overlay->out_lane[sim->overlay->out_start[tile] + p]].choices;
        r->got[p] = 0;
    }
    for (uint32_t worker = 0; worker < r->workers; worker++)
        for (uint32_t lane = 0; lane < r->ports; lane++)
            r->own[worker][lane] = r->turn[worker][lane] = 0;
}

void fs_router_pass_on(fs_foam_simulation *sim, uint32_t tile, fs_lane_store *store, uint32_t *counts) {
    fs_tile_work *work = &sim->work[tile];
    routing r;
    if (fs_router_usual(sim, tile, store, counts))
        return;
    begin(sim, tile, &r);
    count_pass(sim, tile, &r, counts, work, store->lane_of);
    uint32_t total = 0;
    for (uint32_t worker = 0; worker < r.workers; worker++) {
        uint32_t *row = counts + (size_t)worker * FS_MAX_EVENTS, rays = 0;
        for (uint32_t lane = 0; lane < r.ports; lane++)
            rays += r.own[worker][lane];
        row[FS_ROUTER_COUNT] = row[FS_ROUTER_FORWARD] = rays;
        row[FS_ROUTER_SKIP_FORWARD] = row[FS_ROUTER_SKIP_COUNT];
        total += rays;
    }
    place(&r, store, work);
    forward(sim, &r, counts, work, store->lane_of);
    for (uint32_t lane = 0; lane < r.ports; lane++)
        counts[FS_ROUTER_WIPE] += fs_lanes_wiped(r.out[lane]);
    counts[FS_ROUTER_STATISTICS] = total;
}

void fs_router_run(fs_foam_simulation *sim, uint32_t tile, fs_lane_store *store, uint32_t *counts) {
    fs_router_pass_on(sim, tile, store, counts);
    sim->work[tile].held = counts[FS_ROUTER_STATISTICS];
}
