/* The decoupled foam client: elaboration, the ends of calls and rays, slices. */
#include "workloads/foam/kernels/decoupled/decoupled.h"

#include "models/overlay/device_plan.h"
#include "workloads/foam/kernels/decoupled/decoupled_internal.h"

#include <inttypes.h>

/* ---- ends of rays ---- */

static int32_t slices(const fs_foam_decoupled *f, uint64_t cycles) {
    return (int32_t)((cycles + f->slice / 2) / f->slice);
}

/* In the hop maps a slice stands for an iteration; the sums are to the cycle. */
static void note_hops(fs_foam_decoupled *f, uint32_t id) {
    const fs_ray *ray = &f->sim->pool.ray[id];
    const ray_times *times = &f->times[id];
    fs_framebuffer *fb = &f->sim->framebuffer;
    const uint64_t alive = f->now - times->born, waited = (uint64_t)times->waited;
    FS_ASSERT(times->waited >= 0 && waited <= alive, "a ray waited longer than it lived");
    f->alive += alive;
    f->waiting += waited;
    if (ray->frame != 0)
        return;
    fb->hops[(size_t)ray->y * fb->width + ray->x] =
        (fs_pixel_hops){.tracer_visits = ray->tracer_visits,
                        .router_visits = f->sim->pool.course[id].router_visits,
                        .misrouted = 0,
                        .delivery_hops = (int32_t)times->delivery,
                        .alive = slices(f, alive),
                        .waiting = slices(f, waited)};
}

/* Notes frames that have got their last pixel, and those that have enough. */
static void look_at_frames(fs_foam_decoupled *f) {
    fs_framebuffer *fb = &f->sim->framebuffer;
    const double pixels = (double)fb->width * (double)fb->height, enough = f->sim->setup.coverage * pixels;
    for (uint32_t frame = f->frames_done; frame < fb->frames; frame++) {
        if (fb->done[frame] == UINT64_MAX && (double)fb->written[frame] >= enough) {
            fb->done[frame] = f->sim->iteration + 1;
            f->done[frame] = f->now;
        }
        if (fb->last_pixel[frame] == UINT64_MAX && (double)fb->written[frame] >= pixels)
            fb->last_pixel[frame] = f->sim->iteration;
    }
    while (f->frames_done < fb->frames && fb->done[f->frames_done] != UINT64_MAX)
        f->frames_done++;
}

/* The rays that end with this call are in their pixels. */
static void end_rays(fs_foam_decoupled *f, foam_tile *t) {
    fs_foam_simulation *sim = f->sim;
    for (uint32_t id = t->ended; t->ended_count > 0; id = f->times[id].next, t->ended_count--) {
        fs_ray *ray = &sim->pool.ray[id];
        sim->framebuffer.written[0] +=
            fs_framebuffer_write(&sim->framebuffer, ray->x, ray->y, fs_ray_end(sim, id), ray->frame);
        note_hops(f, id);
        fs_ray_free(ray, UINT32_MAX); /* free from iteration 0 on: at once */
        sim->pool.in_flight--;
        sim->step.finished++;
        sim->totals.finished++;
    }
    look_at_frames(f);
    sim->complete = f->frames_done == sim->framebuffer.frames;
    if (sim->complete || (sim->generator.finished && sim->pool.in_flight == 0))
        fs_decoupled_stop(f->engine);
}

/* ---- the engine's client ---- */

static uint32_t begin(void *self, uint32_t tile, uint64_t now, uint32_t *counts) {
    fs_foam_decoupled *f = self;
    f->now = now;
    switch ((fs_role)f->overlay->role[tile]) {
    case FS_ROLE_TRACER:
        return decoupled_trace(f, tile, counts);
    case FS_ROLE_ROUTER:
        return decoupled_forward(f, tile, counts);
    case FS_ROLE_GENERATOR:
        return decoupled_generate(f, tile, counts);
    default:
        FS_ASSERT(false, "tile %u has rays but no role", tile);
    }
}

static void end(void *self, uint32_t tile, uint64_t now) {
    fs_foam_decoupled *f = self;
    f->now = now;
    for (uint32_t i = f->overlay->out_start[tile]; i < f->overlay->out_start[tile + 1]; i++)
        decoupled_promise_kept(f, f->overlay->out_lane[i]);
    if (f->tile[tile].ended_count > 0)
        end_rays(f, &f->tile[tile]);
}

