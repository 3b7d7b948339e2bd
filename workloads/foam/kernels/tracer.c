/* The tracer's kernel: marches rays through its shard, writes pixels, passes on what it does not want. */
#include "workloads/foam/kernels/programs.h"
#include "workloads/foam/kernels/simulation_internal.h"

#include <string.h>

/* The ray's life is over in this iteration: its pixel's row of the hop maps. delivery: lanes since it was
 * marched. hops: visits since it was marched that the shortest way has, too. */
static void note_hops(fs_foam_simulation *sim, uint32_t id, uint32_t delivery, uint32_t hops) {
    const fs_ray *ray = &sim->pool.ray[id];
    if (ray->frame != 0)
        return;
    uint32_t alive = (uint32_t)sim->iteration - ray->born + 1;
    const uint32_t routed = sim->pool.course[id].router_visits;
    uint32_t shortest = 1u + routed + ray->tracer_visits + hops - ray->lost;
    sim->framebuffer.hops[(size_t)ray->y * sim->framebuffer.width + ray->x] =
        (fs_pixel_hops){.tracer_visits = ray->tracer_visits,
                        .router_visits = (int32_t)routed,
                        .misrouted = ray->misrouted,
                        .delivery_hops = (int32_t)delivery,
                        .alive = (int32_t)alive,
                        .waiting = (uint16_t)(alive - shortest)};
}

