/* What one call of a tile does under decoupled execution: which rays it takes, where they go, which events it
 * counts. */
#include "workloads/foam/decoupled_internal.h"
#include "workloads/foam/programs.h"

/* ---- the own lane of a ray ---- */

static uint32_t hash_of(uint32_t pixel) {
    uint32_t h = pixel * UINT32_C(0x9e3779b1);
    return h ^ (h >> 15);
}

static uint32_t shortest_queue(const fs_foam_decoupled *f, const uint32_t *lane, uint32_t choices) {
    uint32_t best = 0, least = UINT32_MAX;
    for (uint32_t c = 0; c < choices; c++) {
        uint32_t queued = fs_decoupled_queued(f->engine, lane[c]);
        if (queued < least) {
            least = queued;
            best = c;
        }
    }
    return best;
}

/* The lane by which a ray leaves `tile`: that of its route, or one of several by the overlay's policy. */
static uint32_t own_lane(const fs_foam_decoupled *f, uint32_t tile, fs_handle handle) {
    const fs_overlay *o = f->overlay;
    const uint32_t *out = o->out_lane + o->out_start[tile];
    uint32_t port = 0, choices = fs_overlay_out_degree(o, tile);
    if (o->route_start[tile] >= 0) {
        port = o->route[o->route_start[tile] + handle.wants];
        choices = o->lanes[out[port]].choices;
    }
    if (choices <= 1)
        return out[port];
    const fs_ray *ray = &f->sim->pool.ray[handle.ray];
    switch (o->dispatch) {
    case FS_DISPATCH_HASH:
        return out[port + hash_of(ray->y * f->sim->framebuffer.width + ray->x) % choices];
    case FS_DISPATCH_ROUND_ROBIN:
        return out[port + f->tile[tile].turn % choices];
    default:
        return out[port + shortest_queue(f, out + port, choices)];
    }
}

/* ---- rays of a call ---- */

/* Numbers the rays that a call takes: ray n is worker n mod W's. */
typedef struct taking {
    uint32_t *row; /* of the worker whose ray is next */
    uint32_t *counts, *end;
    uint32_t taken, blocked;
} taking;

static taking begin_taking(const fs_foam_decoupled *f, uint32_t *counts) {
    return (taking){
        .row = counts, .counts = counts, .end = counts + (size_t)f->sim->setup.workers * FS_MAX_EVENTS};
}

static void next_worker(taking *t) {
    t->taken++;
    t->row = t->row + FS_MAX_EVENTS == t->end ? t->counts : t->row + FS_MAX_EVENTS;
}

static uint32_t found(const taking *t) {
    return (t->taken > 0 ? (uint32_t)FS_CALL_BEGUN : 0) | (t->blocked > 0 ? (uint32_t)FS_CALL_BLOCKED : 0);
}

/* The ray ends in this call; `delivery` lanes since it was marched. */
static void end_ray(fs_foam_decoupled *f, uint32_t tile, uint32_t id, int64_t waited, uint32_t delivery) {
    foam_tile *t = &f->tile[tile];
    f->times[id].waited = waited;
    f->times[id].delivery = delivery;
    f->times[id].next = FS_NO_RAY;
    if (t->ended_count++ == 0)
        t->ended = id;
    else
        f->times[t->ended_last].next = id;
    t->ended_last = id;
    fs_decoupled_finish(f->engine);
}

/* ---- router ---- */

uint32_t decoupled_forward(fs_foam_decoupled *f, uint32_t tile, uint32_t *counts) {
    const fs_overlay *o = f->overlay;
    taking t = begin_taking(f, counts);
    for (uint32_t p = o->in_start[tile]; p < o->in_start[tile + 1]; p++) {
        const uint32_t in = o->in_lane[p], waiting = fs_decoupled_waiting(f->engine, in);
        const ray_queue *q = &f->queue[in];
        uint32_t left = 0;
        for (uint32_t i = 0; i < waiting; i++) {
            queued_ray r = *queued_at(q, i);
            uint32_t lane = own_lane(f, tile, r.handle);
            if (fs_decoupled_room(f->engine, lane) == 0) {
                *queued_at(q, left++) = r;
                continue;
            }
            f->tile[tile].turn++;
            r.handle.routed++;
            decoupled_put(f, lane, r.handle, r.waited + (int64_t)f->now);
            t.row[FS_ROUTER_COUNT]++;
            t.row[FS_ROUTER_FORWARD]++;
            next_worker(&t);
        }
        decoupled_close_gap(f, in, waiting, left);
        t.blocked += left;
    }
    counts[FS_ROUTER_STATISTICS] = t.taken;
    f->tile[tile].held += t.taken;
    f->sim->totals.hops_in += t.taken;
    f->sim->totals.hops_out += t.taken;
    return found(&t);
}

