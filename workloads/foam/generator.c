#include "workloads/foam/programs.h"
#include "workloads/foam/simulation_internal.h"

void fs_generator_create(fs_simulation *sim, fs_arena *arena) {
    const fs_foam_setup *setup = &sim->setup;
    uint32_t lines = setup->order == FS_ORDER_ROWS ? setup->camera->height : setup->camera->width;
    sim->generator = (fs_generator){.batches = (lines + setup->per_batch - 1) / setup->per_batch,
                                    .ring = FS_NEW(arena, fs_handle, setup->overlay->generator_ring),
                                    .ring_size = setup->overlay->generator_ring};
}

bool fs_generator_pending(const fs_simulation *sim) {
    const fs_generator *g = &sim->generator;
    return g->ring_count > 0 || (!g->finished && !g->paused);
}

/* To the out buffer, else to the ring, else lost. */
static void emit(fs_simulation *sim, fs_tile_work *work, fs_lane_state *out, fs_handle handle) {
    fs_generator *g = &sim->generator;
    if (out->out_extent < out->capacity) {
        out->out[out->out_extent++] = handle;
    } else if (g->ring_count < g->ring_size) {
        g->ring[(g->ring_first + g->ring_count++) % g->ring_size] = handle;
    } else {
        fs_drop(sim, work, handle.ray);
    }
}

static void generate(fs_simulation *sim, fs_tile_work *work, fs_lane_state *out, uint32_t x, uint32_t y) {
    uint32_t id = fs_rays_take(&sim->pool, (uint32_t)sim->iteration);
    const fs_itinerary_view *view = &sim->view[sim->pose];
    sim->pool.ray[id] = (fs_ray){.leg = view->first[(size_t)y * sim->framebuffer.width + x],
                                 .x = (uint16_t)x,
                                 .y = (uint16_t)y,
                                 .from = FS_FROM_GENERATOR,
                                 .frame = (uint16_t)sim->generator.frame,
                                 .born = (uint16_t)sim->iteration,
                                 .free_from = FS_RAY_BUSY,
                                 .shortest = 1,
                                 .pose = (uint8_t)sim->pose};
    sim->generator.generated++;
    emit(sim, work, out, (fs_handle){.ray = id, .wants = sim->setup.scene->cell[view->place].shard});
}

static void generate_batch(fs_simulation *sim, fs_tile_work *work, fs_lane_state *out) {
    const fs_foam_setup *setup = &sim->setup;
    const fs_generator *g = &sim->generator;
    const bool rows = setup->order == FS_ORDER_ROWS;
    const uint32_t lines = rows ? setup->camera->height : setup->camera->width;
    const uint32_t length = rows ? setup->camera->width : setup->camera->height;
    const uint32_t first = g->batch * setup->per_batch;
    for (uint32_t line = first; line < first + setup->per_batch && line < lines; line++)
        for (uint32_t i = 0; i < length; i++)
            generate(sim, work, out, rows ? i : line, rows ? line : i);
}

/* The schedule: batches of a frame, `idle` empty iterations, the next frame. */
static void generate_next(fs_simulation *sim, fs_tile_work *work, fs_lane_state *out) {
    generate_batch(sim, work, out);
    fs_generator *g = &sim->generator;
    if (++g->batch < g->batches)
        return;
    g->batch = 0;
    g->frame++;
    g->idle_left = sim->setup.idle;
    g->finished = !sim->setup.stream && g->frame == sim->setup.frames;
}

void fs_generator_run(fs_simulation *sim, uint32_t tile, fs_lane_store *store, uint32_t *counts) {
    fs_tile_work *work = &sim->work[tile];
    fs_generator *g = &sim->generator;
    const fs_lane_state *in = fs_in_lane(sim, tile, 0);
    fs_lane_state *out = fs_out_lane(sim, tile, 0);
    out->out = fs_lane_take(store, out->capacity);

    while (g->ring_count > 0 && out->out_extent < out->capacity) {
        out->out[out->out_extent++] = g->ring[g->ring_first];
        g->ring_first = (g->ring_first + 1) % g->ring_size;
        g->ring_count--;
        counts[FS_GENERATOR_BACKLOG]++;
    }
    for (uint32_t i = 0; i < in->in_extent; i++) {
        fs_handle handle = in->in[i];
        if (handle.ray & FS_RAY_SPILLED)
            fs_arrive_spilled(sim, work, &handle);
        if (sim->pool.ray[handle.ray].finished)
            sim->pool.ray[handle.ray].other_visits++;
        emit(sim, work, out, handle);
    }
    counts[FS_GENERATOR_SPILL] = in->in_extent;
    if (g->idle_left > 0)
        g->idle_left--;
    else if (!g->finished && !g->paused)
        generate_next(sim, work, out);
    counts[FS_GENERATOR_RAY] = g->generated;
    out->out_rays = out->out_extent;
    out->out_plain = true;
    counts[FS_GENERATOR_WIPE] = fs_lane_wiped(out);
    work->held = in->in_extent;
    work->sent = out->out_rays;
}
