/* The generator's kernel: new rays by rows or columns, a ring for those that find no room. */
#include "workloads/foam/kernels/programs.h"
#include "workloads/foam/kernels/simulation_internal.h"

void fs_generator_create(fs_foam_simulation *sim, fs_arena *arena) {
    const fs_foam_setup *setup = &sim->setup;
    sim->generator = (fs_generator){.batches = (fs_lines(setup) + setup->per_batch - 1) / setup->per_batch,
                                    .ring = FS_NEW(arena, fs_handle, setup->overlay->generator_ring),
                                    .ring_size = setup->overlay->generator_ring};
}

/* A frame of a path waits for its camera. */
static bool may_make(const fs_foam_simulation *sim) {
    return sim->setup.in_flight == 0 || sim->generator.frame < sim->granted;
}

bool fs_generator_pending(const fs_foam_simulation *sim) {
    const fs_generator *g = &sim->generator;
    return g->ring_count > 0 || (!g->finished && !g->paused && may_make(sim));
}

/* One call: the out lanes and how its policy stands. */
typedef struct emission {
    fs_foam_simulation *sim;
    fs_tile_work *work;
    const uint8_t *route; /* NULL: every lane leads on equally well */
    uint32_t ports, free; /* lanes; of them, those with a free slot */
    fs_lane_state *out[FS_MAX_PORTS];
    uint32_t turn[FS_MAX_PORTS]; /* rays so far whose group begins at the port */
} emission;

/* The lanes that a ray may take: [*group, *group + the result). */
static uint32_t group_of(const emission *e, uint32_t tracer, uint32_t *group) {
    const fs_overlay *o = e->sim->overlay;
    *group = 0;
    if (e->route == NULL)
        return e->ports;
    *group = e->route[tracer];
    uint32_t choices = o->lanes[o->out_lane[o->out_start[o->generator_tile] + *group]].choices;
    return choices > 1 ? choices : 1;
}

static uint32_t choose(emission *e, uint32_t group, uint32_t choices, uint32_t ray) {
    const fs_overlay *o = e->sim->overlay;
    uint32_t best = group;
    if (choices == 1)
        return group;
    switch (o->dispatch) {
    case FS_DISPATCH_HASH:
        return group +
               fs_pixel_hash(fs_pixel_of(e->sim, ray & FS_RAY_ID), o->level[o->generator_tile]) % choices;
    case FS_DISPATCH_ROUND_ROBIN:
        return group + (e->turn[group]++ + (uint32_t)e->sim->iteration) % choices;
    default:
        for (uint32_t lane = group + 1; lane < group + choices; lane++)
            if (e->out[lane]->out_extent < e->out[best]->out_extent)
                best = lane;
        return best;
    }
}

/* To a free slot of an out lane; there is one. A ray that leaves its group goes another way than the
 * shortest. */
static void send(emission *e, fs_handle handle) {
    uint32_t group, choices = group_of(e, handle.wants, &group);
    uint32_t lane = choose(e, group, choices, handle.ray);
    while (e->out[lane]->out_extent == e->out[lane]->capacity)
        lane = lane + 1 == e->ports ? 0 : lane + 1;
    if (lane < group || lane >= group + choices)
        handle.ray |= FS_RAY_DETOURED;
    fs_lane_state *out = e->out[lane];
    out->out[out->out_extent++] = handle;
    e->free -= out->out_extent == out->capacity;
}

/* To an out lane, else to the ring, else lost. */
static void emit(emission *e, fs_handle handle) {
    fs_generator *g = &e->sim->generator;
    if (e->free > 0)
        send(e, handle);
    else if (g->ring_count < g->ring_size)
        g->ring[(g->ring_first + g->ring_count++) % g->ring_size] = handle;
    else
        fs_drop(e->sim, e->work, handle);
}

static void generate(emission *e, uint32_t x, uint32_t y) {
    fs_foam_simulation *sim = e->sim;
    sim->generator.generated++;
    emit(e, fs_new_ray(sim, fs_rays_take(&sim->pool, (uint32_t)sim->iteration), x, y));
}

static void generate_batch(emission *e) {
    const fs_foam_setup *setup = &e->sim->setup;
    const fs_generator *g = &e->sim->generator;
    const bool rows = setup->order == FS_ORDER_ROWS;
    const uint32_t lines = fs_lines(setup), length = fs_line_length(setup);
    const uint32_t first = g->batch * setup->per_batch;
    for (uint32_t line = first; line < first + setup->per_batch && line < lines; line++)
        for (uint32_t i = 0; i < length; i++)
            generate(e, rows ? i : line, rows ? line : i);
}