/* ---- tracer ---- */

/* The last leg of the visit that begins at `leg`. */
static const fs_leg *last_leg(const fs_simulation *sim, uint32_t leg) {
    const fs_leg *at = fs_itinerary_leg(&sim->itinerary, leg);
    while (at->next == FS_LEG_MORE)
        at = fs_itinerary_leg(&sim->itinerary, leg += FS_LEG_STRIDE);
    return at;
}

/* What a ray will be when this tile has dealt with it: the handle to send on, or one that stays here. */
static fs_handle after_visit(const fs_foam_decoupled *f, uint32_t shard, fs_handle handle) {
    const fs_simulation *sim = f->sim;
    const fs_ray *ray = &sim->pool.ray[handle.ray];
    FS_ASSERT(handle.wants == shard, "a ray that wants shard %u is at shard %u", handle.wants, shard);
    if (ray->finished)
        return (fs_handle){.ray = FS_RAY_CONSUMED};
    const fs_leg *leg = last_leg(sim, ray->leg);
    if (leg->next != FS_LEG_ENDS)
        return (fs_handle){.ray = handle.ray, .wants = leg->next};
    if (sim->setup.local_framebuffer)
        return (fs_handle){.ray = FS_RAY_CONSUMED};
    return (fs_handle){.ray = handle.ray,
                       .wants = (uint16_t)fs_framebuffer_owner(&sim->framebuffer, ray->x, ray->y)};
}

/* The events of a visit; the ray's record as it is after it. */
static void visit(fs_foam_decoupled *f, fs_handle handle, uint32_t *row) {
    fs_simulation *sim = f->sim;
    fs_ray *ray = &sim->pool.ray[handle.ray];
    row[FS_TRACER_SLOT]++;
    if (ray->finished) {
        row[FS_TRACER_PIXEL]++;
        return;
    }
    const fs_leg *leg;
    ray->router_visits = (uint16_t)(ray->router_visits + handle.routed);
    ray->tracer_visits++;
    row[FS_TRACER_SETUP]++;
    do {
        leg = fs_itinerary_leg(&sim->itinerary, ray->leg);
        ray->leg += FS_LEG_STRIDE;
        row[FS_TRACER_CELL] += leg->cells;
        row[FS_TRACER_FACE] += leg->faces;
        row[FS_TRACER_FRONT] += leg->front;
        row[FS_TRACER_NEAREST] += leg->nearest & (FS_LEG_DEPTH - 1);
        row[FS_TRACER_DEPTH] += leg->nearest / FS_LEG_DEPTH;
        sim->totals.cells += leg->cells;
        sim->totals.faces += leg->faces;
    } while (leg->next == FS_LEG_MORE);
    if (leg->next != FS_LEG_ENDS) {
        row[FS_TRACER_CROSS]++;
        sim->totals.crossings++;
    } else if (sim->setup.local_framebuffer) {
        row[FS_TRACER_PIXEL]++;
    } else {
        row[FS_TRACER_FINISH]++;
        ray->finished = 1;
    }
}

/* Local framebuffer: when the records that are left are fewer than the rays at hand the host reads the tile's
 * buffer first. */
static void make_room(fs_foam_decoupled *f, uint32_t tile, uint32_t shard) {
    fs_simulation *sim = f->sim;
    const fs_overlay *o = f->overlay;
    uint32_t waiting = 0;
    for (uint32_t p = o->in_start[tile]; p < o->in_start[tile + 1]; p++)
        waiting += fs_decoupled_waiting(f->engine, o->in_lane[p]);
    if (sim->local_count[shard] + waiting <= sim->setup.local_records)
        return;
    fs_decoupled_read_out(f->engine, (uint64_t)sim->local_count[shard] * FS_LOCAL_RECORD_BYTES);
    sim->local_count[shard] = 0;
}

