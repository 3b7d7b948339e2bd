/* A run of kernels, iteration by iteration: compute, exchange, the host's visit, and what must hold. */
#include "workloads/foam/kernels/simulation.h"

#include "sim/base/host.h"
#include "workloads/foam/kernels/layout.h"
#include "workloads/foam/kernels/simulation_internal.h"

#include <omp.h>
#include <string.h>

enum {
    LANES_AHEAD = 5,          /* tiles whose in lanes are asked for before they run */
    COURSES_AHEAD = 3,        /* tiles whose rays' courses are asked for before they run */
    LEGS_AHEAD = 1,           /* and what those point to */
    WORTH_THREADS = 24,       /* active tiles under which one thread is faster than waking others */
    MOST_UNBOUNDED = 1 << 27, /* rays in flight in a stream with infinite buffers: 4 GiB of records */
};

/* ---- elaboration ---- */

static fs_status check_setup(const fs_foam_setup *s, fs_error *err) {
    if (s->max_iterations >= UINT16_MAX)
        return fs_fail(err, FS_INPUT, "run.max_iterations: %u is too many, at most %u are counted",
                       s->max_iterations, UINT16_MAX - 1);
    if (s->scene != NULL && s->overlay->shards != s->scene->shards)
        return fs_fail(err, FS_BROKEN, "an overlay of %u shards for %u", s->overlay->shards,
                       s->scene->shards);
    if (s->overlay->tracers >= FS_FROM_GENERATOR)
        return fs_fail(err, FS_INPUT, "overlay: %u tracers are too many, at most %u can be told apart",
                       s->overlay->tracers, FS_FROM_GENERATOR - 1);
    for (uint32_t c = 1; c < s->cameras; c++)
        if (s->camera[c].width != s->camera[0].width || s->camera[c].height != s->camera[0].height)
            return fs_fail(err, FS_INPUT, "workload.camera_change: the second camera has another size");
    return FS_OK;
}

/* At most so many rays can be in flight: every slot of every lane, the ring, and a batch being generated; and
 * no more than are ever made. */
static uint32_t most_rays(const fs_foam_setup *s) {
    uint64_t pixels = (uint64_t)s->camera->width * s->camera->height, slots = s->overlay->generator_ring;
    for (uint32_t t = 0; t < s->overlay->tiles; t++)
        slots += fs_foam_in_slots(s->overlay, s->lane_capacity, t);
    uint64_t line = s->order == FS_ORDER_ROWS ? s->camera->width : s->camera->height;
    slots += line * s->per_batch;
    uint64_t made = s->stream ? line * s->per_batch * s->max_iterations : pixels * s->frames;
    uint64_t most = slots < made ? slots : made;
    if (s->infinite_buffers)
        most = made < MOST_UNBOUNDED || !s->stream ? made : MOST_UNBOUNDED;
    return most < FS_RAY_ID ? (uint32_t)most : FS_RAY_ID - 1;
}

static uint32_t in_slots(const fs_foam_simulation *sim, uint32_t tile) {
    return fs_foam_in_slots(sim->overlay, sim->setup.lane_capacity, tile);
}

/* Slots that one thread may write in an iteration, and those that a tile with routes may read. */
static void size_stores(const fs_foam_simulation *sim, size_t *written, size_t *read) {
    const fs_overlay *o = sim->overlay;
    *written = *read = 0;
    for (uint32_t t = 0; t < o->tiles; t++)
        *written += in_slots(sim, t); /* what goes out of one comes in at another */
    for (uint32_t t = 0; t < o->tiles; t++)
        if (o->route_start[t] >= 0 && o->role[t] != FS_ROLE_GENERATOR && in_slots(sim, t) > *read)
            *read = in_slots(sim, t);
    if (sim->setup.infinite_buffers) { /* each ray once; the generator leaves room in every lane */
        *read = sim->pool.capacity;
        *written = (size_t)sim->pool.capacity * (1 + fs_ports(sim, o->generator_tile));
    }
}