static void last_visit(void *self, fs_host_visit *visit) {
    const fs_foam_decoupled *f = self;
    const fs_foam_setup *setup = &f->sim->setup;
    uint64_t tile_bytes = setup->local_framebuffer ? (uint64_t)setup->local_records * FS_LOCAL_RECORD_BYTES
                                                   : fs_framebuffer_slice_bytes(&f->sim->framebuffer);
    *visit = (fs_host_visit){
        .visit = true,
        .bytes_to_host = tile_bytes * (setup->local_framebuffer ? f->overlay->tracers : f->overlay->shards),
        .bytes_to_device = FS_CAMERA_BYTES,
        .broadcast_bytes = FS_CAMERA_BYTES};
}

/* ---- slices ---- */

static void book_lanes(fs_foam_decoupled *f) {
    const fs_decoupled_lane *slice = fs_decoupled_slice_lanes(f->engine);
    uint32_t touched;
    const uint32_t *lanes = fs_decoupled_slice_touched(f->engine, &touched);
    for (uint32_t i = 0; i < touched; i++) {
        const uint32_t l = lanes[i];
        fs_lane_state *lane = &f->sim->lanes[l];
        lane->out_rays = 0;
        lane->rays += slice[l].rays;
        lane->part_peak = slice[l].peak > lane->part_peak ? slice[l].peak : lane->part_peak;
        lane->peak = lane->part_peak > lane->peak ? lane->part_peak : lane->peak;
        lane->full += slice[l].peak == lane->capacity;
        lane->stalled += slice[l].stalled > 0;
        lane->used += slice[l].stalled == 0 && slice[l].rays > 0;
    }
}

static void slice_over(void *self, const fs_iteration *slice) {
    fs_foam_decoupled *f = self;
    fs_foam_simulation *sim = f->sim;
    fs_foam_step *step = &sim->step;
    const fs_decoupled_lane *lanes = fs_decoupled_slice_lanes(f->engine);
    step->generated = sim->generator.generated;
    step->injecting = step->generated > 0;
    step->in_flight = sim->pool.in_flight;
    sim->totals.in_flight = sim->pool.in_flight;
    for (uint32_t i = 0; i < f->active_count; i++) {
        uint32_t t = f->active[i], held = f->tile[t].held;
        f->tile[t].held = 0;
        sim->held[t] = held;
        sim->visits += sim->held[t];
        step->rays[f->overlay->level[t]] += held;
    }
    uint32_t touched_count, looked_at = 0;
    const uint32_t *touched = fs_decoupled_slice_touched(f->engine, &touched_count);
    for (uint32_t i = 0; i < touched_count; i++) {
        const uint32_t source = f->overlay->lanes[touched[i]].src;
        sim->lanes[touched[i]].out_rays = lanes[touched[i]].peak;
        if (f->seen[source] != slice->number + 1)
            f->sources[looked_at++] = source;
        f->seen[source] = slice->number + 1;
    }
    f->slices->look(f->slices->self, f->active, f->active_count, f->sources, looked_at);
    book_lanes(f);
    f->slices->finished(f->slices->self, slice);
    sim->iteration = slice->number + 1;
    sim->generator.generated = 0;
    *step = (fs_foam_step){0};
}

/* ---- elaboration and the run ---- */

/* A finished ray whose pixel lies on the tile where it ended goes out and comes back. There are no more of
 * these for a tile than pixels of its slice, for each frame. */
static bool returns_fill_a_lane(const fs_foam_setup *setup, const fs_foam_simulation *sim) {
    const fs_framebuffer *fb = &sim->framebuffer;
    const uint64_t most = (uint64_t)fb->slice_width * fb->slice_height * setup->frames;
    if (setup->local_framebuffer)
        return false;
    if (setup->stream)
        return true;
    for (uint32_t l = 0; l < setup->overlay->lane_count; l++)
        if (setup->overlay->role[setup->overlay->lanes[l].src] == FS_ROLE_TRACER &&
            setup->lane_capacity[l] <= most)
            return true;
    return false;
}

