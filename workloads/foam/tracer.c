#include "workloads/foam/programs.h"
#include "workloads/foam/simulation_internal.h"

#include <string.h>

/* The ray's life is over in this iteration: its pixel's row of the hop maps. delivery: lanes since it was
 * marched. */
static void note_hops(fs_simulation *sim, const fs_ray *ray, uint32_t delivery) {
    if (ray->frame != 0)
        return;
    uint32_t alive = (uint32_t)sim->iteration - ray->born + 1;
    sim->framebuffer.hops[(size_t)ray->y * sim->framebuffer.width + ray->x] =
        (fs_pixel_hops){.tracer_visits = ray->tracer_visits,
                        .router_visits = ray->router_visits,
                        .misrouted = ray->misrouted,
                        .delivery_hops = (int32_t)delivery,
                        .alive = (int32_t)alive,
                        .waiting = (int32_t)(alive - ray->shortest)};
}

/* Only infinite buffers grow. */
static void grow_local(fs_simulation *sim, uint32_t tracer) {
    FS_ASSERT(sim->setup.infinite_buffers, "local framebuffer of tracer %u overflows", tracer);
    const uint32_t room = sim->local_room[tracer];
    fs_local_record *wider;
#pragma omp critical(fs_local_grows)
    wider = FS_NEW(sim->itinerary.arena, fs_local_record, 2 * (size_t)room + 16);
    memcpy(wider, sim->local[tracer], room * sizeof *wider);
    sim->local[tracer] = wider;
    sim->local_room[tracer] = 2 * room + 16;
}

/* The local framebuffer keeps the ray here; its pixel counts as written when the host has read it. */
static void keep_local(fs_simulation *sim, uint32_t id, uint32_t tracer) {
    const fs_ray *ray = &sim->pool.ray[id];
    if (sim->local_count[tracer] == sim->local_room[tracer])
        grow_local(sim, tracer);
    sim->local[tracer][sim->local_count[tracer]++] =
        (fs_local_record){.x = ray->x, .y = ray->y, .frame = ray->frame, .state = *fs_ray_end(sim, id)};
    note_hops(sim, ray, 0);
}

/* A ray has come to the tracer that it wanted: a leg ends. Without a detour it took the shortest way there
 * is. */
static inline void end_leg(const fs_simulation *sim, fs_ray *ray, uint32_t tracer, uint32_t routed) {
    uint32_t hops = routed + 1;
    if (__builtin_expect(ray->detoured, 0)) {
        hops = fs_overlay_distance(sim->overlay, ray->from == FS_FROM_GENERATOR ? UINT32_MAX : ray->from,
                                   tracer);
        ray->detoured = 0;
    }
    ray->shortest = (uint16_t)(ray->shortest + hops);
    ray->from = (uint16_t)tracer;
}

/* A finished ray is written to its pixel, which this tile owns. delivery: lanes since it was marched. */
static inline fs_handle write_pixel(fs_simulation *sim, fs_tile_work *work, uint32_t id, uint32_t delivery,
                                    uint32_t *row) {
    fs_ray *ray = &sim->pool.ray[id];
    row[FS_TRACER_PIXEL]++;
    fs_framebuffer_write(&sim->framebuffer, ray->x, ray->y, fs_ray_end(sim, id), ray->frame);
    note_hops(sim, ray, delivery);
    fs_ray_free(ray, (uint32_t)sim->iteration);
    work->ended++;
    return (fs_handle){.ray = FS_RAY_CONSUMED};
}