/* What the kernels would otherwise have to find out in every call. */
static void note_overlay(fs_foam_simulation *sim, fs_arena *arena) {
    const fs_overlay *o = sim->overlay;
    sim->chooses = FS_NEW(arena, bool, o->tiles);
    for (uint32_t l = 0; l < o->lane_count; l++)
        sim->chooses[o->lanes[l].src] = sim->chooses[o->lanes[l].src] || o->lanes[l].choices > 1;
    sim->replicated = o->tracers > o->shards;
    sim->usual = !sim->setup.plain && fs_workers_are_usual(sim);
    sim->tracer_slots = FS_NEW(arena, uint32_t, o->tracers);
    for (uint32_t i = 0; i < o->tracers; i++)
        sim->tracer_slots[i] = in_slots(sim, o->tracer_tile[i]);
}

static void create_local(fs_foam_simulation *sim, fs_arena *arena) {
    const uint32_t tracers = sim->overlay->tracers, records = sim->setup.local_records;
    sim->local = FS_NEW(arena, fs_local_record *, tracers);
    sim->local_count = FS_NEW(arena, uint32_t, tracers);
    sim->local_room = FS_NEW(arena, uint32_t, tracers);
    for (uint32_t i = 0; i < tracers; i++) {
        sim->local[i] = FS_NEW(arena, fs_local_record, records);
        sim->local_room[i] = records;
    }
}

/* Every ray of every camera, from end to end, unless that has been done. */
static fs_status march_views(fs_foam_simulation *sim, fs_arena *arena, fs_error *err) {
    const fs_foam_setup *s = &sim->setup;
    if (s->recorded != NULL) {
        sim->itinerary = *s->recorded;
        for (uint32_t c = 0; c < s->cameras; c++)
            sim->view[c] = s->recorded_view[c];
        return FS_OK;
    }
    const fs_journey journey = {.scene = s->scene,
                                .march = &sim->setup.march,
                                .payload = s->payload,
                                .round_at_end = !s->local_framebuffer,
                                .columns = s->order == FS_ORDER_COLUMNS};
    fs_itinerary_create(&sim->itinerary, arena, &journey, s->camera->width, s->camera->height);
    for (uint32_t c = 0; c < s->cameras; c++) {
        uint32_t place = fs_march_nearest(s->scene, s->partition, s->camera[c].origin);
        if (fs_itinerary_march(&sim->itinerary, &s->camera[c], place, &sim->view[c],
                               c == 0 ? s->reference : NULL, err))
            return err->status;
    }
    return FS_OK;
}

fs_foam_simulation *fs_foam_simulation_create(fs_arena *arena, const fs_foam_setup *setup, fs_error *err) {
    if (check_setup(setup, err))
        return NULL;
    fs_foam_simulation *sim = FS_NEW(arena, fs_foam_simulation, 1);
    const fs_overlay *overlay = setup->overlay;
    sim->setup = *setup;
    sim->overlay = overlay;
    sim->lanes = fs_lanes_create(arena, overlay, setup->infinite_buffers ? NULL : setup->lane_capacity);
    fs_rays_create(&sim->pool, arena, most_rays(setup));
    fs_framebuffer_create(&sim->framebuffer, arena, setup->camera->width, setup->camera->height,
                          overlay->shards, setup->frames);
    sim->framebuffer.not_black = setup->not_black;
    sim->recurrence.written = FS_NEW(arena, uint64_t, (size_t)setup->give_up + 1);
    note_overlay(sim, arena);
    fs_generator_create(sim, arena);
    if (march_views(sim, arena, err))
        return NULL;
    sim->vectors = sim->usual && fs_host_has_avx2() && sim->itinerary.lit == NULL;
    fs_poses_begin(sim, arena);
    if (setup->cameras == 1 && setup->in_flight == 0 && !setup->not_black && !setup->plain)
        sim->framebuffer.ends = sim->view[0].end;
    sim->active_bits = FS_NEW(arena, uint64_t, overlay->tiles / 64 + 1);
    sim->active = FS_NEW(arena, uint32_t, overlay->tiles);
    sim->work = FS_NEW(arena, fs_tile_work, overlay->tiles);
    sim->held = FS_NEW(arena, uint32_t, overlay->tiles);
    sim->occupied = FS_NEW(arena, uint32_t, overlay->lane_count);
    sim->threads = (uint32_t)omp_get_max_threads();
    fs_deal_create(&sim->deal, arena, overlay, sim->threads);
    size_t written, read;
    size_stores(sim, &written, &read);
    if (!setup->infinite_buffers && fs_lanes_check(written, err))
        return NULL;
    sim->stores = fs_lanes_stores_create(arena, written, sim->threads, read);
    if (setup->local_framebuffer)
        create_local(sim, arena);
    return sim;
}