/* Only infinite buffers grow. */
static void grow_local(fs_foam_simulation *sim, uint32_t tracer) {
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
static void keep_local(fs_foam_simulation *sim, uint32_t id, uint32_t tracer) {
    const fs_ray *ray = &sim->pool.ray[id];
    if (sim->local_count[tracer] == sim->local_room[tracer])
        grow_local(sim, tracer);
    sim->local[tracer][sim->local_count[tracer]++] =
        (fs_local_record){.x = ray->x, .y = ray->y, .frame = ray->frame, .state = *fs_ray_end(sim, id)};
    note_hops(sim, id, 0, 0);
}

/* A ray has come, not by the shortest way, to the tracer that it wanted. */
static void end_detour(fs_foam_simulation *sim, fs_handle *handle, uint32_t tracer) {
    handle->ray &= ~FS_RAY_DETOURED;
    fs_ray *ray = &sim->pool.ray[handle->ray & FS_RAY_ID];
    const uint16_t from = sim->pool.course[handle->ray & FS_RAY_ID].from;
    const uint32_t shortest =
        fs_overlay_distance(sim->overlay, from == FS_FROM_GENERATOR ? UINT32_MAX : from, tracer);
    ray->lost = (uint16_t)(ray->lost + handle->routed + 1u - shortest);
}

/* A ray that has ended is written to its pixel, which this tile owns. delivery and hops: of note_hops. */
static fs_handle write_pixel(fs_foam_simulation *sim, fs_tile_work *work, uint32_t id, uint32_t delivery,
                             uint32_t hops, uint32_t *row) {
    fs_ray *ray = &sim->pool.ray[id];
    row[FS_TRACER_PIXEL]++;
    work->pixels += fs_framebuffer_write(&sim->framebuffer, ray->x, ray->y, fs_ray_end(sim, id), ray->frame);
    note_hops(sim, id, delivery, hops);
    fs_ray_free(ray, (uint32_t)sim->iteration);
    work->ended++;
    return (fs_handle){.ray = FS_RAY_CONSUMED};
}

/* A ray has been marched to its end here. */
static fs_handle finish(fs_foam_simulation *sim, fs_tile_work *work, uint32_t tracer, bool routes,
                        fs_handle handle, uint32_t *row) {
    const uint32_t id = handle.ray;
    fs_ray *ray = &sim->pool.ray[id];
    fs_ray_ends(sim, &handle);
    if (!sim->setup.local_framebuffer) {
        handle.wants = (uint16_t)fs_framebuffer_owner(&sim->framebuffer, ray->x, ray->y);
        if (routes && handle.wants == tracer)
            return write_pixel(sim, work, id, 0, 0, row);
        row[FS_TRACER_FINISH]++;
        return handle;
    }
    row[FS_TRACER_PIXEL]++;
    keep_local(sim, id, tracer);
    fs_ray_free(ray, (uint32_t)sim->iteration);
    work->ended++;
    return (fs_handle){.ray = FS_RAY_CONSUMED};
}

/* The next leg of a ray's itinerary. Returns the handle for the out slot; consumed if the ray stays here. */
static inline __attribute__((always_inline)) fs_handle trace(fs_foam_simulation *sim, fs_tile_work *work,
                                                             uint32_t tracer, bool routes, fs_handle handle,
                                                             uint32_t *row) {
    const fs_leg *leg = fs_visit_legs(sim, handle.ray, handle.routed, routes, row);
    sim->pool.course[handle.ray].from = (uint16_t)tracer;
    handle.routed = fs_routed_after_trace(routes);
    if (leg->next == FS_LEG_ENDS)
        return finish(sim, work, tracer, routes, handle, row);
    row[FS_TRACER_CROSS]++;
    handle.wants = fs_next_tracer(sim, leg->next, handle.ray);
    return handle;
}

/* Passed by a tracer that it does not want: the shortest way has none of these. */
static void pass(fs_foam_simulation *sim, fs_handle handle) {
    fs_ray *ray = &sim->pool.ray[handle.ray & FS_RAY_ID];
    if (handle.ray & FS_RAY_ENDED) {
        ray->other_visits++;
    } else {
        ray->tracer_visits++;
        ray->lost++;
    }
}

/* One slot; returns the handle for the out slot. */
static inline __attribute__((always_inline)) fs_handle visit(fs_foam_simulation *sim, fs_tile_work *work,
                                                             uint32_t tracer, bool routes, fs_handle handle,
                                                             uint32_t *row) {
    if (__builtin_expect((handle.ray & FS_RAY_SPILLED) != 0, 0))
        fs_arrive_spilled(sim, work, &handle);
    if (handle.wants == tracer) {
        if (__builtin_expect((handle.ray & FS_RAY_DETOURED) != 0, 0))
            end_detour(sim, &handle, tracer);
        if ((handle.ray & FS_RAY_ENDED) == 0)
            return trace(sim, work, tracer, routes, handle, row);
        const uint32_t id = handle.ray & FS_RAY_ID;
        return write_pixel(sim, work, id, (uint32_t)handle.routed + sim->pool.ray[id].other_visits + 1u,
                           handle.routed + 1u, row);
    }
    if (!routes) {
        row[FS_TRACER_PASS]++;
        pass(sim, handle);
    }
    return handle;
}

fs_handle fs_tracer_visit(fs_foam_simulation *sim, fs_tile_work *work, uint32_t tracer, bool routes,
                          fs_handle handle, uint32_t *row) {
    return visit(sim, work, tracer, routes, handle, row);
}

void fs_tracer_fetch_courses(const fs_foam_simulation *sim, uint32_t tile) {
    for (uint32_t p = 0; p < fs_ports(sim, tile); p++) {
        const fs_lane_state *in = fs_in_lane(sim, tile, p);
        for (const fs_handle *h = in->in; h < in->in + in->in_extent; h++)
            __builtin_prefetch(&sim->pool.course[h->ray & FS_RAY_ID], 1);
    }
}

/* What an ended ray needs at its pixel. */
static void fetch_end(const fs_foam_simulation *sim, uint32_t id) {
    const fs_framebuffer *fb = &sim->framebuffer;
    const size_t pixel = sim->pool.course[id].leg;
    __builtin_prefetch(&sim->pool.ray[id], 1);
    if (fb->ends == NULL) {
        __builtin_prefetch(&sim->view[sim->pose].end[pixel]);
        __builtin_prefetch(&fb->rgb[3 * pixel], 1);
        __builtin_prefetch(&fb->depth[pixel], 1);
    }
    __builtin_prefetch(&fb->newest[pixel], 1);
    __builtin_prefetch(&fb->hops[pixel], 1);
}

void fs_tracer_fetch_legs(const fs_foam_simulation *sim, uint32_t tile) {
    for (uint32_t p = 0; p < fs_ports(sim, tile); p++) {
        const fs_lane_state *in = fs_in_lane(sim, tile, p);
        for (const fs_handle *h = in->in; h < in->in + in->in_extent; h++) {
            const uint32_t id = h->ray & FS_RAY_ID;
            if ((h->ray & FS_RAY_ENDED) == 0)
                __builtin_prefetch(fs_itinerary_leg(&sim->itinerary, sim->pool.course[id].leg));
            else if (h->ray != FS_RAY_CONSUMED)
                fetch_end(sim, id);
        }
    }
}

/* The tracer's rules on one in lane; results go to `slots`. How many of them hold a ray. */
static uint32_t trace_lane_plain(fs_foam_simulation *sim, fs_tile_work *work, uint32_t tracer, bool routes,
                                 const fs_lane_state *in, fs_handle *slots, uint32_t *counts) {
    const uint32_t workers = fs_workers_of(sim, FS_ROLE_TRACER), extent = in->in_extent;
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
    return kept;
}

static uint32_t trace_lane(fs_foam_simulation *sim, fs_tile_work *work, uint32_t tracer, bool routes,
                           const fs_lane_state *in, fs_handle *slots, uint32_t *counts) {
    const uint32_t workers = fs_workers_of(sim, FS_ROLE_TRACER);
    for (uint32_t worker = 0; worker < workers; worker++)
        counts[(size_t)worker * FS_MAX_EVENTS + FS_TRACER_SLOT] += fs_share(in->in_extent, workers, worker);
    if (sim->vectors)
        return fs_tracer_lane_avx2(sim, work, tracer, routes, in, slots, counts);
    return trace_lane_plain(sim, work, tracer, routes, in, slots, counts);
}

/* Slot i of in lane p is answered in slot i of out lane p. */
static void answer(fs_foam_simulation *sim, uint32_t tile, fs_lane_store *store, uint32_t *counts) {
    fs_tile_work *work = &sim->work[tile];
    const uint32_t tracer = sim->overlay->tracer_of_tile[tile], ports = fs_ports(sim, tile);
    for (uint32_t p = 0; p < ports; p++) {
        const fs_lane_state *in = fs_in_lane(sim, tile, p);
        fs_lane_state *out = fs_out_lane(sim, tile, p);
        out->out = fs_lanes_take(store, in->in_extent);
        out->out_extent = in->in_extent;
        out->out_rays = trace_lane(sim, work, tracer, false, in, out->out, counts);
        out->out_plain = out->out_rays == out->out_extent;
        counts[FS_TRACER_WIPE] += fs_lanes_wiped(out);
        work->sent += out->out_rays;
    }
}

/* A tracer with routes leaves its results where it found the rays; its router passes then send them on. */
static void trace_and_route(fs_foam_simulation *sim, uint32_t tile, fs_lane_store *store, uint32_t *counts) {
    const uint32_t tracer = sim->overlay->tracer_of_tile[tile], ports = fs_ports(sim, tile);
    for (uint32_t p = 0; p < ports; p++) {
        fs_lane_state *in = fs_in_lane(sim, tile, p);
        in->in_plain = trace_lane(sim, &sim->work[tile], tracer, true, in, in->in, counts) == in->in_extent;
        in->in_spilled = false; /* they have arrived */
    }
    fs_router_pass_on(sim, tile, store, counts + FS_TRACER_EVENTS);
}

void fs_tracer_run(fs_foam_simulation *sim, uint32_t tile, fs_lane_store *store, uint32_t *counts) {
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