/* The next leg of a ray's itinerary. Returns the handle for the out slot; consumed if the ray stays here. */
static inline __attribute__((always_inline)) fs_handle
trace(fs_simulation *sim, fs_tile_work *work, uint32_t tracer, bool routes, fs_handle handle, uint32_t *row) {
    fs_ray *ray = &sim->pool.ray[handle.ray];
    const fs_leg *leg;
    ray->router_visits = (uint16_t)(ray->router_visits + handle.routed);
    ray->tracer_visits++;
    /* a tile that routes what it has traced visits the ray once: its forward pass makes this 0 */
    handle.routed = routes ? UINT16_MAX : 0;
    row[FS_TRACER_SETUP]++;
    do {
        leg = fs_itinerary_leg(&sim->itinerary, ray->leg);
        ray->leg += FS_LEG_STRIDE;
        row[FS_TRACER_CELL] += leg->cells;
        row[FS_TRACER_FACE] += leg->faces;
        row[FS_TRACER_FRONT] += leg->front;
        row[FS_TRACER_NEAREST] += leg->nearest & (FS_LEG_DEPTH - 1);
        row[FS_TRACER_DEPTH] += leg->nearest / FS_LEG_DEPTH;
    } while (leg->next == FS_LEG_MORE);
    if (leg->next != FS_LEG_ENDS) {
        row[FS_TRACER_CROSS]++;
        handle.wants = leg->next; /* tracer i owns shard i */
        if (__builtin_expect(sim->replicated, 0))
            handle.wants = (uint16_t)fs_shard_tracer(sim->overlay, leg->next, fs_pixel_of(sim, handle.ray));
    } else if (!sim->setup.local_framebuffer) {
        ray->finished = 1;
        handle.wants = (uint16_t)fs_framebuffer_owner(&sim->framebuffer, ray->x, ray->y);
        if (routes && handle.wants == tracer)
            return write_pixel(sim, work, handle.ray, 0, row);
        row[FS_TRACER_FINISH]++;
    } else {
        row[FS_TRACER_PIXEL]++;
        keep_local(sim, handle.ray, tracer);
        fs_ray_free(ray, (uint32_t)sim->iteration);
        work->ended++;
        handle.ray = FS_RAY_CONSUMED;
    }
    return handle;
}

/* One slot; returns the handle for the out slot. */
static inline __attribute__((always_inline)) fs_handle
visit(fs_simulation *sim, fs_tile_work *work, uint32_t tracer, bool routes, fs_handle handle, uint32_t *row) {
    if (handle.ray & FS_RAY_SPILLED)
        fs_arrive_spilled(sim, work, &handle);
    fs_ray *ray = &sim->pool.ray[handle.ray];
    if (handle.wants == tracer) {
        end_leg(sim, ray, tracer, handle.routed);
        if (!ray->finished)
            return trace(sim, work, tracer, routes, handle, row);
        return write_pixel(sim, work, handle.ray, (uint32_t)handle.routed + ray->other_visits + 1u, row);
    }
    if (!routes) {
        row[FS_TRACER_PASS]++;
        if (ray->finished)
            ray->other_visits++;
        else
            ray->tracer_visits++;
    }
    return handle;
}

void fs_tracer_fetch_records(const fs_simulation *sim, uint32_t tile) {
    const fs_ray *rays = sim->pool.ray;
    for (uint32_t p = 0; p < fs_ports(sim, tile); p++) {
        const fs_lane_state *in = fs_in_lane(sim, tile, p);
        for (uint32_t i = 0; i < in->in_extent; i++)
            __builtin_prefetch(&rays[in->in[i].ray & ~FS_RAY_SPILLED], 1);
    }
}

void fs_tracer_fetch_legs(const fs_simulation *sim, uint32_t tile) {
    const fs_framebuffer *fb = &sim->framebuffer;
    for (uint32_t p = 0; p < fs_ports(sim, tile); p++) {
        const fs_lane_state *in = fs_in_lane(sim, tile, p);
        for (uint32_t i = 0; i < in->in_extent; i++) {
            const uint32_t id = in->in[i].ray & ~FS_RAY_SPILLED;
            if (id == FS_RAY_CONSUMED)
                continue;
            const fs_ray *ray = &sim->pool.ray[id];
            if (!ray->finished) {
                __builtin_prefetch(fs_itinerary_leg(&sim->itinerary, ray->leg));
                continue;
            }
            const size_t pixel = (size_t)ray->y * fb->width + ray->x;
            __builtin_prefetch(fs_ray_end(sim, id));
            __builtin_prefetch(&fb->rgb[3 * pixel], 1);
            __builtin_prefetch(&fb->depth[pixel], 1);
            __builtin_prefetch(&fb->newest[pixel], 1);
            __builtin_prefetch(&fb->hops[pixel], 1);
        }
    }
}