/* ---- compute ---- */

static void activate(fs_foam_simulation *sim, uint32_t tile) {
    sim->active_bits[tile / 64] |= UINT64_C(1) << (tile % 64);
}

/* Takes the marked tiles as this iteration's list and clears the marks. */
static void list_active(fs_foam_simulation *sim) {
    if (fs_generator_pending(sim))
        activate(sim, sim->overlay->generator_tile);
    sim->active_count = 0;
    for (uint32_t w = 0; w <= sim->overlay->tiles / 64; w++) {
        uint64_t bits = sim->active_bits[w];
        sim->active_bits[w] = 0;
        for (; bits != 0; bits &= bits - 1)
            sim->active[sim->active_count++] = w * 64 + (uint32_t)__builtin_ctzll(bits);
    }
}

static void run_tile(fs_foam_simulation *sim, uint32_t tile, fs_lane_store *store, uint32_t *counts) {
    switch ((fs_role)sim->overlay->role[tile]) {
    case FS_ROLE_TRACER:
        fs_tracer_run(sim, tile, store, counts);
        break;
    case FS_ROLE_ROUTER:
        fs_router_run(sim, tile, store, counts);
        break;
    case FS_ROLE_GENERATOR:
        fs_generator_run(sim, tile, store, counts);
        break;
    default:
        FS_ASSERT(false, "tile %u has rays but no role", tile);
    }
}

static bool traces(const fs_foam_simulation *sim, uint32_t i, uint32_t end) {
    return i < end && sim->overlay->role[sim->deal.order[i]] == FS_ROLE_TRACER;
}

/* The first lines of a tile's in lanes: the host notices the rest by itself. */
static void fetch_lanes(const fs_foam_simulation *sim, uint32_t tile) {
    for (uint32_t p = 0; p < fs_ports(sim, tile); p++) {
        const fs_lane_state *in = fs_in_lane(sim, tile, p);
        const uint32_t most = 3 * 8, slots = in->in_extent < most ? in->in_extent : most;
        for (uint32_t i = 0; i < slots; i += 8)
            __builtin_prefetch(&in->in[i]);
    }
}

/* Tiles [begin, end) of the deal's order. Few rays meet on a tracer at a time, all of them far away in
 * memory: what the next tiles will touch is asked for while one runs. */
static void run_tiles(fs_foam_simulation *sim, uint32_t begin, uint32_t end, fs_lane_store *store,
                      const fs_count_sink *sink) {
    for (uint32_t i = begin; i < begin + COURSES_AHEAD; i++)
        if (traces(sim, i, end))
            fs_tracer_fetch_courses(sim, sim->deal.order[i]);
    for (uint32_t i = begin; i < begin + LEGS_AHEAD; i++)
        if (traces(sim, i, end))
            fs_tracer_fetch_legs(sim, sim->deal.order[i]);
    for (uint32_t i = begin; i < end; i++) {
        if (i + LANES_AHEAD < end)
            fetch_lanes(sim, sim->deal.order[i + LANES_AHEAD]);
        if (traces(sim, i + COURSES_AHEAD, end))
            fs_tracer_fetch_courses(sim, sim->deal.order[i + COURSES_AHEAD]);
        if (traces(sim, i + LEGS_AHEAD, end))
            fs_tracer_fetch_legs(sim, sim->deal.order[i + LEGS_AHEAD]);
        const uint32_t tile = sim->deal.order[i];
        run_tile(sim, tile, store, sink->counts(sink->self, tile));
        sink->done(sink->self, tile);
    }
}

