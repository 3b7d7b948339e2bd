#include "workloads/foam/programs.h"
#include "workloads/foam/simulation_internal.h"

enum { RECORD_AHEAD = 8, CELL_AHEAD = 3 }; /* slots */

/* The ray's life is over in this iteration: its pixel's row of the hop maps. delivery: lanes since it was marched. */
static void note_hops(fs_simulation *sim, const fs_ray *ray, uint32_t delivery) {
    if (ray->frame != 0)
        return;
    uint32_t alive = (uint32_t)sim->iteration - ray->born + 1;
    sim->framebuffer.hops[(size_t)ray->y * sim->framebuffer.width + ray->x] =
        (fs_pixel_hops){.tracer_visits = (int32_t)ray->tracer_visits,
                        .router_visits = (int32_t)ray->router_visits,
                        .misrouted = (int32_t)ray->misrouted,
                        .delivery_hops = (int32_t)delivery,
                        .alive = (int32_t)alive,
                        .waiting = (int32_t)(alive - ray->shortest)};
}

/* The local framebuffer keeps the ray here; its pixel counts as written when the host has read it. */
static void keep_local(fs_simulation *sim, const fs_ray *ray, uint32_t shard) {
    uint32_t n = sim->local_count[shard]++;
    FS_ASSERT(n < sim->setup.local_records, "local framebuffer of shard %u overflows", shard);
    sim->local[(size_t)shard * sim->setup.local_records + n] =
        (fs_local_record){.x = ray->x, .y = ray->y, .frame = ray->frame, .state = ray->state};
    note_hops(sim, ray, 0);
}

/* Memory that the march of a later slot will need: its record first, then, once that is there, its cell. */
static void prefetch(const fs_simulation *sim, const fs_lane_state *in, uint32_t i) {
    if (i + RECORD_AHEAD < in->in_extent)
        __builtin_prefetch(&sim->pool.ray[in->in[i + RECORD_AHEAD].ray & ~FS_RAY_SPILLED], 1);
    if (i + CELL_AHEAD < in->in_extent)
        fs_march_prefetch(sim->setup.scene, sim->pool.ray[in->in[i + CELL_AHEAD].ray & ~FS_RAY_SPILLED].cell);
}

/* Marches a ray through the shard. Returns the handle for the out slot; consumed if the ray stays here. */
static fs_handle trace(fs_simulation *sim, fs_tile_work *work, uint32_t shard, fs_handle handle,
                       uint32_t *counts) {
    const fs_foam_setup *setup = &sim->setup;
    fs_ray *ray = &sim->pool.ray[handle.ray];
    const fs_camera *camera =
        &setup->camera[setup->change_policy == FS_CHANGE_POSE_IN_PAYLOAD ? ray->pose : sim->pose];
    ray->router_visits += handle.routed;
    ray->tracer_visits++;
    ray->other_visits = 0;
    handle.routed = 0;

    float direction[3];
    fs_camera_direction(camera, ray->x, ray->y, direction);
    fs_march_counts seen = {0};
    const uint32_t *start = &setup->scene->shard_start[shard];
    fs_march_exit exit = sim->march(setup->scene, &setup->march, camera->origin, direction, start[0],
                                    start[1], &ray->cell, &ray->state, &seen);
    counts[FS_TRACER_SETUP]++;
    counts[FS_TRACER_CELL] += seen.cells;
    counts[FS_TRACER_FACE] += seen.faces;
    counts[FS_TRACER_FRONT] += seen.front;
    counts[FS_TRACER_NEAREST] += seen.nearest;
    counts[FS_TRACER_DEPTH] += seen.depth_marks;
    work->cells += seen.cells;
    work->faces += seen.faces;

    if (exit != FS_EXIT_CROSSED && setup->local_framebuffer) {
        counts[FS_TRACER_PIXEL]++;
        keep_local(sim, ray, shard);
        fs_ray_list_add(&work->freed, sim->pool.ray, handle.ray);
        work->ended++;
        handle.ray = FS_RAY_CONSUMED;
        return handle;
    }
    fs_payload_round(setup->payload, &ray->state);
    if (exit == FS_EXIT_CROSSED) {
        counts[FS_TRACER_CROSS]++;
        work->crossings++;
        handle.wants = setup->scene->cell[ray->cell].shard;
    } else {
        counts[FS_TRACER_FINISH]++;
        ray->finished = 1;
        handle.wants = (uint16_t)fs_framebuffer_owner(&sim->framebuffer, ray->x, ray->y);
    }
    ray->shortest += fs_simulation_distance(sim, shard, handle.wants);
    return handle;
}

void fs_tracer_run(fs_simulation *sim, uint32_t tile, uint32_t *counts) {
    fs_tile_work *work = &sim->work[tile];
    const uint32_t shard = sim->overlay->shard_of_tile[tile], workers = sim->setup.workers;
    fs_lane_state *in = fs_in_lane(sim, tile, 0), *out = fs_out_lane(sim, tile, 0);
    const uint32_t extent = in->in_extent;
    fs_ray *rays = sim->pool.ray;
    uint32_t kept = 0;
    for (uint32_t i = 0, worker = 0; i < extent; i++, worker = worker + 1 == workers ? 0 : worker + 1) {
        prefetch(sim, in, i);
        uint32_t *row = counts + (size_t)worker * FS_MAX_EVENTS;
        fs_handle handle = in->in[i];
        if (handle.ray & FS_RAY_SPILLED)
            fs_arrive_spilled(sim, work, &handle);
        fs_ray *ray = &rays[handle.ray];
        if (handle.wants != shard) {
            row[FS_TRACER_PASS]++;
            if (ray->finished)
                ray->other_visits++;
            else
                ray->tracer_visits++;
        } else if (ray->finished) {
            row[FS_TRACER_PIXEL]++;
            fs_framebuffer_write(&sim->framebuffer, ray->x, ray->y, &ray->state, ray->frame);
            note_hops(sim, ray, (uint32_t)handle.routed + ray->other_visits + 1u);
            fs_ray_list_add(&work->freed, rays, handle.ray);
            work->ended++;
            handle.ray = FS_RAY_CONSUMED;
        } else {
            handle = trace(sim, work, shard, handle, row);
        }
        out->out[i] = handle;
        kept += handle.ray != FS_RAY_CONSUMED;
    }
    for (uint32_t worker = 0; worker < workers; worker++)
        counts[(size_t)worker * FS_MAX_EVENTS + FS_TRACER_SLOT] = fs_share(extent, workers, worker);
    out->out_extent = extent;
    out->out_rays = kept;
    counts[FS_TRACER_WIPE] = fs_lane_wiped(out);
    work->held = extent;
    work->sent = kept;
}