fs_foam_decoupled *fs_foam_decoupled_create(fs_arena *arena, const fs_foam_setup *setup,
                                            fs_foam_simulation *sim, const fs_machine_params *machine,
                                            const fs_device_programs *programs, const fs_transfer *transfers,
                                            const fs_host_visit *first, fs_error *err) {
    if (setup->cameras > 1)
        return FS_FAIL_NULL(
            err, FS_INPUT,
            "workload.camera_change: a camera changes at a host visit, and machine.execution: decoupled "
            "has none before the end");
    fs_foam_decoupled *f = FS_NEW(arena, fs_foam_decoupled, 1);
    *f = (fs_foam_decoupled){
        .sim = sim, .overlay = setup->overlay, .slice = (uint64_t)machine->decoupled_slice};
    const fs_device_plan plan = fs_overlay_decoupled_plan(setup->overlay, programs, transfers, first, arena);
    const uint32_t safe =
        fs_overlay_safe_window(setup->overlay, setup->lane_capacity, returns_fill_a_lane(setup, sim));
    if (setup->overlay->shares_queues && machine->decoupled_window > safe)
        return FS_FAIL_NULL(err, FS_INPUT,
                            "machine.decoupled_window: queues that lanes share have no place for more rays "
                            "than the smallest holds; expected at most %u, found %" PRId64,
                            safe, machine->decoupled_window);
    const fs_decoupled_setup engine = {
        .machine = machine,
        .plan = &plan,
        .capacity = setup->lane_capacity,
        .ray_bytes = setup->payload->bytes,
        .window = machine->decoupled_window > 0 ? (uint32_t)machine->decoupled_window : safe,
        .safe_window = safe,
        .slice = (uint64_t)machine->decoupled_slice,
        .max_slices = setup->max_iterations};
    f->engine = fs_decoupled_create(arena, &engine, err);
    if (f->engine == NULL)
        return NULL;
    f->ends = fs_decoupled_queues(f->engine);
    decoupled_queues_create(f, arena, setup->lane_capacity, fs_decoupled_totals_of(f->engine).window);
    f->tile = FS_NEW(arena, foam_tile, f->overlay->tiles);
    f->active = FS_NEW(arena, uint32_t, f->overlay->tiles);
    f->sources = FS_NEW(arena, uint32_t, f->overlay->tiles);
    f->seen = FS_NEW(arena, uint64_t, f->overlay->tiles);
    for (uint32_t t = 0; t < f->overlay->tiles; t++)
        if (f->overlay->role[t] != FS_ROLE_SPARE)
            f->active[f->active_count++] = t;
    f->times = FS_NEW(arena, ray_times, sim->pool.capacity);
    f->done = FS_NEW(arena, uint64_t, setup->frames);
    for (uint32_t frame = 0; frame < setup->frames; frame++)
        f->done[frame] = UINT64_MAX;
    return f;
}

static fs_status check(const fs_foam_decoupled *f, fs_error *err) {
    const fs_foam_totals *t = &f->sim->totals;
    uint64_t queued = 0;
    for (uint32_t l = 0; l < f->overlay->lane_count; l++)
        queued += f->queue[l].count;
    if (t->generated != t->finished + t->in_flight)
        return fs_fail(err, FS_BROKEN, "rays: %llu generated, but %llu finished + %llu in flight",
                       (unsigned long long)t->generated, (unsigned long long)t->finished,
                       (unsigned long long)t->in_flight);
    if (t->hops_out != t->hops_in + queued)
        return fs_fail(err, FS_BROKEN, "hops: %llu out, %llu in and %llu in a queue",
                       (unsigned long long)t->hops_out, (unsigned long long)t->hops_in,
                       (unsigned long long)queued);
    if (f->sim->visits != t->hops_in)
        return fs_fail(err, FS_BROKEN, "hops: %llu in, but the tiles' visits are %llu",
                       (unsigned long long)t->hops_in, (unsigned long long)f->sim->visits);
    const fs_decoupled_totals d = fs_decoupled_totals_of(f->engine);
    if (t->in_flight == 0 && f->alive != f->waiting + d.ray_cycles_calls + d.ray_cycles_messages)
        return fs_fail(err, FS_BROKEN,
                       "rays lived %llu cycles, of which %llu in queues, %llu in calls and %llu in messages",
                       (unsigned long long)f->alive, (unsigned long long)f->waiting,
                       (unsigned long long)d.ray_cycles_calls, (unsigned long long)d.ray_cycles_messages);
    return FS_OK;
}

fs_status fs_foam_decoupled_run(fs_foam_decoupled *f, const fs_foam_slices *slices, fs_error *err) {
    const fs_decoupled_client client = {.self = f,
                                        .begin = begin,
                                        .end = end,
                                        .sent = decoupled_sent,
                                        .arrived = decoupled_arrived,
                                        .last_visit = last_visit,
                                        .finished = slice_over};
    f->slices = slices;
    fs_status status = fs_decoupled_run(f->engine, &client, err);
    return status ? status : check(f, err);
}

fs_device *fs_foam_decoupled_device(const fs_foam_decoupled *f) {
    return fs_decoupled_device(f->engine);
}

fs_foam_decoupled_totals fs_foam_decoupled_totals_of(const fs_foam_decoupled *f) {
    return (fs_foam_decoupled_totals){.engine = fs_decoupled_totals_of(f->engine),
                                      .device = fs_device_totals_of(fs_decoupled_device(f->engine)),
                                      .rays = f->sim->totals,
                                      .tiles = f->overlay->tiles,
                                      .frames = f->sim->framebuffer.frames,
                                      .complete = f->sim->complete,
                                      .done = f->done,
                                      .alive = f->alive,
                                      .waiting = f->waiting};
}