/* Sums up what the tiles did, in tile order, and empties their notes. */
static void sum_up(fs_foam_simulation *sim) {
    fs_foam_step *step = &sim->step;
    fs_foam_totals *totals = &sim->totals;
    *step = (fs_foam_step){.generated = sim->generator.generated, .injecting = sim->generator.generated > 0};
    for (uint32_t i = 0; i < sim->active_count; i++) {
        uint32_t tile = sim->active[i];
        fs_tile_work *work = &sim->work[tile];
        sim->held[tile] = work->held;
        sim->visits += sim->held[tile];
        const uint8_t level = sim->overlay->level[tile];
        step->rays[level] += work->held;
        step->spilled_at[level] += work->spilled;
        step->misrouted_at[level] += work->misrouted;
        step->finished += work->ended;
        step->dropped += work->dropped;
        step->spilled += work->spilled;
        step->misrouted += work->misrouted;
        totals->hops_in += work->held;
        totals->hops_out += work->sent;
        totals->crossings += work->crossings;
        totals->cells += work->cells;
        totals->faces += work->faces;
        sim->framebuffer.written[0] += work->pixels;
        *work = (fs_tile_work){0};
    }
    sim->pool.in_flight -= step->finished + step->dropped;
    totals->generated += step->generated;
    totals->finished += step->finished;
    totals->dropped += step->dropped;
    totals->spilled += step->spilled;
    totals->misrouted += step->misrouted;
    step->in_flight = sim->pool.in_flight;
    step->backlog = sim->generator.ring_count;
    totals->in_flight = step->in_flight;
}

/* Notes the iteration in which a frame got its last pixel. */
static void note_last_pixels(fs_foam_simulation *sim) {
    fs_framebuffer *fb = &sim->framebuffer;
    for (uint32_t f = 0; f < fb->frames; f++)
        if (fb->last_pixel[f] == UINT64_MAX && fb->written[f] == (uint64_t)fb->width * fb->height)
            fb->last_pixel[f] = sim->iteration;
}

/* The half that was read in this iteration will be written in the next. */
static void turn_store(fs_lane_store *store) {
    store->writing ^= 1;
    store->used = 0;
}

void fs_foam_simulation_compute(fs_foam_simulation *sim, uint64_t iteration, const fs_count_sink *sink,
                                const uint32_t **active, uint32_t *active_count) {
    for (uint32_t i = 0; i < sim->active_count; i++)
        sim->held[sim->active[i]] = 0;
    sim->iteration = iteration;
    sim->generator.generated = 0;
    list_active(sim);
    *active = sim->active;
    *active_count = sim->active_count;
    for (uint32_t t = 0; t < sim->threads; t++)
        turn_store(&sim->stores[t]);
    fs_deal_tiles(&sim->deal, sim->active, sim->active_count);
#pragma omp parallel num_threads(sim->threads) if (sim->active_count >= WORTH_THREADS)
    {
        const uint32_t thread = (uint32_t)omp_get_thread_num();
        uint32_t begin, end;
        while (fs_deal_take(&sim->deal, thread, &begin, &end))
            run_tiles(sim, begin, end, &sim->stores[thread], sink);
    }
    sum_up(sim);
    note_last_pixels(sim);
}

/* ---- exchange ---- */

/* Only lanes of active tiles can hold rays or stale slots: a tile that wrote slots stays active for one more
 * iteration to wipe them. */
