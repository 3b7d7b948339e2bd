#include "workloads/foam/programs.h"
#include "workloads/foam/simulation_internal.h"

#if defined(_OPENMP)
#include <omp.h>
#endif

/* Counts and write positions of one call. */
typedef struct routing {
    uint32_t ports; /* lanes in and out */
    uint32_t own[FS_MAX_WORKERS]
                [FS_MAX_PORTS]; /* rays of a worker whose own lane it is; then the next slot */
    uint32_t last[FS_MAX_WORKERS][FS_MAX_PORTS]; /* first slot that the worker may not fill with own rays */
    uint32_t spilled_total;
    uint32_t spill_next[FS_MAX_WORKERS];    /* number, in the order, of the worker's next spilled ray */
    uint32_t spill_begin[FS_MAX_PORTS + 1]; /* lane L takes the spilled rays [begin[L], begin[L + 1]) */
} routing;

static uint8_t *scratch(const fs_simulation *sim) {
#if defined(_OPENMP)
    return sim->lane_of + (size_t)omp_get_thread_num() * sim->lane_of_stride;
#else
    return sim->lane_of;
#endif
}

/* Count pass: own lane of every ray, noted for the forward pass; counts by worker and lane. */
static uint32_t count_pass(fs_simulation *sim, uint32_t tile, routing *r, uint32_t *counts,
                           fs_tile_work *work, uint8_t *lane_of) {
    const uint8_t *route = sim->overlay->route + sim->overlay->route_start[tile];
    const uint32_t workers = sim->setup.workers;
    uint32_t total = 0;
    for (uint32_t p = 0; p < r->ports; p++) {
        fs_lane_state *in = fs_in_lane(sim, tile, p);
        fs_handle *handles = in->in;
        for (uint32_t i = 0, worker = 0; i < in->in_extent;
             i++, worker = worker + 1 == workers ? 0 : worker + 1) {
            if (handles[i].ray == FS_RAY_CONSUMED) {
                counts[(size_t)worker * FS_MAX_EVENTS + FS_ROUTER_SKIP_COUNT]++;
                lane_of++;
                continue;
            }
            if (handles[i].ray & FS_RAY_SPILLED)
                fs_arrive_spilled(sim, work, &handles[i]);
            uint8_t lane = route[handles[i].wants];
            *lane_of++ = lane;
            r->own[worker][lane]++;
            counts[(size_t)worker * FS_MAX_EVENTS + FS_ROUTER_COUNT]++;
            total++;
        }
    }
    return total;
}

/* Lays the out buffers out: [spilled rays, in the order][own rays, worker by worker]. */
static void place(fs_simulation *sim, uint32_t tile, routing *r, fs_tile_work *work) {
    const uint32_t workers = sim->setup.workers;
    uint32_t kept[FS_MAX_PORTS], spilled_by[FS_MAX_WORKERS] = {0};
    for (uint32_t lane = 0; lane < r->ports; lane++) {
        uint32_t capacity = fs_out_lane(sim, tile, lane)->capacity, filled = 0;
        for (uint32_t worker = 0; worker < workers; worker++) {
            uint32_t wanted = r->own[worker][lane],
                     fits = capacity - filled < wanted ? capacity - filled : wanted;
            spilled_by[worker] += wanted - fits;
            r->own[worker][lane] = filled;
            filled += fits;
            r->last[worker][lane] = filled;
        }
        kept[lane] = filled;
    }
    r->spilled_total = 0;
    for (uint32_t worker = 0; worker < workers; worker++) {
        r->spill_next[worker] = r->spilled_total;
        r->spilled_total += spilled_by[worker];
    }
    uint32_t begin = 0;
    for (uint32_t lane = 0; lane < r->ports; lane++) {
        fs_lane_state *out = fs_out_lane(sim, tile, lane);
        uint32_t free_slots = out->capacity - kept[lane], left = r->spilled_total - begin;
        uint32_t taken = left < free_slots ? left : free_slots;
        r->spill_begin[lane] = begin;
        begin += taken;
        for (uint32_t worker = 0; worker < workers; worker++) {
            r->own[worker][lane] += taken;
            r->last[worker][lane] += taken;
        }
        out->out_extent = out->out_rays = kept[lane] + taken;
        out->spilled += taken;
        work->sent += out->out_rays;
    }
    r->spill_begin[r->ports] = begin;
}