/* The schedule: batches of a frame, `idle` empty iterations, the next frame. */
static void generate_next(emission *e) {
    fs_generator *g = &e->sim->generator;
    if (g->idle_left > 0) {
        g->idle_left--;
        return;
    }
    if (g->finished || g->paused || !may_make(e->sim))
        return;
    generate_batch(e);
    if (fs_batch_ends(e->sim) && e->sim->setup.in_flight == 0)
        g->idle_left = e->sim->setup.idle;
}

/* Each lane gets room for all that this call could put there. */
static void begin(emission *e, fs_foam_simulation *sim, uint32_t tile, fs_lane_store *store) {
    const fs_foam_setup *s = &sim->setup;
    const uint32_t lines = fs_lines(s), batch = s->per_batch < lines ? s->per_batch : lines;
    uint64_t most = (uint64_t)sim->generator.ring_count + (uint64_t)fs_line_length(s) * batch;
    e->sim = sim;
    e->work = &sim->work[tile];
    e->ports = e->free = fs_ports(sim, tile);
    e->route =
        sim->overlay->route_start[tile] >= 0 ? sim->overlay->route + sim->overlay->route_start[tile] : NULL;
    for (uint32_t p = 0; p < e->ports; p++)
        most += fs_in_lane(sim, tile, p)->in_extent;
    for (uint32_t p = 0; p < e->ports; p++) {
        fs_lane_state *out = e->out[p] = fs_out_lane(sim, tile, p);
        out->out = fs_lanes_take(store, out->capacity < most ? out->capacity : (uint32_t)most);
        e->turn[p] = 0;
    }
}

/* Rays that came back: their number. */
static uint32_t take_back(emission *e, uint32_t tile) {
    fs_foam_simulation *sim = e->sim;
    uint32_t rays = 0;
    for (uint32_t p = 0; p < e->ports; p++) {
        const fs_lane_state *in = fs_in_lane(sim, tile, p);
        for (uint32_t i = 0; i < in->in_extent; i++) {
            fs_handle handle = in->in[i];
            if (handle.ray == FS_RAY_CONSUMED)
                continue;
            if (handle.ray & FS_RAY_SPILLED)
                fs_arrive_spilled(sim, e->work, &handle);
            if (handle.ray & FS_RAY_ENDED)
                sim->pool.ray[handle.ray & FS_RAY_ID].other_visits++;
            emit(e, handle);
            rays++;
        }
    }
    return rays;
}

/* Counts `rays` events; the call's ray number i, which begin at *number, is worker i mod n's. */
static void count(const fs_foam_simulation *sim, uint32_t *counts, uint32_t event, uint32_t rays,
                  uint32_t *number) {
    const uint32_t workers = sim->setup.generator_workers > 1 ? sim->setup.generator_workers : 1;
    for (uint32_t w = 0; w < workers; w++)
        counts[(size_t)w * FS_MAX_EVENTS + event] +=
            fs_share(*number + rays, workers, w) - fs_share(*number, workers, w);
    *number += rays;
}

void fs_generator_run(fs_foam_simulation *sim, uint32_t tile, fs_lane_store *store, uint32_t *counts) {
    fs_generator *g = &sim->generator;
    emission e;
    begin(&e, sim, tile, store);
    uint32_t backlog = 0, number = 0;
    for (; g->ring_count > 0 && e.free > 0; backlog++) {
        fs_handle oldest = g->ring[g->ring_first];
        g->ring_first = (g->ring_first + 1) % g->ring_size;
        g->ring_count--;
        send(&e, oldest);
    }
    count(sim, counts, FS_GENERATOR_BACKLOG, backlog, &number);
    e.work->held = take_back(&e, tile);
    count(sim, counts, FS_GENERATOR_SPILL, e.work->held, &number);
    generate_next(&e);
    count(sim, counts, FS_GENERATOR_RAY, g->generated, &number);
    for (uint32_t p = 0; p < e.ports; p++) {
        fs_lane_state *out = e.out[p];
        out->out_rays = out->out_extent;
        out->out_plain = true;
        counts[FS_GENERATOR_WIPE] += fs_lanes_wiped(out);
        e.work->sent += out->out_rays;
    }
}