void fs_foam_simulation_exchange(fs_foam_simulation *sim, const uint32_t **occupied) {
    const fs_overlay *overlay = sim->overlay;
    if (occupied != NULL) {
        memset(sim->occupied, 0, overlay->lane_count * sizeof sim->occupied[0]);
        *occupied = sim->occupied;
    }
    for (uint32_t i = 0; i < sim->active_count; i++) {
        uint32_t tile = sim->active[i];
        bool wrote = false;
        for (uint32_t p = overlay->out_start[tile]; p < overlay->out_start[tile + 1]; p++) {
            fs_lane_state *lane = &sim->lanes[overlay->out_lane[p]];
            if (occupied != NULL)
                sim->occupied[overlay->out_lane[p]] = lane->out_rays * sim->setup.payload->bytes;
            if (lane->out_extent > 0) {
                wrote = true;
                activate(sim, overlay->lanes[overlay->out_lane[p]].dst);
            }
            fs_lanes_move(lane);
        }
        if (wrote)
            activate(sim, tile);
    }
}

/* ---- host visits ---- */

static void read_local(fs_foam_simulation *sim) {
    for (uint32_t s = 0; s < sim->overlay->tracers; s++) {
        for (uint32_t i = 0; i < sim->local_count[s]; i++) {
            const fs_local_record *r = &sim->local[s][i];
            sim->framebuffer.written[0] +=
                fs_framebuffer_write(&sim->framebuffer, r->x, r->y, &r->state, r->frame);
        }
        sim->local_count[s] = 0;
    }
    note_last_pixels(sim);
}

/* A tile's local buffer could overflow in the next iteration. */
static bool local_nearly_full(const fs_foam_simulation *sim) {
    for (uint32_t s = 0; s < sim->overlay->tracers; s++)
        if (sim->local_count[s] + sim->tracer_slots[s] > sim->setup.local_records)
            return true;
    return false;
}

/* Marks frames that have enough pixels; true when every counted frame is done. */
static bool frames_done(fs_foam_simulation *sim, uint64_t iteration) {
    fs_framebuffer *fb = &sim->framebuffer;
    double enough = sim->setup.coverage * ((double)fb->width * (double)fb->height);
    bool all = true;
    for (uint32_t f = 0; f < fb->frames; f++) {
        if (fb->done[f] == UINT64_MAX && (double)fb->written[f] >= enough)
            fb->done[f] = iteration + 1;
        all = all && fb->done[f] != UINT64_MAX;
    }
    return all;
}

fs_status fs_foam_simulation_decide(fs_foam_simulation *sim, uint64_t iteration, fs_foam_visit *visit,
                                    fs_error *err) {
    const fs_foam_setup *setup = &sim->setup;
    *visit = (fs_foam_visit){0};
    visit->visit =
        (iteration + 1) % setup->repeat == 0 || (setup->local_framebuffer && local_nearly_full(sim));
    if (visit->visit) {
        if (setup->local_framebuffer) {
            read_local(sim);
            visit->bytes_to_host =
                (uint64_t)sim->overlay->tracers * setup->local_records * FS_LOCAL_RECORD_BYTES;
        } else {
            visit->bytes_to_host =
                (uint64_t)sim->overlay->shards * fs_framebuffer_slice_bytes(&sim->framebuffer);
        }
        visit->bytes_to_device = FS_CAMERA_BYTES;
        if (fs_poses_change(sim, iteration, err))
            return err->status;
        const bool now =
            setup->in_flight > 0 ? fs_poses_take(sim, iteration, visit) : frames_done(sim, iteration);
        sim->complete = setup->previous ? sim->complete_seen : now;
        sim->complete_seen = now;
        visit->stop = sim->complete || (sim->generator.finished && sim->pool.in_flight == 0);
    }
    if (visit->stop)
        return FS_OK;
    const bool over = iteration + 1 >= setup->max_iterations;
    const bool stuck =
        visit->visit && setup->in_flight > 0 && sim->pool.in_flight == 0 && !fs_generator_pending(sim);
    visit->limited = stuck || fs_recurrence_look(&sim->recurrence, sim) ||
                     fs_recurrence_gives_up(&sim->recurrence, sim) || over;
    return visit->limited ? fs_recurrence_tell(sim, over, err) : FS_OK;
}

/* ---- what others may look at ---- */