/* A ray whose own lane is full: the next spilled slot of the first lane that has one, or lost. */
static void spill(fs_simulation *sim, uint32_t tile, routing *r, uint32_t worker, fs_handle handle,
                  uint32_t *row, fs_tile_work *work) {
    uint32_t number = r->spill_next[worker]++, lane = 0;
    if (number >= r->spill_begin[r->ports]) {
        fs_ray_list_add(&work->freed, sim->pool.ray, handle.ray);
        work->dropped++;
        return;
    }
    while (number >= r->spill_begin[lane + 1])
        lane++;
    handle.ray |= FS_RAY_SPILLED;
    fs_out_lane(sim, tile, lane)->out[number - r->spill_begin[lane]] = handle;
    row[FS_ROUTER_SPILL]++;
    work->spilled++;
}

static void forward_pass(fs_simulation *sim, uint32_t tile, routing *r, uint32_t *counts, fs_tile_work *work,
                         const uint8_t *lane_of) {
    const uint32_t workers = sim->setup.workers;
    fs_handle *out[FS_MAX_PORTS];
    for (uint32_t lane = 0; lane < r->ports; lane++)
        out[lane] = fs_out_lane(sim, tile, lane)->out;
    for (uint32_t p = 0; p < r->ports; p++) {
        const fs_lane_state *in = fs_in_lane(sim, tile, p);
        for (uint32_t i = 0, worker = 0; i < in->in_extent;
             i++, worker = worker + 1 == workers ? 0 : worker + 1) {
            fs_handle handle = in->in[i];
            uint8_t lane = *lane_of++;
            if (handle.ray == FS_RAY_CONSUMED)
                continue;
            handle.routed = (uint16_t)(handle.routed + (handle.routed != UINT16_MAX));
            if (r->own[worker][lane] < r->last[worker][lane])
                out[lane][r->own[worker][lane]++] = handle;
            else
                spill(sim, tile, r, worker, handle, counts + (size_t)worker * FS_MAX_EVENTS, work);
        }
    }
}

void fs_router_run(fs_simulation *sim, uint32_t tile, uint32_t *counts) {
    fs_tile_work *work = &sim->work[tile];
    routing r;
    r.ports = sim->overlay->out_start[tile + 1] - sim->overlay->out_start[tile];
    for (uint32_t worker = 0; worker < sim->setup.workers; worker++)
        for (uint32_t lane = 0; lane < r.ports; lane++)
            r.own[worker][lane] = 0;
    uint8_t *lane_of = scratch(sim);
    uint32_t total = count_pass(sim, tile, &r, counts, work, lane_of);
    place(sim, tile, &r, work);
    forward_pass(sim, tile, &r, counts, work, lane_of);
    for (uint32_t worker = 0; worker < sim->setup.workers; worker++) {
        uint32_t *row = counts + (size_t)worker * FS_MAX_EVENTS;
        row[FS_ROUTER_FORWARD] = row[FS_ROUTER_COUNT];
        row[FS_ROUTER_SKIP_FORWARD] = row[FS_ROUTER_SKIP_COUNT];
    }
    uint32_t wiped = 0;
    for (uint32_t lane = 0; lane < r.ports; lane++)
        wiped += fs_lane_wiped(fs_out_lane(sim, tile, lane));
    counts[FS_ROUTER_WIPE] = wiped;
    counts[FS_ROUTER_STATISTICS] = total;
    work->held = total;
}