/* The tracer's rules on one in lane; results go to `slots`. How many of them hold a ray. */
static inline __attribute__((always_inline)) uint32_t trace_lane(fs_simulation *sim, fs_tile_work *work,
                                                                 uint32_t tracer, bool routes,
                                                                 const fs_lane_state *in, fs_handle *slots,
                                                                 uint32_t *counts) {
    const uint32_t workers = sim->setup.workers, extent = in->in_extent;
    uint32_t kept = 0, consumed = 0;
    for (uint32_t i = 0, worker = 0; i < extent; i++, worker = worker + 1 == workers ? 0 : worker + 1) {
        fs_handle handle = in->in[i];
        if (__builtin_expect(handle.ray == FS_RAY_CONSUMED, 0))
            consumed++;
        else
            handle = visit(sim, work, tracer, routes, handle, counts + (size_t)worker * FS_MAX_EVENTS);
        slots[i] = handle;
        kept += handle.ray != FS_RAY_CONSUMED;
    }
    work->held += extent - consumed;
    for (uint32_t worker = 0; worker < workers; worker++)
        counts[(size_t)worker * FS_MAX_EVENTS + FS_TRACER_SLOT] += fs_share(extent, workers, worker);
    return kept;
}

/* Slot i of in lane p is answered in slot i of out lane p. */
static void answer(fs_simulation *sim, uint32_t tile, fs_lane_store *store, uint32_t *counts) {
    fs_tile_work *work = &sim->work[tile];
    const uint32_t tracer = sim->overlay->tracer_of_tile[tile], ports = fs_ports(sim, tile);
    for (uint32_t p = 0; p < ports; p++) {
        const fs_lane_state *in = fs_in_lane(sim, tile, p);
        fs_lane_state *out = fs_out_lane(sim, tile, p);
        out->out = fs_lane_take(store, in->in_extent);
        out->out_extent = in->in_extent;
        out->out_rays = trace_lane(sim, work, tracer, false, in, out->out, counts);
        out->out_plain = out->out_rays == out->out_extent;
        counts[FS_TRACER_WIPE] += fs_lane_wiped(out);
        work->sent += out->out_rays;
    }
}

/* A tracer with routes leaves its results where it found the rays; its router passes then send them on. */
static void trace_and_route(fs_simulation *sim, uint32_t tile, fs_lane_store *store, uint32_t *counts) {
    const uint32_t tracer = sim->overlay->tracer_of_tile[tile], ports = fs_ports(sim, tile);
    for (uint32_t p = 0; p < ports; p++) {
        fs_lane_state *in = fs_in_lane(sim, tile, p);
        in->in_plain = trace_lane(sim, &sim->work[tile], tracer, true, in, in->in, counts) == in->in_extent;
    }
    fs_router_pass_on(sim, tile, store, counts + FS_TRACER_EVENTS);
}

void fs_tracer_run(fs_simulation *sim, uint32_t tile, fs_lane_store *store, uint32_t *counts) {
    fs_tile_work *work = &sim->work[tile];
    if (sim->overlay->route_start[tile] >= 0)
        trace_and_route(sim, tile, store, counts);
    else
        answer(sim, tile, store, counts);
    for (uint32_t worker = 0; worker < sim->setup.workers; worker++) {
        const uint32_t *row = counts + (size_t)worker * FS_MAX_EVENTS;
        work->cells += row[FS_TRACER_CELL];
        work->faces += row[FS_TRACER_FACE];
        work->crossings += row[FS_TRACER_CROSS];
    }
}