const fs_foam_step *fs_foam_simulation_step(const fs_foam_simulation *sim) {
    return &sim->step;
}
const uint32_t *fs_foam_simulation_held(const fs_foam_simulation *sim) {
    return sim->held;
}
fs_foam_totals fs_foam_simulation_totals(const fs_foam_simulation *sim) {
    return sim->totals;
}
const fs_lane_state *fs_foam_simulation_lanes(const fs_foam_simulation *sim) {
    return sim->lanes;
}
void fs_foam_simulation_begin_part(fs_foam_simulation *sim) {
    for (uint32_t l = 0; l < sim->overlay->lane_count; l++)
        sim->lanes[l].part_peak = 0;
}
bool fs_foam_simulation_complete(const fs_foam_simulation *sim) {
    return sim->complete;
}

fs_status fs_foam_simulation_check(const fs_foam_simulation *sim, fs_error *err) {
    const fs_foam_totals *t = &sim->totals;
    if (t->generated != t->finished + t->dropped + t->in_flight)
        return fs_fail(err, FS_BROKEN,
                       "rays: %llu generated, but %llu finished + %llu dropped + %llu in flight",
                       (unsigned long long)t->generated, (unsigned long long)t->finished,
                       (unsigned long long)t->dropped, (unsigned long long)t->in_flight);
    uint64_t in_buffers = 0, moved = 0, capacity_broken = 0;
    for (uint32_t l = 0; l < sim->overlay->lane_count; l++) {
        const fs_lane_state *lane = &sim->lanes[l];
        for (uint32_t i = 0; i < lane->in_extent; i++)
            in_buffers += lane->in[i].ray != FS_RAY_CONSUMED;
        moved += lane->rays;
        capacity_broken += lane->peak > lane->capacity;
    }
    if (t->hops_out != t->hops_in + in_buffers || t->hops_out != moved)
        return fs_fail(err, FS_BROKEN, "hops: %llu out, %llu moved, %llu in and %llu still in a buffer",
                       (unsigned long long)t->hops_out, (unsigned long long)moved,
                       (unsigned long long)t->hops_in, (unsigned long long)in_buffers);
    if (sim->visits != t->hops_in)
        return fs_fail(err, FS_BROKEN, "hops: %llu in, but the tiles' visits are %llu",
                       (unsigned long long)t->hops_in, (unsigned long long)sim->visits);
    if (in_buffers + sim->generator.ring_count != t->in_flight)
        return fs_fail(err, FS_BROKEN, "rays: %llu in buffers and %u in the ring, but %llu in flight",
                       (unsigned long long)in_buffers, sim->generator.ring_count,
                       (unsigned long long)t->in_flight);
    if (capacity_broken > 0)
        return fs_fail(err, FS_BROKEN, "%llu lanes held more rays than their capacity",
                       (unsigned long long)capacity_broken);
    return FS_OK;
}

/* ---- a simulation without kernels: shows what a recording says ---- */

fs_foam_simulation *fs_shell_create(fs_arena *arena, const fs_foam_setup *setup, const fs_shell_end *end) {
    fs_foam_simulation *sim = FS_NEW(arena, fs_foam_simulation, 1);
    const fs_overlay *overlay = setup->overlay;
    sim->setup = *setup;
    sim->overlay = overlay;
    sim->lanes = FS_NEW(arena, fs_lane_state, overlay->lane_count);
    memcpy(sim->lanes, end->lanes, overlay->lane_count * sizeof *sim->lanes);
    sim->framebuffer = end->framebuffer;
    sim->totals = end->totals;
    sim->complete = end->complete;
    sim->held = FS_NEW(arena, uint32_t, overlay->tiles);
    sim->active = FS_NEW(arena, uint32_t, overlay->tiles);
    return sim;
}

void fs_shell_show(fs_foam_simulation *sim, const fs_foam_step *step, const uint32_t *active,
                   const uint32_t *held, uint32_t count, uint64_t written) {
    for (uint32_t i = 0; i < sim->active_count; i++)
        sim->held[sim->active[i]] = 0;
    for (uint32_t i = 0; i < count; i++) {
        sim->active[i] = active[i];
        sim->held[active[i]] = held[i];
    }
    sim->active_count = count;
    sim->step = *step;
    sim->framebuffer.written[0] = written;
}