uint32_t decoupled_trace(fs_foam_decoupled *f, uint32_t tile, uint32_t *counts) {
    const fs_overlay *o = f->overlay;
    const uint32_t shard = o->shard_of_tile[tile];
    const bool routes = o->route_start[tile] >= 0, local = f->sim->setup.local_framebuffer;
    taking t = begin_taking(f, counts);
    uint32_t sent = 0;
    for (uint32_t p = 0; p < fs_overlay_in_degree(o, tile); p++) {
        const uint32_t in = o->in_lane[o->in_start[tile] + p], back = o->out_lane[o->out_start[tile] + p];
        const uint32_t waiting = fs_decoupled_waiting(f->engine, in);
        const ray_queue *q = &f->queue[in];
        uint32_t left = 0;
        for (uint32_t i = 0; i < waiting; i++) {
            queued_ray r = *queued_at(q, i);
            fs_handle next = after_visit(f, shard, r.handle);
            bool stays = next.ray == FS_RAY_CONSUMED;
            uint32_t lane = stays ? UINT32_MAX : routes ? own_lane(f, tile, next) : back;
            if (!stays && fs_decoupled_room(f->engine, lane) == 0) {
                *queued_at(q, left++) = r;
                continue;
            }
            if (local && t.taken == 0)
                make_room(f, tile, shard);
            r.waited += (int64_t)f->now;
            visit(f, r.handle, t.row);
            if (stays) {
                bool here = local && !f->sim->pool.ray[r.handle.ray].finished;
                end_ray(f, tile, r.handle.ray, r.waited, here ? 0 : r.handle.routed + 1u);
                if (here)
                    f->sim->local_count[shard]++;
            } else {
                decoupled_put(f, lane, next, r.waited);
                sent++;
            }
            next_worker(&t);
        }
        decoupled_close_gap(f, in, waiting, left);
        t.blocked += left;
    }
    f->tile[tile].held += t.taken;
    f->sim->totals.hops_in += t.taken;
    f->sim->totals.hops_out += sent;
    return found(&t);
}

/* ---- generator ---- */

/* The pixel of the next ray. */
static void next_pixel(const fs_foam_decoupled *f, uint32_t *x, uint32_t *y) {
    const fs_foam_setup *s = &f->sim->setup;
    const bool rows = s->order == FS_ORDER_ROWS;
    uint32_t length = rows ? s->camera->width : s->camera->height;
    uint32_t line = f->sim->generator.batch * s->per_batch + f->made / length, i = f->made % length;
    *x = rows ? i : line;
    *y = rows ? line : i;
}

/* Rays of the present batch. */
static uint32_t batch_size(const fs_foam_decoupled *f) {
    const fs_foam_setup *s = &f->sim->setup;
    const bool rows = s->order == FS_ORDER_ROWS;
    uint32_t length = rows ? s->camera->width : s->camera->height,
             lines = rows ? s->camera->height : s->camera->width;
    uint32_t first = f->sim->generator.batch * s->per_batch;
    return length * (lines - first < s->per_batch ? lines - first : s->per_batch);
}

/* Makes the next ray unless its lane is full. */
static bool make_ray(fs_foam_decoupled *f, uint32_t tile) {
    fs_simulation *sim = f->sim;
    const fs_itinerary_view *view = &sim->view[sim->pose];
    uint32_t x, y;
    next_pixel(f, &x, &y);
    uint32_t id = fs_rays_take(&sim->pool, 0);
    sim->pool.ray[id] = (fs_ray){.leg = view->first[(size_t)y * sim->framebuffer.width + x],
                                 .x = (uint16_t)x,
                                 .y = (uint16_t)y,
                                 .from = FS_FROM_GENERATOR,
                                 .frame = (uint16_t)sim->generator.frame,
                                 .free_from = FS_RAY_BUSY,
                                 .pose = (uint8_t)sim->pose};
    fs_handle handle = {.ray = id, .wants = sim->setup.scene->cell[view->place].shard};
    uint32_t lane = own_lane(f, tile, handle);
    if (fs_decoupled_room(f->engine, lane) == 0) {
        fs_ray_free(&sim->pool.ray[id], UINT32_MAX); /* free from iteration 0 on: at once */
        sim->pool.in_flight--;
        sim->pool.cursor = id;
        return false;
    }
    f->tile[tile].turn++;
    f->times[id].born = f->now;
    fs_decoupled_inject(f->engine);
    decoupled_put(f, lane, handle, 0);
    f->made++;
    return true;
}

/* A call makes at most what is left of the present batch. Frames follow each other without a pause. */
uint32_t decoupled_generate(fs_foam_decoupled *f, uint32_t tile, uint32_t *counts) {
    fs_simulation *sim = f->sim;
    fs_generator *g = &sim->generator;
    if (g->finished)
        return 0;
    uint32_t allowed = fs_decoupled_allowance(f->engine), size = batch_size(f), made = 0;
    while (made < allowed && f->made < size && make_ray(f, tile))
        made++;
    bool blocked = f->made < size;
    if (!blocked) {
        f->made = 0;
        if (++g->batch == g->batches) {
            g->batch = 0;
            g->frame++;
            g->finished = !sim->setup.stream && g->frame == sim->setup.frames;
        }
    }
    counts[FS_GENERATOR_RAY] = made;
    g->generated += made;
    sim->totals.generated += made;
    sim->totals.hops_out += made;
    return (made > 0 ? (uint32_t)FS_CALL_BEGUN : 0) | (blocked ? (uint32_t)FS_CALL_BLOCKED : 0);
}
