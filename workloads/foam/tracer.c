#include "workloads/foam/programs.h"
#include "workloads/foam/simulation_internal.h"

enum { RECORD_AHEAD = 8, LEG_AHEAD = 4 }; /* slots: long enough for memory to come from the outer cache */

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

/* The local framebuffer keeps the ray here; its pixel counts as written when the host has read it. */
static void keep_local(fs_simulation *sim, uint32_t id, uint32_t shard) {
    const fs_ray *ray = &sim->pool.ray[id];
    uint32_t n = sim->local_count[shard]++;
    FS_ASSERT(n < sim->setup.local_records, "local framebuffer of shard %u overflows", shard);
    sim->local[(size_t)shard * sim->setup.local_records + n] =
        (fs_local_record){.x = ray->x, .y = ray->y, .frame = ray->frame, .state = *fs_ray_end(sim, id)};
    note_hops(sim, ray, 0);
}

/* A ray has reached the tracer that it wanted: a leg ends. Without a detour it took the shortest way there
 * is. */
static inline void end_leg(const fs_simulation *sim, fs_ray *ray, uint32_t shard, uint32_t routed) {
    uint32_t hops = routed + 1;
    if (__builtin_expect(ray->detoured, 0)) {
        hops =
            fs_overlay_distance(sim->overlay, ray->from == FS_FROM_GENERATOR ? UINT32_MAX : ray->from, shard);
        ray->detoured = 0;
    }
    ray->shortest = (uint16_t)(ray->shortest + hops);
    ray->from = (uint16_t)shard;
}

/* The next leg of a ray's itinerary. Returns the handle for the out slot; consumed if the ray stays here. */
static inline fs_handle trace(fs_simulation *sim, fs_tile_work *work, uint32_t shard, fs_handle handle,
                              uint32_t *row) {
    fs_ray *ray = &sim->pool.ray[handle.ray];
    const fs_leg *leg;
    ray->router_visits = (uint16_t)(ray->router_visits + handle.routed);
    ray->tracer_visits++;
    handle.routed = 0;
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
        handle.wants = leg->next;
    } else if (!sim->setup.local_framebuffer) {
        row[FS_TRACER_FINISH]++;
        ray->finished = 1;
        handle.wants = (uint16_t)fs_framebuffer_owner(&sim->framebuffer, ray->x, ray->y);
    } else {
        row[FS_TRACER_PIXEL]++;
        keep_local(sim, handle.ray, shard);
        fs_ray_free(ray, (uint32_t)sim->iteration);
        work->ended++;
        handle.ray = FS_RAY_CONSUMED;
    }
    return handle;
}

/* One slot; returns the handle for the out slot. */
static inline fs_handle visit(fs_simulation *sim, fs_tile_work *work, uint32_t shard, fs_handle handle,
                              uint32_t *row) {
    if (handle.ray & FS_RAY_SPILLED)
        fs_arrive_spilled(sim, work, &handle);
    fs_ray *ray = &sim->pool.ray[handle.ray];
    if (handle.wants != shard) {
        row[FS_TRACER_PASS]++;
        if (ray->finished)
            ray->other_visits++;
        else
            ray->tracer_visits++;
        return handle;
    }
    end_leg(sim, ray, shard, handle.routed);
    if (!ray->finished)
        return trace(sim, work, shard, handle, row);
    row[FS_TRACER_PIXEL]++;
    fs_framebuffer_write(&sim->framebuffer, ray->x, ray->y, fs_ray_end(sim, handle.ray), ray->frame);
    note_hops(sim, ray, (uint32_t)handle.routed + ray->other_visits + 1u);
    fs_ray_free(ray, (uint32_t)sim->iteration);
    work->ended++;
    handle.ray = FS_RAY_CONSUMED;
    return handle;
}

/* Memory that a later slot will need: its ray's record first, then, once that is there, its leg. */
static inline void prefetch(const fs_simulation *sim, const fs_lane_state *in, uint32_t i) {
    const fs_ray *rays = sim->pool.ray;
    if (i + RECORD_AHEAD < in->in_extent)
        __builtin_prefetch(&rays[in->in[i + RECORD_AHEAD].ray & ~FS_RAY_SPILLED], 1);
    if (i + LEG_AHEAD < in->in_extent)
        __builtin_prefetch(
            fs_itinerary_leg(&sim->itinerary, rays[in->in[i + LEG_AHEAD].ray & ~FS_RAY_SPILLED].leg));
}

void fs_tracer_run(fs_simulation *sim, uint32_t tile, fs_lane_store *store, uint32_t *counts) {
    fs_tile_work *work = &sim->work[tile];
    const uint32_t shard = sim->overlay->shard_of_tile[tile], workers = sim->setup.workers;
    const fs_lane_state *in = fs_in_lane(sim, tile, 0);
    fs_lane_state *out = fs_out_lane(sim, tile, 0);
    const uint32_t extent = in->in_extent;
    fs_handle *slots = fs_lane_take(store, extent);
    uint32_t kept = 0;
    for (uint32_t i = 0, worker = 0; i < extent; i++, worker = worker + 1 == workers ? 0 : worker + 1) {
        prefetch(sim, in, i);
        slots[i] = visit(sim, work, shard, in->in[i], counts + (size_t)worker * FS_MAX_EVENTS);
        kept += slots[i].ray != FS_RAY_CONSUMED;
    }
    for (uint32_t worker = 0; worker < workers; worker++) {
        uint32_t *row = counts + (size_t)worker * FS_MAX_EVENTS;
        row[FS_TRACER_SLOT] = fs_share(extent, workers, worker);
        work->cells += row[FS_TRACER_CELL];
        work->faces += row[FS_TRACER_FACE];
        work->crossings += row[FS_TRACER_CROSS];
    }
    out->out = slots;
    out->out_extent = extent;
    out->out_rays = kept;
    out->out_plain = kept == extent;
    counts[FS_TRACER_WIPE] = fs_lane_wiped(out);
    work->held = extent;
    work->sent = kept;
}
